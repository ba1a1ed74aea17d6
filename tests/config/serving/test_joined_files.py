"""Styles and scripts that are joined: complete, in their order, and found like any static file."""

from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders


def test_a_joined_file_holds_its_parts_in_their_order():
    for name, parts in settings.JOINED_FILES.items():
        text = Path(finders.find(name)).read_text(encoding="utf-8")
        texts = [Path(finders.find(part)).read_text(encoding="utf-8") for part in parts]
        assert text == "\n".join(texts), name


def test_collectstatic_finds_the_joined_files():
    listed = {path for finder in finders.get_finders() for path, _ in finder.list([])}
    assert set(settings.JOINED_FILES) <= listed


def test_a_joined_style_sheet_lies_beside_its_parts_so_that_its_links_stay_right():
    for name, parts in settings.JOINED_FILES.items():
        if name.endswith(".css"):
            assert {str(Path(part).parent) for part in parts} == {str(Path(name).parent)}
