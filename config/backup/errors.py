class BackupError(Exception):
    """Nothing was written, or nothing was changed; the sentence says why."""
