"""A detective who tells fascist bots from what a game shows in public.

The detective has the bots' own code and weights and all that was public, and nothing hidden. For
every assignment of roles it asks how likely the bots would have been to do what each seat did: its
nominations, ballots, targets and claims, and what its governments enacted. The bots' own choices
give the probabilities (`distribution.py`), so the detective knows every trait that
the bots show.

What a seat would have seen is reckoned as well:
- Hands are summed over. For each assignment the detective keeps the distribution of liberal
  policies in the draw pile, and draws from it without replacement. That is exact, but that a peek
  (with five or six players) is not held against the next hand.
- A liberal acts by what it saw earlier. Where claims do not settle that, the detective goes through
  the hands of each seat on its own, though a President and a Chancellor have seen the same one.
- Bots who play fascists do not look at their own earlier hands, so the detective leaves them out.
With `reasoner`, whose liberals claim the truth, all of this is exact.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import exp, log
from typing import Any, Final

from games import bots
from games.bots.registry import Kind
from games.inference.assignments import NAMES, assignments
from games.inference.deck import draw_odds
from games.rules.actions import (
    ANSWERS,
    DISCARD,
    ENACT,
    NOMINATE,
    PROPOSE_VETO,
    USE_POWER,
    VOTES,
    Action,
)
from games.rules.claims import Sight, Told, agrees
from games.rules.components import (
    CARDS_DRAWN,
    FASCIST_POLICIES_ARM_HITLER,
    LIBERAL_POLICIES,
    POLICIES,
    Ballot,
    Party,
    Policy,
    Role,
)
from games.rules.editions import Options, options_of
from games.rules.events import Ballots, Enacted, Event, Nominated, NotHitler, Shuffled, Veto
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received
from games.rules.night import hitler_looks
from games.rules.phases import Phase
from games.rules.powers import POWERS, Power, PowerUsed, PowerUsedOn, power_of, target_of
from games.rules.record import Record
from games.rules.view import View
from games.simulation.games import both, play_game

from .distribution import distribution

# What the bots hold for impossible is very unlikely: the detective may have overlooked something.
LEAST: Final = 1e-9
# Worlds of a seat that are less likely than this are forgotten.
_FORGOTTEN: Final = 1e-4

NOMINATIONS: Final = "nominations"
NOMINATIONS_ARMED: Final = "nominations, armed"
BALLOTS: Final = "ballots"
BALLOTS_ARMED: Final = "ballots, armed"
OWN_BALLOTS: Final = "ballots of the officers"
POLICIES_KIND: Final = "policies"
CLAIMS: Final = "claims of hands"
REPORTS: Final = "claims of parties"
POWERS_KINDS: Final = {power: f"power: {power}" for power in Power}
EVIDENCE: Final = (
    NOMINATIONS,
    NOMINATIONS_ARMED,
    BALLOTS,
    BALLOTS_ARMED,
    OWN_BALLOTS,
    POLICIES_KIND,
    CLAIMS,
    REPORTS,
    *POWERS_KINDS.values(),
)


# A game, as the public saw it ----------------------------------------------------------------


@dataclass
class Watched:
    """A finished game, and what was claimed when: the number of actions before, and the claim."""

    record: Record
    claims: list[tuple[int, Sight, Knowledge | None]] = field(default_factory=list)


def watched_game(kind: str, options: Options, players: int, seed: str, number: int) -> Watched:
    """Play a game of one kind of bot, and take down its claims."""
    _watch.kind, _watch.said = bots.kind_named(kind), []
    if _WATCHED.name not in bots.names():
        bots.register(_WATCHED)
    game = play_game(options, players, seed, number, both(_WATCHED.name))
    return Watched(game.record("en"), _watch.said)


class _Watch:
    """The kind that plays now, and its claims: `play_game` finds bots by a name alone."""

    kind: Kind
    said: list[tuple[int, Sight, Knowledge | None]]


_watch: Final = _Watch()


def _choose(view: View, heard: bots.Heard, below: bots.Below) -> Action:
    return _watch.kind.choose(view, heard, below)


def _claim(view: View, heard: bots.Heard, sight: Sight, below: bots.Below) -> Knowledge | None:
    if _watch.kind.claim is None:
        return None
    said = _watch.kind.claim(view, heard, sight, below)
    _watch.said.append((len(heard.told), sight, said))
    return said


_WATCHED: Final = Kind(name="watched", label="", choose=_choose, claim=_claim)


# The detective -------------------------------------------------------------------------------

Roles = tuple[Role | None, ...]
World = tuple[Knowledge, ...]
# A hand, and what a President did with it: liberal policies drawn, and the discarded one.
Hand = tuple[int, Policy]

HANDS: Final[tuple[Hand, ...]] = tuple(
    (drawn, policy)
    for drawn in range(CARDS_DRAWN + 1)
    for policy in Policy
    if (drawn if policy is Policy.LIBERAL else CARDS_DRAWN - drawn)
)


class _Memory(dict[Any, Any]):
    """The memory of one seat's bot under one assumption. What is not of a seat is shared."""

    def __init__(self, shared: dict[Any, Any]) -> None:
        self._shared = shared

    def get(self, key: Any, default: Any = None) -> Any:
        return self._shared.get(key, default) if isinstance(key, str) else super().get(key, default)

    def __getitem__(self, key: Any) -> Any:
        return self._shared[key] if isinstance(key, str) else super().__getitem__(key)

    def __contains__(self, key: Any) -> bool:
        return key in self._shared if isinstance(key, str) else super().__contains__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            self._shared[key] = value
        else:
            super().__setitem__(key, value)


class _Hypothesis:
    """One assignment of roles, and all that is reckoned under it."""

    def __init__(self, roles: tuple[Role, ...]) -> None:
        self.roles = roles
        self.known = tuple(_known(roles, seat) for seat in range(len(roles)))
        self.is_possible = True
        self.logs = dict.fromkeys(EVIDENCE, 0.0)
        # By seat, what it may have seen, and how likely that is.
        self.worlds: list[dict[World, float]] = [{(): 1.0} for _ in roles]
        # How likely the draw pile has so many liberal policies: by all evidence, and without the
        # claims.
        self.pile = [float(n == LIBERAL_POLICIES) for n in range(LIBERAL_POLICIES + 1)]
        self.plain_pile = list(self.pile)

    def likeliest_world(self, seat: int) -> World:
        worlds = self.worlds[seat]
        return max(worlds, key=lambda world: worlds[world])

    def add(self, evidence: str, p: float) -> None:
        self.logs[evidence] += log(max(p, LEAST))


def _known(roles: tuple[Role, ...], seat: int) -> Roles:
    """Return the roles that a seat knows from the first night under this assignment."""
    own = roles[seat]
    sees = own is Role.FASCIST or (
        own is Role.HITLER and hitler_looks(options_of("en"), len(roles))
    )
    return tuple(
        role if other == seat or (sees and role is not Role.LIBERAL) else None
        for other, role in enumerate(roles)
    )


class Detective:
    """Follows a game of one kind of bot from its public side."""

    def __init__(self, kind: str, players: int) -> None:
        self._kind = bots.kind_named(kind)
        self.hypotheses = [
            _Hypothesis(tuple(NAMES[code] for code in codes)) for codes in assignments(players)
        ]
        self._told: list[Told] = []
        self._claims: list[Knowledge] = []
        self._shared: dict[Any, Any] = {}
        self._heard: dict[tuple[int, Roles, World], bots.Heard] = {}
        self._cards = POLICIES
        self._liberal = 0
        # What the officers of the running session did in public, and where the President discarded.
        self._discards_at: View | None = None
        self._acts: list[tuple[View, Action]] = []
        self._act_shares: dict[Any, float] = {}

    # The course of the game ---------------------------------------------------------------

    def advance(
        self,
        before: View,
        legal: Sequence[Action],
        told: Told,
        after: View,
        claims: Sequence[tuple[Sight, Knowledge | None]],
    ) -> None:
        """Take the next action. `legal` has what its seat could do, if that is public."""
        number, seat, events = told
        match before.phase:
            case Phase.ELECTION:
                for event in events:
                    if isinstance(event, Ballots):
                        self._voted(before, event)
            case Phase.NOMINATION:
                [event] = [event for event in events if isinstance(event, Nominated)]
                action = NOMINATE[seat][event.chancellor]
                evidence = NOMINATIONS_ARMED if _is_armed(before) else NOMINATIONS
                self._acted(evidence, seat, before, legal, action)
            case Phase.PRESIDENT_DISCARDS:
                self._discards_at, self._acts = before, []
            case Phase.CHANCELLOR_ENACTS:
                enacted = next((event for event in events if isinstance(event, Enacted)), None)
                act = PROPOSE_VETO[seat] if enacted is None else ENACT[seat][enacted.policy]
                self._acts.append((before, act))
            case Phase.VETO_PROPOSED:
                veto = next(event for event in events if isinstance(event, Veto))
                self._acts.append((before, ANSWERS[seat][0 if veto.consent else 1]))
            case Power():
                used = next(event for event in events if isinstance(event, PowerUsed))
                target = target_of(used)
                if target is not None:
                    use = USE_POWER[before.phase][seat][target]
                    self._acted(POWERS_KINDS[before.phase], seat, before, legal, use)
            case _:
                raise AssertionError(before.phase)
        self._told.append(told)
        for event in events:
            self._learn(event, number, seat, after, claims)

    def _learn(
        self,
        event: Event,
        number: int,
        seat: int,
        after: View,
        claims: Sequence[tuple[Sight, Knowledge | None]],
    ) -> None:
        match event:
            case Enacted(by="government") | Veto(consent=True):
                if isinstance(event, Enacted):
                    self._liberal += event.policy is Policy.LIBERAL
                self._session(number, after, claims)
            case Enacted():
                self._chaos(event.policy)
            case Shuffled():
                self._cards = event.draw
                for each in self.hypotheses:
                    left = LIBERAL_POLICIES - self._liberal
                    each.pile = [float(n == left) for n in range(LIBERAL_POLICIES + 1)]
                    each.plain_pile = list(each.pile)
            case NotHitler():
                self._not_hitler(event.seat)
            case PowerUsedOn():
                power = power_of(event)
                if POWERS[power].shows is PartySeen:
                    self._investigated(number, seat, event.target, after, claims)
                elif power is Power.EXECUTION:
                    self._not_hitler(event.target)
            case PowerUsed():
                self._peeked(claims)

    def _not_hitler(self, seat: int) -> None:
        for each in self._possible():
            each.is_possible = each.roles[seat] is not Role.HITLER

    def _possible(self) -> Iterator[_Hypothesis]:
        return (each for each in self.hypotheses if each.is_possible)

    # What a bot would do ------------------------------------------------------------------

    def _as_seen(
        self,
        view: View,
        seat: int,
        known: Roles,
        world: World,
        legal: Sequence[Action] = (),
        hand: tuple[Policy, ...] | None = None,
    ) -> View:
        """Return the view of a seat that knows these roles and has seen this."""
        parties: list[Party | None] = [None if role is None else role.party for role in known]
        for item in world:
            if isinstance(item, PartySeen):
                parties[item.target] = item.party
        return replace(
            view,
            viewer=seat,
            role=known[seat],
            roles=known,
            parties=tuple(parties),
            hand=hand,
            knowledge=world,
            legal=tuple(legal),
        )

    def _hears(self, seat: int, known: Roles, world: World) -> bots.Heard:
        key = seat, known, world
        if key not in self._heard:
            self._heard[key] = self._hears_once()
        return self._heard[key]

    def _hears_once(self) -> bots.Heard:
        return bots.Heard(self._told, self._claims, memory=_Memory(self._shared))

    def _probability(self, view: View, heard: bots.Heard, action: Action) -> float:
        if action not in view.legal:
            return 0.0
        if len(view.legal) == 1:
            return 1.0
        return distribution(partial(self._kind.choose, view, heard)).get(action, 0.0)

    def _acted(
        self, evidence: str, seat: int, view: View, legal: Sequence[Action], action: Action
    ) -> None:
        """Count an action that everyone saw, by what its seat may have seen before."""
        found: dict[tuple[Roles, World], float] = {}
        for each in self._possible():
            known, worlds = each.known[seat], each.worlds[seat]
            new = {}
            for world, weight in worlds.items():
                key = known, world
                if key not in found:
                    seen = self._as_seen(view, seat, known, world, legal)
                    found[key] = self._probability(seen, self._hears(seat, known, world), action)
                new[world] = weight * found[key]
            total = sum(new.values())
            each.add(evidence, total)
            if total > LEAST:
                each.worlds[seat] = {world: weight / total for world, weight in new.items()}

    def _voted(self, view: View, event: Ballots) -> None:
        for seat, ballot in enumerate(event.ballots):
            if ballot is None:
                continue
            if seat in (view.candidate, view.nominee):
                evidence = OWN_BALLOTS
            else:
                evidence = BALLOTS_ARMED if _is_armed(view) else BALLOTS
            action = VOTES[seat][0 if ballot is Ballot.JA else 1]
            self._acted(evidence, seat, view, VOTES[seat], action)

    # Sessions -----------------------------------------------------------------------------

    def _session(
        self, number: int, after: View, claims: Sequence[tuple[Sight, Knowledge | None]]
    ) -> None:
        """Count what a government did, and what its officers claim."""
        assert self._discards_at is not None
        president, chancellor = self._discards_at.president, self._discards_at.chancellor
        assert president is not None and chancellor is not None
        acted = _by_key(lambda *key: self._session_shares(number, *key))
        by_key: dict[Any, dict[Hand, float]] = {}
        for each in self._possible():
            key = _session_key(each, president, chancellor)
            by_key[key] = acted(*key)
        said: dict[Any, dict[Hand, float]] = {key: dict.fromkeys(HANDS, 1.0) for key in by_key}
        for sight, claim in claims:
            place = 0 if sight.seat == president else 1
            shares = _by_key(
                lambda known, world, hand, sight=sight, claim=claim: self._claim_share(
                    after, sight, claim, known, world, _seen_in(number, sight.seat, hand, sight)
                )
            )
            for key, by_hand in said.items():
                known, world = key[place]
                for hand in HANDS:
                    if by_key[key][hand]:
                        by_hand[hand] *= shares(known, world, hand)
            if claim is not None:
                self._claims.append(claim)
        for each in self._possible():
            key = _session_key(each, president, chancellor)
            both_shares = {hand: by_key[key][hand] * said[key][hand] for hand in HANDS}
            plain, each.plain_pile, _ = self._drawn(each.plain_pile, by_key[key])
            full, each.pile, odds = self._drawn(each.pile, both_shares)
            each.add(POLICIES_KIND, plain)
            each.logs[CLAIMS] += log(max(full, LEAST)) - log(max(plain, LEAST))
            for seat, form in ((president, Drawn), (chancellor, Received)):
                if each.roles[seat] is Role.LIBERAL and odds:
                    self._saw(each, number, seat, form, odds)
        self._cards -= CARDS_DRAWN

    def _drawn(
        self, pile: Sequence[float], shares: Mapping[Hand, float]
    ) -> tuple[float, list[float], dict[Hand, float]]:
        """Return how likely a session is, the pile after it, and how likely each hand was."""
        left = [0.0] * len(pile)
        odds = dict.fromkeys(HANDS, 0.0)
        for liberal, p in enumerate(pile):
            if not p:
                continue
            draws = draw_odds(self._cards, liberal)
            for hand in HANDS:
                weight = p * draws[hand[0]] * shares[hand]
                if weight:
                    odds[hand] += weight
                    left[liberal - hand[0]] += weight
        total = sum(left)
        if total <= 0:
            return 0.0, list(pile), {}
        return (
            total,
            [weight / total for weight in left],
            {hand: weight / total for hand, weight in odds.items() if weight},
        )

    def _saw(
        self,
        each: _Hypothesis,
        number: int,
        seat: int,
        form: type[Drawn] | type[Received],
        odds: Mapping[Hand, float],
    ) -> None:
        new: dict[World, float] = {}
        for world, weight in each.worlds[seat].items():
            for hand, p in odds.items():
                seen = _drawn_by if form is Drawn else _received_by
                longer = (*world, seen(number, seat, hand))
                new[longer] = new.get(longer, 0.0) + weight * p
        likely = {world: weight for world, weight in new.items() if weight > _FORGOTTEN}
        total = sum(likely.values())
        each.worlds[seat] = {world: weight / total for world, weight in likely.items()}

    def _session_shares(
        self, number: int, first: tuple[Roles, World], second: tuple[Roles, World]
    ) -> dict[Hand, float]:
        """Return by hand how likely the officers did what everyone saw, and this was discarded."""
        at = self._discards_at
        assert at is not None and at.president is not None and at.chancellor is not None
        officers = {at.president: first, at.chancellor: second}
        shares = {}
        for hand in HANDS:
            drawn, discarded = hand
            cards = _cards(CARDS_DRAWN, drawn)
            p = self._act_share(
                at, DISCARD[at.president][discarded], officers[at.president], (), cards
            )
            for view, action in self._acts:
                if not p:
                    break
                seat = action.seat
                seen = _drawn_by if seat == at.president else _received_by
                own = (seen(number, seat, hand),)
                passed = _passed(hand) if seat == at.chancellor else None
                p *= self._act_share(view, action, officers[seat], own, passed)
            shares[hand] = p
        return shares

    def _act_share(
        self,
        view: View,
        action: Action,
        officer: tuple[Roles, World],
        own: World,
        cards: tuple[Policy, ...] | None,
    ) -> float:
        key = view.decision, action, officer, own, cards
        found: float | None = self._act_shares.get(key)
        if found is None:
            known, world = officer
            legal = _legal_with(view, action.seat, cards)
            seen = self._as_seen(view, action.seat, known, (*world, *own), legal, cards)
            found = self._probability(seen, self._hears_once(), action)
            self._act_shares[key] = found
        return found

    def _claim_share(
        self,
        view: View,
        sight: Sight,
        claim: Knowledge | None,
        known: Roles,
        world: World,
        truth: Knowledge,
    ) -> float:
        """Return how likely a seat makes this claim (None for silence) if this is the truth."""
        says = self._kind.claim
        if says is None:
            return 1.0
        seen = self._as_seen(view, sight.seat, known, (*world, truth))
        heard = self._hears_once()
        shares = distribution(lambda below: says(seen, heard, sight, below))
        return sum(
            p
            for said, p in shares.items()
            if (said is None and claim is None)
            or (said is not None and claim is not None and agrees(said, claim))
        )

    def _chaos(self, policy: Policy) -> None:
        liberal = policy is Policy.LIBERAL
        self._liberal += liberal
        for each in self._possible():
            plain, each.plain_pile = _after_top(each.plain_pile, self._cards, liberal)
            full, each.pile = _after_top(each.pile, self._cards, liberal)
            each.add(POLICIES_KIND, plain)
            each.logs[CLAIMS] += log(max(full, LEAST)) - log(max(plain, LEAST))
        self._cards -= 1

    # Looks --------------------------------------------------------------------------------

    def _investigated(
        self,
        number: int,
        seat: int,
        target: int,
        after: View,
        claims: Sequence[tuple[Sight, Knowledge | None]],
    ) -> None:
        for each in self._possible():
            seen = PartySeen(number, seat, target, each.roles[target].party)
            each.worlds[seat] = {(*world, seen): w for world, w in each.worlds[seat].items()}
        for sight, claim in claims:
            shares = _by_key(
                lambda known, world, truth, sight=sight, claim=claim: self._claim_share(
                    after, sight, claim, known, world, truth
                )
            )
            for each in self._possible():
                *world, truth = each.likeliest_world(seat)
                each.add(REPORTS, shares(each.known[seat], tuple(world), truth))
            if claim is not None:
                self._claims.append(claim)

    def _peeked(self, claims: Sequence[tuple[Sight, Knowledge | None]]) -> None:
        """Note a claimed peek, which is what a liberal saw."""
        for sight, claim in claims:
            if claim is None:
                continue
            self._claims.append(claim)
            for each in self._possible():
                if each.roles[sight.seat] is Role.LIBERAL:
                    worlds = each.worlds[sight.seat]
                    each.worlds[sight.seat] = {(*world, claim): w for world, w in worlds.items()}

    # The verdict --------------------------------------------------------------------------

    def posterior(self, evidence: Sequence[str]) -> list[float]:
        """Return the probability of each assignment by these kinds of evidence."""
        scores = [
            sum(each.logs[kind] for kind in evidence) if each.is_possible else None
            for each in self.hypotheses
        ]
        most = max(score for score in scores if score is not None)
        weights = [0.0 if score is None else exp(score - most) for score in scores]
        total = sum(weights)
        return [weight / total for weight in weights]

    def fascist(self, posterior: Sequence[float]) -> list[float]:
        """Return by seat the probability of being in the fascist party."""
        return [
            sum(
                p
                for p, each in zip(posterior, self.hypotheses, strict=True)
                if each.roles[seat] is not Role.LIBERAL
            )
            for seat in range(len(self.hypotheses[0].roles))
        ]


def _by_key(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with a memory."""
    found: dict[Any, Any] = {}

    def remembered(*key: Any) -> Any:
        if key not in found:
            found[key] = compute(*key)
        return found[key]

    return remembered


def _session_key(each: _Hypothesis, president: int, chancellor: int) -> Any:
    return tuple((each.known[seat], each.likeliest_world(seat)) for seat in (president, chancellor))


def _is_armed(view: View) -> bool:
    return view.fascist >= FASCIST_POLICIES_ARM_HITLER


def _cards(count: int, liberal: int) -> tuple[Policy, ...]:
    return (Policy.LIBERAL,) * liberal + (Policy.FASCIST,) * (count - liberal)


def _passed(hand: Hand) -> tuple[Policy, ...]:
    drawn, discarded = hand
    return _cards(CARDS_DRAWN - 1, drawn - (discarded is Policy.LIBERAL))


def _drawn_by(number: int, seat: int, hand: Hand) -> Knowledge:
    return Drawn(number, seat, _cards(CARDS_DRAWN, hand[0]), hand[1])


def _received_by(number: int, seat: int, hand: Hand) -> Knowledge:
    return Received(number, seat, _passed(hand))


def _seen_in(number: int, seat: int, hand: Hand, sight: Sight) -> Knowledge:
    seen = _drawn_by if sight.about == "drawn" else _received_by
    return seen(number, seat, hand)


def _legal_with(view: View, seat: int, cards: tuple[Policy, ...] | None) -> tuple[Action, ...]:
    """Return what an officer with these cards may do, in the order of the rules."""
    if view.phase is Phase.VETO_PROPOSED:
        return ANSWERS[seat]
    assert cards is not None
    row = DISCARD[seat] if view.phase is Phase.PRESIDENT_DISCARDS else ENACT[seat]
    found: list[Action] = [row[policy] for policy in Policy if policy in cards]
    vetoes = view.phase is Phase.CHANCELLOR_ENACTS and view.veto_unlocked and not view.veto_refused
    return (*found, PROPOSE_VETO[seat]) if vetoes else tuple(found)


def _after_top(pile: Sequence[float], cards: int, liberal: bool) -> tuple[float, list[float]]:
    left = [0.0] * len(pile)
    for number, p in enumerate(pile):
        if liberal and number:
            left[number - 1] += p * number / cards
        elif not liberal:
            left[number] += p * max(0, cards - number) / cards
    total = sum(left)
    return (total, [p / total for p in left]) if total > 0 else (0.0, list(pile))
