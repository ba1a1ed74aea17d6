"""A table as data, for the program that sits at it: `seat.schema.json` describes it.

It is made from the same sources as the pages: the seat's view, the public events and what was said
at the table. It holds no version, no counter and no time but the deadline.
"""

from dataclasses import fields
from enum import Enum
from typing import Any, Final

from games.models import Message, Seat
from games.rules.actions import Action
from games.rules.claims import claim_code, claim_json
from games.rules.record import action_json, event_json
from games.rules.view import View
from games.services.messages import reason_silent
from games.state.chat import ChatMessage, said_claim
from games.state.game_log import game_log_of
from games.state.government_history import claims_in, open_sights
from games.state.rooms import Room
from games.wording.phrases import phrases_for

# Fields of `View` that are no data, or that stand elsewhere in the answer.
_LEFT_OUT: Final = {"options", "legal", "knowledge", "governments", "viewer"}


def seat_json(room: Room, seat: Seat | None) -> dict[str, Any]:
    """Return what the player on this seat may know; what everyone may know without a seat."""
    table, game = room.table, room.game
    told: dict[str, Any] = {
        "code": table.code,
        "stage": str(table.stage),
        "edition": table.edition,
        "seat": None if seat is None else seat.number,
        "seats": [{"number": each.number, "name": each.name} for each in room.seats],
        "deadline": None,
        "is_night": False,
        "game": None,
        "events": [],
        "said": _said(room),
        "may_speak": reason_silent(room, seat, Message.Place.TABLE) is None,
        "actions": [],
        "claims": [],
        "phrases": [],
    }
    if told["may_speak"] and seat is not None:
        told["phrases"] = [
            {"phrase": code, "least": phrase.least, "most": phrase.most}
            for code, phrase in phrases_for(may_investigate=room.may_investigate).items()
        ]
    if game is None:
        return told
    view = room.view(None if seat is None else seat.number)
    told["deadline"] = None if game.deadline is None else game.deadline.isoformat()
    told["is_night"] = game.night_until is not None
    told["game"] = _view_json(view)
    told["events"] = [
        {"round": step.round, "seat": step.seat} | event_json(event)
        for step in room.public_steps
        for event in step.events
    ]
    if not told["is_night"] and not table.is_frozen:
        told["actions"] = [choice_of(action) for action in view.legal]
    if told["may_speak"] and seat is not None and not room.is_over:
        standing = set(claims_in(room))
        told["claims"] = [
            claim_code(claim)
            for sight in open_sights(game_log_of(room).rounds, seat.number)
            for claim in sight.claims
            if claim not in standing
        ]
    return told


def choice_of(action: Action) -> str:
    """Return the action as the table's form posts it: "nominate:3", "vote:ja", "peek"."""
    rest = [value for key, value in action_json(action).items() if key not in ("seat", "action")]
    if not rest:
        return action.kind
    value = rest[0]
    return f"{action.kind}:{str(value).lower() if isinstance(value, bool) else value}"


def _view_json(view: View) -> dict[str, Any]:
    told = {
        each.name: _plain(getattr(view, each.name))
        for each in fields(view)
        if each.name not in _LEFT_OUT
    }
    told["knowledge"] = [claim_json(item) for item in view.knowledge]
    told["governments"] = [
        {each.name: _plain(getattr(term, each.name)) for each in fields(term)}
        for term in view.governments
    ]
    return told


def _said(room: Room) -> list[dict[str, Any]]:
    """Return the claims and phrases at the table that no moderator has removed."""
    kinds = (Message.Kind.CLAIM, Message.Kind.PHRASE)
    return [
        {
            "kind": str(said.kind),
            "seat": said.seat,
            "round": said.round,
            "data": _meant(said),
        }
        for said in room.talk
        if said.place == Message.Place.TABLE and said.kind in kinds and not said.is_removed
    ]


def _meant(said: ChatMessage) -> dict[str, Any]:
    """Return what a message means, without names and without how a bot of the site says it."""
    if said.kind == Message.Kind.CLAIM:
        return claim_json(said_claim(said.data))
    return {key: said.data[key] for key in ("phrase", "seats")}


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    return value
