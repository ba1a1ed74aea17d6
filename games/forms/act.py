"""The form for a move, submitted by a button of the table."""

from typing import Final

from django import forms

from games.rules.actions import ACTIONS, Action
from games.rules.powers import POWERS
from games.rules.reading import RecordError
from games.rules.record import read_action

# The key of the argument in a choice ("name:argument"), by the kind of action.
_ARGUMENT: Final = {
    "nominate": "target",
    **{entry.action.kind: "target" for entry in POWERS.values() if entry.has_target},
    "vote": "ballot",
    "discard": "policy",
    "enact": "policy",
    "answer_veto": "consent",
}


class ActForm(forms.Form):
    """A move: the decision for which the form was rendered, a key, and the button pressed."""

    decision = forms.CharField(max_length=40)
    key = forms.CharField(max_length=40)
    choice = forms.CharField(max_length=40)

    def action_for(self, seat: int, players: int) -> Action | None:
        """Return the action of `seat` that the choice names, or None if there is no such action."""
        name, _, argument = self.cleaned_data["choice"].partition(":")
        if name not in ACTIONS:
            return None
        data: dict[str, object] = {"seat": seat, "action": name}
        key = _ARGUMENT.get(name)
        if key == "target":
            data[key] = int(argument) if argument.isascii() and argument.isdigit() else None
        elif key == "consent":
            data[key] = {"true": True, "false": False}.get(argument)
        elif key is not None:
            data[key] = argument
        try:
            return read_action(data, "choice", players)
        except RecordError:
            return None
