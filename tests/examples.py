"""How many examples a test of random cases tries."""

import os

TIMES = int(os.environ.get("EXAMPLES", "1"))


def examples(number: int) -> int:
    """Return the number of examples for Hypothesis: `number`, or many times that in `make long`."""
    return number * TIMES
