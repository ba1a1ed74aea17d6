from django.db import migrations
from django.utils import timezone

from accounts.moderation.audit_key import SEALED_ACT, audit_keys, sealed_digest


def seal_with_key(apps, schema_editor):
    """Change to digests with a key. Earlier rows stay as they are.

    The row that this adds follows from the last of them, and only the key's holder can write it.
    """
    head = apps.get_model("accounts", "AuditHead").objects.select_for_update().get(pk=1)
    if head.number == 0:
        return
    entry = apps.get_model("accounts", "AuditEntry")(
        number=head.number + 1, at=timezone.now(), act=SEALED_ACT, data={}, previous=head.digest
    )
    entry.digest = sealed_digest(entry, audit_keys()[0])
    entry.save(force_insert=True)
    head.number, head.digest = entry.number, entry.digest
    head.save()


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_blocked_names")]

    operations = [migrations.RunPython(seal_with_key, migrations.RunPython.noop, elidable=False)]
