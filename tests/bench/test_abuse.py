"""The bench of abuse: its attacks, and one short round on the real site, without timing."""

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from tests.bench.abuse import ATTACKS
from tests.bench.attacks import ATTACKS as PROGRAMS
from tests.bench.attacks import Attacker, Orders, _mixes
from tests.bench.bystanders import Seen


def test_an_attack_reads_the_orders_that_it_is_given():
    orders = Orders("sockets", 8000, 1.5, [Attacker("127.0.0.9", "sessionid=x")], "abcd2345")

    assert Orders.read(orders.text()) == orders


def test_each_attack_has_a_program():
    assert {attack.name for attack in ATTACKS} == PROGRAMS.keys()


def test_no_mix_of_house_rules_repeats_within_an_hour_s_limit():
    mixes = [tuple(sorted(mix.items())) for mix in islice(_mixes(), 100)]

    assert len(set(mixes)) == 100


def test_refusals_and_missing_answers_count_as_refused():
    seen = Seen()
    seen.answers.update({"200": 5, "429": 2, "none": 1})

    assert seen.refused == 3


@pytest.mark.skipif(sys.platform != "linux", reason="the bench reads Linux's /proc")
@pytest.mark.nightly
def test_a_round_on_the_real_site_counts_what_a_stranger_and_the_attack_were_answered(tmp_path):
    path: Path = tmp_path / "figures.jsonl"
    command = [sys.executable, "-m", "tests.bench.abuse", "--only", "7", "--seconds", "1"]
    command += ["--rounds", "1", "--spread", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    figure, errors = map(json.loads, path.read_text(encoding="utf-8").splitlines())

    for felt in (figure["silence"], figure["attack"]):
        assert felt["pages"]["count"] == sum(felt["pages"]["answers"].values()) == 10
        assert felt["writes"]["answers"].keys() <= {"200", "none"}
        assert sum(felt["alarms"]["answers"].values()) == 2
    assert figure["attack"]["sockets"]["messages"] > 0
    assert errors["value"] == 0
