from django.db import migrations

from config.db.quick_operations import MoveRows


def replace(apps, schema_editor):
    """Let another kind of bot play on in the seats of a kind that is gone."""
    apps.get_model("games", "Seat").objects.filter(bot="cautious").update(bot="reasoner")


class Migration(migrations.Migration):
    """Without the kind of bot that followed a few rules of thumb."""

    dependencies = [("games", "0006_remove_entered_games")]

    operations = [MoveRows(replace)]
