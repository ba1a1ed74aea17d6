"""Backups: one file with every row of the database, in one format for SQLite and PostgreSQL.

    tables.py    the tables, and the versions of the site and of their schema
    values.py    converts a column's value to JSON and back
    file.py      the file: lines of JSON, compressed, with a checksum at its end
    writing.py   writes a snapshot of the database to a file while the site runs
    reading.py   loads a complete file into a database, or nothing of it

The databases' own tools are not used: a common format can move a growing site from SQLite to
PostgreSQL, and needs no client program of the server's version where the site runs.
"""
