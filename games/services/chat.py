"""Talk at tables: the one function through which every message passes, and who receives it."""

import logging
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.auth.rights import Right, holds_right
from accounts.auth.roles import Rank, rank
from accounts.models import User
from accounts.moderation.sanctions import standing
from accounts.services.audit import write_audit
from accounts.services.friends import block_account
from games.models import Chat, Guest, Message, Mute, Sat, Seat, Table
from games.moderation.case_access import refuse_judge
from games.moderation.conflicts_of_interest import is_party, seems_party
from games.services import archive, bot_talk, play, same_person
from games.services.announcements import announce_table, announce_viewer_settings
from games.services.messages import add_message, announce_message, is_alive, reason_silent
from games.state.rooms import Room, build_room, room_with, with_talk
from games.text.sanitising import clean_text
from games.wording.refusals import Refusal, Refused

logger = logging.getLogger(__name__)

# Checks that a message fits the current state of the game. Raises Refused.
Check = Callable[[Room, Seat | None], None]


class _Begun(Exception):
    """The game began while its table was being locked."""


def say(
    *, table: Table, user: User, text: str, place: str, key: str, now: datetime | None = None
) -> Room:
    """Post `text` at the table or in the gallery. Return the updated room.

    Newlines and invisible characters are removed first. Raises Refused as `post_message`, and for a
    text that is empty, too long, or not allowed at this table.
    """
    words = clean_text(text)
    # The key includes the text, because two open pages may send different messages.
    key = f"{sha256(words.encode()).hexdigest()[:20]}:{key}"[:64] if key else ""

    def check(room: Room, seat: Seat | None) -> None:
        if room.table.chat == Chat.NONE:
            raise Refused(Refusal.NO_TALK)
        if room.table.chat == Chat.PHRASES:
            raise Refused(Refusal.PHRASES_ONLY)
        # Phrases and claims stay allowed: they insult no one, and the other players' game needs
        # them.
        if user.is_trial:
            raise Refused(Refusal.GUEST_PHRASES)
        if standing(user, now or timezone.now()).muted:
            raise Refused(Refusal.GAGGED)

    return post_message(
        table=table,
        user=user,
        kind=Message.Kind.TEXT,
        text=words,
        place=place,
        key=key,
        check=check,
        now=now,
    )


def post_message(
    *,
    table: Table,
    user: User,
    kind: str,
    text: str = "",
    data: dict[str, Any] | None = None,
    place: str = Message.Place.TABLE,
    key: str,
    check: Check | None = None,
    now: datetime | None = None,
) -> Room:
    """Post a message of any kind. Return the updated room.

    Takes the same lock as moves and settles overdue moves first. Then it checks whether `user` may
    speak there, and calls `check`. A user's message with the same `key` is posted only once. Raises
    Refused; settled moves are saved even then.
    """
    while True:
        try:
            with transaction.atomic():
                room, refusal = _post(table, user, kind, text, data, place, key, check, now)
            break
        except _Begun:
            continue
    if refusal is not None:
        raise Refused(refusal)
    return room


def _post(
    table: Table,
    user: User,
    kind: str,
    text: str,
    data: dict[str, Any] | None,
    place: str,
    key: str,
    check: Check | None,
    now: datetime | None,
) -> tuple[Room, Refusal | None]:
    room, moment = _locked(table, now or timezone.now())
    said = [one for one in room.talk if one.key == key and one.user_pk == user.pk]
    if key and said:
        return room, None
    seat = room.seat_of(user.pk)
    try:
        refusal = reason_silent(room, seat, place)
        if refusal is not None:
            raise Refused(refusal)
        guest = None if seat is not None else _guest(room.table, user)
        if check is not None:
            check(room, seat)
    except Refused as error:
        return room, error.refusal
    room = add_message(
        room,
        kind=kind,
        seat=seat,
        user=user,
        guest=guest,
        text=text,
        data=data,
        place=place,
        key=key,
        at=moment,
    )
    if bot_talk.plan_after_message(room, room.talk[-1], moment):
        play.save_bot_talk(room, moment)
    return room, None


def _locked(table: Table, now: datetime) -> tuple[Room, datetime]:
    """Return the current room, locked, with all its talk, after settling overdue moves."""
    locked_game = play.lock_game_at(table, now)
    if locked_game is not None:
        locked_game.settle()
        locked_game.save()
        return with_talk(locked_game.room), locked_game.now
    locked = Table.objects.select_for_update().get(pk=table.pk)
    if locked.stage in (Table.Stage.RUNNING, Table.Stage.OVER):
        # Games are locked before their tables, so start again.
        raise _Begun
    return with_talk(build_room(locked, None)), now


def _guest(table: Table, user: User) -> int | None:
    """Return the user's guest number in the gallery. Raises Refused."""
    if table.stage == Table.Stage.RUNNING:
        refuse_judge(user=user, table=table)
        if Sat.objects.filter(table=table, user=user).exists():
            raise Refused(Refusal.SAT_HERE)
        same_person.refuse_gallery(table=table, user=user, speaks=True)
    number = Guest.objects.filter(table=table, user=user).values_list("number", flat=True).first()
    if number is None:
        raise Refused(Refusal.NOT_IN_GALLERY)
    return int(number)


def enter_gallery(*, table: Table, user: User) -> None:
    """Let `user` enter the gallery and hear its talk. They may no longer take a seat.

    Raises Refused for seated users, if no game has begun, and as `same_person.refuse_gallery`.
    """
    with transaction.atomic():
        locked = Table.objects.select_for_update().get(pk=table.pk)
        if locked.is_before_game:
            raise Refused(Refusal.GALLERY_SHUT)
        if locked.stage == Table.Stage.CLOSED:
            raise Refused(Refusal.NOT_OPEN)
        if locked.seats.filter(user=user).exists():
            raise Refused(Refusal.GALLERY_SEALED)
        same_person.refuse_gallery(table=locked, user=user)
        if Guest.objects.filter(table=locked, user=user).exists():
            return
        last = Guest.objects.filter(table=locked).aggregate(last=Max("number"))["last"] or 0
        Guest.objects.create(table=locked, user=user, number=last + 1, at=timezone.now())
        if locked.substitutes.filter(user=user).delete()[0]:
            locked.version += 1
            locked.save(update_fields=["version"])
            announce_table(locked)
        announce_viewer_settings(user.pk)


def refuse_gallery_member(*, table: Table, user: User) -> None:
    """Check that `user` may get a seat in a running game. Raises Refused: HEARD_THE_GALLERY."""
    if Guest.objects.filter(table=table, user=user).exists():
        raise Refused(Refusal.HEARD_THE_GALLERY)


def mute(*, table: Table, user: User, who: str) -> None:
    """Hide a speaker's messages from `user` at this table.

    `who` is "seat:3", "guest:2", or "bots" for all bots. No other user learns of it. Raises
    Refused: NOBODY_THERE.
    """
    with transaction.atomic():
        if bots := _bots_named(table, who):
            mutes = [Mute(table=table, listener=user, bot=number) for number in bots]
            Mute.objects.bulk_create(mutes, ignore_conflicts=True)
            announce_viewer_settings(user.pk)
            return
        speaker = user_at_seat_or_gallery(table=table, user=user, who=who)
        Mute.objects.get_or_create(table=table, listener=user, speaker=speaker)
        announce_viewer_settings(user.pk)


def unmute(*, table: Table, user: User, who: str) -> None:
    """Show a speaker's messages again. Raises Refused: NOBODY_THERE."""
    with transaction.atomic():
        mutes = Mute.objects.filter(table=table, listener=user)
        if bots := _bots_named(table, who):
            mutes.filter(bot__in=bots).delete()
        else:
            speaker = user_at_seat_or_gallery(table=table, user=user, who=who)
            mutes.filter(speaker=speaker).delete()
        announce_viewer_settings(user.pk)


def _bots_named(table: Table, who: str) -> list[int]:
    """Return the seats of the bots that a button names: one, or all."""
    bots = table.seats.exclude(bot="").values_list("number", flat=True)
    return [number for number in bots if who in ("bots", f"seat:{number}")]


def block(*, table: Table, user: User, who: str) -> None:
    """Block another user everywhere. Raises Refused: NOBODY_THERE, NAMES_HIDDEN.

    Refused while names are hidden: the block list would reveal who sits behind a hidden name.
    """
    if table.is_blind and table.stage != Table.Stage.OVER:
        raise Refused(Refusal.NAMES_HIDDEN)
    with transaction.atomic():
        speaker = user_at_seat_or_gallery(table=table, user=user, who=who)
        block_account(user=user, other=speaker)
        announce_viewer_settings(user.pk)


def user_at_seat_or_gallery(*, table: Table, user: User, who: str) -> User:
    """Return another user in a seat or in the gallery. Raises Refused: NOBODY_THERE."""
    kind, _, digits = who.partition(":")
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 6 else -1
    found: Seat | Guest | None = None
    if kind == "seat":
        found = Seat.objects.filter(table=table, number=number).select_related("user").first()
    elif kind == "guest" and _hears_gallery(table, user):
        found = Guest.objects.filter(table=table, number=number).select_related("user").first()
    if found is None or found.user is None or found.user_id == user.pk:
        raise Refused(Refusal.NOBODY_THERE)
    return found.user


def _hears_gallery(table: Table, user: User) -> bool:
    """Return whether `user` hears the gallery.

    Living players must not learn who is there, not even from a refusal.
    """
    if table.stage == Table.Stage.OVER or Guest.objects.hearing(table).filter(user=user).exists():
        return True
    room = room_with(table.pk)
    seat = None if room is None else room.seat_of(user.pk)
    if room is None or room.game is None or seat is None:
        return False
    return not is_alive(room, seat)


def may_remove(*, user: User, table: Table) -> bool:
    """Return whether `user` may remove messages at `table`.

    Moderators, and users with that right, may do so unless they are a party to the table.
    """
    return is_remover(user) and not is_party(user.pk, table)


def may_see_remove(*, user: User, table: Table) -> bool:
    """Return whether `user` sees the page that asks for a reason. Not all who see it may remove."""
    return is_remover(user) and not seems_party(user.pk, table)


def is_remover(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether `user` may remove messages at some table: by that right, or as a moderator."""
    if not isinstance(user, User):
        return False
    return holds_right(user, Right.REMOVE_MESSAGE) or rank(user) >= Rank.MODERATOR


def remove_message(*, table: Table, user: User, place: str, nth: int, reason: str) -> Room:
    """Remove a message. Everyone sees that it was removed; its content and the reason are kept.

    Does nothing if it is removed already. Raises PermissionError if `may_remove` is false,
    Message.DoesNotExist.
    """
    if not may_remove(user=user, table=table):
        raise PermissionError
    while True:
        try:
            with transaction.atomic():
                room, moment = _locked(table, timezone.now())
                row = Message.objects.get(table=room.table, place=place, nth=nth)
                if row.removed_at is not None:
                    return room
                row.removed_at, row.removed_by, row.removed_because = moment, user, reason
                row.revised = room.table.talk + 1
                row.save(update_fields=["removed_at", "removed_by", "removed_because", "revised"])
                if row.kind == Message.Kind.CLAIM:
                    archive.note_claim_removed(table=room.table)
                room = announce_message(room, row)
                write_audit(
                    actor=user,
                    act="message_remove",
                    about=row.user,
                    table=room.table.code,
                    data={"place": place, "nth": nth, "reason": reason},
                )
        except _Begun:
            continue
        logger.warning("account %s removed a message at table %s", user.pk, room.table.code)
        return room
