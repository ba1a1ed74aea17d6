"""Validate every page and fragment with the Nu HTML checker, in every language.

`make markup` runs it. Needs Java and npm, and installs the checker in a temporary folder.
"""

import json
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from games.models import Table
from tests.builders.person import Person
from tests.builders.tables import person
from tests.pages import pages

pytestmark = pytest.mark.django_db

CHECKER = "vnu-jar@26.9.27"
LANGUAGES = [code for code, _ in settings.LANGUAGES]
# A fragment is part of a page, which holds the form that the fragment's buttons may refer to.
ROUND = (
    '<!doctype html><html lang="{}"><title>x</title><body><main>{}</main>'
    '<form id="say"></form></body></html>'
)


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nu")
    command = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", CHECKER]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_markup_is_without_an_error(checker: Path, tmp_path: Path, language: str) -> None:
    names = {}
    for number, (name, html) in enumerate([*pages(language), *fragments(language)]):
        path = tmp_path / f"{number:03}.html"
        path.write_text(html, encoding="utf-8")
        names[path.name] = name
    done = subprocess.run(
        ["java", "-jar", checker, "--format", "json", "--errors-only", *sorted(tmp_path.iterdir())],
        capture_output=True,
        text=True,
        check=False,
    )
    wrong = {
        f"{names[Path(one['url']).name]}: {one['message']} {one.get('extract', '')}"
        for one in json.loads(done.stderr)["messages"]
    }
    assert len(names) > 80
    assert not wrong, "\n".join(sorted(wrong))


def fragments(language: str) -> list[tuple[str, str]]:
    """Return what htmx fetches: panels of each table, panels of the lobby, a refused message."""
    found = []
    for table in Table.objects.all():
        for name in ("Ada", "Emil"):
            viewer = Person(person(name), table, language=language)
            found.append((f"panels of {table}, {name}", viewer.get(f"{viewer.url}panels/")))
            said = {"text": "x" * 400, "place": "table", "key": "k"}
            found.append(
                (f"refused words, {name}", viewer.post(f"{viewer.url}say/", said, htmx=True))
            )
    found.append(("lobby", viewer.get("/panels/")))
    return [
        (name, ROUND.format(language, answer.content.decode()))
        for name, answer in found
        if answer.status_code != 404 and answer.content
    ]
