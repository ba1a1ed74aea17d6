"""Statements that are compiled once return the same rows as their querysets."""

import pytest
from django.db import connection, transaction
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from config.db.compiled_queries import Compiled
from games.models import Game
from tests.builders.tables import person, run_table

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def fields_of(row: Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_a_row_and_what_is_selected_with_it_are_as_the_queryset_gives_them() -> None:
    compiled = Compiled(
        lambda pk: Game.objects.select_for_update().select_related("table").filter(table=pk)
    )
    for table in (run_table(), run_table()):
        with transaction.atomic():
            mine = compiled.find(table.pk)
            theirs = Game.objects.select_related("table").get(table=table)
        assert fields_of(mine) == fields_of(theirs)
        assert fields_of(mine.table) == fields_of(theirs.table)
        assert mine._state.db == theirs._state.db and not mine._state.adding


def test_each_time_the_database_is_asked_anew_and_once() -> None:
    compiled = Compiled(lambda pk: User.objects.filter(pk=pk))
    ada = person("Ada")
    assert compiled.find(ada.pk).country == ""
    User.objects.filter(pk=ada.pk).update(country="IT")
    with CaptureQueriesContext(connection) as asked:
        assert compiled.find(ada.pk).country == "IT"
    assert len(asked) == 1


def test_where_there_is_no_such_row_there_is_none() -> None:
    assert Compiled(lambda pk: User.objects.filter(pk=pk)).find(0) is None


def test_a_statement_that_needs_more_than_the_value_is_refused() -> None:
    with pytest.raises(ValueError, match="one value"):
        Compiled(lambda pk: User.objects.filter(pk=pk, country="IT")).find(1)


def test_a_row_is_changed_and_saved_as_any_other() -> None:
    ada = person("Ada")
    found = Compiled(lambda pk: User.objects.filter(pk=pk)).find(ada.pk)
    found.country = "PL"
    found.save(update_fields=["country"])
    ada.refresh_from_db()
    assert ada.country == "PL"
