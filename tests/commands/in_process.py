"""Commands run in the process of the test."""

import io

from django.core.management import call_command


def run(command, *args):
    """Run a command in this process; return status, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    try:
        call_command(command, *map(str, args), stdout=out, stderr=err, no_color=True)
    except SystemExit as end:
        status = end.code
    return status, out.getvalue(), err.getvalue()
