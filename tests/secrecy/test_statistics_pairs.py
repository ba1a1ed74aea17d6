"""A running game changes no statistics: neither the site's, nor those of its players' pages.

The pairs visit these pages as well, but no player there has finished a game, so the pages are
nearly empty. Here every player has.
"""

from collections import Counter
from datetime import timedelta
from random import Random

import pytest

from accounts.models import User
from games.models import ArchivedGame, ArchivedSeat, Game, Table
from games.services import archive
from tests.nightly import NIGHTLY
from tests.secrecy.pairs import Pair, random_pairs, stage_for
from tests.secrecy.stage import BEGINNING, Cast, Stage, held_still
from tests.secrecy.twins import differences

pytestmark = pytest.mark.django_db(transaction=True)

PAIRS = 12 if NIGHTLY else 2


def finished_games(cast: Cast) -> None:
    """Put twelve games of all players into the archive, and let their pages show everything."""
    User.objects.update(shows_page="all", shows_statistics="all", shows_games="all")
    for number in range(12):
        ended_at = BEGINNING - timedelta(days=20 * number + 1)
        table = Table.objects.create(stage="over", edition="en", code=f"done{number:04}")
        game = Game.objects.create(
            table=table,
            players=10,
            winner="liberal",
            ending="liberal_policies",
            started_at=ended_at,
            ended_at=ended_at,
        )
        row = ArchivedGame.objects.create(
            game=game,
            code=table.code,
            ended_at=ended_at,
            seconds=600,
            rounds=9,
            edition="en",
            is_custom=False,
            players=10,
            people=10,
            winner="liberal",
            ending=game.ending,
            pace="normal",
            is_public=True,
        )
        ArchivedSeat.objects.bulk_create(
            ArchivedSeat(
                archived=row,
                user=user,
                number=seat,
                role="liberal" if seat < 6 else "hitler" if seat == 6 else "fascist",
                has_won=seat < 6,
                ended_at=ended_at,
                people=10,
                claims=3,
                lies=1,
                lies_caught=1,
                ballots=5,
                right_ballots=3,
            )
            for seat, user in enumerate(cast.players)
        )
    archive.recount_tallies()


def pages(stage: Stage, pair: Pair, *, is_other: bool) -> dict[str, bytes]:
    """Return the pages of statistics as the viewer gets them after the worker has run."""
    stage.enter(pair.other if is_other else pair.history.world, pair.tick)
    archive.take_in()
    archive.recount_tallies()
    browser = stage.browser_of(pair.viewer)
    browser.language = pair.language
    players = [user for user in stage.users if user is not None]
    paths = ["/statistics/", *(f"/people/{user.person_key}/" for user in players[:3])]
    return {path: browser.get(path).content for path in paths}


def test_twins_have_the_same_statistics():
    rng, met = Random("statistics"), Counter()
    with held_still():
        cast = Cast()
        finished_games(cast)
        for pairs in random_pairs(rng, per_game=2):
            if met["pairs"] >= PAIRS:
                break
            stage = stage_for(cast, pairs[0].history, rng)
            for pair in pairs:
                here, there = (pages(stage, pair, is_other=is_other) for is_other in (False, True))
                assert here == there, pair
                site, *people = here.values()
                # The pages are full: all seats' lies on one, the player's own on the others.
                assert b"72/<wbr>216" in site
                assert all(b'id="play"' in page and b"12/<wbr>36" in page for page in people)
                met["pairs"] += 1
                met.update(differences(pair.history, pair.tick, pair.other))
            stage.strike()
    assert met["roles"] >= PAIRS // 4 and met["pile"] > PAIRS // 2, met
