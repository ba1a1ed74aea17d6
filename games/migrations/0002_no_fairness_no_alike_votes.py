from django.db import migrations


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
        Ledger.objects.filter(tempo=tempo).update(archived=0)
        Player.objects.update(is_stale=True)


class Migration(migrations.Migration):
    """Without the page of fair deals, and without the sign of opponents who vote alike."""

    dependencies = [("games", "0001_schema")]

    operations = [
        migrations.DeleteModel(name="FairnessReport"),
        migrations.RunPython(count_again, migrations.RunPython.noop),
    ]
