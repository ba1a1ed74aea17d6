"""Builders that several tests share: people, tables and games, and what happens to them."""
