from allauth.account import views as allauth
from allauth.mfa.base import views as factor
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as passkey
from django.contrib.auth.decorators import login_required
from django.urls import path

from accounts import views
from accounts.auth.trials import for_guests_too

# allauth's own URL names, so that its redirects work, but only for pages that the site offers.
urlpatterns = [
    path("", views.overview, name="account_overview"),
    path("register/", allauth.signup, name="account_signup"),
    path("sign-in/", for_guests_too(views.sign_in), name="account_login"),
    path("sign-in/passkey/", for_guests_too(passkey.login_webauthn), name="mfa_login_webauthn"),
    path("sign-in/second-factor/", for_guests_too(factor.authenticate), name="mfa_authenticate"),
    path("sign-out/", views.SignOut.as_view(), name="account_logout"),
    path("confirm/", allauth.reauthenticate, name="account_reauthenticate"),
    path("confirm/second-factor/", factor.reauthenticate, name="mfa_reauthenticate"),
    path("confirm/passkey/", passkey.reauthenticate_webauthn, name="mfa_reauthenticate_webauthn"),
    path(
        "inactive/",
        views.for_the_signed_out(allauth.account_inactive),
        name="account_inactive",
    ),
    path("language/", views.language, name="account_language"),
    path("look/", views.look, name="account_look"),
    path("preferences/", views.preferences, name="account_preferences"),
    path("preferences/switch/", views.switch, name="account_switch"),
    path("notifications/", views.notifications, name="account_notifications"),
    path("notifications/read/", views.read, name="account_read"),
    path("notifications/bell/", views.bell, name="account_bell"),
    path("keep/", views.keep, name="account_keep"),
    path("turns/", views.turns, name="account_turns"),
    path("turns/device/", views.push_device, name="account_push_device"),
    path("turns/stop/<str:signed>/", views.stop_turn_mails, name="account_stop_turn_mails"),
    path("name/", views.name, name="account_name"),
    path("standing/", views.standing, name="account_standing"),
    path("standing/read/", views.standing_read, name="account_standing_read"),
    path("standing/<int:pk>/appeal/", views.appeal, name="account_appeal"),
    # E-mail addresses.
    path("e-mail/", login_required(views.with_mail(allauth.email)), name="account_email"),
    path(
        "e-mail/code/",
        views.with_mail(allauth.email_verification_sent),
        name="account_email_verification_sent",
    ),
    # Passwords.
    path("password/", allauth.password_change, name="account_change_password"),
    path("password/new/", allauth.password_set, name="account_set_password"),
    path(
        "password/reset/",
        views.with_mail(allauth.password_reset),
        name="account_reset_password",
    ),
    path(
        "password/reset/code/",
        views.with_mail(allauth.confirm_password_reset_code),
        name="account_confirm_password_reset_code",
    ),
    path(
        "password/reset/new/",
        views.with_mail(allauth.complete_password_reset),
        name="account_complete_password_reset",
    ),
    path(
        "password/reset/done/",
        views.for_the_signed_out(allauth.password_reset_from_key_done),
        name="account_password_reset_completed",
    ),
    # The second factor.
    path("second-factor/", factor.index, name="mfa_index"),
    path("second-factor/app/", totp.activate_totp, name="mfa_activate_totp"),
    path("second-factor/app/remove/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("second-factor/codes/", recovery.view_recovery_codes, name="mfa_view_recovery_codes"),
    path(
        "second-factor/codes/new/",
        recovery.generate_recovery_codes,
        name="mfa_generate_recovery_codes",
    ),
    path(
        "second-factor/codes/file/",
        recovery.download_recovery_codes,
        name="mfa_download_recovery_codes",
    ),
    path("second-factor/keys/", passkey.list_webauthn, name="mfa_list_webauthn"),
    path("second-factor/keys/new/", passkey.add_webauthn, name="mfa_add_webauthn"),
    path("second-factor/keys/<int:pk>/", passkey.edit_webauthn, name="mfa_edit_webauthn"),
    path(
        "second-factor/keys/<int:pk>/remove/", passkey.remove_webauthn, name="mfa_remove_webauthn"
    ),
    # Sessions, data export and account deletion.
    path("sessions/", views.sessions, name="usersessions_list"),
    path("bots/", views.bots, name="account_bots"),
    path("export/", views.export, name="account_export"),
    path("export/<str:export>/", views.export_file, name="account_export_file"),
    path("close/", views.close, name="account_close"),
]
