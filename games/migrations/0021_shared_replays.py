from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0020_tempo'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='shares_replay',
            field=models.BooleanField(default=False),
        ),
    ]
