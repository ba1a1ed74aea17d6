from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.shortcuts import redirect
from django.urls import include, path

from config.search import robots, site_map
from games.views.errors import not_found

# The site's own door limits tries; the admin's form would take any number from whoever is in.
admin.site.login = secure_admin_login(lambda request: redirect("admin:index"))

urlpatterns = [
    path("", include("games.urls")),
    path("account/", include("accounts.urls")),
    path("", include("accounts.urls_office")),
    path("robots.txt", robots, name="robots"),
    path("sitemap.xml", site_map, name="sitemap"),
    # Django's way from a number to an object's address asks for no right to the object, and
    # would list the codes of private tables.
    path("admin/r/<path:anything>", not_found, name="no_view_on_site"),
    path("admin/", admin.site.urls),
]

handler400 = "games.views.errors.bad_request"
handler403 = "games.views.errors.permission_denied"
handler404 = "games.views.errors.not_found"
handler500 = "games.views.errors.server_error"
# allauth asks for it.
handler429 = "accounts.views.too_many_tries"
