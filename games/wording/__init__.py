"""Sentences in the active language for the codes of the rules.

Every function translates at the time of the call. Sentences are complete and have named
placeholders. Names in them are never declined, and no sentence reveals a gender.
"""

from .administration import replaced, replaced_by_order, ruled, stopped
from .bots import bot_kind, bot_kinds
from .choices import (
    SPOKEN,
    edition_short,
    editions_with,
    length_in_words,
    percent,
    players_counted,
    size_in_words,
    spoken_name,
    time_in_words,
)
from .claims import (
    claim_choice,
    claim_line,
    claim_question,
    claim_words,
    claimed,
    contradiction,
    of_round,
)
from .endings import own_ending, own_part, turning_point
from .errors import illegal_record, record_error, refusal
from .formulas import (
    hitler_answer,
    hitler_declared,
    hitler_question,
    not_hitler_badge,
    prescribed,
    set_words,
)
from .hints import barred, hint
from .knowledge import draws, learnt
from .labels import ending, party, policy, role, winner
from .log import action_sentence, event_sentence, event_sentences, stand_in_sentence
from .moments import moment
from .night import Night, night, night_steps
from .options import edition_name, option_explained, option_name, option_value
from .outages import interruption
from .phases import phase
from .phrases import PhraseGroup, phrase, phrase_groups, phrase_label
from .powers import power, power_explained, power_form, power_headline, power_rule
from .ratings import season_name, weight_reason
from .reports import ready_text
from .sentences import Speech, listed, together
from .terms import linked_terms
from .truth import (
    award,
    awarded_for,
    power_verdict,
    reading_label,
    session_verdict,
    turn_of_the_game,
)

__all__ = [
    "SPOKEN",
    "Night",
    "PhraseGroup",
    "Speech",
    "action_sentence",
    "award",
    "awarded_for",
    "barred",
    "bot_kind",
    "bot_kinds",
    "claim_choice",
    "claim_line",
    "claim_question",
    "claim_words",
    "claimed",
    "contradiction",
    "draws",
    "edition_name",
    "edition_short",
    "editions_with",
    "ending",
    "event_sentence",
    "event_sentences",
    "hint",
    "hitler_answer",
    "hitler_declared",
    "hitler_question",
    "illegal_record",
    "interruption",
    "learnt",
    "length_in_words",
    "linked_terms",
    "listed",
    "moment",
    "night",
    "night_steps",
    "not_hitler_badge",
    "of_round",
    "option_explained",
    "option_name",
    "option_value",
    "own_ending",
    "own_part",
    "party",
    "percent",
    "phase",
    "phrase",
    "phrase_groups",
    "phrase_label",
    "players_counted",
    "policy",
    "power",
    "power_explained",
    "power_form",
    "power_headline",
    "power_rule",
    "power_verdict",
    "prescribed",
    "reading_label",
    "ready_text",
    "record_error",
    "refusal",
    "replaced",
    "replaced_by_order",
    "role",
    "ruled",
    "season_name",
    "session_verdict",
    "set_words",
    "size_in_words",
    "spoken_name",
    "stand_in_sentence",
    "stopped",
    "time_in_words",
    "together",
    "turn_of_the_game",
    "turning_point",
    "weight_reason",
    "winner",
]
