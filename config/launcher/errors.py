class PlayError(Exception):
    """The site cannot run, for a reason that the person at the terminal can act on."""
