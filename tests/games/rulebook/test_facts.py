"""The rulebook says what the engine does: each fact is looked up and then played."""

from itertools import combinations, product

import pytest

from games import wording
from games.rules.actions import AnswerVeto, Nominate, ProposeVeto
from games.rules.components import (
    CARDS_DRAWN,
    FAILED_ELECTIONS_TO_CHAOS,
    FASCIST_POLICIES_ARM_HITLER,
    FASCIST_POLICIES_TO_WIN,
    FASCIST_POLICIES_UNLOCK_VETO,
    LIBERAL_POLICIES_TO_WIN,
    Party,
    Policy,
    Role,
    deck,
    roles_for,
)
from games.rules.editions import EDITIONS, Formula, Limited, SmallTable, TrackerReset
from games.rules.events import NotHitler
from games.rules.phases import Phase
from games.rules.powers import Execute, Executed, Investigate, powers_for
from games.rules.reasons import Reason
from games.rules.silence import silenced
from games.rules.state import draft_of, freeze
from games.rules.view import view_for
from games.services.play import _LATE_IS_AWAY
from tests.games.rulebook.shelf import VALUES, blocks, book, told
from tests.games.rules.table import FINAL, Table, cards

LIMITS = list(product(("elected", "enactors"), (True, False)))
RESETS = list(product(("policy", "election"), (True, False)))


def numbers(of: str) -> list[int]:
    """Return the numbers of players that a row's heading names."""
    # Word joiners keep a range on one line.
    least, _, most = of.replace("\u2060", "").partition("–")
    return list(range(int(least), int(most or least) + 1))


# Numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_roles_of_each_number_of_players_are_those_that_are_dealt(edition):
    rows = blocks(book(edition))["roles"].rows
    least, most = EDITIONS[edition].players

    assert [int(row[0]) for row in rows] == list(range(least, most + 1))
    for players, *counts in rows:
        dealt = roles_for(int(players))
        assert [int(count) for count in counts] == [dealt.count(role) for role in Role]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_powers_of_each_number_of_players_are_those_of_its_track(edition):
    seen = []
    for head, *cells in blocks(book(edition))["powers-table"].rows:
        for players in numbers(head):
            seen.append(players)
            for space, (power, cell) in enumerate(zip(powers_for(players), cells, strict=True), 1):
                if space == FASCIST_POLICIES_TO_WIN:
                    assert cell == wording.winner(Party.FASCIST)
                elif power is None:
                    assert cell == "–"
                else:
                    assert cell.startswith(wording.power(power))
                assert ("veto" in cell) == (space == FASCIST_POLICIES_UNLOCK_VETO)

    least, most = EDITIONS[edition].players
    assert seen == list(range(least, most + 1))


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_powers_that_a_table_of_these_rules_can_meet_are_explained(edition):
    least, most = EDITIONS[edition].players
    met = {power for n in range(least, most + 1) for power in powers_for(n) if power}

    explained = {
        key.replace("-", "_")
        for key in blocks(book(edition))
        if key in ("investigation", "special-election", "peek", "execution")
    }

    assert explained == {str(power) for power in met}


def test_the_box_holds_the_deck_and_a_role_for_each_of_the_most_players():
    for players, has_cards in ([5, 10], True), ([5, 6], False):
        rows = dict(blocks(book(players=players, party_cards=has_cards))["components"].rows)

        assert int(rows["Liberal policies"]) == deck().count(Policy.LIBERAL)
        assert int(rows["Fascist policies"]) == deck().count(Policy.FASCIST)
        assert int(rows["Secret role cards"]) == players[1]
        assert ("Party membership cards" in rows) == has_cards
        boards = rows["Double-sided boards: a fascist track, and a liberal track on the back"]
        assert int(boards) == len({powers_for(n) for n in range(5, 11)})


def test_the_odds_of_the_first_draw_are_counted_from_the_deck():
    hands = list(combinations(deck(), CARDS_DRAWN))
    for fascist, odds in blocks(book())["odds"].rows:
        hits = sum(hand.count(Policy.FASCIST) == int(fascist) for hand in hands)
        assert odds == wording.percent(hits / len(hands))


def test_numbers_that_are_written_as_words_are_the_game_s():
    assert "At three there is chaos" in told("tracker-advances")
    assert FAILED_ELECTIONS_TO_CHAOS == 3
    assert "Once three fascist policies" in told("hitler-check")
    assert FASCIST_POLICIES_ARM_HITLER == 3
    assert "After the fifth fascist policy" in told("veto-how")
    assert FASCIST_POLICIES_UNLOCK_VETO == 5
    assert "draws three" in blocks(book())["session-steps"].items[0]
    assert CARDS_DRAWN == 3
    assert LIBERAL_POLICIES_TO_WIN == 5 and FASCIST_POLICIES_TO_WIN == 6
    ends = [row[1] for row in blocks(book())["ends"].rows]
    assert ends[0].startswith("Five liberal") and ends[2].startswith("Six fascist")
    assert "Miss two turns in a row" in told("away")
    assert _LATE_IS_AWAY == 2


# Roles and what players know of them --------------------------------------------------------------


@pytest.mark.parametrize("players", range(5, 11))
def test_who_knows_whom_after_the_night_is_what_the_book_says(players):
    state = Table("en", players).state
    hitler = state.setup.roles.index(Role.HITLER)
    fascists = [seat for seat, role in enumerate(state.setup.roles) if role is Role.FASCIST]
    alone = blocks(book(players=[players, players]))

    knows = [
        seat
        for seat, role in enumerate(view_for(state, hitler).roles)
        if role is not None and seat != hitler
    ]
    assert knows == (fascists if "hitler-knows" in alone else [])
    assert ("hitler-alone" in alone) == (not knows)
    for fascist in fascists:
        seen = view_for(state, fascist).roles
        assert seen[hitler] is Role.HITLER
        assert all(seen[other] is Role.FASCIST for other in fascists)


# Elections ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("limited", "lapse"), LIMITS)
def test_limits_outlive_a_rejected_government_where_the_book_says_so(limited, lapse):
    text = told("limits", limited=limited, limits_lapse=lapse)
    table = Table("en", 7, limited=limited, limits_lapse=lapse)
    table.government(0, 2, "liberal")
    assert table.state.limited == (0, 2)

    table.reject()

    assert (table.state.limited == (0, 2)) == ("A rejected government changes nothing" in text)
    assert (table.state.limited == ()) == ("in the round just before" in text)


@pytest.mark.parametrize(("limited", "lapse"), LIMITS)
def test_a_veto_limits_those_whom_the_book_says(limited, lapse):
    options = {"limited": limited, "limits_lapse": lapse, "veto_advances_tracker": False}
    table = Table("en", 8, **options).play_to(fascist=5)
    vetoing = table.candidate

    table.veto()

    held_office = "has held office" in told("limits-veto", **options)
    assert (vetoing in table.state.limited) == held_office
    if not held_office:
        assert (table.state.limited == ()) == (
            "If that round enacted none" in told("limits", **options)
        )


@pytest.mark.parametrize("small_table", [str(value) for value in SmallTable])
@pytest.mark.parametrize("players", [5, 6, 8])
def test_the_exception_for_small_tables_holds_when_the_book_says_so(small_table, players):
    text = told("small-table", small_table=small_table)
    table = Table("en", players, small_table=small_table)
    table.government(0, 1, "liberal")
    by_start = "In a game that began with five players" in text
    assert by_start != ("While five or fewer players are alive" in text)
    assert table.state.limited == ((1,) if players == 5 else (0, 1))

    if players == 6:
        table.play_to(fascist=3).govern("fascist")
        apart = {table.state.president, table.state.chancellor, *table.seats("H")}
        table.execute(next(seat for seat in table.state.alive if seat not in apart))
        assert len(table.state.limited) == (2 if by_start else 1)


def test_chaos_clears_limits_and_gives_no_power_and_checks_no_one():
    for edition in EDITIONS:
        assert "clears all term limits and returns the tracker to 0" in told("chaos", edition)
        players = EDITIONS[edition].players[1]
        table = Table(edition, players, deck="FFF" + "F" * 5).play_to(fascist=1)
        table.chaos()
        assert table.state.limited == () and table.state.tracker == 0
        assert table.state.phase is Phase.NOMINATION
        assert "not_hitler" not in table.heard


def test_a_tie_rejects_the_government():
    assert "a tie rejects the government" in told("vote")

    assert "rejected" in Table("en", 6).nominate(1).vote("jjjnnn").heard
    assert "elected" in Table("en", 6).nominate(1).vote("jjjjnn").heard


@pytest.mark.parametrize("reset", [str(value) for value in TrackerReset])
def test_the_tracker_returns_to_0_when_the_book_says(reset):
    text = told("tracker-resets", tracker_resets_on=reset)
    table = Table("en", 5, tracker_resets_on=reset).reject()

    table.elect(table.candidate, table.harmless())
    at_election = table.state.tracker == 0
    table.pass_cards().enact("fascist")

    assert at_election == ("as soon as a government is elected" in text)
    assert at_election != ("when a policy is enacted" in text)
    assert table.state.tracker == 0


@pytest.mark.parametrize("badge", [True, False])
def test_a_badge_is_worn_where_the_book_says(badge):
    options = book(not_hitler_badge=badge).options

    line = wording.event_sentence(NotHitler(1), 0, ["Ada", "Bo"], options)

    assert ("badge" in line) == badge
    assert ("wears a badge" in told("badge", not_hitler_badge=badge)) == badge


# Legislative sessions -----------------------------------------------------------------------------


@pytest.mark.parametrize("silence", VALUES["silence"])
def test_those_are_silent_who_the_book_says_and_until_when_it_says(silence):
    table = Table("en", 5, silence=silence)
    both = (0, 1)
    text = told("silence-who", silence=silence)
    here = told("silence-here", silence=silence)
    everybody = "the whole table is silent" in text
    expected = table.state.alive if everybody else both
    assert ("living players can’t write" in here) == everybody

    table.elect(0, 1)
    assert silenced(view_for(table.state, None)) == expected
    table.pass_cards()
    assert silenced(view_for(table.state, None)) == expected
    table.enact("fascist")

    assert "when a policy is enacted" in told("silence-end", silence=silence)
    assert silenced(view_for(table.state, None)) == ()


def with_piles(table: Table, draw: str, discards: str) -> Table:
    """Put the table into the same position with these piles."""
    draft = draft_of(table.state)
    draft.draw, draft.discards = cards(draw), cards(discards)
    table.state = freeze(draft)
    return table


@pytest.mark.parametrize("reshuffle", VALUES["reshuffle"])
def test_a_small_pile_is_shuffled_when_the_book_says(reshuffle):
    text = told("reshuffle", reshuffle=reshuffle)

    after_session = with_piles(Table("en", 5, reshuffle=reshuffle), "LFFLF", "FFF")
    after_session.government(0, 1, "fascist")
    assert ("shuffled" in after_session.heard) == ("at the end of a session" in text)

    after_chaos = with_piles(Table("en", 5, reshuffle=reshuffle), "FLF", "FFF")
    after_chaos.chaos()
    assert ("shuffled" in after_chaos.heard) == ("and after chaos" in text)

    # This holds in every edition.
    assert "the pile is shuffled first" in told("reshuffle-else", reshuffle=reshuffle)
    before_draw = with_piles(Table("en", 5, reshuffle=reshuffle), "FL", "FFFL").elect(0, 1)
    assert "shuffled" in before_draw.heard
    of_two = with_piles(Table("en", 5, reshuffle=reshuffle), "FL", "FFFL")
    while "enacted" not in of_two.reject().heard:
        assert "shuffled" not in of_two.heard
    assert of_two.heard.index("enacted") < (
        of_two.heard.index("shuffled") if "shuffled" in of_two.heard else 99
    )


@pytest.mark.parametrize(("reset", "advances"), RESETS)
def test_an_accepted_veto_does_to_the_tracker_what_the_book_says(reset, advances):
    options = {"tracker_resets_on": reset, "veto_advances_tracker": advances}
    text = told("veto-tracker", **options)
    table = Table("en", 8, **options).play_to(fascist=5)
    table.reject().reject()

    table.veto()

    by_chaos = "enacted" in table.heard
    assert by_chaos == ("chaos follows at once" in text)
    assert ("veto-chaos" in blocks(book(**options))) == by_chaos
    assert (table.state.tracker == 1) == ("stands at 1" in text)
    assert (table.state.tracker == 2) == ("leaves the election tracker where it stands" in text)
    if reset == "election" and not advances:
        assert "adds nothing" in text
        assert table.state.tracker == 0


@pytest.mark.parametrize("reshuffle", VALUES["reshuffle"])
def test_the_vetoed_policies_are_shuffled_in_before_chaos_where_the_book_says(reshuffle):
    table = Table("en", 8, reshuffle=reshuffle).play_to(fascist=5).reject().reject()
    with_piles(table, "LFLF", "FL")

    table.veto()

    text = told("veto-chaos", reshuffle=reshuffle)
    first = table.heard.index("enacted")
    shuffled = "shuffled" in table.heard[:first]
    assert shuffled == ("shuffled with them" in text)


def test_a_veto_is_proposed_after_the_fifth_fascist_policy_and_once_a_session():
    for edition in FINAL:
        table = Table(edition, 8).play_to(fascist=4)
        table.elect(table.candidate, table.harmless()).pass_cards()
        assert table.refuses(ProposeVeto(table.state.chancellor)) is Reason.VETO_LOCKED
        table.enact("fascist").use_power()
        table.elect(table.candidate, table.harmless()).pass_cards().propose_veto()
        table.answer_veto(False)
        assert table.refuses(ProposeVeto(table.state.chancellor)) is Reason.VETO_REFUSED
        assert "can’t be proposed again in the same session" in told(
            "veto-how" if edition == "en" else "veto-how-open", edition
        )


# Powers -------------------------------------------------------------------------------------------


def test_no_one_is_investigated_twice_or_chooses_themselves():
    assert "who hasn’t been investigated yet" in told("investigation")
    assert "you can’t choose yourself" in told("powers-when")
    table = Table("en", 9).govern("fascist")
    me = table.state.president
    assert table.refuses(Investigate(me, me)) is Reason.YOURSELF
    table.investigate(5)
    table.govern("fascist")
    assert table.refuses(Investigate(table.state.president, 5)) is Reason.INVESTIGATED_BEFORE
    assert Table("en").refuses(Nominate(0, 0)) is Reason.YOURSELF


def test_a_neighbour_who_is_chosen_stands_twice_in_a_row():
    assert "run twice in a row" in told("special-election")
    table = Table("en", 7).play_to(fascist=2).govern("fascist")
    caller = table.state.president
    neighbour = (caller + 1) % 7

    table.call_special_election(neighbour)
    assert table.candidate == neighbour
    table.reject()
    assert table.candidate == neighbour


def test_a_peek_leaves_the_policies_where_they_are():
    assert "in the same order" in told("peek")
    table = Table("en", 5).play_to(fascist=2).govern("fascist")
    before = table.deck

    table.peek()

    assert table.deck == before


@pytest.mark.parametrize("says", [True, False])
def test_the_executed_say_that_they_are_not_hitler_where_the_book_says(says):
    text = told("executed", executed_says_not_hitler=says)
    options = book(executed_says_not_hitler=says).options

    line = wording.event_sentence(Executed(1), 0, ["Ada", "Bo"], options, game_goes_on=True)

    assert ("I am not Hitler" in line) == says == ("whether you’re Hitler" in text)


def test_executing_hitler_wins_at_once():
    assert "If it was Hitler, the liberals win at once" in told("execution")
    table = Table("en", 5).play_to(fascist=3).govern("fascist")

    table.do(Execute(table.state.president, 4))

    assert table.state.outcome.winner is Party.LIBERAL


def test_hitler_wins_as_chancellor_after_the_third_fascist_policy_only():
    early = Table("en", 5).play_to(fascist=2)
    early.elect(early.candidate, 4)
    assert early.state.outcome is None
    late = Table("en", 5).play_to(fascist=3)
    late.elect(late.candidate, 4)
    assert late.state.outcome.winner is Party.FASCIST


@pytest.mark.parametrize("formulas", VALUES["spoken_formula"])
def test_the_log_speaks_set_words_where_the_book_says(formulas):
    text = told("set-words", spoken_formula=formulas)
    options = book(spoken_formula=formulas).options
    names = [f"P{n}" for n in range(5)]
    lines = {
        Formula.VETO_CHANCELLOR: wording.action_sentence(ProposeVeto(0), names, options),
        Formula.VETO_PRESIDENT: wording.action_sentence(AnswerVeto(0, True), names, options),
        Formula.EXECUTION: wording.action_sentence(Execute(0, 1), names, options),
        Formula.INVESTIGATION: wording.action_sentence(Investigate(0, 1), names, options),
    }

    for formula, line in lines.items():
        # To whom it is said, only the log knows.
        words = wording.set_words(formula, options).removeprefix("[player]")
        assert (words in line) == (formula in formulas) == (words in text)


def test_limits_that_an_edition_takes_from_its_document_are_told_as_open_only_where_they_hold():
    for edition in ("ja", "ru-5-6"):
        hint = "the previous round"
        assert any(hint in item for item in blocks(book(edition))["open"].items)
        lapse = not EDITIONS[edition].limits_lapse
        mixed = blocks(book(edition, limits_lapse=lapse))["open"].items
        assert not any(hint in item for item in mixed)


def test_the_limits_of_the_italian_rules_survive_a_veto():
    # RULES.md, decision 2.
    assert EDITIONS["it"].limited is Limited.ENACTORS
    told_open = blocks(book("it"))["open"].items
    assert any(
        "After a veto the pair that enacted before stays limited" in item for item in told_open
    )
    table = Table("it", 8).play_to(fascist=5)
    before = table.state.limited
    table.veto()
    assert table.state.limited == before
