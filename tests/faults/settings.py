"""The site's own settings, for one that is broken on purpose: a crowd signs up within seconds."""

from config.settings import *  # noqa: F403

# A good hasher is slow, and is not what is tested here.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = []
# Everybody comes from one address, all at once.
ACCOUNT_RATE_LIMITS = False
# Static files as they stand in the source, with no `collectstatic` before.
STORAGES = STORAGES | {  # noqa: F405
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
