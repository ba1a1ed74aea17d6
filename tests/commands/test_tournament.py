"""`manage.py tournament`: kinds of bots against each other, with intervals that mean something."""

import io
import json

import pytest
from django.core.management import call_command

from games.simulation.tournament import Score


def tournament(*args: str) -> str:
    out = io.StringIO()
    call_command("tournament", "--language", "en", *args, stdout=out, no_color=True)
    return out.getvalue()


def played(*args: str) -> list[dict]:
    return json.loads(tournament("--json", *args))["pairings"]


CAUTIOUS = ("--liberals", "cautious", "--fascists", "cautious", "--players", "5", "--games", "25")


def test_each_pairing_plays_all_its_games_at_each_size():
    rows = played("--fascists", "cautious", "--liberals", "cautious", "uniform", "--games", "3")
    assert {(row["players"], row["liberals"]) for row in rows} == {
        (players, kind) for players in range(5, 11) for kind in ("cautious", "uniform")
    }
    assert all(sum(row["endings"].values()) == row["games"] == 3 for row in rows)


def test_several_processes_play_the_same_games_as_one():
    assert played(*CAUTIOUS) == played(*CAUTIOUS, "--jobs", "2")


def test_an_interval_holds_its_share_and_narrows_with_more_games():
    few, many = Score(liberal_wins=4), Score(liberal_wins=400)
    few.endings["liberal_policies"], many.endings["liberal_policies"] = 10, 1000
    assert few.interval[0] < many.interval[0] < 0.4 < many.interval[1] < few.interval[1]


def test_the_report_names_edition_size_and_kinds():
    text = tournament(*CAUTIOUS)
    assert "English rules, 5 players, 25 games of each pairing" in text
    assert "cautious - cautious" in text and "%" in text


def test_a_size_that_the_rules_do_not_allow_is_refused():
    with pytest.raises(SystemExit):
        tournament("--edition", "ru-5-6", "--players", "7")
