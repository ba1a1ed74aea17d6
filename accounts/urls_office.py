"""URLs of the moderators' pages; those of the queue and of tables are in the games app."""

from django.urls import path

from accounts.views import office

urlpatterns = [
    path("conduct/", office.conduct, name="conduct"),
    path("moderation/people/", office.people, name="moderation_people"),
    path("moderation/people/<int:pk>/", office.person, name="moderation_person"),
    path("moderation/people/<int:pk>/impose/", office.impose, name="moderation_impose"),
    path("moderation/people/<int:pk>/role/", office.role, name="moderation_role"),
    path("moderation/sanctions/<int:pk>/lift/", office.lift, name="moderation_lift"),
    path("moderation/appeals/", office.appeals, name="moderation_appeals"),
    path("moderation/appeals/<int:pk>/", office.appeal, name="moderation_appeal"),
    path("moderation/audit/", office.audit, name="moderation_audit"),
    path("moderation/switches/", office.switches, name="moderation_switches"),
]
