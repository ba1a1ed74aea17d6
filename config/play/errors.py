class PlayError(Exception):
    """The site cannot run, for a reason that the person at the terminal can act on."""


class Stopped(BaseException):
    """Ctrl-C or SIGTERM before there was anything to stop. Not an error: nothing may catch it."""
