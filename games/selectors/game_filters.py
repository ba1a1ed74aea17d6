"""The filters of the search for finished games, of the public API's lists and of the feeds."""

from typing import Any, Final

from django import forms
from django.core.validators import ProhibitNullCharactersValidator
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django_filters import DateFilter, Filter

from accounts.profiles.names import LONGEST_COMPARED
from accounts.profiles.widgets import LanguageSelect
from games import wording
from games.analysis.moments import Moment
from games.models import ArchivedGame, ArchivedMoment, Pace
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party, Role
from games.rules.phases import Ending
from games.selectors.filter_sets import (
    AddressFilters,
    ChoiceFilter,
    FilterForm,
    Range,
    RangeFilter,
    company_choices,
    edition_choices,
    language_choices,
)

# The most players whose games together can be searched for.
MOST_NAMES: Final = 5
# The filters by what the chosen players were and did.
PLAYER_FILTERS: Final = ("result", "role")
PLAYER_RESULTS: Final = ("won", "lost")
# In minutes: the longest length that can be asked for.
LONGEST: Final = 999
LONGEST_FIRST: Final = "longest"


class NamesField(forms.Field):
    """Several names, each in a field of its own."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> list[str]:
        names = list(dict.fromkeys(name for each in value or () if (name := each.strip())))
        if len(names) > MOST_NAMES or any(len(name) > LONGEST_COMPARED for name in names):
            raise forms.ValidationError(
                _("Search for at most %(most)s players at once, each by a whole name."),
                params={"most": MOST_NAMES},
            )
        for name in names:
            ProhibitNullCharactersValidator()(name)
        return names


class NamesFilter(Filter):
    field_class = NamesField


class MomentsField(forms.MultipleChoiceField):
    """Several moments, each once. An empty value is none."""

    widget = forms.CheckboxSelectMultiple

    def to_python(self, value: Any) -> list[str]:
        return list(dict.fromkeys(each for each in super().to_python(value) if each))


class MomentsFilter(Filter):
    field_class = MomentsField


class GameForm(FilterForm):
    def clean(self) -> None:
        """Refuse a result or a role that is no player's."""
        if not self.cleaned_data.get("player") and "player" not in self.errors:
            for name in PLAYER_FILTERS:
                if self.cleaned_data.get(name):
                    self.add_error(name, gettext("Choose a player first."))


def _day(label: Any) -> DateFilter:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return DateFilter(label=label, input_formats=["%Y-%m-%d"], widget=widget, method="not_here")


class GameFilters(AddressFilters):
    """Which games to find.

    `filter_queryset` filters by the columns of `ArchivedGame`. Players, what they were, days and
    the order decide which index `game_search` reads, so it filters by them itself.
    """

    player = NamesFilter(method="not_here")
    result = ChoiceFilter(
        label=_("Player’s result"),
        choices=lambda: [("won", pgettext("games", "Won")), ("lost", pgettext("games", "Lost"))],
        method="not_here",
    )
    role = ChoiceFilter(
        label=_("Player’s role"),
        choices=lambda: [(role.value, wording.role(role)) for role in Role],
        method="not_here",
    )
    players = RangeFilter(
        label=_("Number of players"),
        numbers=range(LEAST_PLAYERS, MOST_PLAYERS + 1),
        is_list=True,
        method="with_players",
    )
    edition = ChoiceFilter(label=_("Rules"), choices=edition_choices)
    winner = ChoiceFilter(
        label=pgettext_lazy("games", "Who won"),
        choices=lambda: [(party.value, wording.winner(party)) for party in Party],
    )
    ending = ChoiceFilter(
        label=_("How it ended"),
        choices=lambda: [(ending.value, wording.ending(ending)) for ending in Ending],
    )
    company = ChoiceFilter(label=_("Company"), choices=company_choices, method="in_company")
    pace = ChoiceFilter(label=_("Pace"), choices=lambda: Pace.choices)
    language = ChoiceFilter(label=_("Language"), choices=language_choices, widget=LanguageSelect)
    length = RangeFilter(
        label=_("Length in minutes"),
        numbers=range(LONGEST + 1),
        method="as_long",
    )
    since = _day(pgettext_lazy("games", "From this day"))
    until = _day(pgettext_lazy("games", "Until this day"))
    sort = ChoiceFilter(
        label=_("Order"),
        choices=lambda: [(LONGEST_FIRST, pgettext("games", "Longest first"))],
        empty_label=pgettext_lazy("games", "Newest first"),
        method="not_here",
    )
    moment = MomentsFilter(
        label=pgettext_lazy("games", "All of this happened"),
        choices=lambda: [(each.value, wording.moment(each)) for each in Moment],
        method="with_moments",
    )

    class Meta:
        model = ArchivedGame
        fields: list[str] = []
        form = GameForm

    def not_here(self, games: QuerySet[Any], name: str, value: object) -> QuerySet[Any]:
        return games

    def with_players(self, games: QuerySet[Any], name: str, value: Range) -> QuerySet[Any]:
        if value.least == value.most:
            return games.filter(players=value.least)
        # A sum has no index: that of the column would give the games in the order of their sizes.
        games = games.alias(size=F("players") + 0)
        least, most = value.least or LEAST_PLAYERS, value.most or MOST_PLAYERS
        return games.filter(size__gte=least, size__lte=most)

    def in_company(self, games: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        games = games.alias(bots=F("players") - F("people"))
        return games.filter(bots=0) if value == "people" else games.filter(bots__gt=0)

    def as_long(self, games: QuerySet[Any], name: str, value: Range) -> QuerySet[Any]:
        if value.most is not None:
            games = games.filter(seconds__lt=_first_second(value.most + 1))
        return games.filter(seconds__gte=_first_second(value.least or 0))

    def with_moments(self, games: QuerySet[Any], name: str, value: list[str]) -> QuerySet[Any]:
        for moment in value:
            happened = ArchivedMoment.objects.filter(archived=OuterRef("pk"), moment=moment)
            games = games.filter(Exists(happened))
        return games


def _first_second(minutes: int) -> int:
    """Return the least seconds that round to these minutes. `round` makes halves even."""
    return max(60 * minutes - 30 + minutes % 2, 0)
