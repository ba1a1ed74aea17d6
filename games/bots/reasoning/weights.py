"""How far what wins moves a reasoning bot from habit, by number of players.

Each weight is in log odds. With an `election` of 10, an option with which the liberals win 10
percentage points more often becomes e times as likely.

The weights were chosen by tournaments of the English edition (`tests/lab`, 120 to 400 games for
each try): reasoning liberals should win 15 percentage points more often against fascists who follow
rules of thumb than liberals of that kind do, games between reasoning bots should be even at every
size, and end as people's games do at seven. What decides in elections is the same for all roles,
because otherwise ballots and nominations would tell sides apart.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of one number of players."""

    # Every role, in elections: how many times surer of a habit than people are, and the liberals'
    # chance to win after an election.
    habit: float = 1.5
    election: float = 20.0
    # Once electing Hitler wins, the log odds that a nominee is Hitler are `hitler` plus
    # `hitler_slope` times those of the belief, which is right in order but too flat.
    hitler: float = 2.6
    hitler_slope: float = 2.4
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
    5: Weights(fascist_policy=50.0, fascist_cover=-2.0),
    6: Weights(),
    7: Weights(),
    8: Weights(habit=2.5, target=150.0),
    9: Weights(habit=2.0),
    10: Weights(habit=2.0),
}


def weights_for(players: int) -> Weights:
    return _BY_PLAYERS[players]
