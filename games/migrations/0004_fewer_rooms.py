from django.db import migrations, models

from config.db.quick_operations import MoveRows


def count_again(apps, schema_editor):
    """Have the workers count all games of a tempo in which a game weighed less by the sign."""
    Change = apps.get_model("games", "RatingChange")
    Ledger = apps.get_model("games", "RatingLedger")
    Game = apps.get_model("games", "RatedGame")
    Player = apps.get_model("games", "RatingPlayer")
    rows = Change.objects.filter(weight__lt=1).values_list("tempo", "reasons")
    signed = {
        tempo
        for tempo, reasons in rows.iterator()
        if any(sign == "alike" for sign, *_ in reasons)
    }
    for tempo in signed:
        Game.objects.filter(tempo=tempo, state="counted").update(state="waiting")
        Change.objects.filter(tempo=tempo).delete()
        Ledger.objects.filter(tempo=tempo).update(archived=0, version=models.F("version") + 1)
        Player.objects.update(is_stale=True)


def forget_right(apps, schema_editor):
    """Delete the permissions of looks; the audit keeps each look that was taken."""
    Permission = apps.get_model("auth", "Permission")
    Permission.objects.filter(
        content_type__app_label="games", content_type__model="cardinspection"
    ).delete()


class Migration(migrations.Migration):
    """Without the page of fair deals, votes alike, and looks behind the cards of running games."""

    dependencies = [("games", "0003_outbox"), ("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        MoveRows(forget_right),
        migrations.DeleteModel(name="CardInspection"),
        migrations.DeleteModel(name="FairnessReport"),
        MoveRows(count_again),
    ]
