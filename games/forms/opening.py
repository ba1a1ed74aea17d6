"""The forms for a new table's terms, and for saving them as a preset."""

import json
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms
from django.db.models import TextChoices
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from accounts.site.choice_fields import choice_field
from games import wording
from games.forms.appointments import DateForm
from games.forms.house_rules import CLASHES, OPTION, HouseRulesForm, NamedRules, explained
from games.models import Chat, Joiners, Level, Pace, Preset, Starts, Terms, Visibility
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import (
    EDITIONS,
    NAMED_RULES,
    OPTION_NAMES,
    OptionError,
    differences,
    options_of,
)
from games.wording.refusals import Refusal

_COUNTS: Final = [(n, str(n)) for n in range(LEAST_PLAYERS, MOST_PLAYERS + 1)]
_BOTS: Final = [(0, pgettext_lazy("bots", "None")), *((n, str(n)) for n in range(1, MOST_PLAYERS))]
_LEAST_NEEDED: Final = (Joiners.OLD, Joiners.PLAYED)

_VISIBILITY_EXPLAINED: Final = {
    Visibility.PUBLIC: _("Anyone can find it in the lobby."),
    Visibility.UNLISTED: _("Not listed. Anyone with the link can come in."),
    Visibility.PRIVATE: _("Only people with the invitation link or its QR code can open it."),
}
_CHAT_EXPLAINED: Final = {
    Chat.FULL: _("Type anything, or pick from the phrasebook."),
    Chat.PHRASES: _(
        "Ready-made phrases only. Everyone reads them in their own language, so "
        "it’s great with strangers."
    ),
    Chat.NONE: _("No chat here. Good if you’re talking somewhere else."),
}


def new_key() -> str:
    """Return a key that identifies the form of one rendered page."""
    return secrets.token_urlsafe(16)


class OpenTableForm(HouseRulesForm, DateForm):
    """The terms and the date of a new table.

    Choices missing from a submission get their initial values.
    """

    # The house rules by name that were just filled in.
    filled_in: NamedRules | None = None

    edition = forms.ChoiceField(label=_("Rules"))
    least_seats = forms.TypedChoiceField(
        label=_("At least"), coerce=int, empty_value=None, required=False, choices=_COUNTS
    )
    seats_wanted = forms.TypedChoiceField(label=_("At most"), coerce=int, choices=_COUNTS)
    pace = forms.ChoiceField(label=_("Pace"), widget=forms.RadioSelect)
    visibility = forms.ChoiceField(
        label=_("Who can find it"), required=False, widget=forms.RadioSelect
    )
    password = forms.CharField(
        label=_("Password"),
        help_text=_(
            "Optional, for private tables. Anyone who follows your invitation has to enter "
            "it. We never store it in readable form."
        ),
        required=False,
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    takes_guests = forms.BooleanField(
        label=_("Guests can join"),
        help_text=_(
            "People with your link can play without an account. They use phrases and claims. Not "
            "at public or rated tables."
        ),
        required=False,
    )
    takes_programs = forms.BooleanField(
        label=_("Bot accounts can join"),
        help_text=_(
            "People’s own programs can play at this table. Their names end in [bot]. Not at rated, "
            "blind or untimed tables."
        ),
        required=False,
    )
    starts = forms.ChoiceField(
        label=_("When it starts"), required=False, choices=Starts, widget=forms.RadioSelect
    )
    languages = forms.MultipleChoiceField(
        label=_("Languages spoken"),
        help_text=_("Any language is fine? Leave them all unticked."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    joiners = forms.ChoiceField(
        label=_("Who can take a seat"),
        required=False,
        choices=Joiners,
        widget=forms.RadioSelect,
    )
    joiners_least = forms.IntegerField(
        label=_("Minimum days or games"),
        help_text=_("Only needed if you limit seats by account age or finished games."),
        required=False,
        min_value=1,
        max_value=3650,
    )
    spectators = forms.BooleanField(
        label=_("Others can watch"),
        help_text=_("If unticked, only the players can see the table once the game starts."),
        required=False,
    )
    chat = forms.ChoiceField(label=_("Chat"), required=False, widget=forms.RadioSelect)
    is_blind = forms.BooleanField(
        label=_("Blind: names stay hidden until the end"),
        help_text=_("Everyone plays under a made-up name and finds out afterwards who was who."),
        required=False,
    )
    is_rated = forms.BooleanField(
        label=_("Rated: the result counts"),
        help_text=_(
            "If unticked, the game is casual. Games with bots or guests, with house rules or "
            "without a clock never count."
        ),
        required=False,
    )
    bots = forms.TypedChoiceField(
        label=_("How many bots"), coerce=int, empty_value=None, required=False, choices=_BOTS
    )
    bot = forms.ChoiceField(label=pgettext_lazy("bot", "Character"), required=False)
    bot_level = forms.TypedChoiceField(
        label=pgettext_lazy("bot", "Level"),
        coerce=Level,
        empty_value=None,
        required=False,
        choices=Level,
    )
    key = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "edition").choices = [
            (code, wording.edition_name(code)) for code in EDITIONS
        ]
        choice_field(self, "pace").choices = [
            (pace.value, explained(pace.label, wording.time_in_words(pace.time))) for pace in Pace
        ]
        choice_field(self, "visibility").choices = _explained_choices(
            Visibility, _VISIBILITY_EXPLAINED
        )
        choice_field(self, "chat").choices = _explained_choices(Chat, _CHAT_EXPLAINED)
        choice_field(self, "languages").choices = [
            (code, format_html('<span lang="{}">{}</span>', code, wording.spoken_name(code)))
            for code in wording.SPOKEN
        ]
        characters, others = wording.bot_kinds()
        choice_field(self, "bot").choices = [
            ("", _("Mixed characters")),
            *characters,
            (pgettext("bots", "For comparison"), others),
        ]
        for name, value in _AT_FIRST.items():
            self.initial.setdefault(name, value)
        self.initial.setdefault("key", new_key())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for name in ("visibility", "starts", "joiners", "chat", "least_seats", "bots", "bot_level"):
            if name not in self.errors:
                data[name] = data.get(name) or _AT_FIRST[name]
        self._clean_joiners(data)
        if data.get("pace") == Pace.UNTIMED and data.get("visibility") == Visibility.PUBLIC:
            self.add_error(
                "pace",
                _(
                    "Public tables need a clock. Choose another pace, or make the table "
                    "unlisted or private."
                ),
            )
        if data.get("password") and data.get("visibility") != Visibility.PRIVATE:
            self.add_error(
                "password",
                _(
                    "Only private tables can have a password. Make this "
                    "one private, or clear the password."
                ),
            )
        if data.get("edition") is not None:
            self._clean_rules(data)
        self._clean_bots(data)
        return data

    def _clean_bots(self, data: dict[str, Any]) -> None:
        room = data.get("seats_wanted", MOST_PLAYERS) - 1
        if data.get("bots", 0) > room:
            self.add_error(
                "bots",
                ngettext(
                    "There’s room for %(number)s bot beside you.",
                    "There’s room for %(number)s bots beside you.",
                    room,
                )
                % {"number": room},
            )

    def _clean_joiners(self, data: dict[str, Any]) -> None:
        if data.get("joiners") in _LEAST_NEEDED:
            if data.get("joiners_least") is None and "joiners_least" not in self.errors:
                self.add_error("joiners_least", _("Enter the minimum number of days or games."))
        else:
            data["joiners_least"] = 0
            self.errors.pop("joiners_least", None)
        if data.get("is_blind") and data.get("joiners") == Joiners.FRIENDS:
            self.add_error(
                "is_blind",
                Refusal.BLIND_FRIENDS.label,
            )

    def _clean_rules(self, data: dict[str, Any]) -> None:
        data["house_rules"] = self.house_rules_beside(data["edition"])
        try:
            options = options_of(data["edition"], data["house_rules"])
        except OptionError as error:
            self.add_error(f"{OPTION}{error.name}", CLASHES[error.code])
            return
        least, most = options.players
        if "seats_wanted" not in data:
            return
        if not least <= data["seats_wanted"] <= most:
            self.add_error(
                "seats_wanted",
                _("These rules are for %(least)s to %(most)s players.")
                % {"least": least, "most": most},
            )
        elif "least_seats" in data:
            data["least_seats"] = max(data["least_seats"], least)
            if data["least_seats"] > data["seats_wanted"]:
                self.add_error("least_seats", _("The minimum can’t be higher than the maximum."))

    def with_named_rules(self, name: str) -> "OpenTableForm":
        """Return the form with what was typed, and the house rules of this name instead."""
        players, rules = NAMED_RULES[name]
        assert isinstance(self.data, QueryDict)
        data = self.data.copy()
        for option in OPTION_NAMES:
            data.pop(f"{OPTION}{option}", None)
        for option, value in rules.items():
            data[f"{OPTION}{option}"] = json.dumps(value)
        data["least_seats"] = data["seats_wanted"] = str(players)
        form = type(self)(data, initial=self.initial)
        form.filled_in = NamedRules(
            players,
            tuple(
                (wording.option_name(option), wording.option_value(option, value))
                for option, value in rules.items()
            ),
        )
        return form

    @property
    def terms(self) -> Terms:
        """The terms chosen in a valid form."""
        data = self.cleaned_data
        takes_guests = data["takes_guests"] and data["visibility"] != Visibility.PUBLIC
        return Terms(
            edition=data["edition"],
            house_rules=data["house_rules"],
            seats_wanted=data["seats_wanted"],
            least_seats=data["least_seats"],
            starts=Starts(data["starts"]),
            pace=Pace(data["pace"]),
            visibility=Visibility(data["visibility"]),
            takes_guests=takes_guests,
            takes_programs=data["takes_programs"],
            languages=tuple(data["languages"]),
            joiners=Joiners(data["joiners"]),
            joiners_least=data["joiners_least"],
            spectators=data["spectators"],
            chat=Chat(data["chat"]),
            is_blind=data["is_blind"],
            # Ratings are on from the start, and guests are not: the host chose the guests.
            is_rated=data["is_rated"]
            and data["pace"] != Pace.UNTIMED
            and not takes_guests
            and not data["takes_programs"],
            bots=data["bots"],
            bot=data["bot"],
            bot_level=Level(data["bot_level"]),
        )

    @staticmethod
    def initial_of(terms: Terms) -> dict[str, Any]:
        """Return the initial form values for these terms."""
        initial = terms.json()
        del initial["house_rules"]
        # As the choices are written today; stored rules may be older.
        rules = differences(terms.edition, terms.options)
        initial |= {f"{OPTION}{name}": json.dumps(value) for name, value in rules.items()}
        return initial | {"joiners_least": terms.joiners_least or None}

    @property
    def has_company(self) -> bool:
        """Whether a choice about access or the start differs from the default."""
        return self._differs(
            *("starts", "joiners", "joiners_least", "spectators", "password"),
            *("takes_guests", "takes_programs"),
        )

    @property
    def has_manners(self) -> bool:
        """Whether a choice about chat, names or rating differs from the default."""
        return self._differs("chat", "is_blind", "is_rated")

    @property
    def has_bots(self) -> bool:
        """Whether the table opens with bots."""
        return bool(self["bots"].errors or self.bots_wanted)

    @property
    def bots_wanted(self) -> int:
        """How many bots the table opens with; 0 for an invalid number."""
        value = str(self["bots"].value() or 0)
        return int(value) if value.isascii() and value.isdigit() and len(value) < 3 else 0

    @property
    def joiners_now(self) -> str:
        """Who may take a seat, as the fold's heading says it. So with the three below."""
        return self._label_now("joiners", Joiners)

    @property
    def starts_now(self) -> str:
        return self._label_now("starts", Starts)

    @property
    def chat_now(self) -> str:
        return self._label_now("chat", Chat)

    @property
    def bots_now(self) -> str:
        return str(dict(_BOTS).get(self.bots_wanted, _BOTS[0][1]))

    @property
    def spoken(self) -> list[str]:
        """The codes of the chosen languages."""
        return [code for code in self["languages"].value() or () if code in wording.SPOKEN]

    def _label_now(self, name: str, choices: type[TextChoices]) -> str:
        value = self[name].value()
        return str(choices(value if value in choices.values else str(_AT_FIRST[name])).label)

    def _differs(self, *names: str) -> bool:
        usual = _AT_FIRST | {"password": "", "joiners_least": None}
        return any(
            self[name].errors or (self[name].value() or usual[name]) != usual[name]
            if usual[name] is not True
            else not self[name].value()
            for name in names
        )


USUAL_PLAYERS: Final = 7
# The initial values of the form, apart from the edition and the language, which depend on the
# reader.
_AT_FIRST: Final = {
    "least_seats": LEAST_PLAYERS,
    "seats_wanted": USUAL_PLAYERS,
    "pace": Pace.NORMAL.value,
    "visibility": Visibility.PUBLIC.value,
    "starts": Starts.HOST.value,
    "joiners": Joiners.ALL.value,
    "takes_guests": False,
    "takes_programs": False,
    "spectators": True,
    "chat": Chat.FULL.value,
    "is_blind": False,
    "is_rated": True,
    "bots": 0,
    "bot": "",
    "bot_level": Level.REGULAR.value,
}


class SavePresetForm(OpenTableForm):
    """The form for a new table with an additional name for a preset."""

    name = forms.CharField(
        label=_("Preset name"), max_length=Preset._meta.get_field("name").max_length
    )


class PasswordForm(forms.Form):
    """The password of a private table, asked of users who follow its invitation."""

    wrong = _("That’s not the right password. Check with the person who invited you.")

    password = forms.CharField(
        label=_("Table password"),
        max_length=60,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )


def _explained_choices(
    choices: Iterable[Any], words: Mapping[Any, object]
) -> list[tuple[str, SafeString]]:
    return [(choice.value, explained(choice.label, words[choice])) for choice in choices]
