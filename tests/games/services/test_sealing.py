"""The deal of version 2: commitment, freeze, reveals, and attempts that are called off."""

import json
from hashlib import sha256

import pytest

from games.models import PreparedSeed, Table, Terms
from games.rules import record, seals
from games.services import sealing, tables
from games.wording.refusals import Refusal
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.sealing import begin, everything_stored, finish, gather, time_runs_out
from tests.builders.tables import NAMES, fresh, is_over, person, play_until
from tests.games.rules import naive_seal

# Before the table --------------------------------------------------------------------------------


def test_the_commitment_is_on_the_page_with_the_button_and_becomes_the_table_s(db):
    ada = Person(person("Ada"), Table())
    for path in ("/", "/tables/new/"):
        commitment = PreparedSeed.objects.get_or_create(user=ada.user)[0].commitment
        assert f'name="commitment" value="{commitment}"' in ada.get(path).content.decode()

    ada.post("/quick/", {"commitment": commitment, "hash": "ab" * 32})

    table = Table.objects.get()
    assert table.commitment == commitment
    assert table.seats.get(user=ada.user).contribution_hash == "ab" * 32


def test_a_prepared_seed_is_good_for_one_table(db):
    ada = person("Ada")
    commitment = sealing.prepared_commitment(ada)
    terms = Terms(edition="en", seats_wanted=5)

    first, second = (
        tables.open_table(host=ada, terms=terms, commitment=commitment, contribution_hash="ab" * 32)
        for _ in range(2)
    )

    assert first.commitment == commitment != second.commitment
    assert second.seats.get().contribution_hash == ""
    assert sealing.prepared_commitment(ada) != commitment


def test_users_cannot_open_a_table_with_a_seed_prepared_for_another(db):
    commitment = sealing.prepared_commitment(person("Ada"))

    table = tables.quick_game(user=person("Boris"), edition="en", commitment=commitment)

    assert table.commitment != commitment


def test_the_next_table_is_committed_to_on_the_page_of_the_end(browsers):
    table = gather(browsers)
    begin(table)
    for browser in browsers:
        browser.reveal(table)
    play_until(table, is_over)
    promised = fresh(table).next_commitment
    boris = Person(person("Boris"), table)
    assert f'name="commitment" value="{promised}"' in boris.page()

    boris.press("again", hash="cd" * 32)

    again = fresh(table).next_table
    assert again.commitment == promised
    assert again.seats.get(user=boris.user).contribution_hash == "cd" * 32
    assert fresh(table).next_commitment != promised


def test_who_follows_to_the_next_table_draws_for_its_commitment(browsers):
    table = begin(gather(browsers))
    for browser in browsers:
        browser.reveal(table)
    play_until(table, is_over)
    ada, boris, chika = (Person(person(name), table) for name in NAMES[:3])
    stale = fresh(table).next_commitment
    boris.press("again", hash="cd" * 32)
    again = fresh(table).next_table

    assert f'name="commitment" value="{again.commitment}"' in ada.page()
    ada.press("again", hash="ef" * 32)
    chika.post(
        f"{chika.url}again/", {"commitment": fresh(table).next_commitment, "hash": "12" * 32}
    )

    assert again.commitment == stale
    assert again.seats.get(user=ada.user).contribution_hash == "ef" * 32
    # A browser reveals only to the deal that it drew for.
    assert again.seats.get(user=chika.user).contribution_hash == ""


# Hashes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", ["", "zz" * 32, "ab" * 31, "ab" * 33, "ab " * 21 + "a", "é" * 64])
def test_the_server_contributes_for_a_browser_that_sends_no_proper_hash(db, sent):
    table = tables.open_table(
        host=person("Ada"),
        terms=Terms(edition="en", seats_wanted=5),
        commitment=sealing.prepared_commitment(person("Ada")),
        contribution_hash=sent,
    )

    seat = table.seats.get()
    assert seat.contribution_hash == ""
    assert len(seat.contribution) == 64


def test_a_contribution_is_nowhere_on_the_server_before_the_freeze(browsers):
    table = gather(browsers)

    stored = everything_stored(table)

    for browser in browsers:
        for drawn, contribution in browser.kept.items():
            assert drawn in stored
            assert contribution not in stored


def test_a_player_who_has_changed_browsers_draws_anew_until_the_freeze(browsers):
    table = gather(browsers)
    browsers[1].offer(table)
    assert browsers[1].seat(table).contribution_hash == list(browsers[1].kept)[-1]

    begin(table)

    assert refusal_of(browsers[1].offer, table) == Refusal.STALE


def test_a_hash_for_another_seed_is_refused(browsers):
    table = gather(browsers)
    refused = refusal_of(
        sealing.offer_hash,
        table=table,
        user=person("Boris"),
        commitment="00" * 32,
        contribution_hash="ab" * 32,
    )
    assert refused == Refusal.STALE


# From the begin to the cards ---------------------------------------------------------------------


def test_the_cards_are_dealt_when_the_last_browser_has_revealed(browsers):
    table = begin(gather(browsers))
    assert table.stage == Table.Stage.SEALING
    for browser in browsers[:-1]:
        browser.reveal(table)
        assert fresh(table).stage == Table.Stage.SEALING

    browsers[-1].reveal(table)

    table = fresh(table)
    assert table.stage == Table.Stage.RUNNING
    contributions = [browser.kept[browser.seat(table).contribution_hash] for browser in browsers]
    key = naive_seal.key(bytes(table.seed), contributions)
    told = finish(table)
    assert naive_seal.deal(key, 5)["roles"] == [str(role) for role in told.deal.roles]
    assert record.verify(told) == []
    assert told.seal.version == 2
    assert told.seal.by == ("player",) * 5
    assert told.seal.attempts == ()


def test_a_table_without_browsers_begins_at_once(db):
    table = tables.quick_game(user=person("Ada"), edition="en")
    assert table.stage == Table.Stage.RUNNING


def test_commitment_and_hashes_are_shown_before_anything_is_revealed(browsers):
    table = begin(gather(browsers))
    browsers[0].reveal(table)

    page = Person(None, table).page()
    seats = Person(None, table).get(f"{table.get_absolute_url()}seal/seats/").content.decode()
    published = Person(None, table).get(f"{table.get_absolute_url()}seal/").json()

    assert table.commitment in page
    assert published["commitment"] == table.commitment
    for number, browser in enumerate(browsers):
        (drawn, contribution), *_ = browser.kept.items()
        assert drawn in seats
        assert published["hashes"][number] == drawn
        assert contribution not in page + seats + json.dumps(published)
    assert bytes(table.seed).hex() not in page + seats + json.dumps(published)


def test_nothing_is_published_of_a_seal_while_seats_are_free(browsers):
    table = gather(browsers)
    for path in ("seal/", "seal/seats/"):
        assert Person(None, table).get(table.get_absolute_url() + path).status_code == 404


def test_players_cannot_sit_down_leave_or_begin_while_the_cards_are_dealt(browsers):
    table = begin(gather(browsers, seats_wanted=6))
    for act, who in (
        (tables.join_table, "Zoe"),
        (tables.leave_table, "Boris"),
        (tables.start_game, "Ada"),
        (tables.close_table, "Ada"),
        (tables.fill_with_bots, "Ada"),
    ):
        assert refusal_of(act, table=table, user=person(who)) == Refusal.SEALING
    assert fresh(table).seats.count() == 5


def test_a_reveal_that_does_not_fit_the_hash_is_refused(browsers):
    table = begin(gather(browsers))
    for wrong in ("", "00" * 32, browsers[1].kept[browsers[1].seat(table).contribution_hash]):
        refused = refusal_of(
            sealing.reveal,
            table=table,
            user=person("Ada"),
            commitment=table.commitment,
            contribution=wrong,
        )
        assert refused == Refusal.UNCLEAR
    assert browsers[0].seat(table).contribution == ""


def test_players_cannot_reveal_before_the_freeze_and_strangers_never_can(browsers):
    table = gather(browsers)
    assert refusal_of(browsers[0].reveal, table) == Refusal.STALE
    begin(table)
    refused = refusal_of(
        sealing.reveal,
        table=table,
        user=person("Zoe"),
        commitment=table.commitment,
        contribution="00" * 32,
    )
    assert refused == Refusal.NOT_SEATED


def test_a_reveal_sent_twice_counts_once(browsers):
    table = begin(gather(browsers))
    browsers[0].reveal(table)
    browsers[0].reveal(table)
    assert fresh(table).stage == Table.Stage.SEALING


def test_a_reveal_that_is_repeated_after_the_deal_is_not_refused(browsers):
    table = begin(gather(browsers))
    for browser in browsers:
        browser.reveal(table)
    assert fresh(table).stage == Table.Stage.RUNNING

    browsers[0].reveal(table)

    seat = browsers[1].seat(table)
    refused = refusal_of(
        sealing.reveal,
        table=table,
        user=person("Ada"),
        commitment=table.commitment,
        contribution=seat.contribution,
    )
    assert refused == Refusal.STALE


def test_a_seat_without_javascript_delays_no_one_and_the_record_says_so(browsers):
    table = gather(browsers[:4], seats_wanted=5)
    tables.join_table(table=table, user=person("Ewa"))
    begin(table)
    for browser in browsers[:4]:
        browser.reveal(table)

    told = finish(table)

    assert told.seal.by == ("player",) * 4 + ("server",)
    assert record.verify(told) == []


def test_a_player_whose_page_is_closed_delays_no_one(browsers):
    table = gather(browsers)
    table.seats.filter(user=person("Ewa")).update(is_connected=False)
    begin(table)
    for browser in browsers[:4]:
        browser.reveal(table)

    assert fresh(table).stage == Table.Stage.RUNNING
    assert finish(table).seal.by[4] == "server"


def test_bots_draw_by_the_seats_of_the_deal_not_by_those_where_they_sat_down(browsers):
    table = gather(browsers[:3], seats_wanted=6)
    tables.fill_with_bots(table=table, user=table.host)
    boris = browsers[1]
    tables.leave_table(table=table, user=boris.user)

    table = begin(table)

    seats = list(table.seats.all())
    assert [seat.number for seat in seats] == [0, 1, 2, 3, 4]
    for seat in seats:
        if seat.is_bot:
            drawn = sha256(f"{table.commitment}:bot:{seat.number}".encode()).hexdigest()
            assert seat.contribution == drawn


def test_bots_draw_from_what_is_public(browsers):
    table = gather(browsers[:4], seats_wanted=5)
    tables.fill_with_bots(table=table, user=table.host)
    begin(table)
    for browser in browsers[:4]:
        browser.reveal(table)

    seat = table.seats.get(user=None)
    assert seat.contribution == sha256(f"{table.commitment}:bot:4".encode()).hexdigest()
    assert seat.contribution_hash == ""


# Attempts that are called off --------------------------------------------------------------------


def test_a_browser_that_does_not_reveal_is_named_and_everything_is_drawn_anew(browsers):
    table = begin(gather(browsers))
    first = table.commitment
    frozen = Person(None, table).get(f"{table.get_absolute_url()}seal/").json()
    for browser in browsers[:4]:
        browser.reveal(table)

    table = time_runs_out(table)

    assert table.stage == Table.Stage.SEALING
    assert table.commitment != first
    assert "No answer from <bdi>Ewa</bdi>" in Person(None, table).page()
    for browser in browsers[:4]:
        browser.offer(table)
    frozen_again = Person(None, table).get(f"{table.get_absolute_url()}seal/").json()
    for browser in browsers[:4]:
        browser.reveal(table)
    assert fresh(table).stage == Table.Stage.RUNNING
    told = finish(table)
    assert record.verify(told) == []
    assert told.seal.by == ("player",) * 4 + ("server",)
    (attempt,) = told.seal.attempts
    assert attempt.commitment == first
    assert attempt.missing == (4,)
    assert attempt.contributions[4] is None
    assert attempt.contributions[0] == next(iter(browsers[0].kept.values()))
    for published in (frozen, frozen_again):
        assert seals.verify_published(told.seal, seals.read_published(published)) == []
