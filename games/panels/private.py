"""A viewer's private parts, made for each request or frame and never cached."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import ClassVar

from django.conf import settings

from games.models import Seat, Starts, Table
from games.panels.administration import own_administration
from games.panels.phrasebook import Ask, ask_about
from games.panels.pieces import Part
from games.panels.scene import Scene
from games.rules.actions import Action
from games.rules.claims import sight_of
from games.rules.components import Ballot, Policy, Role
from games.rules.editions import Limited, Options
from games.rules.endings import (
    OwnPart,
    Session,
    TurningPoint,
    part_of,
    sessions_of,
    turning_point,
)
from games.rules.hints import Hint, hint_of
from games.rules.knowledge import Knowledge, PartySeen, TopSeen
from games.rules.phases import Phase
from games.rules.reasons import Reason
from games.rules.record import action_json
from games.rules.view import View, barred
from games.state.administration import Relation
from games.state.rooms import Room
from games.state.sharing import asked_for_consent, is_open_to_all, needs_consent


@dataclass(frozen=True, slots=True)
class You(Part):
    """The viewer's identity at this table, and their knowledge."""

    template: ClassVar[str] = "you"
    noun: ClassVar[str] = "you"

    stage: str
    # None for spectators.
    seat: int | None = None
    name: str = ""
    role: Role | None = None
    # Whether the box has party membership cards: without them, the role is all that a player has.
    has_party_card: bool = True
    # Names of other seats, with the roles that the viewer learned in the first night.
    known: tuple[tuple[str, Role], ...] = ()
    # Newest first: what the viewer drew, received and learned. After the game, what everyone did.
    knowledge: tuple[Knowledge, ...] = ()
    # Names by seat, for the sentences about knowledge.
    names: tuple[str, ...] = ()
    # The game's options and number of players, for the text of the first night; None afterwards.
    night: Options | None = None
    players: int = 0
    # In a replay: whether another user is viewing this seat's perspective.
    is_seen_with: bool = False
    # In a replay, the course of the night is folded: players do not wait for it.
    is_replayed: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A button: the value that it posts, and the facts that it shows."""

    # As forms.ActForm reads it: "nominate:3", "vote:ja", "answer_veto:true", "peek".
    value: str
    kind: str
    # The player at the seat that it is about.
    name: str = ""
    # The digit on the keyboard that leads to that player: the last of the seat's number.
    key: str = ""
    policy: Policy | None = None
    ballot: Ballot | None = None
    consent: bool | None = None


@dataclass(frozen=True, slots=True)
class Act(Part):
    """A decision that waits for the viewer."""

    template: ClassVar[str] = "act"
    noun: ClassVar[str] = "act"

    code: str
    phase: str
    decision: str
    key: str
    choices: tuple[Choice, ...]
    is_away: bool
    # The government that is being voted on or is in office.
    president: str
    chancellor: str
    hand: tuple[Policy, ...]
    # The viewer's ballot so far.
    ballot: Ballot | None
    somebody_is_limited: bool
    veto_refused: bool
    # The rules of this table, for what officers say in set words.
    options: Options
    # Whether the viewer is the only person at a table of bots.
    is_alone: bool = False
    # The seats that the viewer may not choose, and why: pairs of a name and a reason.
    barred: tuple[tuple[str, Reason], ...] = ()
    # What limits terms at this table.
    limited: Limited = Limited.ELECTED
    # What a beginner should know now, if anything.
    hint: Hint | None = None
    # The URL of the table's rules, for the terms in sentences.
    book: str = ""


@dataclass(frozen=True, slots=True)
class Revealed:
    """What a power has just shown to its President."""

    knowledge: PartySeen | TopSeen
    # Names by seat, for the sentence.
    names: tuple[str, ...]
    # What the President may claim about it; None where no one may chat.
    ask: Ask | None


@dataclass(frozen=True, slots=True)
class Wait(Part):
    """A seated viewer whose turn it is not."""

    template: ClassVar[str] = "wait"
    noun: ClassVar[str] = "wait"

    code: str
    is_alive: bool
    is_away: bool
    # Empty for the dead, who take no part, and in a replay.
    waited_for: tuple[str, ...]
    hand: tuple[Policy, ...]
    is_alone: bool = False
    is_paused: bool = False
    hint: Hint | None = None
    # Until the next nomination: what the viewer's power showed.
    revealed: Revealed | None = None
    # The URL of the table's rules, for the terms in the hint.
    book: str = ""
    # In a replay: whose hand it is, if it is not the viewer's own.
    holder: str = ""
    holder_is_president: bool = False


@dataclass(frozen=True, slots=True)
class ReadRole(Part):
    """A seated viewer on the first night, before and after they confirm their role."""

    template: ClassVar[str] = "action_night"
    noun: ClassVar[str] = "night"

    code: str
    has_read: bool
    is_away: bool
    # Who has not confirmed yet; empty before the viewer confirms.
    waited_for: tuple[str, ...]
    is_alone: bool = False


@dataclass(frozen=True, slots=True)
class WatchGallery(Part):
    """A viewer in the gallery."""

    template: ClassVar[str] = "action_gallery"
    noun: ClassVar[str] = "watch"

    code: str
    is_signed_in: bool
    waited_for: tuple[str, ...]


class Sealing(StrEnum):
    """What the page may ask a browser to do for its seat's part of the seal."""

    # Draw a contribution, and send its hash.
    OFFER = "offer"
    # Nothing: the hash is known, and the table waits for the hashes of others.
    HOLD = "hold"
    # Every hash is frozen and public: send the contribution.
    REVEAL = "reveal"


@dataclass(frozen=True, slots=True)
class SealStep:
    """What the page's script needs to know about the viewer's own part of the seal."""

    commitment: str
    # "" if the server contributes for the seat, or the viewer has no seat.
    step: str = ""
    own_hash: str = ""
    # The frozen hashes, by seat.
    hashes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gather(Part):
    """Before the game: sit down, begin, leave."""

    template: ClassVar[str] = "action_open"
    noun: ClassVar[str] = "gather"

    code: str
    is_signed_in: bool
    # Whether guests may take a seat.
    takes_guests: bool
    # Whether the viewer is a guest, and so may take no seat here before registering.
    must_register: bool
    # Removed by the host.
    is_kicked: bool
    is_seated: bool
    is_host: bool
    # The host's name for visitors; "" for others, and at a table that hides names.
    inviter: str
    free_seats: int
    can_start: bool
    # How many players these rules need, and how many of them have no seat yet.
    least: int
    lacking: int
    # The link for inviting friends; shown to players with a seat.
    invite_url: str
    # Whether friends can be invited by name: only at a table that shows names.
    can_invite: bool
    # Whether the link itself opens the table, and so must be kept secret.
    is_secret: bool
    has_password: bool
    # Whether the link is what its reader needs next: the host of a private table with free seats.
    shows_link: bool
    # Whether the game begins by itself when every seat is taken.
    starts_full: bool
    # Whether seats are taken for a date that has not come yet.
    is_ahead: bool
    # Whether the ready check is running: then the players wait for each other, not for the host.
    is_checking: bool
    # Whether it waits for the viewer's answer.
    is_asked: bool
    seal: SealStep


@dataclass(frozen=True, slots=True)
class Dealing(Part):
    """The game has begun, and browsers are still revealing their parts of the seal."""

    template: ClassVar[str] = "action_sealing"
    noun: ClassVar[str] = "dealing"

    code: str
    seal: SealStep
    # The players whose browsers did not reveal in an earlier attempt.
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class After(Part):
    """The game is over."""

    template: ClassVar[str] = "action_over"
    noun: ClassVar[str] = "after"

    code: str
    is_seated: bool
    # The rule that ended the game; "" if it was stopped.
    ending: str
    # The viewer's result and part; None for spectators and players who had left, and if the game
    # was stopped.
    has_won: bool | None
    own_part: OwnPart | None
    turning_point: TurningPoint | None
    # Every hand, oldest first, and the names by seat.
    sessions: tuple[Session, ...]
    names: tuple[str, ...]
    # Whether the replay opens for everyone who has its address.
    is_shared: bool
    # Whether the viewer alone must allow that: all others were bots.
    shares_alone: bool
    # Who was Hitler, and who the other fascists were.
    hitler: tuple[str, ...]
    fascists: tuple[str, ...]
    # The table where the same people continue, "" if there is none yet.
    next_code: str
    next_is_public: bool
    # After how many days a guest's account goes.
    guest_days: int
    # The commitment to the seed of the next table, whether it is open already or not.
    next_commitment: str = ""


@dataclass(frozen=True, slots=True)
class Frozen(Part):
    """The table is frozen by a moderator: the only thing to do is chat."""

    template: ClassVar[str] = "action_frozen"
    noun: ClassVar[str] = "frozen"

    # The viewer's hand meanwhile.
    hand: tuple[Policy, ...] = ()


@dataclass(frozen=True, slots=True)
class Closed(Part):
    """The table was closed."""

    template: ClassVar[str] = "action_closed"
    noun: ClassVar[str] = "closed"


def private_parts(
    scene: Scene, user_pk: int | None, invite_url: str = "", *, is_trial: bool = False
) -> tuple[Part, ...]:
    """Return what a viewer may know and do at this table, in the order of PRIVATE_PANELS.

    `is_trial`: the viewer is a guest.
    """
    room = scene.room
    seat = room.seat_of(user_pk)
    administration = own_administration(room, user_pk, seat, may_stop=scene.may_be_stopped)
    return *_parts(scene, user_pk, seat, invite_url, is_trial=is_trial), administration


def _parts(
    scene: Scene, user_pk: int | None, seat: Seat | None, invite_url: str, *, is_trial: bool
) -> tuple[Part, Part]:
    room = scene.room
    if room.game is None:
        you = (
            You(room.table.stage) if seat is None else You(room.table.stage, seat.number, seat.name)
        )
        return you, _before_the_game(scene, user_pk, seat, invite_url, is_trial=is_trial)
    assert room.game is not None
    number = None if seat is None else seat.number
    view = room.view(number)
    return what_is_known(scene, seat, view), _action(scene, user_pk, seat, view)


def is_first_night(view: View) -> bool:
    """Return whether no move has been made: the players read their roles, or have just done so."""
    return view.round == 1 and view.phase is Phase.NOMINATION


def what_is_known(scene: Scene, seat: Seat | None, view: View) -> You:
    """Return what a viewer knows of a game, according to their own view."""
    stage, names = scene.room.table.stage, scene.names
    # Finished games are open to all, so then everyone gets the sentences and the names in them;
    # spectators do not need them before.
    knowledge = tuple(reversed(view.knowledge))
    if seat is None:
        return You(stage, knowledge=knowledge, names=names if knowledge else ())
    is_over = scene.room.is_over
    is_night = is_first_night(view)
    return You(
        stage,
        seat.number,
        seat.name,
        view.role,
        has_party_card=view.options.party_cards,
        known=()
        if is_over
        else tuple(
            (names[number], role)
            for number, role in enumerate(view.roles)
            if role is not None and number != seat.number
        ),
        knowledge=knowledge,
        names=names if knowledge else (),
        night=view.options if is_night and not is_over else None,
        players=view.players if is_night and not is_over else 0,
    )


def _action(scene: Scene, user_pk: int | None, seat: Seat | None, view: View) -> Part:
    table = scene.room.table
    if scene.room.is_over:
        again = table.next_table
        steps, outcome = scene.room.public_steps, view.outcome
        # A moderator may void a game after its end: then it has no winner.
        is_decided = outcome is not None and not scene.banner.stopped
        # For a viewer who had left, a bot played on.
        has_stayed = is_decided and seat is not None and seat.has_stayed
        role = view.role
        shares_alone = (
            seat is not None
            and needs_consent(scene.room)
            and asked_for_consent(scene.room) == (seat,)
        )
        return After(
            code=table.code,
            is_seated=seat is not None,
            ending=str(outcome.ending) if outcome is not None and is_decided else "",
            has_won=role.party is outcome.winner
            if outcome is not None and has_stayed and role is not None
            else None,
            own_part=part_of(view, steps, seat.number) if seat is not None and has_stayed else None,
            turning_point=turning_point(view, steps) if is_decided else None,
            sessions=sessions_of(view),
            names=scene.names,
            # Not where one press shares, so that the panel stays and can tell that it did.
            is_shared=is_open_to_all(scene.room) and not shares_alone,
            shares_alone=shares_alone,
            hitler=_played(view, scene.names, Role.HITLER),
            fascists=_played(view, scene.names, Role.FASCIST),
            next_code=again.code if again is not None else "",
            next_is_public=again is not None and not again.is_private,
            guest_days=settings.TRIAL_DAYS,
            next_commitment=_next_commitment(table),
        )
    if table.is_frozen:
        return Frozen(view.hand or ())
    if seat is None:
        return WatchGallery(table.code, user_pk is not None, scene.waited_for)
    hand = view.hand or ()
    is_alone = all(other.user_id in (None, user_pk) for other in scene.room.seats)
    if scene.is_night:
        waited_for = scene.waited_for if seat.has_read_role else ()
        return ReadRole(table.code, seat.has_read_role, seat.is_away, waited_for, is_alone)
    if not view.legal:
        is_alive = seat.number in view.alive
        waited_for = scene.waited_for if is_alive else ()
        return Wait(
            table.code,
            is_alive,
            seat.is_away,
            waited_for,
            hand,
            is_alone,
            is_alone and table.is_paused,
            hint_of(view) if seat.has_hints else None,
            _revealed(scene, view),
            scene.rules.book,
        )
    return move_form(scene, seat, view, is_alone=is_alone)


def move_form(scene: Scene, seat: Seat, view: View, *, is_alone: bool = False) -> Act:
    """Return the decision that waits for the seat, with its choices."""
    banner = scene.banner
    is_vote = view.phase is Phase.ELECTION
    return Act(
        code=scene.room.table.code,
        phase=str(view.phase),
        decision=view.decision,
        key=_key(scene.room, view),
        choices=tuple(choice_to(action, scene.names) for action in view.legal),
        is_away=seat.is_away,
        president=banner.candidate if is_vote else banner.president,
        chancellor=banner.nominee if is_vote else banner.chancellor,
        hand=view.hand or (),
        ballot=view.ballot,
        somebody_is_limited=bool(view.limited),
        veto_refused=view.veto_refused,
        options=view.options,
        is_alone=is_alone,
        barred=tuple((scene.names[number], reason) for number, reason in barred(view)),
        limited=view.options.limited,
        hint=hint_of(view) if seat.has_hints else None,
        book=scene.rules.book,
    )


def _revealed(scene: Scene, view: View) -> Revealed | None:
    """Return what the viewer's power showed in the round before this nomination, if anything."""
    item = view.knowledge[-1] if view.knowledge else None
    if not isinstance(item, PartySeen | TopSeen) or item.seat != view.viewer:
        return None
    if view.phase is not Phase.NOMINATION or view.round != item.round + 1:
        return None
    return Revealed(item, scene.names, ask_about(scene, sight_of(item)))


def _played(view: View, names: tuple[str, ...], role: Role) -> tuple[str, ...]:
    """Return who had this role in a finished game, whose view hides none."""
    return tuple(name for name, theirs in zip(names, view.roles, strict=True) if theirs is role)


def _next_commitment(table: Table) -> str:
    """Return the commitment to the deal for which "play again" draws a contribution."""
    again = table.next_table
    if again is None or again.stage == Table.Stage.CLOSED:
        return table.next_commitment
    return again.commitment


def _before_the_game(
    scene: Scene, user_pk: int | None, seat: Seat | None, invite_url: str, *, is_trial: bool
) -> Part:
    table = scene.room.table
    if table.stage == Table.Stage.SEALING:
        return Dealing(
            code=table.code, seal=_seal_step(scene.room, seat), missed=scene.rules.missed
        )
    if table.stage != Table.Stage.OPEN:
        return Closed()
    if table.is_frozen:
        return Frozen()
    seated = len(scene.room.seats)
    least = table.least
    leads_in = scene.free_seats > 0 or table.spectators
    is_host = user_pk is not None and user_pk == table.host_id
    return Gather(
        code=table.code,
        is_signed_in=user_pk is not None,
        takes_guests=table.seats_guests,
        must_register=is_trial and not table.seats_guests and not is_host and seat is None,
        is_kicked=scene.room.administration.standing(user_pk) is Relation.KICKED,
        is_seated=seat is not None,
        is_host=is_host,
        inviter=scene.room.host_shown if user_pk is None else "",
        free_seats=scene.free_seats,
        can_start=seated >= least and not table.is_ahead and not table.is_meeting,
        least=least,
        lacking=max(0, least - seated),
        invite_url=invite_url if seat is not None and leads_in else "",
        can_invite=seat is not None and not table.is_blind and scene.free_seats > 0,
        is_secret=table.needs_invitation,
        has_password=bool(table.password),
        shows_link=is_host and table.needs_invitation and scene.free_seats > 0,
        starts_full=table.starts == Starts.FULL,
        is_ahead=table.is_ahead,
        is_checking=table.asked_until is not None,
        is_asked=table.asked_until is not None and seat is not None and not seat.is_ready,
        seal=_seal_step(scene.room, seat),
    )


def _seal_step(room: Room, seat: Seat | None) -> SealStep:
    table = room.table
    if seat is None:
        return SealStep(table.commitment)
    if table.stage == Table.Stage.OPEN:
        return SealStep(table.commitment, Sealing.OFFER.value, seat.contribution_hash)
    if not seat.contribution_hash:
        awaits = not seat.contribution
        return SealStep(table.commitment, Sealing.OFFER.value if awaits else "")
    if any(not other.contribution_hash and not other.contribution for other in room.seats):
        return SealStep(table.commitment, Sealing.HOLD.value, seat.contribution_hash)
    hashes = tuple(other.published_hash for other in room.seats)
    return SealStep(table.commitment, Sealing.REVEAL.value, seat.contribution_hash, hashes)


def choice_to(action: Action, names: tuple[str, ...]) -> Choice:
    """Return the button for a legal action."""
    parts = [str(value).lower() for name, value in action_json(action).items() if name != "seat"]
    target = getattr(action, "target", None)
    return Choice(
        value=":".join(parts),
        kind=action.kind,
        name="" if target is None else names[target],
        key="" if target is None else str((target + 1) % 10),
        policy=getattr(action, "policy", None),
        ballot=getattr(action, "ballot", None),
        consent=getattr(action, "consent", None),
    )


def _key(room: Room, view: View) -> str:
    """Return a key for the viewer's forms of one decision, so that a form sent twice acts once.

    Decisions are named by their round. The seat's actions in earlier rounds are not counted, so
    that viewers who have done the same get exactly the same form.
    """
    of_this_round = takewhile(lambda step: step.round == view.round, reversed(room.public_steps))
    own = sum(1 for step in of_this_round if step.seat == view.viewer)
    return f"{view.decision}.{own}"
