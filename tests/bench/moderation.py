"""The moderators' queue with thousands of reports: how long a page takes, and how many statements.

    python -m tests.bench.moderation [--reports 5000] [--rounds 20]

Uses its own database in memory. It prints the server's time for one request of a signed-in
moderator: middleware, database (in this very process) and template, without the network.
"Of work" is the processor's time, which other programs on the machine do not lengthen.
"""

import argparse
import os
import statistics
import time
from datetime import timedelta

LIMIT_MS = 150
# Reports per case. Every tenth case belongs to no table.
_OF_A_CASE = 2
_LANGUAGES = ("en", "ru", "pl", "ja", "it")


def fill(*, reports_count: int, beginning: int = 0) -> None:
    """Add this many reports, two to a case, each with fifteen copied messages.

    Calls with a different `beginning` create different users and tables.
    """
    from django.utils import timezone

    from accounts.models import User
    from games.models import Case, Reason, Report, Table

    now, reasons = timezone.now(), list(Reason)
    cases = reports_count // _OF_A_CASE
    people = [_account(f"Person {beginning}x{number}") for number in range(cases)]
    User.objects.bulk_create(people)
    tables = Table.objects.bulk_create(
        Table(edition="en", seats_wanted=7, stage=Table.Stage.CLOSED, host=people[number])
        for number in range(cases // 5 + 1)
    )
    made = Case.objects.bulk_create(
        Case(
            person=person,
            table=None if number % 10 == 0 else tables[number // 5],
            language=_LANGUAGES[number % 5],
            opened_at=now - timedelta(minutes=number),
            newest_at=now,
            reports_count=_OF_A_CASE,
        )
        for number, person in enumerate(people)
    )
    copies = [
        {
            "place": "table", "nth": nth, "kind": "text", "seat": nth % 7, "guest": None,
            "name": f"Person {nth % 7}", "user": None, "text": "words " * 12, "data": {},
            "names": [], "round": 3, "at": now.isoformat(), "is_reported": nth == 8,
        }
        for nth in range(15)
    ]  # fmt: skip
    Report.objects.bulk_create(
        (
            Report(
                case=case,
                reporter=people[(number + turn + 1) % cases],
                about=Report.About.PERSON,
                thing=f"bench:{case.pk}:{turn}",
                reason=reasons[(number + turn) % len(reasons)],
                words="They would not stop.",
                language="en",
                called=people[number].username,
                seat=number % 7,
                copies=copies,
                at=now,
            )
            for number, case in enumerate(made)
            for turn in range(_OF_A_CASE)
        ),
        batch_size=500,
    )


def _account(name: str) -> "object":
    from accounts.models import User

    user = User(username=name)
    user.set_keys()
    user.set_unusable_password()
    return user


def moderator() -> "object":
    """Return a user with the moderator's permission, a second factor, and friends."""
    from allauth.mfa.models import Authenticator
    from django.contrib.auth.models import Permission
    from django.utils import timezone

    from accounts.models import Friendship, User

    user = User.objects.create(username="Mira Bench")
    user.user_permissions.add(Permission.objects.get(codename="moderate"))
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
    friends = User.objects.filter(username__startswith="Person")[:50]
    Friendship.objects.bulk_create(
        Friendship(asked_by=user, asked=friend, accepted_at=timezone.now()) for friend in friends
    )
    return user


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reports", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=20)
    asked = parser.parse_args()

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["DATABASE_URL"] = "sqlite://:memory:"
    os.environ["LIMITS"] = "off"
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client
    from django.test.utils import setup_test_environment

    from games.models import Case
    from tests.bench.counting import counting

    setup_test_environment()
    # Serve static files straight from the source.
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    call_command("migrate", verbosity=0)
    fill(reports_count=asked.reports)
    client = Client()
    client.force_login(moderator())
    # A case about a person who is not a friend of the moderator.
    case = Case.objects.filter(table__isnull=False)[Case.objects.count() // 2]
    paths = {
        "the queue": "/moderation/",
        "its last page": "/moderation/?page=9999",
        "one reason": "/moderation/?reason=throwing&held=nobody",
        "one language, old": "/moderation/?language=pl&age=hour",
        "a case": f"/moderation/cases/{case.pk}/",
    }
    print(f"{asked.reports} reports in {Case.objects.count()} cases, {asked.rounds} requests each")
    for name, path in paths.items():
        assert client.get(path).status_code == 200, path
        with counting() as counts:
            client.get(path)
        walls, works = [], []
        for _ in range(asked.rounds):
            begun, worked = time.perf_counter(), time.thread_time()
            client.get(path)
            walls.append(1000 * (time.perf_counter() - begun))
            works.append(1000 * (time.thread_time() - worked))
        work = statistics.median(works)
        verdict = "ok" if work < LIMIT_MS else f"over {LIMIT_MS} ms"
        print(
            f"{name:20} {work:6.1f} ms of work, {statistics.median(walls):6.1f} ms in all "
            f"(medians), {len(counts.statements):3} statements: {verdict}"
        )


if __name__ == "__main__":
    main()
