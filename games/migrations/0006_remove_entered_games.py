from django.db import migrations


class Migration(migrations.Migration):
    """Remove the drafts of games that were entered step by step.

    A finished entry became an uploaded record and stays.
    """

    dependencies = [
        ("games", "0005_longest_games"),
    ]

    operations = [
        migrations.DeleteModel("EnteredGame"),
    ]
