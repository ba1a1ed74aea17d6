"""Counts how often reasoning bots’ deeds and words disagree: `python -m tests.lab.deeds`.

Characters of all three levels play together and talk; each figure is counted by the level of the
seat that it is about. The last two rows ask, at each fascist policy, what the table would make of
a Chancellor who claims to have held a liberal one.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice
from random import Random
from typing import Any, Final

from games import bots
from games.bots import cues
from games.bots.cues import Occasion
from games.bots.reasoning.mind import own_belief
from games.rules.claims import Told, passed, sight_of
from games.rules.components import FAILED_ELECTIONS_TO_CHAOS, Ballot, Party, Policy, Role
from games.rules.editions import options_of
from games.rules.events import Ballots, Enacted, Nominated, Over, Tracker
from games.rules.knowledge import Drawn, Knowledge, Received
from games.rules.phases import Government
from games.rules.powers import PowerUsed
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
# The sides that words take about the seats that they name.
AGAINST: Final = frozenset(
    {"suspect", "fascist", "hitler", "nein_distrust", "nein_hitler", "not_nominate", "confessed"}
)
FOR: Final = frozenset({"trust", "liberal", "believe", "good_pair", "ja_trust", "nominate"})
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


@dataclass
class _Deeds:
    """What is counted of one game, as its lines go by."""

    talk: Talk
    levels: tuple[bots.Level, ...]
    states: Sequence[GameState]
    found: Counter[Any] = field(default_factory=Counter)
    told: list[Told] = field(default_factory=list)
    claims: list[Knowledge] = field(default_factory=list)
    phrases: list[bots.Spoken] = field(default_factory=list)
    # What each seat said last of each other since the last news: 1 for it, -1 against it.
    opinions: dict[tuple[int, int], int] = field(default_factory=dict)
    nominated: Nominated | None = None
    # The last finished vote, and on whom.
    ballots: Ballots | None = None
    voted: Nominated | None = None
    tracker: int = 0
    # The seat that has voted Nein on itself and given no reason yet.
    owing: int | None = None

    def counts(self) -> Counter[Any]:
        for line in self.talk.lines:
            if isinstance(line.what, bots.Spoken):
                self._hear(line.what)
            elif isinstance(line.what, tuple):
                self._see(line.what)
            else:
                self._claim(line.what)
        self._pay(given=False)
        self._sessions()
        return self.found

    def _count(self, name: str, seat: int, happened: bool) -> None:
        self.found[name, self.levels[seat]] += 1
        self.found[name, self.levels[seat], True] += happened

    def _see(self, told: Told) -> None:
        self.told.append(told)
        for event in told[2]:
            match event:
                case Nominated():
                    self.nominated = event
                case Ballots():
                    is_over = any(isinstance(each, Over) for each in told[2])
                    self._vote(event, is_over)
                case Tracker():
                    self.tracker = event.value
                case Enacted():
                    self.tracker = 0
                    self.opinions.clear()
                case PowerUsed():
                    self.opinions.clear()

    def _vote(self, event: Ballots, is_over: bool) -> None:
        self._pay(given=False)
        self.ballots, self.voted = event, self.nominated
        government = self.voted
        assert government is not None
        president, chancellor = government.president, government.chancellor
        cast = event.ballots
        self._count("own nominee", president, cast[president] is Ballot.NEIN)
        self._count("nobody for it", president, Ballot.JA not in cast)
        self._count("nein to oneself", chancellor, cast[chancellor] is Ballot.NEIN)
        if cast[chancellor] is Ballot.NEIN:
            self.owing = chancellor
        for seat, ballot in enumerate(cast):
            sides = [self.opinions.get((seat, officer)) for officer in (president, chancellor)]
            # To govern, to win and to prevent a third rejection are reasons of their own.
            if (
                ballot is None
                or seat == chancellor
                or is_over
                or self.tracker == FAILED_ELECTIONS_TO_CHAOS - 1
            ):
                continue
            if -1 in sides:
                self._count("ballot against words", seat, ballot is Ballot.JA)
            elif sides[1] == 1:
                self._count("ballot against words", seat, ballot is Ballot.NEIN)

    def _pay(self, *, given: bool) -> None:
        if self.owing is not None:
            self._count("no reason said", self.owing, not given)
        self.owing = None

    def _hear(self, spoken: bots.Spoken) -> None:
        self.phrases.append(spoken)
        code, seat = spoken.code, spoken.seat
        if code.startswith(("ja_", "nein_")):
            assert self.ballots is not None
            wanted = Ballot.JA if code.startswith("ja_") else Ballot.NEIN
            self._count("against the ballot", seat, self.ballots.ballots[seat] is not wanted)
            if seat == self.owing:
                self._pay(given=True)
        side = -1 if code in AGAINST else 1 if code in FOR else 0
        named = spoken.seats
        if code == "confessed":
            # This is news to all.
            self.opinions = {pair: s for pair, s in self.opinions.items() if pair[1] not in named}
        elif code == "point":
            # A seat that says so has changed its mind.
            self.opinions = {pair: s for pair, s in self.opinions.items() if pair[0] != seat}
        elif code == "lying":
            side = -1 if len(named) == 1 else 0
        elif code in ("ja_chance", "nein_other"):
            assert self.voted is not None
            officers = (self.voted.president, self.voted.chancellor)
            said = [self.opinions.get((seat, officer)) for officer in officers]
            contradicts = -1 in said if code == "ja_chance" else said[1] == 1 and -1 not in said
            self._count("against words", seat, contradicts)
        if side:
            # In "Ada, nominate Ben" the first is asked.
            named = named[-1:] if code in ("nominate", "not_nominate") else named
            contradicts = any(self.opinions.get((seat, one)) == -side for one in named)
            self._count("against words", seat, contradicts)
            self.opinions |= dict.fromkeys(((seat, one) for one in named), side)

    def _claim(self, claim: Knowledge) -> None:
        government = next((g for g in self._governments() if g.round == claim.round), None)
        if isinstance(claim, Received) and government and government.policy is Policy.FASCIST:
            self._count("confession", claim.seat, Policy.LIBERAL in claim.policies)
            self._confessed(claim, government)
        self.claims.append(claim)

    def _governments(self) -> Sequence[Government]:
        return self.states[len(self.told)].governments

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
                heard = bots.Heard(self.told, claims)
                believed = own_belief(view, heard).fascist(seat)
                self._count("unproven", seat, believed < _PROOF)
        heard = bots.Heard(self.told, claims, list(self.phrases))
        alive = view_for(state, None).alive
        speakers = {
            other: character
            for other, kind in enumerate(self.talk.kinds)
            if other in alive
            and other != seat
            and (character := bots.kind_named(kind).character) is not None
        }
        below = Random(len(self.told)).randrange
        planned = cues.cues_after_claim(heard, claim, speakers, below)
        lines = []
        for cue in sorted(planned, key=lambda cue: cue.after)[:_LINES]:
            assert cue.occasion is not Occasion.CLAIM
            say = bots.kind_named(self.talk.kinds[cue.seat]).say
            assert say is not None
            said = say(view_for(state, cue.seat), heard, cue, below)
            if isinstance(said, tuple):
                lines.append(said)
                heard = bots.Heard(
                    self.told,
                    claims,
                    [*heard.phrases, bots.Spoken(cue.seat, *said, len(self.told))],
                )
        accused = any(code in AGAINST and seats == (seat,) for code, seats in lines)
        self._count("unaccused", seat, not accused)

    def _sessions(self) -> None:
        roles = self.talk.state.setup.roles
        knowledge = {sight_of(item): item for item in self.talk.state.knowledge}
        said = {sight_of(claim): claim for claim in self.claims}
        for government in self.talk.state.governments:
            number, policy = government.round, government.policy
            president, chancellor = government.president, government.chancellor
            own = [item for item in knowledge.values() if item.round == number]
            drew = next(item for item in own if isinstance(item, Drawn))
            held = next(item for item in own if isinstance(item, Received))
            if roles[president] is Role.LIBERAL and drew.policies.count(Policy.LIBERAL) == 1:
                thrown = drew.discarded is Policy.LIBERAL
                self._count("liberal kept back", president, thrown)
            if roles[chancellor] is Role.LIBERAL and Policy.LIBERAL in held.policies:
                self._count("liberal kept back", chancellor, policy is Policy.FASCIST)
            if policy is not Policy.LIBERAL:
                continue
            first, second = said.get(sight_of(drew)), said.get(sight_of(held))
            if not isinstance(first, Drawn) or not isinstance(second, Received):
                continue
            handed = {
                president: sorted(passed(first)),
                chancellor: sorted(second.policies),
            }
            differ = handed[president] != handed[chancellor]
            for officer, cards in handed.items():
                if roles[officer].party is Party.FASCIST:
                    lies = cards != sorted(held.policies)
                    self._count("quarrel", officer, differ and lies)


def _table(rows: Mapping[str, Mapping[str, Sequence[int]]]) -> Iterator[str]:
    yield f"{'':72} " + " ".join(f"{level:>16}" for level in bots.Level)
    for name, row in rows.items():
        cells = " ".join(f"{_share(*row[level]):>16}" for level in bots.Level)
        yield f"{FIGURES[name]:72} {cells}"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}" + (f" ({part / whole:.1%})" if whole else "")


if __name__ == "__main__":
    main()
