import accounts.profiles.languages
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_profile")]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True,
                choices=accounts.profiles.languages.site_languages,
                help_text="The language of the site and of every table for this person.",
                max_length=10,
                verbose_name="language",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="mail_language",
            field=models.CharField(
                blank=True,
                choices=accounts.profiles.languages.site_languages,
                default="",
                max_length=10,
                verbose_name="language of mails",
            ),
        ),
    ]
