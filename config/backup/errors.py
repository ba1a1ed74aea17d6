class BackupError(Exception):
    """A backup was not written, or not loaded: nothing was changed. The message says why."""
