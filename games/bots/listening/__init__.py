"""Listening: what a typed text means as a phrase of the phrasebook, by word lists and rules.

Each language has a file of words and the notions that they stand for; `meanings.toml` says which
notions make which phrase. The notions of a sentence must be those of a phrase, no more and no
less: what is not understood is None, because a wrong answer is worse than none.
"""

from .meanings import addressed, understood

__all__ = ["addressed", "understood"]
