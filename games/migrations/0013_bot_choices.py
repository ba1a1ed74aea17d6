from django.db import migrations, models

import games.models.tables


class Migration(migrations.Migration):
    """Take the kinds of bots from their registry. The column does not change."""

    dependencies = [("games", "0012_plain_names")]

    operations = [
        migrations.AlterField(
            model_name="seat",
            name="bot",
            field=models.CharField(
                blank=True, choices=games.models.tables.bot_choices, max_length=8
            ),
        ),
    ]
