"""Logs, metrics and health of a process, for its operator."""
