"""Retells a recorded game in words, hidden information included, because the game is over."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from games import wording
from games.rules.actions import Action, Discard, ProposeVeto, Vote
from games.rules.editions import differences, option_json
from games.rules.events import Candidate
from games.rules.phases import Phase
from games.rules.record import Record, ReplayedPosition
from games.rules.state import GameState


def retell(record: Record, positions: Iterable[ReplayedPosition]) -> Iterator[str]:
    """Yield the game line by line: the table, then each round and its events.

    An exception raised by `positions` (from `replay`) propagates after the lines before it.
    """
    names = [_printable(name) for name in record.seats]
    yield from _introduction(record, names)
    last: GameState | None = None
    for position in positions:
        yield from _step(last, position, names)
        last = position.state
    if last is not None and last.outcome is None:
        yield ""
        yield from _unfinished(last, names)


def _introduction(record: Record, names: list[str]) -> Iterator[str]:
    yield _("{edition}, {players} players").format(
        edition=wording.edition_name(record.edition), players=len(names)
    )
    for name in differences(record.edition, record.options):
        value = option_json(getattr(record.options, name))
        yield _("House rule: {option}: {value}").format(
            option=wording.option_name(name), value=wording.option_value(name, value)
        )
    for seat, role in enumerate(record.deal.roles):
        yield _("Seat {number}: {name}, {role}").format(
            number=seat, name=names[seat], role=wording.role(role)
        )


def _step(before: GameState | None, position: ReplayedPosition, names: list[str]) -> Iterator[str]:
    state, entry = position.state, position.entry
    if before is None or entry is None:
        assert state.candidate is not None
        yield from _round(state.round)
        yield _indented(wording.event_sentence(Candidate(state.candidate), state.candidate, names))
        return
    options = state.setup.options
    action = entry.action
    # Ballots are told together once all are in. Before that, only a changed ballot is told.
    if isinstance(action, Discard | ProposeVeto) or _is_second_thought(before, action):
        yield _indented(wording.action_sentence(action, names, options))
    told = wording.event_sentences(position.events, action.seat, names, options)
    for event, sentence in zip(position.events, told, strict=True):
        if isinstance(event, Candidate):
            yield from _round(state.round)
        yield _indented(sentence)
    if state.phase is Phase.PRESIDENT_DISCARDS:
        assert state.president is not None
        yield _indented(wording.draws(state.president, state.hand, names))


def _is_second_thought(before: GameState, action: Action) -> bool:
    return isinstance(action, Vote) and before.ballots[action.seat] is not None


def _round(number: int) -> Iterator[str]:
    yield ""
    yield _("Round {number}").format(number=number)


def _unfinished(state: GameState, names: list[str]) -> Iterator[str]:
    if state.phase is Phase.ELECTION:
        for seat, ballot in enumerate(state.ballots):
            if ballot is not None:
                yield _indented(wording.action_sentence(Vote(seat, ballot), names))
    yield _("The record ends here, before the game does.")


def _indented(sentence: str) -> str:
    return f"  {sentence}"


def _printable(name: str) -> str:
    """Return the name without characters that could move a terminal's cursor."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in name)
