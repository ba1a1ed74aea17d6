"""The end at the table: each player's result and part, what decided the game, and every hand."""

import re
from html import unescape

import pytest
from django.db.models import F
from django.utils.html import strip_tags

from games.models import Table
from games.rules.actions import Action, Discard, Enact, Nominate, Vote
from games.rules.components import Ballot, Policy, Role
from games.rules.knowledge import Drawn, Received
from games.rules.legality import legal_actions
from games.rules.phases import Phase
from games.rules.powers import Execute
from games.rules.state import GameState
from games.services.sharing import allow_sharing
from games.state.rooms import room_of
from tests.builders.motions import panels_of, stopped
from tests.builders.person import Person
from tests.builders.tables import (
    NAMES,
    fascist_dream,
    fresh,
    is_over,
    person,
    play_until,
    run_table,
    state_of,
)

pytestmark = pytest.mark.django_db


def elects_hitler(state: GameState, seat: int) -> Action:
    """Follow `fascist_dream` until Hitler may win as Chancellor."""
    nominates = Nominate(seat, state.setup.roles.index(Role.HITLER))
    may_win = state.phase is Phase.NOMINATION and state.fascist >= 3
    return nominates if may_win and nominates.target != seat else fascist_dream(state, seat)


def executes_hitler(state: GameState, seat: int) -> Action:
    executes = Execute(seat, state.setup.roles.index(Role.HITLER))
    return executes if executes in legal_actions(state, seat) else fascist_dream(state, seat)


def liberal_dream(state: GameState, seat: int) -> Action:
    def dreamt(action: Action) -> tuple[bool, str]:
        match action:
            case Discard(policy=policy):
                return policy is Policy.LIBERAL, ""
            case Enact(policy=policy):
                return policy is Policy.FASCIST, ""
            case Nominate(target=target) | Execute(target=target):
                return target == state.setup.roles.index(Role.HITLER), str(action)
            case Vote(ballot=ballot):
                return ballot is Ballot.NEIN, ""
        return action.kind == "propose_veto", str(action)

    return min(legal_actions(state, seat), key=dreamt)


def ended(prefers=fascist_dream, players: int = 5) -> Table:
    table = run_table(NAMES[:players])
    play_until(table, is_over, prefers)
    return fresh(table)


def end_of(table: Table, name: str) -> str:
    """Return the text of the viewer's panel, without markup."""
    text = strip_tags(panels_of(table, name)["action"])
    return re.sub(r"\s+", " ", unescape(text))


def heading(table: Table, name: str) -> str:
    return strip_tags(panels_of(table, name)["action"].split("</h2>")[0]).strip()


@pytest.mark.parametrize(
    ("prefers", "liberals", "fascists"),
    [
        (
            fascist_dream,
            "You lost: six fascist policies were enacted",
            "You won: six fascist policies were enacted",
        ),
        (
            liberal_dream,
            "You won: five liberal policies were enacted",
            "You lost: five liberal policies were enacted",
        ),
        (
            elects_hitler,
            "You lost: Hitler was elected Chancellor",
            "You won: Hitler was elected Chancellor",
        ),
        (executes_hitler, "You won: Hitler was executed", "You lost: Hitler was executed"),
    ],
)
def test_each_player_reads_their_own_result(prefers, liberals, fascists):
    table = ended(prefers)
    # The seats are LLLFH.
    for name, expected in zip(NAMES[:5], [liberals] * 3 + [fascists] * 2, strict=True):
        assert heading(table, name) == expected
    assert heading(table, "Sofia") == "The game is over"
    assert "ending-part" not in panels_of(table, "Sofia")["action"]


def test_the_turning_point_leads_to_its_step_with_all_cards_open():
    table = ended(elects_hitler)
    panel = panels_of(table, "Ada")["action"]
    [move] = re.findall(r"/replay/\?move=(\d+)&amp;eyes=all", panel)
    assert int(move) == table.game.length
    [tally] = re.findall(r"(\d) Ja to (\d) Nein", end_of(table, "Ada"))
    assert int(tally[0]) == len(room_of(table.code).public_view().alive) and tally[1] == "0"


def test_every_hand_is_open_to_players_and_spectators():
    table = ended()
    knowledge = room_of(table.code).public_view().knowledge
    for name in ("Ada", "Sofia"):
        hands = panels_of(table, name)["action"].split('class="hands"')[1].split("</ol>")[0]
        rows = re.findall(r'<li value="(\d+)">(.*?)</li>', hands, re.DOTALL)
        drawn = [item for item in knowledge if isinstance(item, Drawn)]
        received = [item for item in knowledge if isinstance(item, Received)]
        assert [int(number) for number, _ in rows] == [item.round for item in drawn]
        tiles = [re.findall(r'<i class="([lf])( x)?">', row) for _, row in rows]
        for shown, item, passed in zip(tiles, drawn, received, strict=True):
            assert sorted(card for card, _ in shown[:3]) == sorted(p[0] for p in item.policies)
            assert [card for card, cross in shown[:3] if cross] == [item.discarded[0]]
            assert [card for card, _ in shown[3:]] == [p[0] for p in passed.policies]


def test_one_press_shares_only_where_no_one_else_is_asked():
    button = 'form="allow-sharing"'
    table = run_table(is_private=True)
    play_until(table, is_over)
    link = f'href="{table.get_absolute_url()}replay/#sharing"'
    panel = panels_of(table, "Ada")["action"]
    assert link in panel and button not in panel
    # As if the others had been bots.
    table.seats.exclude(number=0).update(user=None)
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1)
    # The button stays as it is when it was pressed, so it can tell that the link was copied.
    for is_allowed in (False, True):
        allow_sharing(table=table, user=person("Ada"), is_allowed=is_allowed)
        panel = panels_of(fresh(table), "Ada")["action"]
        assert button in panel and link not in panel
    assert button not in panels_of(ended(), "Ada")["action"]


def test_nothing_of_the_end_is_there_before_it():
    table = run_table()
    while not is_over(state_of(table)):
        for name in ("Ada", "Sofia"):
            page = Person(person(name), table).page()
            assert '"ending' not in page and 'class="hands"' not in page
        before = state_of(table).round
        play_until(table, lambda state, before=before: is_over(state) or state.round > before)
    assert 'class="hands"' in Person(person("Ada"), table).page()


def test_a_game_that_was_stopped_has_no_winner_and_no_turning_point():
    table = run_table()
    stopped(table)
    for name in ("Ada", "Sofia"):
        assert heading(table, name) == "The game is over"
        assert "Turning point" not in end_of(table, name)
