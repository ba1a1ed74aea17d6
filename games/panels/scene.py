"""The scene: everything public at a table, from the spectator's view. Public panels show it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import ClassVar

from games.models import Ruling, Seat, Starts, Table, is_seal_frozen
from games.panels.administration import Proceedings, proceedings
from games.panels.government_history import GovernmentHistory, government_history_panels
from games.panels.pieces import Part
from games.rulebook import book_url
from games.rules.components import (
    FAILED_ELECTIONS_TO_CHAOS,
    FASCIST_POLICIES_TO_WIN,
    LIBERAL_POLICIES_TO_WIN,
    Party,
    Role,
)
from games.rules.editions import Options, differences
from games.rules.events import Enacted, Rejected, Veto
from games.rules.phases import Phase
from games.rules.powers import Power
from games.rules.truth import Answer, answer_of
from games.rules.view import View
from games.state.administration import may_be_stopped
from games.state.game_log import Aside, Entry, GameLog, Round, game_log_of, names_by_round
from games.state.reliability import Reliability
from games.state.rooms import Room


@dataclass(frozen=True, slots=True)
class Result:
    """What a government came to, the seat whose move it was, and the names of all seats."""

    event: Enacted | Rejected | Veto
    seat: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Banner(Part):
    """The current state of the table."""

    template: ClassVar[str] = "banner"
    noun: ClassVar[str] = "banner"

    stage: str
    edition: str
    is_custom: bool
    free_seats: int
    # Whether the game begins by itself when every seat is taken.
    starts_full: bool = False
    # Whether the players sit here for a date that has not come yet.
    is_ahead: bool = False
    # About a running game, with names instead of seat numbers.
    round: int = 0
    phase: str = ""
    # Whether the first nomination still waits for players to read their roles.
    is_night: bool = False
    liberal: int = 0
    fascist: int = 0
    tracker: int = 0
    # Whether electing Hitler would end the game.
    armed: bool = False
    # Whether the only person at a table of bots has paused the game.
    is_paused: bool = False
    veto_refused: bool = False
    # The rules of this table, for what players say in set words.
    options: Options | None = None
    # Whether a player has just answered that they are Hitler or not; and that player's name.
    answer: Answer | None = None
    asked: str = ""
    # What the last government came to, until the next election.
    result: Result | None = None
    candidate: str = ""
    nominee: str = ""
    president: str = ""
    chancellor: str = ""
    waited_for: tuple[str, ...] = ()
    # None if no clock is running.
    deadline: datetime | None = None
    # The reason for a moderator's freeze, "" if the table is not frozen; and the seconds left for
    # the decision, if there is a clock.
    frozen: str = ""
    left: int | None = None
    # Why a moderator closed the table or voided the game.
    because: str = ""
    # About a game that is over.
    stopped: str = ""
    winner: str = ""
    ending: str = ""

    @property
    def warns_of_hitler(self) -> bool:
        """Whether a government is being chosen that ends the game if Hitler is its Chancellor."""
        return self.armed and self.phase in (Phase.NOMINATION, Phase.ELECTION)

    @property
    def counts(self) -> tuple[tuple[str, str], ...]:
        """The tracks and the tracker in one line, each with its icon."""
        return (
            ("emblem-liberal", f"{self.liberal}/{LIBERAL_POLICIES_TO_WIN}"),
            ("emblem-fascist", f"{self.fascist}/{FASCIST_POLICIES_TO_WIN}"),
            ("tracker", f"{self.tracker}/{FAILED_ELECTIONS_TO_CHAOS}"),
        )


@dataclass(frozen=True, slots=True)
class Seats(Part):
    """The frame around the seats."""

    template: ClassVar[str] = "seats"
    noun: ClassVar[str] = "shell"

    players: int
    # Whether the ballots have just been revealed, all at once.
    is_reveal: bool


@dataclass(frozen=True, slots=True)
class SeatCard(Part):
    """One seat at the table."""

    template: ClassVar[str] = "seat"
    noun: ClassVar[str] = "seat"

    number: int
    name: str
    is_free: bool = False
    is_bot: bool = False
    # A bot's kind, and its level if its kind has levels. Neither depends on roles.
    bot: str = ""
    level: str = ""
    is_host: bool = False
    is_away: bool = False
    # The last day of the player's vacation, in UTC: all viewers share this card.
    vacation_until: date | None = None
    # Whether the player's browser is connected; always True for bots.
    is_connected: bool = True
    is_alive: bool = True
    # "candidate", "nominee", "president", "chancellor", or "".
    office: str = ""
    is_limited: bool = False
    is_waited_for: bool = False
    # On the first night, whether the player has confirmed their role; bots always have.
    has_read_role: bool = False
    has_voted: bool = False
    # "ja" or "nein" once the vote is settled.
    ballot: str = ""
    is_investigated: bool = False
    is_cleared: bool = False
    # Whether the edition has a badge for players who are shown not to be Hitler.
    has_badge: bool = False
    # None until the end of the game reveals it.
    role: Role | None = None
    # While the table gathers players.
    is_ready: bool = False
    reliability: Reliability | None = None
    # The table's code, for reporting the player; "" for bots.
    code: str = ""
    # The table's code if the name links to the player's page. Not while a game runs (a mistaken tap
    # would leave the game), and not where names are not the users' own.
    leads_from: str = ""
    # In a replay: whether another user is viewing this seat's perspective.
    is_seen_with: bool = False

    @property
    def row_id(self) -> str:
        return f"seat-{self.number}"

    @property
    def has_marks(self) -> bool:
        return (
            not (self.is_alive and self.is_connected)
            or any((self.is_waited_for, self.has_read_role, self.has_voted, self.is_investigated))
            or any((self.is_away, self.is_ready, self.is_bot, self.is_host))
            or any((self.reliability, self.vacation_until))
            or (self.role is None and any((self.is_limited, self.is_cleared, self.has_badge)))
        )


@dataclass(frozen=True, slots=True)
class Tracks(Part):
    """The frame around the policy tracks and the desk."""

    template: ClassVar[str] = "tracks"
    noun: ClassVar[str] = "shell"


@dataclass(frozen=True, slots=True)
class TrackSpace:
    """One space of a policy track."""

    number: int
    is_filled: bool
    power: Power | None = None
    unlocks_veto: bool = False
    wins: bool = False
    # Marked as filled since then: see `games.panels.newness`.
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Track(Part):
    template: ClassVar[str] = "track"
    noun: ClassVar[str] = "track"

    party: Party
    enacted: int
    spaces: tuple[TrackSpace, ...]

    @property
    def added(self) -> int:
        """How many of the policies are marked as new."""
        return sum(space.is_new for space in self.spaces)

    @property
    def row_id(self) -> str:
        return f"track-{self.party}"


@dataclass(frozen=True, slots=True)
class Desk(Part):
    """The election tracker and the piles."""

    template: ClassVar[str] = "desk"
    noun: ClassVar[str] = "desk"

    tracker: int
    draw: int
    discard: int
    veto_unlocked: bool
    # Steps of the election tracker.
    steps: tuple[int, ...] = tuple(range(FAILED_ELECTIONS_TO_CHAOS + 1))
    # Whether the page has the panel with the rules of this table.
    shows_rules: bool = True

    @property
    def row_id(self) -> str:
        return "desk"


@dataclass(frozen=True, slots=True)
class OrderOfTheDay(Part):
    """The settings of a table that gathers players."""

    template: ClassVar[str] = "order_of_the_day"
    noun: ClassVar[str] = "order"

    edition: str
    least: int
    seats: int
    pace: str
    visibility: str
    house_rules: int
    languages: tuple[str, ...]
    joiners: str
    joiners_least: int
    spectators: bool
    takes_guests: bool
    takes_programs: bool
    chat: str
    is_blind: bool
    is_rated: bool
    # Whether the game would count if it began now.
    may_count: bool
    starts: str


@dataclass(frozen=True, slots=True)
class HouseRule:
    name: str
    value: object


@dataclass(frozen=True, slots=True)
class SealedSeat:
    """The public part of a seat's part of the seal."""

    name: str
    # "" before the freeze, and in version 1 of the seal.
    hash: str
    # "" before the reveal.
    contribution: str
    is_servers: bool


@dataclass(frozen=True, slots=True)
class ShownSeal:
    """The public part of a table's seal."""

    version: int
    commitment: str
    # Whether the hashes are frozen, and whether the cards are dealt.
    is_frozen: bool = False
    is_dealt: bool = False
    seats: tuple[SealedSeat, ...] = ()
    # The players whose browsers did not reveal, in an attempt that was called off.
    missed: tuple[str, ...] = ()

    @property
    def browsers(self) -> int:
        """Return how many contributions were drawn by players' browsers."""
        return sum(1 for seat in self.seats if not seat.is_servers)


@dataclass(frozen=True, slots=True)
class Rules(Part):
    """The rules of this table, and its seal."""

    template: ClassVar[str] = "rules_of_table"
    noun: ClassVar[str] = "rules"

    edition: str
    pace: str
    house_rules: tuple[HouseRule, ...]
    is_running: bool
    # Spaces of the fascist track, and their powers.
    powers: tuple[tuple[int, Power], ...]
    # The fascist policies from which Hitler's election wins, and vetoes are allowed.
    hitler_zone: int
    veto_zone: int
    code: str
    # None for the game of an uploaded record.
    seal: ShownSeal | None
    # The URL of these rules in full.
    book: str

    @property
    def missed(self) -> tuple[str, ...]:
        return () if self.seal is None else self.seal.missed


@dataclass(frozen=True, slots=True)
class Log(Part):
    """The frame around the log."""

    template: ClassVar[str] = "log"
    noun: ClassVar[str] = "log"

    is_empty: bool


@dataclass(frozen=True, slots=True, eq=False)
class LogRound(Part):
    """A round of the log. Equal content is one object: see `games.state.game_log.Round`."""

    template: ClassVar[str] = "log_round"
    noun: ClassVar[str] = "round"

    number: int
    entries: tuple[Entry | Aside, ...]
    # By seat, at the start of the round.
    names: tuple[str, ...]
    options: Options
    # The URL of the table's rules, for the terms in the sentences.
    book: str = ""
    is_new: bool = False

    @property
    def row_id(self) -> str:
        return f"round-{self.number}"


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything public at a table, by part."""

    room: Room
    banner: Banner
    seats_shell: Seats
    seats: tuple[SeatCard, ...]
    # Empty before the game.
    desk: tuple[Part, ...]
    order: OrderOfTheDay | None
    rules: Rules
    administration: Proceedings
    # Whether the present players may end the game.
    may_be_stopped: bool
    game_log: GameLog
    log: Log
    # Newest first.
    rounds: tuple[LogRound, ...]
    government_history: GovernmentHistory
    view: View | None
    # For the players of the game only, although it is kept in the scene.

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)

    @property
    def free_seats(self) -> int:
        return sum(1 for seat in self.seats if seat.is_free)

    @property
    def is_night(self) -> bool:
        """Whether the first nomination still waits for players to read their roles."""
        return self.banner.is_night

    @property
    def waited_for(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats if seat.is_waited_for)


def scene_of(room: Room, before: Scene | None = None) -> Scene:
    """Return the scene of a table at any stage.

    `before` is the table's previous scene, from which unchanged rounds are reused.
    """
    view = None if room.game is None else room.public_view()
    seats = _gathering(room) if view is None else _seated(room, view)
    game_log = game_log_of(room)
    rounds = _rounds(room, game_log.rounds, seats, before)
    return Scene(
        room=room,
        banner=_banner(room, seats, view),
        seats_shell=Seats(
            players=len(seats),
            is_reveal=view is not None and view.phase is Phase.PRESIDENT_DISCARDS,
        ),
        seats=seats,
        desk=() if view is None else _desk(view),
        order=None if view is not None else _order(room, len(seats)),
        rules=_rules(room, view),
        administration=proceedings(room),
        may_be_stopped=may_be_stopped(room.seats),
        game_log=game_log,
        log=Log(is_empty=not rounds),
        rounds=rounds,
        government_history=government_history_panels(
            room,
            tuple(seat.name for seat in seats),
            view,
            None if before is None else before.government_history,
        ),
        view=view,
    )


def board_of(room: Room) -> tuple[tuple[SeatCard, ...], tuple[Part, ...]]:
    """Return only the seats and the tracks of a game, as everyone sees them. Reads no row."""
    view = room.public_view()
    return _seated(room, view), _desk(view)


def _banner(room: Room, seats: Sequence[SeatCard], view: View | None) -> Banner:
    table = room.table
    banner = Banner(
        stage=table.stage,
        edition=table.edition,
        is_custom=table.is_custom,
        free_seats=sum(1 for seat in seats if seat.is_free),
        starts_full=table.starts == Starts.FULL,
        is_ahead=table.is_ahead,
        frozen=table.frozen_because if table.is_frozen else "",
        because=_because(room),
    )
    if view is None:
        return banner

    def name(number: int | None) -> str:
        return "" if number is None else seats[number].name

    outcome = view.outcome
    answer = _answer(room)
    return replace(
        banner,
        round=view.round,
        phase=str(view.phase),
        is_night=_is_night(room),
        liberal=view.liberal,
        fascist=view.fascist,
        tracker=view.tracker,
        armed=view.armed,
        veto_refused=view.veto_refused,
        options=view.options,
        answer=answer,
        asked="" if answer is None else name(answer.seat),
        result=_result(room, view, seats),
        candidate=name(view.candidate),
        nominee=name(view.nominee),
        president=name(view.president),
        chancellor=name(view.chancellor),
        waited_for=tuple(seat.name for seat in seats if seat.is_waited_for),
        deadline=None if table.stopped_at is not None else _clock(room),
        is_paused=table.is_paused,
        left=_left(room),
        stopped=room.game.stopped if room.game is not None else "",
        winner="" if outcome is None else str(outcome.winner),
        ending="" if outcome is None else str(outcome.ending),
    )


def _answer(room: Room) -> Answer | None:
    """Return the answer to the question who is Hitler, until the next public event."""
    last = next((step.events for step in reversed(room.public_steps) if step.events), ())
    return answer_of(last, room.table.options)


def _result(room: Room, view: View, seats: Sequence[SeatCard]) -> Result | None:
    """Return what the last government came to, during a nomination or the use of a power."""
    if view.phase is not Phase.NOMINATION and not isinstance(view.phase, Power):
        return None
    for step in reversed(room.public_steps):
        for event in reversed(step.events):
            if isinstance(event, Enacted | Rejected | Veto):
                return Result(event, step.seat, tuple(seat.name for seat in seats))
    return None


def _is_night(room: Room) -> bool:
    return room.game is not None and room.game.night_until is not None and not room.is_over


def _clock(room: Room) -> datetime | None:
    """Return the end of the night or, after it, the deadline of the current decision."""
    if room.game is None:
        return None
    return room.game.night_until or room.game.deadline


def _left(room: Room) -> int | None:
    """Return the seconds left on the clock while it is stopped."""
    stopped_at, until = room.table.stopped_at, _clock(room)
    if stopped_at is None or until is None:
        return None
    return max(0, round((until - stopped_at).total_seconds()))


def _because(room: Room) -> str:
    """Return the reason of the ruling that closed the table or voided the game, or ""."""
    ended = (
        ruling
        for ruling in reversed(room.administration.rulings)
        if ruling.kind in (Ruling.Kind.CLOSE, Ruling.Kind.VOID)
    )
    return next((ruling.because for ruling in ended), "")


def _gathering(room: Room) -> tuple[SeatCard, ...]:
    taken = {seat.number: seat for seat in room.seats}
    is_checking = room.table.stage == Table.Stage.OPEN and room.table.asked_until is not None
    reliability = dict(room.administration.reliability)
    return tuple(
        SeatCard(
            number=number,
            name=seat.name,
            is_bot=seat.is_bot,
            bot=seat.bot,
            level=seat.bot_level,
            is_host=_is_host(room.table, seat),
            is_connected=_is_connected(room.table, seat),
            is_ready=is_checking and (seat.is_bot or seat.is_ready),
            reliability=None if seat.user_id is None else reliability.get(seat.user_id),
            code="" if seat.user_id is None else room.table.code,
            leads_from="" if room.table.is_blind or seat.user_id is None else room.table.code,
        )
        if (seat := taken.get(number)) is not None
        else SeatCard(number=number, name="", is_free=True)
        for number in range(room.table.seats_wanted)
    )


def _seated(room: Room, view: View) -> tuple[SeatCard, ...]:
    voting = view.phase is Phase.ELECTION
    is_night = _is_night(room)
    offices = {
        view.candidate: "candidate",
        view.nominee: "nominee",
        view.president: "president",
        view.chancellor: "chancellor",
    }
    offices.pop(None, None)
    if room.is_over:
        # A stopped game leaves its government in office.
        offices.clear()
    return tuple(
        SeatCard(
            number=seat.number,
            name=seat.name,
            is_bot=seat.is_bot,
            bot=seat.bot,
            level=seat.bot_level,
            is_host=_is_host(room.table, seat),
            is_away=seat.is_away,
            vacation_until=None if room.is_over else seat.vacation_day,
            is_connected=_is_connected(room.table, seat),
            is_alive=seat.number in view.alive,
            office=offices.get(seat.number, ""),
            is_limited=seat.number in view.limited,
            is_waited_for=seat.is_reading_role if is_night else seat.number in view.to_act,
            has_read_role=is_night and (seat.is_bot or seat.has_read_role),
            has_voted=voting and seat.number in view.alive and seat.number not in view.to_act,
            ballot=str(view.ballots[seat.number] or "") if view.ballots else "",
            is_investigated=seat.number in view.investigated,
            is_cleared=seat.number in view.cleared,
            has_badge=seat.number in view.cleared and view.options.not_hitler_badge,
            role=view.roles[seat.number],
            code="" if seat.user_id is None else room.table.code,
            leads_from=room.table.code if room.is_over and seat.user_id is not None else "",
        )
        for seat in room.seats
    )


def _is_host(table: Table, seat: Seat) -> bool:
    return seat.user_id is not None and seat.user_id == table.host_id


def _is_connected(table: Table, seat: Seat) -> bool:
    """Return whether to show the player as connected.

    Always True once the game is over, and at a blind table, where a player who notices that a
    friend comes and goes at the same moments would know who sits there.
    """
    # A seat for a date needs no one's presence.
    is_told = table.is_live and not table.is_blind and not table.is_ahead
    return seat.is_connected or seat.user_id is None or not is_told


def _desk(view: View) -> tuple[Part, ...]:
    return (
        Track(
            Party.LIBERAL,
            view.liberal,
            tuple(
                TrackSpace(i, i <= view.liberal, wins=i == LIBERAL_POLICIES_TO_WIN)
                for i in range(1, LIBERAL_POLICIES_TO_WIN + 1)
            ),
        ),
        Track(
            Party.FASCIST,
            view.fascist,
            tuple(
                TrackSpace(
                    i,
                    i <= view.fascist,
                    power=view.powers[i - 1],
                    unlocks_veto=i == view.options.veto_zone < FASCIST_POLICIES_TO_WIN,
                    wins=i == FASCIST_POLICIES_TO_WIN,
                )
                for i in range(1, FASCIST_POLICIES_TO_WIN + 1)
            ),
        ),
        Desk(view.tracker, view.draw, view.discard, view.veto_unlocked),
    )


def _order(room: Room, seats: int) -> OrderOfTheDay:
    table = room.table
    return OrderOfTheDay(
        edition=table.edition,
        least=max(table.least_seats, table.options.players[0]),
        seats=seats,
        pace=table.pace,
        visibility=table.visibility,
        house_rules=len(differences(table.edition, table.options)),
        languages=tuple(table.languages),
        joiners=table.joiners,
        joiners_least=table.joiners_least,
        spectators=table.spectators,
        takes_guests=table.takes_guests,
        takes_programs=table.takes_programs,
        chat=table.chat,
        is_blind=table.is_blind,
        is_rated=table.is_rated,
        may_count=not table.house_rules and not any(seat.is_bot for seat in room.seats),
        starts=table.starts,
    )


def _rules(room: Room, view: View | None) -> Rules:
    table = room.table
    return Rules(
        edition=table.edition,
        pace=table.pace,
        house_rules=tuple(
            # JSON lists are mutable, but a part must be hashable.
            HouseRule(name, tuple(value) if isinstance(value, list) else value)
            for name, value in differences(table.edition, table.options).items()
        ),
        is_running=view is not None,
        powers=tuple(
            (space, power) for space, power in enumerate(view.powers, 1) if power is not None
        )
        if view is not None
        else (),
        hitler_zone=table.options.hitler_zone,
        veto_zone=table.options.veto_zone,
        code=table.code,
        seal=None if room.is_uploaded else seal_shown(room),
        book=_book(table),
    )


def _book(table: Table) -> str:
    return book_url(table.edition, differences(table.edition, table.options).items())


def seal_shown(room: Room) -> ShownSeal:
    """Return the public part of a table's seal."""
    table = room.table
    is_dealt = room.game is not None
    is_frozen = is_seal_frozen(table, room.seats)
    return ShownSeal(
        version=table.seal_version,
        commitment=table.commitment,
        is_frozen=is_frozen,
        is_dealt=is_dealt,
        seats=tuple(
            SealedSeat(
                name=seat.name,
                hash=seat.published_hash if is_frozen else "",
                contribution=seat.contribution if is_dealt else "",
                is_servers=not seat.contribution_hash,
            )
            for seat in room.seats
        )
        if is_frozen or is_dealt
        else (),
        missed=tuple(seat.name for seat in room.seats if seat.has_missed_reveal),
    )


def _rounds(
    room: Room, game_log: Sequence[Round], seats: Sequence[SeatCard], before: Scene | None
) -> tuple[LogRound, ...]:
    known = {} if before is None else {id(part.entries): part for part in before.rounds}
    book = _book(room.table)

    def part(told: Round, names: tuple[str, ...]) -> LogRound:
        same = known.get(id(told.entries))
        if same is not None and same.names == names:
            return same
        return LogRound(told.number, told.entries, names, room.table.options, book)

    named = zip(game_log, names_by_round(game_log, [seat.name for seat in seats]), strict=True)
    return tuple(reversed([part(told, names) for told, names in named if told.entries]))
