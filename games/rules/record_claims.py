"""Reading the claims beside a finished game's record, as a line of a dump holds them."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from .claims import bounded
from .components import CARDS_DRAWN, Party, Policy
from .knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from .reading import (
    RecordError,
    read_choice,
    read_list,
    read_list_of,
    read_object,
    read_seat,
    required,
)
from .record import Record, replay

_KINDS: Final[Mapping[str, type[Knowledge]]] = {
    "president": Drawn,
    "chancellor": Received,
    "peek": TopSeen,
    "investigation": PartySeen,
}
_POLICIES: Final = tuple(Policy)
_PARTIES: Final = tuple(Party)

_Seen = Mapping[tuple[type[Knowledge], int], Knowledge]


def read_claims(data: object, record: Record) -> tuple[Knowledge, ...]:
    """Return the claims in a line's JSON, of which `record` is the record.

    Of claims about one thing the last few are kept: what a table here could have said.

    Raises RecordError also for claims about what their seat has not seen, and for a game that is
    not over; IllegalRecord for a record that breaks the rules.
    """
    *_, last = replay(record)
    if last.state.outcome is None:
        raise RecordError("unfinished_game", "record.actions")
    seen = {(type(item), item.round): item for item in last.state.knowledge}
    enacted = {government.round: government.policy for government in last.state.governments}
    items = read_list(read_object(data, "").get("claims", []), "claims")
    players = len(record.seats)
    return bounded(
        [_read(item, f"claims[{i}]", players, seen, enacted) for i, item in enumerate(items)]
    )


def _read(
    data: object, path: str, players: int, seen: _Seen, enacted: Mapping[int, Policy | None]
) -> Knowledge:
    item = read_object(data, path)
    kind = _KINDS[read_choice(required(item, "kind", path), f"{path}.kind", tuple(_KINDS))]
    seat = read_seat(required(item, "seat", path), f"{path}.seat", players)
    number = required(item, "round", path)
    if type(number) is not int:
        raise RecordError("not_a_round", f"{path}.round")
    truth = seen.get((kind, number))
    if truth is None or truth.seat != seat:
        raise RecordError("not_seen", path)
    claimed = required(item, "claimed", path)
    if isinstance(truth, PartySeen):
        party = Party(read_choice(claimed, f"{path}.claimed", _PARTIES))
        return PartySeen(number, seat, truth.target, party)
    cards = CARDS_DRAWN - 1 if kind is Received else CARDS_DRAWN
    policies = tuple(
        Policy(read_choice(policy, f"{path}.claimed[{i}]", _POLICIES))
        for i, policy in enumerate(read_list_of(claimed, f"{path}.claimed", cards))
    )
    if isinstance(truth, Drawn):
        if item.get("discarded") in policies:
            discarded = Policy(str(item["discarded"]))
        else:
            received = seen.get((Received, number))
            discarded = unsaid_discard(policies, truth, received, enacted.get(number))
        return Drawn(number, seat, policies, discarded)
    return Received(number, seat, policies) if kind is Received else TopSeen(number, seat, policies)


def unsaid_discard(
    policies: tuple[Policy, ...],
    seen: Drawn,
    received: Knowledge | None,
    enacted: Policy | None,
) -> Policy:
    """Return the discard of a claim that leaves it open: what was left unsaid is no lie.

    It fits what the Chancellor received, or else at least what was enacted.
    """
    if sorted(policies) == sorted(seen.policies):
        return seen.discarded
    if isinstance(received, Received):
        rest = Counter(policies) - Counter(received.policies)
        if rest.total() == 1:
            return next(iter(rest))
    fascist = policies.count(Policy.FASCIST)
    is_needed = enacted is Policy.FASCIST and fascist == 1
    return Policy.FASCIST if fascist and not is_needed else Policy.LIBERAL
