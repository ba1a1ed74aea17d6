"""Sentences in the active language for the codes of the rules.

Every function translates at the time of the call. Sentences are complete and have named
placeholders. Names in them are never declined, and no sentence reveals a gender.
"""

from .affairs import replaced, replaced_by_order, ruled, stopped
from .choices import SPOKEN, edition_short, editions_with, percent, spoken_name, time_in_words
from .claims import claim_asked, claim_choice, claim_told, claimed, contradiction
from .errors import illegal_record, record_error, refusal
from .knowledge import draws, learnt
from .log import stood_in, tell, tell_action, tell_all
from .night import night
from .options import edition_name, option_explained, option_name, option_value
from .outages import interruption
from .phrases import PhraseGroup, phrase, phrase_groups, phrase_label
from .reports import hint_told, ready_text
from .speech import listed
from .words import ending, party, phase, policy, power, power_explained, role, winner

__all__ = [
    "SPOKEN",
    "PhraseGroup",
    "claim_asked",
    "claim_choice",
    "claim_told",
    "claimed",
    "contradiction",
    "draws",
    "edition_name",
    "edition_short",
    "editions_with",
    "ending",
    "hint_told",
    "illegal_record",
    "interruption",
    "learnt",
    "listed",
    "night",
    "option_explained",
    "option_name",
    "option_value",
    "party",
    "percent",
    "phase",
    "phrase",
    "phrase_groups",
    "phrase_label",
    "policy",
    "power",
    "power_explained",
    "ready_text",
    "record_error",
    "refusal",
    "replaced",
    "replaced_by_order",
    "role",
    "ruled",
    "spoken_name",
    "stood_in",
    "stopped",
    "tell",
    "tell_action",
    "tell_all",
    "time_in_words",
    "winner",
]
