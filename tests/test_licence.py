"""The licence is the whole text of CC BY-NC-SA 4.0, the licence of the game's own authors."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LICENCE = (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_it_is_by_nc_sa_4_0() -> None:
    assert LICENCE.startswith(
        "Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International"
    )


@pytest.mark.parametrize(
    "section",
    [
        "Section 1 – Definitions.",
        "Section 2 – Scope.",
        "Section 3 – License Conditions.",
        "Section 4 – Sui Generis Database Rights.",
        "Section 5 – Disclaimer of Warranties and Limitation of Liability.",
        "Section 6 – Term and Termination.",
        "Section 7 – Other Terms and Conditions.",
        "Section 8 – Interpretation.",
    ],
)
def test_every_section_is_there_once(section: str) -> None:
    assert LICENCE.count(section) == 1


@pytest.mark.parametrize("condition", ["Attribution.", "ShareAlike.", "NonCommercial purposes"])
def test_its_conditions_are_there(condition: str) -> None:
    assert condition in LICENCE


def test_the_project_names_it() -> None:
    assert 'license = { file = "LICENSE" }' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
