"""Move the notices of turns and dates to accounts.Notification, and keep less of a date."""

from datetime import timedelta

from django.db import migrations, models
from django.utils import timezone

from config.db.quick_operations import MoveRows

_GRACE = timedelta(minutes=1)
_REMINDERS = (timedelta(days=1), timedelta(minutes=15))
_BELLS = {
    "day": "reminded",
    "soon": "reminded",
    "now": "reminded",
    "moved": "moved",
    "cancelled": "cancelled",
    "failed": "cancelled",
    "missed": "missed",
}


def move_turns(apps, schema_editor):
    for row in apps.get_model("games", "TurnNotice").objects.select_related("table"):
        due = row.since + _GRACE
        _move(
            apps,
            user=row.user_id,
            kind="turn",
            about=row.table.code,
            topic=row.table.pace,
            data={},
            at=row.since,
            mail_at=None if row.mailed_at else due,
            push_at=None if row.pushed_at else due,
        )


def move_dates(apps, schema_editor):
    for row in apps.get_model("games", "AppointmentNotice").objects.select_related("table"):
        _move(
            apps,
            user=row.user_id,
            kind=_BELLS[row.kind],
            about=row.table.code,
            topic="scheduled",
            data={"at": row.scheduled_at.isoformat(), "what": row.kind},
            at=row.made_at,
            mail_at=None if row.mailed_at else row.made_at,
            push_at=None if row.pushed_at else row.made_at,
            expires_at=row.expires_at,
        )


def _move(apps, *, user, kind, about, data, **columns):
    """Let the bell's notice of the same be sent too, or add one that the bell does not show."""
    Notification = apps.get_model("accounts", "Notification")
    bells = Notification.objects.filter(user=user, kind=kind, about=about, read_at=None)
    bell = next((each for each in bells if data.items() <= each.data.items()), None)
    if bell is None:
        bell = Notification(user_id=user, kind=kind, about=about, data=data, on_bell=False)
    columns["at"] = bell.at or columns["at"]
    for name, value in columns.items():
        setattr(bell, name, value)
    bell.save()


def set_reminders(apps, schema_editor):
    now = timezone.now()
    for table in apps.get_model("games", "Table").objects.filter(
        stage="open", scheduled_at__gt=now, met_at=None
    ):
        times = [table.scheduled_at - ahead for ahead in _REMINDERS]
        table.reminds_at = min((at for at in times if at > now), default=None)
        table.save(update_fields=["reminds_at"])


class Migration(migrations.Migration):
    dependencies = [("games", "0002_game_requests"), ("accounts", "0002_outbox")]

    operations = [
        migrations.RenameField("table", "roll_called_at", "met_at"),
        migrations.AddField("table", "reminds_at", models.DateTimeField(blank=True, null=True)),
        MoveRows(move_turns),
        MoveRows(move_dates),
        MoveRows(set_reminders),
        migrations.RemoveField("table", "roll_ended_at"),
        migrations.RemoveField("table", "schedule_sequence"),
        migrations.RemoveField("table", "schedule_changed_at"),
        migrations.DeleteModel("TurnNotice"),
        migrations.DeleteModel("AppointmentNotice"),
    ]
