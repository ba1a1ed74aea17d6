"""A process beside a site, with its settings and its database, that answers questions about it.

Reads one line of JSON per question: [module of tests.faults, arguments by name]. Answers each
with one line.
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
            # The database may be killed before the next question.
            connection.close()
        print(json.dumps(answer), flush=True)
