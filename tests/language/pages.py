"""Every page of the site, and a table in every phase, as the server answers them."""

from collections.abc import Iterator

from django.test import Client
from django.urls import NoReverseMatch, reverse

from accounts.models import User
from games.models import Table
from games.rules.state import Phase
from games.services import talk
from tests.games.stories import (
    act,
    fascist_dream,
    gather,
    is_over,
    legal_actions,
    person,
    run_table,
    state_of,
    user_at,
)
from tests.secrecy.surfaces import routes

# Neither pages of this site's own, nor to be read by people.
_LEFT = {"robots", "sitemap", "account_export_file", "mfa_download_recovery_codes"}


def pages(language: str) -> Iterator[tuple[str, str]]:
    """Names and HTML of all pages, as strangers, players and the host see them."""
    gathering = gather(("Ada", "Boris", "Chika", "Dario", "Ewa"))
    yield from _everywhere(language, gathering)
    yield from _table(language, "gathering", gathering, (None, "Ada", "Boris", "Sofia"))
    yield from _a_game(language, run_table())


def _a_game(language: str, table: Table) -> Iterator[tuple[str, str]]:
    """The table at the first decision of each phase, for those who decide and those who watch."""
    seen: set[Phase] = set()
    talk.say(table=table, user=user_at(table, 1), place="table", text="Ĥéļļö, ƒŕîéñðš!", key="t1")
    state = state_of(table)
    while not is_over(state):
        if state.phase not in seen:
            seen.add(state.phase)
            actor = user_at(table, state.to_act[0]).username
            yield from _table(language, state.phase, table, (None, actor))
        actions = legal_actions(state, state.to_act[0])
        vetoes = [a for a in actions if a.kind == "propose_veto"]
        if vetoes and Phase.VETO_PROPOSED not in seen:
            state = act(table, vetoes[0])
        else:
            state = act(table, fascist_dream(state, state.to_act[0]))
    yield from _table(language, "over", table, (None, "Ada"))


def _table(
    language: str, moment: str, table: Table, names: tuple[str | None, ...]
) -> Iterator[tuple[str, str]]:
    for name in names:
        html = _read(_browser(language, name and person(name)), table.get_absolute_url())
        if html:
            yield f"table, {moment}, {name or 'a stranger'}", html


def _everywhere(language: str, table: Table) -> Iterator[tuple[str, str]]:
    """All addresses that a link may lead to, as far as they can be filled in here."""
    known = {"code": table.code, "token": table.invitation, "edition": "ru"}
    for name, arguments in routes():
        if name in _LEFT or not set(arguments) <= set(known):
            continue
        try:
            path = reverse(name, kwargs={one: known[one] for one in arguments})
        except NoReverseMatch:
            continue
        for who in (None, "Ada"):
            html = _read(_browser(language, who and person(who)), path)
            if html:
                yield f"{path}, {who or 'a stranger'}", html


def _browser(language: str, user: User | None) -> Client:
    browser = Client(HTTP_ACCEPT_LANGUAGE=language)
    if user is not None:
        browser.force_login(user)
    return browser


def _read(browser: Client, path: str) -> str:
    """A whole page; "" for a fragment, a file or a way elsewhere."""
    answer = browser.get(path)
    html = answer.content.decode(errors="replace")
    return html if html.lstrip().startswith("<!doctype html>") and answer.status_code != 404 else ""
