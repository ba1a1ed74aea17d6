"""Counts how often reasoning bots’ deeds and words disagree: `python -m tests.lab.deeds`.

Characters of all three levels play together and talk; each figure is counted by the level of the
seat that it is about. The last two rows ask, at each fascist policy, what the table would make of
a Chancellor who claims to have held a liberal one.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from random import Random
from typing import Any, Final

from games import bots
from games.bots import cues
from games.bots.opinions import opinion, opinions
from games.bots.reasoning.mind import own_belief
from games.rules.claims import Told, passed
from games.rules.components import FAILED_ELECTIONS_TO_CHAOS, Ballot, Party, Policy, Role
from games.rules.editions import options_of
from games.rules.events import Ballots, Nominated, Over
from games.rules.knowledge import Drawn, Knowledge, Received
from games.rules.phases import Government
from games.rules.state import GameState
from games.rules.transition import apply, opening
from games.rules.view import view_for
from games.simulation.talk import Talk, chance_of, play_with_talk

from .frame import arguments, counted

# Each figure: its name, and what it is a share of.
FIGURES: Final = {
    "own nominee": "a President votes Nein on their own nominee",
    "nobody for it": "a government fails with nobody for it",
    "nein to oneself": "a nominee votes Nein on themselves",
    "no reason said": "... and gives no reason",
    "liberal kept back": "a liberal enacts fascist, or throws the only liberal policy away",
    "confession": "a Chancellor who enacted fascist claims to have held a liberal",
    "quarrel": "a fascist contradicts a partner's true claim after a liberal policy",
    "against the ballot": "a reason contradicts the ballot",
    "against words": "words contradict earlier words",
    "ballot against words": "a ballot contradicts earlier words",
    "unproven": "a confession is believed by less than 85 %",
    "unaccused": "... and not named within two lines",
}
# How sure the table should be of a fascist who has confessed.
_PROOF: Final = 0.85
_LINES: Final = 2


def main(argv: Sequence[str] | None = None) -> None:
    parser = arguments(__doc__, games=200, jobs=True, seed="deeds", as_json=True)
    parser.add_argument("--players", nargs="+", type=int, default=[5, 7, 10])
    given = parser.parse_args(argv)
    numbers = range(1, given.games + 1)
    found = counted(partial(deeds_of, given.seed), given.players, numbers, given.jobs)
    total = sum(found.values(), Counter())
    rows = {
        name: {level: [total[name, level, True], total[name, level]] for level in bots.Level}
        for name in FIGURES
    }
    if given.json:
        print(json.dumps({"games": given.games * len(given.players), "figures": rows}))
    else:
        print("\n".join(_table(rows)))


def deeds_of(seed: str, players: int, number: int) -> Counter[Any]:
    """Play a game, and count for each figure and level how often it could and did happen."""
    kinds = tuple(islice(cycle(bots.CHARACTERS), number, number + players))
    levels = tuple(islice(cycle(bots.Level), number, number + players))
    seed = f"{seed} {number}"
    talk = play_with_talk(options_of("en"), kinds, seed, levels=levels)
    return _Deeds(talk, levels, _states(talk, seed)).counts()


def _states(talk: Talk, seed: str) -> list[GameState]:
    """Return the position before each action, and the last one."""
    setup = talk.state.setup
    chance = chance_of(seed, setup.players)
    states = [opening(setup.options, chance.deal(setup.options, setup.players))]
    for action in talk.actions:
        states.append(apply(states[-1], action, chance)[0])
    return states


class _Deeds:
    """What is counted of one game, as its lines go by."""

    def __init__(
        self, talk: Talk, levels: tuple[bots.Level, ...], states: Sequence[GameState]
    ) -> None:
        self.talk = talk
        self.levels = levels
        self.states = states
        self.found: Counter[Any] = Counter()
        self.told: list[Told] = []
        self.claims: list[Knowledge] = []
        self.phrases: list[bots.Spoken] = []
        self.heard = bots.Heard(self.told, self.claims, self.phrases)
        # The last finished vote, and on whom.
        self.ballots: Ballots | None = None
        self.voted: Nominated | None = None
        # The seat that has voted Nein on itself and given no reason yet.
        self.owing: int | None = None

    def counts(self) -> Counter[Any]:
        for line in self.talk.lines:
            if isinstance(line.what, bots.Spoken):
                self._hear(line.what)
                self.phrases.append(line.what)
            elif isinstance(line.what, tuple):
                for event in line.what[2]:
                    if isinstance(event, Ballots):
                        self._vote(event, line.what)
                self.told.append(line.what)
            else:
                self._claim(line.what)
                self.claims.append(line.what)
        self._pay(given=False)
        for government in self.talk.state.governments:
            self._session(government)
        return self.found

    def _count(self, name: str, seat: int, happened: bool) -> None:
        self.found[name, self.levels[seat]] += 1
        self.found[name, self.levels[seat], True] += happened

    def _vote(self, event: Ballots, told: Told) -> None:
        self._pay(given=False)
        self.ballots, self.voted = event, self.heard.last_nomination()
        assert self.voted is not None
        president, chancellor = self.voted.president, self.voted.chancellor
        cast = event.ballots
        self._count("own nominee", president, cast[president] is Ballot.NEIN)
        self._count("nobody for it", president, Ballot.JA not in cast)
        self._count("nein to oneself", chancellor, cast[chancellor] is Ballot.NEIN)
        if cast[chancellor] is Ballot.NEIN:
            self.owing = chancellor
        # To govern, to win and to prevent a third rejection are reasons of their own.
        is_last = self.states[len(self.told)].tracker == FAILED_ELECTIONS_TO_CHAOS - 1
        if is_last or any(isinstance(each, Over) for each in told[2]):
            return
        for seat, ballot in enumerate(cast):
            said = opinions(self.heard, seat)
            if ballot is None or seat == chancellor:
                continue
            if -1 in (said.get(president), said.get(chancellor)):
                self._count("ballot against words", seat, ballot is Ballot.JA)
            elif said.get(chancellor) == 1:
                self._count("ballot against words", seat, ballot is Ballot.NEIN)

    def _pay(self, *, given: bool) -> None:
        if self.owing is not None:
            self._count("no reason said", self.owing, not given)
        self.owing = None

    def _hear(self, spoken: bots.Spoken) -> None:
        code, seat = spoken.code, spoken.seat
        if code.startswith(("ja_", "nein_")):
            assert self.ballots is not None
            wanted = Ballot.JA if code.startswith("ja_") else Ballot.NEIN
            self._count("against the ballot", seat, self.ballots.ballots[seat] is not wanted)
            if seat == self.owing:
                self._pay(given=True)
        said = {} if code == "confessed" else opinions(self.heard, seat)
        sides = opinion(code, spoken.seats)
        if sides:
            contradicts = any(said.get(one) == -side for one, side in sides.items())
            self._count("against words", seat, contradicts)
        elif code in ("ja_chance", "nein_other"):
            assert self.voted is not None
            officers = said.get(self.voted.president), said.get(self.voted.chancellor)
            is_for = officers[1] == 1 and -1 not in officers
            self._count("against words", seat, -1 in officers if code == "ja_chance" else is_for)

    def _claim(self, claim: Knowledge) -> None:
        governments = self.states[len(self.told)].governments
        government = next((g for g in governments if g.round == claim.round), None)
        if isinstance(claim, Received) and government and government.policy is Policy.FASCIST:
            self._count("confession", claim.seat, Policy.LIBERAL in claim.policies)
            self._confessed(claim, government)

    def _confessed(self, truth: Received, government: Government) -> None:
        """Ask what the table would make of a confession instead of this claim."""
        seat, state = truth.seat, self.states[len(self.told)]
        claim = Received(truth.round, seat, (Policy.LIBERAL, Policy.FASCIST))
        claims = [*self.claims, claim]
        viewers: list[int | None] = [None]
        viewers += [
            other
            for other, role in enumerate(state.setup.roles)
            if role is Role.LIBERAL and other not in (seat, government.president)
        ]
        for viewer in viewers:
            view = view_for(state, viewer)
            if viewer is None or view.parties[seat] is None:
                believed = own_belief(view, bots.Heard(self.told, claims)).fascist(seat)
                self._count("unproven", seat, believed < _PROOF)
        speakers = {
            other: character
            for other in view_for(state, None).alive
            if other != seat
            and (character := bots.kind_named(self.talk.kinds[other]).character) is not None
        }
        below = Random(len(self.told)).randrange
        phrases = list(self.phrases)
        heard = bots.Heard(self.told, claims, phrases)
        planned = cues.cues_after_claim(heard, claim, speakers, below)
        for cue in sorted(planned, key=lambda cue: cue.after)[:_LINES]:
            say = bots.kind_named(self.talk.kinds[cue.seat]).say
            assert say is not None
            said = say(view_for(state, cue.seat), heard, cue, below)
            if isinstance(said, tuple):
                phrases.append(bots.Spoken(cue.seat, *said, len(self.told)))
        lines = phrases[len(self.phrases) :]
        accused = any(opinion(one.code, one.seats) == {seat: -1} for one in lines)
        self._count("unaccused", seat, not accused)

    def _session(self, government: Government) -> None:
        """Count what the officers of a government did with their cards, and what they claim."""
        roles = self.talk.state.setup.roles
        president, chancellor = government.president, government.chancellor
        own = [item for item in self.talk.state.knowledge if item.round == government.round]
        drew = next(item for item in own if isinstance(item, Drawn))
        held = next(item for item in own if isinstance(item, Received))
        if roles[president] is Role.LIBERAL and drew.policies.count(Policy.LIBERAL) == 1:
            self._count("liberal kept back", president, drew.discarded is Policy.LIBERAL)
        if roles[chancellor] is Role.LIBERAL and Policy.LIBERAL in held.policies:
            self._count("liberal kept back", chancellor, government.policy is Policy.FASCIST)
        claims = [self.heard.claimed(government.round, kind) for kind in (Drawn, Received)]
        handed = [passed(claim) for claim in claims if claim is not None]
        if government.policy is not Policy.LIBERAL or len(handed) < 2:
            return
        for officer, cards in zip((president, chancellor), handed, strict=True):
            if roles[officer].party is Party.FASCIST:
                lies = cards != passed(held)
                self._count("quarrel", officer, handed[0] != handed[1] and lies)


def _table(rows: Mapping[str, Mapping[str, Sequence[int]]]) -> Iterator[str]:
    yield f"{'':72} " + " ".join(f"{level:>16}" for level in bots.Level)
    for name, row in rows.items():
        cells = " ".join(f"{_share(*row[level]):>16}" for level in bots.Level)
        yield f"{FIGURES[name]:72} {cells}"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}" + (f" ({part / whole:.1%})" if whole else "")


if __name__ == "__main__":
    main()
