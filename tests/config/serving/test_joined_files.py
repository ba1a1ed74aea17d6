"""Styles and scripts that are joined: complete, in their order, and found like any static file."""

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from config.serving.smaller import smaller_script, smaller_style


def of_part(name: str) -> str:
    text = Path(finders.find(name)).read_text(encoding="utf-8")
    if name.endswith(".css"):
        return smaller_style(text)
    return text if "/vendor/" in name else smaller_script(text)


def test_a_joined_file_holds_its_parts_in_their_order():
    for name, parts in settings.JOINED_FILES.items():
        text = Path(finders.find(name)).read_text(encoding="utf-8")
        assert text == "\n".join(of_part(part) for part in parts), name


@pytest.mark.parametrize(
    ("text", "smaller"),
    [
        ("/* Why */\na {\n  color: red;\n}\nb {}", "a{color: red;}b{}"),
        ("a /* one */ b,\n\n  /* two\n lines */\n  c {}", "a b,\nc{}"),
        # A space would select descendants instead.
        ("a/* why */.b {}", "a/**/.b{}"),
        ('a { content: "/* no  comment */"; }', 'a{content: "/* no  comment */";}'),
        ("a { content: '\\'  /* x */'; }", "a{content: '\\'  /* x */';}"),
        ("a { background: url(a/*b*/c); }", "a{background: url(a/*b*/c);}"),
        # The first space ends the escape.
        ("a { content: \\26  b; }", "a{content: \\26  b;}"),
        ("a { b: \"it's\" /* it's */; c: 'd' }", "a{b: \"it's\";c: 'd'}"),
        ('a { b: " ; { } "; }', 'a{b: " ; { } ";}'),
    ],
)
def test_a_smaller_style_sheet_means_the_same(text, smaller):
    assert smaller_style(text) == smaller


def test_a_smaller_script_lacks_only_comments_and_indentation():
    text = '// Why.\n(() => {\n\n  // How,\n  // and when.\n  go("// not"); // here\n})();\n'
    assert smaller_script(text) == '(() => {\ngo("// not"); // here\n})();\n'


def test_every_line_of_a_script_begins_with_code_or_a_comment():
    for parts in settings.JOINED_FILES.values():
        for part in parts:
            if part.endswith(".css") or "/vendor/" in part:
                continue
            for line in Path(finders.find(part)).read_text(encoding="utf-8").splitlines():
                # A text that spans lines would lose what looks like a comment or an indentation.
                assert line.count("`") % 2 == 0, (part, line)
                assert not line.endswith("\\"), (part, line)
                assert "/*" not in line, (part, line)


def test_collectstatic_finds_the_joined_files():
    listed = {path for finder in finders.get_finders() for path, _ in finder.list([])}
    assert set(settings.JOINED_FILES) <= listed


def test_a_joined_style_sheet_lies_beside_its_parts_so_that_its_links_stay_right():
    for name, parts in settings.JOINED_FILES.items():
        if name.endswith(".css"):
            assert {str(Path(part).parent) for part in parts} == {str(Path(name).parent)}
