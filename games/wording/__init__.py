"""Sentences in the active language for the codes of the rules.

Every function translates at the time of the call. Sentences are complete and have named
placeholders. Names in them are never declined, and no sentence reveals a gender.
"""

from .administration import replaced, replaced_by_order, ruled, stopped
from .bots import bot_kind, bot_kinds
from .choices import SPOKEN, edition_short, editions_with, percent, spoken_name, time_in_words
from .claims import claim_choice, claim_question, claim_sentence, claimed, contradiction
from .errors import illegal_record, record_error, refusal
from .formulas import hitler_answer, hitler_question, not_hitler_badge, prescribed, set_words
from .knowledge import draws, learnt
from .labels import ending, party, policy, role, winner
from .log import action_sentence, event_sentence, event_sentences, stand_in_sentence
from .night import night, night_step
from .options import edition_name, option_explained, option_name, option_value
from .outages import interruption
from .phases import phase
from .phrases import PhraseGroup, phrase, phrase_groups, phrase_label
from .powers import power, power_explained, power_form, power_headline, power_rule
from .reports import conduct_sign_sentence, ready_text
from .sentences import Speech, listed, together

__all__ = [
    "SPOKEN",
    "PhraseGroup",
    "Speech",
    "action_sentence",
    "bot_kind",
    "bot_kinds",
    "claim_choice",
    "claim_question",
    "claim_sentence",
    "claimed",
    "conduct_sign_sentence",
    "contradiction",
    "draws",
    "edition_name",
    "edition_short",
    "editions_with",
    "ending",
    "event_sentence",
    "event_sentences",
    "hitler_answer",
    "hitler_question",
    "illegal_record",
    "interruption",
    "learnt",
    "listed",
    "night",
    "night_step",
    "not_hitler_badge",
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
    "power_form",
    "power_headline",
    "power_rule",
    "prescribed",
    "ready_text",
    "record_error",
    "refusal",
    "replaced",
    "replaced_by_order",
    "role",
    "ruled",
    "set_words",
    "spoken_name",
    "stand_in_sentence",
    "stopped",
    "time_in_words",
    "together",
    "winner",
]
