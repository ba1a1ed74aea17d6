"""How words move a bot, by what the table knows of the speaker's earlier words.

Everything here follows from the public history, so it is the same for all roles. A word shifts the
log odds that a seat is a fascist by a bounded step. The step is larger where the public record
supports the word. It is smaller if the speaker's words were false before, if the listener doubts
the speaker, and once the table has learned something new.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.bots.heard import Heard, Spoken
from games.rules.claims import About, Sight, agrees, is_confession, passed, sight_of
from games.rules.components import Ballot, Party, Policy
from games.rules.events import Ballots, Elected, Enacted, Nominated, NotHitler
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received
from games.rules.powers import Executed, Investigated, PowerUsed, PowerUsedOn

# How far words move their hearers, in log odds of being a fascist. These are about the seats named.
_ABOUT_NAMED: Final[Mapping[str, float]] = {
    **dict.fromkeys(("fascist", "hitler", "confessed"), 0.9),
    "lying": 0.8,
    **dict.fromkeys(("suspect", "together", "nein_distrust", "nein_hitler", "not_nominate"), 0.6),
    "strange_vote": 0.4,
    **dict.fromkeys(("trust", "good_pair", "ja_trust", "nominate"), -0.6),
    "believe": -0.8,
    "liberal": -0.9,
}
# These are about the speaker.
_ABOUT_ONESELF: Final = dict.fromkeys(("me_truth", "me_wronged", "me_liberal", "nominate_me"), -0.5)
# These are about the government that the table votes on.
PLEAS: Final = {"vote_ja": -0.4, "vote_nein": 0.4}
# Requests that may name the player who is asked before the seat that they are about.
_ASKS_FIRST: Final = frozenset({"nominate", "not_nominate"})
# The most that words about a vote move the ballot itself.
_MOST_PLEA: Final = 0.8
# The most that all words of one speaker move, all words about one seat, and all words together.
_MOST_BY_ONE: Final = 1.8
_MOST_ABOUT_ONE: Final = 1.4
_MOST: Final = 3.0
# What is left of a word after each policy and each use of a power since.
_FADES: Final = 0.5
# What each further speaker who says the same counts for, compared with the one before.
_FURTHER: Final = 0.5
# How much a word counts if the record is silent. One that the record contradicts counts nothing.
_UNSUPPORTED: Final = 0.5
_CLEAR: Final = 0.25
# A speaker with this share of true words, or less, moves no one. A new speaker has `_NEW`.
_LIAR: Final = 0.25
_NEW: Final = 0.5
_MOST_WEIGHT: Final = 1.4
# How much it tells of an opinion what the seat's next government enacts: luck has its part.
_OUTCOME: Final = 0.5
# How much a claim counts that the other officer confirms, and one that the other denies.
_CONFIRMED: Final = 0.25
_DENIED: Final = 0.5
# How much a fascist policy speaks against officers who agree that there was no choice; and how much
# more it does against an officer who claims to have had one.
_UNLUCKY: Final = 0.3
_CONFESSED: Final = 2.0
# At most this share of the ballots is odd.
_ODD: Final = 0.25

_MEMORY: Final = "reasoning: words"


def side_of(code: str) -> int:
    """Return 1 for a word against those whom it is about, -1 for one in favor, 0 for others.

    A plea for a government speaks in favor of its officers.
    """
    step = {**_ABOUT_NAMED, **_ABOUT_ONESELF, **PLEAS}.get(code, 0.0)
    return 1 if step > 0 else -1 if step < 0 else 0


def credit(heard: Heard, seat: int) -> float:
    """Return the share of a seat's words that came out true; 0.5 if none has come out yet."""
    return _record(heard).credit(seat)


def shifts(
    heard: Heard, viewer: int, fascist: Sequence[float], without: int | None = None
) -> dict[int, float]:
    """Return by seat how far words move the viewer's log odds that it is a fascist.

    `fascist` has the odds that the viewer would have without words. `without` is the index of a
    phrase to leave out.
    """
    if not heard.phrases:
        return {}
    record = _record(heard)
    # By speaker and seat.
    steps: dict[tuple[int, int], float] = {}
    for number, word in enumerate(heard.phrases):
        if word.seat == viewer or number == without:
            continue
        for seat, step in record.arguments(word):
            if seat == viewer:
                continue
            step *= record.weight(word.seat) * _openness(fascist[word.seat])
            steps[word.seat, seat] = _taken(steps.get((word.seat, seat), 0.0), step)
    return _bounded(steps)


def ballot_shift(heard: Heard, viewer: int, fascist: Sequence[float]) -> float:
    """Return how far words since the nomination move the log odds of the viewer's Ja.

    These are pleas to the viewer, or to all, and opinions about the two nominees.
    """
    words = _since_nomination(heard)
    if not words:
        return 0.0
    record = _record(heard)
    steps: dict[int, float] = {}
    for word in words:
        if word.seat == viewer:
            continue
        if word.code in PLEAS:
            is_asked = not word.seats or viewer in word.seats
            about = [PLEAS[word.code]] if is_asked else []
        else:
            about = [step for seat, step in record.arguments(word) if seat in record.nominees]
        for step in about:
            weight = record.weight(word.seat) * _openness(fascist[word.seat])
            steps[word.seat] = _taken(steps.get(word.seat, 0.0), -step * weight)
    return _within(_together(steps.values()), _MOST_PLEA)


def promised_ballot(heard: Heard, viewer: int) -> Ballot | None:
    """Return the ballot to which the viewer's own words since the nomination bind it."""
    last: dict[int, str] = {}
    promised = None
    for word in _since_nomination(heard):
        last[word.seat] = word.code
        if word.seat != viewer:
            continue
        if word.code in _BALLOTS:
            promised = _BALLOTS[word.code]
        elif word.code in ("point", "not_convinced"):
            plea = last.get(word.seats[0])
            if plea in PLEAS:
                is_ja = (plea == "vote_ja") is (word.code == "point")
                promised = Ballot.JA if is_ja else Ballot.NEIN
    return promised


def promised_nominee(heard: Heard, viewer: int) -> int | None:
    """Return the seat that the viewer has said that it will nominate now."""
    for word in reversed(_since_nomination(heard)):
        if word.seat == viewer and word.code == "me_nominate":
            return word.seats[0]
    return None


def _since_nomination(heard: Heard) -> list[Spoken]:
    phrases: list[Spoken] = []
    since = _record(heard).nominated_at if heard.phrases else -1
    for word in reversed(heard.phrases):
        if word.length <= since:
            break
        phrases.append(word)
    phrases.reverse()
    return phrases


# Sums -----------------------------------------------------------------------------------------


def _openness(doubt: float) -> float:
    """Return how much a listener takes from a speaker who is a fascist with this probability."""
    return min(1.0, 2 * (1 - doubt))


def _taken(before: float, step: float) -> float:
    """Return what a speaker's words about a seat come to with one more.

    The same again adds nothing. A speaker who changes sides takes the old words back.
    """
    if not step:
        return before
    return step if before * step <= 0 or abs(step) > abs(before) else before


def _bounded(steps: Mapping[tuple[int, int], float]) -> dict[int, float]:
    """Return the sum by seat of the steps by speaker and seat, within all bounds."""
    by_speaker: dict[int, float] = defaultdict(float)
    by_seat: dict[int, list[float]] = defaultdict(list)
    for (speaker, _), step in steps.items():
        by_speaker[speaker] += abs(step)
    for (speaker, seat), step in steps.items():
        if step:
            by_seat[seat].append(step * min(1.0, _MOST_BY_ONE / by_speaker[speaker]))
    sums = {seat: _within(_together(some), _MOST_ABOUT_ONE) for seat, some in by_seat.items()}
    total = sum(map(abs, sums.values()))
    return {seat: shift * min(1.0, _MOST / total) for seat, shift in sums.items() if shift}


def _together(steps: Iterable[float]) -> float:
    """Return the sum of several speakers' steps: each further one on a side counts for less."""
    ordered = sorted(steps, key=abs, reverse=True)
    found = 0.0
    for side in (1, -1):
        agreeing = [step for step in ordered if step * side > 0]
        found += sum(step * _FURTHER**number for number, step in enumerate(agreeing))
    return found


def _within(value: float, most: float) -> float:
    return max(-most, min(most, value))


# The record -----------------------------------------------------------------------------------

_BALLOTS: Final = {"me_vote_ja": Ballot.JA, "me_vote_nein": Ballot.NEIN}
_USES: Final = {"me_execute": Executed, "me_investigate": Investigated}


@dataclass(frozen=True, slots=True)
class _Term:
    """A government that has enacted a policy, and the index of the action."""

    index: int
    round: int
    president: int
    chancellor: int
    policy: Policy

    @property
    def officers(self) -> tuple[int, int]:
        return self.president, self.chancellor


def _record(heard: Heard) -> "_Record":
    """Return the record of all words so far, from memory if nothing was added."""
    size = len(heard.told), len(heard.claims), len(heard.phrases)
    known = heard.memory.get(_MEMORY)
    if known is None or known[0] != size:
        known = heard.memory[_MEMORY] = size, _Record(heard)
    record: _Record = known[1]
    return record


class _Record:
    """What the table knows for or against each seat, and of each seat's words."""

    def __init__(self, heard: Heard) -> None:
        # Each with the index of its action.
        self._nominations: list[tuple[int, Nominated]] = []
        self._votes: list[tuple[int, Ballots]] = []
        self._uses: list[tuple[int, int, PowerUsedOn]] = []
        self._news: list[int] = []
        # When it came out that a seat is not Hitler.
        self._cleared: dict[int, int] = {}
        self._terms: list[_Term] = []
        # How much the public record speaks against a seat; below 0 for it.
        self._against: dict[int, float] = defaultdict(float)
        # Seats that have claimed anything, those whose claims admit that they withheld a liberal
        # policy, and those whose claims something contradicts.
        self._claimed: set[int] = set()
        self._confessed: set[int] = set()
        self._disputed: set[int] = set()
        self._true: dict[int, float] = defaultdict(float)
        self._false: dict[int, float] = defaultdict(float)
        self._read(heard)
        self._hear(heard.claims)
        self._judge(heard.phrases)

    @property
    def nominated_at(self) -> int:
        """The index of the last nomination; -1 if there was none."""
        return self._nominations[-1][0] if self._nominations else -1

    @property
    def nominees(self) -> tuple[int, ...]:
        """The officers of the last nomination."""
        if not self._nominations:
            return ()
        nominated = self._nominations[-1][1]
        return nominated.president, nominated.chancellor

    def credit(self, seat: int) -> float:
        true, false = self._true.get(seat, 0.0), self._false.get(seat, 0.0)
        return (true + 1) / (true + false + 2)

    def weight(self, seat: int) -> float:
        """Return how much a seat's words count: 1 for a new speaker, 0 for a liar."""
        return min(max(0.0, (self.credit(seat) - _LIAR) / (_NEW - _LIAR)), _MOST_WEIGHT)

    def arguments(self, word: Spoken) -> Iterator[tuple[int, float]]:
        """Yield the seats that a word is about, each with how far it still moves a hearer."""
        left = _FADES ** sum(index >= word.length for index in self._news)
        for seat, step in self._targets(word):
            yield seat, step * left * self._support(word.code, seat, step > 0)

    def _targets(self, word: Spoken) -> Iterator[tuple[int, float]]:
        """Yield the seats that a word is about, each with the word's step."""
        code, seats = word.code, word.seats
        if code in _ABOUT_NAMED:
            if code in _ASKS_FIRST and len(seats) > 1:
                seats = seats[1:]
            # "Either one or the other" takes no side.
            if code != "lying" or len(seats) == 1:
                yield from ((seat, _ABOUT_NAMED[code]) for seat in seats)
        elif code in _ABOUT_ONESELF:
            yield word.seat, _ABOUT_ONESELF[code]
        elif code in PLEAS:
            nominated = self._vote_at(word.length)
            if nominated is not None:
                officers = nominated.president, nominated.chancellor
                yield from ((seat, PLEAS[code]) for seat in officers if seat != word.seat)

    def _vote_at(self, length: int) -> Nominated | None:
        """Return the nomination on which the table votes after so many actions, if it does."""
        nominations = [(index, event) for index, event in self._nominations if index < length]
        if not nominations:
            return None
        index, nominated = nominations[-1]
        return None if any(index < at < length for at, _ in self._votes) else nominated

    def _support(self, code: str, seat: int, accuses: bool) -> float:
        """Return how much the public record supports a word about a seat, from 0 to 1."""
        if code == "confessed":
            return 1.0 if seat in self._confessed else 0.0
        if code == "strange_vote":
            return 1.0 if self._votes and _is_odd(self._votes[-1][1], seat) else 0.0
        if seat in self._disputed and code == "lying":
            return 1.0
        if code == "me_truth" and (seat in self._disputed or seat not in self._claimed):
            return 0.0
        against = self._against[seat] if accuses else -self._against[seat]
        return 1.0 if against > _CLEAR else 0.0 if against < -_CLEAR else _UNSUPPORTED

    # Reading ---------------------------------------------------------------------------------

    def _read(self, heard: Heard) -> None:
        president = chancellor = -1
        for index, (number, actor, events) in enumerate(heard.told):
            for event in events:
                match event:
                    case Nominated():
                        self._nominations.append((index, event))
                    case Ballots():
                        self._votes.append((index, event))
                    case Elected():
                        president, chancellor = event.president, event.chancellor
                    case NotHitler():
                        self._cleared.setdefault(event.seat, index)
                    case Enacted():
                        self._news.append(index)
                        if event.by == "government":
                            term = _Term(index, number, president, chancellor, event.policy)
                            self._terms.append(term)
                    case PowerUsed():
                        self._news.append(index)
                        if isinstance(event, PowerUsedOn):
                            self._uses.append((index, actor, event))
                        if isinstance(event, Executed):
                            self._cleared.setdefault(event.target, index)

    def _hear(self, claims: Sequence[Knowledge]) -> None:
        standing: dict[Sight, Knowledge] = {}
        for claim in claims:
            sight = sight_of(claim)
            self._claimed.add(claim.seat)
            if sight in standing and not agrees(standing[sight], claim):
                self._dispute(claim.seat, 1.0)
            standing[sight] = claim
        for term in self._terms:
            drawn = standing.get(Sight(About.DRAWN, term.round, term.president))
            received = standing.get(Sight(About.RECEIVED, term.round, term.chancellor))
            self._weigh(term, drawn, received)
        for claim in standing.values():
            if isinstance(claim, PartySeen):
                self._against[claim.target] += 1 if claim.party is Party.FASCIST else -1

    def _weigh(self, term: _Term, drawn: Knowledge | None, received: Knowledge | None) -> None:
        """Weigh what a government enacted and what its officers claim."""
        hands = (
            passed(drawn) if isinstance(drawn, Drawn) else None,
            received.policies if isinstance(received, Received) else None,
        )
        are_told = None not in hands
        agree = are_told and len({tuple(sorted(hand or ())) for hand in hands}) == 1
        is_fascist = term.policy is Policy.FASCIST
        is_unlucky = agree and Policy.LIBERAL not in (hands[0] or ())
        for seat, hand, claim in zip(term.officers, hands, (drawn, received), strict=True):
            self._against[seat] += (_UNLUCKY if is_unlucky else 1.0) if is_fascist else -1.0
            if agree:
                self._true[seat] += _CONFIRMED
            elif are_told:
                self._dispute(seat, _DENIED)
            if hand is not None and term.policy not in hand:
                self._dispute(seat, 1.0)
            if claim is not None and is_confession(claim, term.policy):
                self._confessed.add(seat)
                self._against[seat] += _CONFESSED

    def _dispute(self, seat: int, false: float) -> None:
        self._false[seat] += false
        self._disputed.add(seat)

    # Judging ---------------------------------------------------------------------------------

    def _judge(self, phrases: Sequence[Spoken]) -> None:
        """Count the words that what happened later has shown to be true or false."""
        # By speaker and subject, so that no word counts twice: whether it is true, and its weight.
        found: dict[tuple[object, ...], tuple[bool, float]] = {}
        for word in phrases:
            for subject, is_true, weight in self._outcomes(word):
                found[word.seat, *subject] = is_true, weight
        for (seat, *_), (is_true, weight) in found.items():
            assert isinstance(seat, int)
            (self._true if is_true else self._false)[seat] += weight

    def _outcomes(self, word: Spoken) -> Iterator[tuple[tuple[object, ...], bool, float]]:
        """Yield what has come of a word: the subject, whether the word was true, and the weight."""
        code, since = word.code, word.length
        if code in _BALLOTS:
            for index, event in self._votes:
                if index >= since:
                    ballot = event.ballots[word.seat]
                    if ballot is not None:
                        yield ("vote", index), ballot is _BALLOTS[code], 1.0
                    break
        elif code == "me_nominate":
            for index, nominated in self._nominations:
                if index >= since and nominated.president == word.seat:
                    yield ("nomination", index), nominated.chancellor in word.seats, 1.0
                    break
        elif code in _USES:
            for index, actor, use in self._uses:
                if index >= since and actor == word.seat and isinstance(use, _USES[code]):
                    yield ("power", index), use.target in word.seats, 1.0
                    break
        elif code in ("not_hitler", "me_not_hitler", "hitler"):
            for seat in word.seats or (word.seat,):
                if self._cleared.get(seat, -1) >= since:
                    yield ("hitler", seat), code != "hitler", 1.0
        for seat, step in self._targets(word):
            accuses = step > 0
            term = next((t for t in self._terms if t.index >= since and seat in t.officers), None)
            if term is not None:
                is_true = accuses is (term.policy is Policy.FASCIST)
                yield ("policy", accuses, term.index), is_true, _OUTCOME


def _is_odd(event: Ballots, seat: int) -> bool:
    """Return whether a seat voted as few others did."""
    voters = len(event.ballots) - event.ballots.count(None)
    return event.ballots.count(event.ballots[seat]) <= _ODD * voters
