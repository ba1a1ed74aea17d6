"""Dates as each language writes them: settings.FORMAT_MODULE_PATH."""
