"""Django settings, read from the environment. config/environment.py lists the variables.

Management commands need no variables. The web and worker processes need SECRET_KEY and
REDIS_URL and refuse to start without them (config/asgi.py, config/celery.py); `manage.py play`
provides both. An https:// SITE_URL turns on everything that a public site needs.
"""

import os
import re
import sys
from pathlib import Path

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.management.utils import get_random_secret_key
from kombu import Exchange, Queue

from config.cache.address import other_database
from config.environment import WrongEnvironment, read_environment
from config.observability.logs import log_settings

BASE_DIR = Path(__file__).resolve().parent.parent
# The folder in which `play` keeps its database, its secrets and the collected static files.
DATA_DIR = Path(os.environ.get("CHANCELLERY_DATA") or BASE_DIR / "data").absolute()
try:
    env = read_environment(os.environ, DATA_DIR)
except WrongEnvironment as error:
    # Without a traceback, in every process that reads the settings.
    raise SystemExit(str(error)) from None

DEBUG = env["DEBUG"]

# The site's public address. Without it, the site's origin is that of each request's allowed host.
_site = env["SITE_URL"]
SITE_ORIGIN = _site.origin if _site else ""
# Whether the site is public and served over TLS, no matter which server terminates it.
IS_SECURE = _site is not None and _site.is_secure
# The number of the owner's own proxies in front of the site, in a chain
# (config/http/client_address.py).
TRUSTED_PROXIES = env["TRUSTED_PROXIES"]
if _site:
    ALLOWED_HOSTS = [*(env["ALLOWED_HOSTS"] or []), _site.host]
else:
    ALLOWED_HOSTS = env["ALLOWED_HOSTS"] or ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [*env["CSRF_TRUSTED_ORIGINS"], *([_site.origin] if _site else [])]

SECRET_KEY = env["SECRET_KEY"]
# A server needs a persistent key; a command such as `replay` can use a random one.
SECRET_KEY_LASTS = bool(SECRET_KEY)
SECRET_KEY = SECRET_KEY or get_random_secret_key()
SECRET_KEY_FALLBACKS = env["SECRET_KEY_FALLBACKS"]
# Seals the audit log instead of SECRET_KEY (accounts/moderation/audit_key.py).
AUDIT_KEY = env["AUDIT_KEY"]
AUDIT_KEY_FALLBACKS = env["AUDIT_KEY_FALLBACKS"]

# Signs Web Push messages: a private P-256 key, 32 bytes in URL-safe Base64 (config/launcher/data.py
# makes one). Without a key the site offers no push.
VAPID_KEY = env["VAPID_KEY"]

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
    # Django's own `runserver` does not serve WebSockets. Other commands do not load Daphne: its
    # modules would be a fifth of all that they load. Production starts in config/serving/server.py.
    INSTALLED_APPS.insert(0, "daphne")

MIDDLEWARE = [
    "config.http.middleware.RequestMiddleware",
    "config.http.compression.PublicPagesMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.http.middleware.KeptPrivateMiddleware",
    # Before the policies of documents: on every style sheet, script and font, a kilobyte that
    # browsers ignore there.
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "accounts.auth.middleware.PlainRequestMiddleware",
    # Before any middleware that queries the database, counts or stores something for a request.
    "config.http.csrf.CsrfMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    # Before anything asks who sends the request.
    "accounts.auth.public_paths.PublicPathsMiddleware",
    "accounts.auth.tokens.TokenMiddleware",
    "accounts.profiles.middleware.LanguageMiddleware",
    "accounts.profiles.appearance.TimeZoneMiddleware",
    # Before anything reads a form, and after the reader's language is known.
    "config.http.bounds.BoundsMiddleware",
    "django.middleware.common.CommonMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    # Innermost, so that its refusals are also full pages, with cookies and the reader's language.
    "accounts.throttling.middleware.LimitsMiddleware",
    "accounts.moderation.middleware.SanctionMiddleware",
    "accounts.auth.middleware.SecondFactorMiddleware",
    "accounts.auth.trials.TrialMiddleware",
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
                "accounts.site.header.head",
                "accounts.profiles.appearance.appearance",
                "accounts.mail.context_processors.mail_hints",
                "accounts.site.notices.site_notices",
            ],
        },
    },
]

# Database ----------------------------------------------------------------------------------

DATABASE_IS_NAMED = env["DATABASE_URL"] is not None
_database = env["DATABASE_URL"] or {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": str(DATA_DIR / "db.sqlite3"),
}
DATABASES = {"default": _database}
if _database["ENGINE"] == "django.db.backends.sqlite3":
    _database["OPTIONS"] = {
        # Writers queue for the lock. In deferred mode 44 % of the writes of six writers failed.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            f"PRAGMA journal_mode=WAL; PRAGMA synchronous={env['SQLITE_SYNCHRONOUS']};"
        ),
    }
    # A few long-lived threads serve all requests (config/serving/handler.py) and keep their
    # connections: opening SQLite for each request would cost as much as a move.
    _database["CONN_MAX_AGE"] = None
elif _database["ENGINE"] == "django.db.backends.postgresql":
    _database["ENGINE"] = "config.db.postgresql"
    # The pool keeps the connections, so Django must not.
    _database["CONN_MAX_AGE"] = 0
    # Detect a connection that died with a server restart before it is used.
    _database["CONN_HEALTH_CHECKS"] = True
    _database["OPTIONS"] = {
        # While the server is away, pages answer within two seconds. libpq takes no less than this,
        # in seconds; the other, in milliseconds, is for a machine that has gone silent.
        "connect_timeout": 2,
        "tcp_user_timeout": 2000,
        **_database.get("OPTIONS", {}),
        "pool": {
            "min_size": env["DATABASE_POOL_MIN"],
            "max_size": env["DATABASE_POOL_MAX"],
            # Seconds that a request waits for a free connection.
            "timeout": 1.5,
            # The pool would try ever more rarely, up to two minutes apart. After this, each request
            # makes it try anew.
            "reconnect_timeout": 2,
        },
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis: the live layer and Celery's broker ----------------------------------------------------

REDIS_URL = env["REDIS_URL"]
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            # Seconds: no hint may hold a worker, and a connection that has died is noticed.
            "CONFIG": {
                "hosts": [
                    {
                        "address": REDIS_URL,
                        "socket_connect_timeout": 1,
                        "socket_timeout": 1,
                        "health_check_interval": 10,
                    }
                ]
            },
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

# The cache holds counts of attempts, which all processes have to share
# (config/cache/redis_cache.py). It has a database of its own beside the queues.
CACHE_URL = env["CACHE_URL"] or other_database(REDIS_URL)
if CACHE_URL:
    CACHES = {
        "default": {
            "BACKEND": "config.cache.redis_cache.LastingRedisCache",
            "LOCATION": CACHE_URL,
            "KEY_PREFIX": "chancellery",
            "OPTIONS": {"socket_connect_timeout": 0.15, "socket_timeout": 0.15, "retry": None},
        }
    }
else:
    # By default Django drops counts at random when there are more than 300.
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 50_000},
        }
    }

CELERY_BROKER_URL = (
    REDIS_URL.replace("unix://", "redis+socket://", 1) if REDIS_URL else "memory://localhost/"
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Workers and beat outlive any outage of the broker. Celery's own limit is a hundred tries.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# Seconds: a broker that has stopped or vanished without a word counts as away. Without
# `max_retries` kombu would wait two seconds or more wherever it opens a channel.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 3,
    "socket_timeout": 3,
    "health_check_interval": 5,
    "max_retries": 0,
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
# The clock's queue has workers of its own, which no other task can occupy (config/celery.py).
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_QUEUES = [
    Queue(name, Exchange(name), routing_key=name) for name in ("clock", "default")
]
CELERY_TASK_ROUTES = {
    "games.tasks.wake_due_games": {"queue": "clock"},
    "games.tasks.settle_game": {"queue": "clock"},
    "games.tasks.settle_question": {"queue": "clock"},
}
CELERY_BEAT_SCHEDULER = "config.beat:SteadyScheduler"
CELERY_BEAT_SCHEDULE = {
    # The alarm clock reads `Game.wakes_at` every second. Ticks expire, so that old ones do not
    # pile up in the queue.
    "wake-due-games": {
        "task": "games.tasks.wake_due_games",
        "schedule": 1.0,
        "options": {"expires": 5},
    },
    # Monitoring reads from it whether tasks that can wait are done.
    "note-worker": {
        "task": "games.tasks.note_worker",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "close-forgotten-tables": {
        "task": "games.tasks.close_forgotten_tables",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "end-abandoned-games": {
        "task": "games.tasks.end_abandoned_games",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "send-notices": {
        "task": "games.tasks.send_notices",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "settle-scheduled-tables": {
        "task": "games.tasks.settle_scheduled_tables",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "count-ratings": {
        "task": "games.tasks.count_ratings",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "archive-games": {
        "task": "games.tasks.archive_games",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "archive-seasons": {
        "task": "games.tasks.archive_seasons",
        "schedule": crontab(hour=2, minute=10),
        "options": {"expires": 3600},
    },
    "serve-game-requests": {
        "task": "games.tasks.serve_game_requests",
        "schedule": 3.0,
        "options": {"expires": 3},
    },
    "forget-old-notifications": {
        "task": "games.tasks.forget_old_notifications",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    # Takes hours of a worker, so it runs when few people play.
    "measure-balances": {
        "task": "games.tasks.measure_balances",
        "schedule": crontab(hour=3, minute=30),
        "options": {"expires": 3600},
    },
    # Reads every public game of the month before.
    "write-dump": {
        "task": "games.tasks.write_dump",
        "schedule": crontab(day_of_month=1, hour=5, minute=0),
        "options": {"expires": 24 * 3600},
    },
    "make-next-puzzle": {
        "task": "games.tasks.make_next_puzzle",
        "schedule": crontab(hour=2, minute=30),
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
    "anchor-audit": {
        "task": "accounts.tasks.anchor_audit",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
}

# Ratings -----------------------------------------------------------------------------------

# A rated game with fewer nominations counts for no one.
RATED_LEAST_ROUNDS = 5
# Nor does one in which the clock and bots made more than this share of the moves.
RATED_MOST_STAND_INS = 0.2

# People ------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
# What the session keeps when a guest signs in to an account: the tables let in to.
SESSION_KEYS_OF_GUESTS = ("invited",)
AUTHENTICATION_BACKENDS = ["accounts.auth.backends.AccountBackend"]
AUTH_PASSWORD_VALIDATORS = [{"NAME": "accounts.auth.passwords.PasswordValidator"}]
PASSWORD_HASHERS = ["accounts.auth.hashers.YieldingHasher"]
# Views that hash what is posted to them: a fifth of a second each, so these posts have threads of
# their own (config/serving/handler.py).
PASSWORD_VIEWS = frozenset(
    {"account_signup", "account_login", "account_reauthenticate", "account_change_password"}
    | {"account_set_password", "account_complete_password_reset"}
    | {"games:open_table", "games:invitation", "games:api_join"}
    | {"account_keep"}
    | {"admin:accounts_user_add", "admin:auth_user_password_change", "admin:password_change"}
)
# How long a guest's trial account is kept after the last visit.
TRIAL_DAYS = 7
# Views that guests with a trial account cannot use: they are sent to `account_keep`.
REGISTERED_VIEWS = frozenset(
    {"account_signup", "account_set_password", "account_change_password", "account_name"}
    | {"account_email", "account_email_verification_sent", "account_bots"}
    | {"mfa_index", "mfa_activate_totp", "mfa_add_webauthn", "mfa_list_webauthn"}
    | {"games:open_table", "games:open_preset", "games:save_preset", "games:friend_ask"}
    | {"games:invite"}
)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "games:lobby"
ACCOUNT_LOGOUT_REDIRECT_URL = "games:lobby"
ACCOUNT_ADAPTER = "accounts.auth.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.auth.forms.SignInForm",
    "signup": "accounts.auth.forms.SignUpForm",
    "reset_password": "accounts.auth.forms.ResetPasswordForm",
    "add_email": "accounts.auth.forms.NewAddressForm",
    "change_password": "accounts.auth.forms.NewPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_USERNAME_VALIDATORS = "accounts.models.username_validators"
# An account has one address; a new one replaces it after it is confirmed.
ACCOUNT_CHANGE_EMAIL = True
# Users type a code: a link would leave the account's credential in logs and browser histories.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_SESSION_REMEMBER = True
# Changing a sign-in method requires the password again.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60

MFA_ADAPTER = "accounts.auth.second_factor.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {
    "add_webauthn": "accounts.auth.forms.AddPasskeyForm",
    "authenticate": "accounts.auth.forms.CodeForm",
    "authenticate_webauthn": "accounts.auth.forms.PasskeyForm",
    "edit_webauthn": "accounts.auth.forms.EditPasskeyForm",
    "login_webauthn": "accounts.auth.forms.PasskeySignInForm",
    "reauthenticate": "accounts.auth.forms.CodeAgainForm",
    "reauthenticate_webauthn": "accounts.auth.forms.PasskeyAgainForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Chancellery"
# Accept codes from a device whose clock is half a minute off.
MFA_TOTP_TOLERANCE = 1
# By default the library accepts https:// origins only, and `play` serves http://.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not IS_SECURE
# Pages that send moderators and staff without a second factor to set one up: prefixes of paths,
# and names of views. The rights themselves need it everywhere: accounts/auth/rights.py.
SECOND_FACTOR_PATHS = ("/admin/", "/moderation/")
SECOND_FACTOR_VIEWS = frozenset({"games:order"})

# Seconds for which a process caches the site's switches (accounts/site/switches.py).
SWITCHES_BELIEVED = 3.0

# Days between a user's request to close their account and its end. Until then they can return.
ACCOUNT_GRACE_DAYS = 14

# Mail ----------------------------------------------------------------------------------------

# `smtp+tls://user:password@mail.example:587`; see django-environ. When it is set, an account needs
# a confirmed address; otherwise an address is optional.
MAIL_IS_CONFIGURED = env["EMAIL_URL"] is not None
if MAIL_IS_CONFIGURED:
    vars().update(env["EMAIL_URL"])
else:
    # The console backend writes mails to the log, with the recipient's address and the code. At
    # home the owner looks for them there; a public site's log must not contain them.
    EMAIL_BACKEND = f"django.core.mail.backends.{'dummy' if IS_SECURE else 'console'}.EmailBackend"
# Whether mails can be read at all: delivered by SMTP, or on the console.
MAIL_ARRIVES = MAIL_IS_CONFIGURED or not IS_SECURE
EMAIL_TIMEOUT = 15
DEFAULT_FROM_EMAIL = (
    env["DEFAULT_FROM_EMAIL"] or f"Chancellery <noreply@{_site.host if _site else 'localhost'}>"
)
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# The contact that pages name for problems that the site cannot solve: an address, or free text.
CONTACT = env["CONTACT"]
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
# Pseudo-languages, which show untranslated strings, truncated text, and layout errors in
# right-to-left scripts; see config/i18n/pseudo.py.
PSEUDO_LANGUAGES = env["PSEUDO_LANGUAGES"]
PSEUDO_FOLDER = DATA_DIR / "pseudo"
if PSEUDO_LANGUAGES:
    LANGUAGES += [("en-xa", "Àççéñţš"), ("ar-xb", "Řîĝĥţ ţö ļéƒţ")]
    LOCALE_PATHS.insert(0, PSEUDO_FOLDER)
# The views that search engines may index, in each language (games/views/search_engines.py). All
# other pages ask not to be indexed.
INDEXED_VIEWS = frozenset(
    {"games:lobby", "account_signup", "account_login"}
    | {f"games:{name}" for name in ("rules", "compare_rules", "glossary", "rulebook", "tutorial")}
)
# Maps (language, edition) to an edition's own catalog. It contains only the strings that differ
# from the language's catalog, and is used for readers of that language at the edition's tables.
EDITION_LOCALES = {("ru", "ru-5-6"): "ru-5-6"}
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
USE_TZ = True
FORMAT_MODULE_PATH = "config.i18n.formats"
TIME_ZONE = "UTC"

# Static files ---------------------------------------------------------------------------------

STATIC_URL = "static/"
# Not in the data folder: an installation fills it before there is one (config/launcher/prepare.py).
_STATIC_FOLDER = BASE_DIR / ".static"
STATIC_ROOT = _STATIC_FOLDER / "served"
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "config.serving.joined_files.JoinedFinder",
]
# Files that are joined from others (config/serving/joined_files.py): the styles and scripts of
# every page, and those of a table's page, whose first scripts listen before htmx does. live.js
# loads site-later.js after the page, and loader.js the others when a table first needs them.
JOINED_ROOT = _STATIC_FOLDER / "joined"
_BOARD = ("table", "ring", "seats", "tracks", "action", "notes", "administration", "history")
JOINED_FILES = {
    "games/css/site.css": [
        f"games/css/{name}.css"
        for name in ("tokens", "base", "frame", "forms", "people", "wishes", "language", "print")
    ],
    "games/css/board.css": [f"games/css/{name}.css" for name in _BOARD],
    # The board too: one long text is an eighth smaller than two.
    "games/css/table-page.css": [
        f"games/css/{name}.css"
        for name in (
            *_BOARD,
            *("phrasebook", "talk", "report-link", "moments", "fitted-board", "fitted"),
        )
    ],
    "games/css/film-page.css": [f"games/css/{name}.css" for name in ("seats", "tracks", "film")],
    "games/site.js": [f"games/{name}.js" for name in ("vendor/htmx.min", "line", "live")],
    "games/site-later.js": [f"games/{name}.js" for name in ("repeats", "drafts", "copies", "bell")],
    "games/table-first.js": ["games/talk.js", "games/sheets.js"],
    "games/table-page.js": [
        f"games/{name}.js" for name in ("network", "keys", "explain", "calls", "loader")
    ],
}
# Every page names the files by their hashes.
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Security -------------------------------------------------------------------------------------

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "games.views.errors.csrf_failure"
# Django's system check looks for the name of its own middleware; config.http.csrf has a subclass.
SILENCED_SYSTEM_CHECKS = ["security.W003"]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = IS_SECURE
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
if _site and _site.is_secure:
    # Browsers accept a cookie with the `__Host-` prefix only from this exact host and over TLS.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    SECURE_SSL_REDIRECT = True
    SECURE_SSL_HOST = _site.place
    SECURE_HSTS_SECONDS = env["HSTS_SECONDS"]
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env["HSTS_SUBDOMAINS"]
    if not SECURE_HSTS_INCLUDE_SUBDOMAINS:
        # The owner has other sites under this domain and has opted out.
        SILENCED_SYSTEM_CHECKS += ["security.W005", "security.W021"]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "connect-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
# Browser features that this site never uses. `clipboard-write` is not listed: a click on the
# invitation copies it.
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
# The bearer token for /metrics (config/observability/health.py). Without one, /metrics is closed.
METRICS_TOKEN = env["METRICS_TOKEN"]
# The address where a Celery worker serves its metrics, without a token: `127.0.0.1:9101`.
WORKER_METRICS = env["WORKER_METRICS"]
# The site's forms are a few hundred bytes long.
LARGEST_BODY = 64 * 1024
# A record's text may be longer. Only these paths take such bodies.
LARGEST_UPLOAD = 640 * 1024
UPLOAD_PATHS = ("/records/",)
# Django's own bound; `config.http.csrf` and the server hold the two above.
DATA_UPLOAD_MAX_MEMORY_SIZE = LARGEST_UPLOAD
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100

# Rate limits and quotas --------------------------------------------------------------------------

LIMITS_ARE_ON = env["LIMITS"]
# The rate of each limit; "off" is none.
LIMITS = {
    name: env[f"LIMIT_{name.upper()}"] if LIMITS_ARE_ON else "off"
    for name in (
        *("pages", "api", "actions", "sayings", "creations", "computing"),
        *("invitations", "connects", "messages", "frames", "notices"),
    )
}
# A post counts as an action and all else as a page, but for the posts of these views.
LIMITS_OF_VIEWS = {
    f"games:{view}": limit
    for limit, views in {
        # Saved while the user types, which must not use up the limit of the user's moves.
        "pages": "notes",
        "sayings": "join join_as_guest find_game say claim phrase api_join api_claim api_phrase",
        "creations": (
            "open_table quick_game open_preset save_preset play_again play_now invite friend_ask "
            "uploaded_records report_message report_person report_seat report_table"
        ),
        # Here a GET is a guess too.
        "invitations": "invitation",
    }.items()
    for view in views.split()
}
BOTS_OF_A_USER = env["LIMIT_BOTS_OF_A_USER"]
RECORDS_OF_A_USER = env["LIMIT_RECORDS_OF_A_USER"]
# The longest text of an uploaded record, in bytes, and its most actions.
LONGEST_RECORD = 256 * 1024
MOST_ACTIONS_OF_A_RECORD = 2000
# The most claims that are kept of an upload, the last ones: four times what a long game has.
MOST_CLAIMS_OF_A_RECORD = 300
# The most games in a file of another site.
MOST_GAMES_OF_AN_UPLOAD = 20
# Below this path, requests are identified by a bearer token alone. No cookie is read or set.
TOKEN_PATHS = "/api/"  # noqa: S105
# The public API and the feeds: their answers are the same for everyone, so neither a token nor a
# cookie is read or set (accounts/auth/public_paths.py).
PUBLIC_PATHS = re.compile(r"/api/v1/|/(?:archive|dumps|people/[^/]+)/feed/")
# Below this path, a signed value in the address alone says for whom a request acts.
SIGNED_PATHS = "/account/turns/stop/"
(
    HOSTED_TABLES,
    SCHEDULED_TABLES,
    RUNNING_GAMES,
    QUICK_GAMES,
    SOCKETS_OF_A_USER,
    SOCKETS_OF_AN_ADDRESS,
    SOCKETS_OF_A_PROCESS,
    GUESSES,
) = (
    env[f"LIMIT_{name}"] if LIMITS_ARE_ON else 0
    for name in (
        *("HOSTED_TABLES", "SCHEDULED_TABLES", "RUNNING_GAMES", "QUICK_GAMES"),
        *("SOCKETS_OF_A_USER", "SOCKETS_OF_AN_ADDRESS", "SOCKETS_OF_A_PROCESS", "GUESSES"),
    )
)
ACCOUNT_RATE_LIMITS = LIMITS_ARE_ON and {
    "login": env["LIMIT_SIGN_INS"],
    "login_failed": env["LIMIT_WRONG_PASSWORDS"],
    "signup": env["LIMIT_SIGN_UPS"],
    "reset_password": env["LIMIT_PASSWORD_RESETS"],
}

# The game ---------------------------------------------------------------------------------------

# The number of requests that a process serves at once, and the number that may wait.
WEB_THREADS = env["WEB_THREADS"]
WEB_QUEUE = env["WEB_QUEUE"]
# Seconds between two checks of the versions of all tables that a process shows. Change hints are
# sent over Redis and may be lost.
SOCKET_SWEEP_SECONDS = env["SOCKET_SWEEP_SECONDS"]
# Seconds between two checks that the session of an open socket is still valid.
SOCKET_RECHECK_SECONDS = env["SOCKET_RECHECK_SECONDS"]
# Factor for the human-like pauses of bots; tests that wait for bots make it small.
BOT_PAUSE = env["BOT_PAUSE"]
# Factor for every pace; tests that wait for the clock make it small.
PACE_SCALE = env["PACE_SCALE"]
# How long a ready check waits for answers; MOTION_SECONDS is the same for a table's motion.
READY_SECONDS = env["READY_SECONDS"]
# How long a table that deals waits for a browser to reveal its part of the seal.
REVEAL_SECONDS = env["REVEAL_SECONDS"]
MOTION_SECONDS = env["MOTION_SECONDS"]
# How long the first nomination waits for players who have not read their roles; 0 for not at all.
NIGHT_SECONDS = env["NIGHT_SECONDS"]

# Logs -------------------------------------------------------------------------------------------

# Whether to log one line per request and socket. Off without SITE_URL, so that these lines do not
# flood the terminal of `play`.
ACCESS_LOG = env["ACCESS_LOG"] if env["ACCESS_LOG"] is not None else _site is not None
LOGGING = log_settings(
    level=env["LOG_LEVEL"],
    is_json=(env["LOG_FORMAT"] or ("text" if _site is None or DEBUG else "json")) == "json",
    is_debug=DEBUG,
)
