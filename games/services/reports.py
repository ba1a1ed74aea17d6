"""Reports: what a user reports is copied and kept, in the case to which it belongs."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, assert_never

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.services.friends import user_named
from games.models import BY_NAME, Case, Message, Reason, Report, Table
from games.moderation.excerpts import Copy, copies_of_last, copies_round
from games.services.cases import close_lapsed_case
from games.state.rooms import Room
from games.wording.refusals import Refusal, Refused

# Maximum number of open reports per reporter. More would not be read sooner.
MOST_OPEN: Final = 20
LONGEST_WORDS: Final = 1000

_ABOUT_MESSAGES: Final = (Reason.ABUSE, Reason.CHEATING, Reason.NAME, Reason.SPAM, Reason.OTHER)
_ABOUT_PEOPLE: Final = tuple(Reason)
_ABOUT_TABLES: Final = tuple(reason for reason in Reason if reason != Reason.NAME)


@dataclass(frozen=True, slots=True)
class Reported:
    """The target of a new report. The reported person must not be shown outside the services."""

    about: Report.About
    # The name that the reporter sees.
    called: str
    # A key that identifies the reported thing.
    thing: str
    room: Room | None = None
    person: User | None = None
    seat: int | None = None
    message: Message | None = None

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The reasons that apply to this target."""
        about = Report.About(self.about)
        match about:
            case Report.About.MESSAGE:
                return _ABOUT_MESSAGES
            case Report.About.TABLE:
                return _ABOUT_TABLES
            case Report.About.PERSON:
                return _ABOUT_PEOPLE
            case _:
                assert_never(about)


@dataclass(slots=True)
class _Place:
    """The state of the game at which a report was made."""

    table: Table | None = None
    length: int = 0
    round: int = 0
    copies: list[Copy] = field(default_factory=list)


def reported_seat(*, room: Room, user: User, number: int, name: str = "") -> Reported:
    """Return the player in a seat as a report's target.

    `name` is the seat's name as the page showed it, if it did. Raises Refused: NOBODY_THERE for a
    bot, a free seat, a closed account, and a seat that has another name by now; OWN_REPORT.
    """
    seat = next((seat for seat in room.seats if seat.number == number), None)
    if seat is None or seat.user is None or (name and seat.name != name):
        raise Refused(Refusal.NOBODY_THERE)
    if seat.user_id == user.pk:
        raise Refused(Refusal.OWN_REPORT)
    return Reported(
        about=Report.About.PERSON,
        called=seat.name,
        thing=f"seat:{room.table.pk}:{number}:{seat.user_id}",
        room=room,
        person=seat.user,
        seat=number,
    )


def reported_message(*, room: Room, user: User, row: Message, called: str) -> Reported:
    """Return a message as a report's target. `called` is its author's name as the reporter sees it.

    Raises Refused: NOBODY_THERE if its author is no person or their account is gone; OWN_REPORT.
    """
    if row.user is None:
        raise Refused(Refusal.NOBODY_THERE)
    if row.user_id == user.pk:
        raise Refused(Refusal.OWN_REPORT)
    return Reported(
        about=Report.About.MESSAGE,
        called=called,
        thing=f"said:{row.table_id}:{row.place}:{row.nth}",
        room=room,
        person=row.user,
        seat=row.seat,
        message=row,
    )


def reported_table(*, room: Room) -> Reported:
    """Return a table as a whole as a report's target, without a person."""
    table = room.table
    return Reported(
        about=Report.About.TABLE, called=table.code, thing=f"table:{table.pk}", room=room
    )


def reported_profile(*, user: User, name: str) -> Reported:
    """Return the user called `name` as a report's target, independent of any table.

    The result looks the same if no user has that name. Raises Refused: OWN_REPORT.
    """
    person = user_named(name)
    if person is not None and person.pk == user.pk:
        raise Refused(Refusal.OWN_REPORT)
    pk = 0 if person is None else person.pk
    return Reported(about=Report.About.PERSON, called=name, thing=f"{BY_NAME}{pk}", person=person)


def file_report(
    *,
    reporter: User,
    reported: Reported,
    reason: str,
    words: str,
    language: str,
    now: datetime | None = None,
) -> Report | None:
    """File a report, with a copy of what was said there. `language` is the reporter's.

    Returns None and saves nothing if the target is a name that no user has, or that this user has
    reported before: so no one learns which names are registered. Raises Refused: UNCLEAR for a
    reason that does not apply to the target, REPORTED_ALREADY, REPORTS_ENOUGH.
    """
    if reason not in reported.reasons or len(words) > LONGEST_WORDS:
        raise Refused(Refusal.UNCLEAR)
    is_name = reported.room is None
    if is_name and reported.person is None:
        return None
    place = _place(reported)
    now = now or timezone.now()
    try:
        with transaction.atomic():
            # Lock the reporter's row, so that two windows cannot pass the limit together.
            User.objects.select_for_update(no_key=True).get(pk=reporter.pk)
            mine = Report.objects.filter(reporter=reporter, is_open=True)
            if mine.filter(thing=reported.thing).exists():
                raise Refused(Refusal.REPORTED_ALREADY)
            # Reports by name do not count: a refusal would reveal which of them were kept.
            if not is_name and mine.exclude(thing__startswith=BY_NAME).count() >= MOST_OPEN:
                raise Refused(Refusal.REPORTS_ENOUGH)
            case = _case(reported, place.table, language, now)
            report = Report.objects.create(
                case=case,
                reporter=reporter,
                about=reported.about,
                thing=reported.thing,
                reason=Reason(reason),
                words=words.strip(),
                language=language,
                called=reported.called[:150],
                seat=reported.seat,
                length=place.length,
                round=place.round,
                copies=place.copies,
                at=now,
            )
            case.newest_at = now
            case.reports_count += 1
            case.save(update_fields=["newest_at", "reports_count"])
    except Refused as error:
        if is_name and error.refusal == Refusal.REPORTED_ALREADY:
            return None
        raise
    return report


def reports_of(user: User) -> list[Any]:
    """Return the reports that this user has filed and their results, for the data export."""
    mine = Report.objects.shown_to(user.pk).order_by("pk")
    return list(
        mine.values("case__table__code", "about", "called", "reason", "words", "at", "is_open")
    )


def detach_reports(user: User) -> None:
    """Close the cases about an account that is being deleted, and remove its owner from all copies.

    Reports that its owner filed stay, without a reporter.
    """
    with transaction.atomic():
        for case in Case.objects.select_for_update().filter(person=user):
            close_lapsed_case(case=case)
        Report.objects.filter(reporter=user).update(reporter=None, words="", is_open=False)
        tables = Table.objects.filter(sat__user=user) | Table.objects.filter(guests__user=user)
        for report in Report.objects.filter(case__table__in=tables).exclude(copies=[]):
            if any(copy.get("user") == user.pk for copy in report.copies):
                report.copies = [_is_nobodys(copy, user.pk) for copy in report.copies]
                report.save(update_fields=["copies"])


def _is_nobodys(copy: Copy, user_pk: int) -> Copy:
    return copy | {"user": None, "name": "N. N."} if copy.get("user") == user_pk else copy


def _place(reported: Reported) -> _Place:
    room = reported.room
    if room is None:
        return _Place()
    place = _Place(table=room.table)
    if room.game is not None:
        place.length, place.round = room.game.length, room.public_view().round
    if reported.message is not None:
        place.length, place.round = reported.message.length, reported.message.round
        place.copies = copies_round(room, reported.message)
    else:
        place.copies = copies_of_last(room)
    return place


def _case(reported: Reported, table: Table | None, language: str, now: datetime) -> Case:
    """Return the open case of this person and table, locked; create one if there is none."""
    which = {"person": reported.person, "table": table, "outcome": ""}
    new = {"language": _language_of(reported, language), "opened_at": now, "newest_at": now}
    while True:
        case = Case.objects.select_for_update().filter(**which).first()
        if case is not None:
            return case
        try:
            with transaction.atomic():
                return Case.objects.create(**which, **new)
        except IntegrityError:
            # Another user has reported the same person at this moment.
            continue


def _language_of(reported: Reported, language: str) -> str:
    if reported.person is not None:
        return reported.person.language or settings.LANGUAGE_CODE
    spoken = reported.room.table.languages if reported.room is not None else []
    known = dict(settings.LANGUAGES)
    return next((code for code in spoken if code in known), language)
