"""The site's own settings, for a site that is broken on purpose: many users sign up in seconds."""

from config.settings import *  # noqa: F403

# A good hasher is slow, and these tests do not test it.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = []
# All users come from one address at the same time.
ACCOUNT_RATE_LIMITS = False
# Serve static files straight from the source, without `collectstatic`.
STORAGES = STORAGES | {  # noqa: F405
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
