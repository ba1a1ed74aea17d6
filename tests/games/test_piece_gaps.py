"""A template's own line breaks are not sent; what people have written keeps its own."""

import re
from datetime import UTC, datetime

from games.panels import MessageRow
from games.panels.pieces import render
from games.panels.scene import SeatCard


def message(text: str) -> MessageRow:
    return MessageRow(
        code="abcdefgh",
        place="table",
        nth=1,
        kind="said",
        seat=0,
        name="Ada",
        guest=None,
        text=text,
        data="",
        names=("Ada",),
        mentions=(),
        round=1,
        at=datetime(2026, 1, 1, tzinfo=UTC),
        is_removed=False,
        may_remove=False,
    )


def test_no_line_breaks_stand_between_tags(db):
    html = render(SeatCard(number=3, name="Ada", has_voted=True))

    assert "mark-voted" in html
    assert re.search(r">\s*\n\s*<", html) is None
    # Inline elements stay apart.
    assert '</p> <ul class="marks">' in html


def test_a_message_keeps_its_line_breaks_and_spaces(db):
    assert "one  two\n\n &lt;three&gt;\n &lt;four&gt;" in render(
        message("one  two\n\n <three>\n <four>")
    )
