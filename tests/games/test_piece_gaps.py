"""A template's own line breaks are not sent; what people have written keeps its own."""

import re
from datetime import UTC, datetime

from games.panels import MessageRow
from games.panels.pieces import render, without_gaps
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
    assert '</p><ul class="marks">' in html


def test_only_elements_that_may_stand_in_a_line_keep_a_space_between_them():
    html = without_gaps("<p>\n  <b>One</b>\n  <i>two</i>\n</p>\n<div>\n  <dd>three</dd>\n</div>")

    assert html == "<p><b>One</b> <i>two</i></p><div> <dd>three</dd> </div>"


def test_a_text_box_keeps_the_line_breaks_with_which_it_begins():
    assert (
        without_gaps("<p>\n<textarea>\n\n</textarea>\n</p>") == "<p><textarea>\n\n</textarea></p>"
    )


def test_a_message_keeps_its_line_breaks_and_spaces(db):
    assert "one  two\n\n &lt;three&gt;\n &lt;four&gt;" in render(
        message("one  two\n\n <three>\n <four>")
    )
