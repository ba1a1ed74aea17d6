"""A site that has lived: bots and people have played, it was away, and moderators have worked."""

import json
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from accounts.models import Export, User
from accounts.services import bots, friends, sanctions
from accounts.services.names import hold_name
from accounts.services.notices import change_settings
from games import tasks
from games.models import Table
from games.rules.record import record_json
from games.services import chat, dumps, hosting, notes, outages, play, puzzles, ratings, uploads
from games.services.records import record_of
from games.services.vacations import begin_vacation
from tests.builders.moderation import freeze, moderator, over, thaw
from tests.builders.notices import with_address, with_device
from tests.builders.tables import gather, person, position, run_table


def live() -> None:
    table = over(is_rated=True)
    ada, boris = person("Ada"), person("Boris")
    dumps.set_consent(user=ada, is_given=True)
    friends.request_friendship(user=ada, name="Boris")
    friends.accept_friend(user=boris, other=ada)
    friends.block_user(user=boris, name="Chika")
    chat.mute(table=table, user=ada, who="seat:3")
    uploads.keep_uploads(user=ada, data=json.dumps(record_json(record_of(table))).encode())
    ratings.choose_listing(user=person("Ewa"), is_listed=False)
    puzzles.solve(user=ada, day=puzzles.today(), part=3, answer=_roles_of_today())
    _become_known(ada)
    _moderate(boris)
    _play_with_bots()
    _be_away(timedelta(days=1, seconds=11, microseconds=1))
    for work in (tasks.archive_games, tasks.count_ratings, tasks.archive_seasons):
        work()
    dumps.write_dump(month=timezone.now().date().replace(day=1))
    # Longer than the largest part of anything else.
    Export.objects.create(
        user=ada,
        asked_at=timezone.now(),
        expires_at=timezone.now() + timedelta(days=1),
        content="Łódź\u2028" * 300_000,
    )


def _roles_of_today() -> list:
    return list(puzzles.room_of_day(puzzles.today()).position.state.setup.roles)


def _become_known(user: User) -> None:
    with_address(user)
    with_device(user)
    bots.create_bot(owner=user, name="Robot")
    begin_vacation(user=user, days=3)
    change_settings(user=user, chosen={"daily_mail": True}, zone="Europe/Warsaw")
    hold_name("Somebody Else")
    Client().force_login(user)


def _moderate(user: User) -> None:
    mira = moderator()
    table = run_table([f"Late {number}" for number in range(5)])
    freeze(table, mira)
    thaw(Table.objects.get(pk=table.pk), mira)
    sanctions.impose_sanction(
        actor=mira,
        user=user,
        kind="mute",
        reason="said\n«it»",
        language="en",
        ends_at=timezone.now() + timedelta(days=2),
    )


def _play_with_bots() -> None:
    table = gather(["Ewa", "Fumio"], bots=4)
    hosting.kick(table=table, user=table.host, number=1, name="Fumio")
    table = run_table(["Ewa"], bots=4)
    notes.write_note(table=table, user=table.host, text="ż", marks={}, base=0)
    for hours in range(1, 9):
        play.settle(table.pk, now=timezone.now() + timedelta(hours=hours))
    assert position(table).length > 0


def _be_away(lost: timedelta) -> None:
    """Be away while games with a clock run, as long as no schedule says it in whole hours."""
    now = timezone.now()
    outages.note_open(now - lost)
    assert outages.note_open(now) == lost
