from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.db import migrations

OLD = "accounts.backends.AccountBackend"
NEW = "accounts.auth.backends.AccountBackend"


def keep_people_signed_in(apps, schema_editor):
    """Write the backend's new path into sessions; Django ends those of a backend it lacks."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    sessions = apps.get_model("sessions", "Session").objects.using(schema_editor.connection.alias)
    for session in sessions.iterator():
        data = store.decode(session.session_data)
        if data.get(BACKEND_SESSION_KEY) == OLD:
            data[BACKEND_SESSION_KEY] = NEW
            session.session_data = store.encode(data)
            session.save(update_fields=["session_data"])


class Migration(migrations.Migration):
    """Follow the authentication backend to its module."""

    dependencies = [
        ("accounts", "0012_audit_sealed"),
        ("sessions", "0001_initial"),
    ]

    operations = [migrations.RunPython(keep_people_signed_in, migrations.RunPython.noop)]
