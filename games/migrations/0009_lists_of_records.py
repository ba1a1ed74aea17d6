import json

from django.db import migrations, models

from config.db.quick_operations import MoveRows

LONGEST_NAME = 30


def fill(apps, schema_editor):
    """Read names and seal from the texts, as the list did at each view."""
    records = apps.get_model("games", "UploadedRecord").objects
    for kept in records.only("pk", "text").iterator(chunk_size=10):
        try:
            root = json.loads(kept.text.removeprefix("\ufeff"))
            written = root if "format" in root or "record" not in root else root["record"]
            names = [shown(name) or str(number) for number, name in enumerate(written["seats"], 1)]
            has_seal = written.get("seal") is not None
        except (AttributeError, KeyError, TypeError, ValueError):
            # Versions before may have taken what cannot be read; the update goes on without.
            continue
        records.filter(pk=kept.pk).update(names=names, has_seal=has_seal)


def shown(name):
    """Return a name as a page can show it."""
    kept = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(kept.split())[:LONGEST_NAME].strip()


class Migration(migrations.Migration):
    """What the list of uploaded records says of each, without reading it."""

    dependencies = [("games", "0008_programs")]

    operations = [
        migrations.AddField(
            model_name="uploadedrecord",
            name="names",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="uploadedrecord",
            name="has_seal",
            field=models.BooleanField(default=False),
        ),
        MoveRows(fill),
    ]
