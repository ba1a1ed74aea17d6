"""Queries of the hottest paths."""
