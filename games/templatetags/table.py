"""What templates need to say and draw a table: words from `wording`, marks, names."""

from collections.abc import Iterable, Sequence
from typing import Final

from babel import Locale
from babel.lists import format_list
from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games import wording
from games.rules.components import Ballot
from games.screens import Choice, Scene, SeatCard

register = template.Library()

# The mark of each event in the log.
_MARKS: Final = {
    "nominated": "chancellor",
    "ballots": "ballot",
    "elected": "elected",
    "rejected": "rejected",
    "tracker": "tracker",
    "not_hitler": "cleared",
    "enacted": "policy",
    "veto": "veto",
    "investigated": "investigation",
    "special_election": "special_election",
    "peeked": "peek",
    "executed": "execution",
    "shuffled": "shuffle",
    "candidate": "president",
    "over": "win",
    "propose_veto": "veto",
    "stood_in": "away",
}

register.filter("role_name", wording.role)
register.filter("party_name", wording.party)
register.filter("policy_name", wording.policy)
register.filter("phase_name", wording.phase)
register.filter("power_name", wording.power)
register.filter("power_explained", wording.power_explained)
register.filter("ending_told", wording.ending)
register.filter("winner_told", wording.winner)
register.filter("edition_name", wording.edition_name)
register.filter("option_name", wording.option_name)
register.filter("option_explained", wording.option_explained)
register.simple_tag(wording.option_value, name="option_value")


@register.simple_tag
def icon(name: str, css: str = "icon") -> SafeString:
    """A drawing of art.svg, for eyes only: what it says stands beside it in words."""
    return format_html(
        '<svg class="{}" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        css,
        static("games/art.svg"),
        name,
    )


@register.filter
def mark(kind: str) -> str:
    """The icon of a kind of event."""
    return _MARKS.get(kind, "info")


@register.filter
def emblem(side: str) -> str:
    """The emblem of a role, a party or a policy: book, megaphone or wolf."""
    return f"emblem-{side}"


@register.filter
def tile(policy: str) -> str:
    """The tile of a policy."""
    return f"tile-{policy}"


@register.filter
def card(role: str) -> str:
    """The card of a secret role."""
    return f"role-{role}"


@register.filter
def bdi(name: str) -> SafeString:
    """A person's name, kept apart from the direction of the text round it."""
    return format_html("<bdi>{}</bdi>", name)


@register.filter
def names(seats: Iterable[SeatCard]) -> SafeString:
    """The names of several seats, listed."""
    return listed(seat.name for seat in seats)


@register.filter
def listed(people: Iterable[str]) -> SafeString:
    """Several names as the language lists them: Ada, Bo and Cy."""
    marked = [bdi(name) for name in people]
    locale = Locale.parse(language_tag(get_language() or "en"))
    return mark_safe(format_list(marked, locale=locale))  # noqa: S308  every part is escaped


@register.filter
def name_of(scene: Scene, number: int | None) -> SafeString:
    """The name of the seat with this number."""
    return SafeString("") if number is None else bdi(scene.seats[number].name)


@register.filter
def language_tag(code: str) -> str:
    """The language for HTML: an edition's own catalog ("ru-5-6") is still its language.

    >>> language_tag("ru-5-6"), language_tag("ja")
    ('ru', 'ja')
    """
    return code.partition("-")[0]


@register.filter
def kind(choices: Sequence[Choice], action: str) -> Choice | None:
    """The choice of this kind of action, where it may be made."""
    return next((choice for choice in choices if choice.action.kind == action), None)


@register.filter
def ja_count(ballots: Iterable[Ballot | None]) -> int:
    """How many ballots of a settled vote say Ja."""
    return sum(ballot is Ballot.JA for ballot in ballots)


@register.filter
def nein_count(ballots: Iterable[Ballot | None]) -> int:
    """How many ballots of a settled vote say Nein."""
    return sum(ballot is Ballot.NEIN for ballot in ballots)
