"""Reads what a user types into the search for games: "anna 7 players hitler elected 2026-10".

A text is a list of terms in any order: phrases of the grammar, numbers of players (7, 5-6, 8+, "at
least 8"), names in quotes, and periods. A period is a year, a month (2026-10, 10/2026, October
2026) or a day (2026-10-05, 5.10.2026, 5/10/2026, 5 October 2026), alone, after a word such as
"since", or with another one after a dash.
A month or a day without a year (October, 5 October) is the last such one that has begun. Words such
as "yesterday" and "last 7 days" are a period, too. Words that are no term are returned as they
stand: also those with several meanings, such as "won", which `Grammar.wide` finds.
The search can leave nothing out, so what stands behind a minus or a word such as "without" is no
term either.
Nothing here knows Django or the database.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final

from games.text.query_amounts import Amounts
from games.text.query_phrases import (
    AFTER,
    BEFORE,
    DAY_ENDS,
    JOINT,
    NUMBER_ENDS,
    RANGE,
    SPACE,
    UNSPACED,
    UNSPACED_LETTER,
    Phrases,
    Term,
    behind_to,
    fold,
    longest_first,
    normal_query,
    skip,
)

# The first and the last day.
Period = tuple[date, date]

_OTHER_WORD: Final = re.compile(rf"[^\W{UNSPACED}][^\s\",;:、。・{UNSPACED}]*")
# The rest of a number, date or time whose first part means nothing: neither part has a meaning.
_REST_OF_NUMBER: Final = re.compile(
    rf"(?:(?<=[0-9])\s*[-.:/]|(?<=[0-9][-.:/]))\s*[0-9][^\s\",;:、。・{UNSPACED}]*"
)
_QUOTED: Final = re.compile(r'"\s*([^"]*?)\s*"')
# In "5-10 October".
_DAY: Final = re.compile(rf"{BEFORE}([0-9]{{1,2}})(?:日|{AFTER})")
# In "last 7 days".
_DAYS: Final = re.compile("[1-9][0-9]{0,2}")
_DASH: Final = re.compile(r"\s*(?:–|—|\.{2,3}|〜|~|\s-\s)\s*")
_YEAR: Final = "(20[0-9]{2})"
_NN: Final = "([0-9]{1,2})"
# A minus directly before a word. The dash of "5-6" or "7-player" stands behind a character.
_MINUS: Final = re.compile(r"(?<![^\s,;、。])[-−–]+(?=[\w\"])")
_UNWANTED_WORD: Final = re.compile(r"[^\s\",;:、。・]+")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a text: what its words mean, () if they are skipped, None if they are no term."""

    begin: int
    end: int
    terms: tuple[Term, ...] | None
    # Whether these words say what to leave out: then none of them is a name, either.
    is_unwanted: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says."""

    terms: tuple[Term, ...] = ()
    # The runs of words that are no term, as they were written.
    rest: tuple[str, ...] = ()
    # Where all of it stands in the text in its normal form.
    parts: tuple[Part, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Wide:
    """Words with several meanings, none of which is meant for sure."""

    words: str
    meanings: tuple[Term, ...]
    # Which of the grammar's wide words they are.
    name: str
    # Where they begin in the text in which they were found.
    begin: int = field(default=0, compare=False)


class Grammar:
    """The words that a text may use, in one or several languages.

    `phrases` are the words, the filter and its value; the filter "" skips the words. "*" at the end
    of a word stands for any ending. The first one of equal phrases counts. `months` are the names
    of months. `marks` are words by use: "players" after a number of players, "since", "until",
    "after" and "before" in front of a period, "since_behind" and "until_behind" behind it,
    "minutes" and "hours" after a length.
    "last_days" and "days" stand around a number of days up to today.
    "without" stands in front of what to leave out, "no" in front of terms alone, "without_behind"
    behind a term.
    The names of `_PASSING` are periods beside the present day, "to" stands between two numbers of
    players, and "between" in front of them; the names of BOUNDS stand in front of the least or
    the most players, those of BOUNDS_BEHIND behind. `short_months` are names that need a year or
    a day beside them: "Jan" alone is a person's name. `wide` are words with several meanings, each
    with its name, and the meanings by name. `numbers` are words for numbers that need a unit
    ("seven players"); `companies` need none. `longest` is the most minutes of a length. A length
    without a bound, such as "30 minutes", means lengths around it. `is_month_first` says that
    5/10/2026 is in May; a number that is no month is always the day.
    """

    def __init__(
        self,
        phrases: Iterable[tuple[str, str, str]],
        months: Mapping[str, int],
        marks: Mapping[str, Sequence[str]],
        sizes: range,
        short_months: Mapping[str, int] = MappingProxyType({}),
        wide: Iterable[tuple[str, str]] = (),
        meanings: Mapping[str, Sequence[Term]] = MappingProxyType({}),
        numbers: Iterable[tuple[str, int]] = (),
        companies: Iterable[tuple[str, int]] = (),
        *,
        longest: int,
        is_month_first: bool = False,
    ) -> None:
        self._phrases = Phrases((words, (name, value)) for words, name, value in phrases)
        whole = {fold(normal_query(name)): number for name, number in months.items()}
        short = {fold(normal_query(name)): number for name, number in short_months.items()}
        self._months = short | whole
        self._companies = Phrases((word, ("players", str(number))) for word, number in companies)
        self._marks = {
            name: Phrases((word, (name, word)) for word in words) for name, words in marks.items()
        }
        words_for = Phrases((word, ("players", str(number))) for word, number in numbers)
        self._sizes = Amounts(sizes, self._marks, words_for, unit="players")
        self._lengths = [
            Amounts(
                range(longest + 1),
                self._marks,
                words_for,
                unit=unit,
                factor=factor,
                is_unit_needed=True,
            )
            for unit, factor in (("minutes", 1), ("hours", 60))
        ]
        self._longest = longest
        self._wide = Phrases((words, ("wide", name)) for words, name in wide)
        self._meanings = {name: tuple(terms) for name, terms in meanings.items()}
        name, lone = _any_of(self._months), _any_of(whole)
        between = r"[\s,]+"
        slashed = ((3, 1, 2), (3, 2, 1)) if is_month_first else ((3, 2, 1), (3, 1, 2))
        # Each form of a period, and which of its groups are year, month and day.
        forms = (
            (rf"{_YEAR}([-./]){_NN}\2{_NN}", (1, 3, 4)),
            *((rf"{_NN}/{_NN}/{_YEAR}", order) for order in slashed),
            (rf"{_NN}\.{_NN}\.{_YEAR}", (3, 2, 1)),
            (rf"{_YEAR}年\s?{_NN}月\s?{_NN}日", (1, 2, 3)),
            (rf"{_YEAR}年\s?{_NN}月", (1, 2)),
            (rf"{_YEAR}年", (1,)),
            (rf"{_NN}\.?\s+{name}{between}{_YEAR}", (3, 2, 1)),
            (rf"{name}\s+{_NN}{between}{_YEAR}", (3, 1, 2)),
            (rf"{name}{between}{_YEAR}", (2, 1)),
            (rf"{_YEAR}\s+{name}", (1, 2)),
            (rf"{_YEAR}[-./]{_NN}", (1, 2)),
            (rf"{_NN}[./]{_YEAR}", (2, 1)),
            (_YEAR, (1,)),
        )
        self._forms = [
            (re.compile(f"{BEFORE}{form}{NUMBER_ENDS}"), groups) for form, groups in forms
        ]
        # The same without a year: the groups are month and day.
        yearless = (
            (rf"{_NN}月\s?{_NN}日", (1, 2)),
            (rf"{_NN}月", (1,)),
            (rf"{_NN}\.?\s+{name}{AFTER}", (2, 1)),
            (rf"{name}\s+{_NN}{DAY_ENDS}", (1, 2)),
            (rf"{lone}{AFTER}", (1,)),
        )
        self._forms_without_year = [
            (re.compile(f"{BEFORE}{form}"), groups) for form, groups in yearless
        ]

    def read(self, text: str, today: date) -> Reading:
        """Return what the text says on a day. Never fails; what is too long is cut."""
        text = normal_query(text)
        folded = fold(text)
        terms: list[Term] = []
        rest: list[str] = []
        parts: list[Part] = []
        place, began = 0, None
        while place < len(text):
            if began is not None and (more := _REST_OF_NUMBER.match(text, place)):
                place = more.end()
                continue
            size = self._sizes_at(folded, place, today)
            if size and not size[0]:
                # No game has so many players.
                began = place if began is None else began
                place = size[1]
                continue
            unwanted = self._unwanted(text, folded, place, today)
            if unwanted is not None:
                if began is not None:
                    rest.append(text[began:place])
                    parts.append(Part(began, place, None))
                    began = None
                rest.append(text[place:unwanted])
                parts.append(Part(place, unwanted, None, is_unwanted=True))
                place = unwanted
                continue
            new, end = self._term(text, folded, place, today)
            if new is None:
                word = _OTHER_WORD.match(text, place) or UNSPACED_LETTER.match(text, place)
                if word is not None:
                    began = place if began is None else began
                    place = word.end()
                    continue
                end = place + 1
            # A run of words ends at a term and at punctuation, but not at a space.
            if began is not None and not (new is None and text[place].isspace()):
                rest.append(text[began:place])
                parts.append(Part(began, place, None))
                began = None
            if new is not None:
                terms += new
                parts.append(Part(place, end, tuple(new)))
            place = end
        if began is not None:
            rest.append(text[began:])
            parts.append(Part(began, len(text), None))
        runs = tuple(" ".join(run.split()) for run in rest)
        return Reading(tuple(terms), runs, tuple(parts))

    def wide(self, text: str, today: date) -> tuple[tuple[Wide, ...], tuple[str, ...]]:
        """Return the words with several meanings in a run of words without one, and the others."""
        text = normal_query(text)
        folded = fold(text)
        found: list[Wide] = []
        rest: list[str] = []
        place = began = 0
        while place < len(text):
            if phrase := self._wide.at(folded, place):
                name, end = str(phrase[0][1]), phrase[1]
                new = Wide(text[place:end], self._meanings[name], name, place)
            else:
                word = _OTHER_WORD.match(text, place)
                place = word.end() if word else place + 1
                continue
            found.append(new)
            rest.append(text[began:place])
            place = began = end
        rest.append(text[began:])
        return tuple(found), tuple(run for each in rest if (run := " ".join(each.split())))

    def _unwanted(self, text: str, folded: str, place: int, today: date) -> int | None:
        """Return where words end that begin here and say what to leave out; None if none do."""
        minus = _MINUS.match(text, place)
        mark = self._marks["without"].at(folded, place) or self._marks["no"].at(folded, place)
        begun, end_of_term = self._term(text, folded, place, today)
        if minus:
            behind = minus.end()
        elif begun is not None:
            # "No clock" is a term of its own. Some languages say what to leave out behind it.
            last = self._marks["without_behind"].at(folded, skip(SPACE, text, end_of_term))
            return last[1] if begun and last else None
        elif mark:
            behind = skip(SPACE, text, mark[1])
        else:
            return None
        new, end = self._term(text, folded, behind, today)
        # "The" in "without the veto" means nothing.
        while new == [] and end > behind:
            behind = skip(SPACE, text, end)
            new, end = self._term(text, folded, behind, today)
        if new is not None:
            return end
        if wide := self._wide.at(folded, behind):
            return wide[1]
        word = None if mark and mark[0][0] == "no" else _UNWANTED_WORD.match(text, behind)
        return word.end() if word else None

    def _term(
        self, text: str, folded: str, place: int, today: date
    ) -> tuple[list[Term] | None, int]:
        """Return the terms that begin here and where they end; None if none begins."""
        if quoted := _QUOTED.match(text, place):
            name = " ".join(quoted[1].split())
            return [("names", name)] if name else [], quoted.end()
        if found := self._days(folded, place, today):
            return found
        if length := self._length_at(folded, place, today):
            return length
        if size := self._sizes_at(folded, place, today):
            sizes, end = size
            if not sizes:
                return None, place
            ends = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]}-{sizes[-1]}"
            return [("players", ends)], end
        phrases = (self._phrases.at(folded, place), self._companies.at(folded, place))
        if phrase := max(filter(None, phrases), key=lambda each: each[1], default=None):
            return [phrase[0]] if phrase[0][0] else [], phrase[1]
        return None, place

    def _sizes_at(self, text: str, place: int, today: date) -> tuple[range, int] | None:
        """Return the numbers of players that begin here, and their end; None if none do."""
        if self._length_at(text, place, today):
            return None
        return self._amounts_at(self._sizes, text, place, today)

    def _length_at(self, text: str, place: int, today: date) -> tuple[list[Term], int] | None:
        """Return the length that begins here, as a range of minutes, and its end."""
        for amounts in self._lengths:
            found = self._amounts_at(amounts, text, place, today)
            if not found or not found[0]:
                continue
            least, most, end = found[0][0], found[0][-1], found[1]
            if least == most:
                # A length without a bound: a quarter less to a quarter more.
                least, most = least * 3 // 4, -(-most * 5 // 4)
            return [("length", f"{least}-{most if most < self._longest else ''}")], end
        return None

    def _amounts_at(
        self, amounts: Amounts, text: str, place: int, today: date
    ) -> tuple[range, int] | None:
        def is_other(begins: int) -> bool:
            return bool(
                self._period(text, begins, today)
                or self._phrases.at(text, begins)
                # In "7 players, up to 30 minutes".
                or (amounts is self._sizes and self._length_at(text, begins, today))
            )

        return amounts.at(text, place, is_other)

    def _days(self, text: str, place: int, today: date) -> tuple[list[Term], int] | None:
        """Return the days of a period that begins here, with the words around it."""
        for name in ("since", "until", "after", "before"):
            if (mark := self._marks[name].at(text, place)) is None:
                continue
            begins = skip(SPACE, text, mark[1])
            if period := self._period(text, begins, today):
                if (last := self._until(text, period[1], today)) is not None:
                    period = self._period(text, begins, today, last) or period
                (first, last), end = period
                return _bounded(name, first, last), end
        if days := self._days_of_a_month(text, place, today):
            (first, last), end = days
            return [("since", first), ("until", last)], end
        if (period := self._period(text, place, today)) is None:
            return None
        (first, last), end = period
        # The digits of "2026-10" and "5.10" may go on behind a dash without spaces.
        dashes = _DASH if text[end - 1].isdecimal() else RANGE
        if dash := dashes.match(text, end):
            begins = dash.end()
        # "1 October to 5 October"
        elif mark := self._marks["until"].at(text, skip(SPACE, text, end)):
            begins = skip(SPACE, text, mark[1])
        else:
            begins = len(text)
        if other := self._period(text, begins, today):
            (other_first, other_last), end = other
            # Of October to December, both without a year, October is the one before December.
            (first, last), _ = self._period(text, place, today, other_last) or period
            first, last = min(first, other_first), max(last, other_last)
        for name, behind in (("since", "since_behind"), ("until", "until_behind")):
            if mark := self._marks[behind].at(text, end):
                return _bounded(name, first, last), mark[1]
        return [("since", first), ("until", last)], end

    def _days_of_a_month(self, text: str, place: int, today: date) -> tuple[Period, int] | None:
        """Return the days from one to another of which only one has a month: "5-10 October"."""
        if mark := self._marks["between"].at(text, place) or self._marks["since"].at(text, place):
            place = skip(SPACE, text, mark[1])
        number = _DAY.match(text, place)
        if number and (behind := behind_to(text, number.end(), self._marks)):
            period = self._period(text, behind, today)
        elif period := self._period(text, place, today):
            behind = behind_to(text, period[1], self._marks)
            # "5 October - 10 November" has two months.
            is_day = behind and not self._period(text, behind, today)
            number = _DAY.match(text, behind) if behind and is_day else None
        if not (number and period) or period[0][0] != period[0][1]:
            return None
        try:
            other = period[0][0].replace(day=int(number[1]))
        except ValueError:
            # The month has no such day.
            return None
        first, last = sorted((other, period[0][0]))
        return (first, last), max(number.end(), period[1])

    def _until(self, text: str, place: int, today: date) -> date | None:
        """Return the last day of a period that follows here after a word such as "until"."""
        place = skip(SPACE, text, place)
        for name in ("until", "before"):
            if (mark := self._marks[name].at(text, place)) is None:
                continue
            if period := self._period(text, skip(SPACE, text, mark[1]), today):
                return period[0][1]
        return None

    def _period(
        self, text: str, place: int, today: date, until: date = date.max
    ) -> tuple[Period, int] | None:
        """Return the period that begins here, and its end. Without a year it begins by `until`."""
        for name, days_of in _PASSING.items():
            if mark := self._marks[name].at(text, place):
                try:
                    return days_of(today), mark[1]
                except (OverflowError, ValueError):
                    # The calendar ends before these days.
                    continue
        if days := self._last_days(text, place, today):
            return days
        for form, groups in self._forms:
            if (match := form.match(text, place)) is None:
                continue
            try:
                return _period(*self._numbers(match, groups)), match.end()
            except ValueError:
                # There is no such day.
                continue
        for form, groups in self._forms_without_year:
            if (match := form.match(text, place)) is None:
                continue
            # In "October 7 players" and "October 7-8 players" the number is none of a day.
            if len(groups) > 1 and self._sizes.has_unit(text, match.end()):
                continue
            if period := _last_begun(min(today, until), *self._numbers(match, groups)):
                return period, match.end()
        return None

    def _last_days(self, text: str, place: int, today: date) -> tuple[Period, int] | None:
        """Return the days of "last 7 days", today among them, and the end of these words."""
        if (mark := self._marks["last_days"].at(text, place)) is None:
            return None
        if (number := _DAYS.match(text, skip(SPACE, text, mark[1]))) is None:
            return None
        unit = self._marks["days"].at(text, skip(JOINT, text, number.end()))
        earlier = timedelta(days=int(number[0]) - 1)
        if unit is None or today - date.min < earlier:
            return None
        return (today - earlier, today), unit[1]

    def _numbers(self, match: re.Match[str], groups: Sequence[int]) -> list[int]:
        return [int(self._months.get(match[group]) or match[group]) for group in groups]


def _last_begun(today: date, month: int, day: int | None = None) -> Period | None:
    """Return the last such month or day that has begun; None if there is no such day."""
    # Two leap years may be eight years apart.
    for year in range(today.year, max(date.min.year, today.year - 8) - 1, -1):
        try:
            period = _period(year, month, day)
        except ValueError:
            continue
        if period[0] <= today:
            return period
    return None


def _bounded(name: str, first: date, last: date) -> list[Term]:
    if name == "since":
        return [("since", first)]
    if name == "until":
        return [("until", last)]
    if name == "after":
        return [("since", last + timedelta(days=1))]
    return [("until", first - timedelta(days=1))]


def _period(year: int, month: int | None = None, day: int | None = None) -> Period:
    """Return the first and the last day. Raises ValueError if there is no such day."""
    if month is None:
        return date(year, 1, 1), date(year, 12, 31)
    if day is None:
        first = date(year, month, 1)
        after = date(year + month // 12, month % 12 + 1, 1)
        return first, after - timedelta(days=1)
    return date(year, month, day), date(year, month, day)


def _day_before(day: date) -> Period:
    day -= timedelta(days=1)
    return day, day


def _week(day: date) -> Period:
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


def _month_before(day: date) -> Period:
    return _period(day.year - (day.month == 1), (day.month - 2) % 12 + 1)


# The periods beside the present day, by the name of their marks.
_PASSING: Final[Mapping[str, Callable[[date], Period]]] = {
    "today": lambda today: (today, today),
    "yesterday": _day_before,
    "this_week": _week,
    "last_week": lambda today: _week(today - timedelta(days=7)),
    "this_month": lambda today: _period(today.year, today.month),
    "last_month": _month_before,
    "this_year": lambda today: _period(today.year),
    "last_year": lambda today: _period(today.year - 1),
}


def _any_of(names: Iterable[str]) -> str:
    """Return a pattern with one group that any of these names matches, also with a full stop."""
    pattern = "|".join(re.escape(each) for each in longest_first(names))
    return rf"({pattern})\.?" if pattern else "(?!)()"
