"""Requests that the limits count."""

from tests.games.person import Person
from tests.games.stories import form_of


def acts(viewer: Person, **how):
    return viewer.post(f"{viewer.url}act/", form_of(viewer.table, "nominate:9"), **how)
