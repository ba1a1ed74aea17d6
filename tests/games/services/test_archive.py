"""The archive: how finished games get into it, and how they leave it."""

from io import StringIO
from random import Random

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.services import account_deletion
from games.models import (
    ArchivedGame,
    ArchivedMoment,
    ArchivedSeat,
    Game,
    GameAction,
    Message,
    SiteTally,
    Table,
    UnarchivedGame,
)
from games.rules.claims import agrees, claim_json, sight_of
from games.rules.components import Party, Policy
from games.rules.knowledge import Knowledge, Received
from games.rules.legality import legal_actions
from games.rules.view import view_for
from games.services import archive
from games.tasks import archive_games
from tests.builders.tables import (
    NAMES,
    fresh,
    is_over,
    person,
    play_until,
    position,
    run_table,
)

pytestmark = pytest.mark.django_db


def played(seed: int = 0, *, with_claims: bool = False, **terms: object) -> Table:
    """Return a table whose game was just played to its end by chance, with lies if wanted."""
    table = run_table(**terms)
    chance = Random(seed)
    if with_claims:
        state = position(table).state
        while state.outcome is None:
            target = state.round
            play_until(
                table,
                lambda at, target=target: at.round > target or is_over(at),
                lambda at, seat: chance.choice(legal_actions(at, seat)),
            )
            state = position(table).state
            if state.outcome is None:
                _claim(table, target, chance)
        return fresh(table)
    play_until(table, is_over, lambda at, seat: chance.choice(legal_actions(at, seat)))
    return fresh(table)


def _claim(table: Table, number: int, chance: Random) -> None:
    """Post a claim about everything that was seen in a round; every second is a lie."""
    for item in position(table).state.knowledge:
        if item.round == number and chance.random() < 0.9:
            claim = chance.choice(sight_of(item).claims)
            post_claim(table, claim)


def post_claim(table: Table, claim: Knowledge) -> None:
    number = table.messages.count() + 1
    Message.objects.create(
        table=table,
        number=number,
        nth=number,
        revised=number,
        place="table",
        kind="claim",
        seat=claim.seat,
        data=claim_json(claim),
        length=position(table).length,
        round=claim.round,
        at=timezone.now(),
    )


def everything() -> dict[str, list[dict[str, object]]]:
    """Return all rows of the archive and the tallies, without keys of their own."""
    found = {}
    for model, order in (
        (ArchivedGame, ("game",)),
        (ArchivedSeat, ("archived", "number")),
        (ArchivedMoment, ("archived", "moment")),
        (SiteTally, ("month", "dimension", "value")),
    ):
        rows = list(model.objects.order_by(*order).values())
        found[model.__name__] = [{k: v for k, v in row.items() if k != "id"} for row in rows]
    return found


def rebuild() -> None:
    call_command("rebuild_statistics", stdout=StringIO())


def voided(table: Table) -> None:
    Game.objects.filter(table=table).update(stopped=Game.Stopped.VOIDED)
    archive.note_voided(game=Game.objects.get(table=table))


def test_a_running_game_is_in_no_row():
    table = run_table()
    play_until(table, lambda state: state.round > 2)
    archive_games()
    rebuild()
    assert not any(everything().values())


def test_a_finished_game_gets_its_rows_from_the_worker():
    table = played()
    assert not ArchivedGame.objects.exists()
    archive_games()
    row = ArchivedGame.objects.get()
    state = position(table).state
    assert (row.code, row.players, row.people) == (table.code, 5, 5)
    assert (row.winner, row.ending) == (state.outcome.winner, state.outcome.ending)
    assert row.rounds == state.round
    assert row.is_public
    assert [seat.role for seat in row.seats.order_by("number")] == list(state.setup.roles)
    assert not UnarchivedGame.objects.exists()


def test_the_powers_used_are_noted_as_the_records_tell():
    for seed in range(4):
        played(seed)
    archive_games()
    powers = ArchivedMoment.objects.filter(moment__in=["peek", "execution"])
    assert {row.moment for row in powers} == {"peek", "execution"}
    acts = GameAction.objects.filter(action__action="execute").values_list("game", flat=True)
    shot = ArchivedMoment.objects.filter(moment="execution").values_list("archived", flat=True)
    assert set(shot) == set(acts)


def test_the_same_game_twice_gives_the_same_rows():
    played(with_claims=True)
    archive_games()
    before = everything()
    UnarchivedGame.objects.create(game=Game.objects.get())
    archive_games()
    assert everything() == before


@pytest.mark.both_databases
@pytest.mark.parametrize("seed", range(4))
def test_the_numbers_equal_a_slow_count(seed: int):
    table = played(seed, with_claims=True)
    archive_games()
    state, steps = position(table).state, position(table).public_steps
    view = view_for(state, None)
    last = {}
    for message in table.messages.filter(kind="claim").order_by("number"):
        said = message.data
        last[said["about"], said["round"], said["seat"]] = said
    for seat in ArchivedSeat.objects.order_by("number"):
        number, role = seat.number, state.setup.roles[seat.number]
        assert seat.has_won == (role.party is state.outcome.winner)
        assert seat.sights == sum(item.seat == number for item in view.knowledge)
        assert seat.claims == sum(where[2] == number for where in last)
        assert seat.lies == sum(
            _is_lie(said, view.knowledge) for where, said in last.items() if where[2] == number
        )
        assert seat.lies_caught <= seat.lies
        assert (seat.ballots, seat.right_ballots) == _votes(steps, state, number)
        elected = [e for step in steps for e in step.events if e.kind == "elected"]
        assert seat.presidencies == sum(event.president == number for event in elected)
        assert seat.chancellorships == sum(event.chancellor == number for event in elected)


def _is_lie(said: dict, knowledge: tuple) -> bool:
    names = {"drawn": "Drawn", "received": "Received", "party": "PartySeen", "peeked": "TopSeen"}
    truth = next(
        item
        for item in knowledge
        if type(item).__name__ == names[said["about"]]
        and (item.round, item.seat) == (said["round"], said["seat"])
    )
    if said["about"] == "party":
        return said["party"] != str(truth.party)
    if said["about"] == "peeked":
        return said["policies"] != [str(card) for card in truth.policies]
    same = sorted(said["policies"]) == sorted(str(card) for card in truth.policies)
    if said["about"] == "drawn":
        same = same and said["discarded"] == str(truth.discarded)
    return not same


def _votes(steps: tuple, state: object, number: int) -> tuple[int, int]:
    cast = right = 0
    officers: list[Party] = []
    own = state.setup.roles[number].party
    for step in steps:
        for event in step.events:
            if event.kind == "nominated":
                officers = [
                    state.setup.roles[seat].party for seat in (event.president, event.chancellor)
                ]
            elif event.kind == "ballots" and event.ballots[number] is not None:
                cast += 1
                if own is Party.LIBERAL:
                    wants = officers == [Party.LIBERAL, Party.LIBERAL]
                else:
                    wants = Party.FASCIST in officers
                right += (event.ballots[number] == "ja") == wants
    return cast, right


def test_a_lie_that_the_enacted_policy_contradicts_is_caught():
    table = run_table()
    play_until(table, lambda state: state.round > 1)
    truth = next(k for k in position(table).state.knowledge if type(k) is Received)
    assert position(table).state.fascist == 1
    lie = Received(1, truth.seat, (Policy.LIBERAL, Policy.LIBERAL))
    post_claim(table, lie)
    play_until(table, is_over)
    archive_games()
    seat = ArchivedSeat.objects.get(number=truth.seat)
    assert (seat.claims, seat.lies, seat.lies_caught) == (1, 1, 1)


def test_what_is_said_after_the_end_is_no_lie():
    table = played()
    truth = position(table).state.knowledge[0]
    post_claim(table, next(c for c in sight_of(truth).claims if not agrees(c, truth)))
    archive_games()
    assert not ArchivedSeat.objects.filter(claims__gt=0).exists()


@pytest.mark.both_databases
def test_a_voided_game_leaves_nothing():
    kept = played(1)
    archive_games()
    before = everything()
    table = run_table(NAMES[5:])
    play_until(table, is_over)
    archive_games()
    voided(table)
    assert everything() == before
    archive_games()
    rebuild()
    assert everything() == before
    assert ArchivedGame.objects.get().code == kept.code


def test_a_game_voided_before_the_worker_came_never_gets_in():
    voided(played())
    archive_games()
    assert not any(everything().values())
    assert not UnarchivedGame.objects.exists()


@pytest.mark.both_databases
def test_a_game_voided_while_its_record_is_read_never_gets_in(monkeypatch: pytest.MonkeyPatch):
    table = played()
    derived = archive._derived

    def slow(batch: list[int]) -> list[object]:
        found = list(derived(batch))
        voided(table)
        return found

    monkeypatch.setattr(archive, "_derived", slow)
    archive_games()
    assert not any(everything().values())


@pytest.mark.both_databases
def test_a_crash_between_reading_and_writing_loses_nothing(monkeypatch: pytest.MonkeyPatch):
    played()
    with monkeypatch.context() as broken:
        broken.setattr(archive, "_change_tallies", lambda sums: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            archive_games()
    assert not any(everything().values())
    archive_games()
    assert ArchivedGame.objects.exists()


def test_a_broken_game_is_skipped_and_tried_again_only_by_a_rebuild():
    broken = played()
    GameAction.objects.filter(game__table=broken, number=0).update(action={"seat": 0})
    good = run_table(NAMES[5:])
    play_until(good, is_over)
    archive_games()
    assert ArchivedGame.objects.get().code == good.code
    assert UnarchivedGame.objects.get().is_unreadable
    assert archive.take_in() == 0
    rebuild()
    assert UnarchivedGame.objects.get().is_unreadable


@pytest.mark.both_databases
def test_a_rebuild_equals_what_was_counted_game_by_game():
    for seed, names in enumerate((NAMES[:5], NAMES[2:8], NAMES[3:10])):
        played(seed, with_claims=True, names=names)
    played(8, names=NAMES[:5], house_rules={"liberal_policies": 6})
    archive_games()
    before = everything()
    assert SiteTally.objects.get(dimension="all").games == 3
    ArchivedSeat.objects.update(lies=9)
    SiteTally.objects.update(games=77, won=5)
    rebuild()
    assert everything() == before
    for model in (ArchivedSeat, ArchivedMoment, ArchivedGame, SiteTally, UnarchivedGame):
        model.objects.all().delete()
    rebuild()
    assert everything() == before


def test_a_removed_claim_changes_the_rows():
    table = played(1, with_claims=True)
    archive_games()
    table.messages.update(removed_at=timezone.now())
    archive.note_claim_removed(table=table)
    archive_games()
    assert not ArchivedSeat.objects.filter(claims__gt=0).exists()
    before = everything()
    rebuild()
    assert everything() == before


@pytest.mark.both_databases
def test_a_deleted_account_leaves_its_numbers_without_its_name():
    played()
    archive_games()
    tallies = everything()["SiteTally"]
    account_deletion.erase_account(user=person("Ada"))
    assert ArchivedSeat.objects.filter(user=None).count() == 1
    rebuild()
    assert ArchivedSeat.objects.filter(user=None, is_bot=False).count() == 1
    assert everything()["SiteTally"] == tallies


def test_games_of_one_person_with_bots_count_for_the_person_alone():
    table = played()
    table.seats.exclude(number=0).update(user=None, bot="bold")
    archive_games()
    assert ArchivedGame.objects.get().people == 1
    assert ArchivedSeat.objects.filter(is_bot=True, user=None).count() == 4
    assert not SiteTally.objects.exists()
