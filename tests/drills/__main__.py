"""Runs the drills, or those whose names are given. Exits with status 1 if any saw a difference."""

import sys
import time
import traceback
from collections.abc import Callable

from tests.drills.broker import moves_without_the_broker, outages_of_the_broker
from tests.drills.clock import clock_set_back
from tests.drills.database import outage_of_the_database
from tests.drills.health import parts_that_stop
from tests.drills.report import Report

DRILLS: dict[str, Callable[[Report], None]] = {
    "broker": outages_of_the_broker,
    "moves": moves_without_the_broker,
    "health": parts_that_stop,
    "clock": clock_set_back,
    "database": outage_of_the_database,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in DRILLS]
    if unknown:
        print(f"There is no drill {', '.join(unknown)}. There are: {', '.join(DRILLS)}.")
        return 2
    failed = []
    for name in names or DRILLS:
        print(f"{name}:", flush=True)
        report, begun = Report(), time.monotonic()
        try:
            DRILLS[name](report)
        except Exception:
            traceback.print_exc()
            report.differences += 1
        print(f"  {time.monotonic() - begun:.0f} s, {report.differences} differences", flush=True)
        if report.differences:
            failed.append(name)
    print(f"Different: {', '.join(failed)}" if failed else "All as expected.")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
