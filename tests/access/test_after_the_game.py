"""The pages after a game use the width that they have."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from tests.builders.archive import archived_game
from tests.builders.tables import NAMES, is_over, play_until, run_table, user_at
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


@pytest.fixture
def reader(chromium) -> Iterator[Reader]:
    with Reader(chromium) as reader:
        yield reader


def _archive(language: str, query: str = "") -> str:
    with translation.override(language):
        answer = Client(headers={"Accept-Language": language}).get(f"/archive/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def finished():
    table = run_table(NAMES[:7])
    play_until(table, is_over)
    return table


def _reads(table, path: str, language: str = "en") -> str:
    client = Client(headers={"Accept-Language": language})
    client.force_login(user_at(table, 0))
    return client.get(f"{table.get_absolute_url()}{path}").content.decode()


PLACES = """(selector) => [...document.querySelectorAll(selector)].map((it) => {
    const { top, bottom, left, right, width } = it.getBoundingClientRect();
    return { top, bottom, left, right, width };
})"""


def test_roles_votes_and_awards_use_the_width(reader, finished):
    page = reader.page
    for language in ("en", "ru"):
        reader.read(_reads(finished, "truth/", language))
        # Four awards, however many this game has.
        page.evaluate("""() => {
            const list = document.querySelector('.awards') ?? document.querySelector('.truth-roles')
                .insertAdjacentElement('afterend', document.createElement('ul'));
            list.className = 'awards';
            list.replaceChildren(...[1, 2, 3, 4].map((it) => {
                const li = document.createElement('li');
                li.textContent = it;
                return li;
            }));
        }""")
        for width, awards in ((1366, 2), (390, 2)):
            page.set_viewport_size({"width": width, "height": 800})
            places = page.evaluate(PLACES, ".awards > li")
            tops = [round(place["top"]) for place in places]
            assert {tops.count(top) for top in tops} == {awards}, (language, width)
            ((card,), (votes,)) = (
                page.evaluate(PLACES, ".votes-scroll"),
                page.evaluate(PLACES, ".votes"),
            )
            assert votes["width"] > 0.97 * card["width"], (language, width)
        roles = page.evaluate(PLACES, ".truth-roles > li")
        assert roles[0]["top"] == roles[1]["top"]
        gap = page.evaluate("""() => {
            const score = document.querySelector('.votes tbody td:last-child');
            const range = document.createRange();
            range.selectNodeContents(score);
            const mark = score.previousElementSibling.querySelector('i');
            return range.getBoundingClientRect().left - mark.getBoundingClientRect().right;
        }""")
        assert gap >= 6, language


@pytest.mark.parametrize(("players", "rows"), [(5, 1), (6, 2), (7, 2), (9, 2), (10, 2)])
def test_no_role_or_chart_stands_alone_in_the_last_row_on_a_laptop(reader, players, rows):
    table = run_table(NAMES[:players])
    play_until(table, is_over)
    reader.page.set_viewport_size({"width": 1366, "height": 768})
    client = Client()
    client.force_login(user_at(table, 0))
    reader.read(client.get(f"{table.get_absolute_url()}truth/").content.decode())
    tops = "(all) => all.map((it) => Math.round(it.getBoundingClientRect().top))"
    for parts in (".truth-roles > li", ".charts > .chart"):
        found = reader.page.locator(parts).evaluate_all(tops)
        assert len(found) == players and len(set(found)) == rows, parts
        assert found.count(found[-1]) >= rows + 1


def test_a_lie_is_marked_at_the_end_of_the_line_of_its_round(reader, finished):
    reader.page.set_viewport_size({"width": 390, "height": 844})
    reader.read(_reads(finished, "truth/", "ru"))
    # Every session as if it had a lie.
    reader.page.evaluate("""() => {
        for (const summary of document.querySelectorAll('.session > summary')) {
            summary.querySelector('.lied')?.remove();
            summary.insertAdjacentHTML(
                'beforeend', '<b class="lied">Ложь: <bdi>Anastazja Wiśnia</bdi></b>');
        }
    }""")
    names = reader.page.evaluate(PLACES, ".session .officers")
    lies = reader.page.evaluate(PLACES, ".session .lied")
    rounds = reader.page.evaluate(PLACES, ".session .round")
    assert names
    # At the end of the round's row, and the officers have the row below.
    for officers, number, lie in zip(names, rounds, lies, strict=True):
        assert lie["top"] < number["bottom"] and lie["bottom"] <= officers["top"] + 2
        assert lie["left"] >= number["left"] + 60
        assert lie["right"] > 320


# Makes all words of the page 40 % longer, outside of pictures and fields.
LENGTHEN = """() => {
    const words = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    for (let it = words.nextNode(); it; it = words.nextNode()) {
        const text = it.data.trim();
        if (text && it.parentElement.closest('svg, select, .sr-only') === null)
            it.data += text.slice(0, Math.ceil(0.4 * text.length));
    }
}"""


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_the_search_fits_the_narrowest_phone_also_with_longer_words(reader, language):
    happened = ("honest_accuser_ignored", "chaos")
    archived_game("Ada", "Boris", is_custom=True, moments=happened, seconds=4000, players=10)
    User.objects.update(shows_games="all")
    page = reader.page
    page.set_viewport_size({"width": 320, "height": 640})
    for query in ("?player=Ada", "?moment=chaos&players=5&language=zh-hans"):
        reader.read(_archive(language, query))
        for lengthen in (None, LENGTHEN):
            if lengthen:
                page.evaluate(lengthen)
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, query
            # What a box clips counts, too.
            out = page.evaluate("""() => [...document.querySelectorAll('.search *')]
                .filter((it) => it.closest('.sr-only') === null && it.clientWidth
                    && it.getBoundingClientRect().right > 320.5).map((it) => it.outerHTML)""")
            assert out == [], query


def test_a_warning_in_the_replay_takes_the_width_of_a_phone(reader, finished):
    reader.page.set_viewport_size({"width": 390, "height": 844})
    reader.read(_reads(finished, "replay/?move=3", "ru"))
    reader.page.evaluate("""() => {
        document.querySelector('.panel-banner .banner-foot').innerHTML =
            '<p class="warning"><svg class="icon"></svg>Если сейчас в канцлеры изберут Гитлера, '
            + 'фашисты победят.</p>';
    }""")
    (warning,) = reader.page.evaluate(PLACES, ".warning")
    assert warning["width"] > 340
    assert warning["bottom"] - warning["top"] < 50


def test_the_mask_of_a_warning_stands_off_its_words_on_a_laptop(reader, finished):
    reader.page.set_viewport_size({"width": 1366, "height": 768})
    reader.read(_reads(finished, "replay/?move=3"))
    gap = reader.page.evaluate("""() => {
        const foot = document.querySelector('.panel-banner .banner-foot');
        foot.innerHTML = '<p class="warning"><svg class="icon"></svg>If Hitler is elected.</p>';
        const range = document.createRange();
        range.selectNodeContents(foot.firstChild.lastChild);
        return range.getBoundingClientRect().left
            - foot.querySelector('.icon').getBoundingClientRect().right;
    }""")
    assert gap >= 5


def test_what_hides_a_part_again_ends_where_the_rule_of_its_title_ends(reader, finished):
    reader.read(_reads(finished, "truth/"))
    for width in (1366, 390):
        reader.page.set_viewport_size({"width": width, "height": 800})
        (title,) = reader.page.evaluate(PLACES, "#votes-title")
        (button,) = reader.page.evaluate(PLACES, "section:has(#votes-title) > .spoiler > summary")
        assert abs(button["right"] - title["right"]) < 1, width
        assert button["top"] < title["bottom"] and button["bottom"] > title["top"]


def test_the_names_above_the_votes_lie_on_a_laptop_and_stay_in_sight(reader, finished):
    reader.read(_reads(finished, "truth/"))
    for width in (1366, 390):
        reader.page.set_viewport_size({"width": width, "height": 400})
        reader.page.evaluate("""() => {
            const last = document.querySelector('.votes tbody tr:last-child');
            last.scrollIntoView({ block: 'end' });
        }""")
        names = reader.page.evaluate(PLACES, ".votes thead .upright")
        assert all(-1 <= name["top"] < name["bottom"] <= 300 for name in names)
        lying = [name["width"] > name["bottom"] - name["top"] for name in names]
        assert all(lying) if width > 900 else not any(lying)


def test_the_key_of_the_suspicion_stands_above_the_charts_that_it_explains(reader, finished):
    reader.read(_reads(finished, "truth/"))
    parts = "document.querySelectorAll('.chart.wins, .chart-key, .charts')"
    order = reader.page.evaluate(f"[...{parts}].map((it) => it.className)")
    assert order == ["chart wins", "chart-key", "charts"]
    between = "document.querySelector('.chart-key').nextElementSibling.className"
    assert reader.page.evaluate(between) == "charts"
