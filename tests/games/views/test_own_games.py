"""A user's own games: all that are finished, with filters, for their player alone."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game, Result, Seat, Table
from games.selectors.own_games import GAMES_ON_A_PAGE, OwnGamesFilters, own_games
from games.services import abandonment, tables
from tests.builders.copies import copies
from tests.builders.person import Person
from tests.builders.tables import NAMES, fresh, is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db


def ended(names=NAMES[:5], *, bots: int = 0, **how: object) -> Table:
    """Return a finished game. The last seats become bots' afterwards: people play for them."""
    table = run_table(names, **how)
    play_until(table, is_over)
    last = table.seats.filter(number__gte=len(names) - bots)
    last.update(user=None, bot="uniform")
    return fresh(table)


def listed(name: str = "Ada", query: str = "") -> list[str]:
    """Return the codes of the games on the page of this user."""
    html = Person(person(name), Table()).get(f"/games/{query}").content.decode()
    return re.findall(r'<a href="/tables/(\w+)/replay/"', html)


def text(name: str = "Ada") -> str:
    html = Person(person(name), Table()).get("/games/").content.decode()
    return re.sub(r"\s+", " ", html.split("<main")[1])


def test_every_game_one_sat_in_is_listed_newest_first_and_no_other():
    first, second = ended(), ended(bots=3)
    alone = tables.quick_game(user=person("Ada"), edition="en")
    abandonment.give_up_game(table=alone, user=person("Ada"))
    ended(NAMES[5:10])
    running = run_table()
    assert listed() == [alone.code, second.code, first.code]
    assert listed("Chika") == [first.code]
    assert listed("Sofia") == []
    assert running.code not in text()


def test_a_row_tells_result_role_company_and_length():
    table = ended(bots=2)
    Game.objects.filter(table=table).update(started_at=table.game.ended_at - timedelta(minutes=25))
    own = Result.objects.get(game=table.game, user=person("Ada"))
    row = text()
    assert (">won<" if own.has_won else ">lost<") in re.sub(r"<svg.*?</svg>", "", row)
    assert "<bdi>Boris</bdi> and <bdi>Chika</bdi> · 2 bots" in row
    assert "<bdi>Ada</bdi>" not in row.split("own-list")[1].split("</ul>")[0]
    assert "5 players" in row and "25 minutes" in row


def test_filters_choose_among_the_games():
    people = ended()
    bots = ended(NAMES[:7], bots=6)
    polish = ended(NAMES[:6], edition="pl")
    given_up = tables.quick_game(user=person("Ada"), edition="en")
    abandonment.give_up_game(table=given_up, user=person("Ada"))
    won = [
        row.game.table.code
        for row in Result.objects.filter(user=person("Ada"), has_won=True).select_related(
            "game__table"
        )
    ]
    decided = {people.code, bots.code, polish.code}
    assert set(listed(query="?result=won")) == set(won)
    assert set(listed(query="?result=lost")) == decided - set(won)
    assert listed(query="?result=stopped") == [given_up.code]
    assert listed(query="?edition=pl") == [polish.code]
    assert set(listed(query="?size=5-6")) == {people.code, polish.code}
    assert set(listed(query="?company=people")) == {people.code, polish.code}
    assert set(listed(query="?company=bots")) == {bots.code, given_up.code}
    assert listed(query="?company=bots&size=5-6") == []
    # Unknown values are ignored.
    assert len(listed(query="?result=x&edition=xx&size=0&company=dogs&before=x")) == 4


def test_pages_follow_each_other_without_gaps_and_cost_the_same():
    first = ended(bots=4)
    copies(first, 2 * GAMES_ON_A_PAGE)
    Game.objects.update(ended_at=first.game.ended_at)
    every = [game.table.code for game in Game.objects.select_related("table").order_by("-pk")]
    seen: list[str] = []
    user, before = person("Ada"), None
    for most in (GAMES_ON_A_PAGE, GAMES_ON_A_PAGE, 1):
        with CaptureQueriesContext(connection) as queries:
            page = own_games(user, before=before)
        assert len(queries) == 3 and len(page.games) == most
        seen += [game.code for game in page.games]
        before = page.older
    assert before is None and seen == every
    older = re.search(r'rel="next" href="(/games/\?before=\d+)"', text())[1]
    assert listed(query=older.removeprefix("/games/")) == every[GAMES_ON_A_PAGE:][:GAMES_ON_A_PAGE]


def test_a_filter_stays_on_the_next_page():
    filters = OwnGamesFilters({"company": "bots"})
    assert filters.query(before=7) == "?company=bots&before=7"


def test_the_list_is_for_its_player_alone():
    ended()
    answer = Client().get("/games/")
    assert answer.status_code == 303 and "/account/sign-in/" in answer["Location"]


def test_a_seat_that_another_user_has_now_is_theirs():
    table = ended()
    Seat.objects.filter(table=table, number=1).update(user=person("Sofia"))
    assert listed("Sofia") == [table.code] and listed("Boris") == []
