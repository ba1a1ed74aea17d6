"""Reputations: what the table knows of each seat, and how far each seat's words came true.

Everything here follows from the public history, so it is the same for all roles.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from games.bots.heard import Heard, Spoken
from games.bots.opinions import opinion
from games.rules.claims import Sight, agrees, is_confession, passed, sight_of
from games.rules.components import Ballot, Party, Policy
from games.rules.events import Ballots, Elected, Enacted, Nominated, NotHitler
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received
from games.rules.powers import Executed, PowerUsed

# How far an opinion moves the log odds that the seat is a fascist.
_OPINION: Final = 0.6
_STRONGER: Final = {
    **dict.fromkeys(("fascist", "hitler", "confessed", "liberal"), 0.9),
    **dict.fromkeys(("lying", "believe"), 0.8),
}
_STRANGE_VOTE: Final = 0.4
_DEFENCES: Final = frozenset({"me_truth", "me_wronged", "me_liberal", "nominate_me"})
_DEFENCE: Final = -0.5
# How far a plea moves the log odds of each officer, and of a Nein to their government.
PLEAS: Final = {"vote_ja": -0.4, "vote_nein": 0.4}
# What is left of a word after each policy and each use of a power since.
_FADES: Final = 0.5
# How much a word counts that the public history neither supports nor contradicts, and how much
# evidence for or against a seat decides that. A contradicted word counts nothing.
_UNSUPPORTED: Final = 0.5
_CLEAR: Final = 0.25
# A speaker with this share of true words, or less, moves no one. A new speaker has `_NEW`.
_LIAR: Final = 0.25
_NEW: Final = 0.5
_MOST_WEIGHT: Final = 1.4
# How much the next policy of a seat's government proves about an opinion: part of it is luck.
_OUTCOME: Final = 0.5
# How much a claim proves that the other officer confirms, and one that the other denies.
_CONFIRMED: Final = 0.25
_DENIED: Final = 0.5
# Evidence against officers who agree that they had no liberal policy to enact, and against one who
# claims to have had one.
_UNLUCKY: Final = 0.3
_CONFESSED: Final = 2.0
# A ballot is odd if at most this share of the table voted so.
_ODD: Final = 0.25
# Phrases that announce a ballot.
BALLOTS: Final = {"me_vote_ja": Ballot.JA, "me_vote_nein": Ballot.NEIN}
_MEMORY: Final = "reasoning: reputations"


def opinion_steps(word: Spoken) -> dict[int, float]:
    """Return the seats that an opinion or a defence is about, each with the step of the word."""
    if word.code in _DEFENCES:
        return {word.seat: _DEFENCE}
    if word.code == "strange_vote":
        return dict.fromkeys(word.seats, _STRANGE_VOTE)
    # An announced nomination binds its speaker, but argues for no one.
    sides = {} if word.code == "me_nominate" else opinion(word.code, word.seats)
    size = _STRONGER.get(word.code, _OPINION)
    return {seat: -side * size for seat, side in sides.items()}


def reputations_in(heard: Heard) -> "Reputations":
    """Return the reputations at this point, from memory if nothing has been added."""
    size = len(heard.told), len(heard.claims), len(heard.phrases)
    known = heard.memory.get(_MEMORY)
    if known is None or known[0] != size:
        known = heard.memory[_MEMORY] = size, Reputations(heard)
    found: Reputations = known[1]
    return found


class Reputations:
    """The evidence about each seat, and how far each seat's words came true."""

    def __init__(self, heard: Heard) -> None:
        # Each with the index of its action.
        self._nominations: list[tuple[int, Nominated]] = []
        self._votes: list[tuple[int, Ballots]] = []
        self._policies: list[tuple[int, Elected, Policy]] = []
        self._news: list[int] = []
        # When it came out that a seat is not Hitler.
        self._cleared: dict[int, int] = {}
        # The evidence against a seat, or for it if below 0.
        self._against: dict[int, float] = defaultdict(float)
        # Seats that have claimed anything, those whose claims admit that they withheld a liberal
        # policy, and those whose claims something contradicts.
        self._claimed: set[int] = set()
        self._confessed: set[int] = set()
        self._disputed: set[int] = set()
        self._true: dict[int, float] = defaultdict(float)
        self._false: dict[int, float] = defaultdict(float)
        self._hear(heard.claims)
        self._read(heard)
        self._judge(heard.phrases)

    @property
    def nominated_at(self) -> int:
        """The index of the last nomination; -1 if there was none."""
        return self._nominations[-1][0] if self._nominations else -1

    @property
    def nominees(self) -> tuple[int, ...]:
        """The officers of the last nomination."""
        return _officers(self._nominations[-1][1]) if self._nominations else ()

    def credit(self, seat: int) -> float:
        """Return the share of a seat's words that came out true; 0.5 if none has come out yet."""
        true, false = self._true.get(seat, 0.0), self._false.get(seat, 0.0)
        return (true + 1) / (true + false + 2)

    def weight(self, seat: int) -> float:
        """Return how much a seat's words count: 1 for a new speaker, 0 for a liar."""
        return min(max(0.0, (self.credit(seat) - _LIAR) / (_NEW - _LIAR)), _MOST_WEIGHT)

    def steps(self, word: Spoken) -> Iterator[tuple[int, float]]:
        """Yield the seats that a word is about, each with how far it still moves a hearer."""
        left = _FADES ** sum(index >= word.length for index in self._news)
        for seat, step in self._full_steps(word).items():
            yield seat, step * left * self._support(word.code, seat, step > 0)

    def _full_steps(self, word: Spoken) -> dict[int, float]:
        """Return the steps as if there were no news since, and full support for the word."""
        if word.code not in PLEAS:
            return opinion_steps(word)
        seats = self._voted_on(word.length)
        return {seat: PLEAS[word.code] for seat in seats if seat != word.seat}

    def _voted_on(self, length: int) -> tuple[int, ...]:
        """Return the officers that the table voted on after `length` actions; () if on none."""
        earlier = [(index, event) for index, event in self._nominations if index < length]
        if not earlier or any(earlier[-1][0] < at < length for at, _ in self._votes):
            return ()
        return _officers(earlier[-1][1])

    def _support(self, code: str, seat: int, accuses: bool) -> float:
        """Return how much the public history supports a word about a seat, from 0 to 1."""
        if code == "confessed":
            return 1.0 if seat in self._confessed else 0.0
        if code == "strange_vote":
            return 1.0 if self._votes and _is_odd(self._votes[-1][1], seat) else 0.0
        if code == "lying" and seat in self._disputed:
            return 1.0
        if code == "me_truth" and (seat in self._disputed or seat not in self._claimed):
            return 0.0
        against = self._against[seat] if accuses else -self._against[seat]
        return 1.0 if against > _CLEAR else 0.0 if against < -_CLEAR else _UNSUPPORTED

    def _hear(self, claims: Sequence[Knowledge]) -> None:
        """Read the claims: what a new one takes back, and what investigations show."""
        standing: dict[Sight, Knowledge] = {}
        for claim in claims:
            sight = sight_of(claim)
            self._claimed.add(claim.seat)
            if sight in standing and not agrees(standing[sight], claim):
                self._dispute(claim.seat, 1.0)
            standing[sight] = claim
        for claim in standing.values():
            if isinstance(claim, PartySeen):
                self._against[claim.target] += 1 if claim.party is Party.FASCIST else -1

    def _read(self, heard: Heard) -> None:
        """Read the events, and what officers claim about them."""
        government: Elected | None = None
        for index, (number, _, events) in enumerate(heard.told):
            for event in events:
                if isinstance(event, Nominated):
                    self._nominations.append((index, event))
                elif isinstance(event, Ballots):
                    self._votes.append((index, event))
                elif isinstance(event, Elected):
                    government = event
                elif isinstance(event, NotHitler):
                    self._cleared.setdefault(event.seat, index)
                elif isinstance(event, Enacted):
                    self._news.append(index)
                    if event.by == "government":
                        assert government is not None
                        self._policies.append((index, government, event.policy))
                        claims = (heard.claimed(number, kind) for kind in (Drawn, Received))
                        self._weigh(government, event.policy, tuple(claims))
                elif isinstance(event, PowerUsed):
                    self._news.append(index)
                    if isinstance(event, Executed):
                        self._cleared.setdefault(event.target, index)

    def _weigh(
        self, government: Elected, policy: Policy, claims: Sequence[Drawn | Received | None]
    ) -> None:
        """Weigh what a government enacted and what its two officers claim."""
        hands = [None if claim is None else passed(claim) for claim in claims]
        are_told = None not in hands
        agree = are_told and hands[0] == hands[1]
        is_unlucky = agree and Policy.LIBERAL not in (hands[0] or ())
        for seat, hand, claim in zip(_officers(government), hands, claims, strict=True):
            is_fascist = policy is Policy.FASCIST
            self._against[seat] += (_UNLUCKY if is_unlucky else 1.0) if is_fascist else -1.0
            if agree:
                self._true[seat] += _CONFIRMED
            elif are_told:
                self._dispute(seat, _DENIED)
            if hand is not None and policy not in hand:
                self._dispute(seat, 1.0)
            if claim is not None and is_confession(claim, policy):
                self._confessed.add(seat)
                self._against[seat] += _CONFESSED

    def _dispute(self, seat: int, false: float) -> None:
        self._false[seat] += false
        self._disputed.add(seat)

    def _judge(self, phrases: Sequence[Spoken]) -> None:
        """Count the words that what happened later has shown to be true or false."""
        # By speaker and subject, so that no word counts twice: whether it is true, and its weight.
        found: dict[tuple[int, object], tuple[bool, float]] = {}
        for word in phrases:
            for subject, is_true, weight in self._outcomes(word):
                found[word.seat, subject] = is_true, weight
        for (seat, _), (is_true, weight) in found.items():
            (self._true if is_true else self._false)[seat] += weight

    def _outcomes(self, word: Spoken) -> Iterator[tuple[object, bool, float]]:
        """Yield how a word came out: the subject, whether the word was true, and the weight."""
        code, since = word.code, word.length
        if code in BALLOTS:
            for index, event in self._votes:
                if index >= since:
                    ballot = event.ballots[word.seat]
                    if ballot is not None:
                        yield ("vote", index), ballot is BALLOTS[code], 1.0
                    break
        elif code == "me_nominate":
            for index, nominated in self._nominations:
                if index >= since and nominated.president == word.seat:
                    yield ("nomination", index), nominated.chancellor in word.seats, 1.0
                    break
        elif code in ("not_hitler", "me_not_hitler", "hitler"):
            for seat in word.seats or (word.seat,):
                if self._cleared.get(seat, -1) >= since:
                    yield ("hitler", seat), code != "hitler", 1.0
        for seat, step in self._full_steps(word).items():
            for index, government, policy in self._policies:
                if index >= since and seat in _officers(government):
                    accuses = step > 0
                    is_true = accuses is (policy is Policy.FASCIST)
                    yield ("policy", accuses, index), is_true, _OUTCOME
                    break


def _officers(government: Nominated | Elected) -> tuple[int, int]:
    return government.president, government.chancellor


def _is_odd(event: Ballots, seat: int) -> bool:
    """Return whether a seat voted as few others did."""
    voters = len(event.ballots) - event.ballots.count(None)
    return event.ballots.count(event.ballots[seat]) <= _ODD * voters
