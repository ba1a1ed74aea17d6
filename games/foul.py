"""Foul words, and how they are masked for those who wish it."""


def masked(text: str) -> str:
    """The text with foul words masked."""
    return text
