"""Filters and tags that put a table into words and drawings: sentences, icons, names."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Final
from unicodedata import east_asian_width

import segno
from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape, format_html, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games import wording
from games.models import BotsSay, Chat, Level, Pace, Ruling, Table
from games.panels.administration import EarlyRuling
from games.panels.lobby import LobbyRow
from games.panels.pieces import CSRF_MARK
from games.panels.private import After, Choice, Revealed, You
from games.panels.scene import Banner, LogRound, Result
from games.rules.editions import Formula, Options
from games.rules.powers import POWERS, Power
from games.selectors.calls import called_table
from games.state.game_log import Away, Replaced, Ruled, Stopped, renamed

register = template.Library()

# In letters of the width of Latin ones.
_LONG_HEADLINES: Final = (40, 80)
_HEADLINE_SIZES: Final = ("headline", "headline long", "headline long longest")
_LONG_NAMES: Final = (8, 10, 14)
_NAME_SIZES: Final = ("", "is-long", "is-longer", "is-longest")

# The letters of the Cyrillic font files.
_CYRILLIC: Final = re.compile("[\u0400-\u045f\u0490\u0491]")

# The icon of each kind of event in the log.
_MARKS: Final = {
    "nominated": "chancellor",
    "ballots": "ballot",
    "elected": "elected",
    "rejected": "rejected",
    "tracker": "tracker",
    "not_hitler": "cleared",
    "enacted": "policy",
    "veto": "veto",
    **{entry.event.kind: entry.icon for entry in POWERS.values()},
    "shuffled": "shuffle",
    "candidate": "president",
    "over": "win",
    "propose_veto": "veto",
    "stood_in": "away",
    "away": "clock",
    "replaced": "person",
    "stopped": "close",
    "freeze": "lock",
    "thaw": "clock",
    "void": "close",
}

register.filter("role_name", wording.role)
register.filter("party_name", wording.party)
register.filter("policy_name", wording.policy)
register.filter("phase_name", wording.phase)
register.filter("power_name", wording.power)
register.filter("power_explained", wording.power_explained)
register.filter("power_form", wording.power_form)
register.filter("power_headline", wording.power_headline)
register.filter("ending_told", wording.ending)
register.filter("hitler_answer", wording.hitler_answer)
register.simple_tag(called_table, name="called_table")
register.simple_tag(wording.not_hitler_badge, name="not_hitler_badge")
register.filter("winner_told", wording.winner)
register.filter("own_part", wording.own_part)
register.filter("spoken_name", wording.spoken_name)
register.filter("hint_told", wording.hint)
register.filter("terms", wording.linked_terms)
register.simple_tag(wording.barred, name="why_barred")
register.filter("edition_name", wording.edition_name)
register.filter("bot_kind", wording.bot_kind)
register.simple_tag(wording.bot_kinds, name="bot_kinds")
register.filter("percent", wording.percent)
register.filter("length_in_words", wording.length_in_words)
register.filter("option_name", wording.option_name)
register.filter("option_explained", wording.option_explained)
register.simple_tag(wording.option_value, name="option_value")


@register.simple_tag
@cache
def icon(name: str, css: str = "icon") -> SafeString:
    """Return a drawing of art.svg, hidden from screen readers because the words are beside it."""
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        css,
        _art(),
        name,
    )


@cache
def _art() -> str:
    return static("games/art.svg")


@register.filter
def mark(kind: str) -> str:
    """Return the icon of a kind of event."""
    return _MARKS.get(kind, "info")


@register.filter
def is_power(phase: str) -> bool:
    """Return whether the game waits for the use of a power."""
    return phase in tuple(Power)


@register.filter
def result_sentence(result: Result) -> SafeString:
    """Return what a government came to as a sentence."""
    return _safe(wording.event_sentence(result.event, result.seat, result.names, html=True))


@register.filter
def set_words(options: Options | None, formula: str) -> str:
    """Return what an officer says in set words, or "" if the table's rules have no such formula.

    `formula` is a formula, or a power that may have one.
    """
    if not options or formula not in options.spoken_formula:
        return ""
    return wording.set_words(Formula(formula), options)


@register.filter
def hitler_question(banner: Banner) -> SafeString:
    """Return the question that was answered, whether a player is Hitler, or "" if no one asks."""
    assert banner.answer is not None
    speech = wording.Speech({banner.answer.seat: banner.asked}, html=True)
    return _safe(wording.hitler_question(speech, banner.answer, banner.options))


@register.filter
def hitler_declared(banner: Banner) -> SafeString:
    """Return how it came out whether a player is Hitler, where no one asks."""
    assert banner.answer is not None
    speech = wording.Speech({banner.answer.seat: banner.asked}, html=True)
    return _safe(wording.hitler_declared(speech, banner.answer))


@register.filter
def headline_in_size(sentence: SafeString) -> SafeString:
    """Return a running game's headline, marked as long if it may take a phone three or four lines.

    Its place has one height, so that nothing below it moves: style sheets set long ones smaller.
    """
    words = strip_tags(sentence).strip()
    css = _HEADLINE_SIZES[bisect(_LONG_HEADLINES, _width(words))]
    return format_html('<p class="{}" data-announce>{}</p>', css, sentence)


@register.filter
def power_icon(power: Power) -> str:
    """Return the drawing of a power."""
    return POWERS[power].icon


@register.filter
def name_size(name: str) -> str:
    """Return the class that fits a name on a nameplate: "", is-long, is-longer or is-longest."""
    # A name wraps at its spaces, so its longest word decides.
    letters = max(map(_width, name.split()), default=0)
    return _NAME_SIZES[bisect(_LONG_NAMES, letters)]


@register.filter
def is_cyrillic(name: str) -> bool:
    """Return whether a name has letters of the Cyrillic font files."""
    return _CYRILLIC.search(name) is not None


@register.filter
def emblem(side: str) -> str:
    """Return the emblem of a role, a party or a policy: book, megaphone or wolf."""
    return f"emblem-{side}"


@register.filter
def tile(policy: str) -> str:
    """Return the tile of a policy."""
    return f"tile-{policy}"


@register.filter
def card(role: str) -> str:
    """Return the card of a secret role."""
    return f"role-{role}"


@register.filter
def bot_level(level: str) -> str:
    """Return the name of a bot's level."""
    return str(Level(level).label)


@register.simple_tag
def bot_levels() -> list[tuple[str, str]]:
    """Return the levels of bots with their names."""
    return [(level.value, str(level.label)) for level in Level]


@register.simple_tag
def bots_say_choices() -> list[tuple[str, str]]:
    """Return how much bots may talk, with names."""
    return [(choice.value, str(choice.label)) for choice in BotsSay]


@register.filter
def level_bars(level: str) -> int:
    """Return how many of the three bars show a bot's level."""
    return Level.values.index(level) + 1


@register.simple_tag
def csrf_mark() -> SafeString:
    """Return the mark of a form's CSRF field in a panel: see `games.panels.pieces`."""
    return CSRF_MARK


@register.filter
def bdi(name: str) -> SafeString:
    """Return a user's name isolated from the direction of the text around it; "" for no name."""
    return format_html("<bdi>{}</bdi>", name) if name else SafeString("")


@register.filter
def listed(people: Iterable[str]) -> SafeString:
    """Return several names as the language lists them: Ada, Bo and Cy."""
    return mark_safe(wording.listed([bdi(name) for name in people]))  # noqa: S308  each is escaped


@register.filter
def table_title(row: LobbyRow) -> SafeString:
    """Return what tells a listed table from others: whose it is, or its rules if it hides names."""
    if row.is_host:
        return escape(_("Your table"))
    if row.host:
        return _safe(_("%(name)s’s table") % {"name": bdi(row.host)})
    return escape(wording.edition_name(row.edition))


@register.filter
def language_tag(code: str) -> str:
    """Return the language tag for HTML: an edition's own catalog ("ru-5-6") maps to its language.

    >>> language_tag("ru-5-6"), language_tag("ja")
    ('ru', 'ja')
    """
    return code if code in dict(settings.LANGUAGES) else code.partition("-")[0]


@register.filter
def pace_name(pace: str) -> str:
    """Return the name of a pace."""
    return str(Pace(pace).label)


@register.filter
def chat_name(chat: str) -> str:
    """Return the name of a table's kind of chat."""
    return str(Chat(chat).label)


@register.filter
def spoken(languages: Iterable[str]) -> SafeString:
    """Return languages, each by its own name."""
    named = [
        format_html('<span lang="{}" dir="auto">{}</span>', code, wording.spoken_name(code))
        for code in languages
    ]
    return mark_safe(wording.listed(named))  # noqa: S308  each is escaped


@register.simple_tag
def qr(address: str) -> SafeString:
    """Return a URL as a QR code, hidden from screen readers because the text is beside it."""
    code = segno.make(address, error="m", micro=False)
    drawing = code.svg_inline(border=4, omitsize=True, svgclass=None, lineclass=None)
    return mark_safe(drawing.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))  # noqa: S308  drawn by segno


@register.filter
def because_told(because: str) -> str:
    """Return a moderator's reason as everyone at the table reads it."""
    label = str(Ruling.Because(because).label)
    # In these languages, text after a colon continues in lower case.
    if (get_language() or "").partition("-")[0] in ("ru", "pl", "it"):
        label = label[:1].lower() + label[1:]
    return label


@register.filter(expects_localtime=True)
def month_since(moment: datetime) -> str:
    """Return the month after “since”, in the grammatical case of Russian and Polish there."""
    declines = (get_language() or "").partition("-")[0] in ("ru", "pl")
    return date_format(moment, "E Y" if declines else "YEAR_MONTH_FORMAT")


@register.filter
def waited(since: datetime) -> str:
    """Return how long ago that was, for "Waiting for 3 hours"."""
    if timezone.now() - since < timedelta(minutes=1):
        return _("less than a minute")
    return timesince(since)


@register.simple_tag
def colon() -> str:
    """Return the colon between a label and the text after it."""
    return "：" if (get_language() or "").startswith("ja") else ": "


@register.simple_tag
def comma() -> str:
    """Return the comma between two parts of a label."""
    return "、" if (get_language() or "").startswith("ja") else ", "


@register.simple_tag
def gap() -> str:
    """Return the gap between a sentence and a link; full-width punctuation brings its own."""
    return "" if (get_language() or "").startswith("ja") else " "


@register.filter
def clock_face(seconds: int) -> str:
    """Return a time as a stopped clock displays it.

    >>> clock_face(42), clock_face(3600)
    ('0:42', '1:00:00')
    """
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def season_name(season: int) -> str:
    """Return a season of ratings by its months."""
    return wording.season_name(season)


@register.simple_tag
def weight_reason(sign: str, number: int, other: str) -> str:
    """Return why a rated game counts for less."""
    return wording.weight_reason(sign, number, other)


@register.filter
def stage_name(stage: str) -> str:
    """Return the name of a table's stage."""
    return str(Table.Stage(stage).label)


@register.filter
def kind(choices: Sequence[Choice], action: str) -> Choice | None:
    """Return the choice of this kind of action, or None if it is not possible."""
    return next((choice for choice in choices if choice.kind == action), None)


@dataclass(frozen=True, slots=True)
class LogLine:
    # The event's kind, for its icon.
    kind: str
    html: SafeString


@register.filter
def lines(told: LogRound) -> Iterator[LogLine]:
    """Yield the sentences of a round of the log."""
    names, options, book = told.names, told.options, told.book
    for entry in told.entries:
        if isinstance(entry, Away):
            yield LogLine("away", SafeString(wording.interruption(entry.lost)))
            continue
        if isinstance(entry, Replaced):
            yield LogLine("replaced", _safe(_replaced(entry)))
            names = renamed(names, entry)
            continue
        if isinstance(entry, Ruled):
            yield LogLine(
                entry.kind, _safe(escape(wording.ruled(entry.kind, because_told(entry.because))))
            )
            continue
        if isinstance(entry, Stopped):
            yield LogLine("stopped", _safe(wording.stopped()))
            continue
        if entry.stood_in:
            sentence = wording.stand_in_sentence(entry.stood_in, names, html=True)
            yield LogLine("stood_in", _safe(sentence))
        if entry.said is not None:
            sentence = wording.action_sentence(entry.said, names, options, html=True, book=book)
            yield LogLine(entry.said.kind, _safe(sentence))
        sentences = wording.event_sentences(
            entry.events, entry.actor, names, options, html=True, book=book
        )
        for event, sentence in zip(entry.events, sentences, strict=True):
            yield LogLine(event.kind, _safe(sentence))


def _replaced(entry: Replaced) -> str:
    if not entry.because:
        return wording.replaced(entry.gone, entry.newcomer, html=True)
    return wording.replaced_by_order(
        entry.gone, entry.newcomer, because_told(entry.because), is_bot=entry.is_bot, html=True
    )


@register.filter
def ruling_sentence(told: EarlyRuling) -> SafeString:
    """Return a moderator's ruling from before the game as a sentence."""
    if told.kind == Ruling.Kind.REPLACE:
        return _safe(
            wording.replaced_by_order(
                told.gone, told.newcomer, because_told(told.because), is_bot=True, html=True
            )
        )
    return _safe(escape(wording.ruled(told.kind, because_told(told.because))))


@register.filter
def own_ending(after: After) -> str:
    """Return how the game ended for a player who sat in it."""
    return wording.own_ending(after.ending, bool(after.has_won))


@register.filter
def turning_point(after: After) -> SafeString:
    """Return what decided the game."""
    assert after.turning_point is not None
    return _safe(wording.turning_point(after.turning_point, after.names, html=True))


@register.filter
def learnt(you: You) -> Iterator[SafeString]:
    """Return what a player knows from their cards and powers, as sentences."""
    return (_safe(wording.learnt(item, you.names, html=True)) for item in you.knowledge)


@register.filter
def revealed_told(revealed: Revealed) -> SafeString:
    """Return what a power showed its President as a sentence."""
    return _safe(wording.learnt(revealed.knowledge, revealed.names, html=True))


@register.filter
def night_told(you: You) -> wording.Night:
    """Return the steps of the first night by the rules of this table."""
    return () if you.night is None else wording.night_steps(you.night, you.players)


def _width(words: str) -> int:
    return sum(2 if east_asian_width(letter) in "FW" else 1 for letter in words)


def _safe(sentence: str) -> SafeString:
    # `wording` escapes the names itself.
    return mark_safe(sentence)  # noqa: S308
