"""What the public API says of games, people and leaderboards, as JSON objects."""

from typing import Any

from django.urls import reverse

from games.models import Dump
from games.panels.profile import PersonPage, Row
from games.panels.statistics import Share, SiteStatistics
from games.panels.tallies import Tally
from games.selectors.game_search import FoundGame
from games.selectors.ratings import Board, Standing

Json = dict[str, Any]


def game_json(game: FoundGame, origin: str) -> Json:
    return {
        "code": game.code,
        "replay": origin + reverse("games:replay", args=[game.code]),
        "record": origin + reverse("games:v1_record", args=[game.code]),
        "edition": game.edition,
        "has_house_rules": game.is_custom,
        "players": game.players,
        "people": game.people,
        "winner": game.winner,
        "ending": game.ending,
        "pace": game.pace,
        "language": game.language or None,
        "rounds": game.rounds,
        "ended_at": game.ended_at.isoformat(),
        "seconds": int(game.lasted.total_seconds()),
        "moments": list(game.moments),
        "named": [
            {
                "seat": player.number,
                "name": player.name,
                "key": player.key,
                "role": player.role,
                "has_won": player.has_won,
            }
            for player in game.named
        ],
    }


def person_json(page: PersonPage, origin: str) -> Json:
    """Return a person's page as everyone sees it. Parts that are not shown are null."""
    games = None
    if page.games is not None:
        games = origin + reverse("games:v1_person_games", args=[page.key])
    return {
        "key": page.key,
        "name": page.name,
        "page": origin + reverse("games:person", args=[page.key]),
        "country": page.country_code or None,
        "languages": None if page.language_codes is None else list(page.language_codes),
        # The page tells no more than the month.
        "since": None if page.since is None else f"{page.since:%Y-%m}",
        "reliability": None
        if page.reliability is None
        else {"games": page.reliability.games, "percent": page.reliability.percent},
        "statistics": None
        if page.statistics is None
        else {
            "by_edition": [_row_json(row) for row in page.statistics.rows],
            "by_ending": {ending: _tally_json(tally) for ending, tally in page.statistics.endings},
            "games_with_bots_only": page.statistics.with_bots,
        },
        "ratings": None
        if page.ratings is None
        else [_standing_json(standing) for standing in page.ratings],
        "games": games,
    }


def board_json(board: Board, origin: str) -> list[Json]:
    return [
        {
            "place": row.place,
            "name": row.name,
            "key": row.key,
            "page": origin + reverse("games:person", args=[row.key]),
            "rating": row.shown,
            "margin": row.margin,
            "games": row.games,
        }
        for row in board.rows
    ]


def season_json(season: int, *, is_running: bool) -> Json:
    return {
        "season": season,
        "year": season // 10,
        "quarter": season % 10,
        "is_running": is_running,
    }


def statistics_json(statistics: SiteStatistics) -> Json:
    return {
        "all": _share_json(statistics.together),
        "by_edition": {share.edition: _share_json(share) for share in statistics.by_edition},
        "by_players": {str(share.players): _share_json(share) for share in statistics.by_players},
        "by_ending": {ending: tally.won for ending, tally in statistics.endings},
    }


def dump_json(dump: Dump, origin: str) -> Json:
    assert dump.made_at is not None
    month = f"{dump.month:%Y-%m}"
    return {
        "month": month,
        "file": origin + reverse("games:dump", args=[month]),
        "games": dump.games,
        "bytes": dump.size,
        "sha256": dump.sha256,
        "made_at": dump.made_at.isoformat(),
    }


def _row_json(row: Row) -> Json:
    return {
        "edition": row.edition or None,
        "all": _tally_json(row.together),
        **{role: _tally_json(tally) for role, tally in row.roles},
    }


def _tally_json(tally: Tally) -> Json:
    return {"games": tally.games, "won": tally.won}


def _standing_json(standing: Standing) -> Json:
    skill = standing.skill
    return {
        "side": standing.side,
        "tempo": standing.tempo,
        "games": standing.games,
        "rating": None if skill is None else skill.shown,
        "margin": None if skill is None else skill.margin,
    }


def _share_json(share: Share) -> Json:
    """Give no share of fewer than ten games, because it could tell who played."""
    return {
        "games": share.liberals.games,
        "liberal_wins": share.liberals.won if share.is_told else None,
    }
