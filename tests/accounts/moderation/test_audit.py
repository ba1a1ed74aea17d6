"""The audit log: every change to it is detected."""

import json
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from io import BytesIO, StringIO
from threading import Barrier

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from accounts.auth.roles import Rank
from accounts.models import AuditEntry, AuditHead
from accounts.moderation.audit_key import SEALED_ACT, audit_keys, plain_digest, sealed_digest
from accounts.moderation.audit_protection import unsealed
from accounts.services.account_deletion import erase_due_accounts
from accounts.services.audit import Break, find_audit_break, write_audit, write_audit_anchor
from config.backup.file import Reader
from config.backup.reading import read_backup
from config.backup.writing import write_backup
from tests.accounts.office import at_the_desk, officer, sanctioned

pytestmark = pytest.mark.both_databases


@pytest.fixture(autouse=True)
def _head_of_the_chain(request: pytest.FixtureRequest) -> None:
    """Create the row that a migration creates; tests with real transactions empty its table."""
    if request.node.get_closest_marker("django_db"):
        request.getfixturevalue("db")
        AuditHead.objects.get_or_create(pk=1)


def some(count: int = 5) -> None:
    for number in range(count):
        write_audit(
            actor=None, act="test_act", table="ABCD", data={"n": number, "ß": [1.5, None, "я"]}
        )


def tamper(sql: str) -> None:
    """Run `sql` as an attacker who owns the database and can disable the audit's trigger."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE accounts_auditentry DISABLE TRIGGER audit_stays")
            cursor.execute(sql)
            cursor.execute("ALTER TABLE accounts_auditentry ENABLE TRIGGER audit_stays")
        return
    with unsealed(connection), connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.django_db
def test_the_database_refuses_to_change_or_delete_a_row():
    some()
    for sql in (
        "UPDATE accounts_auditentry SET act = 'x' WHERE number = 3",
        "DELETE FROM accounts_auditentry WHERE number = 3",
    ):
        with (
            pytest.raises(DatabaseError, match="append-only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(sql)
    assert AuditEntry.objects.count() == 5 and find_audit_break() is None


@pytest.mark.django_db
def test_it_can_be_emptied_where_a_backup_is_restored_and_is_sealed_after_it():
    some()
    if connection.vendor == "sqlite":
        with unsealed(connection), connection.cursor() as cursor:
            cursor.execute("DELETE FROM accounts_auditentry")
        some(1)
    with pytest.raises(DatabaseError), transaction.atomic():
        AuditEntry.objects.update(act="x")


@pytest.mark.django_db
def test_a_whole_chain_is_verified(capsys):
    call_command("verify_audit")
    some()
    call_command("verify_audit")
    line = capsys.readouterr().out.splitlines()[-1]
    some()
    call_command("verify_audit", anchor=[line])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sql", "where"),
    [
        ("UPDATE accounts_auditentry SET act = 'kindness' WHERE number = 3", 3),
        ("UPDATE accounts_auditentry SET about_id = 7 WHERE number = 3", 3),
        ("UPDATE accounts_auditentry SET data = '{}' WHERE number = 2", 2),
        ("DELETE FROM accounts_auditentry WHERE number = 3", 3),
        ("DELETE FROM accounts_auditentry WHERE number = 5", 6 - 1),
        ("DELETE FROM accounts_auditentry WHERE number = 1", 1),
        ("UPDATE accounts_auditentry SET number = 9 WHERE number = 4", 4),
    ],
)
def test_a_broken_chain_is_found_where_it_is_broken(sql, where):
    some()
    tamper(sql)
    with pytest.raises(CommandError, match=rf"entry {where}\b"):
        call_command("verify_audit")


@pytest.mark.django_db
def test_a_chain_that_was_written_anew_is_not_the_one_that_was_noted(capsys):
    some()
    call_command("verify_audit")
    line = capsys.readouterr().out.splitlines()[-1]
    tamper("DELETE FROM accounts_auditentry")
    AuditHead.objects.update(number=0, digest="0" * 64)
    some()
    call_command("verify_audit")
    with pytest.raises(CommandError, match="another than the anchor knows"):
        call_command("verify_audit", anchor=[line])


# The key, which is not in the database ------------------------------------------------------------


def write_anew(digest: Callable[[AuditEntry], str], *, start: int = 1, act: str = "other") -> None:
    """Replace rows `start` to 5, as an attacker could who can write to the database."""
    tamper(f"DELETE FROM accounts_auditentry WHERE number >= {start}")
    before = AuditEntry.objects.filter(number=start - 1).first()
    previous = before.digest if before else "0" * 64
    for number in range(start, 6):
        entry = AuditEntry(number=number, at=timezone.now(), act=act, data={}, previous=previous)
        entry.digest = previous = digest(entry)
        entry.save(force_insert=True)
    AuditHead.objects.update(number=5, digest=previous)


@pytest.mark.django_db
@pytest.mark.parametrize("start", [1, 3, 5])
@pytest.mark.parametrize("site_goes_on", [False, True])
@pytest.mark.parametrize(
    "digest", [plain_digest, partial(sealed_digest, key="a guess")], ids=["plain", "other key"]
)
def test_an_attacker_with_the_database_cannot_forge_rows(digest, site_goes_on, start):
    some()
    write_anew(digest, start=start)
    if site_goes_on:
        some(2)

    with pytest.raises(CommandError, match="The chain is broken"):
        call_command("verify_audit")


@pytest.mark.django_db
def test_plain_rows_that_claim_to_begin_the_key_are_found():
    some()
    write_anew(plain_digest, act=SEALED_ACT)

    with pytest.raises(CommandError, match=r"entry 1 without a seal"):
        call_command("verify_audit")


def seal_with_key() -> None:
    """Write the row that followed the plain ones when the audit got its key."""
    head = AuditHead.objects.get(pk=1)
    entry = AuditEntry(
        number=head.number + 1, at=timezone.now(), act=SEALED_ACT, data={}, previous=head.digest
    )
    entry.digest = sealed_digest(entry, audit_keys()[0])
    entry.save(force_insert=True)
    AuditHead.objects.update(number=entry.number, digest=entry.digest)


@pytest.mark.django_db
def test_a_chain_from_before_the_key_holds_and_the_key_s_first_row_fixes_it(capsys):
    write_anew(plain_digest)
    with pytest.raises(CommandError, match="without a seal"):
        call_command("verify_audit")

    seal_with_key()
    some(2)

    call_command("verify_audit")
    assert "holds: 8 entries" in capsys.readouterr().out
    assert AuditEntry.objects.get(number=6).act == SEALED_ACT
    for sql in (
        "UPDATE accounts_auditentry SET act = 'x' WHERE number = 2",
        "DELETE FROM accounts_auditentry WHERE number = 6",
    ):
        with transaction.atomic():
            tamper(sql)
            with pytest.raises(CommandError, match="The chain is broken"):
                call_command("verify_audit")
            transaction.set_rollback(True)


@pytest.mark.django_db
def test_the_rows_from_before_the_key_cannot_be_replaced_after_it():
    write_anew(plain_digest)
    seal_with_key()
    kept = AuditEntry.objects.get(number=6)
    write_anew(plain_digest)
    kept.save(force_insert=True)
    AuditHead.objects.update(number=6, digest=kept.digest)

    with pytest.raises(CommandError, match="entry 6 does not follow"):
        call_command("verify_audit")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "kept"),
    [
        ({"SECRET_KEY": "the new one"}, {"SECRET_KEY_FALLBACKS": ["the first one"]}),
        ({"AUDIT_KEY": "one of its own"}, {}),
        (
            {"AUDIT_KEY": "one of its own", "SECRET_KEY": "the new one"},
            {"AUDIT_KEY_FALLBACKS": ["the first one"]},
        ),
    ],
)
def test_a_key_can_be_changed_while_the_old_one_is_kept(settings, changed, kept):
    settings.SECRET_KEY = "the first one"
    some()
    for name, value in (changed | kept).items():
        setattr(settings, name, value)
    some()

    assert find_audit_break() is None
    settings.SECRET_KEY_FALLBACKS, settings.AUDIT_KEY_FALLBACKS = [], []
    if kept:
        assert find_audit_break() == Break(1, "changed since it was written, or its key is another")


@pytest.mark.django_db
def test_a_new_secret_key_does_not_change_the_audit_s_own_key(settings):
    settings.AUDIT_KEY, settings.SECRET_KEY = "one of its own", "the first one"
    some()
    settings.SECRET_KEY = "the new one"
    some()

    assert find_audit_break() is None


@pytest.mark.django_db
def test_after_a_lost_key_the_chain_is_verified_from_there_on(settings, capsys):
    some()
    settings.SECRET_KEY = "the new one"
    some(3)
    with pytest.raises(CommandError, match=r"entry 1 .* its key is another"):
        call_command("verify_audit")

    call_command("verify_audit", start=6)

    assert "holds: 8 entries" in capsys.readouterr().out
    tamper("UPDATE accounts_auditentry SET act = 'x' WHERE number = 7")
    with pytest.raises(CommandError, match="entry 7 changed"):
        call_command("verify_audit", start=6)


@pytest.mark.django_db
def test_without_a_key_that_lasts_nothing_is_sealed_or_verified(settings):
    some(1)
    settings.SECRET_KEY_LASTS = False

    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        some(1)
    with pytest.raises(CommandError, match="SECRET_KEY"):
        call_command("verify_audit")
    assert AuditEntry.objects.count() == 1


# Anchors: log lines kept elsewhere ----------------------------------------------------------------


@pytest.fixture
def daily_line(caplog) -> Callable[..., str]:
    """Return a function for what the daily task logs, or "" if it logs nothing."""

    def line(**later: int) -> str:
        caplog.clear()
        caplog.set_level(logging.INFO)
        write_audit_anchor(now=timezone.now() + timedelta(**later))
        return caplog.messages[-1] if caplog.messages else ""

    return line


@pytest.mark.django_db
def test_once_a_day_the_log_says_how_long_the_chain_is_and_how_it_ends(daily_line, settings):
    some()
    line = daily_line()
    some()

    digest = AuditEntry.objects.get(number=5).digest
    assert line == f"audit anchor {timezone.now():%Y-%m-%d} 5:{digest}"
    assert settings.SECRET_KEY not in line
    assert daily_line(seconds=1) == ""
    assert " 10:" in daily_line(days=1)


@pytest.mark.django_db
def test_a_longer_chain_agrees_with_its_earlier_anchors(daily_line, capsys, monkeypatch):
    first = daily_line()
    some()
    second = daily_line(days=1)
    some()
    call_command("verify_audit", anchor=[first, second])
    assert "every anchor: 2" in capsys.readouterr().out
    log = f"INFO worker: {second}\n{json.dumps({'event': first})}\nINFO another line\n"
    monkeypatch.setattr("sys.stdin", StringIO(log))

    call_command("verify_audit", anchor=["-"])

    assert "every anchor: 2" in capsys.readouterr().out


@pytest.mark.django_db
@pytest.mark.parametrize("site_goes_on", [False, True])
def test_an_anchor_shows_rows_that_were_removed_at_the_end(daily_line, site_goes_on):
    some()
    line = daily_line()
    tamper("DELETE FROM accounts_auditentry WHERE number > 3")
    AuditHead.objects.update(number=3, digest=AuditEntry.objects.get(number=3).digest)
    if site_goes_on:
        some()
    call_command("verify_audit")

    with pytest.raises(CommandError, match="another" if site_goes_on else "entry 5 missing"):
        call_command("verify_audit", anchor=[line])


@pytest.mark.django_db
def test_an_anchor_shows_a_chain_that_the_key_s_holder_wrote_anew(daily_line, settings):
    some()
    line = daily_line()
    write_anew(partial(sealed_digest, key=settings.SECRET_KEY))
    call_command("verify_audit")

    with pytest.raises(CommandError, match="entry 5 another than the anchor knows"):
        call_command("verify_audit", anchor=[line])


@pytest.mark.django_db
@pytest.mark.parametrize("given", ["", "yesterday", "5:", "x" * 70, f"5:{'g' * 64}"])
def test_text_without_an_anchor_is_refused(given):
    with pytest.raises(CommandError, match="no anchor"):
        call_command("verify_audit", anchor=[given])


@pytest.mark.django_db(transaction=True)
def test_a_restored_backup_holds_under_its_key_and_not_under_another(settings, daily_line, capsys):
    some()
    before = daily_line()
    file = BytesIO()
    write_backup(file)
    some()
    after = daily_line(days=1)
    file.seek(0)
    read_backup(Reader(file), replace=True)

    call_command("verify_audit", anchor=[before])
    with pytest.raises(CommandError, match="entry 10 missing: the chain ends with entry 5"):
        call_command("verify_audit", anchor=[after])
    settings.SECRET_KEY = "of another site"
    some(2)
    with pytest.raises(CommandError, match=r"entry 1 .* its key is another"):
        call_command("verify_audit")
    call_command("verify_audit", start=6)


# Concurrent writers -------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_postgres
def test_many_writers_at_once_make_one_chain():
    together = Barrier(4)

    def write(_: int) -> None:
        try:
            together.wait(10)
            for _ in range(5):
                with transaction.atomic():
                    write_audit(actor=None, act="test_act")
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))

    assert AuditEntry.objects.count() == 20 and find_audit_break() is None


@pytest.mark.django_db
def test_what_is_rolled_back_leaves_no_hole():
    some(1)
    with transaction.atomic():
        write_audit(actor=None, act="never_done")
        transaction.set_rollback(True)
    some(1)
    assert find_audit_break() is None


@pytest.mark.django_db
def test_someone_leaves_and_the_chain_holds(ada):
    mira = officer("Mira", Rank.MODERATOR)
    sanctioned(ada, "mute", mira)
    sanctioned(ada, "warning", mira)
    ada.closes_at = timezone.now() - timedelta(days=1)
    ada.save()

    assert erase_due_accounts(now=timezone.now()) == 1

    assert find_audit_break() is None
    page = at_the_desk(officer("Sena", Rank.SENIOR)).get("/moderation/audit/").content.decode()
    assert "Someone who has left" in page and "Ada" not in page


@pytest.mark.django_db
def test_the_page_finds_by_person_table_act_and_number(ada):
    sena = officer("Sena", Rank.SENIOR)
    sanctioned(ada, "mute", sena)
    some(60)
    desk = at_the_desk(sena)

    def numbers(words: str, page: int = 1) -> int:
        html = desk.get("/moderation/audit/", {"q": words, "page": page}).content.decode()
        return html.count('class="audit-data"')

    assert numbers("ada") == 1 and numbers("sanction_impose") == 1 and numbers("1") == 1
    assert (numbers("abcd"), numbers("abcd", page=2)) == (50, 10)
    assert numbers("nobody") == 0 and numbers("") == 50
