"""Filters of the page that shows the truth about a finished game."""

from collections.abc import Iterable

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import wording
from games.analysis.evidence import Reading
from games.analysis.verdicts import JudgedSession, JudgedVote, Told, TurnOfTheGame
from games.panels.truth import Chart, OwnEnding, TruthPage
from games.rules.components import Ballot
from games.templatetags.table import icon

register = template.Library()

register.filter("award_name", wording.award)
register.filter("awarded_for", wording.awarded_for)
register.filter("reading_label", wording.reading_label)


@register.filter
def session_told(session: JudgedSession, page: TruthPage) -> list[SafeString]:
    """Return what the officers of a session could have done, and who lied."""
    return _safe(wording.session_verdict(session, page.names))


@register.filter
def liars(session: JudgedSession, page: TruthPage) -> list[str]:
    """Return the names of the officers of a session who lied about their cards."""
    told = (session.drawn, session.received)
    return [page.names[each.truth.seat] for each in told if each is not None and each.is_lie]


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


@register.filter
def own_result(own: OwnEnding) -> str:
    """Return how the game ended for the reader, who sat in it."""
    return wording.own_ending(own.ending, own.has_won)


@register.simple_tag
def decided_told(page: TruthPage) -> SafeString:
    """Return what decided the game."""
    assert page.decided is not None
    return _safe([wording.turning_point(page.decided, page.names, html=True)])[0]


@register.filter
def ballots_cast(vote: JudgedVote) -> SafeString:
    """Return a cell by seat: its office in this government, if any, and its ballot."""
    offices = {
        seat: format_html('{}<b class="sr-only">{} </b>', icon(drawing), name)
        for seat, drawing, name in (
            (vote.president, "president", _("President")),
            (vote.chancellor, "chancellor", _("Chancellor")),
        )
    }
    return format_html_join(
        "",
        "<td>{}{}</td>",
        (
            (offices.get(seat, ""), _ballot(ballot, seat in vote.unknowing))
            for seat, ballot in enumerate(vote.ballots)
        ),
    )


def _ballot(ballot: Ballot | None, is_unknowing: bool) -> SafeString | str:
    if ballot is None:
        return ""
    if is_unknowing:
        css, word = "ja unknowing", pgettext("ballot", "Unwitting Ja")
    else:
        css, word = str(ballot), "Ja" if ballot is Ballot.JA else "Nein"
    return format_html('<i class="{}"></i><b class="sr-only">{}</b>', css, word)


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
