"""`manage.py transcript`: a game of bots as its table hears it, in every language."""

import io

import pytest
from django.core.management import CommandError, call_command


def transcript(*args):
    out = io.StringIO()
    call_command("transcript", *args, stdout=out, no_color=True)
    return out.getvalue()


def test_it_prints_actions_claims_and_phrases_up_to_the_end():
    text = transcript("--players", "5", "--language", "en")
    assert "nominates" in text
    assert "claims to have drawn" in text
    assert ": I" in text
    assert "win" in text.splitlines()[-1]
    assert "Hitler (" not in text


def test_the_same_seed_prints_the_same_game_in_another_language():
    english = transcript("--players", "5", "--seed", "a", "--language", "en").splitlines()
    japanese = transcript("--players", "5", "--seed", "a", "--language", "ja").splitlines()
    assert [line[:5] for line in english] == [line[:5] for line in japanese]
    assert english != japanese


def test_a_size_that_the_edition_lacks_is_an_error():
    with pytest.raises(CommandError):
        transcript("--edition", "ru-5-6", "--players", "7")
