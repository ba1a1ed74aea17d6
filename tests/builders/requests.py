"""Requests that the limits count."""

from tests.builders.person import Person
from tests.builders.tables import form_of


def acts(viewer: Person, **how):
    return viewer.post(f"{viewer.url}act/", form_of(viewer.table, "nominate:9"), **how)
