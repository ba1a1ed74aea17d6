"""One model of notices: for the bell, and for the worker that sends mails and pushes."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_schema")]

    operations = [
        migrations.AddField("notification", "topic", models.CharField(blank=True, default="", max_length=9)),
        migrations.AddField("notification", "on_bell", models.BooleanField(default=True)),
        migrations.AddField("notification", "mail_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("notification", "push_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("notification", "expires_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddIndex(
            "notification",
            models.Index(
                condition=Q(mail_at__isnull=False) | Q(push_at__isnull=False),
                fields=["at"],
                name="notification_unsent",
            ),
        ),
    ]
