"""How far what wins moves a reasoning bot from habit, by number of players.

Each weight is in log odds. With an `election` of 10, an option with which the liberals win 10
percentage points more often becomes e times as likely.

The weights were chosen by tournaments of the English edition (`manage.py tournament`, 160 to 200
games for most tries): reasoning against reasoning should give the liberals half of the games at
every size, and the endings of people's games at seven. What decides in elections is the same for
all roles, because otherwise ballots and nominations would tell sides apart.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of one number of players."""

    # Every role, in elections: the liberals' chance to win after an election.
    election: float = 60.0
    # Once electing Hitler wins, the log odds that a nominee is Hitler are `hitler` plus
    # `hitler_slope` times those of the belief, which is right in order but too flat: the first
    # values fit people's games.
    hitler: float = 0.96
    hitler_slope: float = 1.6
    # A fascist or Hitler, for a government that wins at once: as a voter, and as the candidate.
    winning_vote: float = 6.0
    winning_nomination: float = 12.0
    # The policy that each role in office wants.
    liberal_policy: float = 30.0
    fascist_policy: float = 30.0
    hitler_policy: float = 0.0
    # How much rather Hitler lets a liberal policy pass while nothing is decided yet, for cover.
    cover: float = 3.0
    # The same for the other fascists.
    fascist_cover: float = 0.0
    # Either side wants the policy that ends the game this much.
    last_policy: float = 40.0
    # The targets of powers.
    target: float = 60.0


_BY_PLAYERS: Final = {
    5: Weights(election=20.0),
    6: Weights(election=20.0),
    7: Weights(election=40.0, hitler=2.6, hitler_slope=2.4),
    8: Weights(election=4.0),
    9: Weights(election=60.0, hitler=2.6, hitler_slope=2.4),
    10: Weights(election=40.0, hitler=2.6, hitler_slope=2.4),
}


def weights_for(players: int) -> Weights:
    return _BY_PLAYERS[players]
