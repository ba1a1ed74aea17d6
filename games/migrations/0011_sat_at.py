from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0010_seal_version_2"),
    ]

    operations = [
        migrations.AddField(
            model_name="sat",
            name="at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
