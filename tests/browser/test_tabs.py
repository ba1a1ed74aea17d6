"""The tabs beside the table count what is new behind them."""

import pytest

from tests.browser.opening import gathered

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

LOG = ".sheet-tabs [data-new=log]"


def test_the_log_counts_new_lines_until_it_is_read(site, newcomer) -> None:
    ada, bela, *_ = people = gathered(site, newcomer, "Tabs")
    page = ada.page

    for person in people:
        person.play(lambda _, choices: choices[0])
    # The vote is over: Ada has seen neither its lines in the log nor its government.
    page.wait_for_selector(".sheet-tabs [data-new=past]:text-is('1')")
    assert int(page.inner_text(LOG)) > 0
    page.reload()
    page.locator(LOG).wait_for()

    page.check(".sheet-tabs [value=log]", force=True)
    page.locator(LOG).wait_for(state="hidden")
    page.reload()
    assert page.locator(LOG).is_hidden()
    assert ada.errors == bela.errors == []
