import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Name models for what they are: attendance at a game, and an inspection of its cards."""

    dependencies = [
        ("games", "0011_sat_at"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RenameModel("Showing", "Attendance"),
        migrations.RenameModel("Look", "CardInspection"),
        migrations.AlterField(
            "attendance",
            "game",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="attendances",
                to="games.game",
            ),
        ),
        migrations.AlterField(
            "attendance",
            "user",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="attendances",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            "cardinspection",
            "moderator",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="card_inspections",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            "cardinspection",
            "table",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="card_inspections",
                to="games.table",
            ),
        ),
        migrations.RemoveConstraint("attendance", "showing_once"),
        migrations.AddConstraint(
            "attendance",
            models.UniqueConstraint(fields=["user", "game"], name="attendance_once"),
        ),
        migrations.RenameIndex(
            "cardinspection",
            new_name="games_cardi_moderat_9b2915_idx",
            old_name="games_look_moderat_512d00_idx",
        ),
    ]
