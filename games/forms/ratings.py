"""The filters of the leaderboards."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.profiles.widgets import LanguageSelect
from accounts.site.choice_fields import choice_field
from games import wording
from games.models import RatedTempo
from games.rating import Side
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import EDITIONS
from games.selectors.ratings import BoardFilters


class BoardForm(forms.Form):
    """Shows which leaderboard is shown. `BoardFilters.read` reads the query string."""

    side = forms.ChoiceField(
        label=_("Side"),
        required=False,
        choices=[
            (Side.LIBERAL.value, pgettext_lazy("rating", "Liberal play")),
            (Side.FASCIST.value, pgettext_lazy("rating", "Fascist play")),
        ],
    )
    tempo = forms.ChoiceField(
        label=_("Pace"),
        required=False,
        choices=[
            (RatedTempo.LIVE.value, pgettext_lazy("rating", "Live games")),
            (RatedTempo.DAYS.value, pgettext_lazy("rating", "One day per move")),
        ],
    )
    scope = forms.ChoiceField(label=_("Games"), required=False, widget=LanguageSelect)
    season = forms.ChoiceField(label=_("Season"), required=False)
    friends = forms.BooleanField(label=_("Only my friends and me"), required=False)

    def __init__(
        self, filters: BoardFilters, *, seasons: Sequence[int], is_signed_in: bool, **kwargs: Any
    ) -> None:
        initial = {name: getattr(filters, name) for name in self.base_fields}
        super().__init__(initial=initial, auto_id="board_%s", **kwargs)
        sizes = range(LEAST_PLAYERS, MOST_PLAYERS + 1)
        choice_field(self, "scope").choices = [
            ("", _("All games")),
            (_("Rules"), [(f"edition:{code}", wording.edition_name(code)) for code in EDITIONS]),
            (_("Players"), [(f"size:{size}", wording.players_counted(size)) for size in sizes]),
            (
                _("Language"),
                [(f"language:{code}", wording.spoken_name(code)) for code in wording.SPOKEN],
            ),
        ]
        choice_field(self, "season").choices = [
            (0, _("This season")),
            *((season, wording.season_name(season)) for season in seasons),
        ]
        if not seasons:
            del self.fields["season"]
        if not is_signed_in:
            del self.fields["friends"]
        self._filters = filters

    @property
    def narrowed(self) -> list[str]:
        """To which games and players the board is narrowed, in words."""
        kind, _colon, value = self._filters.scope.partition(":")
        told = []
        if kind == "edition":
            told.append(str(wording.edition_name(value)))
        elif kind == "language":
            told.append(f"{gettext('Language')}: {wording.spoken_name(value)}")
        elif kind:
            told.append(wording.players_counted(int(value)))
        if self._filters.friends and "friends" in self.fields:
            told.append(str(self.fields["friends"].label))
        return told
