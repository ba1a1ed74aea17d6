"""What the rules say in codes, said in sentences of the active language.

Every function translates when it is called. Sentences are whole, with named places for
names, which are never declined and tell no gender.
"""

from .affairs import replaced, stopped
from .choices import SPOKEN, edition_short, editions_with, percent, spoken_name, time_in_words
from .errors import illegal_record, record_error, refusal
from .knowledge import draws, learnt
from .log import stood_in, tell, tell_action, tell_all
from .night import night
from .options import edition_name, option_explained, option_name, option_value
from .outages import interruption
from .speech import listed
from .words import ending, party, phase, policy, power, power_explained, role, winner

__all__ = [
    "SPOKEN",
    "draws",
    "edition_name",
    "edition_short",
    "editions_with",
    "ending",
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
    "policy",
    "power",
    "power_explained",
    "record_error",
    "refusal",
    "replaced",
    "role",
    "spoken_name",
    "stood_in",
    "stopped",
    "tell",
    "tell_action",
    "tell_all",
    "time_in_words",
    "winner",
]
