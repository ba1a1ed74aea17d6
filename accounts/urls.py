from allauth.account import views as allauth
from django.urls import path

from accounts import views

# allauth's own names, so that its redirects find them; only what the site offers.
urlpatterns = [
    path("register/", allauth.signup, name="account_signup"),
    path("sign-in/", allauth.login, name="account_login"),
    path("sign-out/", views.SignOut.as_view(), name="account_logout"),
    path("inactive/", allauth.account_inactive, name="account_inactive"),
    path("language/", views.language, name="account_language"),
]
