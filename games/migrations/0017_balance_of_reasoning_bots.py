"""Balances are measured with reasoning bots now: the old ones do not compare with them."""

from typing import Any

from django.db import migrations


def forget(apps: Any, schema_editor: Any) -> None:
    apps.get_model("games", "Balance").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("games", "0016_bots_with_characters")]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
        migrations.RenameField("balance", "uniform_wins", "baseline_wins"),
        migrations.RenameField("balance", "cautious_wins", "skilled_wins"),
    ]
