"""Date formats of each language, for settings.FORMAT_MODULE_PATH."""
