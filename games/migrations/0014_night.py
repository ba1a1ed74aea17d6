from django.db import migrations, models


class Migration(migrations.Migration):
    """Let the first nomination wait until players have read their roles.

    Games that are already running do not wait: their `night_until` stays null.
    """

    dependencies = [("games", "0013_bot_choices")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="night_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="has_read_role",
            field=models.BooleanField(default=False),
        ),
    ]
