"""Deals of all finished games against chance: first candidates, roles by seat, deck orders.

Everything is counted ahead of time, by a worker each night or by `manage.py rebuild_fairness`. Only
games that are over are read. Each game adds numbers, so a page can name no game.
"""

from collections.abc import Callable, Iterator
from math import erfc, exp, lgamma, log, sqrt
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from games.models import FairnessReport, Table
from games.rules.chance import Deal, SealedChance
from games.rules.components import Policy, Role
from games.rules.editions import Options

# Rows that are read from the database at once.
_CHUNK: Final = 500
# The places of the draw pile whose cards are counted: those of the first standard deck.
DECK: Final = 17


def rebuild_fairness(*, progress: Callable[[int], None] | None = None) -> FairnessReport:
    """Count all finished games anew. `progress` is told how many games have been read."""
    counts = _Counts()
    games = 0
    for games, (options, deal, attempts) in enumerate(_deals(), start=1):
        counts.add(options, deal, attempts)
        if progress is not None and games % _CHUNK == 0:
            progress(games)
    if progress is not None:
        progress(games)
    with transaction.atomic():
        report = FairnessReport(made_at=timezone.now(), games=games, counts=counts.json())
        report.save()
        FairnessReport.objects.exclude(pk=report.pk).delete()
    return report


def _deals() -> Iterator[tuple[Options, Deal, list[dict[str, Any]]]]:
    over = Table.objects.filter(stage=Table.Stage.OVER, game__isnull=False)
    tables = over.only("edition", "house_rules", "seed", "seal_attempts").order_by("pk")
    for table in tables.prefetch_related("seats").iterator(chunk_size=_CHUNK):
        contributions = [seat.contribution for seat in table.seats.all()]
        if len(contributions) < table.options.players[0]:
            continue
        sealed = SealedChance(bytes(table.seed), contributions)
        deal = sealed.deal(table.options, len(contributions))
        yield table.options, deal, table.seal_attempts


class _Counts:
    """The counts so far, by number of players where chance depends on it."""

    def __init__(self) -> None:
        self.first: dict[int, list[int]] = {}
        # By seat.
        self.fascists: dict[int, list[int]] = {}
        self.hitlers: dict[int, list[int]] = {}
        self.players: dict[int, int] = {}
        # Liberal cards by place, in decks of the standard seventeen.
        self.liberals = [0] * DECK
        self.decks = 0
        self.called_off = 0
        self.games_with_call_off = 0
        self.missing = 0

    def add(self, options: Options, deal: Deal, attempts: list[dict[str, Any]]) -> None:
        seats = len(deal.roles)
        for counts in (self.first, self.fascists, self.hitlers):
            counts.setdefault(seats, [0] * seats)
        self.players[seats] = self.players.get(seats, 0) + 1
        self.first[seats][deal.first_candidate] += 1
        for seat, role in enumerate(deal.roles):
            if role is Role.HITLER:
                self.hitlers[seats][seat] += 1
            if role is Role.FASCIST:
                self.fascists[seats][seat] += 1
        if len(deal.draw_pile) == DECK:
            self.decks += 1
            for place, card in enumerate(deal.draw_pile):
                if card is Policy.LIBERAL:
                    self.liberals[place] += 1
        self.called_off += len(attempts)
        self.games_with_call_off += bool(attempts)
        self.missing += sum(len(attempt["missing"]) for attempt in attempts)

    def json(self) -> dict[str, Any]:
        sizes = sorted(self.players)
        return {
            "tests": {
                "first": [against_chance(players, self.first[players]) for players in sizes],
                "hitlers": [against_chance(players, self.hitlers[players]) for players in sizes],
                "fascists": [
                    against_chance(players, self.fascists[players], drawn=self.players[players])
                    for players in sizes
                ],
            },
            "deck": against_chance(0, self.liberals, drawn=self.decks),
            "called_off": self.called_off,
            "games_with_call_off": self.games_with_call_off,
            "missing": self.missing,
        }


def against_chance(players: int, counts: list[int], *, drawn: int = 0) -> dict[str, Any]:
    """Return counts by place against equal chances, as a chi-square test.

    Where each of `drawn` deals gives several places the card, the places of one deal are not
    independent: the sum is scaled by (n - 1) / (n - k), with k such cards on n places.
    """
    total, places = sum(counts), len(counts)
    result: dict[str, Any] = {"players": players, "counts": counts, "chi": 0.0, "p": None}
    result["expected"] = total / places if places else 0.0
    if not total or places < 2:
        return result
    expected = total / places
    chi = sum((count - expected) ** 2 / expected for count in counts)
    if drawn:
        each = total / drawn
        if each >= places:
            return result
        chi *= (places - 1) / (places - each)
    return result | {"chi": chi, "p": chance_of(chi, places - 1)}


def chance_of(chi: float, freedom: int) -> float:
    """Return how often chance alone gives a chi-square of at least `chi`.

    The closed forms of the upper tail for whole numbers of degrees of freedom.
    """
    if chi <= 0:
        return 1.0
    half = chi / 2
    tail, first = (erfc(sqrt(half)), 0.5) if freedom % 2 else (0.0, 0.0)
    for step in range(freedom // 2):
        power = first + step
        tail += exp(power * log(half) - half - lgamma(power + 1))
    return min(1.0, tail)
