"""The audit: nothing in it can be changed unseen, and everybody may read the counts."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from hashlib import sha256
from threading import Barrier

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from accounts.models import AuditEntry, AuditHead, Sanction
from accounts.roles import Rank
from accounts.seal import unsealed
from accounts.services.audit import audit_break, audit_write
from accounts.services.departures import due_erase
from tests.accounts.office import at_the_desk, officer, sanctioned


def some(count: int = 5) -> None:
    for number in range(count):
        audit_write(
            actor=None, act="test_act", table="ABCD", data={"n": number, "ß": [1.5, None, "я"]}
        )


def tamper(sql: str) -> None:
    """What somebody does who owns the database, and with it the seal."""
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
    assert AuditEntry.objects.count() == 5 and audit_break() is None


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
    call_command("verify_audit", head=line)


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
    with pytest.raises(CommandError, match="another"):
        call_command("verify_audit", head=line)


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_postgres
def test_many_writers_at_once_make_one_chain():
    together = Barrier(4)

    def write(_: int) -> None:
        try:
            together.wait(10)
            for _ in range(5):
                with transaction.atomic():
                    audit_write(actor=None, act="test_act")
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))

    assert AuditEntry.objects.count() == 20 and audit_break() is None


@pytest.mark.django_db
def test_what_is_rolled_back_leaves_no_hole():
    some(1)
    with transaction.atomic():
        audit_write(actor=None, act="never_done")
        transaction.set_rollback(True)
    some(1)
    assert audit_break() is None


@pytest.mark.django_db
def test_somebody_leaves_and_the_chain_holds(ada):
    mira = officer("Mira", Rank.MODERATOR)
    sanctioned(ada, "mute", mira)
    sanctioned(ada, "warning", mira)
    ada.closes_at = timezone.now() - timedelta(days=1)
    ada.save()

    assert due_erase(now=timezone.now()) == 1

    assert audit_break() is None
    page = at_the_desk(officer("Sena", Rank.SENIOR)).get("/moderation/audit/").content.decode()
    assert "Somebody who has left" in page and "Ada" not in page


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
    assert numbers("nobody") == 0 and numbers("\0") == 50


@pytest.mark.django_db
def test_everybody_reads_how_often_what_was_done_and_nothing_else(ada, client):
    mira = officer("Mira", Rank.MODERATOR)
    for kind in ("mute", "warning", "warning", "note"):
        sanctioned(ada, kind, mira, reason="Nobody else reads it")

    html = client.get("/conduct/").content.decode()

    assert "<dt>Warnings</dt><dd>2</dd>" in html
    assert "<dt>Chat bans</dt><dd>1</dd>" in html
    # What did not happen takes no room, and the months without anything share a line.
    assert "<dt>Bans</dt>" not in html
    assert html.count("None.") == 1
    assert "Ada" not in html and "Nobody else" not in html


@pytest.mark.django_db
def test_the_page_says_what_was_done_in_words_and_folds_up_what_stands_for_a_text(ada):
    sena = officer("Sena", Rank.SENIOR)
    sanctioned(ada, "warning", sena, reason="You shouted at Boris.")
    audit_write(actor=sena, act="role_give", data={"from": "person", "to": "moderator"})
    audit_write(actor=None, act="switches_set", data={"maintenance": False, "message": {}})
    desk = at_the_desk(sena)

    html = desk.get("/moderation/audit/").content.decode()
    polish = desk.get("/moderation/audit/", headers={"accept-language": "pl"}).content.decode()

    facts = re.findall(r'<ul class="audit-data">(.*?)</ul>', html, re.DOTALL)
    words = [" ".join(re.sub(r"<[^>]+>", " ", each).split()) for each in facts]
    digest = sha256(b"You shouted at Boris.").hexdigest()
    assert words == [
        "Maintenance: No",
        "Role: No role → Moderator",
        f"Sanction: Warning #{Sanction.objects.get().pk} Reason: SHA-256 {digest[:8]}… {digest}",
    ]
    assert "Ostrzeżenie" in polish and "Warning" not in polish
    assert "null" not in html and "{" not in "".join(facts)


@pytest.mark.django_db
def test_months_without_anything_share_a_line_and_several_with_something_have_a_sum(
    ada, client, monkeypatch
):
    mira = officer("Mira", Rank.MODERATOR)
    now = timezone.now().replace(day=15)
    for ago in (timedelta(days=91), timedelta(), timedelta()):
        monkeypatch.setattr(timezone, "now", lambda moment=now - ago: moment)
        sanctioned(ada, "warning", mira)

    html = client.get("/conduct/").content.decode()

    assert re.findall(r"<dt>Warnings</dt><dd>(\d+)</dd>", html) == ["3", "2", "1"]
    # Between the two months, and before the older one.
    assert html.count("None.") == 2
