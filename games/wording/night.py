"""The course of the first night: who opens their eyes, and who is seen."""

from typing import assert_never

from django.utils.translation import gettext as _

from games.rules.editions import HitlerSignal, Options

_MOST_PLAYERS_WHERE_HITLER_LOOKS = 6


def night(options: Options, players: int) -> tuple[str, ...]:
    """Return the night of a table of `players` under these rules, one sentence per step."""
    middle: tuple[str, ...]
    if players <= _MOST_PLAYERS_WHERE_HITLER_LOOKS:
        middle = (_("The fascist and Hitler open their eyes and recognise each other."),)
    else:
        middle = _large_table(options.hitler_signal)
    return (
        _("Everybody closes their eyes."),
        *middle,
        _("Everybody opens their eyes, and the first round begins."),
    )


def _large_table(signal: HitlerSignal) -> tuple[str, ...]:
    hitler_sees_nobody = _("Hitler does not see who they are.")
    match signal:
        case HitlerSignal.THUMB_BEFORE:
            return (
                _("Hitler, with closed eyes, raises a thumb."),
                _("The other fascists open their eyes and see each other and the raised thumb."),
                hitler_sees_nobody,
            )
        case HitlerSignal.THUMB_AFTER:
            return (
                _("The fascists other than Hitler open their eyes and see each other."),
                _("Then Hitler, with closed eyes, raises a thumb, and the fascists see it."),
                hitler_sees_nobody,
            )
        case HitlerSignal.MOUSE_AFTER:
            return (
                _("The fascists other than Hitler open their eyes and see each other."),
                _("Then Hitler, with closed eyes, makes the mouse sign, and the fascists see it."),
                hitler_sees_nobody,
            )
        case HitlerSignal.NONE:
            return (
                _("The fascists other than Hitler open their eyes and see each other."),
                _("They also learn who Hitler is."),
                hitler_sees_nobody,
            )
        case _:
            assert_never(signal)
