"""Labels of editions, options and option values."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from games.rules.components import FASCIST_POLICIES_TO_WIN
from games.rules.editions import SPACES, Space
from games.rules.powers import Power

from .powers import power
from .sentences import listed

# A veto zone that begins when the game is over.
_NO_VETO: Final = ("veto_zone", FASCIST_POLICIES_TO_WIN)

_EDITIONS: Final = {
    "en": gettext_lazy("English rules"),
    "ru": gettext_lazy("Russian rules"),
    "ru-5-6": gettext_lazy("Russian rules for 5–6 players"),
    "pl": gettext_lazy("Polish rules"),
    "ja": gettext_lazy("Japanese rules"),
    "it": gettext_lazy("Italian rules"),
}
_NAMES: Final = {
    "players": gettext_lazy("Number of players"),
    "limited": pgettext_lazy("option", "Term limits"),
    "limits_lapse": pgettext_lazy("option", "A rejected government lifts term limits"),
    "small_table": pgettext_lazy("option", "Small table"),
    "tracker_resets_on": pgettext_lazy("option", "Election tracker reset"),
    "veto_advances_tracker": pgettext_lazy("option", "Veto advances the election tracker"),
    "reshuffle": pgettext_lazy("option", "Reshuffling"),
    "silence": pgettext_lazy("option", "Silence"),
    "not_hitler_badge": pgettext_lazy("option", "“Not Hitler” badge"),
    "executed_says_not_hitler": pgettext_lazy("option", "Executed players speak"),
    "party_cards": gettext_lazy("Party membership cards"),
    "hitler_signal": pgettext_lazy("option", "Hitler’s sign at night"),
    "spoken_formula": pgettext_lazy("option", "Spoken formulas"),
    "fascists": pgettext_lazy("option", "Fascists beside Hitler"),
    "hitler_knows": pgettext_lazy("option", "Hitler knows the fascists"),
    "power_1": pgettext_lazy("option", "Power of the first fascist policy"),
    "power_2": pgettext_lazy("option", "Power of the second fascist policy"),
    "power_3": pgettext_lazy("option", "Power of the third fascist policy"),
    "power_4": pgettext_lazy("option", "Power of the fourth fascist policy"),
    "power_5": pgettext_lazy("option", "Power of the fifth fascist policy"),
    "liberal_policies": pgettext_lazy("option", "Liberal policies in the game"),
    "fascist_policies": pgettext_lazy("option", "Fascist policies in the game"),
    "liberal_start": pgettext_lazy("option", "Liberal policies enacted at the start"),
    "fascist_start": pgettext_lazy("option", "Fascist policies enacted at the start"),
    "hitler_zone": pgettext_lazy("option", "Hitler zone"),
    "veto_zone": pgettext_lazy("option", "Veto zone"),
}
_SPACE_EXPLAINED: Final = gettext_lazy("What the President gets for this space of the track.")
_EXPLAINED: Final = {
    "players": gettext_lazy("How many players these rules are for."),
    "limited": gettext_lazy("Who can’t be nominated Chancellor."),
    "limits_lapse": gettext_lazy("Term limits apply only in the very next round."),
    "small_table": gettext_lazy("When only the last Chancellor is term-limited."),
    "tracker_resets_on": gettext_lazy("What resets the election tracker to 0. Chaos always does."),
    "veto_advances_tracker": gettext_lazy("A veto counts as a failed election."),
    "reshuffle": gettext_lazy(
        "When a draw pile of fewer than three policies is shuffled with the discards."
    ),
    "silence": gettext_lazy("Who can’t talk while the policies are being passed."),
    "not_hitler_badge": gettext_lazy(
        "A Chancellor who’s shown not to be Hitler gets a badge that says so."
    ),
    "executed_says_not_hitler": gettext_lazy("Executed players who aren’t Hitler say so."),
    "party_cards": gettext_lazy("The box has party membership cards as well as secret roles."),
    "hitler_signal": gettext_lazy("How Hitler is shown to the fascists when seven or more play."),
    "spoken_formula": gettext_lazy("When the President or the Chancellor speaks a formula."),
    "fascists": gettext_lazy(
        "Liberals are always the majority, so more fascists need more players."
    ),
    "hitler_knows": gettext_lazy("When Hitler sees the fascists on the first night."),
    **dict.fromkeys(SPACES, _SPACE_EXPLAINED),
    "liberal_policies": gettext_lazy("On the track and in the pile together."),
    "fascist_policies": gettext_lazy("On the track and in the pile together."),
    "liberal_start": gettext_lazy("They lie on the track before the first round."),
    "fascist_start": gettext_lazy(
        "They lie on the track before the first round, and their powers are skipped."
    ),
    "hitler_zone": gettext_lazy(
        "From this fascist policy on, the fascists win if Hitler is elected Chancellor."
    ),
    "veto_zone": gettext_lazy("From this fascist policy on, the Chancellor can propose a veto."),
}
_VALUES: Final = {
    "limited": {
        "elected": gettext_lazy("The last elected government"),
        "enactors": gettext_lazy("The pair that last enacted a policy"),
    },
    "small_table": {
        "alive": gettext_lazy("Five or fewer players are alive"),
        "started": gettext_lazy("The game began with five players"),
    },
    "tracker_resets_on": {
        "policy": gettext_lazy("An enacted policy"),
        "election": gettext_lazy("An elected government"),
    },
    "reshuffle": {
        "session_end_and_chaos": gettext_lazy("After a legislative session and after chaos"),
        "session_end": gettext_lazy("After a legislative session"),
        "before_draw": gettext_lazy("Before the President draws"),
    },
    "silence": {
        "pair": gettext_lazy("The President and the Chancellor, to each other"),
        "table": gettext_lazy("Everyone"),
        "government": gettext_lazy("The President and the Chancellor, to anyone"),
    },
    "hitler_signal": {
        "mouse_after": gettext_lazy("A moved mouse, after the fascists have seen each other"),
        "thumb_after": gettext_lazy("A raised thumb, after the fascists have seen each other"),
        "thumb_before": gettext_lazy("A raised thumb, before the fascists open their eyes"),
        "none": gettext_lazy("No sign"),
    },
    "hitler_knows": {
        "small_tables": gettext_lazy("With five or six players"),
        "always": gettext_lazy("Always"),
        "never": gettext_lazy("Never"),
    },
}
_FORMULAS: Final = {
    "veto_chancellor": pgettext_lazy("set words", "proposing a veto"),
    "veto_president": pgettext_lazy("set words", "consenting to a veto"),
    "execution": pgettext_lazy("set words", "execution"),
    "investigation": pgettext_lazy("set words", "investigation"),
}


def edition_name(code: str) -> str:
    """Return the name of an edition (of `games.rules.editions.EDITIONS`)."""
    return str(_EDITIONS[code])


def option_name(name: str) -> str:
    """Return an option's label."""
    return str(_NAMES[name])


def option_explained(name: str) -> str:
    """Return what an option decides, as a sentence."""
    return str(_EXPLAINED[name])


def option_value(name: str, value: object) -> str:
    """Return the label of an option value, given as JSON or as in `Options`."""
    if value is None:
        return _("By the number of players")
    if name in SPACES:
        return _("No power") if value == Space.NOTHING else power(Power(str(value)))
    if name in _VALUES:
        return str(_VALUES[name][str(value)])
    if isinstance(value, bool):
        return pgettext("option", "Yes") if value else pgettext("option", "No")
    if isinstance(value, int):
        return _("No veto") if (name, value) == _NO_VETO else str(value)
    assert isinstance(value, Sequence)
    if name == "players":
        return _players(*value)
    if not value:
        return _("Never")
    return listed([str(_FORMULAS[str(formula)]) for formula in value])


def _players(least: int, most: int) -> str:
    if least == most:
        return str(least)
    return pgettext("number of players", "{least}–{most}").format(least=least, most=most)
