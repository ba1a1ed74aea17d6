"""Who is a fascist, and who is Hitler? The answer in probabilities, as one viewer can know it.

A `Belief` holds the posterior over all assignments of roles. It is built from public events, from
what the viewer knows, and from what players say; never from the position. See README.md.
"""

from .belief import Belief
from .tables import Tables, standard_tables

__all__ = ["Belief", "Tables", "standard_tables"]
