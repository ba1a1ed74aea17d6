"""Reporting: what somebody points at, kept as it was, in the case to which it belongs."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.services.people import person_named
from games.copies import Copy, copies_of_last, copies_round
from games.models import Case, Message, Reason, Report, Table
from games.refusals import Refusal, Refused
from games.rooms import Room

# Of one reporter, at one time: more are not read sooner.
MOST_OPEN: Final = 20
LONGEST_WORDS: Final = 1000

_ABOUT_MESSAGES: Final = (Reason.ABUSE, Reason.CHEATING, Reason.NAME, Reason.SPAM, Reason.OTHER)
_ABOUT_PEOPLE: Final = tuple(Reason)
_ABOUT_TABLES: Final = tuple(reason for reason in Reason if reason != Reason.NAME)


@dataclass(frozen=True, slots=True)
class Reported:
    """What is about to be reported. Whom it is about goes no further than the services."""

    about: Report.About
    # As the reporter reads it.
    called: str
    # Tells it from everything else.
    thing: str
    room: Room | None = None
    person: User | None = None
    seat: int | None = None
    message: Message | None = None

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Those that make sense of it."""
        match self.about:
            case Report.About.MESSAGE:
                return _ABOUT_MESSAGES
            case Report.About.TABLE:
                return _ABOUT_TABLES
            case _:
                return _ABOUT_PEOPLE


@dataclass(slots=True)
class _Place:
    """Where the game stands that a report is of."""

    table: Table | None = None
    length: int = 0
    round: int = 0
    copies: list[Copy] = field(default_factory=list)


def seat_reported(*, room: Room, user: User, number: int, name: str = "") -> Reported:
    """Whoever sits there. `name` is how the page called the seat, where it did.

    Raises Refused: NOBODY_THERE for a bot, a free seat, a closed account, and for a seat that
    is called otherwise by now; OWN_REPORT.
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


def message_reported(*, room: Room, user: User, row: Message, called: str) -> Reported:
    """A message, `called` by its speaker's name as the reporter reads it. Raises Refused:
    NOBODY_THERE where no person said it, or their account is gone; OWN_REPORT."""
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


def table_reported(*, room: Room) -> Reported:
    """A table as a whole, and nobody in particular."""
    table = room.table
    return Reported(
        about=Report.About.TABLE, called=table.code, thing=f"table:{table.pk}", room=room
    )


def person_reported(*, user: User, name: str) -> Reported:
    """The person called `name`, apart from any table. The same, to whoever looks, where nobody
    has that name. Raises Refused: OWN_REPORT."""
    person = person_named(name)
    if person is not None and person.pk == user.pk:
        raise Refused(Refusal.OWN_REPORT)
    pk = 0 if person is None else person.pk
    return Reported(about=Report.About.PERSON, called=name, thing=f"person:{pk}", person=person)


def report_file(
    *,
    reporter: User,
    reported: Reported,
    reason: str,
    words: str,
    language: str,
    now: datetime | None = None,
) -> Report | None:
    """Reports it, with a copy of what was said there. `language` is the reporter's.

    None, and nothing kept, where a name was reported that nobody has or that this person has
    reported before: nobody learns by it who is registered. Raises Refused: UNCLEAR for a
    reason that makes no sense of it, REPORTED_ALREADY, REPORTS_ENOUGH.
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
            # The reporter's row, so that two windows do not get past the limit together.
            User.objects.select_for_update(no_key=True).get(pk=reporter.pk)
            mine = Report.objects.filter(reporter=reporter, is_open=True)
            if mine.filter(thing=reported.thing).exists():
                raise Refused(Refusal.REPORTED_ALREADY)
            if mine.count() >= MOST_OPEN:
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
    """For a person's export: what they have reported, and what came of it."""
    mine = Report.objects.filter(reporter=user).order_by("pk")
    return list(
        mine.values("case__table__code", "about", "called", "reason", "words", "at", "is_open")
    )


def reports_depart(user: User) -> None:
    """An account goes: what was reported of it is decided by that, and nothing of its owner
    stays in the copies. What its owner has reported stays, as nobody's."""
    # Here, since cases tell reporters of their end, and both need the models only.
    from games.services.cases import case_lapse

    with transaction.atomic():
        for case in Case.objects.select_for_update().filter(person=user):
            case_lapse(case=case)
        Report.objects.filter(reporter=user).update(reporter=None, words="", is_open=False)
        tables = Table.objects.filter(sat__user=user) | Table.objects.filter(guests__user=user)
        for report in Report.objects.filter(case__table__in=tables).exclude(copies=[]):
            if any(copy.get("user") == user.pk for copy in report.copies):
                report.copies = [_nobodys(copy, user.pk) for copy in report.copies]
                report.save(update_fields=["copies"])


def _nobodys(copy: Copy, user_pk: int) -> Copy:
    return copy | {"user": None, "name": "N. N."} if copy.get("user") == user_pk else copy


def _place(reported: Reported) -> _Place:
    room = reported.room
    if room is None:
        return _Place()
    place = _Place(table=room.table)
    if room.position is not None:
        place.length, place.round = room.position.length, room.position.state.round
    if reported.message is not None:
        place.length, place.round = reported.message.length, reported.message.round
        place.copies = copies_round(room, reported.message)
    else:
        place.copies = copies_of_last(room)
    return place


def _case(reported: Reported, table: Table | None, language: str, now: datetime) -> Case:
    """The open case of this person and this table, locked; a new one where there is none."""
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
            # Somebody else has reported them at this moment.
            continue


def _language_of(reported: Reported, language: str) -> str:
    if reported.person is not None:
        return reported.person.language or settings.LANGUAGE_CODE
    spoken = reported.room.table.languages if reported.room is not None else []
    known = dict(settings.LANGUAGES)
    return next((code for code in spoken if code in known), language)
