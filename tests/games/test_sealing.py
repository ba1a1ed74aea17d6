"""The deal of version 2: commitment, freeze, reveals, and attempts that are called off."""

import json
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from itertools import count

import pytest
from django.db import transaction
from django.utils import timezone

from games.models import PreparedSeed, Starts, Table, Terms
from games.refusals import Refusal, Refused
from games.rules import record, seals
from games.services import play, questions, sealing, tables
from games.services.departures import person_depart
from games.services.replacing import seat_pass
from tests.games.person import Person
from tests.games.stories import NAMES, fresh, is_over, person, play_until, run_table
from tests.rules import naive_seal

_numbers = count(1)


@dataclass
class Browser:
    """A player's browser, which keeps what it drew, as games/static/games/seal.js does."""

    name: str
    kept: dict[str, str] = field(default_factory=dict)

    @property
    def user(self):
        return person(self.name)

    def draw(self) -> str:
        contribution = f"{next(_numbers):064x}"
        drawn = sha256(bytes.fromhex(contribution)).hexdigest()
        self.kept[drawn] = contribution
        return drawn

    def seat(self, table: Table):
        return table.seats.get(user=self.user)

    def offer(self, table: Table) -> None:
        sealing.offer_hash(
            table=table,
            user=self.user,
            commitment=fresh(table).commitment,
            contribution_hash=self.draw(),
        )

    def reveal(self, table: Table) -> None:
        sealing.reveal(
            table=table,
            user=self.user,
            commitment=fresh(table).commitment,
            contribution=self.kept[self.seat(table).contribution_hash],
        )


@pytest.fixture
def browsers(db) -> list[Browser]:
    return [Browser(name) for name in NAMES[:5]]


def gather(browsers: list[Browser], **terms: object) -> Table:
    """Return a full table to which every browser has sent a hash."""
    host, *others = browsers
    table = tables.open_table(
        host=host.user,
        terms=Terms(**({"edition": "en", "seats_wanted": len(browsers)} | terms)),
        commitment=sealing.prepared_commitment(host.user),
        contribution_hash=host.draw(),
    )
    for browser in others:
        tables.join_table(table=table, user=browser.user, contribution_hash=browser.draw())
    return fresh(table)


def begin(table: Table) -> Table:
    tables.start_game(table=table, user=table.host)
    return fresh(table)


def time_runs_out(table: Table) -> Table:
    questions.settle(table.pk, now=fresh(table).asked_until + timedelta(seconds=1))
    return fresh(table)


def refusal_of(act, *args: object, **kwargs: object) -> Refusal:
    with pytest.raises(Refused) as told:
        act(*args, **kwargs)
    return told.value.refusal


def everything_stored(table: Table) -> str:
    rows = [*Table.objects.filter(pk=table.pk).values(), *table.seats.values()]
    return str(rows)


def finish(table: Table) -> record.Record:
    """Play the game to its end and return its record, as it is downloaded."""
    play_until(table, is_over)
    answer = Person(None, table).get(f"{table.get_absolute_url()}record/")
    return record.read_record(json.loads(answer.content))


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
    published = Person(None, table).get(f"{table.get_absolute_url()}seal/").json()

    assert table.commitment in page
    assert published["commitment"] == table.commitment
    for number, browser in enumerate(browsers):
        (drawn, contribution), *_ = browser.kept.items()
        assert drawn in page
        assert published["hashes"][number] == drawn
        assert contribution not in page + json.dumps(published)
    assert bytes(table.seed).hex() not in page + json.dumps(published)


def test_nothing_is_published_of_a_seal_while_seats_are_free(browsers):
    table = gather(browsers)
    assert Person(None, table).get(f"{table.get_absolute_url()}seal/").status_code == 404


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
    assert "No answer from: <bdi>Ewa</bdi>" in Person(None, table).page()
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


def test_nothing_is_published_while_browsers_draw_anew(browsers):
    """A file saved then would not fit the record, and accuse an honest server."""
    table = begin(gather(browsers))
    browsers[0].reveal(table)
    time_runs_out(table)
    address = f"{table.get_absolute_url()}seal/"
    assert Person(None, table).get(address).status_code == 404

    browsers[0].offer(table)
    assert Person(None, table).get(address).status_code == 200


def test_nothing_drawn_for_an_attempt_is_used_again(browsers):
    table = begin(gather(browsers))
    browsers[0].reveal(table)
    before = set(table.seats.values_list("contribution_hash", flat=True))
    time_runs_out(table)
    browsers[0].offer(table)
    after = set(table.seats.values_list("contribution_hash", flat=True)) - {""}
    assert len(after) == 1
    assert not after & before


def test_a_hash_of_an_attempt_that_was_called_off_is_refused(browsers):
    table = begin(gather(browsers))
    first = browsers[0].seat(table).contribution_hash
    browsers[0].reveal(table)
    table = time_runs_out(table)

    for name in ("Ada", "Boris"):
        refusal = refusal_of(
            sealing.offer_hash,
            table=table,
            user=person(name),
            commitment=table.commitment,
            contribution_hash=first,
        )
        assert refusal == (Refusal.UNCLEAR if name == "Ada" else Refusal.STALE)


def test_the_time_runs_out_for_the_new_hash_too_and_the_server_draws(browsers):
    table = begin(gather(browsers))
    for browser in browsers[:4]:
        browser.reveal(table)
    time_runs_out(table)
    for browser in browsers[:3]:
        browser.offer(table)

    time_runs_out(table)
    for browser in browsers[:3]:
        browser.reveal(table)

    told = finish(table)
    assert told.seal.by == ("player",) * 3 + ("server",) * 2
    # The hash was never frozen, so no attempt was called off.
    assert [attempt.missing for attempt in told.seal.attempts] == [(4,)]


def test_a_table_has_at_most_as_many_attempts_as_browsers(browsers):
    table = begin(gather(browsers))
    for left in range(4, -1, -1):
        assert fresh(table).stage == Table.Stage.SEALING
        for browser in browsers[:left]:
            browser.reveal(table)
        time_runs_out(table)
        for browser in browsers[:left]:
            browser.offer(table)

    assert fresh(table).stage == Table.Stage.RUNNING
    told = finish(table)
    assert [attempt.missing for attempt in told.seal.attempts] == [(4,), (3,), (2,), (1,), (0,)]
    assert record.verify(told) == []


def test_the_clock_does_nothing_while_there_is_time(browsers):
    table = begin(gather(browsers))
    questions.settle(table.pk, now=timezone.now())
    assert fresh(table).commitment == table.commitment
    assert fresh(table).seal_attempts == []


def test_attempts_follow_the_seats_when_they_are_drawn_by_lot(browsers):
    table = gather(browsers)
    Table.objects.filter(pk=table.pk).update(shuffles_seats=True)
    begin(fresh(table))
    for browser in browsers[:4]:
        browser.reveal(table)
    time_runs_out(table)
    for browser in browsers[:4]:
        browser.offer(table)
    published = Person(None, table).get(f"{table.get_absolute_url()}seal/").json()
    for browser in browsers[:4]:
        browser.reveal(table)

    told = finish(table)

    assert record.verify(told) == []
    assert told.seal.seats_drawn
    (attempt,) = told.seal.attempts
    assert [told.seats[seat] for seat in attempt.missing] == ["Ewa"]
    assert seals.verify_published(told.seal, seals.read_published(published)) == []


def test_an_account_that_departs_while_the_cards_are_dealt_stops_nothing(browsers):
    table = begin(gather(browsers))

    person_depart(person("Ewa"))
    for browser in browsers[:4]:
        browser.reveal(table)
    time_runs_out(table)
    for browser in browsers[:4]:
        browser.offer(table)
    for browser in browsers[:4]:
        browser.reveal(table)
    assert fresh(table).stage == Table.Stage.RUNNING


def test_a_game_that_begins_while_an_account_goes_does_not_wait_for_it(browsers, monkeypatch):
    other = run_table(["Ewa", *NAMES[:4]])
    table = begin(gather(browsers, pace="untimed", visibility="unlisted"))
    for browser in browsers[:4]:
        browser.reveal(table)
    leave = play.leave_for_good

    def and_meanwhile_the_last_browser_reveals(**about: object) -> None:
        if about["table"] == other:
            browsers[4].reveal(table)
        leave(**about)

    monkeypatch.setattr(play, "leave_for_good", and_meanwhile_the_last_browser_reveals)
    told = []
    monkeypatch.setattr(play.Sitting, "set_alarms", lambda sitting, **_: told.append(sitting.table))
    person_depart(person("Ewa"))

    assert fresh(table).stage == Table.Stage.RUNNING
    assert not table.seats.filter(user__isnull=False, name="Ewa").exists()
    assert table in told


def test_a_full_table_that_asks_whether_all_are_ready_deals_in_the_same_way(browsers):
    from games.services import ready

    table = gather(browsers, starts=Starts.FULL)
    for browser in browsers[:-1]:
        ready.say_ready(table=table, user=browser.user)
    assert fresh(table).stage == Table.Stage.SEALING
    for browser in browsers:
        browser.reveal(table)
    assert fresh(table).stage == Table.Stage.RUNNING


def test_a_table_from_before_keeps_version_1_of_the_seal(browsers):
    table = gather(browsers)
    Table.objects.filter(pk=table.pk).update(seal_version=1)
    for number, seat in enumerate(table.seats.all()):
        table.seats.filter(pk=seat.pk).update(contribution=f"{number:032x}", contribution_hash="")

    begin(fresh(table))

    told = finish(fresh(table))
    assert told.seal.version == 1
    assert record.verify(told) == []
    assert Person(None, table).get(f"{table.get_absolute_url()}seal/").status_code == 404


# By the page's script ----------------------------------------------------------------------------


def test_the_page_tells_its_script_what_to_do(browsers):
    table = gather(browsers[:4], seats_wanted=5)
    tables.join_table(table=table, user=person("Ewa"))
    ada, ewa, watcher = (Person(person(name), table) for name in ("Ada", "Ewa", "Sofia"))
    own = browsers[0].seat(table).contribution_hash
    assert f'data-step="offer" data-hash="{own}"' in ada.page()
    assert 'data-step="offer" data-hash=""' in ewa.page()

    begin(table)

    assert f'data-step="reveal" data-hash="{own}"' in ada.page()
    assert "data-step" not in ewa.page()
    assert "data-step" not in watcher.page()
    contribution = browsers[0].kept[own]
    data = {"commitment": fresh(table).commitment, "contribution": contribution}
    assert ada.post(f"{ada.url}seal/", data).status_code == 204
    assert ada.post(f"{ada.url}seal/", {"commitment": "", "hash": ""}).status_code == 409
    assert ewa.post(f"{ewa.url}seal/", data).status_code == 409
    assert watcher.post(f"{ada.url}seal/", data).status_code == 422


def test_two_seats_with_one_hash_have_one_contribution(browsers):
    table = gather(browsers)
    copied = browsers[0].seat(table).contribution_hash
    table.seats.filter(user=browsers[1].user).update(contribution_hash=copied)

    begin(table)

    assert browsers[0].seat(table).contribution_hash == copied
    assert browsers[1].seat(table).contribution_hash == ""
    assert browsers[1].seat(table).contribution != ""


def test_a_player_who_takes_over_a_seat_is_not_named_for_the_reveal_that_was_missed(browsers):
    table = begin(gather(browsers))
    for browser in browsers[:4]:
        browser.reveal(table)
    time_runs_out(table)
    for browser in browsers[:4]:
        browser.offer(table)
    for browser in browsers[:4]:
        browser.reveal(table)
    assert "No answer from: <bdi>Ewa</bdi>" in Person(None, table).page()

    with transaction.atomic():
        sitting = play.sit_down_at(fresh(table), timezone.now())
        seat_pass(sitting, 4, newcomer=person("Sofia"), name="Sofia")
        sitting.save()

    assert "No answer from" not in Person(None, table).page()
