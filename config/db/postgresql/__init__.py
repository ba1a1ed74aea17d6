"""Django's backend for PostgreSQL, whose callers wait for a lost server only once."""
