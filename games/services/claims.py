"""Claims: players state what they saw. Claims go through the same path as all other messages."""

from accounts.models import User
from games.models import Chat, Message, Seat, Table
from games.rules.claims import MOST_CLAIMS, ClaimError, claim_by_code, claim_json, sight_of
from games.services import chat
from games.state.game_log import game_log_of
from games.state.government_history import claims_in, open_sights
from games.state.rooms import Room
from games.wording.refusals import Refusal, Refused


def make_claim(*, table: Table, user: User, code: str, key: str) -> Room:
    """Post the claim that `code` encodes, for the seat of `user`. Return the updated room.

    A claim may be a lie and may be replaced: the newest one stands, and the others stay on record.
    Calls with the same `key` post only one claim. Raises Refused as `chat.post_message`, for a
    claim about something that this seat has not seen, for one that already stands, for one about
    what this seat has claimed MOST_CLAIMS times, and after the game.
    """
    claimed: dict[str, object] = {}

    def check(room: Room, seat: Seat | None) -> None:
        if room.table.chat == Chat.NONE:
            raise Refused(Refusal.NO_TALK)
        if seat is None:
            raise Refused(Refusal.NOT_SEATED)
        if room.game is None:
            raise Refused(Refusal.NOT_STARTED)
        if room.table.stage == Table.Stage.OVER:
            raise Refused(Refusal.GAME_OVER)
        try:
            claim = claim_by_code(code, seat.number)
        except ClaimError as error:
            raise Refused(Refusal.UNCLEAR) from error
        sight = sight_of(claim)
        if sight not in open_sights(game_log_of(room).rounds, seat.number):
            raise Refused(Refusal.NOT_SEEN)
        said = [other for other in claims_in(room) if sight_of(other) == sight]
        if said and said[-1] == claim:
            raise Refused(Refusal.SAID_ALREADY)
        if len(said) >= MOST_CLAIMS:
            raise Refused(Refusal.CLAIMED_ENOUGH)
        # Store what was checked, for the user's seat as it is under the lock.
        claimed.update(claim_json(claim))

    return chat.post_message(
        table=table,
        user=user,
        kind=Message.Kind.CLAIM,
        data=claimed,
        place=Message.Place.TABLE,
        key=f"claim {code} {key}"[:64] if key else "",
        check=check,
    )
