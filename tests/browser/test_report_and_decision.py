"""A report and its decision from end to end, in three languages.

The reporter reads Japanese, the moderator English, and the reported player Polish.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.translation import gettext, ngettext

from games.wording import ready_text
from tests.browser.conftest import ROOT, Site
from tests.browser.person import Person

pytestmark = pytest.mark.browser

_OFFICE = """
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Permission
from accounts.models import User
user = User.objects.get(username="Mona")
user.user_permissions.add(Permission.objects.get(codename="moderate"))
Authenticator.objects.create(user=user, type="totp", data={})
"""
_SANCTIONS = """
from accounts.models import Sanction
rows = Sanction.objects.all()
print([(s.user.username, s.by.username, s.kind, s.language, s.reason) for s in rows])
"""


def asks_the_site(site: Site, program: str) -> str:
    """Run a program beside the site, as its owner would, and return what it prints."""
    data = Path(str(site.log).removesuffix(".log"))
    environment = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", program],
        cwd=ROOT,
        env=environment | {"CHANCELLERY_DATA": str(data)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def in_words_of(person: Person, sentence: str) -> str:
    with translation.override(person.language):
        return gettext(sentence)


def test_a_report_goes_from_the_table_to_its_decision_and_back(site, newcomer) -> None:
    reporter = newcomer(site, "しおり", language="ja", width=390, height=844)
    reported = newcomer(site, "Łukasz", language="pl")
    # The moderator has no JavaScript.
    judge = newcomer(site, "Mona", language="en", javascript=False)
    for person in (reporter, reported, judge):
        person.register()
    # Choose the language, so that the account stores it; the browser's language is not stored.
    # A phone has it among the preferences only.
    for person, path, chosen in (
        (reporter, "/account/preferences/", "#id_language"),
        (reported, "/", "#language"),
    ):
        person.page.goto(path)
        person.page.select_option(chosen, person.language)
        with person.page.expect_navigation():
            person.page.eval_on_selector(chosen, "(list) => list.form.requestSubmit()")
    asks_the_site(site, _OFFICE)

    reporter.page.goto("/tables/new/")
    reporter.page.select_option("select[name=seats_wanted]", "5")
    reporter.page.click("#open")
    reporter.page.wait_for_selector("#panel-seats")
    table = reporter.page.url.removeprefix(reporter.line.url)
    reported.page.goto(table)
    reported.post("join")
    reported.page.wait_for_selector("[data-you]", state="attached")
    reported.page.fill("#say-text", "Jesteście wszyscy głupi")
    reported.page.press("#say-text", "Enter")

    # Two clicks: the flag beside the message, and the reason.
    said = reporter.page.locator("#rows-talk li", has_text="Jesteście wszyscy głupi")
    reporter.page.click(".talk-call")
    said.locator("a.report").click()
    reporter.page.wait_for_selector("button[name=reason][value=abuse]")
    assert reporter.page.locator("html").get_attribute("lang") == "ja"
    reporter.page.fill("textarea[name=words]", "ひどい言葉です")
    reporter.page.click("button[name=reason][value=abuse]")
    thanks = in_words_of(
        reporter, "Thanks. Our moderators will take a look, and you’ll hear the outcome."
    )
    assert thanks in reporter.page.inner_text(".messages")

    judge.page.goto("/moderation/")
    judge.page.click(".queue-row a", timeout=10_000)
    assert "Łukasz" in judge.page.inner_text("h1")
    judge.page.click("#claim")
    page = judge.page.inner_text("main")
    assert "Jesteście wszyscy głupi" in page and "ひどい言葉です" in page
    # The suggested text is in the language of the reported player.
    text = judge.page.input_value("textarea[name=reason]")
    assert text == ready_text("abuse", "pl")
    judge.page.select_option("select[name=kind]", "mute")
    judge.page.select_option("select[name=days]", "3")
    judge.page.fill("textarea[name=reason]", f"{text} To pierwszy raz.")
    judge.page.click("#decide-button")
    assert "Acted upon" in judge.page.inner_text("main")

    said = asks_the_site(site, _SANCTIONS)
    assert str([("Łukasz", "Mona", "mute", "pl", f"{text} To pierwszy raz.")]) in said
    # The reporter's open page shows the notification, without the moderator and the reason.
    reporter.page.wait_for_selector("#bell .bell-count")
    reporter.page.click("#bell")
    with translation.override("ja"):
        told = gettext(
            "Your report (%(name)s): a moderator looked at it and took action. Thanks!"
        ) % {"name": "Łukasz"}
        unread = ngettext("%(unread)s unread", "%(unread)s unread", 1) % {"unread": 1}
    main = reporter.page.inner_text("main")
    assert told in " ".join(main.split())
    assert unread in reporter.page.locator("#bell").text_content()
    assert "Mona" not in main and "pierwszy" not in main
    for person in (reporter, reported):
        assert person.errors == []
