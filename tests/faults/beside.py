"""A process beside a site, with its settings and its database: answers questions about it.

Reads a line of JSON for each: [module of tests.faults, arguments by name]; answers with a line.
"""

import json
import sys
from importlib import import_module

import django

django.setup()

from django.db import connection  # noqa: E402

if __name__ == "__main__":
    for line in sys.stdin:
        module, question = json.loads(line)
        try:
            answer = import_module(f"tests.faults.{module}").answer(**question)
        finally:
            # The database may be killed until the next question.
            connection.close()
        print(json.dumps(answer), flush=True)
