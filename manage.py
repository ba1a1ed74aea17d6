#!/usr/bin/env python
"""Django's command-line utility. `manage.py play` runs the whole site."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError

    try:
        execute_from_command_line(sys.argv)
    except (OperationalError, ProgrammingError) as error:
        # Its server is away, or `prepare` has not made its tables.
        if "--traceback" in sys.argv:
            raise
        reason = str(error).partition("\n")[0]
        sys.exit(f"The database cannot be used: {reason}. `--traceback` says where.")


if __name__ == "__main__":
    main()
