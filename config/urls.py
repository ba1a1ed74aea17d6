from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import include, path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from accounts.auth.rights import Right, holds_right
from games.views.errors import not_found, too_large
from games.views.search_engines import robots, site_map
from games.views.shell import offline, service_worker


def _may_use_admin(request: HttpRequest) -> bool:
    return holds_right(request.user, Right.USE_ADMIN)


@secure_admin_login  # type: ignore[untyped-decorator]  # allauth has no types
def _admin_login(request: HttpRequest) -> HttpResponse:
    """Send users to the site's own sign-in, which limits tries; the admin's form does not."""
    if not _may_use_admin(request):
        # The admin's index would send them back here.
        raise PermissionDenied
    return redirect("admin:index")


def _admin_password_change(request: HttpRequest, extra_context: object = None) -> HttpResponse:
    return redirect("account_change_password")


# Every `admin.register` uses this site, so its methods are replaced, not those of a class of ours.
admin.site.has_permission = _may_use_admin  # type: ignore[method-assign]
admin.site.login = _admin_login  # type: ignore[method-assign]
admin.site.password_change = _admin_password_change  # type: ignore[method-assign, assignment]

urlpatterns = [
    path("", include("games.urls")),
    path("account/", include("accounts.urls")),
    path("", include("accounts.views.moderation.urls")),
    path("service-worker.js", service_worker, name="service_worker"),
    path("offline/", offline, name="offline"),
    # Where password managers send people to change a password.
    path(
        ".well-known/change-password",
        require_safe(RedirectView.as_view(pattern_name="account_change_password")),
        name="change_password",
    ),
    path("too-large/", too_large, name="too_large"),
    path("robots.txt", robots, name="robots"),
    path("sitemap.xml", site_map, name="sitemap"),
    # Disables Django's redirect from an object's ID to its page: it checks no permission on the
    # object, and would reveal the codes of private tables.
    path("admin/r/<path:anything>", not_found, name="no_view_on_site"),
    path("admin/", admin.site.urls),
]

handler400 = "games.views.errors.bad_request"
handler403 = "games.views.errors.permission_denied"
handler404 = "games.views.errors.not_found"
handler500 = "games.views.errors.server_error"
# allauth uses this name.
handler429 = "accounts.views.too_many_tries"
