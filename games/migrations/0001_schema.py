import django.db.models.deletion
import django.utils.timezone
import games.models.presets
import games.models.records
import games.models.tables
from django.conf import settings
from django.db import migrations, models

from config.db.quick_operations import CreateTables


class Migration(migrations.Migration):
    """The tables of the first public version.

    A database of the last version before it has all migrations of `replaces`, and so this one. An
    older one has only some of them: config/db/history.py.
    """

    replaces = [
        ('games', name)
        for name in """
            0001_initial
            0001_squashed_0009_words
            0002_break_glass
            0003_interruptions
            0004_opening
            0005_talk_and_table_life
            0006_order
            0007_reports
            0008_results
            0009_words
            0010_seal_version_2
            0011_sat_at
            0012_plain_names
            0013_bot_choices
            0014_night
            0015_plain_choices
            0016_bots_with_characters
            0017_balance_of_reasoning_bots
            0018_guests
            0019_turn_notices
            0020_tempo
            0021_shared_replays
            0022_hints_and_pauses
            0023_wishes
            0024_records
            0025_ratings
            0026_puzzles
            0027_archive
            0028_matchmaking
            0029_entered_games
            0030_scheduled_tables
            0031_search
            0032_puzzle_consents
            0033_power_moments
        """.split()
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        # Not needed, but the more models there are, the longer each later migration takes.
        ('mfa', '0003_authenticator_type_uniq'),
        ('usersessions', '0001_initial'),
    ]

    operations = [
        CreateTables([
            migrations.CreateModel(
                name='Balance',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(max_length=64, unique=True)),
                    ('options', models.JSONField()),
                    ('players', models.PositiveSmallIntegerField()),
                    ('games', models.PositiveIntegerField(default=0)),
                    ('baseline_wins', models.PositiveIntegerField(default=0)),
                    ('skilled_wins', models.PositiveIntegerField(default=0)),
                    ('asked_at', models.DateTimeField(blank=True, null=True)),
                ],
            ),
            migrations.CreateModel(
                name='Dump',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('month', models.DateField(unique=True)),
                    ('version', models.PositiveIntegerField(default=0)),
                    ('shown', models.PositiveIntegerField(blank=True, null=True)),
                    ('made_at', models.DateTimeField(blank=True, null=True)),
                    ('games', models.PositiveIntegerField(default=0)),
                    ('total', models.PositiveIntegerField(default=0)),
                    ('size', models.PositiveBigIntegerField(default=0)),
                    ('sha256', models.CharField(blank=True, max_length=64)),
                ],
                options={
                    'ordering': ['-month'],
                },
            ),
            migrations.CreateModel(
                name='DumpConsent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='dump_consent', to=settings.AUTH_USER_MODEL)),
                    ('given_at', models.DateTimeField(auto_now_add=True)),
                ],
            ),
            migrations.CreateModel(
                name='EnteredGame',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entered_games', to=settings.AUTH_USER_MODEL)),
                    ('code', models.CharField(default=games.models.records.new_record_code, max_length=22, unique=True)),
                    ('setup', models.JSONField()),
                    ('steps', models.JSONField(default=list)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('updated_at', models.DateTimeField(auto_now=True)),
                ],
                options={
                    'ordering': ['-pk'],
                },
            ),
            migrations.CreateModel(
                name='FairnessReport',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('made_at', models.DateTimeField()),
                    ('games', models.PositiveIntegerField()),
                    ('counts', models.JSONField()),
                ],
            ),
            migrations.CreateModel(
                name='PreparedSeed',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='prepared_seed', to=settings.AUTH_USER_MODEL)),
                    ('seed', models.BinaryField(default=games.models.tables.new_seed)),
                ],
            ),
            migrations.CreateModel(
                name='Preset',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='presets', to=settings.AUTH_USER_MODEL)),
                    ('name', models.CharField(max_length=40, verbose_name='name')),
                    ('terms', models.JSONField()),
                    ('token', models.CharField(default=games.models.presets.new_token, max_length=16, unique=True)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'ordering': ['name', 'pk'],
                    'constraints': [models.UniqueConstraint(fields=('owner', 'name'), name='preset_once_per_name')],
                },
            ),
            migrations.CreateModel(
                name='Pulse',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('at', models.DateTimeField()),
                ],
            ),
            migrations.CreateModel(
                name='PuzzleConsent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='puzzle_consent', to=settings.AUTH_USER_MODEL)),
                    ('given_at', models.DateTimeField(auto_now_add=True)),
                ],
            ),
            migrations.CreateModel(
                name='PuzzleSolution',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='puzzle_solutions', to=settings.AUTH_USER_MODEL)),
                    ('day', models.DateField()),
                    ('part', models.PositiveSmallIntegerField()),
                    ('answer', models.JSONField()),
                    ('points', models.PositiveSmallIntegerField()),
                    ('at', models.DateTimeField()),
                ],
                options={
                    'ordering': ['-day'],
                    'constraints': [models.UniqueConstraint(fields=('user', 'day'), name='puzzle_solved_once')],
                },
            ),
            migrations.CreateModel(
                name='RatingLedger',
                fields=[
                    ('tempo', models.CharField(choices=[('live', 'Live'), ('days', 'Days')], max_length=4, primary_key=True, serialize=False)),
                    ('version', models.PositiveIntegerField(default=0)),
                    ('archived', models.PositiveIntegerField(default=0)),
                ],
            ),
            migrations.CreateModel(
                name='RatingPlayer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rating_player', to=settings.AUTH_USER_MODEL)),
                    ('is_listed', models.BooleanField(default=True)),
                    ('is_stale', models.BooleanField(db_index=True, default=False)),
                ],
            ),
            migrations.CreateModel(
                name='SiteTally',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('month', models.DateField()),
                    ('dimension', models.CharField(choices=[('all', 'All'), ('edition', 'Edition'), ('size', 'Size'), ('ending', 'Ending'), ('pace', 'Pace'), ('rounds', 'Rounds'), ('seat', 'Seat'), ('role', 'Role')], max_length=7)),
                    ('value', models.CharField(blank=True, max_length=20)),
                    ('games', models.PositiveIntegerField(default=0)),
                    ('won', models.PositiveIntegerField(default=0)),
                    ('rounds', models.PositiveBigIntegerField(default=0)),
                    ('seconds', models.PositiveBigIntegerField(default=0)),
                    ('sights', models.PositiveIntegerField(default=0)),
                    ('claims', models.PositiveIntegerField(default=0)),
                    ('lies', models.PositiveIntegerField(default=0)),
                    ('lies_caught', models.PositiveIntegerField(default=0)),
                    ('ballots', models.PositiveIntegerField(default=0)),
                    ('right_ballots', models.PositiveIntegerField(default=0)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('month', 'dimension', 'value'), name='site_tally_once')],
                },
            ),
            migrations.CreateModel(
                name='Table',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('code', models.CharField(default=games.models.tables.new_code, max_length=8, unique=True)),
                    ('stage', models.CharField(choices=[('open', 'Open'), ('sealing', 'Dealing the cards'), ('running', 'Running'), ('over', 'Over'), ('closed', 'Closed')], default='open', max_length=8)),
                    ('host', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='hosted_tables', to=settings.AUTH_USER_MODEL)),
                    ('edition', models.CharField(choices=[('en', 'en'), ('ru', 'ru'), ('ru-5-6', 'ru-5-6'), ('pl', 'pl'), ('ja', 'ja'), ('it', 'it')], max_length=10)),
                    ('house_rules', models.JSONField(blank=True, default=dict)),
                    ('seats_wanted', models.PositiveSmallIntegerField(default=10)),
                    ('pace', models.CharField(choices=[('blitz', 'Blitz'), ('normal', 'Normal'), ('relaxed', 'Relaxed'), ('daily', 'One day per move'), ('untimed', 'Untimed')], default='normal', max_length=8)),
                    ('tempo', models.CharField(choices=[('slow', 'Slow'), ('normal', 'Normal'), ('fast', 'Fast')], default='normal', max_length=6)),
                    ('least_seats', models.PositiveSmallIntegerField(default=5)),
                    ('starts', models.CharField(choices=[('full', 'Automatically, when every seat is taken'), ('host', 'When the host starts it')], default='host', max_length=4)),
                    ('visibility', models.CharField(choices=[('public', 'Public'), ('unlisted', 'Unlisted'), ('private', 'Private')], default='public', max_length=8)),
                    ('takes_guests', models.BooleanField(default=False)),
                    ('password', models.CharField(blank=True, default='', max_length=128)),
                    ('languages', models.JSONField(blank=True, default=list)),
                    ('joiners', models.CharField(choices=[('all', 'Everyone'), ('friends', 'Friends of the host'), ('old', 'Accounts that are old enough'), ('played', 'People who have finished enough games')], default='all', max_length=7)),
                    ('joiners_least', models.PositiveSmallIntegerField(default=0)),
                    ('spectators', models.BooleanField(default=True)),
                    ('chat', models.CharField(choices=[('full', 'Free text and phrases'), ('phrases', 'Phrases only'), ('none', 'No chat')], default='full', max_length=7)),
                    ('is_blind', models.BooleanField(default=False)),
                    ('is_rated', models.BooleanField(default=False)),
                    ('opening_key', models.CharField(blank=True, editable=False, max_length=32, null=True, unique=True)),
                    ('invitation', models.CharField(default=games.models.tables.new_invitation, max_length=32)),
                    ('seed', models.BinaryField(default=games.models.tables.new_seed)),
                    ('seal_version', models.PositiveSmallIntegerField(default=2, editable=False)),
                    ('seal_attempts', models.JSONField(default=list, editable=False)),
                    ('next_seed', models.BinaryField(default=games.models.tables.new_seed)),
                    ('shuffles_seats', models.BooleanField(default=False)),
                    ('asked_until', models.DateTimeField(blank=True, db_index=True, null=True)),
                    ('scheduled_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                    ('schedule_sequence', models.PositiveSmallIntegerField(default=0)),
                    ('schedule_changed_at', models.DateTimeField(blank=True, null=True)),
                    ('roll_called_at', models.DateTimeField(blank=True, null=True)),
                    ('roll_ended_at', models.DateTimeField(blank=True, null=True)),
                    ('quiet_since', models.DateTimeField(default=django.utils.timezone.now)),
                    ('frozen_at', models.DateTimeField(blank=True, null=True)),
                    ('frozen_because', models.CharField(blank=True, default='', max_length=8)),
                    ('paused_at', models.DateTimeField(blank=True, null=True)),
                    ('ruled', models.PositiveSmallIntegerField(default=0)),
                    ('version', models.PositiveIntegerField(default=0)),
                    ('talk', models.PositiveIntegerField(default=0)),
                    ('next_table', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='previous_table', to='games.table')),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'indexes': [models.Index(fields=['stage', '-created_at'], name='games_table_stage_eae7e7_idx')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('seats_wanted__gte', 5), ('seats_wanted__lte', 10)), name='table_seats_wanted_in_box'), models.CheckConstraint(condition=models.Q(models.Q(('pace', 'untimed'), _negated=True), models.Q(('visibility', 'public'), _negated=True), _connector='OR'), name='table_untimed_not_public'), models.CheckConstraint(condition=models.Q(('least_seats__gte', 5), ('least_seats__lte', models.F('seats_wanted'))), name='table_least_seats_in_box'), models.CheckConstraint(condition=models.Q(('is_blind', False), models.Q(('joiners', 'friends'), _negated=True), _connector='OR'), name='table_blind_not_for_friends')],
                },
            ),
            migrations.CreateModel(
                name='TallyLedger',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('version', models.PositiveBigIntegerField(default=0)),
                ],
            ),
            migrations.CreateModel(
                name='UploadedRecord',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='uploaded_records', to=settings.AUTH_USER_MODEL)),
                    ('code', models.CharField(default=games.models.records.new_record_code, max_length=22, unique=True)),
                    ('text', models.TextField()),
                    ('is_shared', models.BooleanField(default=False)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('edition', models.CharField(max_length=10)),
                    ('players', models.PositiveSmallIntegerField()),
                    ('ending', models.CharField(blank=True, max_length=20)),
                ],
                options={
                    'ordering': ['-pk'],
                },
            ),
            migrations.CreateModel(
                name='Vacation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vacations', to=settings.AUTH_USER_MODEL)),
                    ('starts_at', models.DateTimeField()),
                    ('ends_at', models.DateTimeField()),
                ],
                options={
                    'ordering': ['-starts_at'],
                },
            ),
            migrations.CreateModel(
                name='AppointmentNotice',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='appointment_notices', to=settings.AUTH_USER_MODEL)),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='appointment_notices', to='games.table')),
                    ('kind', models.CharField(choices=[('day', 'Day'), ('soon', 'Soon'), ('now', 'Now'), ('moved', 'Moved'), ('cancelled', 'Cancelled'), ('failed', 'Failed'), ('missed', 'Missed')], max_length=9)),
                    ('sequence', models.PositiveSmallIntegerField()),
                    ('scheduled_at', models.DateTimeField()),
                    ('made_at', models.DateTimeField()),
                    ('expires_at', models.DateTimeField(db_index=True)),
                    ('mailed_at', models.DateTimeField(blank=True, null=True)),
                    ('pushed_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('user', 'table', 'kind', 'sequence'), name='appointment_notice_once')],
                },
            ),
            migrations.CreateModel(
                name='CardInspection',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='card_inspections', to='games.table')),
                    ('moderator', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='card_inspections', to=settings.AUTH_USER_MODEL)),
                    ('reason', models.CharField(max_length=300, verbose_name='reason')),
                    ('length', models.PositiveIntegerField()),
                    ('round', models.PositiveIntegerField()),
                    ('at', models.DateTimeField()),
                    ('key', models.CharField(max_length=64, unique=True)),
                ],
                options={
                    'ordering': ['at'],
                    'permissions': [('break_glass', 'Can look behind the cards of a running game')],
                    'default_permissions': ('view',),
                    'base_manager_name': 'objects',
                    'indexes': [models.Index(fields=['moderator', 'at'], name='games_cardi_moderat_9b2915_idx')],
                },
            ),
            migrations.CreateModel(
                name='Case',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='cases', to=settings.AUTH_USER_MODEL)),
                    ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='cases', to='games.table')),
                    ('language', models.CharField(max_length=10)),
                    ('opened_at', models.DateTimeField()),
                    ('newest_at', models.DateTimeField()),
                    ('reports_count', models.PositiveIntegerField(default=0)),
                    ('claimed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('claimed_at', models.DateTimeField(blank=True, null=True)),
                    ('outcome', models.CharField(blank=True, choices=[('dismissed', 'Dismissed'), ('acted', 'Acted upon'), ('lapsed', 'Lapsed')], max_length=10)),
                    ('decided_at', models.DateTimeField(blank=True, null=True)),
                    ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('remark', models.TextField(blank=True, max_length=1000)),
                ],
                options={
                    'ordering': ['opened_at', 'pk'],
                    'default_permissions': (),
                    'indexes': [models.Index(fields=['outcome', 'opened_at'], name='games_case_outcome_900887_idx'), models.Index(fields=['person', '-opened_at'], name='games_case_person__a8080d_idx')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('outcome', '')), fields=('person', 'table'), name='case_once'), models.UniqueConstraint(condition=models.Q(('outcome', ''), ('table__isnull', True)), fields=('person',), name='case_once_without_table'), models.UniqueConstraint(condition=models.Q(('outcome', ''), ('person__isnull', True)), fields=('table',), name='case_once_of_table')],
                },
            ),
            migrations.CreateModel(
                name='DumpPart',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('dump', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='games.dump')),
                    ('version', models.PositiveIntegerField()),
                    ('number', models.PositiveIntegerField()),
                    ('data', models.BinaryField()),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('dump', 'version', 'number'), name='dump_part_once')],
                },
            ),
            migrations.CreateModel(
                name='Game',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='game', to='games.table')),
                    ('players', models.PositiveSmallIntegerField()),
                    ('length', models.PositiveIntegerField(default=0)),
                    ('deadline', models.DateTimeField(blank=True, null=True)),
                    ('bot_moves_at', models.DateTimeField(blank=True, null=True)),
                    ('bot_talks_at', models.DateTimeField(blank=True, null=True)),
                    ('bot_talk', models.JSONField(blank=True, default=list)),
                    ('wakes_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                    ('retry_at', models.DateTimeField(blank=True, null=True)),
                    ('night_until', models.DateTimeField(blank=True, null=True)),
                    ('started_at', models.DateTimeField(auto_now_add=True)),
                    ('ended_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                    ('winner', models.CharField(blank=True, max_length=8)),
                    ('ending', models.CharField(blank=True, max_length=20)),
                    ('stopped', models.CharField(blank=True, choices=[('abandoned', 'Abandoned'), ('given_up', 'Given Up'), ('voided', 'Voided')], max_length=10)),
                ],
            ),
            migrations.CreateModel(
                name='Guest',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='guests', to='games.table')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('number', models.PositiveIntegerField()),
                    ('at', models.DateTimeField()),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('table', 'user'), name='guest_once'), models.UniqueConstraint(fields=('table', 'number'), name='guest_once_per_number')],
                },
            ),
            migrations.CreateModel(
                name='Interruption',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='interruptions', to='games.table')),
                    ('number', models.PositiveIntegerField()),
                    ('at', models.DateTimeField()),
                    ('lost', models.DurationField()),
                ],
                options={
                    'ordering': ['pk'],
                },
            ),
            migrations.CreateModel(
                name='Kick',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kicks', to='games.table')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kicks', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('table', 'user'), name='kicked_once')],
                },
            ),
            migrations.CreateModel(
                name='Message',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='games.table')),
                    ('number', models.PositiveIntegerField()),
                    ('nth', models.PositiveIntegerField()),
                    ('revised', models.PositiveIntegerField()),
                    ('place', models.CharField(choices=[('table', 'Table'), ('gallery', 'Gallery')], max_length=7)),
                    ('kind', models.CharField(choices=[('text', 'Text'), ('phrase', 'Phrase'), ('claim', 'Claim')], max_length=6)),
                    ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='messages', to=settings.AUTH_USER_MODEL)),
                    ('guest', models.PositiveIntegerField(blank=True, null=True)),
                    ('name', models.CharField(max_length=150)),
                    ('text', models.TextField(blank=True)),
                    ('data', models.JSONField(blank=True, default=dict)),
                    ('length', models.PositiveIntegerField(default=0)),
                    ('round', models.PositiveIntegerField(default=0)),
                    ('at', models.DateTimeField()),
                    ('key', models.CharField(blank=True, max_length=64)),
                    ('removed_at', models.DateTimeField(blank=True, null=True)),
                    ('removed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('removed_because', models.CharField(blank=True, max_length=300)),
                ],
                options={
                    'ordering': ['number'],
                    'permissions': [('remove_message', 'Can remove what is said at tables')],
                    'default_permissions': ('view',),
                    'indexes': [models.Index(fields=['table', 'revised'], name='games_messa_table_i_1719f1_idx')],
                    'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='message_once_per_number'), models.UniqueConstraint(fields=('table', 'place', 'nth'), name='message_once_per_nth')],
                },
            ),
            migrations.CreateModel(
                name='Motion',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='motions', to='games.table')),
                    ('ordinal', models.PositiveSmallIntegerField()),
                    ('kind', models.CharField(choices=[('replace', 'Replace'), ('stop', 'Stop')], max_length=8)),
                    ('mover', models.PositiveSmallIntegerField()),
                    ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('substitute', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('gone_name', models.CharField(blank=True, max_length=150)),
                    ('substitute_name', models.CharField(blank=True, max_length=150)),
                    ('votes', models.JSONField(default=dict)),
                    ('moved_at', models.DateTimeField()),
                    ('outcome', models.CharField(blank=True, choices=[('passed', 'Passed'), ('rejected', 'Rejected'), ('lapsed', 'Lapsed')], max_length=8)),
                    ('settled_at', models.DateTimeField(blank=True, null=True)),
                    ('number', models.PositiveIntegerField(default=0)),
                ],
                options={
                    'ordering': ['ordinal'],
                    'constraints': [models.UniqueConstraint(fields=('table', 'ordinal'), name='motion_once_per_ordinal'), models.UniqueConstraint(condition=models.Q(('outcome', '')), fields=('table',), name='motion_one_at_a_time')],
                },
            ),
            migrations.CreateModel(
                name='Mute',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mutes', to='games.table')),
                    ('listener', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('speaker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('table', 'listener', 'speaker'), name='mute_once')],
                },
            ),
            migrations.CreateModel(
                name='Note',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='games.table')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to=settings.AUTH_USER_MODEL)),
                    ('text', models.TextField(blank=True)),
                    ('marks', models.JSONField(blank=True, default=dict)),
                    ('version', models.PositiveIntegerField(default=0)),
                    ('changed_at', models.DateTimeField()),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('table', 'user'), name='note_once')],
                },
            ),
            migrations.CreateModel(
                name='Presence',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('process', models.CharField(max_length=32)),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='presences', to=settings.AUTH_USER_MODEL)),
                    ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='presences', to='games.table')),
                    ('seen_at', models.DateTimeField(db_index=True)),
                ],
                options={
                    'indexes': [models.Index(fields=['process'], name='games_prese_process_b6ec76_idx')],
                },
            ),
            migrations.CreateModel(
                name='Puzzle',
                fields=[
                    ('day', models.DateField(primary_key=True, serialize=False)),
                    ('game', models.JSONField()),
                    ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='puzzles', to='games.table')),
                ],
            ),
            migrations.CreateModel(
                name='Rating',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='games.ratingplayer')),
                    ('tempo', models.CharField(choices=[('live', 'Live'), ('days', 'Days')], max_length=4)),
                    ('side', models.CharField(choices=[('liberal', 'liberal'), ('fascist', 'fascist')], max_length=7)),
                    ('season', models.PositiveIntegerField()),
                    ('mu', models.FloatField(default=0.0)),
                    ('sigma', models.FloatField(default=8.333333333333334)),
                    ('shown', models.IntegerField()),
                    ('games', models.PositiveIntegerField()),
                    ('scope', models.CharField(blank=True, max_length=20)),
                    ('at', models.DateTimeField()),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('games__gte', 10)), fields=['tempo', 'side', 'scope', 'season', '-shown', '-player'], name='rating_board')],
                    'constraints': [models.UniqueConstraint(fields=('player', 'tempo', 'side', 'scope'), name='rating_once')],
                },
            ),
            migrations.CreateModel(
                name='Ruling',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rulings', to='games.table')),
                    ('ordinal', models.PositiveSmallIntegerField()),
                    ('kind', models.CharField(choices=[('freeze', 'Frozen'), ('thaw', 'Unfrozen'), ('close', 'Closed'), ('void', 'Voided'), ('replace', 'Seat replaced')], max_length=7)),
                    ('because', models.CharField(choices=[('conduct', 'Conduct at the table'), ('fairness', 'Fair play'), ('stalling', 'The game was held up'), ('report', 'We’re looking into a report'), ('fault', 'A problem with the site'), ('wish', 'The players asked for it'), ('other', 'Another reason')], max_length=8)),
                    ('reason', models.CharField(max_length=300)),
                    ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rulings', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField()),
                    ('number', models.PositiveIntegerField(blank=True, null=True)),
                    ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('gone', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('gone_name', models.CharField(blank=True, max_length=150)),
                    ('newcomer', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('newcomer_name', models.CharField(blank=True, max_length=150)),
                    ('is_bot', models.BooleanField(default=False)),
                ],
                options={
                    'ordering': ['ordinal'],
                    'default_permissions': ('view',),
                    'constraints': [models.UniqueConstraint(fields=('table', 'ordinal'), name='ruling_once_per_ordinal')],
                },
            ),
            migrations.CreateModel(
                name='Sat',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sat', to='games.table')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sat', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('table', 'user'), name='sat_once')],
                },
            ),
            migrations.CreateModel(
                name='SeasonStanding',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='games.ratingplayer')),
                    ('tempo', models.CharField(choices=[('live', 'Live'), ('days', 'Days')], max_length=4)),
                    ('side', models.CharField(choices=[('liberal', 'liberal'), ('fascist', 'fascist')], max_length=7)),
                    ('season', models.PositiveIntegerField()),
                    ('mu', models.FloatField(default=0.0)),
                    ('sigma', models.FloatField(default=8.333333333333334)),
                    ('shown', models.IntegerField()),
                    ('games', models.PositiveIntegerField()),
                ],
                options={
                    'indexes': [models.Index(fields=['season', 'tempo', 'side', '-shown', '-player'], name='season_standing_board')],
                    'constraints': [models.UniqueConstraint(fields=('season', 'tempo', 'side', 'player'), name='season_standing_once')],
                },
            ),
            migrations.CreateModel(
                name='Seat',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.table')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='seats', to=settings.AUTH_USER_MODEL)),
                    ('bot', models.CharField(blank=True, choices=games.models.tables.bot_choices, max_length=8)),
                    ('level', models.CharField(choices=[('beginner', 'Beginner'), ('regular', 'Regular'), ('expert', 'Expert')], default='regular', max_length=8)),
                    ('name', models.CharField(max_length=150)),
                    ('contribution_hash', models.CharField(blank=True, default='', max_length=64)),
                    ('has_missed_reveal', models.BooleanField(default=False)),
                    ('contribution', models.CharField(blank=True, default=games.models.tables.new_contribution, max_length=64)),
                    ('times_late', models.PositiveSmallIntegerField(default=0)),
                    ('is_away', models.BooleanField(default=False)),
                    ('is_connected', models.BooleanField(default=True)),
                    ('vacation_until', models.DateTimeField(blank=True, null=True)),
                    ('is_ready', models.BooleanField(default=False)),
                    ('has_read_role', models.BooleanField(default=False)),
                    ('has_hints', models.BooleanField(default=False)),
                    ('shares_replay', models.BooleanField(default=False)),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('table', 'number'), name='seat_once_per_number'), models.UniqueConstraint(fields=('table', 'user'), name='seat_once_per_person')],
                },
            ),
            migrations.CreateModel(
                name='Seeker',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='seeker', to=settings.AUTH_USER_MODEL)),
                    ('pace', models.CharField(choices=[('blitz', 'Blitz'), ('normal', 'Normal'), ('relaxed', 'Relaxed'), ('daily', 'One day per move'), ('untimed', 'Untimed')], max_length=8)),
                    ('languages', models.JSONField(blank=True, default=list)),
                    ('edition', models.CharField(blank=True, max_length=12)),
                    ('size', models.CharField(blank=True, max_length=5)),
                    ('since', models.DateTimeField(db_index=True)),
                    ('changed_at', models.DateTimeField()),
                    ('ask_at', models.DateTimeField()),
                    ('bots_since', models.DateTimeField(blank=True, null=True)),
                    ('contribution_hash', models.CharField(blank=True, default='', max_length=64)),
                    ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.table')),
                ],
                options={
                    'ordering': ['since', 'pk'],
                },
            ),
            migrations.CreateModel(
                name='Substitute',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='substitutes', to='games.table')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='waits', to=settings.AUTH_USER_MODEL)),
                    ('name', models.CharField(max_length=150)),
                    ('at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'ordering': ['pk'],
                    'constraints': [models.UniqueConstraint(fields=('table', 'user'), name='waits_once')],
                },
            ),
            migrations.CreateModel(
                name='TurnNotice',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='turn_notices', to=settings.AUTH_USER_MODEL)),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='turn_notices', to='games.table')),
                    ('since', models.DateTimeField()),
                    ('mailed_at', models.DateTimeField(blank=True, null=True)),
                    ('pushed_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('user', 'table'), name='turn_notice_once')],
                },
            ),
            migrations.CreateModel(
                name='Wish',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='wish', to=settings.AUTH_USER_MODEL)),
                    ('edition', models.CharField(blank=True, max_length=12)),
                    ('size', models.CharField(blank=True, max_length=5)),
                    ('pace', models.CharField(blank=True, max_length=8)),
                    ('language', models.CharField(blank=True, max_length=12)),
                    ('until', models.DateTimeField(db_index=True)),
                    ('made_at', models.DateTimeField()),
                    ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='called_by_wish', to='games.table')),
                    ('called_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'ordering': ['made_at', 'pk'],
                },
            ),
            migrations.CreateModel(
                name='ArchivedGame',
                fields=[
                    ('game', models.OneToOneField(db_index=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='archived', serialize=False, to='games.game')),
                    ('code', models.CharField(max_length=8, unique=True)),
                    ('ended_at', models.DateTimeField()),
                    ('seconds', models.PositiveIntegerField()),
                    ('rounds', models.PositiveSmallIntegerField()),
                    ('edition', models.CharField(max_length=10)),
                    ('is_custom', models.BooleanField()),
                    ('players', models.PositiveSmallIntegerField()),
                    ('people', models.PositiveSmallIntegerField()),
                    ('winner', models.CharField(max_length=8)),
                    ('ending', models.CharField(max_length=20)),
                    ('pace', models.CharField(choices=[('blitz', 'Blitz'), ('normal', 'Normal'), ('relaxed', 'Relaxed'), ('daily', 'One day per move'), ('untimed', 'Untimed')], max_length=8)),
                    ('language', models.CharField(blank=True, max_length=10)),
                    ('is_public', models.BooleanField()),
                ],
                options={
                    'indexes': [models.Index(fields=['is_public', '-ended_at', '-game'], name='archived_newest'), models.Index(fields=['is_public', 'edition', '-ended_at', '-game'], name='archived_by_edition'), models.Index(fields=['is_public', 'ending', '-ended_at', '-game'], name='archived_by_ending'), models.Index(fields=['is_public', 'players', '-ended_at', '-game'], name='archived_by_size'), models.Index(fields=['is_public', 'pace', '-ended_at', '-game'], name='archived_by_pace'), models.Index(fields=['is_public', 'language', '-ended_at', '-game'], name='archived_by_language')],
                },
            ),
            migrations.CreateModel(
                name='Attendance',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attendances', to='games.game')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attendances', to=settings.AUTH_USER_MODEL)),
                    ('is_abandoned', models.BooleanField()),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('user', 'game'), name='attendance_once')],
                },
            ),
            migrations.CreateModel(
                name='CaseStep',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('case', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='games.case')),
                    ('kind', models.CharField(choices=[('claim', 'Claim'), ('release', 'Release'), ('hand_over', 'Hand Over'), ('decide', 'Decide')], max_length=10)),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='case_steps', to=settings.AUTH_USER_MODEL)),
                    ('to', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField()),
                ],
                options={
                    'ordering': ['at', 'pk'],
                    'default_permissions': (),
                },
            ),
            migrations.CreateModel(
                name='GameAction',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='actions', to='games.game')),
                    ('number', models.PositiveIntegerField()),
                    ('seat', models.PositiveSmallIntegerField()),
                    ('action', models.JSONField()),
                    ('by', models.CharField(choices=[('player', 'Player'), ('clock', 'Clock'), ('bot', 'Bot')], max_length=6)),
                    ('key', models.CharField(blank=True, max_length=64, null=True)),
                    ('at', models.DateTimeField()),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('game', 'number'), name='action_once_per_number'), models.UniqueConstraint(fields=('game', 'seat', 'key'), name='action_once_per_key')],
                },
            ),
            migrations.CreateModel(
                name='RatedGame',
                fields=[
                    ('game', models.OneToOneField(db_index=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='rated', serialize=False, to='games.game')),
                    ('tempo', models.CharField(choices=[('live', 'Live'), ('days', 'Days')], max_length=4)),
                    ('ended_at', models.DateTimeField()),
                    ('season', models.PositiveIntegerField()),
                    ('state', models.CharField(choices=[('new', 'New'), ('refused', 'Refused'), ('waiting', 'Waiting'), ('counted', 'Counted'), ('withdrawn', 'Withdrawn')], default='new', max_length=9)),
                    ('refused', models.CharField(blank=True, choices=[('bots', 'Bots'), ('stand_ins', 'Stand Ins'), ('house_rules', 'House Rules'), ('short', 'Short'), ('stopped', 'Stopped'), ('unreadable', 'Unreadable')], max_length=11)),
                    ('edition', models.CharField(max_length=10)),
                    ('players', models.PositiveSmallIntegerField()),
                    ('language', models.CharField(blank=True, max_length=10)),
                    ('winner', models.CharField(max_length=8)),
                    ('facts', models.JSONField(default=dict)),
                ],
                options={
                    'indexes': [models.Index(fields=['tempo', 'state', 'ended_at'], name='games_rated_tempo_c433b3_idx')],
                },
            ),
            migrations.CreateModel(
                name='Report',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('case', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.case')),
                    ('reporter', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to=settings.AUTH_USER_MODEL)),
                    ('about', models.CharField(choices=[('person', 'Person'), ('message', 'Message'), ('table', 'Table')], max_length=10)),
                    ('thing', models.CharField(max_length=80)),
                    ('reason', models.CharField(choices=[('abuse', 'Abuse'), ('cheating', 'Cheating, or telling secrets outside the game'), ('throwing', 'Throwing the game'), ('stalling', 'Stalling'), ('name', 'Inappropriate name'), ('spam', 'Spam'), ('other', 'Something else')], max_length=10)),
                    ('words', models.TextField(blank=True, max_length=1000)),
                    ('language', models.CharField(max_length=10)),
                    ('called', models.CharField(max_length=150)),
                    ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('length', models.PositiveIntegerField(default=0)),
                    ('round', models.PositiveIntegerField(default=0)),
                    ('copies', models.JSONField(blank=True, default=list)),
                    ('at', models.DateTimeField()),
                    ('is_open', models.BooleanField(default=True)),
                ],
                options={
                    'ordering': ['at', 'pk'],
                    'default_permissions': (),
                    'indexes': [models.Index(fields=['case', 'reason'], name='games_repor_case_id_2cf9b7_idx'), models.Index(fields=['reporter', '-at'], name='games_repor_reporte_dc628c_idx')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('is_open', True)), fields=('reporter', 'thing'), name='report_once_per_thing')],
                },
            ),
            migrations.CreateModel(
                name='Result',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='games.game')),
                    ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='results', to=settings.AUTH_USER_MODEL)),
                    ('role', models.CharField(choices=[('liberal', 'liberal'), ('fascist', 'fascist'), ('hitler', 'hitler')], max_length=7)),
                    ('has_won', models.BooleanField()),
                    ('people', models.PositiveSmallIntegerField()),
                ],
                options={
                    'indexes': [models.Index(fields=['user', '-id'], name='result_by_user')],
                    'constraints': [models.UniqueConstraint(fields=('game', 'user'), name='result_once'), models.CheckConstraint(condition=models.Q(('people__gte', 1)), name='result_of_a_person')],
                },
            ),
            migrations.CreateModel(
                name='UnarchivedGame',
                fields=[
                    ('game', models.OneToOneField(db_index=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='unarchived', serialize=False, to='games.game')),
                    ('is_unreadable', models.BooleanField(default=False)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('is_unreadable', False)), fields=['game'], name='unarchived_waiting')],
                },
            ),
            migrations.CreateModel(
                name='ArchivedMoment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('archived', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='moments', to='games.archivedgame')),
                    ('moment', models.CharField(choices=[('hitler_elected', 'hitler_elected'), ('hitler_executed', 'hitler_executed'), ('veto', 'veto'), ('veto_refused', 'veto_refused'), ('chaos', 'chaos'), ('liberal_shot_hitler', 'liberal_shot_hitler'), ('liberal_shot_liberal', 'liberal_shot_liberal'), ('honest_accuser_ignored', 'honest_accuser_ignored'), ('no_liberal_policy', 'no_liberal_policy'), ('no_fascist_policy', 'no_fascist_policy'), ('peek', 'peek'), ('special_election', 'special_election'), ('investigation', 'investigation'), ('execution', 'execution')], max_length=30)),
                    ('ended_at', models.DateTimeField()),
                ],
                options={
                    'indexes': [models.Index(fields=['moment', '-ended_at', '-archived'], name='archived_moment_newest')],
                    'constraints': [models.UniqueConstraint(fields=('archived', 'moment'), name='archived_moment_once')],
                },
            ),
            migrations.CreateModel(
                name='ArchivedSeat',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('archived', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.archivedgame')),
                    ('user', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='archived_seats', to=settings.AUTH_USER_MODEL)),
                    ('number', models.PositiveSmallIntegerField()),
                    ('is_bot', models.BooleanField(default=False)),
                    ('role', models.CharField(choices=[('liberal', 'liberal'), ('fascist', 'fascist'), ('hitler', 'hitler')], max_length=7)),
                    ('has_won', models.BooleanField()),
                    ('ended_at', models.DateTimeField()),
                    ('people', models.PositiveSmallIntegerField()),
                    ('sights', models.PositiveSmallIntegerField(default=0)),
                    ('claims', models.PositiveSmallIntegerField(default=0)),
                    ('lies', models.PositiveSmallIntegerField(default=0)),
                    ('lies_caught', models.PositiveSmallIntegerField(default=0)),
                    ('ballots', models.PositiveSmallIntegerField(default=0)),
                    ('right_ballots', models.PositiveSmallIntegerField(default=0)),
                    ('presidencies', models.PositiveSmallIntegerField(default=0)),
                    ('chancellorships', models.PositiveSmallIntegerField(default=0)),
                ],
                options={
                    'indexes': [models.Index(fields=['user', '-ended_at', '-archived'], name='archived_seat_by_user')],
                    'constraints': [models.UniqueConstraint(fields=('archived', 'number'), name='archived_seat_once')],
                },
            ),
            migrations.CreateModel(
                name='RatingChange',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('rated', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='games.ratedgame')),
                    ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='games.ratingplayer')),
                    ('tempo', models.CharField(choices=[('live', 'Live'), ('days', 'Days')], max_length=4)),
                    ('side', models.CharField(choices=[('liberal', 'liberal'), ('fascist', 'fascist')], max_length=7)),
                    ('season', models.PositiveIntegerField()),
                    ('at', models.DateTimeField()),
                    ('has_won', models.BooleanField()),
                    ('mu_before', models.FloatField()),
                    ('sigma_before', models.FloatField()),
                    ('mu', models.FloatField()),
                    ('sigma', models.FloatField()),
                    ('games', models.PositiveIntegerField()),
                    ('weight', models.FloatField(default=1.0)),
                    ('reasons', models.JSONField(default=list)),
                ],
                options={
                    'indexes': [models.Index(fields=['player', 'tempo', '-at', '-rated'], name='rating_change_history'), models.Index(fields=['tempo', 'at'], name='rating_change_tail')],
                    'constraints': [models.UniqueConstraint(fields=('player', 'rated'), name='rating_change_once')],
                },
            ),
        ]),
    ]
