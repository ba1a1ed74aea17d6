"""What one viewer has for themselves: made for each request or frame, and never kept."""

from dataclasses import dataclass, replace

from games import wording
from games.models import Table
from games.positions import Position
from games.rules.actions import Action
from games.rules.components import Policy, Role
from games.rules.record import action_json
from games.rules.view import View, view_for
from games.screens.panels import CSRF_MARK, Person
from games.screens.scene import Scene, SeatCard


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: what it posts, and what it shows."""

    # As forms.ActForm reads it: "nominate:3", "vote:ja", "answer_veto:true", "peek".
    value: str
    action: Action
    seat: SeatCard | None = None
    policy: Policy | None = None


@dataclass(frozen=True, slots=True)
class Mine:
    """What one viewer has for themselves."""

    scene: Scene
    # None for spectators.
    seat: SeatCard | None
    view: View | None
    is_signed_in: bool
    is_host: bool
    # Other seats whose role the night showed.
    known: tuple[tuple[SeatCard, Role], ...] = ()
    # Sentences, safe HTML, newest first: what you drew, were handed, learnt.
    learnt: tuple[str, ...] = ()
    night: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    decision: str = ""
    key: str = ""
    # The address to give to friends; for those who sit at a table that gathers.
    invite_url: str = ""

    @property
    def csrf_input(self) -> str:
        return CSRF_MARK


def mine_of(scene: Scene, position: Position | None, person: Person, invite_url: str) -> Mine:
    """What `person` may know and do at this table. Speaks the active language."""
    table = scene.table
    number = seat_of(table, person)
    card = None if number is None else scene.seats[number]
    mine = Mine(
        scene=scene,
        seat=card,
        view=None,
        is_signed_in=person.is_authenticated,
        is_host=person.is_authenticated and person.pk == table.host_id,
        invite_url=invite_url if number is not None and scene.stage == Table.Stage.OPEN else "",
    )
    if position is None:
        return mine
    view = view_for(position.state, number)
    names = [seat.name for seat in scene.seats]
    return replace(
        mine,
        view=view,
        known=tuple(
            (scene.seats[seat], role)
            for seat, role in enumerate(view.roles)
            if role is not None and seat != number and number is not None
        ),
        learnt=tuple(wording.learnt(item, names, html=True) for item in reversed(view.knowledge)),
        night=wording.night(table.options, view.players),
        choices=tuple(_choice(action, scene) for action in view.legal),
        decision=view.decision,
        key=_key(position, number),
    )


def seat_of(table: Table, person: Person) -> int | None:
    """The seat of `person` at `table`; None for everybody else."""
    if not person.is_authenticated:
        return None
    return next((seat.number for seat in table.seats.all() if seat.user_id == person.pk), None)


def _choice(action: Action, scene: Scene) -> Choice:
    """The button for a legal action."""
    parts = [str(value).lower() for name, value in action_json(action).items() if name != "seat"]
    target = getattr(action, "target", None)
    return Choice(
        value=":".join(parts),
        action=action,
        seat=None if target is None else scene.seats[target],
        policy=getattr(action, "policy", None),
    )


def _key(position: Position, number: int | None) -> str:
    """Tells this seat's forms of one decision apart, so that a form sent twice acts once."""
    own = sum(1 for step in position.steps if step.action.seat == number)
    return f"{position.state.decision}.{own}"
