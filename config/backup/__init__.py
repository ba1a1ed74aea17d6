"""Backups: one file with every row of the database, the same for SQLite and PostgreSQL.

    tables.py    which tables there are, and of which version
    values.py    a column's value as JSON, and back
    file.py      the file: lines of JSON, compressed, with a seal at its end
    writing.py   the database as it is at one moment, into a file, while the site runs
    reading.py   a whole file into a database, or nothing of it

Not each database's own tool: one form can move a site that grew from SQLite to PostgreSQL, and
needs no program of the server's version where the site runs.
"""
