"""A second, naive implementation of RULES.md and RECORD.md that uses only JSON values.

This module uses nothing of the engine. Where the engine carries a value along, it looks back
over the whole history of the game, which is slow. `test_machine` plays both and compares them.
"""

from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

POWERS = {
    5: {3: "peek", 4: "execution", 5: "execution"},
    7: {2: "investigation", 3: "special_election", 4: "execution", 5: "execution"},
    9: {
        1: "investigation",
        2: "investigation",
        3: "special_election",
        4: "execution",
        5: "execution",
    },
}
PHASE_OF = {
    "nominate": "nomination",
    "vote": "election",
    "discard": "president_discards",
    "enact": "chancellor_enacts",
    "propose_veto": "chancellor_enacts",
    "answer_veto": "veto_proposed",
    "investigate": "investigation",
    "call_special_election": "special_election",
    "peek": "peek",
    "execute": "execution",
}


class Reader:
    def __init__(
        self,
        options: Json,
        roles: list[str],
        pile: list[str],
        first: int,
        shuffle: Callable[[int, list[str]], list[str]],
    ) -> None:
        self.options = options
        self.roles = roles
        self.draw = list(pile)
        self.shuffle = shuffle
        self.shuffles = 0
        self.discards: list[str] = []
        self.hand: list[str] = []
        self.dead: list[int] = []
        self.investigated: list[int] = []
        self.track = {"liberal": options["liberal_start"], "fascist": options["fascist_start"]}
        self.tracker = 0
        self.phase = "nomination"
        self.candidate: int | None = first
        self.nominee: int | None = None
        self.president: int | None = None
        self.chancellor: int | None = None
        self.turn_of = first  # The seat whose regular turn it is, ignoring special elections.
        self.ballots: dict[int, str] = {}
        self.refused = False
        self.over: tuple[str, str] | None = None
        # One dict per round: "elected" (the government), "enacted" (by it), "chaos".
        self.rounds: list[Json] = [{}]
        self.limited: list[int] = []
        self.after = 0
        self.events: list[Json] = []

    # Legality ------------------------------------------------------------------------------

    @property
    def alive(self) -> list[int]:
        return [seat for seat in range(len(self.roles)) if seat not in self.dead]

    @property
    def eligible(self) -> list[int]:
        if self.phase != "nomination":
            return []
        return [s for s in self.alive if s != self.candidate and s not in self.limited]

    @property
    def to_act(self) -> list[int]:
        if self.phase == "over":
            return []
        if self.phase == "election":
            return [seat for seat in self.alive if seat not in self.ballots]
        if self.phase == "nomination":
            return [self.candidate]  # type: ignore[list-item]
        return [self.chancellor if self.phase == "chancellor_enacts" else self.president]  # type: ignore[list-item]

    def allows(self, action: Json) -> bool:
        kind, seat = action["action"], action["seat"]
        if self.over or PHASE_OF[kind] != self.phase or seat not in self.alive:
            return False
        if kind == "vote":
            return True
        if [seat] != self.to_act:
            return False
        if "target" in action:
            target = action["target"]
            if target not in self.alive or target == seat:
                return False
            if kind == "nominate":
                return target in self.eligible
            return kind != "investigate" or target not in self.investigated
        if "policy" in action:
            return action["policy"] in self.hand
        if kind == "propose_veto":
            return self.track["fascist"] >= self.options["veto_zone"] and not self.refused
        return True

    # Actions -------------------------------------------------------------------------------

    def play(self, action: Json) -> None:
        assert self.allows(action)
        self.after += 1
        self.events = []
        getattr(self, "_" + action["action"])(action)

    def tell(self, event: str, **keys: Any) -> None:
        self.events.append({"event": event, **keys})

    def _nominate(self, action: Json) -> None:
        self.nominee = action["target"]
        self.ballots = {}
        self.phase = "election"
        self.tell("nominated", president=self.candidate, chancellor=self.nominee)

    def _vote(self, action: Json) -> None:
        self.ballots[action["seat"]] = action["ballot"]
        if self.to_act:
            return
        self.tell("ballots", ballots=[self.ballots.get(s) for s in range(len(self.roles))])
        pair = {"president": self.candidate, "chancellor": self.nominee}
        ja = list(self.ballots.values()).count("ja")
        nein = list(self.ballots.values()).count("nein")
        if ja <= nein:
            self.tell("rejected", **pair)
            self.candidate = self.nominee = None
            self._advance_tracker()
            if self.tracker == 3:
                self._chaos()
            self._new_round()
            return
        self.tell("elected", **pair)
        self.president, self.chancellor = self.candidate, self.nominee
        self.candidate = self.nominee = None
        self.rounds[-1]["elected"] = [self.president, self.chancellor]
        checked = self.track["fascist"] >= self.options["hitler_zone"]
        if checked and self.roles[self.chancellor] == "hitler":  # type: ignore[index]
            self._win("fascist", "hitler_elected")
            return
        if self.options["tracker_resets_on"] == "election":
            self._reset_tracker()
        if checked:
            self.tell("not_hitler", seat=self.chancellor)
        self._shuffle_under(3)
        self.hand = [self.draw.pop(0), self.draw.pop(0), self.draw.pop(0)]
        self.phase = "president_discards"

    def _discard(self, action: Json) -> None:
        self.hand.remove(action["policy"])
        self.discards.append(action["policy"])
        self.phase = "chancellor_enacts"

    def _enact(self, action: Json) -> None:
        self.hand.remove(action["policy"])
        self.discards += self.hand
        self.hand = []
        self.rounds[-1]["enacted"] = True
        self._lay(action["policy"], "government")
        if self.over:
            return
        if self.options["tracker_resets_on"] == "policy":
            self._reset_tracker()
        self._session_ends()
        began = len(self.roles)
        power = None
        if action["policy"] == "fascist":
            space = self.track["fascist"]
            power = POWERS[began if began % 2 else began - 1].get(space)
            power = self.options.get(f"power_{space}") or power
        if power and power != "none":
            self.phase = power
        else:
            self._new_round()

    def _propose_veto(self, action: Json) -> None:
        self.phase = "veto_proposed"

    def _answer_veto(self, action: Json) -> None:
        self.tell("veto", consent=action["consent"])
        if not action["consent"]:
            self.refused = True
            self.phase = "chancellor_enacts"
            return
        self.discards += self.hand
        self.hand = []
        if self.options["veto_advances_tracker"]:
            self._advance_tracker()
        self._session_ends()
        if self.tracker == 3:
            self._chaos()
        self._new_round()

    def _investigate(self, action: Json) -> None:
        target = action["target"]
        self.investigated.append(target)
        party = "liberal" if self.roles[target] == "liberal" else "fascist"
        self.tell("investigated", target=target, party=party)
        self._new_round()

    def _call_special_election(self, action: Json) -> None:
        self.tell("special_election", target=action["target"])
        self._new_round(called=action["target"])

    def _peek(self, action: Json) -> None:
        self._shuffle_under(3)
        self.tell("peeked", policies=self.draw[:3])
        self._new_round()

    def _execute(self, action: Json) -> None:
        self.tell("executed", target=action["target"])
        self.dead.append(action["target"])
        if self.roles[action["target"]] == "hitler":
            self._win("liberal", "hitler_executed")
        self._new_round()

    # Shared steps --------------------------------------------------------------------------

    def _lay(self, policy: str, by: str) -> None:
        self.tell("enacted", policy=policy, by=by)
        self.track[policy] += 1
        if self.track["liberal"] == 5:
            self._win("liberal", "liberal_policies")
        if self.track["fascist"] == 6:
            self._win("fascist", "fascist_policies")

    def _win(self, winner: str, ending: str) -> None:
        self.tell("over", winner=winner, ending=ending)
        self.over = (winner, ending)
        self.phase = "over"
        self.candidate = self.nominee = self.president = self.chancellor = None

    def _advance_tracker(self) -> None:
        self.tracker += 1
        self.tell("tracker", value=self.tracker)

    def _reset_tracker(self) -> None:
        if self.tracker != 0:
            self.tracker = 0
            self.tell("tracker", value=0)

    def _chaos(self) -> None:
        self._shuffle_under(1)
        self._lay(self.draw.pop(0), "chaos")
        if self.over:
            return
        self._reset_tracker()
        self.rounds[-1]["chaos"] = True
        if self.options["reshuffle"] == "session_end_and_chaos":
            self._shuffle_under(3)

    def _session_ends(self) -> None:
        if self.options["reshuffle"] in ("session_end", "session_end_and_chaos"):
            self._shuffle_under(3)

    def _shuffle_under(self, enough: int) -> None:
        if len(self.draw) < enough:
            self.shuffles += 1
            self.draw = list(self.shuffle(self.shuffles, self.draw + self.discards))
            self.discards = []
            self.tell("shuffled", draw=len(self.draw))

    def _new_round(self, called: int | None = None) -> None:
        if self.over:
            return
        if called is None:
            called = self.turn_of
            while True:
                called = (called + 1) % len(self.roles)
                if called in self.alive:
                    break
            self.turn_of = called
        self.limited = self._limits()
        self.rounds.append({})
        self.phase = "nomination"
        self.candidate = called
        self.nominee = self.president = self.chancellor = None
        self.refused = False
        self.tell("candidate", seat=called)

    def _limits(self) -> list[int]:
        """Return the term-limited seats, looking back over the rounds from the newest."""
        lapse = self.options["limits_lapse"]
        for past in reversed(self.rounds[-1:] if lapse else self.rounds):
            if past.get("chaos"):
                return []
            counts = "elected" if self.options["limited"] == "elected" else "enacted"
            if past.get(counts):
                president, chancellor = past["elected"]
                if self.options["small_table"] == "alive":
                    small = len(self.alive) <= 5
                else:
                    small = len(self.roles) == 5
                pair = [chancellor] if small else [president, chancellor]
                return sorted(seat for seat in pair if seat in self.alive)
        return []

    @property
    def position(self) -> Json:
        return {
            "after": self.after,
            "phase": self.phase,
            "to_act": self.to_act,
            "candidate": self.candidate,
            "nominee": self.nominee,
            "president": self.president,
            "chancellor": self.chancellor,
            "liberal": self.track["liberal"],
            "fascist": self.track["fascist"],
            "tracker": self.tracker,
            "draw": len(self.draw),
            "discard": len(self.discards),
            "alive": self.alive,
            "limited": self.limited,
            "eligible": self.eligible,
            "veto_unlocked": self.track["fascist"] >= self.options["veto_zone"],
            "events": self.events,
            "winner": self.over[0] if self.over else None,
            "ending": self.over[1] if self.over else None,
        }
