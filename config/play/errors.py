class PlayError(Exception):
    """The site cannot run, for a reason that the person at the terminal can act on."""


class Stopped(BaseException):
    """Ctrl-C or SIGTERM before anything was started.

    It is a BaseException, because it is not an error and no handler may catch it.
    """
