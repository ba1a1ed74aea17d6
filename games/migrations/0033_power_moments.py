from django.db import migrations, models
from django.db.models import F

# The records' names of the actions, and the moments that they are.
_MOMENTS = {
    "peek": "peek",
    "call_special_election": "special_election",
    "investigate": "investigation",
    "execute": "execution",
}
_BATCH = 2000


def note_powers(apps, schema_editor):
    """Note the powers that were used in the games of the archive, as their records tell."""
    GameAction = apps.get_model("games", "GameAction")
    ArchivedMoment = apps.get_model("games", "ArchivedMoment")
    for action, moment in _MOMENTS.items():
        used = GameAction.objects.filter(action__action=action, game__archived__isnull=False)
        games = used.order_by().values_list("game", F("game__archived__ended_at")).distinct()
        rows = []
        for game, ended_at in games.iterator(chunk_size=_BATCH):
            rows.append(ArchivedMoment(archived_id=game, moment=moment, ended_at=ended_at))
            if len(rows) == _BATCH:
                ArchivedMoment.objects.bulk_create(rows, ignore_conflicts=True)
                rows = []
        ArchivedMoment.objects.bulk_create(rows, ignore_conflicts=True)


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0032_puzzle_consents"),
    ]

    operations = [
        migrations.AlterField(
            model_name='archivedmoment',
            name='moment',
            field=models.CharField(choices=[('hitler_elected', 'hitler_elected'), ('hitler_executed', 'hitler_executed'), ('veto', 'veto'), ('veto_refused', 'veto_refused'), ('chaos', 'chaos'), ('liberal_shot_hitler', 'liberal_shot_hitler'), ('liberal_shot_liberal', 'liberal_shot_liberal'), ('honest_accuser_ignored', 'honest_accuser_ignored'), ('no_liberal_policy', 'no_liberal_policy'), ('no_fascist_policy', 'no_fascist_policy'), ('peek', 'peek'), ('special_election', 'special_election'), ('investigation', 'investigation'), ('execution', 'execution')], max_length=30),
        ),
        migrations.RunPython(note_powers, migrations.RunPython.noop, elidable=True),
    ]
