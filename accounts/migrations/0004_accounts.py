import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import accounts.models
from accounts.profiles.names import skeleton


def see_looks(apps, schema_editor):
    """Each name's skeleton. Names that look alike were good when they were chosen, and stay: the
    later ones are marked as copies, so that a third one is refused."""
    users = apps.get_model("accounts", "User").objects
    known = set()
    for user in users.order_by("pk").iterator():
        looks = skeleton(user.username)
        if looks in known:
            looks = f"{looks}\n{user.pk}"
        known.add(looks)
        users.filter(pk=user.pk).update(skeleton=looks)


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0003_notifications"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="skeleton",
            field=models.CharField(default="", editable=False, max_length=480),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="user",
            name="closes_at",
            field=models.DateTimeField(blank=True, db_index=True, editable=False, null=True),
        ),
        migrations.RunPython(see_looks, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="user",
            name="skeleton",
            field=models.CharField(editable=False, max_length=480, unique=True),
        ),
        migrations.CreateModel(
            name="NameChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("old", models.CharField(max_length=150, verbose_name="old name")),
                ("new", models.CharField(max_length=150, verbose_name="new name")),
                ("at", models.DateTimeField(verbose_name="when")),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="name_changes", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "verbose_name": "change of name",
                "verbose_name_plural": "changes of names",
                "ordering": ["-at"],
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="Export",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(default=accounts.models.new_export_code, max_length=32, unique=True)),
                ("asked_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(db_index=True)),
                ("content", models.TextField(blank=True)),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="exports", to=settings.AUTH_USER_MODEL)),
            ],
            options={"ordering": ["-asked_at"], "default_permissions": ()},
        ),
    ]
