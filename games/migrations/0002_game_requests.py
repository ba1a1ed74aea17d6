from datetime import timedelta

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.db.quick_operations import MoveRows

# A search for a seat lasted this long at most.
_LONGEST = timedelta(minutes=30)


def keep_requests(apps, schema_editor):
    """Keep what users wait for: the call if they wait for both a call and a seat."""
    request = apps.get_model("games", "GameRequest")
    for wish in apps.get_model("games", "Wish").objects.all():
        language = wish.language or wish.edition[:2]
        request.objects.create(
            user_id=wish.user_id,
            mode="call",
            pace="" if wish.pace == "untimed" else wish.pace,
            languages=[language] if language else [],
            size=wish.size or ("5-6" if wish.edition == "ru-5-6" else ""),
            since=wish.made_at,
            expires_at=wish.until,
            table_id=wish.table_id,
            found_at=wish.called_at,
        )
    for seeker in apps.get_model("games", "Seeker").objects.filter(table=None):
        request.objects.get_or_create(
            user_id=seeker.user_id,
            defaults={
                "mode": "seat",
                "pace": seeker.pace,
                "languages": seeker.languages,
                "size": seeker.size,
                "since": seeker.since,
                "expires_at": seeker.since + _LONGEST,
                "bots_at": seeker.bots_since,
                "contribution_hash": seeker.contribution_hash,
            },
        )


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0001_schema'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GameRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mode', models.CharField(choices=[('seat', 'Seat'), ('call', 'Call')], max_length=4)),
                ('pace', models.CharField(blank=True, choices=[('blitz', 'Blitz'), ('normal', 'Normal'), ('relaxed', 'Relaxed'), ('daily', 'One day per move'), ('untimed', 'Untimed')], max_length=8)),
                ('languages', models.JSONField(blank=True, default=list)),
                ('size', models.CharField(blank=True, max_length=5)),
                ('since', models.DateTimeField()),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('bots_at', models.DateTimeField(blank=True, null=True)),
                ('contribution_hash', models.CharField(blank=True, default='', max_length=64)),
                ('found_at', models.DateTimeField(blank=True, null=True)),
                ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.table')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='game_request', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['since', 'pk'],
            },
        ),
        MoveRows(keep_requests),
        migrations.DeleteModel(
            name='Seeker',
        ),
        migrations.DeleteModel(
            name='Wish',
        ),
    ]
