"""A table to tell stories at: known roles, a known deck, and verbs that read like the game."""

from collections.abc import Callable, Sequence

from games.rules.actions import (
    Action,
    AnswerVeto,
    CallSpecialElection,
    Discard,
    Enact,
    Execute,
    Investigate,
    Nominate,
    Peek,
    ProposeVeto,
    Vote,
)
from games.rules.chance import Deal
from games.rules.components import Ballot, Policy, Role
from games.rules.editions import options_of
from games.rules.legality import IllegalAction, Reason
from games.rules.record import Position, event_json, position_json
from games.rules.transition import apply, opening

EDITIONS = ("en", "pl", "ru", "ru-5-6", "ja", "it")
FINAL = ("en", "pl", "ru")  # Three that differ in nothing the engine can show.
EARLY = ("ja", "it")

# Six liberals, spread so that every President can pass one of each.
SPREAD = "LFF" * 5 + "LF"
POLICY = {"L": Policy.LIBERAL, "F": Policy.FASCIST}
ROLE = {"L": Role.LIBERAL, "F": Role.FASCIST, "H": Role.HITLER}
# By number of players: liberals first, Hitler in the last seat.
ROLES = {5: "LLLFH", 6: "LLLLFH", 7: "LLLLFFH", 8: "LLLLLFFH", 9: "LLLLLFFFH", 10: "LLLLLLFFFH"}


def cards(letters: str) -> tuple[Policy, ...]:
    return tuple(POLICY[letter] for letter in letters)


def letters(policies: Sequence[Policy]) -> str:
    return "".join("L" if policy is Policy.LIBERAL else "F" for policy in policies)


def full_deck(top: str) -> str:
    """The seventeen tiles, those of `top` on top and the rest spread behind."""
    rest = spread("L" * (6 - top.count("L")) + "F" * (11 - top.count("F")))
    deck = top + rest
    assert deck.count("L") == 6
    assert deck.count("F") == 11
    return deck


def spread(tiles: str) -> str:
    """The same tiles with a liberal on top and at every third place while there are any."""
    liberals, fascists = tiles.count("L"), tiles.count("F")
    result = ""
    while liberals or fascists:
        liberal = liberals and (len(result) % 3 == 0 or not fascists)
        result += "L" if liberal else "F"
        liberals, fascists = liberals - bool(liberal), fascists - (not liberal)
    return result


class StackedChance:
    """Shuffles into the piles that a story names, and into a spread pile once they are told."""

    def __init__(self, piles: Sequence[str]) -> None:
        self.piles = list(piles)

    def reshuffle(self, number: int, pool: Sequence[Policy]) -> tuple[Policy, ...]:
        tiles = letters(pool)
        pile = self.piles.pop(0) if self.piles else spread(tiles)
        assert sorted(pile) == sorted(tiles), f"the story says {pile}, the table holds {tiles}"
        return cards(pile)


class Table:
    """A game in one edition (or a mix of options), with its last action's events at hand."""

    def __init__(
        self,
        edition: str = "en",
        players: int = 5,
        *,
        roles: str | None = None,
        deck: str = SPREAD,
        first: int = 0,
        shuffles: Sequence[str] = (),
        **options: object,
    ) -> None:
        self.chance = StackedChance(shuffles)
        self.options = options_of(edition, options)
        deal = Deal(
            tuple(ROLE[letter] for letter in roles or ROLES[players]),
            cards(full_deck(deck)),
            first,
        )
        assert len(deal.roles) == players
        self.state = opening(self.options, deal)
        self.events: list[dict[str, object]] = []
        self.count = 0
        self._last: tuple = ()

    # What is on the table ------------------------------------------------------------------

    @property
    def heard(self) -> list[str]:
        """The kinds of the last action's events, in order."""
        return [str(event["event"]) for event in self.events]

    @property
    def shown(self) -> dict[str, object]:
        """The position as RECORD.md shows it."""
        return position_json(Position(self.count, self.state, None, self._last))

    @property
    def candidate(self) -> int:
        assert self.state.candidate is not None
        return self.state.candidate

    @property
    def deck(self) -> str:
        return letters(self.state.draw)

    def showing(self, *keys: str) -> tuple[object, ...]:
        shown = self.shown
        return tuple(shown[key] for key in keys)

    def seats(self, role: str) -> list[int]:
        return [seat for seat in self.state.alive if self.state.setup.roles[seat] is ROLE[role]]

    # What players do -----------------------------------------------------------------------

    def do(self, action: Action) -> "Table":
        self.state, self._last = apply(self.state, action, self.chance)
        self.events = [event_json(event) for event in self._last]
        self.count += 1
        return self

    def refuses(self, action: Action) -> Reason:
        """The rule that the action breaks. Fails if the table lets it pass or moves."""
        before = self.state
        try:
            apply(self.state, action, self.chance)
        except IllegalAction as refused:
            assert self.state == before
            return refused.reason
        raise AssertionError(f"{action} was let pass")

    def nominate(self, chancellor: int) -> "Table":
        return self.do(Nominate(self.candidate, chancellor))

    def vote(self, ballots: str) -> "Table":
        """One letter for each living seat, in seat order: j or n."""
        living = self.state.alive
        assert len(ballots) == len(living)
        for seat, letter in zip(living, ballots, strict=True):
            self.do(Vote(seat, Ballot.JA if letter == "j" else Ballot.NEIN))
        return self

    def all_vote(self, ballot: str) -> "Table":
        return self.vote(ballot[0] * len(self.state.alive))

    def elect(self, president: int, chancellor: int) -> "Table":
        assert self.candidate == president, f"seat {self.candidate} stands, not {president}"
        return self.nominate(chancellor).all_vote("ja")

    def reject(self, chancellor: int | None = None) -> "Table":
        """A failed vote on the nominee, or on anybody who may be."""
        nominee = self.state.eligible[0] if chancellor is None else chancellor
        return self.nominate(nominee).all_vote("nein")

    def chaos(self) -> "Table":
        """Failed votes until the people act."""
        while "enacted" not in self.reject().heard:
            pass
        return self

    def discard(self, policy: str) -> "Table":
        assert self.state.president is not None
        return self.do(Discard(self.state.president, Policy(policy)))

    def enact(self, policy: str) -> "Table":
        assert self.state.chancellor is not None
        return self.do(Enact(self.state.chancellor, Policy(policy)))

    def pass_cards(self) -> "Table":
        """The President discards what leaves the Chancellor a choice, where that can be."""
        hand = letters(self.state.hand)
        return self.discard("liberal" if hand.count("L") > hand.count("F") else "fascist")

    def government(self, president: int, chancellor: int, enact: str) -> "Table":
        return self.elect(president, chancellor).pass_cards().enact(enact)

    def propose_veto(self) -> "Table":
        assert self.state.chancellor is not None
        return self.do(ProposeVeto(self.state.chancellor))

    def answer_veto(self, consent: bool) -> "Table":
        assert self.state.president is not None
        return self.do(AnswerVeto(self.state.president, consent))

    def veto(self, chancellor: int | None = None) -> "Table":
        """A government is elected, and both agree on a veto."""
        self.elect(self.candidate, self.harmless() if chancellor is None else chancellor)
        return self.pass_cards().propose_veto().answer_veto(True)

    def _power(self, action: Callable[..., Action], *target: int) -> "Table":
        assert self.state.president is not None
        return self.do(action(self.state.president, *target))

    def investigate(self, target: int) -> "Table":
        return self._power(Investigate, target)

    def call_special_election(self, target: int) -> "Table":
        return self._power(CallSpecialElection, target)

    def execute(self, target: int) -> "Table":
        return self._power(Execute, target)

    def peek(self) -> "Table":
        return self._power(Peek)

    # The way to the scene ------------------------------------------------------------------

    def harmless(self) -> int:
        """The first who may be nominated and is not Hitler."""
        return next(seat for seat in self.state.eligible if seat not in self.seats("H"))

    def govern(self, policy: str) -> "Table":
        """Whoever stands now and somebody harmless enact this policy; a power stays open."""
        return self.government(self.candidate, self.harmless(), policy)

    def use_power(self, victims: Sequence[int] = ()) -> "Table":
        """Whatever power is open is used, harmlessly: executions kill `victims` or fascists."""
        phase = str(self.state.phase)
        me = self.state.president
        others = [seat for seat in self.state.alive if seat != me]
        if phase == "investigation":
            self.investigate(next(s for s in others if s not in self.state.investigated))
        elif phase == "special_election":
            assert me is not None
            players = self.state.players
            self.call_special_election(min(others, key=lambda seat: (seat - me) % players))
        elif phase == "peek":
            self.peek()
        elif phase == "execution":
            wanted = [seat for seat in victims if seat in others]
            hitler = self.seats("H")
            self.execute((wanted or [seat for seat in others if seat not in hitler])[0])
        return self

    def play_to(
        self, *, liberal: int = 0, fascist: int = 0, victims: Sequence[int] = ()
    ) -> "Table":
        """Governments enact until the tracks show this; every power on the way is used."""
        while self.state.fascist < fascist:
            self.govern("fascist").use_power(victims)
        while self.state.liberal < liberal:
            self.govern("liberal")
        return self
