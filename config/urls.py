from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# The same limits on tries as at the site's own door.
admin.site.login = secure_admin_login(admin.site.login)

urlpatterns = [
    path("", include("games.urls")),
    path("account/", include("accounts.urls")),
    path("admin/", admin.site.urls),
]

handler400 = "games.views.errors.bad_request"
handler403 = "games.views.errors.permission_denied"
handler404 = "games.views.errors.not_found"
handler500 = "games.views.errors.server_error"
# allauth asks for it.
handler429 = "accounts.views.too_many_tries"
