"""Words win ballots of undecided bots, and a liar's hardly any."""

import json

from . import persuasion


def test_words_win_a_tenth_to_a_third_of_undecided_ballots_and_a_liar_s_hardly_any(capsys):
    persuasion.main(["--games", "2", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["positions"] > 24
    opinion, both = found["rates"]["opinion"], found["rates"]["both"]
    assert 0.08 < opinion["any"] < both["any"]
    assert 0.1 < both["any"] < 0.3
    for row in (opinion, both):
        assert row["broken"] < row["any"] / 3 < row["kept"]
