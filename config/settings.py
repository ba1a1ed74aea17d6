"""Settings, from the environment: see the table in README.md.

Nothing needs to be set to run a command. What serves people needs SECRET_KEY and
REDIS_URL, and says so (config/asgi.py, config/celery.py); `manage.py play` makes both.
With a SITE_URL of https:// everything here is as a public site has to have it.
"""

import os
import sys
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from kombu import Exchange, Queue

from config.logs import log_settings
from config.site_url import read_site_url

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# Where `play` keeps its database, its secrets and the collected static files.
DATA_DIR = Path(env.str("CHANCELLERY_DATA", default=str(BASE_DIR / "data"))).absolute()

DEBUG = env.bool("DEBUG", default=False)

# Where people find the site. Unset, it is at whatever allowed host they called.
_site = read_site_url(env.str("SITE_URL", default=""))
SITE_ORIGIN = _site.origin if _site else ""
# The form for the public: everything under TLS, whoever ends it.
IS_SECURE = _site is not None and _site.is_secure
# How many proxies of the owner's stand in front, one behind the other (config/client.py).
try:
    TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
except ValueError as error:
    raise ImproperlyConfigured("TRUSTED_PROXIES has to be a number.") from error
if _site:
    ALLOWED_HOSTS = [*env.list("ALLOWED_HOSTS", default=[]), _site.host]
else:
    ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
if _site:
    CSRF_TRUSTED_ORIGINS = [*CSRF_TRUSTED_ORIGINS, _site.origin]

_secret_key_file = DATA_DIR / "secret_key"
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY and _secret_key_file.is_file():
    SECRET_KEY = _secret_key_file.read_text(encoding="ascii").strip()
# A command such as `replay` needs no lasting key; a server does.
SECRET_KEY_LASTS = bool(SECRET_KEY)
SECRET_KEY = SECRET_KEY or get_random_secret_key()

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "channels",
    "csp",
    "django_htmx",
    "accounts",
    "games",
]
if sys.argv[1:2] == ["runserver"]:
    # Django's own would open no sockets. The server's modules are a fifth of what any other
    # command would load; the site itself begins in config/serving.py.
    INSTALLED_APPS.insert(0, "daphne")

MIDDLEWARE = [
    "config.middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "config.middleware.KeptPrivateMiddleware",
    "accounts.middleware.PlainRequestMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.LanguageMiddleware",
    "accounts.look.TimeZoneMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    # Innermost: its refusals are pages of ours too, with their cookies and their language.
    "accounts.middleware.LimitsMiddleware",
    "accounts.doors.StandingMiddleware",
    "accounts.middleware.SecondFactorMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["accounts.templatetags.instants"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.bell.head",
                "accounts.look.look",
                "accounts.mail_hints.mail_hints",
                "accounts.notices.site_notices",
            ],
        },
    },
]

# Database ----------------------------------------------------------------------------------

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'db.sqlite3'}")}
DATABASE_IS_NAMED = bool(os.environ.get("DATABASE_URL"))
_database = DATABASES["default"]
if _database["ENGINE"] == "django.db.backends.sqlite3":
    # NORMAL: what is acknowledged outlives any killed process; a power cut may take the last
    # moments back, and breaks nothing. FULL: it outlives a power cut too, for an fsync a move.
    _synchronous = env.str("SQLITE_SYNCHRONOUS", default="NORMAL").upper()
    if _synchronous not in ("NORMAL", "FULL", "EXTRA"):
        raise ImproperlyConfigured("SQLITE_SYNCHRONOUS is NORMAL, FULL or EXTRA.")
    _database["OPTIONS"] = {
        # Writers queue for the lock instead of failing half way (measured: DESIGN.md).
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": f"PRAGMA journal_mode=WAL; PRAGMA synchronous={_synchronous};",
    }
    # Requests are served by a few lasting threads (config/handler.py): opening SQLite for each
    # request would cost as much as a move.
    _database["CONN_MAX_AGE"] = None
elif _database["ENGINE"] == "django.db.backends.postgresql":
    # The pool keeps the connections, so Django keeps none.
    _database["CONN_MAX_AGE"] = 0
    # A connection that a restarted server has forgotten is found out before it is used.
    _database["CONN_HEALTH_CHECKS"] = True
    _database["OPTIONS"] = {
        **_database.get("OPTIONS", {}),
        "pool": {
            "min_size": env.int("DATABASE_POOL_MIN", default=1),
            # Every thread of a web process may want one: WEB_THREADS, the sockets' four, the pulse
            # and health. All processes together stay under the server's max_connections.
            "max_size": env.int("DATABASE_POOL_MAX", default=16),
            # Seconds that a request waits for a connection.
            "timeout": 10,
        },
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

# What it holds are counts of tries, and every process has to know them (config/cache.py).
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "config.cache.LastingRedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "chancellery",
            "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5, "retry": None},
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

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
    "forget-old-notifications": {
        "task": "games.tasks.forget_old_notifications",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "sweep-accounts": {
        "task": "accounts.tasks.sweep_accounts",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "end-sanctions": {
        "task": "accounts.tasks.end_sanctions",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
}

# People ------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.AccountBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "games:lobby"
ACCOUNT_LOGOUT_REDIRECT_URL = "games:lobby"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.entrance.SignInForm",
    "signup": "accounts.entrance.SignUpForm",
    "reset_password": "accounts.entrance.ResetPasswordForm",
    "add_email": "accounts.entrance.NewAddressForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_USERNAME_VALIDATORS = "accounts.models.username_validators"
# One address for an account; another takes its place once it is confirmed.
ACCOUNT_CHANGE_EMAIL = True
# By codes that are typed: a link would carry what opens the account through logs and histories.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_SESSION_REMEMBER = True
# What changes how somebody signs in asks for the password again.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60

MFA_ADAPTER = "accounts.second_factor.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {
    "add_webauthn": "accounts.entrance.AddPasskeyForm",
    "authenticate": "accounts.entrance.CodeForm",
    "authenticate_webauthn": "accounts.entrance.PasskeyForm",
    "login_webauthn": "accounts.entrance.PasskeySignInForm",
    "reauthenticate": "accounts.entrance.CodeAgainForm",
    "reauthenticate_webauthn": "accounts.entrance.PasskeyAgainForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Chancellery"
# A clock may be half a minute wrong.
MFA_TOTP_TOLERANCE = 1
# The library takes origins of https:// alone, and `play` has none.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not IS_SECURE
# Who holds an office comes here with a second factor only: paths that begin so, and views by name.
SECOND_FACTOR_PATHS = ("/admin/", "/moderation/")
SECOND_FACTOR_VIEWS: frozenset[str] = frozenset()

# Seconds for which a process believes what it has read of the site's switches.
SWITCHES_BELIEVED = 3.0

# Who asked for it may still come back for so long.
ACCOUNT_GRACE_DAYS = 14

# Mail ----------------------------------------------------------------------------------------

# `smtp+tls://user:password@mail.example:587`; see django-environ. With it an account needs an
# address that its owner has confirmed, without it an address is optional.
MAIL_IS_CONFIGURED = bool(env.str("EMAIL_URL", default=""))
if MAIL_IS_CONFIGURED:
    vars().update(env.email_url("EMAIL_URL"))
else:
    # A mail on the console is in the log, with the address of whom it is for, and its code: at
    # home that is where people look for it.
    EMAIL_BACKEND = f"django.core.mail.backends.{'dummy' if IS_SECURE else 'console'}.EmailBackend"
# Whether a mail reaches anybody at all.
MAIL_ARRIVES = MAIL_IS_CONFIGURED or not IS_SECURE
EMAIL_TIMEOUT = 15
DEFAULT_FROM_EMAIL = (
    env.str("DEFAULT_FROM_EMAIL", default="")
    or f"Chancellery <noreply@{_site.host if _site else 'localhost'}>"
)
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# Whom people ask where the site cannot help them: an address, or words.
CONTACT = env.str("CONTACT", default="")
ACCOUNT_PREVENT_ENUMERATION = True
MFA_ALLOW_UNVERIFIED_EMAIL = not MAIL_IS_CONFIGURED

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
# Languages that nobody speaks, to find what is not translated, has no room, or stands on the
# wrong side where people write from the right; see config/language/pseudo.py.
PSEUDO_LANGUAGES = env.bool("PSEUDO_LANGUAGES", default=False)
if PSEUDO_LANGUAGES and IS_SECURE:
    raise ImproperlyConfigured("PSEUDO_LANGUAGES is for development: nobody reads them.")
PSEUDO_FOLDER = DATA_DIR / "pseudo"
if PSEUDO_LANGUAGES:
    LANGUAGES += [("en-xa", "Àççéñţš"), ("ar-xb", "Řîĝĥţ ţö ļéƒţ")]
    LOCALE_PATHS.insert(0, PSEUDO_FOLDER)
# What search engines may find, in each language (config/search.py). All else asks them not to.
INDEXED_VIEWS = frozenset(
    {"games:lobby", "account_signup", "account_login"}
    | {f"games:{name}" for name in ("rules", "compare_rules", "glossary", "rulebook")}
)
# An edition's own words, where it has them: a catalog that says only what differs from its
# language's, and is read by the people of that language at that edition's tables.
VOICES = {("ru", "ru-5-6"): "ru-5-6"}
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
USE_TZ = True
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = "UTC"

# Static files ---------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Security -------------------------------------------------------------------------------------

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_ENGINE = "accounts.session_store"
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "games.views.errors.csrf_failure"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = IS_SECURE
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
if _site and _site.is_secure:
    # With this name a browser takes a cookie only from this very host, and under TLS.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    SECURE_SSL_REDIRECT = True
    SECURE_SSL_HOST = _site.place
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=365 * 24 * 60 * 60)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.bool("HSTS_SUBDOMAINS", default=True)
    if not SECURE_HSTS_INCLUDE_SUBDOMAINS:
        # The owner's word, who has other sites below this name.
        SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "connect-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
# What browsers could do for a page and this site never asks for. `clipboard-write` is not
# among them: a press on the invitation copies it.
PERMISSIONS_POLICY: dict[str, list[str]] = {
    name: []
    for name in (
        *("accelerometer", "autoplay", "browsing-topics", "camera"),
        *("clipboard-read", "display-capture", "encrypted-media", "fullscreen", "geolocation"),
        *("gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone"),
        *("midi", "payment", "picture-in-picture"),
        *("screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
    )
} | {f"publickey-credentials-{name}": ["self"] for name in ("create", "get")}
# Opens /metrics to whoever sends it (config/health.py); without it nobody may read them.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# Where a Celery worker tells its own to whoever can reach it: `127.0.0.1:9101`.
WORKER_METRICS = env.str("WORKER_METRICS", default="")
# A form of ours is a few hundred bytes.
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100

# How often, and how many --------------------------------------------------------------------------

# All of them off, for a load test.
LIMITS_ARE_ON = env.bool("LIMITS", default=True)
# See accounts.limits.Limit for what each counts and for whom; "off" is none.
LIMITS = {
    name: env.str(f"LIMIT_{name.upper()}", default=rate) if LIMITS_ARE_ON else "off"
    for name, rate in {
        "actions": "120/minute",
        "tables": "30/hour",
        "joins": "20/minute",
        "pages": "600/minute",
        "invitations": "30/minute",
        "requests": "40/hour",
        "reports": "30/hour",
        "notes": "120/minute",
        "strangers": "60/minute",
        "connects": "120/minute",
        "messages": "240/minute",
        "all_messages": "2400/minute",
        "sayings": "30/minute",
    }.items()
}
# What counts as something else than an action, by the name of its address.
LIMITS_OF_VIEWS = {
    "games:open_table": "tables",
    "games:quick_game": "tables",
    "games:open_preset": "tables",
    "games:save_preset": "tables",
    "games:play_again": "tables",
    "games:join": "joins",
    "games:join_best": "joins",
    "games:say": "sayings",
    "games:claim": "sayings",
    "games:phrase": "sayings",
    "games:invitation": "invitations",
    "games:friend_ask": "requests",
    "games:invite": "requests",
    "games:notes": "notes",
    "games:report_message": "reports",
    "games:report_person": "reports",
    "games:report_seat": "reports",
    "games:report_table": "reports",
}
# How many at one time; 0 is no limit. Sockets are counted by each process for itself.
HOSTED_TABLES, SOCKETS_OF_A_USER, SOCKETS_OF_AN_ADDRESS, SOCKETS_OF_A_PROCESS = (
    env.int(f"LIMIT_{name}", default=most) if LIMITS_ARE_ON else 0
    for name, most in {
        "HOSTED_TABLES": 5,
        "SOCKETS_OF_A_USER": 20,
        "SOCKETS_OF_AN_ADDRESS": 200,
        "SOCKETS_OF_A_PROCESS": 5000,
    }.items()
)
# allauth's own, written its way: an amount, a time, and for whom. A name's wrong passwords are
# counted for each address apart (accounts/adapter.py): nobody shuts out a name's owner.
ACCOUNT_RATE_LIMITS = LIMITS_ARE_ON and {
    "login": env.str("LIMIT_SIGN_INS", default="30/m/ip"),
    "login_failed": env.str("LIMIT_WRONG_PASSWORDS", default="20/5m/ip,5/5m/key"),
    "signup": env.str("LIMIT_SIGN_UPS", default="20/10m/ip"),
    "reset_password": env.str("LIMIT_PASSWORD_RESETS", default="10/10m/ip,3/10m/key"),
}

# The game ---------------------------------------------------------------------------------------

# Requests that are served at once in a process, and that may wait for their turn.
WEB_THREADS = env.int("WEB_THREADS", default=8)
WEB_QUEUE = env.int("WEB_QUEUE", default=500)
# Hints may be lost: seconds until a process looks up the versions of all tables that it shows.
SOCKET_SWEEP_SECONDS = env.float("SOCKET_SWEEP_SECONDS", default=2.0)
# Seconds until it is looked up again whether an open socket's session still is somebody's.
SOCKET_RECHECK_SECONDS = env.float("SOCKET_RECHECK_SECONDS", default=30.0)
# Multiplies the human-like pauses of bots; tests that wait for bots make it small.
BOT_PAUSE = env.float("BOT_PAUSE", default=1.0)
# Multiplies every pace; tests that wait for the clock make it small.
PACE_SCALE = env.float("PACE_SCALE", default=1.0)
# How long a ready check and a motion of the table wait for answers.
READY_SECONDS = env.float("READY_SECONDS", default=30.0)
MOTION_SECONDS = env.float("MOTION_SECONDS", default=60.0)
# How often one moderator may look behind the cards of running games within an hour.
LOOKS_PER_HOUR = env.int("LOOKS_PER_HOUR", default=6)

# Logs -------------------------------------------------------------------------------------------

# A line for each request and socket; `play`'s own terminal would be full of them.
ACCESS_LOG = env.bool("ACCESS_LOG", default=_site is not None)
LOGGING = log_settings(
    level=env.str("LOG_LEVEL", default="INFO").upper(),
    is_json=env.str("LOG_FORMAT", default="text" if _site is None or DEBUG else "json") == "json",
    is_debug=DEBUG,
)
