"""The plurals of two models, which the admin shows."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_outbox")]

    operations = [
        migrations.AlterModelOptions(
            "auditentry",
            {
                "ordering": ["-number"],
                "default_permissions": (),
                "verbose_name_plural": "audit entries",
            },
        ),
        migrations.AlterModelOptions("noticesettings", {"verbose_name_plural": "notice settings"}),
    ]
