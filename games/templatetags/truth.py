"""Filters of the page that shows the truth about a finished game."""

from collections.abc import Iterable

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games import wording
from games.analysis.evidence import Reading
from games.analysis.verdicts import JudgedSession, Told, TurnOfTheGame
from games.panels.truth import Chart, TruthPage

register = template.Library()

register.filter("award_name", wording.award)
register.filter("awarded_for", wording.awarded_for)
register.filter("reading_label", wording.reading_label)


@register.filter
def session_told(session: JudgedSession, page: TruthPage) -> list[SafeString]:
    """Return what the officers of a session could have done, and who lied."""
    return _safe(wording.session_verdict(session, page.names))


@register.filter
def power_told(told: Told, page: TruthPage) -> list[SafeString]:
    """Return what a power showed, and whether its President told the truth."""
    return _safe(wording.power_verdict(told, page.names))


@register.filter
def turn_told(turn: TurnOfTheGame, page: TruthPage) -> list[SafeString]:
    """Return what a turning point changed."""
    told = wording.turn_of_the_game(turn, page.names, page.options)
    # What decided the game has a sentence of its own.
    return _safe(told[1:] if turn.turn == "decided" else told)


@register.simple_tag
def decided_told(page: TruthPage) -> SafeString:
    """Return what decided the game."""
    assert page.decided is not None
    return _safe([wording.turning_point(page.decided, page.names, html=True)])[0]


@register.filter
def names_in(seats: Iterable[int], page: TruthPage) -> list[str]:
    """Return the names of these seats."""
    return [page.names[seat] for seat in seats]


@register.filter
def chances(reading: Reading) -> SafeString:
    """Return a cell by seat: the chances of being a fascist and of being Hitler.

    A long game has a thousand cells, and a loop in the template takes five times as long.
    """
    return format_html_join(
        "",
        "<td>{}<br><small>{}</small></td>",
        (
            (wording.percent(fascist), wording.percent(hitler))
            for fascist, hitler in zip(reading.fascist, reading.hitler, strict=True)
        ),
    )


@register.simple_tag
def bands_of_rounds(chart: Chart, replay_url: str, eyes: int | str) -> SafeString:
    """Return the links of a chart to the rounds in the replay; all seats' charts share them."""
    return format_html_join(
        "",
        '<a href="{}?move={}&amp;eyes={}#evidence" tabindex="-1"><rect class="band" x="{}" y="0" '
        'width="{}" height="100"><title>{}</title></rect></a>',
        (
            (
                *(replay_url, band.move, eyes, unlocalized(band.x), unlocalized(band.width)),
                _("Round %(number)s") % {"number": band.reading.round},
            )
            for band in chart.rounds
        ),
    )


@register.filter
def unlocalized(number: float) -> str:
    """Return a coordinate with a decimal point, whatever the language."""
    return f"{number:g}"


def _safe(sentences: Iterable[str]) -> list[SafeString]:
    # `wording` escapes the names.
    return [mark_safe(sentence) for sentence in sentences]  # noqa: S308
