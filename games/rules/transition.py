"""Transitions between positions: `apply(state, action, chance)` -> new position, events."""

from collections.abc import Callable
from typing import Any, Final, assert_never

from .actions import Action, AnswerVeto, Discard, Enact, Nominate, ProposeVeto, Vote
from .chance import Chance, Deal
from .components import (
    CARDS_DRAWN,
    FAILED_ELECTIONS_TO_CHAOS,
    FASCIST_POLICIES_TO_WIN,
    LIBERAL_POLICIES_TO_WIN,
    Ballot,
    Party,
    Policy,
    Role,
)
from .editions import Limited, Options, Reshuffle, SmallTable, TrackerReset
from .events import (
    Ballots,
    Candidate,
    Elected,
    Enacted,
    Event,
    Nominated,
    NotHitler,
    Over,
    Rejected,
    Shuffled,
    Tracker,
    Veto,
)
from .knowledge import Drawn, Received
from .legality import IllegalAction, refusal
from .phases import Ending, Government, Outcome, Phase
from .powers import (
    POWER_OF_ACTION,
    POWERS,
    UsePower,
)
from .state import Draft, GameState, Setup, draft_of, freeze

Step = tuple[GameState, tuple[Event, ...]]

_JA: Final = Ballot.JA
_NO_EVENTS: Final[tuple[Event, ...]] = ()


def opening(options: Options, deal: Deal) -> GameState:
    """Return the position in which the first presidential candidate nominates.

    Raises ValueError if the edition does not support this number of players.
    """
    players = len(deal.roles)
    least, most = options.players
    if not least <= players <= most:
        raise ValueError(f"{players} players at a table for {least}-{most}")
    new = Draft()
    new.setup = Setup(options, deal.roles)
    new.phase = Phase.NOMINATION
    new.round = 1
    new.rotation = deal.first_candidate
    new.candidate = deal.first_candidate
    new.nominee = new.president = new.chancellor = None
    new.alive = tuple(range(players))
    new.limited = ()
    new.term = None
    new.term_round = 0
    new.ballots = (None,) * players
    new.liberal, new.fascist = options.start
    new.tracker = 0
    new.draw = deal.draw_pile
    new.discards = ()
    new.hand = ()
    new.veto_refused = False
    new.investigated = ()
    new.cleared = ()
    new.governments = ()
    new.knowledge = ()
    new.shuffles = 0
    new.outcome = None
    return freeze(new)


def apply(state: GameState, action: Action, chance: Chance) -> Step:
    """Return the position after `action`, and the events it caused, in order.

    Raises IllegalAction with the broken rule; nothing changes then.
    """
    reason = refusal(state, action)
    if reason is not None:
        raise IllegalAction(reason)
    return _HANDLERS[type(action)](state, action, chance)


def _nominate(state: GameState, action: Nominate, chance: Chance) -> Step:
    new = draft_of(state)
    new.nominee = action.target
    new.phase = Phase.ELECTION
    new.ballots = (None,) * state.players
    return freeze(new), (Nominated(action.seat, action.target),)


def _vote(state: GameState, action: Vote, chance: Chance) -> Step:
    seat = action.seat
    ballots = state.ballots
    ballots = (*ballots[:seat], action.ballot, *ballots[seat + 1 :])
    new = draft_of(state)
    new.ballots = ballots
    living = len(state.alive)
    if ballots.count(None) > len(ballots) - living:
        return freeze(new), _NO_EVENTS
    events: list[Event] = [Ballots(ballots)]
    president, chancellor = new.candidate, new.nominee
    assert president is not None and chancellor is not None
    new.candidate = new.nominee = None
    # More than half of the living players must vote Ja; a tie fails.
    if ballots.count(_JA) * 2 > living:
        _elected(new, events, president, chancellor, chance)
    else:
        events.append(Rejected(president, chancellor))
        _election_failed(new, events, chance)
    return freeze(new), tuple(events)


def _elected(
    new: Draft, events: list[Event], president: int, chancellor: int, chance: Chance
) -> None:
    options = new.setup.options
    events.append(Elected(president, chancellor))
    armed = new.fascist >= options.hitler_zone
    if armed and new.setup.roles[chancellor] is Role.HITLER:
        _over(new, events, Party.FASCIST, Ending.HITLER_ELECTED)
        return
    new.president = president
    new.chancellor = chancellor
    if options.limited is Limited.ELECTED:
        _take_term(new)
    if options.tracker_resets_on is TrackerReset.ELECTION:
        _reset_tracker(new, events)
    if armed:
        if chancellor not in new.cleared:
            new.cleared = (*new.cleared, chancellor)
        events.append(NotHitler(chancellor))
    _shuffle_if_under(CARDS_DRAWN, new, events, chance)
    new.hand = new.draw[:CARDS_DRAWN]
    new.draw = new.draw[CARDS_DRAWN:]
    new.phase = Phase.PRESIDENT_DISCARDS


def _election_failed(new: Draft, events: list[Event], chance: Chance) -> None:
    """Advance the tracker after a rejected government or a veto; at three the result is chaos."""
    new.tracker += 1
    events.append(Tracker(new.tracker))
    # A veto ends a session, so the reshuffle at the end of a session comes before a possible chaos.
    _shuffle_at_session_end(new, events, chance)
    if new.tracker == FAILED_ELECTIONS_TO_CHAOS:
        _chaos(new, events, chance)
        if new.outcome is not None:
            return
    _next_round(new, events)


def _shuffle_at_session_end(new: Draft, events: list[Event], chance: Chance) -> None:
    in_session = new.president is not None
    if in_session and new.setup.options.reshuffle is not Reshuffle.BEFORE_DRAW:
        _shuffle_if_under(CARDS_DRAWN, new, events, chance)


def _chaos(new: Draft, events: list[Event], chance: Chance) -> None:
    # Chaos takes the top tile of what is left, and reshuffles first only if the pile is empty.
    _shuffle_if_under(1, new, events, chance)
    policy = new.draw[0]
    new.draw = new.draw[1:]
    _place(new, events, policy, "chaos")
    if new.outcome is not None:
        return
    new.tracker = 0
    events.append(Tracker(0))
    new.term = None
    if new.setup.options.reshuffle is Reshuffle.SESSION_END_AND_CHAOS:
        _shuffle_if_under(CARDS_DRAWN, new, events, chance)


def _discard(state: GameState, action: Discard, chance: Chance) -> Step:
    new = draft_of(state)
    hand = list(state.hand)
    hand.remove(action.policy)
    # Pass the two on in a fixed order: their order in the draw would hint at the discarded one.
    if hand[0] is Policy.FASCIST:
        hand.reverse()
    new.hand = tuple(hand)
    new.discards = (*state.discards, action.policy)
    assert state.chancellor is not None
    new.knowledge = (
        *state.knowledge,
        Drawn(state.round, action.seat, state.hand, action.policy),
        Received(state.round, state.chancellor, new.hand),
    )
    new.phase = Phase.CHANCELLOR_ENACTS
    return freeze(new), _NO_EVENTS


def _enact(state: GameState, action: Enact, chance: Chance) -> Step:
    new = draft_of(state)
    events: list[Event] = []
    policy = action.policy
    other = state.hand[1] if state.hand[0] is policy else state.hand[0]
    new.hand = ()
    new.discards = (*state.discards, other)
    _record_government(new, policy)
    _place(new, events, policy, "government")
    if new.outcome is not None:
        return freeze(new), tuple(events)
    options = new.setup.options
    if options.limited is Limited.ENACTORS:
        _take_term(new)
    # Under `election` the election has reset the tracker already, so this has an effect only under
    # `policy`.
    _reset_tracker(new, events)
    _shuffle_at_session_end(new, events, chance)
    power = new.setup.powers[new.fascist - 1] if policy is Policy.FASCIST else None
    if power is None:
        _next_round(new, events)
    else:
        new.phase = power
    return freeze(new), tuple(events)


def _propose_veto(state: GameState, action: ProposeVeto, chance: Chance) -> Step:
    new = draft_of(state)
    new.phase = Phase.VETO_PROPOSED
    return freeze(new), _NO_EVENTS


def _answer_veto(state: GameState, action: AnswerVeto, chance: Chance) -> Step:
    new = draft_of(state)
    events: list[Event] = [Veto(action.consent)]
    if not action.consent:
        new.veto_refused = True
        new.phase = Phase.CHANCELLOR_ENACTS
        return freeze(new), tuple(events)
    new.discards = (*state.discards, *state.hand)
    new.hand = ()
    _record_government(new, None)
    if new.setup.options.veto_advances_tracker:
        _election_failed(new, events, chance)
    else:
        _shuffle_at_session_end(new, events, chance)
        _next_round(new, events)
    return freeze(new), tuple(events)


def _use_power(state: GameState, action: UsePower, chance: Chance) -> Step:
    new = draft_of(state)
    events: list[Event] = []
    entry = POWERS[POWER_OF_ACTION[type(action)]]
    _shuffle_if_under(entry.cards, new, events, chance)
    used = entry.effect(new, action)
    events.append(used.event)
    if new.setup.roles.index(Role.HITLER) not in new.alive:
        _over(new, events, Party.LIBERAL, Ending.HITLER_EXECUTED)
    elif used.candidate is not None:
        _begin_round(new, events, used.candidate)
    else:
        _next_round(new, events)
    return freeze(new), tuple(events)


def _place(new: Draft, events: list[Event], policy: Policy, by: str) -> None:
    """Place a policy on its track; a full track ends the game."""
    events.append(Enacted(policy, by))
    if policy is Policy.LIBERAL:
        new.liberal += 1
        if new.liberal == LIBERAL_POLICIES_TO_WIN:
            _over(new, events, Party.LIBERAL, Ending.LIBERAL_POLICIES)
    elif policy is Policy.FASCIST:
        new.fascist += 1
        if new.fascist == FASCIST_POLICIES_TO_WIN:
            _over(new, events, Party.FASCIST, Ending.FASCIST_POLICIES)
    else:
        assert_never(policy)


def _over(new: Draft, events: list[Event], winner: Party, ending: Ending) -> None:
    new.phase = Phase.OVER
    new.outcome = Outcome(winner, ending)
    new.candidate = new.nominee = new.president = new.chancellor = None
    events.append(Over(winner, ending))


def _take_term(new: Draft) -> None:
    assert new.president is not None and new.chancellor is not None
    new.term = (new.president, new.chancellor)
    new.term_round = new.round


def _reset_tracker(new: Draft, events: list[Event]) -> None:
    if new.tracker:
        new.tracker = 0
        events.append(Tracker(0))


def _record_government(new: Draft, policy: Policy | None) -> None:
    assert new.president is not None and new.chancellor is not None
    new.governments = (
        *new.governments,
        Government(new.round, new.president, new.chancellor, new.ballots, policy),
    )


def _shuffle_if_under(least: int, new: Draft, events: list[Event], chance: Chance) -> None:
    if len(new.draw) >= least:
        return
    new.shuffles += 1
    new.draw = chance.reshuffle(new.shuffles, new.draw + new.discards)
    new.discards = ()
    events.append(Shuffled(len(new.draw)))


def _next_round(new: Draft, events: list[Event]) -> None:
    """Pass the candidacy to the next living seat; after a special election, next to the caller."""
    alive = new.alive
    players = len(new.setup.roles)
    seat = (new.rotation + 1) % players
    while seat not in alive:
        seat = (seat + 1) % players
    new.rotation = seat
    _begin_round(new, events, seat)


def _begin_round(new: Draft, events: list[Event], candidate: int) -> None:
    new.round += 1
    new.phase = Phase.NOMINATION
    new.candidate = candidate
    new.nominee = new.president = new.chancellor = None
    new.veto_refused = False
    new.limited = _limited(new)
    events.append(Candidate(candidate))
    # RULES.md, decision 9: under every mix of options a candidate has at least one eligible
    # Chancellor.
    assert len(new.alive) > len({candidate, *new.limited})


def _limited(new: Draft) -> tuple[int, ...]:
    """Return the living seats that may not be nominated in the round that begins."""
    term = new.term
    options = new.setup.options
    if term is None or (options.limits_lapse and new.term_round != new.round - 1):
        return ()
    if options.small_table is SmallTable.ALIVE:
        small = len(new.alive) <= 5
    elif options.small_table is SmallTable.STARTED:
        small = len(new.setup.roles) == 5
    else:
        assert_never(options.small_table)
    seats = term[1:] if small else term
    return tuple(sorted(seat for seat in seats if seat in new.alive))


_HANDLERS: Final[dict[type[Action], Callable[[GameState, Any, Chance], Step]]] = {
    Nominate: _nominate,
    Vote: _vote,
    Discard: _discard,
    Enact: _enact,
    ProposeVeto: _propose_veto,
    AnswerVeto: _answer_veto,
    **dict.fromkeys(POWER_OF_ACTION, _use_power),
}
