"""A bot that speaks: what it believes and intends, and the words for that."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from games.bots.chance import Below
from games.bots.heard import Heard
from games.bots.registry import Words
from games.rules.components import Ballot
from games.rules.phases import Phase
from games.rules.view import View

from .mind import Odds
from .play import Temper, ballot_intended
from .situation import is_armed, suspicion

# How far the log odds of being a fascist must have moved before a bot says so.
NOTABLE: Final = 0.35
STRONG: Final = 1.4
# A bot announces a ballot that it casts with more than this probability.
_SURE: Final = 0.65


@dataclass(frozen=True, slots=True)
class Speaker:
    """A bot that speaks, and what it goes by."""

    seat: int
    view: View
    heard: Heard
    odds: Odds
    below: Below
    temper: Temper

    def suspicion(self, seat: int) -> float:
        return suspicion(self.view, self.odds, seat)

    def suspects(self, seat: int) -> bool:
        return self.suspicion(seat) > NOTABLE

    def trusts(self, seat: int) -> bool:
        return self.suspicion(seat) < -NOTABLE

    def suspected(self) -> list[int]:
        """Return the living seats that the bot suspects, most of all first."""
        seats = sorted(self._others(), key=lambda seat: -self.odds.fascist[seat])
        return [seat for seat in seats if self.suspects(seat)]

    def trusted(self) -> list[int]:
        """Return the living seats that the bot trusts, most of all first."""
        seats = sorted(self._others(), key=lambda seat: self.odds.fascist[seat])
        return [seat for seat in seats if self.trusts(seat)]

    def _others(self) -> list[int]:
        return [seat for seat in self.view.alive if seat != self.seat]

    def danger(self, seat: int) -> float:
        """Return how many times the usual odds of being Hitler a seat has."""
        return self.odds.hitler[seat] * (self.view.players - 1)

    def accusation(self, seat: int) -> Words:
        return ("fascist" if self.suspicion(seat) > STRONG else "suspect"), (seat,)

    def praise(self, seat: int) -> Words:
        return ("liberal" if self.suspicion(seat) < -STRONG else "trust"), (seat,)

    def opinion(self, seat: int) -> Iterator[Words]:
        """Yield an accusation or praise, if the bot suspects or trusts a seat."""
        if self.suspects(seat):
            yield self.accusation(seat)
        elif self.trusts(seat):
            yield self.praise(seat)

    def ballot(self) -> Ballot | None:
        """Return the ballot that the bot is almost sure to cast in this vote, if any."""
        if self.view.phase is not Phase.ELECTION or self.hides_ballot():
            return None
        ja = ballot_intended(self.view, self.heard, self.temper)
        return Ballot.JA if ja > _SURE else Ballot.NEIN if ja < 1 - _SURE else None

    def hides_ballot(self) -> bool:
        """Return whether the bot has cast a ballot of which its words must tell nothing.

        Once electing Hitler wins, a ballot may come from what only a fascist knows.
        """
        view = self.view
        return view.phase is Phase.ELECTION and view.ballot is not None and is_armed(view)

    def sees_nominating(self, seat: int) -> bool:
        return self.view.phase is Phase.NOMINATION and self.view.candidate == seat

    def one_of(self, options: Sequence[Words]) -> Words:
        return options[self.below(len(options))]
