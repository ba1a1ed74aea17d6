"""The first night in words: who opens their eyes, and who is seen."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.editions import Options
from games.rules.night import NightAct, NightStep, Sleepers, night_steps

_SENTENCES: Final[dict[tuple[Sleepers, NightAct], Promise]] = {
    (Sleepers.EVERYONE, NightAct.CLOSE_EYES): _("Everyone closes their eyes."),
    (Sleepers.EVERYONE, NightAct.CLOSE_EYES_FIST_OUT): _(
        "Everyone holds out a closed fist and closes their eyes."
    ),
    (Sleepers.BOTH, NightAct.SEE_EACH_OTHER): _(
        "The fascist and Hitler open their eyes and see each other."
    ),
    (Sleepers.ALL_FASCISTS, NightAct.SEE_EACH_OTHER): _(
        "The fascists and Hitler open their eyes and see each other."
    ),
    (Sleepers.FASCISTS, NightAct.SEE_EACH_OTHER): _(
        "The fascists other than Hitler open their eyes and see each other."
    ),
    (Sleepers.FASCISTS, NightAct.SEE_EACH_OTHER_AND_THUMB): _(
        "The other fascists open their eyes and see each other and the raised thumb."
    ),
    (Sleepers.HITLER, NightAct.RAISE_THUMB): _("Hitler, with closed eyes, raises a thumb."),
    (Sleepers.FASCISTS, NightAct.SEE_THUMB): _("The fascists see whose thumb is up."),
    (Sleepers.HITLER, NightAct.LOWER_THUMB): _("Hitler lowers the thumb."),
    (Sleepers.HITLER, NightAct.MOVE_MOUSE): _("Hitler, with closed eyes, moves the mouse."),
    (Sleepers.FASCISTS, NightAct.SEE_MOUSE): _("The fascists see who moves the mouse."),
    (Sleepers.HITLER, NightAct.STOP_MOUSE): _("Hitler lets go of the mouse."),
    (Sleepers.FASCISTS, NightAct.LEARN_HITLER): _("They also learn who Hitler is."),
    (Sleepers.EVERYONE, NightAct.CLOSE_EYES_AGAIN): _("Everyone closes their eyes again."),
    (Sleepers.EVERYONE, NightAct.CLOSE_EYES_HANDS_DOWN): _(
        "Everyone closes their eyes again and lowers their hands."
    ),
    (Sleepers.EVERYONE, NightAct.OPEN_EYES): _("Everyone opens their eyes."),
    (Sleepers.CONFUSED, NightAct.SPEAK_UP): _(
        "If you’re confused or something went wrong, say so now."
    ),
}


def night_step(step: NightStep) -> str:
    """Return a step of the night as a sentence."""
    return str(_SENTENCES[step.who, step.what])


def night(options: Options, players: int) -> tuple[str, ...]:
    """Return the night of a table of `players` under these rules, one sentence per step."""
    return tuple(night_step(step) for step in night_steps(options, players))
