import accounts.models
import accounts.models.signals
import accounts.profiles.choices
import accounts.profiles.languages
import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.serializers.json
import django.db.models.deletion
import django.db.models.functions.comparison
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from accounts.migrations._audit import begin, seal, unseal
from config.db.quick_operations import CreateTables


class Migration(migrations.Migration):
    """The tables of the first public version.

    A database of the last version before it has all migrations of `replaces`, and so this one. An
    older one has only some of them: config/db/history.py.
    """

    replaces = [
        ('accounts', name)
        for name in """
            0001_initial
            0001_squashed_0010_reliability_named
            0002_people
            0003_notifications
            0004_accounts
            0005_sanctions
            0006_profile
            0007_mail_language
            0008_notification_kinds
            0009_words
            0010_reliability_named
            0011_blocked_names
            0012_audit_sealed
            0013_backend_path
            0014_plain_labels
            0015_bot_accounts
            0016_trials
            0017_turn_notices
            0018_hints
            0019_called
            0020_scheduled_tables
            0021_uncounted_name_changes
        """.split()
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        CreateTables([
            migrations.CreateModel(
                name='AuditHead',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveBigIntegerField(default=0)),
                    ('digest', models.CharField(default='0000000000000000000000000000000000000000000000000000000000000000', max_length=64)),
                ],
                options={
                    'default_permissions': (),
                },
            ),
            migrations.CreateModel(
                name='SignalKey',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('secret', models.CharField(default=accounts.models.signals.new_secret, max_length=64)),
                    ('begins_at', models.DateTimeField(unique=True)),
                    ('ends_at', models.DateTimeField()),
                    ('expires_at', models.DateTimeField(db_index=True)),
                ],
                options={
                    'default_permissions': (),
                },
            ),
            migrations.CreateModel(
                name='SwitchBoard',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('registration', models.BooleanField(default=True)),
                    ('tables', models.BooleanField(default=True)),
                    ('maintenance', models.BooleanField(default=False)),
                    ('message', models.JSONField(default=dict)),
                    ('changed_at', models.DateTimeField(null=True)),
                ],
                options={
                    'default_permissions': (),
                },
            ),
            migrations.CreateModel(
                name='User',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('password', models.CharField(max_length=128, verbose_name='password')),
                    ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                    ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                    ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                    ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                    ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                    ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                    ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                    ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                    ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                    ('name_key', models.CharField(editable=False, max_length=450, unique=True)),
                    ('skeleton', models.CharField(editable=False, max_length=480, unique=True)),
                    ('language', models.CharField(blank=True, choices=accounts.profiles.languages.site_languages, help_text='The language you see the site and every table in.', max_length=10, verbose_name='language')),
                    ('mail_language', models.CharField(blank=True, choices=accounts.profiles.languages.site_languages, default='', max_length=10, verbose_name='e-mail language')),
                    ('mask_words', models.BooleanField(default=False, help_text='Offensive words in other people’s messages show up as asterisks for you.', verbose_name='Mask offensive language')),
                    ('hides_role', models.BooleanField(default=False, help_text='For streaming: your role, what you know and the policies in your hand stay covered until you uncover them.', verbose_name='Hide my role')),
                    ('sounds', models.BooleanField(default=True, help_text='When it’s your turn, when a vote is revealed, and so on.', verbose_name='Sounds')),
                    ('hints', models.BooleanField(default=True, help_text='The table tells you what to think of at each decision.', verbose_name='Hints in my first games')),
                    ('calls_title', models.BooleanField(default=True, help_text='The tab title shows when it’s your turn and what you haven’t read yet.', verbose_name='Show alerts in the tab title')),
                    ('notifies', models.BooleanField(default=False, help_text='When it’s your turn and you’re looking at something else. Your browser asks for permission first.', verbose_name='Browser notifications')),
                    ('shut_until', models.DateTimeField(blank=True, editable=False, null=True)),
                    ('is_warned', models.BooleanField(default=False, editable=False)),
                    ('time_zone', models.CharField(blank=True, max_length=50, verbose_name='Time zone')),
                    ('theme', models.CharField(blank=True, choices=[('light', 'Light'), ('dark', 'Dark')], max_length=5, verbose_name='Theme')),
                    ('motion', models.CharField(blank=True, choices=[('reduced', 'No animation')], max_length=7, verbose_name='Animations')),
                    ('person_key', models.CharField(default=accounts.profiles.choices.new_person_key, editable=False, max_length=10, unique=True)),
                    ('country', models.CharField(blank=True, max_length=2, verbose_name='Country')),
                    ('spoken', models.JSONField(blank=True, default=list, verbose_name='Languages you speak')),
                    ('shows_page', models.CharField(choices=[('all', 'Everyone'), ('friends', 'Friends'), ('nobody', 'No one')], default='all', max_length=7, verbose_name='Your whole page')),
                    ('shows_about', models.CharField(choices=[('all', 'Everyone'), ('friends', 'Friends'), ('nobody', 'No one')], default='all', max_length=7, verbose_name='Country and languages')),
                    ('shows_since', models.CharField(choices=[('all', 'Everyone'), ('friends', 'Friends'), ('nobody', 'No one')], default='all', max_length=7, verbose_name='When you joined')),
                    ('shows_statistics', models.CharField(choices=[('all', 'Everyone'), ('friends', 'Friends'), ('nobody', 'No one')], default='all', max_length=7, verbose_name='How many games you’ve won')),
                    ('shows_reliability', models.CharField(choices=[('all', 'Everyone'), ('friends', 'Friends'), ('nobody', 'No one')], default='all', max_length=7, verbose_name='Reliability (how often you finish your games)')),
                    ('shows_games', models.CharField(choices=[('all', 'Everyone'), ('friends', 'Friends'), ('nobody', 'No one')], default='friends', max_length=7, verbose_name='Your recent games')),
                    ('is_trial', models.BooleanField(default=False, editable=False)),
                    ('closes_at', models.DateTimeField(blank=True, db_index=True, editable=False, null=True)),
                    ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                    ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ],
                options={
                    'verbose_name': 'user',
                    'verbose_name_plural': 'users',
                    'abstract': False,
                },
                managers=[
                    ('objects', django.contrib.auth.models.UserManager()),
                ],
            ),
            migrations.CreateModel(
                name='AuditEntry',
                fields=[
                    ('number', models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                    ('at', models.DateTimeField(db_index=True)),
                    ('actor', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('act', models.CharField(db_index=True, max_length=40)),
                    ('about', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('table', models.CharField(blank=True, db_index=True, max_length=20)),
                    ('data', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                    ('previous', models.CharField(max_length=64)),
                    ('digest', models.CharField(max_length=64)),
                ],
                options={
                    'ordering': ['-number'],
                    'default_permissions': (),
                },
            ),
            migrations.CreateModel(
                name='Block',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('blocker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks', to=settings.AUTH_USER_MODEL)),
                    ('blocked', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks_against', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('blocker', 'blocked'), name='block_once'), models.CheckConstraint(condition=models.Q(('blocker', models.F('blocked')), _negated=True), name='block_of_another')],
                },
            ),
            migrations.CreateModel(
                name='BlockedName',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('blocker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocked_names', to=settings.AUTH_USER_MODEL)),
                    ('name', models.CharField(max_length=150)),
                    ('name_key', models.CharField(max_length=450)),
                    ('person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('blocker', 'name_key'), name='blocked_name_once')],
                },
            ),
            migrations.CreateModel(
                name='BotAccount',
                fields=[
                    ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='bot_account', serialize=False, to=settings.AUTH_USER_MODEL)),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bot_accounts', to=settings.AUTH_USER_MODEL)),
                    ('digest', models.CharField(editable=False, max_length=64, null=True, unique=True)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('times_late', models.PositiveIntegerField(default=0)),
                    ('times_refused', models.PositiveIntegerField(default=0)),
                ],
            ),
            migrations.CreateModel(
                name='Export',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exports', to=settings.AUTH_USER_MODEL)),
                    ('code', models.CharField(default=accounts.models.new_export_code, max_length=32, unique=True)),
                    ('asked_at', models.DateTimeField()),
                    ('expires_at', models.DateTimeField(db_index=True)),
                    ('content', models.TextField(blank=True)),
                ],
                options={
                    'ordering': ['-asked_at'],
                    'default_permissions': (),
                },
            ),
            migrations.CreateModel(
                name='Friendship',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='friendships_asked_for', to=settings.AUTH_USER_MODEL)),
                    ('asked', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='friendships_offered', to=settings.AUTH_USER_MODEL)),
                    ('asked_at', models.DateTimeField(auto_now_add=True)),
                    ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(django.db.models.functions.comparison.Least('asked_by', 'asked'), django.db.models.functions.comparison.Greatest('asked_by', 'asked'), name='friendship_once_per_pair'), models.CheckConstraint(condition=models.Q(('asked_by', models.F('asked')), _negated=True), name='friendship_of_two')],
                },
            ),
            migrations.CreateModel(
                name='NameChange',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='name_changes', to=settings.AUTH_USER_MODEL)),
                    ('old', models.CharField(max_length=150, verbose_name='old name')),
                    ('new', models.CharField(max_length=150, verbose_name='new name')),
                    ('at', models.DateTimeField(verbose_name='when')),
                    ('is_counted', models.BooleanField(default=True)),
                ],
                options={
                    'verbose_name': 'change of name',
                    'verbose_name_plural': 'changes of names',
                    'ordering': ['-at'],
                    'default_permissions': ('view',),
                },
            ),
            migrations.CreateModel(
                name='NoticeSettings',
                fields=[
                    ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='notice_settings', serialize=False, to=settings.AUTH_USER_MODEL)),
                    ('daily_bell', models.BooleanField(default=True, verbose_name='Bell on the site')),
                    ('daily_mail', models.BooleanField(default=True, verbose_name='E-mail, at most one an hour')),
                    ('daily_push', models.BooleanField(default=True, verbose_name='Push on your devices')),
                    ('untimed_bell', models.BooleanField(default=False, verbose_name='Bell on the site')),
                    ('untimed_mail', models.BooleanField(default=False, verbose_name='E-mail, at most one an hour')),
                    ('untimed_push', models.BooleanField(default=False, verbose_name='Push on your devices')),
                    ('scheduled_bell', models.BooleanField(default=True, verbose_name='Bell on the site')),
                    ('scheduled_mail', models.BooleanField(default=True, verbose_name='E-mail')),
                    ('scheduled_push', models.BooleanField(default=True, verbose_name='Push on your devices')),
                    ('quiet_from', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='Quiet from')),
                    ('quiet_until', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='Quiet until')),
                    ('mailed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ],
            ),
            migrations.CreateModel(
                name='Notification',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notifications', to=settings.AUTH_USER_MODEL)),
                    ('kind', models.CharField(choices=[('asked', 'Asked'), ('accepted', 'Accepted'), ('invited', 'Invited'), ('again', 'Again'), ('called', 'Called'), ('turn', 'Turn'), ('reminded', 'Reminded'), ('moved', 'Moved'), ('cancelled', 'Cancelled'), ('missed', 'Missed'), ('ruled', 'Ruled'), ('standing', 'Standing'), ('report', 'Report'), ('bot', 'Bot')], max_length=10)),
                    ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('about', models.CharField(blank=True, max_length=20)),
                    ('data', models.JSONField(blank=True, default=dict)),
                    ('at', models.DateTimeField()),
                    ('read_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'ordering': ['-at', '-pk'],
                    'indexes': [models.Index(fields=['user', '-at'], name='accounts_no_user_id_0302d2_idx'), models.Index(condition=models.Q(('read_at__isnull', True)), fields=['user'], name='notification_unread')],
                },
            ),
            migrations.CreateModel(
                name='PushDevice',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='push_devices', to=settings.AUTH_USER_MODEL)),
                    ('endpoint', models.CharField(max_length=500, unique=True)),
                    ('p256dh', models.CharField(max_length=100)),
                    ('auth', models.CharField(max_length=40)),
                    ('added_at', models.DateTimeField(auto_now_add=True)),
                ],
            ),
            migrations.CreateModel(
                name='Sanction',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sanctions', to=settings.AUTH_USER_MODEL)),
                    ('kind', models.CharField(choices=[('note', 'Note'), ('warning', 'Warning'), ('mute', 'Chat ban'), ('unrated', 'Ban from rated games'), ('suspension', 'Suspension'), ('ban', 'Ban')], max_length=10, verbose_name='sanction')),
                    ('reason', models.TextField(max_length=1000, verbose_name='reason')),
                    ('language', models.CharField(max_length=10)),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField()),
                    ('ends_at', models.DateTimeField(blank=True, null=True)),
                    ('read_at', models.DateTimeField(blank=True, null=True)),
                    ('lifted_at', models.DateTimeField(blank=True, null=True)),
                    ('lifted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('lift_reason', models.TextField(blank=True, max_length=1000)),
                    ('expired_at', models.DateTimeField(blank=True, null=True)),
                    ('report', models.PositiveBigIntegerField(blank=True, null=True)),
                ],
                options={
                    'ordering': ['-at', '-pk'],
                    'permissions': [('moderate', 'Moderates'), ('moderate_more', 'Moderates moderators'), ('moderate_all', 'Administers the site')],
                    'default_permissions': (),
                    'indexes': [models.Index(fields=['user', '-at'], name='sanction_of'), models.Index(condition=models.Q(('expired_at__isnull', True), ('lifted_at__isnull', True)), fields=['ends_at'], name='sanction_ending')],
                },
            ),
            migrations.CreateModel(
                name='Signal',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signals', to=settings.AUTH_USER_MODEL)),
                    ('key', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signals', to='accounts.signalkey')),
                    ('kind', models.CharField(choices=[('address', 'Address'), ('device', 'Device')], max_length=7)),
                    ('digest', models.CharField(max_length=64)),
                    ('first_at', models.DateTimeField()),
                    ('last_at', models.DateTimeField()),
                ],
                options={
                    'default_permissions': (),
                    'indexes': [models.Index(fields=['digest', 'kind'], name='signal_shared')],
                    'constraints': [models.UniqueConstraint(fields=('user', 'key', 'kind', 'digest'), name='signal_once')],
                },
            ),
            migrations.CreateModel(
                name='Appeal',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('sanction', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='appeal', to='accounts.sanction')),
                    ('text', models.TextField(max_length=2000)),
                    ('at', models.DateTimeField()),
                    ('outcome', models.CharField(blank=True, choices=[('upheld', 'The sanction stands'), ('lifted', 'The sanction is lifted')], max_length=10)),
                    ('answer', models.TextField(blank=True, max_length=1000)),
                    ('language', models.CharField(blank=True, max_length=10)),
                    ('decided_at', models.DateTimeField(blank=True, db_index=True, null=True)),
                    ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'ordering': ['at'],
                    'default_permissions': (),
                },
            ),
        ]),
        migrations.RunPython(begin, migrations.RunPython.noop, elidable=False),
        migrations.RunPython(seal, unseal, elidable=False),
    ]
