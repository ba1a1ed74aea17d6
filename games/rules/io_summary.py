"""Game summaries of secrethitler.io, as a record of RECORD.md and the claims beside it.

The game is played again by our rules, one candidacy after the other, so a summary that breaks them
is refused with the candidacy and the rule. A summary says which cards a hand had, not how they lay
in the pile: a pile is built in which every hand, peek and policy of the populace comes out. Newer
ones also list the pile; then it is that one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, assert_never

from .actions import Action, AnswerVeto, Discard, Enact, Nominate, ProposeVeto, Vote
from .chance import Deal
from .components import CARDS_DRAWN, FAILED_ELECTIONS_TO_CHAOS, Ballot, Party, Policy, Role
from .editions import OptionError, Options, Space, options_of
from .events import Enacted
from .knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from .legality import IllegalAction
from .powers import POWERS, Power, UsePowerOn
from .reading import (
    RecordError,
    read_boolean,
    read_choice,
    read_list,
    read_list_of,
    read_object,
    read_seat,
    read_string,
    required,
)
from .reasons import Reason
from .record import Entry, Record, is_moment, record_json, replay
from .state import GameState, draft_of, freeze
from .transition import apply, opening

# That site plays by the rules of the final English edition.
_EDITION: Final = "en"
# Its other games.
_OTHER_GAMES: Final = ("avalonSH", "monarchistSH", "noTopdecking")
# Its balanced games, each with the number of players that it is for.
_BALANCED: Final[Mapping[str, tuple[int, dict[str, object]]]] = {
    "rebalance6p": (6, {"fascist_start": 1}),
    "rebalance7p": (7, {"fascist_policies": 10}),
    "rebalance9p": (9, {"liberal_start": 1}),
    "rerebalance9p": (9, {"liberal_start": 1}),
    "rebalance9p2f": (9, {"fascist_policies": 9}),
}
_POWERS: Final[Mapping[object, Space]] = {
    None: Space.NOTHING,
    "investigate": Space.INVESTIGATION,
    "election": Space.SPECIAL_ELECTION,
    "deckpeek": Space.PEEK,
    "bullet": Space.EXECUTION,
}
# What a candidacy's log says of the power that its policy gave.
_USES: Final[Mapping[Power, str]] = {
    Power.INVESTIGATION: "investigationId",
    Power.SPECIAL_ELECTION: "specialElection",
    Power.PEEK: "policyPeek",
    Power.EXECUTION: "execution",
}
_HANDS: Final = ("presidentHand", "chancellorHand")
# Whether the Chancellor proposed a veto, and whether the President agreed.
_VETOES: Final = ("chancellorVeto", "presidentVeto")
_POLICIES: Final = tuple(Policy)


def is_summary(data: object) -> bool:
    return isinstance(data, dict) and "logs" in data and "format" not in data


def line_of_summary(data: object) -> dict[str, object]:
    """Return the game as a line of a dump has it: its `record` and its `claims`.

    RECORD.md says what the record has besides. Raises RecordError.
    """
    root = read_object(data, "")
    players = [
        read_object(player, f"players[{i}]")
        for i, player in enumerate(read_list(required(root, "players", ""), "players"))
    ]
    options = _options(root, len(players))
    roles = tuple(
        Role(read_choice(player.get("role"), f"players[{i}].role", tuple(Role)))
        for i, player in enumerate(players)
    )
    if sorted(roles) != sorted(options.roles(len(roles))):
        allowed = ", ".join(options.roles(len(roles)))
        raise RecordError("wrong_roles", "players", allowed=allowed)
    logs = [
        read_object(log, f"logs[{i}]")
        for i, log in enumerate(read_list(required(root, "logs", ""), "logs"))
    ]
    if not logs:
        raise RecordError("unfinished_game", "logs")
    first = read_seat(
        required(logs[0], "presidentId", "logs[0]"), "logs[0].presidentId", len(roles)
    )
    game = _Game(opening(options, Deal(roles, options.pile(), first)))
    for number, log in enumerate(logs):
        game.play(number, log)
    outcome = game.state.outcome
    if outcome is None:
        raise RecordError("unfinished_game", f"logs[{len(logs) - 1}]")
    piles = [pile.ordered() for pile in game.piles]
    began = root.get("date")
    entries = [Entry(action) for action in game.actions]
    entries[0] = Entry(game.actions[0], began if is_moment(began) else None)
    record = Record(
        edition=_EDITION,
        options=options,
        seats=tuple(
            read_string(player, "username", f"players[{i}]") for i, player in enumerate(players)
        ),
        deal=Deal(roles, piles[0], first),
        shuffles=tuple(piles[1:]),
        entries=tuple(entries),
        outcome=outcome,
    )
    written = record_json(record) | {"source": "secrethitler.io"}
    if any(pile.seen and not pile.is_known for pile in game.piles):
        written["rebuilt_pile"] = True
    untold = [number for number, pile in game.untold_peeks if not pile.is_known]
    if untold:
        written["unknown_peeks"] = untold
    *_, last = replay(record)
    return {"record": written, "claims": list(_claims(logs, last.state.knowledge))}


def _options(root: Mapping[str, object], players: int) -> Options:
    setting = _part(root, "gameSetting", "")
    for name in _OTHER_GAMES:
        if setting.get(name):
            raise RecordError("other_game", f"gameSetting.{name}")
    path = "customGameSettings"
    custom = _part(root, path, "")
    given: dict[str, object] = {}
    balanced = [name for name in _BALANCED if _is_on(setting, name, "gameSetting")]
    if _is_on(custom, "enabled", path):
        given = _house_rules(custom, path)
    else:
        for name in balanced:
            size, rules = _BALANCED[name]
            if size == players:
                given |= rules
    try:
        options = options_of(_EDITION, given)
    except OptionError as error:
        raise RecordError("other_game", path, option=error.name) from None
    least, most = options.players
    if not least <= players <= most:
        raise RecordError("wrong_seats", "players", least=least, most=most, found=players)
    return options


def _part(item: Mapping[str, object], name: str, path: str) -> dict[str, object]:
    """Return an object that may be missing."""
    value = item.get(name)
    return {} if value is None else read_object(value, f"{path}.{name}" if path else name)


def _is_on(item: Mapping[str, object], name: str, path: str) -> bool:
    """Return a switch that may be missing."""
    value = item.get(name)
    return value is not None and read_boolean(value, f"{path}.{name}")


def _house_rules(custom: Mapping[str, object], path: str) -> dict[str, object]:
    given: dict[str, object] = {}
    for part, ending in (("deckState", "policies"), ("trackState", "start")):
        numbers = _part(custom, part, path)
        for name, party in (("lib", "liberal"), ("fas", "fascist")):
            if numbers.get(name) is not None:
                given[f"{party}_{ending}"] = numbers[name]
    for name, option in (
        ("fascistCount", "fascists"),
        ("hitlerZone", "hitler_zone"),
        ("vetoZone", "veto_zone"),
    ):
        if custom.get(name) is not None:
            given[option] = custom[name]
    if custom.get("hitKnowsFas") is not None:
        knows = read_boolean(custom["hitKnowsFas"], f"{path}.hitKnowsFas")
        given["hitler_knows"] = "always" if knows else "never"
    if custom.get("powers") is not None:
        powers = read_list_of(custom["powers"], f"{path}.powers", 5)
        for number, power in enumerate(powers, start=1):
            if not (power is None or isinstance(power, str)) or power not in _POWERS:
                raise RecordError("other_game", f"{path}.powers[{number - 1}]")
            given[f"power_{number}"] = str(_POWERS[power])
    return given


@dataclass(frozen=True, slots=True)
class _Seen:
    """Cards that were seen in a round: from card `start` of the pile on, in order if it is told."""

    round: int
    start: int
    cards: tuple[Policy, ...]
    is_ordered: bool = False

    def fits(self, order: Sequence[Policy]) -> bool:
        """Return whether the first cards of the pile can lie in this order."""
        part = tuple(order[self.start : self.start + len(self.cards)])
        if self.is_ordered:
            return part == self.cards[: len(part)]
        return all(part.count(policy) <= self.cards.count(policy) for policy in Policy)


@dataclass(slots=True)
class _Pile:
    """A draw pile of which some cards are known."""

    cards: tuple[Policy, ...]
    # How many cards have been drawn.
    drawn: int = 0
    seen: list[_Seen] = field(default_factory=list)
    listed: dict[int, Policy] = field(default_factory=dict)
    # Whether two lists of it differ.
    is_disputed: bool = False
    is_known: bool = False

    def see(self, number: int, cards: Sequence[Policy], *, is_ordered: bool = False) -> None:
        self.seen.append(_Seen(number, self.drawn, tuple(cards), is_ordered))
        if len(cards) == 1:
            self.list_card(self.drawn, cards[0])

    def list_card(self, place: int, policy: Policy) -> None:
        if self.listed.setdefault(place, policy) is not policy:
            self.is_disputed = True

    def ordered(self) -> tuple[Policy, ...]:
        """Return the cards in an order that fits all that was seen. Raises RecordError."""
        order = None if self.is_disputed else self._order(self.seen, self.listed)
        if order is not None:
            self.is_known = len(self.listed) == len(self.cards)
            return order
        # The lists contradict each other or what was seen, so they do not count.
        for last in range(len(self.seen) + 1):
            order = self._order(self.seen[:last], {})
            if order is None:
                raise _wrong_cards(self.seen[last - 1].round)
        assert order is not None
        return order

    def _order(
        self, seen: Sequence[_Seen], listed: Mapping[int, Policy]
    ) -> tuple[Policy, ...] | None:
        constraints = (*seen, _Seen(0, 0, self.cards))
        order: list[Policy] = []
        # Where no cards can follow. Of the cards before, only these counts matter for that.
        failed: set[tuple[int, ...]] = set()

        def fill() -> bool:
            if len(order) == len(self.cards):
                return True
            liberals = (order[one.start :].count(Policy.LIBERAL) for one in constraints)
            reached = (len(order), *liberals)
            if reached in failed:
                return False
            for policy in Policy:
                if listed.get(len(order), policy) is not policy:
                    continue
                order.append(policy)
                if all(one.fits(order) for one in constraints) and fill():
                    return True
                order.pop()
            failed.add(reached)
            return False

        return tuple(order) if fill() else None


class _Game:
    """The game as it is played again. It is the chance of its own shuffles."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.actions: list[Action] = []
        self.piles = [_Pile(state.draw)]
        # The rounds whose peeks are not told, and the piles that were peeked at.
        self.untold_peeks: list[tuple[int, _Pile]] = []
        self._round = 0
        self._enacted: Policy | None = None
        # The card that chaos enacts from a pile that is about to be shuffled.
        self._coming: tuple[Policy, ...] = ()

    def reshuffle(self, number: int, cards: Sequence[Policy]) -> tuple[Policy, ...]:
        self.piles.append(_Pile(tuple(cards)))
        return self._taken(cards, self._coming) if self._coming else tuple(cards)

    def play(self, number: int, log: Mapping[str, object]) -> None:
        """Play one candidacy."""
        self._round, self._enacted = number + 1, None
        path, seats = f"logs[{number}]", self.state.players
        president = read_seat(required(log, "presidentId", path), f"{path}.presidentId", seats)
        chancellor = read_seat(required(log, "chancellorId", path), f"{path}.chancellorId", seats)
        self._read_listed(log, path)
        self._act(Nominate(president, chancellor))
        votes = read_list_of(required(log, "votes", path), f"{path}.votes", seats)
        ballots = {seat: read_boolean(votes[seat], f"{path}.votes") for seat in self.state.alive}
        is_elected = sum(ballots.values()) * 2 > len(ballots)
        has_session = is_elected and not self._elects_hitler(chancellor)
        proposed, agreed = (_is_on(log, name, path) for name in _VETOES)
        if (proposed and not has_session) or (agreed and not proposed):
            self._refuse(Reason.WRONG_PHASE)
        hand: list[Policy] = []
        if has_session:
            hand = self._hand(log, path, "presidentHand", CARDS_DRAWN)
            self._draw(hand)
        elif not is_elected:
            self._prepare_chaos(log, path)
        for seat, is_ja in ballots.items():
            self._act(Vote(seat, Ballot.JA if is_ja else Ballot.NEIN))
        if has_session:
            self._hold_session(log, path, hand)
        used = self._use_power(log, path)
        if any(log.get(name) is not None for name in _USES.values() if name != used):
            self._refuse(Reason.WRONG_PHASE)
        for name in () if has_session else _HANDS:
            if log.get(name) is not None:
                raise _wrong_cards(self._round, name)
        if log.get("enactedPolicy") != self._enacted:
            raise _wrong_cards(self._round, "enactedPolicy")

    def _elects_hitler(self, chancellor: int) -> bool:
        setup = self.state.setup
        is_armed = self.state.fascist >= setup.options.hitler_zone
        return is_armed and setup.roles[chancellor] is Role.HITLER

    def _hold_session(self, log: Mapping[str, object], path: str, hand: list[Policy]) -> None:
        president, chancellor = self.state.president, self.state.chancellor
        assert president is not None and chancellor is not None
        passed = self._hand(log, path, "chancellorHand", CARDS_DRAWN - 1)
        rest = Counter(hand) - Counter(passed)
        if rest.total() != 1:
            raise _wrong_cards(self._round, "chancellorHand")
        self._act(Discard(president, next(iter(rest))))
        proposed, is_vetoed = (_is_on(log, name, path) for name in _VETOES)
        if all(log.get(name) is None for name in _VETOES):
            # Old summaries do not mention vetoes: then what was in no hand came of one.
            proposed = is_vetoed = log.get("enactedPolicy") not in passed
        if proposed:
            self._act(ProposeVeto(chancellor))
            if is_vetoed:
                self._prepare_chaos(log, path)
            self._act(AnswerVeto(president, is_vetoed))
        if not is_vetoed:
            self._act(Enact(chancellor, _enacted(log, path)))

    def _prepare_chaos(self, log: Mapping[str, object], path: str) -> None:
        """Put the populace's policy on top, if the tracker is about to be full."""
        if self.state.tracker + 1 < FAILED_ELECTIONS_TO_CHAOS:
            return
        card = _enacted(log, path)
        if self.state.hand and len(self.state.draw) < CARDS_DRAWN:
            # A veto ends a session, after which the pile is shuffled first.
            self._coming = (card,)
        else:
            self._draw([card])

    def _use_power(self, log: Mapping[str, object], path: str) -> str:
        """Use the power that the policy gave, and return the name of its key."""
        phase = self.state.phase
        if not isinstance(phase, Power):
            return ""
        name, action = _USES[phase], POWERS[phase].action
        president = self.state.president
        assert president is not None
        if issubclass(action, UsePowerOn):
            target = required(log, name, path)
            self._act(action(president, read_seat(target, f"{path}.{name}", self.state.players)))
            return name
        pile = self.piles[-1]
        if log.get(name) is None:
            self.untold_peeks.append((self._round, pile))
        else:
            cards = self._hand(log, path, name, CARDS_DRAWN)
            pile.see(self._round, cards, is_ordered=isinstance(log[name], list))
        self._act(action(president))
        return name

    def _read_listed(self, log: Mapping[str, object], path: str) -> None:
        """Note the pile that a newer summary lists, before or after this candidacy's draw."""
        if log.get("deckState") is None:
            return
        where = f"{path}.deckState"
        pile = self.piles[-1]
        cards = read_list(log["deckState"], where)
        # Whatever is drawn, the cards below stay where they are.
        for place, card in enumerate(cards, start=len(pile.cards) - len(cards)):
            pile.list_card(place, Policy(read_choice(card, where, _POLICIES)))

    def _hand(self, log: Mapping[str, object], path: str, name: str, size: int) -> list[Policy]:
        """Return so many cards, which a summary counts or lists."""
        cards = _cards(required(log, name, path))
        if cards is None or len(cards) != size:
            raise _wrong_cards(self._round, name)
        return cards

    def _draw(self, cards: Sequence[Policy]) -> None:
        """Put these cards on top of the pile, from which they are about to be drawn."""
        new = draft_of(self.state)
        new.draw = self._taken(self.state.draw, cards)
        self.state = freeze(new)

    def _taken(self, pile: Sequence[Policy], cards: Sequence[Policy]) -> tuple[Policy, ...]:
        rest = Counter(pile)
        rest.subtract(cards)
        if min(rest.values()) < 0:
            raise _wrong_cards(self._round)
        self._coming = ()
        self.piles[-1].see(self._round, cards)
        self.piles[-1].drawn += len(cards)
        return (*cards, *rest.elements())

    def _act(self, action: Action) -> None:
        try:
            self.state, events = apply(self.state, action, self)
        except IllegalAction as error:
            self._refuse(error.reason)
        self.actions.append(action)
        for event in events:
            if isinstance(event, Enacted):
                self._enacted = event.policy

    def _refuse(self, reason: Reason) -> NoReturn:
        path = f"logs[{self._round - 1}]"
        raise RecordError("illegal_candidacy", path, number=self._round, reason=reason)


def _wrong_cards(number: int, name: str = "") -> RecordError:
    path = f"logs[{number - 1}]"
    return RecordError("wrong_cards", f"{path}.{name}" if name else path, number=number)


def _enacted(log: Mapping[str, object], path: str) -> Policy:
    where = f"{path}.enactedPolicy"
    return Policy(read_choice(required(log, "enactedPolicy", path), where, _POLICIES))


def _cards(value: object) -> list[Policy] | None:
    if isinstance(value, dict):
        blues, reds = value.get("blues"), value.get("reds")
        if (
            type(blues) is type(reds) is int
            and min(blues, reds) >= 0
            and blues + reds <= CARDS_DRAWN
        ):
            return [Policy.LIBERAL] * blues + [Policy.FASCIST] * reds
    elif isinstance(value, list) and all(card in _POLICIES for card in value):
        return [Policy(card) for card in value]
    return None


def _claims(
    logs: Sequence[Mapping[str, object]], knowledge: Iterable[Knowledge]
) -> Iterator[dict[str, Any]]:
    """Yield the claims about what their seats saw. A summary may have others, which say nothing."""
    for item in knowledge:
        log = logs[item.round - 1]
        match item:
            case PartySeen():
                party = log.get("investigationClaim")
                if party in tuple(Party):
                    yield _claim("investigation", item, party)
            case Drawn():
                yield from _of_cards("president", log.get("presidentClaim"), item)
            case Received():
                yield from _of_cards("chancellor", log.get("chancellorClaim"), item)
            case TopSeen():
                is_ordered = not isinstance(log.get("policyPeek"), dict)
                yield from _of_cards("peek", log.get("policyPeekClaim"), item, is_ordered)
            case _:
                assert_never(item)


def _of_cards(
    kind: str, claimed: object, item: Drawn | Received | TopSeen, is_ordered: bool = False
) -> Iterator[dict[str, Any]]:
    cards = _cards(claimed)
    if cards is None or len(cards) != len(item.policies):
        return
    has_order = is_ordered and isinstance(claimed, list)
    if not has_order and sorted(cards) == sorted(item.policies):
        # Counts say nothing of an order, so what is true but for the order is true.
        cards = list(item.policies)
    yield _claim(kind, item, [str(card) for card in cards])


def _claim(kind: str, item: Knowledge, claimed: object) -> dict[str, Any]:
    return {"kind": kind, "seat": item.seat, "round": item.round, "claimed": claimed}
