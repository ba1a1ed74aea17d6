"""How many examples a test of random cases tries."""

import os

from tests.nightly import NIGHTLY

TIMES = int(os.environ.get("EXAMPLES", "1"))


def examples(number: int) -> int:
    """Return the number of examples for Hypothesis.

    In `make nightly` it is `number`, in `make long` many times that, and else a third.
    """
    return number * TIMES if NIGHTLY else number // 3
