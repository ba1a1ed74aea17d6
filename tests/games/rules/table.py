"""A table for tests: known roles, a known deck, and methods named after the game's actions."""

from collections.abc import Callable, Sequence

from games.rules.actions import Action, AnswerVeto, Discard, Enact, Nominate, ProposeVeto, Vote
from games.rules.chance import Deal
from games.rules.components import Ballot, Policy, Role
from games.rules.editions import options_of
from games.rules.legality import IllegalAction
from games.rules.powers import CallSpecialElection, Execute, Investigate, Peek
from games.rules.reasons import Reason
from games.rules.record import ReplayedPosition, event_json, position_json
from games.rules.transition import apply, opening

EDITIONS = ("en", "pl", "ru", "ru-5-6", "ja", "it")
FINAL = ("en", "pl", "ru")  # These three play identically in the engine.
EARLY = ("ja", "it")

# Six liberal tiles, spread so that every President can pass one tile of each party.
SPREAD = "LFF" * 5 + "LF"
POLICY = {"L": Policy.LIBERAL, "F": Policy.FASCIST}
ROLE = {"L": Role.LIBERAL, "F": Role.FASCIST, "H": Role.HITLER}
# Roles by number of players: liberals first, Hitler in the last seat.
ROLES = {5: "LLLFH", 6: "LLLLFH", 7: "LLLLFFH", 8: "LLLLLFFH", 9: "LLLLLFFFH", 10: "LLLLLLFFFH"}


def cards(letters: str) -> tuple[Policy, ...]:
    return tuple(POLICY[letter] for letter in letters)


def letters(policies: Sequence[Policy]) -> str:
    return "".join("L" if policy is Policy.LIBERAL else "F" for policy in policies)


def full_deck(top: str) -> str:
    """Return the seventeen tiles: those of `top` on top, the rest spread behind them."""
    rest = spread("L" * (6 - top.count("L")) + "F" * (11 - top.count("F")))
    deck = top + rest
    assert deck.count("L") == 6
    assert deck.count("F") == 11
    return deck


def spread(tiles: str) -> str:
    """Return the same tiles with a liberal on top and at every third place while any are left."""
    liberals, fascists = tiles.count("L"), tiles.count("F")
    result = ""
    while liberals or fascists:
        liberal = liberals and (len(result) % 3 == 0 or not fascists)
        result += "L" if liberal else "F"
        liberals, fascists = liberals - bool(liberal), fascists - (not liberal)
    return result


class StackedChance:
    """Shuffle into the piles that the test names, and into spread piles after those are used up."""

    def __init__(self, piles: Sequence[str]) -> None:
        self.piles = list(piles)

    def reshuffle(self, number: int, pool: Sequence[Policy]) -> tuple[Policy, ...]:
        tiles = letters(pool)
        pile = self.piles.pop(0) if self.piles else spread(tiles)
        assert sorted(pile) == sorted(tiles), f"the story says {pile}, the table holds {tiles}"
        return cards(pile)


class Table:
    """A game in one edition (or a mix of options) that keeps the events of its last action."""

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

    # State ---------------------------------------------------------------------------------

    @property
    def heard(self) -> list[str]:
        """The kinds of the last action's events, in order."""
        return [str(event["event"]) for event in self.events]

    @property
    def shown(self) -> dict[str, object]:
        """The position in RECORD.md's format."""
        return position_json(ReplayedPosition(self.count, self.state, None, self._last))

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

    # Actions -------------------------------------------------------------------------------

    def do(self, action: Action) -> "Table":
        self.state, self._last = apply(self.state, action, self.chance)
        self.events = [event_json(event) for event in self._last]
        self.count += 1
        return self

    def refuses(self, action: Action) -> Reason:
        """Return the rule that the action breaks. Fail if it passes or changes the state."""
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
        """Cast one ballot for each living seat, in seat order: one letter each, j or n."""
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
        """Fail a vote on this nominee, or on the first eligible seat."""
        nominee = self.state.eligible[0] if chancellor is None else chancellor
        return self.nominate(nominee).all_vote("nein")

    def chaos(self) -> "Table":
        """Fail votes until chaos enacts a policy."""
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
        """Let the President discard so that the Chancellor has a choice, where that is possible."""
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
        """Elect a government that vetoes by agreement of both officers."""
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

    # Shortcuts to a position ---------------------------------------------------------------

    def harmless(self) -> int:
        """Return the first seat that may be nominated and is not Hitler."""
        return next(seat for seat in self.state.eligible if seat not in self.seats("H"))

    def govern(self, policy: str) -> "Table":
        """Let the candidate and a harmless Chancellor enact this policy. A power stays open."""
        return self.government(self.candidate, self.harmless(), policy)

    def use_power(self, victims: Sequence[int] = ()) -> "Table":
        """Use the open power, if any, harmlessly: executions kill `victims`, else a non-Hitler."""
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
        """Enact policies until the tracks show these numbers, using every power on the way."""
        while self.state.fascist < fascist:
            self.govern("fascist").use_power(victims)
        while self.state.liberal < liberal:
            self.govern("liberal")
        return self
