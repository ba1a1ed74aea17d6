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


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_a_found_game_is_a_short_row_that_leads_to_its_replay(reader, language):
    archived_game("Ada", "Boris", "Chika", "Dario", "Ewa", players=10)
    User.objects.update(shows_games="all")
    page = reader.page
    reader.read(_archive(language))
    # The reader opens all folds.
    page.eval_on_selector(".found-more", "(it) => { it.open = false; }")
    for width, highest in ((390, 160), (1366, 110)):
        page.set_viewport_size({"width": width, "height": 844})
        page.locator(".found-game").scroll_into_view_if_needed()
        (row,) = page.evaluate(PLACES, ".found-games > li")
        assert row["bottom"] - row["top"] < highest, width
        # The date and the number of players share a line.
        tops = page.locator(".found-game :is(time, span > span)").evaluate_all(
            "(all) => all.map((it) => Math.round(it.getBoundingClientRect().bottom))"
        )
        assert len(set(tops)) == 1, width
        # Wherever the row is pressed beside its names and its menu, it opens the replay.
        pressed = page.evaluate("""() => {
            const { left, right, bottom } = document.querySelector('.found-facts')
                .getBoundingClientRect();
            const at = document.elementFromPoint(right - 10, bottom - 4);
            return at.matches('.found-game') && left < right;
        }""")
        assert pressed, width


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_a_phone_shows_the_whole_value_of_each_filter(reader, language):
    reader.page.set_viewport_size({"width": 390, "height": 844})
    reader.read(_archive(language, "?winner=liberal&players=7&more=1"))
    cut = reader.page.evaluate("""() => [...document.querySelectorAll('.search .field > select')]
        .filter((it) => it.checkVisibility()).filter((it) => {
            const pen = document.createElement('canvas').getContext('2d');
            const style = getComputedStyle(it);
            pen.font = style.font;
            const room = it.clientWidth - parseFloat(style.paddingLeft)
                - parseFloat(style.paddingRight);
            return pen.measureText(it.selectedOptions[0].text).width > room;
        }).map((it) => it.selectedOptions[0].text)""")
    assert cut == []


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


def test_a_phone_s_filters_have_their_fields_beside_their_labels(reader):
    reader.page.set_viewport_size({"width": 390, "height": 844})
    for language in ("en", "ru", "ja"):
        reader.read(_archive(language, "?q=veto+7+players&more=1"))
        lefts = reader.page.locator(
            ".search-words ~ .wanted .field > :is(select, input):visible"
        ).evaluate_all("(all) => all.map((it) => Math.round(it.getBoundingClientRect().left))")
        assert len(lefts) > 6 and len(set(lefts)) == 1 and lefts[0] > 120, language


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_a_phone_shows_what_was_found_without_scrolling(reader, language):
    archived_game("Ada", "Boris", "Chika", "Dario", "Ewa")
    User.objects.update(shows_games="all")
    client = Client(headers={"Accept-Language": language})
    client.force_login(User.objects.get(username="Ada"))
    page = client.get("/archive/?q=5+players,+liberals+win", follow=True).content.decode()
    reader.read(page)
    # The reader opens all folds.
    reader.page.eval_on_selector_all(
        "#search-more, .found-more", "(all) => all.forEach((it) => { it.open = false; })"
    )
    for (width, height), parts in (
        ((390, 844), ("#results", ".found-games > li:first-child > a")),
        ((360, 640), ("#results",)),
    ):
        reader.page.set_viewport_size({"width": width, "height": height})
        for part in parts:
            (place,) = reader.page.evaluate(PLACES, part)
            assert place["bottom"] <= height, (width, part)


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
    for query in ("?player=Ada&more=1", "?moment=chaos&players=5&language=zh-hans"):
        reader.read(_archive(language, query))
        for lengthen in (None, LENGTHEN):
            if lengthen:
                page.evaluate(lengthen)
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, query
            # What a box clips counts, too.
            out = page.evaluate("""() => [...document.querySelectorAll('#search *')]
                .filter((it) => it.closest('.sr-only') === null && it.clientWidth
                    && it.getBoundingClientRect().right > 320.5).map((it) => it.outerHTML)""")
            assert out == [], query


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_no_line_of_a_result_s_facts_begins_or_ends_with_a_dot(reader, language):
    archived_game("Ada", "Boris", is_custom=True, seconds=4000, players=10)
    reader.read(_archive(language))
    for width in (320, 360, 390, 1366):
        reader.page.set_viewport_size({"width": width, "height": 844})
        lines = reader.page.evaluate("""() => {
            const facts = document.querySelector('.found-facts');
            const { left } = facts.parentElement.getBoundingClientRect();
            const cut = parseFloat(getComputedStyle(facts).clipPath.split(' ').at(-1));
            return [...facts.children].map((it, nth, all) => {
                const place = it.getBoundingClientRect();
                const text = place.left + parseFloat(getComputedStyle(it).paddingLeft);
                const above = all[nth - 1]?.getBoundingClientRect();
                return {
                    begins: !above || place.top >= above.bottom - 2,
                    // The dot of a line's first fact is left of the column, where it is cut off.
                    isCut: text <= left + 0.5
                        && facts.getBoundingClientRect().left + cut >= text - 0.5,
                    dot: getComputedStyle(it, '::before').content.includes('·'),
                    after: getComputedStyle(it, '::after').content,
                };
            });
        }""")
        assert all(it["after"] == "none" and it["dot"] for it in lines), width
        assert [it["isCut"] for it in lines] == [it["begins"] for it in lines], width
        assert any(not it["begins"] for it in lines)


def test_the_moments_among_the_filters_stand_off_the_field_above_them(reader):
    for width in (390, 1366):
        reader.page.set_viewport_size({"width": width, "height": 844})
        reader.read(_archive("en", "?more=1"))
        (legend,) = reader.page.evaluate(PLACES, ".search-moments > legend")
        above = reader.page.evaluate(PLACES, ".search [type=date]")
        gap = legend["top"] - max(it["bottom"] for it in above)
        assert 15 <= gap <= 21, (width, gap)


@pytest.mark.parametrize("width", [320, 390, 1366])
def test_more_at_a_result_opens_below_its_button_and_moves_nothing(reader, width):
    for _ in range(2):
        archived_game("Ada", "Boris")
    page = reader.page
    page.set_viewport_size({"width": width, "height": 844})
    reader.read(_archive("ru"))
    reader.close()
    parts = ".found-more > summary, .found-games > li"
    page.locator(".found-more > summary").first.scroll_into_view_if_needed()
    before = page.evaluate(PLACES, parts)
    # Without scripts, as here, its button opens and closes it.
    page.click(".found-more > summary >> nth=0")
    assert page.evaluate(PLACES, parts) == before
    (menu, _closed) = page.evaluate(PLACES, ".found-more > p")
    summary = page.evaluate(PLACES, ".found-more > summary")[0]
    assert 0 <= menu["left"] < menu["right"] <= width
    assert 0 <= menu["top"] - summary["bottom"] < 12
    assert menu["left"] < summary["right"] and menu["right"] > summary["left"]
    # It lies above the next result, and only one is open.
    link = page.locator(".found-more > p").first.locator("a").last
    link.scroll_into_view_if_needed()
    assert link.evaluate("""(it) => {
        const { left, top, width, height } = it.getBoundingClientRect();
        return it.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }""")
    page.locator(".found-more > summary").nth(1).press("Enter")
    assert page.locator(".found-more[open]").count() == 1


def test_the_button_of_a_phone_s_filters_stays_in_sight_and_covers_none_for_good(reader):
    page = reader.page
    for width, height in ((390, 844), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        reader.read(_archive("ru", "?more=1"))
        last = "#search_moment label >> nth=-1"
        for place, is_covered in (("#search-more", True), (last, False)):
            block = "start" if is_covered else "center"
            page.locator(place).evaluate("(it, block) => it.scrollIntoView({ block })", block)
            button, label = (page.locator(it).bounding_box() for it in ("#search-more-go", last))
            assert button["y"] + button["height"] <= height, (width, place)
            if not is_covered:
                assert label["y"] + label["height"] <= button["y"]


def test_a_phone_s_search_field_shows_several_words_whole_beside_its_button(reader):
    reader.page.set_viewport_size({"width": 390, "height": 844})
    reader.read(_archive("en", "?q=7+players+hitler+elected+ru"))
    (field,) = reader.page.evaluate(PLACES, ".search-words input:not([type=hidden])")
    (button,) = reader.page.evaluate(PLACES, "#search-go")
    assert button["left"] >= field["right"] and button["width"] >= 44
    assert reader.page.eval_on_selector("#search_q", "(it) => it.scrollWidth <= it.clientWidth")
    assert reader.page.get_by_role("button", name="Search", exact=True).count() == 1


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
