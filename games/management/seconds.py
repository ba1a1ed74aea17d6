"""A number of seconds as a command-line argument."""

from argparse import ArgumentTypeError
from math import isfinite

from django.utils.translation import gettext as _


def seconds(text: str) -> float:
    """Return the argument as a number, zero or more. Raises ArgumentTypeError."""
    try:
        number = float(text)
    except ValueError:
        number = -1
    if number < 0 or not isfinite(number):
        raise ArgumentTypeError(_("%(text)s isn’t a number of seconds") % {"text": text})
    return number
