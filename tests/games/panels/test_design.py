"""The measurable parts of the design: contrast, page weight, and what network traffic reveals."""

import json
import re
import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from games.models import Table
from tests.builders.person import Person
from tests.builders.tables import person
from tests.weights import assets_of

STYLES = Path(finders.find("games/css/tokens.css")).parent
TOKENS = (STYLES / "tokens.css").read_text(encoding="utf-8")

# Foreground and background pairs. Large elements and the edges of controls need a contrast of 3,
# text 4.5 (WCAG 2.2, AA).
TEXT, SHAPE = 4.5, 3.0


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_whoever_listens_to_the_line_sees_the_same_files_go_to_every_role(
    table: Table, seated: list[Person]
) -> None:
    # Liberals 0 to 2, a fascist, Hitler; and a spectator.
    watching = Person(person("Wanda"), table)
    asked = [assets_of(someone.page()) for someone in [*seated, watching]]

    # Every signed-in viewer gets the same files; no hidden fact selects any of them.
    assert all(names == asked[0] for names in asked)


def test_a_page_asks_for_more_fonts_only_for_cyrillic_letters() -> None:
    ranges = []
    for style in STYLES.glob("*.css"):
        text = style.read_text(encoding="utf-8")
        # Fonts installed on the reader's system cause no request.
        faces = [face for face in re.findall(r"@font-face \{[^}]*\}", text) if "url(" in face]
        ranges += [it[1] for face in faces if (it := re.search(r"unicode-range: (.+);", face))]
        if style.name != "tokens.css":
            # A request for a picture of the viewer's role would reveal the role.
            assert "url(" not in text, style.name
    assert ranges == ["U+400-45F, U+490-491"] * 2


FACE = re.compile(r'@font-face \{\s*font-family: "([^"]+)";\s*src: url\("\.\./([^"]+)"')


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_a_page_preloads_the_fonts_of_its_language(client, db, language) -> None:
    page = client.get("/", headers={"Accept-Language": language}).content.decode()
    preloaded = re.findall(
        r'rel="preload" href="/static/games/([^"]+)" as="font"[^>]*crossorigin', page
    )
    script = ", Cyrillic" if language == "ru" else ""
    files = {name: file for name, file in FACE.findall(TOKENS) if "-cyrillic" not in file}
    assert len(files) == 4
    assert preloaded == [files[f"Vollkorn{script}"], files[f"Kaffeesatz{script}"]]


def test_the_site_can_be_installed(client, db) -> None:
    page = client.get("/").content.decode()
    address = re.search(r'rel="manifest" href="([^"]+)"', page)
    assert address is not None
    answer = client.get(address[1])
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = json.loads(b"".join(answer))

    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    sizes = set()
    for icon in manifest["icons"]:
        content = (STYLES.parent / icon["src"]).read_bytes()
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
            sizes.add((width, icon.get("purpose", "any")))
    assert {(192, "any"), (512, "any"), (512, "maskable")} <= sizes


def test_every_drawing_that_a_page_names_is_there() -> None:
    sprite = (STYLES.parent / "art.svg").read_text(encoding="utf-8")
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', sprite))
    templates = Path(__file__).parents[3] / "templates"
    named = {
        name
        for page in templates.rglob("*.html")
        for name in re.findall(r'{% icon "([\w-]+)"', page.read_text(encoding="utf-8"))
    }
    assert named - drawn == set()
