"""Positions for the bots' tests, each reached by legal actions from a chosen deal."""

from collections.abc import Sequence

from games.rules.actions import Action, Discard, Enact, Nominate, Vote
from games.rules.chance import Deal
from games.rules.claims import Told
from games.rules.components import Ballot, Policy, Role, deck
from games.rules.editions import options_of
from games.rules.legality import legal_actions
from games.rules.record import RecordedChance
from games.rules.state import GameState
from games.rules.transition import apply, opening
from games.rules.view import public_event

L, F, H = Role.LIBERAL, Role.FASCIST, Role.HITLER
ROLES = {
    5: (L, L, L, F, H),
    7: (L, L, L, L, F, F, H),
    9: (L, L, L, L, L, F, F, F, H),
}
_POLICIES = {"L": Policy.LIBERAL, "F": Policy.FASCIST}


class Scene:
    """A game whose draws are given in order, such as "LFF"."""

    def __init__(
        self, players: int, draws: str = "", *, first: int = 0, edition: str = "en"
    ) -> None:
        pile = [_POLICIES[letter] for letter in draws]
        rest = list(deck())
        for policy in pile:
            rest.remove(policy)
        self.chance = RecordedChance(())
        self.told: list[Told] = []
        self.state: GameState = opening(
            options_of(edition), Deal(ROLES[players], (*pile, *rest), first)
        )

    def do(self, *actions: Action) -> "Scene":
        for action in actions:
            number = self.state.round
            self.state, events = apply(self.state, action, self.chance)
            self.told.append((number, action.seat, [public_event(event) for event in events]))
        return self

    def nominate(self, chancellor: int) -> "Scene":
        assert self.state.candidate is not None
        return self.do(Nominate(self.state.candidate, chancellor))

    def vote(self, ballot: Ballot = Ballot.JA) -> "Scene":
        return self.do(*(Vote(seat, ballot) for seat in self.state.alive))

    def elect(self, chancellor: int) -> "Scene":
        return self.nominate(chancellor).vote()

    def reject(self, chancellor: int) -> "Scene":
        return self.nominate(chancellor).vote(Ballot.NEIN)

    def govern(self, chancellor: int, discard: str, enact: str) -> "Scene":
        """Play a whole government: election, the President's discard, the Chancellor's choice."""
        self.elect(chancellor)
        president = self.state.president
        assert president is not None
        return self.do(Discard(president, _POLICIES[discard]), Enact(chancellor, _POLICIES[enact]))

    def legal(self, seat: int) -> Sequence[Action]:
        return legal_actions(self.state, seat)
