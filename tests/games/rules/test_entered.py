"""Games from a physical table: entered step by step, and the records that they become."""

from collections.abc import Callable, Iterator

import pytest

from games.bots import BASELINE, SIMPLE
from games.rules.actions import AnswerVeto, Discard, Enact, Nominate, Vote
from games.rules.components import Ballot, Policy, Role
from games.rules.editions import EDITIONS
from games.rules.entered import (
    Asked,
    EnteredChaos,
    EnteredElection,
    EnteredGame,
    EnteredPower,
    EnteredSession,
    EnteredSetup,
    EnteredStep,
    EntryError,
    entered_game,
)
from games.rules.entered_json import read_setup, read_step, setup_json, step_json
from games.rules.events import Enacted
from games.rules.knowledge import TopSeen
from games.rules.powers import UsePowerOn
from games.rules.reasons import Reason
from games.rules.record import Record, ReplayedPosition, replay
from games.rules.view import public_event
from games.simulation.games import both, play_game

L, F = Policy.LIBERAL, Policy.FASCIST
ROLES = (Role.LIBERAL, Role.LIBERAL, Role.LIBERAL, Role.FASCIST, Role.HITLER)
FIVE = EnteredSetup("en", ("Ada", "Boris", "Chika", "Dario", "Ewa"), ROLES, 0)
EVERYONE = (0, 1, 2, 3, 4)
# Which hands of a game are known: the numbers that were drawn, and those that were passed.
KNOWN: dict[str, Callable[[int], tuple[bool, bool]]] = {
    "all": lambda number: (True, True),
    "none": lambda number: (False, False),
    "some": lambda number: (number % 2 == 0, number % 3 == 0),
}


def steps_of(record: Record, is_known: Callable[[int], tuple[bool, bool]]) -> Iterator[EnteredStep]:
    """Yield what a player would enter of a game."""
    before, refused, hand, sessions, nominee = None, False, (0, 0), 0, 0
    for position in replay(record):
        if before is None or position.entry is None:
            before = position
            continue
        state, action = before.state, position.entry.action
        chaos = [e.policy for e in position.events if isinstance(e, Enacted) and e.by == "chaos"]
        if isinstance(action, Nominate):
            nominee = action.target
        elif isinstance(action, Vote) and len(state.to_act) == 1:
            ja = {seat for seat, cast in enumerate(state.ballots) if cast is Ballot.JA}
            ja |= {action.seat} if action.ballot is Ballot.JA else set()
            yield EnteredElection(nominee, tuple(sorted(ja)))
        elif isinstance(action, Discard):
            hand, refused = (state.hand.count(L), position.state.hand.count(L)), False
        elif isinstance(action, Enact) or (isinstance(action, AnswerVeto) and action.consent):
            sessions += 1
            drawn, passed = is_known(sessions)
            yield EnteredSession(
                hand[0] if drawn else None,
                hand[1] if passed else None,
                action.policy if isinstance(action, Enact) else None,
                refused,
            )
        elif isinstance(action, AnswerVeto):
            refused = True
        elif isinstance(action, UsePowerOn):
            yield EnteredPower(action.target)
        for policy in chaos:
            yield EnteredChaos(policy)
        before = position


def public_course(record: Record) -> list[object]:
    """Return everything of a game that the table saw."""

    def told(position: ReplayedPosition) -> list[object]:
        return [public_event(event) for event in position.events]

    found = [event for position in replay(record) for event in told(position)]
    return [*found, record.outcome]


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("edition", EDITIONS)
def test_an_entered_game_takes_the_same_public_course(edition, known):
    options = EDITIONS[edition]
    shuffles = 0
    for number in range(30):
        players = options.players[0] + number % (options.players[1] - options.players[0] + 1)
        played = play_game(
            options, players, "entered", number, both((SIMPLE, BASELINE)[number % 2])
        ).record(edition)
        setup = EnteredSetup(edition, played.seats, played.deal.roles, played.deal.first_candidate)
        game = EnteredGame(setup)
        for step in steps_of(played, KNOWN[known]):
            assert read_step(step_json(step), players) == step
            game.enter(step)

        record = game.record()

        assert public_course(record) == public_course(played)
        assert game.standing.asked is Asked.NOTHING
        shuffles += len(record.shuffles)
        if known == "all":
            assert not game.unknown_hands
            hands = [[entry.action for entry in each.entries] for each in (record, played)]
            assert hands[0] == hands[1]
    assert shuffles, "no game came to a shuffle"


def test_every_prefix_of_a_game_makes_a_record():
    played = play_game(EDITIONS["en"], 7, "prefix", 3, both(SIMPLE)).record("en")
    game = EnteredGame(
        EnteredSetup("en", played.seats, played.deal.roles, played.deal.first_candidate)
    )
    for step in steps_of(played, KNOWN["some"]):
        game.enter(step)
        if game.standing.asked is not Asked.CHAOS:
            list(replay(game.record()))


def refused(*steps: EnteredStep, setup: EnteredSetup = FIVE) -> EntryError:
    entered_game(setup, steps[:-1])
    with pytest.raises(EntryError) as caught:
        entered_game(setup, steps)
    return caught.value


def rejected(nominee: int) -> EnteredElection:
    return EnteredElection(nominee, ())


def test_an_illegal_entry_names_the_rule_that_it_breaks():
    fascist = EnteredSession(0, 0, F)

    assert refused(EnteredElection(0, EVERYONE)).reason is Reason.YOURSELF
    again = (EnteredElection(1, EVERYONE), fascist, EnteredElection(1, EVERYONE))
    assert refused(*again).reason is Reason.YOURSELF
    limited = (EnteredElection(2, EVERYONE), fascist, EnteredElection(2, EVERYONE))
    assert refused(*limited).reason is Reason.TERM_LIMITED
    veto = (EnteredElection(2, EVERYONE), EnteredSession(1, 1, None))
    assert refused(*veto).reason is Reason.VETO_LOCKED
    assert refused(EnteredSession(1, 1, F)).reason is Reason.WRONG_PHASE
    assert refused(EnteredElection(1, (5,))).reason is Reason.DEAD


@pytest.mark.parametrize(
    ("session", "code"),
    [
        (EnteredSession(0, 1, L), "not_passed"),
        (EnteredSession(3, 1, L), "not_passed"),
        (EnteredSession(2, 0, F), "not_passed"),
        (EnteredSession(0, None, L), "not_enacted"),
        (EnteredSession(None, 2, F), "not_enacted"),
        (EnteredSession(None, 0, L), "not_enacted"),
        (EnteredSession(3, None, F), "not_enacted"),
    ],
)
def test_cards_must_pass_from_the_pile_to_the_board(session, code):
    assert refused(EnteredElection(1, EVERYONE), session).code == code


def test_more_liberal_policies_than_the_pile_holds_are_refused_at_once():
    governments = [(1, 3), (2, 3)]
    steps: list[EnteredStep] = []
    for chancellor, drawn in governments:
        steps += [EnteredElection(chancellor, EVERYONE), EnteredSession(drawn, None, L)]

    error = refused(*steps, EnteredElection(3, EVERYONE), EnteredSession(1, 1, L))

    assert (error.code, error.params) == ("impossible_cards", {"liberal": 6, "fascist": 11})


def test_more_fascist_policies_than_the_pile_holds_are_refused_at_once():
    steps: list[EnteredStep] = []
    for nominee in (1, 2, 3):
        steps += [EnteredElection(nominee, EVERYONE), EnteredSession(0, 0, F)]

    error = refused(*steps, EnteredElection(2, EVERYONE), EnteredSession(0, 0, F))

    assert error.code == "impossible_cards"


def test_unknown_hands_leave_room_for_the_known_ones():
    steps: list[EnteredStep] = []
    for nominee, drawn in ((1, None), (2, None), (3, None), (4, 3)):
        steps += [EnteredElection(nominee, EVERYONE), EnteredSession(drawn, None, L)]

    game = entered_game(FIVE, steps)

    # Three hands had a liberal policy each, and the fourth all the others.
    assert game.unknown_hands == (1, 2, 3)
    assert list(replay(game.record()))[-1].state.liberal == 4


def test_a_third_failed_election_asks_for_the_policy_of_chaos():
    game = entered_game(FIVE, (rejected(1), rejected(2), rejected(3)))

    assert game.standing.asked is Asked.CHAOS
    game.enter(EnteredChaos(L))
    assert (game.standing.asked, game.standing.liberal) == (Asked.ELECTION, 1)
    assert game.record().deal.draw_pile[0] is L


def test_a_peek_needs_no_entry_and_its_cards_count_as_unknown():
    steps: list[EnteredStep] = []
    for nominee in (1, 2, 3):
        steps += [EnteredElection(nominee, EVERYONE), EnteredSession(0, 0, F)]

    game = entered_game(FIVE, steps)

    assert game.unknown_peeks == (3,)
    last = list(replay(game.record()))[-1].state
    assert any(isinstance(item, TopSeen) for item in last.knowledge)
    assert game.standing.asked is Asked.ELECTION


def test_hands_that_leave_no_choice_are_known():
    all_fascist = (EnteredElection(1, EVERYONE), EnteredSession(0, None, F))
    one_liberal = (EnteredElection(1, EVERYONE), EnteredSession(1, None, L))
    open_choice = (EnteredElection(1, EVERYONE), EnteredSession(1, None, F))

    assert entered_game(FIVE, all_fascist).unknown_hands == ()
    assert entered_game(FIVE, one_liberal).unknown_hands == ()
    assert entered_game(FIVE, open_choice).unknown_hands == (1,)


def test_roles_and_players_must_fit_the_edition():
    six = EnteredSetup("en", (*FIVE.names, "Feliks"), (*ROLES, Role.FASCIST), 0)
    seven = EnteredSetup("ru-5-6", ("x",) * 7, (Role.LIBERAL,) * 7, 0)

    with pytest.raises(EntryError) as roles:
        EnteredGame(six)
    with pytest.raises(EntryError) as players:
        EnteredGame(seven)

    assert roles.value.params == {"players": 6, "liberals": 4, "fascists": 1}
    assert players.value.params == {"least": 5, "most": 6, "found": 7}
    assert read_setup(setup_json(FIVE)) == FIVE
