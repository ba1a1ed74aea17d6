"""Queries that only read: public tables, a viewer's settings, statistics."""
