"""Settings, from the environment: see the table in README.md.

Nothing needs to be set to run a command. What serves people needs SECRET_KEY and
REDIS_URL, and says so (config/asgi.py, config/celery.py); `manage.py play` makes both.
"""

from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from kombu import Exchange, Queue

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# Where `play` keeps its database, its secrets and the collected static files.
DATA_DIR = Path(env.str("CHANCELLERY_DATA", default=str(BASE_DIR / "data"))).absolute()

DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

_secret_key_file = DATA_DIR / "secret_key"
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY and _secret_key_file.is_file():
    SECRET_KEY = _secret_key_file.read_text(encoding="ascii").strip()
# A command such as `replay` needs no lasting key; a server does.
SECRET_KEY_LASTS = bool(SECRET_KEY)
SECRET_KEY = SECRET_KEY or get_random_secret_key()

INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "channels",
    "csp",
    "django_htmx",
    "accounts",
    "games",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "accounts.middleware.PlainRequestMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Database ----------------------------------------------------------------------------------

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # NORMAL: what is acknowledged outlives any killed process; a power cut may take the last
    # moments back, and breaks nothing. FULL: it outlives a power cut too, for an fsync a move.
    _synchronous = env.str("SQLITE_SYNCHRONOUS", default="NORMAL").upper()
    if _synchronous not in ("NORMAL", "FULL", "EXTRA"):
        raise ImproperlyConfigured("SQLITE_SYNCHRONOUS is NORMAL, FULL or EXTRA.")
    DATABASES["default"]["OPTIONS"] = {
        # Writers queue for the lock instead of failing half way (measured: DESIGN.md).
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": f"PRAGMA journal_mode=WAL; PRAGMA synchronous={_synchronous};",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis: the live layer and Celery's broker ----------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default="")
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL]},
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

CELERY_BROKER_URL = (
    REDIS_URL.replace("unix://", "redis+socket://", 1) if REDIS_URL else "memory://localhost/"
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
# The alarms have workers of their own where there are many; a worker that is not told which
# queues to serve (`-Q clock`) serves both.
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_QUEUES = [
    Queue(name, Exchange(name), routing_key=name) for name in ("clock", "default")
]
CELERY_TASK_ROUTES = {
    "games.tasks.wake_due_games": {"queue": "clock"},
    "games.tasks.settle_game": {"queue": "clock"},
}
CELERY_BEAT_SCHEDULE = {
    # The alarm clock reads `Game.wakes_at` every second; a pile of old ticks is of no use.
    "wake-due-games": {
        "task": "games.tasks.wake_due_games",
        "schedule": 1.0,
        "options": {"expires": 5},
    },
    "close-forgotten-tables": {
        "task": "games.tasks.close_forgotten_tables",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
}

# People ------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "games:lobby"
ACCOUNT_LOGOUT_REDIRECT_URL = "games:lobby"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_USERNAME_VALIDATORS = "accounts.models.username_validators"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_SESSION_REMEMBER = True
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

# Language -----------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("ru", "Русский"),
    ("pl", "Polski"),
    ("ja", "日本語"),
    ("it", "Italiano"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
# An edition's own words, where it has them: a catalog that says only what differs from its
# language's, and is read by the people of that language at that edition's tables.
VOICES = {("ru", "ru-5-6"): "ru-5-6"}
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
USE_TZ = True
TIME_ZONE = "UTC"

# Static files ---------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Security -------------------------------------------------------------------------------------

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "games.views.errors.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
# A form of ours is a few hundred bytes.
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100

# The game ---------------------------------------------------------------------------------------

# Multiplies the human-like pauses of bots; tests that wait for bots make it small.
BOT_PAUSE = env.float("BOT_PAUSE", default=1.0)
# Multiplies every pace; tests that wait for the clock make it small.
PACE_SCALE = env.float("PACE_SCALE", default=1.0)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    # The alarm clock ticks every second; three lines a tick would hide everything else.
    "loggers": {
        name: {"level": "WARNING"}
        for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace", "daphne")
    },
}
