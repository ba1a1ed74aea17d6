from allauth.account import views as allauth
from django.urls import path

from accounts import views

# allauth's own names, so that its redirects find them; only what the site offers.
urlpatterns = [
    path("register/", allauth.signup, name="account_signup"),
    path("sign-in/", allauth.login, name="account_login"),
    path("sign-out/", views.SignOut.as_view(), name="account_logout"),
    path("confirm/", allauth.reauthenticate, name="account_reauthenticate"),
    path("inactive/", allauth.account_inactive, name="account_inactive"),
    path("language/", views.language, name="account_language"),
    path("preferences/", views.preferences, name="account_preferences"),
    path("preferences/switch/", views.switch, name="account_switch"),
    path("notifications/", views.notifications, name="account_notifications"),
    path("notifications/read/", views.read, name="account_read"),
    path("notifications/bell/", views.bell, name="account_bell"),
]
