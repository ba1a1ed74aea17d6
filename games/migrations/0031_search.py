from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0030_scheduled_tables"),
    ]

    operations = [
        migrations.AddIndex(
            model_name='archivedgame',
            index=models.Index(fields=['is_public', 'pace', '-ended_at', '-game'], name='archived_by_pace'),
        ),
        migrations.AddIndex(
            model_name='archivedgame',
            index=models.Index(fields=['is_public', 'language', '-ended_at', '-game'], name='archived_by_language'),
        ),
    ]
