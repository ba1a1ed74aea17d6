"""No transaction of the site waits for anything slow, in any service.

The fixture in tests/conftest.py watches every test of the suite. The stories here run each function
that opens a transaction to its end; a new one needs a line in a story.
"""

import ast
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, Permission
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from accounts.auth.roles import GROUPS, Rank
from accounts.models import Appeal, Sanction, User
from accounts.services import (
    account_deletion,
    appeals,
    bots,
    exports,
    friends,
    names,
    roles,
    sanctions,
    switches,
    trials,
)
from accounts.services.audit import write_audit
from accounts.services.signals import note_signals
from games import panels
from games.models import (
    BotsSay,
    Game,
    Pace,
    Presence,
    Pulse,
    Ruling,
    Seat,
    Table,
    Terms,
    Visibility,
)
from games.rules.actions import Nominate
from games.rules.chance import hash_of
from games.services import (
    abandonment,
    appointments,
    archive,
    bot_seats,
    calls,
    cases,
    chat,
    coach,
    deadlines,
    dumps,
    game_requests,
    guests,
    hosting,
    motions,
    notes,
    outages,
    pauses,
    phrases,
    play,
    presence,
    presets,
    puzzle_games,
    ratings,
    ready,
    reports,
    sealing,
    seating,
    sharing,
    substitutes,
    table_moderation,
    table_notices,
    tables,
    timed_questions,
    uploads,
    vacations,
)
from games.services.game_requests import How, Search, request_game
from games.state import positions
from games.state.rooms import room_of
from tests.builders.tables import (
    NAMES,
    act,
    everybody_is_ready,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    run_table,
)
from tests.second_factor import with_second_factor
from tests.write_lock import ROOT, Place, Watch

PASSWORD = "a long way to Tipperary"
DAY = timedelta(days=1)
BECAUSE = {"because": Ruling.Because.REPORT, "reason": "Somebody asked for it"}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_memory():
    for forget in (positions.forget_all, panels.forget_all, outages.forget, cache.clear):
        forget()
    yield
    for forget in (positions.forget_all, panels.forget_all, outages.forget, cache.clear):
        forget()


# Which functions open a transaction ---------------------------------------------------------------


def transactions() -> set[Place]:
    """Return every function of ours whose body opens a transaction, by file and name."""
    return {
        (str(path.relative_to(ROOT)), function.name)
        for app in ("accounts", "games")
        for path in (ROOT / app).rglob("*.py")
        if "migrations" not in path.parts
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef) and _opens_one(function)
    }


def _opens_one(node: ast.AST) -> bool:
    """Return whether this function opens one, apart from functions nested in it."""
    if isinstance(node, ast.With):
        opened = {ast.unparse(item.context_expr).partition("(")[0] for item in node.items}
        if "transaction.atomic" in opened:
            return True
    if isinstance(node, ast.FunctionDef):
        decorators = {ast.unparse(each).partition("(")[0] for each in node.decorator_list}
        if "transaction.atomic" in decorators:
            return True
    inner = (each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.FunctionDef))
    return any(_opens_one(each) for each in inner)


# Stories ------------------------------------------------------------------------------------------


def officer(name: str, rank: Rank = Rank.SENIOR, *rights: str) -> User:
    user = with_second_factor(person(name))
    user.groups.add(Group.objects.get(name=GROUPS[rank]))
    user.user_permissions.add(*Permission.objects.filter(codename__in=rights))
    return User.objects.get(pk=user.pk)


def with_password(name: str, **fields: object) -> User:
    user = person(name, **fields)
    user.set_password(PASSWORD)
    user.save()
    return user


def signed_in(name: str) -> Client:
    client = Client()
    form = {"login": name, "password": PASSWORD}
    assert client.post("/account/sign-in/", form).status_code == 302
    assert client.post("/account/confirm/", {"password": PASSWORD}).status_code == 302
    return client


def account_of_a_person() -> None:
    client = Client()
    form = {"username": "Flora", "password1": PASSWORD, "email": "flora@example.org"}
    assert client.post("/account/register/", form).status_code == 302
    flora = User.objects.get(username="Flora")
    client = signed_in("Flora")
    assert client.post("/account/preferences/", {"theme": "dark"}).status_code in (303, 422)
    form = {"language": "pl", "theme": "", "motion": "", "time_zone": "", "country": ""}
    audiences = {
        f"shows_{part}": "all"
        for part in ("page", "about", "since", "statistics", "reliability", "games")
    }
    assert client.post("/account/preferences/", form | audiences).status_code == 303
    names.change_name(user=flora, name="Florina")
    exports.request_export(user=flora, origin="https://play.example")
    note_signals(user=flora, address="203.0.113.7", device="x" * 22, now=timezone.now())
    old = {"oldpassword": PASSWORD}
    new = {"password1": f"{PASSWORD} again", "password2": f"{PASSWORD} again"}
    assert client.post("/account/password/", old | new).status_code == 302
    # With a hash of too little salt, which the next sign-in replaces.
    weak = make_password(PASSWORD, salt="salt")
    User.objects.filter(pk=flora.pk).update(password=weak)
    signed_in("Florina")
    assert User.objects.get(pk=flora.pk).password != weak


def second_factor_of_a_person() -> None:
    with_password("Gustav")
    client = signed_in("Gustav")
    page = client.get("/account/second-factor/app/")
    secret = page.context["form"].secret
    from tests.second_factor import code_now

    answer = client.post("/account/second-factor/app/", {"code": code_now(secret)})
    assert answer.status_code == 302
    assert client.post("/account/second-factor/codes/new/").status_code == 302
    codes = client.get("/account/second-factor/codes/").context["unused_codes"]
    guest = Client()
    guest.post("/account/sign-in/", {"login": "Gustav", "password": PASSWORD})
    assert guest.post("/account/sign-in/second-factor/", {"code": codes[0]}).status_code == 302


def accounts_in_the_admin() -> None:
    with_second_factor(with_password("Root", is_staff=True, is_superuser=True))
    client = Client()
    client.force_login(User.objects.get(username="Root"))
    form = {
        "username": "Greta",
        "usable_password": "true",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    answer = client.post("/admin/accounts/user/add/", form)
    greta = User.objects.get(username="Greta")
    address = f"/admin/accounts/user/{greta.pk}/change/"
    assert (answer.status_code, answer.headers["Location"]) == (302, address)
    assert greta.check_password(PASSWORD)
    page = client.get(address)
    form = {
        name: value
        for name, value in page.context["adminform"].form.initial.items()
        if isinstance(value, str) and value
    }
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "12:00:00"}
    answer = client.post(address, form | joined | {"username": "Gerta"})
    assert answer.status_code == 302, answer.context["errors"]
    assert User.objects.get(pk=greta.pk).username == "Gerta"
    new = {"password1": f"{PASSWORD}!", "password2": f"{PASSWORD}!"}
    assert client.post(f"{address[:-7]}password/", new).status_code == 302
    assert client.post(f"{address[:-7]}delete/", {"post": "yes"}).status_code == 302


def friends_and_others() -> None:
    ada, boris, chika = person("Ada"), person("Boris"), person("Chika")
    friends.request_friendship(user=ada, name="Boris")
    friends.accept_friend(user=boris, other=ada)
    friends.remove_friend(user=boris, other=ada)
    friends.request_friendship(user=ada, name="Chika")
    friends.decline_friend(user=chika, other=ada)
    friends.block_user(user=ada, name="Boris")
    friends.unblock_user(user=ada, name="Boris")


def those_who_keep_order() -> None:
    mira, sena = officer("Mira", Rank.MODERATOR), officer("Sena")
    root = with_second_factor(person("Owner", is_superuser=True, is_staff=True))
    ewa = person("Ewa", email="ewa@example.org")
    how = {"actor": mira, "user": ewa, "reason": "You shouted", "language": "en"}
    warning = sanctions.impose_sanction(kind=Sanction.Kind.WARNING, **how)
    sanctions.mark_warnings_read(user=ewa, shown={warning.pk})
    end = timezone.now() + DAY
    muted = sanctions.impose_sanction(kind=Sanction.Kind.MUTE, ends_at=end, **how)
    appeal = appeals.make_appeal(user=ewa, sanction_pk=muted.pk, text="I did not")
    lifted = {"outcome": Appeal.Outcome.LIFTED, "answer": "Right", "language": "en"}
    appeals.decide_appeal(actor=sena, appeal=appeal, **lifted)
    sanctions.impose_sanction(kind=Sanction.Kind.UNRATED, ends_at=end, **how)
    assert sanctions.expire_sanctions(now=end) == 1
    roles.assign_role(actor=root, user=ewa, role=Rank.MODERATOR)
    roles.assign_role(actor=root, user=ewa, role=Rank.PERSON)
    on = {"registration": True, "tables": True, "maintenance": False, "message": {"en": "Hello"}}
    switches.set_switches(actor=root, **on)
    write_audit(actor=None, act="begin")


def a_table_gathers() -> None:
    ada = person("Ada")
    record = Path(__file__).parent / "records" / "en-sealed.json"
    (kept,) = uploads.keep_uploads(user=ada, data=record.read_bytes())
    uploads.share_upload(user=ada, code=kept.code, is_shared=True)
    uploads.delete_upload(user=ada, code=kept.code)
    dumps.write_dump(month=date(2026, 3, 1))
    dumps.set_consent(user=ada, is_given=True)
    dumps.set_consent(user=ada, is_given=False)
    puzzle_games.set_consent(user=ada, is_given=True)
    puzzle_games.set_consent(user=ada, is_given=False)
    presets.save_preset(user=ada, name="Sundays", terms=Terms(edition="en", seats_wanted=7))
    terms = Terms(edition="en", seats_wanted=5, visibility=Visibility.PRIVATE)
    table = tables.open_table(host=ada, terms=terms, password="the sea")
    guest = Client()
    door = f"{table.get_absolute_url()}invitation/{table.invitation}/"
    assert guest.post(door, {"password": "the land"}).status_code == 422
    assert guest.post(door, {"password": "the sea"}).status_code == 200
    boris, chika = person("Boris"), person("Chika")
    tables.join_table(table=table, user=boris)
    tables.join_table(table=table, user=chika)
    tables.leave_table(table=table, user=chika)
    hosting.choose_seating(table=table, user=ada, shuffles=True)
    hosting.choose_bots_say(table=table, user=ada, bots_say=BotsSay.LITTLE)
    tables.fill_with_bots(table=table, user=ada)
    bot = table.seats.filter(user=None).first()
    wish = bot_seats.BotWish("bold" if bot.bot != "bold" else "quiet")
    of_bot = {"table": table, "user": ada, "number": bot.number}
    bot_seats.arrange_bot(name=bot.name, wish=wish, **of_bot)
    hosting.kick(name=table.seats.get(number=bot.number).name, **of_bot)
    bot_seats.arrange_bot(name="", wish=wish, **of_bot)
    seat = table.seats.get(user=boris)
    hosting.hand_over_hosting(table=table, user=ada, number=seat.number, name=seat.name)
    ready.call_ready(table=table, user=boris)
    timed_questions.settle(table.pk, timezone.now() + DAY)
    tables.close_table(table=gather(NAMES[5:10]), user=person(NAMES[5]))
    asked = gather(NAMES[5:10])
    ready.call_ready(table=asked, user=asked.host)
    everybody_is_ready(asked)
    tables.quick_game(user=ada, edition="en")
    gather(NAMES[5:10])
    Table.objects.filter(stage=Table.Stage.OPEN).update(created_at=timezone.now() - DAY)
    assert tables.close_forgotten_tables() > 0


def cards_are_dealt() -> None:
    ada = person("Ada")
    contribution = "ab" * 32
    terms = Terms(edition="en", seats_wanted=5)
    table = tables.open_table(host=ada, terms=terms, commitment=sealing.prepared_commitment(ada))
    own = {"table": table, "user": ada, "commitment": table.commitment}
    sealing.offer_hash(contribution_hash=hash_of(contribution), **own)
    tables.fill_with_bots(table=table, user=ada)
    tables.start_game(table=table, user=ada)
    sealing.reveal(contribution=contribution, **own)
    assert fresh(table).stage == Table.Stage.RUNNING


def players_go_before_the_cards() -> None:
    ulf, vera, wim = person("Ulf"), person("Vera"), person("Wim")
    table = gather(["Ulf", "Vera", "Wim", "Xenia", "Yara"])
    for number, seat in enumerate(table.seats.all()):
        sent = hash_of(f"{number:064x}")
        table.seats.filter(pk=seat.pk).update(contribution_hash=sent, contribution="")
    tables.start_game(table=table, user=ulf)
    assert fresh(table).stage == Table.Stage.SEALING
    sanctions.impose_sanction(
        actor=officer("Mira"),
        user=vera,
        kind=Sanction.Kind.SUSPENSION,
        ends_at=timezone.now() + DAY,
        reason="You shouted",
        language="en",
    )
    account_deletion.erase_account(user=wim)
    assert table.seats.get(name="Vera").is_away
    assert table.seats.get(number=2).user is None


def goes_away(table: Table, *called: str) -> None:
    table.seats.filter(name__in=called).update(is_away=True)
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1)


def a_game_is_played() -> None:
    table = run_table()
    ada, boris = person("Ada"), person("Boris")
    room = room_of(table.code)
    now = timezone.now()
    outages.note_open(now)
    outages.note_open(now + DAY)
    outages.forget()
    presence.report(process="a", came={(ada.pk, table.pk)}, went=set(), now=now)
    presence.report(process="a", came=set(), went={(ada.pk, table.pk)}, now=now)
    presence.clean(now=now)
    notes.write_note(table=table, user=ada, text="Boris smiles", marks={1: "hitler"}, base=0)
    chat.say(table=table, user=ada, text="Good evening", place="table", key="a")
    phrases.say_phrase(table=table, user=ada, phrase="hello", seats=(), place="table", key="b")
    for verb in (chat.mute, chat.unmute, chat.block):
        verb(table=table, user=ada, who="seat:1")
    substitutes.join_list(table=table, user=person("Sofia"))
    substitutes.leave_list(table=table, user=person("Sofia"))
    chat.enter_gallery(table=table, user=person("Sofia"))
    act(table, Nominate(0, 3))
    deadlines.claim_due_games(now + DAY)
    play.settle(table.pk, now + 2 * DAY)
    goes_away(table, "Boris")
    play.come_back(table=table, user=boris)
    goes_away(table, "Chika", "Dario")
    motions.move_stop(table=fresh(table), user=ada)
    motions.vote(table=fresh(table), user=boris, ordinal=1, is_for=True)
    assert room is not None and fresh(table).stage == Table.Stage.OVER
    over = run_table()
    play_until(over, is_over)
    sharing.allow_sharing(table=over, user=ada, is_allowed=True)
    tables.play_again(table=over, user=ada)
    quick = tables.quick_game(user=ada, edition="en")
    pauses.pause_game(table=quick, user=ada)
    pauses.resume_game(table=quick, user=ada)
    pauses.next_move(table=quick, user=ada)
    coach.stop_hints(table=quick, user=ada)
    abandonment.give_up_game(table=quick, user=ada)


def moderators_at_a_table() -> None:
    table = run_table()
    mira = officer("Mira", Rank.SENIOR, "remove_message", "moderate")
    chat.say(table=table, user=table.host, text="Ugly", place="table", key="a")
    sofia = person("Sofia")
    found = reports.reported_seat(room=room_of(table.code), user=sofia, number=2)
    said = {"reason": "abuse", "words": "Look", "language": "en"}
    report = reports.file_report(reporter=sofia, reported=found, **said)
    chat.remove_message(table=table, user=mira, place="table", nth=1, reason="Ugly")
    cases.claim_case(actor=mira, case=report.case)
    cases.dismiss_case(actor=mira, case=report.case)
    table_moderation.freeze_table(actor=mira, table=table, **BECAUSE)
    table_moderation.thaw_table(actor=mira, table=table, reason="It is settled")
    seat = Seat.objects.get(table=table, number=4)
    gone = {"number": 4, "name": seat.name, "heir": table_moderation.Heir.BOT}
    table_moderation.replace_seat(actor=mira, table=table, **gone, **BECAUSE)
    table_moderation.void_game(actor=mira, table=table, **BECAUSE)
    table_moderation.close_table(actor=mira, table=gather(NAMES[5:10]), **BECAUSE)


def people_leave() -> None:
    table = run_table()
    gather(NAMES[4:9])
    found = reports.reported_seat(room=room_of(table.code), user=person("Sofia"), number=4)
    said = {"reason": "abuse", "words": "Look", "language": "en"}
    reports.file_report(reporter=person("Sofia"), reported=found, **said)
    ewa = person("Ewa", email="ewa@example.org")
    account_deletion.begin_deletion(user=ewa)
    assert account_deletion.erase_due_accounts(now=timezone.now() + 30 * DAY) == 1
    account_deletion.erase_account(user=person("Dario"))
    assert Game.objects.get(table=table).length == 0


def a_bot_gets_and_loses_its_token() -> None:
    otto = person("Otto")
    bot, _token = bots.create_bot(owner=otto, name="Robo")
    assert bots.renew_token(owner=otto, pk=bot.pk)
    assert bots.revoke_token(owner=otto, pk=bot.pk)
    assert bots.delete_bot(owner=otto, pk=bot.pk)


def a_guest_stays() -> None:
    guest = trials.create_trial(name="Zofia")
    trials.keep_trial(user=guest, name="Zosia", password=PASSWORD)
    other = trials.create_trial(name="Yola")
    tables.quick_game(user=other, edition="en")
    guests.hand_over_seats(guest=other, user=guest)


def a_player_goes_on_vacation() -> None:
    petra = person("Petra")
    vacations.begin_vacation(user=petra, days=2)
    vacations.end_vacation(user=petra)
    request_game(user=petra, search=Search(), how=How.HOUR)
    calls.call_waiting()
    game_requests.withdraw(user=petra)


def strangers_play_at_once() -> None:
    # No other story's table has this pace.
    relaxed = Search(pace="relaxed")
    later = timezone.now() + timedelta(seconds=70)
    terms = Terms(edition="en", seats_wanted=5, pace=Pace.RELAXED)
    gathering = tables.open_table(host=person("Tadeo"), terms=terms)
    strangers = [person(name) for name in ("Olga", "Pavel", "Quinn", "Rosa", "Nadia")]
    for user in strangers:
        Presence.objects.create(process="p", user=user, seen_at=later)
        request_game(user=user, search=relaxed, takes_bots=True)
    assert seating.settle(later) == 2
    assert gathering.seats.count() == 5
    for user in strangers:
        request_game(user=user, search=relaxed, how=How.HOUR)
    assert calls.call_waiting(later) == 5


def a_table_meets_at_its_date() -> None:
    now = timezone.now()
    at = now + timedelta(days=1, hours=1)
    terms = Terms(edition="it", seats_wanted=7)
    meeting = tables.open_table(host=person("Ugo"), terms=terms, scheduled_at=at)
    tables.join_table(table=meeting, user=person("Vito"))
    at += timedelta(days=1)
    appointments.move_date(table=meeting, user=person("Ugo"), scheduled_at=at)
    assert table_notices.remind_due(at - timedelta(minutes=10)) > 0
    here = Table.objects.filter(pk=meeting.pk)
    here.update(scheduled_at=now)
    assert appointments.settle_due() == 1
    ready.confirm_ready(table=meeting, user=person("Ugo"))
    ready.confirm_ready(table=meeting, user=person("Vito"))
    here.update(asked_until=None, met_at=now - timedelta(hours=1))
    # Another story has just opened the doors, and after an outage tables wait for longer.
    Pulse.objects.all().delete()
    outages.forget()
    assert appointments.settle_due() == 1


def games_are_rated() -> None:
    table = run_table(is_rated=True)
    play_until(table, is_over)
    assert ratings.settle("live") == 1
    assert archive.take_in() > 0
    archive.rebuild()
    table_moderation.void_game(actor=officer("Mira"), table=table, **BECAUSE)
    ratings.settle("live")
    assert ratings.rebuild() == 0


STORIES = (
    account_of_a_person,
    second_factor_of_a_person,
    accounts_in_the_admin,
    friends_and_others,
    those_who_keep_order,
    a_table_gathers,
    cards_are_dealt,
    players_go_before_the_cards,
    a_game_is_played,
    moderators_at_a_table,
    people_leave,
    a_bot_gets_and_loses_its_token,
    a_guest_stays,
    a_player_goes_on_vacation,
    strangers_play_at_once,
    a_table_meets_at_its_date,
    games_are_rated,
)


# Tests --------------------------------------------------------------------------------------------


def test_no_service_does_slow_work_inside_its_transaction(write_lock: Watch):
    write_lock.finished.clear()
    for story in STORIES:
        story()
        assert write_lock.offences == [], story.__name__

    # If this fails, add the missing functions to a story.
    assert transactions() - write_lock.finished == set()


@pytest.mark.parametrize(
    ("slow", "said"),
    [
        (lambda: make_password("the sea"), "hashes a password"),
        (lambda: person("Ada").check_password("the sea"), "hashes a password"),
        (lambda: render_to_string("_too_much.html", {"sentence": ""}), "renders _too_much.html"),
        (lambda: EmailMessage("a", "b", to=["ada@example.org"]).send(), "sends a mail"),
        (lambda: cache.get("anything"), "asks the cache"),
    ],
)
def test_the_watch_notes_only_slow_work_under_the_lock(write_lock: Watch, slow, said):
    ada = person("Ada")
    ada.set_password("the sea")
    ada.save()
    slow()
    with transaction.atomic():
        # A test's own transaction does not count.
        slow()
    assert write_lock.offences == []
    as_the_site = compile("with atomic(): slow()", f"{ROOT}/games/services/new.py", "exec")

    exec(as_the_site, {"atomic": transaction.atomic, "slow": slow})

    seen = [*write_lock.offences]
    write_lock.offences.clear()
    assert seen and all(said in offence for offence in seen)
    assert ("games/services/new.py", "<module>") in write_lock.finished
