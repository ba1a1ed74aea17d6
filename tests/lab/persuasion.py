"""How often words win the ballots of undecided bots: `python -m tests.lab.persuasion`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Final

from games import bots
from games.bots import Heard, Spoken
from games.bots.reasoning.play import ballot_intended, choose
from games.bots.reasoning.talk import say
from games.bots.registry import Kind
from games.rules.actions import Action
from games.rules.components import Ballot
from games.rules.editions import options_of
from games.rules.events import Ballots
from games.rules.phases import Phase
from games.rules.view import View
from games.simulation.talk import play_with_talk

from .frame import arguments

# A bot is undecided if its chance of Ja lies within these bounds.
UNDECIDED: Final = (0.3, 0.7)
# What is said for and against a government: of its Chancellor, and to the voters.
_WORDS: Final = {
    "opinion": ("liberal", "fascist"),
    "plea": ("vote_ja", "vote_nein"),
    "both": ("liberal vote_ja", "fascist vote_nein"),
}

Position = tuple[View, Heard]
_seen: Final[list[Position]] = []


def _choose(view: View, heard: Heard, below: bots.Below) -> Action:
    is_asked = view.viewer not in (view.candidate, view.nominee)
    if view.phase is Phase.ELECTION and is_asked:
        _seen.append((view, Heard(tuple(heard.told), tuple(heard.claims), tuple(heard.phrases))))
    return choose(view, heard, below)


_WATCHED: Final = Kind(
    name="moved",
    label="Watched",
    choose=_choose,
    claim=bots.kind_named(bots.SKILLED).claim,
    character=bots.kind_named(bots.SKILLED).character,
    say=say,
)


def undecided(players: int, seed: str) -> list[Position]:
    """Return the positions of undecided voters in one game of bots that talk."""
    if _WATCHED.name not in bots.names():
        bots.register(_WATCHED)
    _seen.clear()
    play_with_talk(options_of("en"), (_WATCHED.name,) * players, seed)
    low, high = UNDECIDED
    return [(view, heard) for view, heard in _seen if low <= ballot_intended(view, heard) <= high]


def with_words(position: Position, codes: str, promises: str = "") -> Heard | None:
    """Return what the voter has heard if the next voter says these phrases about the government.

    `promises` says whether that voter has "kept" or "broken" two promises before; None if there
    were no votes to promise.
    """
    view, heard = position
    assert view.nominee is not None
    speaker = next(seat for seat in _after(view) if seat not in (view.candidate, view.nominee))
    now = len(heard.told)
    said = [
        Spoken(speaker, code, () if code in ("vote_ja", "vote_nein") else (view.nominee,), now)
        for code in codes.split()
    ]
    if promises:
        votes = [
            (index, event.ballots[speaker])
            for index, (_, _, events) in enumerate(heard.told)
            for event in events
            if isinstance(event, Ballots)
        ][-2:]
        if len(votes) < 2:
            return None
        kept = promises == "kept"
        said = [
            Spoken(speaker, f"me_vote_{'ja' if (cast is Ballot.JA) is kept else 'nein'}", (), index)
            for index, cast in votes
        ] + said
    # In the order in which they were said.
    phrases = sorted([*heard.phrases, *said], key=lambda word: word.length)
    return replace(heard, phrases=tuple(phrases), memory=dict(heard.memory))


def _after(view: View) -> Iterator[int]:
    assert view.viewer is not None
    seats = ((view.viewer + step) % view.players for step in range(1, view.players))
    return (seat for seat in seats if seat in view.alive)


def won(position: Position, heard: Heard, sign: int) -> float:
    """Return how likely the same draw gives the ballot that the words ask for: Ja if sign is 1.

    Ballots that the words drive away count against them.
    """
    view, before = position
    return sign * (ballot_intended(view, heard) - ballot_intended(view, before))


def rates(positions: Sequence[Position]) -> dict[str, dict[str, float]]:
    """Return for each kind of words, and each kind of speaker, the share of ballots won."""
    found: dict[str, dict[str, float]] = {}
    for name, sides in _WORDS.items():
        found[name] = {}
        for speaker, promises in (("any", ""), ("kept", "kept"), ("broken", "broken")):
            found[name][speaker] = fmean(
                won(position, heard, sign)
                for position in positions
                for codes, sign in zip(sides, (1, -1), strict=True)
                if (heard := with_words(position, codes, promises)) is not None
            )
    return found


def main(argv: Sequence[str] | None = None) -> None:
    parser = arguments(__doc__, games=10, seed="words", as_json=True)
    parser.add_argument("--players", type=int, default=7)
    given = parser.parse_args(argv)
    positions = [
        position
        for number in range(given.games)
        for position in undecided(given.players, f"{given.seed} {number}")
    ]
    found = rates(positions)
    if given.json:
        print(json.dumps({"positions": len(positions), "rates": found}))
        return
    print(f"{len(positions)} undecided voters of {given.players}: ballots won by the words of")
    print(f"{'':10}{'any voter':>14}{'2 kept':>10}{'2 broken':>10}")
    for name, row in found.items():
        print(f"{name:10}{row['any']:14.1%}{row['kept']:10.1%}{row['broken']:10.1%}")


if __name__ == "__main__":
    main()
