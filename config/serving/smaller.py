"""Takes out of style sheets and scripts what only their authors read."""

import re
from typing import Final

# What must stay as it is: strings, addresses and escapes. An escape may end with a space.
_KEPT: Final = (
    r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\burl\((?:\\.|[^)\\])*\)|\\(?:[0-9a-fA-F]{1,6}\s?|.)"""
)
_STYLE: Final = re.compile(rf"(?P<kept>{_KEPT})|(?:\s|/\*.*?\*/)+", re.DOTALL)
# Space around these never means anything.
_MARKS: Final = re.compile(rf"(?P<kept>{_KEPT})|\s*(?P<mark>[{{}};])\s*", re.DOTALL)
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
# An indentation, with the empty lines and the lines of comments before it.
_SCRIPT: Final = re.compile(r"^(?:[ \t]*(?://.*)?\n)*[ \t]*", re.MULTILINE)


def smaller_style(text: str) -> str:
    """Return a style sheet without comments, and with no more space than it needs."""
    return _MARKS.sub(lambda found: found["kept"] or found["mark"], _STYLE.sub(_gap, text).strip())


def _gap(found: re.Match[str]) -> str:
    if found["kept"] is not None:
        return found["kept"]
    space = _COMMENT.sub("", found[0])
    if not space:
        # It separates two words, and no space may come between them.
        return "/**/"
    return "\n" if "\n" in space else " "


def smaller_script(text: str) -> str:
    """Return a script without indentation, empty lines and lines that are comments.

    No template literal may span lines; a test checks that in all scripts.
    """
    return _SCRIPT.sub("", text)
