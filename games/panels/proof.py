"""The proof of a finished game: what was sealed, in order of time, and what follows from it."""

from dataclasses import dataclass

from games.rules.components import Policy, Role
from games.rules.record import Record, verify
from games.rules.seals import BY_SERVER


@dataclass(frozen=True, slots=True)
class Part:
    """What one seat sealed, and what its browser revealed; "" for what it did not."""

    name: str
    hash: str
    contribution: str
    is_servers: bool = False
    is_missing: bool = False
    is_wrong: bool = False


@dataclass(frozen=True, slots=True)
class Try:
    """One attempt to deal; all but the last were called off."""

    number: int
    commitment: str
    revealed: str
    parts: tuple[Part, ...]
    is_wrong: bool
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pile:
    """A draw pile that follows from the seal; `number` counts the reshuffles, 0 for the deal."""

    number: int
    cards: tuple[Policy, ...]
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class Proof:
    """The contents of the page."""

    version: int
    tries: tuple[Try, ...]
    seats_drawn: bool
    # By seat, with its name.
    roles: tuple[tuple[str, Role], ...]
    first_candidate: str
    piles: tuple[Pile, ...]
    # The paths in the record that contradict the seal, as this server finds them.
    wrong: tuple[str, ...]
    is_of_server_alone: bool

    @property
    def are_roles_wrong(self) -> bool:
        return "deal.roles" in self.wrong

    @property
    def is_candidate_wrong(self) -> bool:
        return "deal.first_candidate" in self.wrong


def proof_of(record: Record) -> Proof | None:
    """Return the proof of a record, or None if it has no seal."""
    seal = record.seal
    if seal is None:
        return None
    wrong = tuple(sorted({*verify(record)}))
    tries = [
        Try(
            number,
            attempt.commitment,
            attempt.seed or "",
            tuple(
                Part(
                    name,
                    told,
                    contribution or "",
                    is_missing=seat in attempt.missing,
                    is_wrong=f"seal.attempts[{number - 1}].hashes[{seat}]" in wrong,
                )
                for seat, (name, told, contribution) in enumerate(
                    zip(
                        record.seats,
                        attempt.hashes,
                        attempt.contributions or (None,) * len(record.seats),
                        strict=True,
                    )
                )
            ),
            is_wrong=f"seal.attempts[{number - 1}].commitment" in wrong,
            missing=tuple(record.seats[seat] for seat in attempt.missing),
        )
        for number, attempt in enumerate(seal.attempts, start=1)
    ]
    none = ("",) * len(record.seats)
    parts = zip(record.seats, seal.hashes or none, seal.contributions, seal.by or none, strict=True)
    tries.append(
        Try(
            len(tries) + 1,
            seal.commitment,
            seal.seed,
            tuple(
                Part(
                    name,
                    told,
                    contribution,
                    is_servers=by == BY_SERVER,
                    is_wrong=f"seal.hashes[{seat}]" in wrong,
                )
                for seat, (name, told, contribution, by) in enumerate(parts)
            ),
            is_wrong="seal.commitment" in wrong,
        )
    )
    return Proof(
        version=seal.version,
        tries=tuple(tries),
        seats_drawn=seal.seats_drawn,
        roles=tuple(zip(record.seats, record.deal.roles, strict=True)),
        first_candidate=record.seats[record.deal.first_candidate],
        piles=(
            Pile(0, record.deal.draw_pile, "deal.draw_pile" in wrong),
            *(
                Pile(number, pile, f"shuffles[{number - 1}]" in wrong)
                for number, pile in enumerate(record.shuffles, start=1)
            ),
        ),
        wrong=wrong,
        is_of_server_alone=seal.is_of_server_alone,
    )
