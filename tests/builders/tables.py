"""Tables with known roles, and games played up to the position that a test needs."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache

from django.utils import timezone

from accounts.models import User
from games.models import Game, Pace, Seat, Table, Terms, Visibility
from games.rules.actions import Action, Discard, Enact, Nominate, Vote
from games.rules.chance import SealedChance
from games.rules.components import Ballot, Policy, Role
from games.rules.editions import options_of
from games.rules.legality import legal_actions
from games.rules.phases import AnyPhase
from games.rules.powers import Execute
from games.rules.state import GameState
from games.services import play, ready, tables
from games.state.positions import Position, position_of
from games.state.rooms import remember

NAMES = ("Ada", "Boris", "Chika", "Dario", "Ewa", "Fumio", "Giulia", "Henryk", "Irina", "Jun")
ROLE = {"L": Role.LIBERAL, "F": Role.FASCIST, "H": Role.HITLER}
# By number of players: the roles by seat, liberals first and Hitler last.
ROLES = {5: "LLLFH", 6: "LLLLFH", 7: "LLLLFFH"}


def person(name: str, **fields: object) -> User:
    """Return the account of this name; a missing one is made as if it were a day old.

    It has no usable password.
    """
    user = User.objects.filter(username=name).first()
    if user is None:
        yesterday = timezone.now() - timedelta(days=1)
        user = User(username=name, **{"date_joined": yesterday} | fields)
        user.set_unusable_password()
        user.save()
    return user


def contribution(number: int) -> str:
    return f"{number:064x}"


@cache
def seed_for(players: int, roles: str, first: int, top: str = "") -> bytes:
    """Return a seed that deals these roles with the contributions of seats 0, 1, 2..."""
    wanted = tuple(ROLE[letter] for letter in roles)
    contributions = [contribution(number) for number in range(players)]
    for attempt in range(1_000_000):
        seed = attempt.to_bytes(32, "big")
        deal = SealedChance(seed, contributions).deal(options_of("en"), players)
        pile = "".join(policy[0].upper() for policy in deal.draw_pile)
        if deal.first_candidate != first or not pile.startswith(top):
            continue
        if deal.roles == wanted or not wanted:
            return seed
    raise AssertionError("no such deal")


def gather(
    names: Sequence[str] = NAMES[:5],
    *,
    edition: str = "en",
    pace: Pace = Pace.NORMAL,
    is_private: bool = False,
    bots: int = 0,
    seed: bytes | None = None,
    **terms: object,
) -> Table:
    """Return a full table that has not started."""
    players = len(names) + bots
    host, *others = (person(name) for name in names)
    visibility = Visibility.PRIVATE if is_private else Visibility.PUBLIC
    table = tables.open_table(
        host=host,
        terms=Terms(
            **{"edition": edition, "seats_wanted": players, "pace": pace}
            | {"visibility": visibility}
            | terms
        ),
    )
    if bots or terms:
        for user in others:
            tables.join_table(table=table, user=user)
    else:
        # As `join_table` leaves them, in a fraction of its time: most tests begin here.
        for number, user in enumerate(others, start=1):
            table.seats.create(number=number, user=user, name=user.username)
    if bots:
        tables.fill_with_bots(table=table, user=host)
    # The server would draw random contributions for them, and a test needs a known deal.
    seats = list(table.seats.all())
    for seat in seats:
        seat.contribution = contribution(seat.number)
    Seat.objects.bulk_update(seats, ["contribution"])
    if seed is None:
        seed = seed_for(players, ROLES.get(players, ""), 0)
    Table.objects.filter(pk=table.pk).update(seed=seed)
    return fresh(table)


def run_table(names: Sequence[str] = NAMES[:5], **how: object) -> Table:
    """Return a table whose game has just begun."""
    table = gather(names, **how)
    tables.start_game(table=table, user=table.host)
    return fresh(table)


def fresh(table: Table) -> Table:
    """Return the table as the database has it now."""
    return Table.objects.get(pk=table.pk)


def position(table: Table) -> Position:
    return position_of(Game.objects.select_related("table").get(table=table))


def state_of(table: Table) -> GameState:
    return position(table).state


def user_at(table: Table, seat: int) -> User:
    return table.seats.select_related("user").get(number=seat).user


def standing(table: Table) -> tuple[object, ...]:
    """Return everything that a refused request must leave unchanged."""
    now = fresh(table)
    game = getattr(now, "game", None)
    seats = list(now.seats.values_list("number", "name", "times_late", "is_away"))
    return now.stage, now.version, now.host_id, seats, game and game.length


def form_of(table: Table, choice: str, **changes: str) -> dict[str, str]:
    return {"decision": state_of(table).decision, "key": "k", "choice": choice} | changes


def act(table: Table, action: Action, *, key: str = "", now: datetime | None = None) -> GameState:
    """Make this action as the player of its seat, at the current decision."""
    at = position(table)
    room = play.act(
        table=table,
        user=user_at(table, action.seat),
        action=action,
        decision=at.state.decision,
        key=key or f"k{at.length}",
        now=now,
    )
    # In production this runs on commit, which never happens in a test's own transaction.
    remember(room)
    assert room.position is not None
    return room.position.state


def play_until(
    table: Table,
    is_there: Callable[[GameState], bool],
    prefers: Callable[[GameState, int], Action] | None = None,
) -> GameState:
    """Play until `is_there` holds. Without `prefers`, actions follow `fascist_dream`.

    The moves are those of the players, but the game is locked, read and saved only once.
    """
    with play.locked_game_at(table, when_over=True) as game:
        while not is_there(state := game.position.state):
            assert state.outcome is None, "the game ended before it came there"
            seat = state.to_act[0]
            action = (prefers or fascist_dream)(state, seat)
            game.act(game.seats[seat], action, state.decision, f"k{game.position.length}")
    if game.rows:
        remember(game.room)
    return state


def in_phase(phase: AnyPhase) -> Callable[[GameState], bool]:
    return lambda state: state.phase is phase


def is_over(state: GameState) -> bool:
    return state.outcome is not None


def fascist_dream(state: GameState, seat: int) -> Action:
    """Return an action by which every government is elected and enacts a fascist policy.

    Hitler lives and never governs.
    """
    return min(legal_actions(state, seat), key=lambda action: _dreamt(state, action))


def _dreamt(state: GameState, action: Action) -> tuple[bool, str]:
    hitler = state.setup.roles.index(Role.HITLER)
    match action:
        case Nominate(target=target) | Execute(target=target):
            bad = target == hitler
        case Vote(ballot=ballot):
            bad = ballot is Ballot.NEIN
        case Discard(policy=policy):
            bad = policy is Policy.FASCIST
        case Enact(policy=policy):
            bad = policy is Policy.LIBERAL
        case _:
            bad = action.kind in ("propose_veto",)
    return bad, str(action)


def everybody_is_ready(table: Table) -> None:
    """Mark every player as ready who has not answered yet."""
    for seat in table.seats.filter(is_ready=False, user__isnull=False):
        ready.confirm_ready(table=table, user=seat.user)
