"""No text overflows its button or card. Japanese is hardest: its long names do not break."""

import pytest

from accounts.models import User
from games.models import Table
from games.rules.phases import Phase
from games.services.table_moderation import freeze_table
from tests.builders.person import Person
from tests.builders.tables import in_phase, play_until, run_table, state_of, user_at
from tests.pages import Reader
from tests.second_factor import with_second_factor

pytestmark = [pytest.mark.browser, pytest.mark.nightly, pytest.mark.django_db]

WIDTHS = (1280, 390, 320)
TOO_WIDE = """
() => [...document.querySelectorAll(".choices button, .hand.held li")].flatMap((choice) => {
  const frame = choice.getBoundingClientRect();
  return [...choice.querySelectorAll(":not(.sr-only, svg *)")]
    .filter((child) => {
      const box = child.getBoundingClientRect();
      return box.left < frame.left || box.right > frame.right;
    })
    .map((child) => `${choice.innerText}: ${child.outerHTML}`);
})
"""


def seen_by_the_actor(chromium, table: Table) -> list[str]:
    actor = Person(user_at(table, state_of(table).to_act[0]), table, "ja")
    with Reader(chromium) as reader:
        reader.read(actor.page())
        assert reader.page.locator(".choices button, .hand.held li").count() >= 2
        found = []
        for width in WIDTHS:
            reader.page.set_viewport_size({"width": width, "height": 900})
            found += [f"at {width}: {what}" for what in reader.page.evaluate(TOO_WIDE)]
    return found


@pytest.mark.parametrize(
    "phase", [Phase.ELECTION, Phase.PRESIDENT_DISCARDS, Phase.CHANCELLOR_ENACTS]
)
def test_no_child_of_a_choice_is_wider_than_its_button(chromium, phase) -> None:
    table = run_table()
    play_until(table, in_phase(phase))
    assert seen_by_the_actor(chromium, table) == []


def test_nor_than_the_card_s_frame_while_the_table_is_frozen(chromium) -> None:
    table = run_table()
    play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))
    mona = with_second_factor(User.objects.create_superuser("Mona", password=None))
    freeze_table(actor=mona, table=table, because="report", reason="Why?")
    assert seen_by_the_actor(chromium, table) == []
