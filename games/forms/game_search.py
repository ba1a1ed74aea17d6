"""The search for finished games: a text that understands words, and the filters one by one."""

from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.profiles.names import LONGEST_COMPARED
from accounts.profiles.widgets import LanguageSelect
from accounts.site.choice_fields import choice_field
from games import wording
from games.analysis.moments import Moment
from games.models import Pace
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party, Role
from games.rules.editions import EDITIONS
from games.rules.phases import Ending
from games.selectors.game_filters import LENGTHS, LONGEST, MOST_NAMES, PLAYER_FILTERS, GameFilters
from games.selectors.game_search import SAID_BY_ENDING
from games.selectors.open_tables import SIZES
from games.text.query_phrases import LONGEST_QUERY


class NamesField(forms.Field):
    """Several names, each in a hidden field of its own."""

    widget = forms.MultipleHiddenInput
    hidden_widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(name for each in value or () if (name := each.strip())))
        if len(names) > MOST_NAMES or any(len(name) > LONGEST_COMPARED for name in names):
            raise forms.ValidationError(
                _("Search for at most %(most)s players at once, each by a whole name."),
                params={"most": MOST_NAMES},
            )
        for name in names:
            ProhibitNullCharactersValidator()(name)
        return names


class SizesField(forms.ChoiceField):
    """A number of players, or the least and the most: "7" or "5-6".

    The list offers the numbers and the groups of the lobby; each other range is valid, too.
    """

    def to_python(self, value: Any) -> str:
        least, _, most = str(value or "").partition("-")
        # Both ends in the order of the numbers, and the same one once.
        ends = sorted({least, most or least}, key=lambda end: (len(end), end))
        return "-".join(ends)

    def valid_value(self, value: Any) -> bool:
        ends = value.split("-")
        sizes = map(str, range(LEAST_PLAYERS, MOST_PLAYERS + 1))
        return len(ends) <= 2 and {*ends} <= {*sizes}


class LengthsField(forms.ChoiceField):
    """A range of minutes: "0-19", or "45-" without an end.

    The list offers LENGTHS; each other range is valid, too.
    """

    def to_python(self, value: Any) -> str:
        least, dash, most = str(value or "").partition("-")
        every = dash and least in ("", "0") and not most
        return "" if every else f"{least or 0}-{most}" if dash else least

    def valid_value(self, value: Any) -> bool:
        least, dash, most = value.partition("-")
        known = {*map(str, range(LONGEST + 1))}
        return bool(dash) and {least, most or least} <= known and int(most or LONGEST) >= int(least)


class MomentsField(forms.MultipleChoiceField):
    """Several moments, each once. An empty value is none."""

    widget = forms.CheckboxSelectMultiple

    def to_python(self, value: Any) -> list[str]:
        return list(dict.fromkeys(each for each in super().to_python(value) if each))


def _day(label: Any) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, input_formats=["%Y-%m-%d"], widget=widget)


class GameSearchForm(forms.Form):
    """Reads the filters from a query string. A filter with an error does not filter."""

    q = forms.CharField(
        label=_("Search by words"),
        help_text=_(
            "Players, rules, an ending, a month: in any order. Put a name in quotes if it could "
            "mean something else."
        ),
        required=False,
        max_length=LONGEST_QUERY,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    player = NamesField(required=False)
    # One more name, which becomes a part of the text.
    name = forms.CharField(
        label=_("Player"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    result = forms.ChoiceField(label=_("Player’s result"), required=False)
    role = forms.ChoiceField(label=_("Player’s role"), required=False)
    players = SizesField(label=_("Number of players"), required=False)
    winner = forms.ChoiceField(label=pgettext_lazy("games", "Who won"), required=False)
    ending = forms.ChoiceField(label=_("How it ended"), required=False)
    edition = forms.ChoiceField(label=_("Rules"), required=False)
    company = forms.ChoiceField(label=_("Company"), required=False)
    length = LengthsField(label=pgettext_lazy("games", "Length"), required=False)
    pace = forms.ChoiceField(label=_("Pace"), required=False)
    language = forms.ChoiceField(label=_("Language"), required=False, widget=LanguageSelect)
    since = _day(pgettext_lazy("games", "From this day"))
    until = _day(pgettext_lazy("games", "Until this day"))
    moment = MomentsField(label=pgettext_lazy("games", "All of this happened"), required=False)

    def __init__(self, data: Any, **kwargs: Any) -> None:
        super().__init__(data, auto_id="search_%s", **kwargs)
        every = ("", pgettext_lazy("lobby", "Any"))
        choices: dict[str, list[tuple[str, Any]]] = {
            "result": [
                ("won", pgettext_lazy("games", "Won")),
                ("lost", pgettext_lazy("games", "Lost")),
            ],
            "role": [(role.value, wording.role(role)) for role in Role],
            "edition": [(code, wording.edition_name(code)) for code in EDITIONS],
            "players": [(size, wording.size_in_words(size)) for size in self._sizes()],
            "company": [("people", _("People only")), ("bots", _("With bots"))],
            "winner": [(party.value, wording.winner(party)) for party in Party],
            "ending": [(ending.value, wording.ending(ending)) for ending in Ending],
            "length": [(length, wording.game_length(length)) for length in self._lengths()],
            "pace": list(Pace.choices),
            "language": [(code, wording.spoken_name(code)) for code in wording.SPOKEN],
        }
        for name, values in choices.items():
            choice_field(self, name).choices = [every, *values]
        moments = [(each.value, wording.moment(each)) for each in Moment]
        moment = choice_field(self, "moment")
        moment.choices = moments
        # "How it ended" offers these already.
        hidden = {*SAID_BY_ENDING.values()} - {*(self["moment"].value() or ())}
        moment.widget.choices = [each for each in moments if each[0] not in hidden]

    def clean_name(self) -> str:
        """Refuse a name that makes the text too long."""
        name: str = self.cleaned_data["name"]
        if name:
            MaxLengthValidator(LONGEST_QUERY)(f'{self.cleaned_data.get("q", "")}, "{name}"')
        return name

    def _sizes(self) -> list[str]:
        """Return the numbers of players that the list offers, with the chosen range."""
        offered = [*map(str, range(LEAST_PLAYERS, MOST_PLAYERS + 1)), *SIZES]
        field = choice_field(self, "players")
        chosen: str = field.to_python(self.data.get("players"))
        is_other = chosen not in ("", *offered) and field.valid_value(chosen)
        return [*offered, chosen] if is_other else offered

    def _lengths(self) -> list[str]:
        """Return the lengths that the list offers, with the chosen one."""
        field = choice_field(self, "length")
        chosen: str = field.to_python(self.data.get("length"))
        is_other = chosen not in ("", *LENGTHS) and field.valid_value(chosen)
        return [*LENGTHS, chosen] if is_other else [*LENGTHS]

    @property
    def player_fields(self) -> list[forms.BoundField]:
        """The fields that need a player."""
        return [self[name] for name in PLAYER_FILTERS]

    @property
    def filter_fields(self) -> list[forms.BoundField]:
        """The other fields that stand one by one below the text."""
        left_out = {"q", "player", "name", "moment", *PLAYER_FILTERS}
        return [field for field in self if field.name not in left_out]

    def filters(self) -> GameFilters:
        """Return the filters without errors, apart from what the text says.

        Days the wrong way round are the same period: nothing ends before it begins.
        """
        self.is_valid()
        given = self.cleaned_data
        since, until = given.get("since"), given.get("until")
        if since and until and since > until:
            since, until = until, since
        return GameFilters(
            names=given.get("player", ()),
            result=given.get("result", ""),
            role=given.get("role", ""),
            edition=given.get("edition", ""),
            players=given.get("players", ""),
            company=given.get("company", ""),
            winner=given.get("winner", ""),
            ending=given.get("ending", ""),
            moments=tuple(given.get("moment", ())),
            length=given.get("length", ""),
            pace=given.get("pace", ""),
            language=given.get("language", ""),
            since=since,
            until=until,
        )
