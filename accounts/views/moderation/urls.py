"""URLs of the moderators' pages; those of the queue and of tables are in the games app."""

from django.urls import path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from accounts.views import moderation

urlpatterns = [
    path(
        "conduct/",
        require_safe(RedirectView.as_view(pattern_name="games:rules")),
        name="conduct",
    ),
    path("moderation/people/", moderation.people, name="moderation_people"),
    path("moderation/people/<int:pk>/", moderation.person, name="moderation_person"),
    path("moderation/people/<int:pk>/impose/", moderation.impose, name="moderation_impose"),
    path("moderation/people/<int:pk>/role/", moderation.role, name="moderation_role"),
    path("moderation/sanctions/<int:pk>/lift/", moderation.lift, name="moderation_lift"),
    path("moderation/appeals/", moderation.appeals, name="moderation_appeals"),
    path("moderation/appeals/<int:pk>/", moderation.appeal, name="moderation_appeal"),
    path("moderation/audit/", moderation.audit, name="moderation_audit"),
    path("moderation/switches/", moderation.switches, name="moderation_switches"),
]
