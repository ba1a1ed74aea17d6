"""A new presidential power needs an entry in the table and its words, and nothing else.

The test copies the site, adds a power to those two files, and plays with it in a new process.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.nightly import times

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("accounts", "config", "games", "locale", "templates")

TABLE = {
    '    EXECUTION = "execution"\n': '    EXECUTION = "execution"\n    CONFESSION = "confession"\n',
    "# Events. Names": """@dataclass(frozen=True, slots=True)
class DemandConfession(UsePowerOn):
    kind: ClassVar[str] = "demand_confession"


# Events. Names""",
    "class Aim(": '''@dataclass(frozen=True, slots=True)
class Confessed(PowerUsedOn):
    """A seat showed its party membership to everyone; only the President saw the top card."""

    kind: ClassVar[str] = "confessed"
    party: Party
    top: Policy | None


class Aim(''',
    "POWERS: Final": """def _confess(new: "Draft", action: DemandConfession) -> Used:
    party = new.setup.roles[action.target].party
    return Used(Confessed(action.target, party, new.draw[0]))


POWERS: Final""",
    "    Power.EXECUTION: Description(": """    Power.CONFESSION: Description(
        action=DemandConfession,
        event=Confessed,
        public=("target", "party"),
        effect=_confess,
        cards=1,
        aim=Aim.EXPOSE,
        icon="investigation",
    ),
    Power.EXECUTION: Description(""",
    "5: (None, None, Power.PEEK,": "5: (None, Power.CONFESSION, Power.PEEK,",
}
WORDS = {
    "    Executed,\n": "    Confessed,\n    Executed,\n",
    "WORDS: Final": """def _confessed(told: Told, event: Confessed) -> str:
    target = told.speech.name(event.target)
    return told.speech.say("{target} confesses: {party}.", target=target, party=event.party)


WORDS: Final""",
    "    Power.EXECUTION: PowerWords(": """    Power.CONFESSION: PowerWords(
        name="Confession",
        phase="Confession",
        explained="A player shows the party membership to everyone.",
        rule="The President makes another player show the party membership to everyone.",
        headline="President %(name)s must demand a confession",
        title="Demand a confession",
        help="Everyone will see the party.",
        tell=_confessed,
    ),
    Power.EXECUTION: PowerWords(""",
}

# Runs in the copy.
PLAYED = (
    f"""
GAMES = {times("NEW_POWER_GAMES", 3, 15)}
"""
    + """
import django

django.setup()

from django.conf import settings
from django.test import override_settings

plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
override_settings(STORAGES=settings.STORAGES | {"staticfiles": plain}).enable()

from pathlib import Path
from types import SimpleNamespace

from django.template.loader import render_to_string

from games import bots, wording
from games.forms import ActForm
from games.rulebook import book_of
from games.rules.actions import ACTIONS
from games.rules.editions import options_of
from games.rules.powers import Power
from games.rules.record import action_json, read_action, read_record, record_json, replay
from games.rules.view import public_event, public_step, view_for
from games.panels.private import choice_to
from games.simulation.games import both, play_game
from games.state.game_log import GameLog
from games.state.government_history import government_history_of

assert Path(wording.__file__).is_relative_to(Path.cwd())
NAMES = tuple("ABCDE")
options = options_of("en")
met = 0
for kind in bots.names():
    for number in range(GAMES):
        game = play_game(options, 5, "new power", number, both(kind))
        record = game.record("en")
        assert read_record(record_json(record)) == record
        steps = []
        before = None
        for position in replay(record):
            state, entry = position.state, position.entry
            views = [view_for(state, seat) for seat in (None, *range(5))]
            if state.phase is Power.CONFESSION:
                met += 1
                acting = view_for(state, state.president)
                assert len(acting.legal) == 4
                for action in acting.legal:
                    assert read_action(action_json(action), "", 5) == action
                    choice = choice_to(action, NAMES).value
                    form = ActForm({"decision": acting.decision, "key": "k", "choice": choice})
                    assert form.is_valid() and form.action_for(state.president, 5) == action
                    assert "confesses" in wording.action_sentence(action, NAMES, options)
                act = SimpleNamespace(
                    phase=str(state.phase), code="ABCDE", decision=acting.decision, key="k",
                    choices=[choice_to(action, NAMES) for action in acting.legal],
                )
                page = render_to_string("games/_act.html", {"act": act})
                assert "Demand a confession" in page and "demand_confession:" in page
                banner = SimpleNamespace(
                    phase=str(state.phase), president="<i>A"
                )
                line = render_to_string("games/_headline.html", {"banner": banner})
                assert "must demand a confession" in line and "<i>" not in line
                assert wording.phase(state.phase) == "Confession"
            if entry is not None:
                told = [public_event(event) for event in position.events]
                said = wording.event_sentences(told, entry.action.seat, NAMES, options)
                assert len(said) == len(told)
                for event in told:
                    if event.kind == "confessed":
                        assert event.party is not None and event.top is None
                number = position.after - 1
                steps.append(public_step(
                    number, before.round, entry.action, position.events, by="bot", at=None
                ))
            before = state
        terms = government_history_of(GameLog().after(tuple(steps), ()).rounds)
        confessions = [term for term in terms if term.power is Power.CONFESSION]
        assert all(term.target is not None for term in confessions)
assert met > 4
book = repr(book_of("en", options))
assert "The President makes another player show" in book
"""
)


def patched(root: Path, name: str, changes: dict[str, str]) -> None:
    path = root / name
    text = path.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def copy(tmp_path):
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    patched(tmp_path, "games/rules/powers.py", TABLE)
    patched(tmp_path, "games/wording/powers.py", WORDS)
    return tmp_path


def test_a_new_power_touches_the_table_and_the_words(copy):
    done = subprocess.run(
        [sys.executable, "-c", PLAYED],
        cwd=copy,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
