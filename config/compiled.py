"""Statements that are written once and asked often.

Django writes a queryset's SQL anew each time it is asked. For the few that every move asks, of
sixty columns together, that is more work than the database has with them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.query import get_related_populators

Row = TypeVar("Row", bound=models.Model)


class Compiled(Generic[Row]):
    """Finds one row, with what is selected with it, by the value of one unique column.

    `queryset` makes the queryset for any value; its SQL must not depend on which. The rows are
    those that the queryset would give: with the same fields, converted by the same rules.
    """

    def __init__(self, queryset: Callable[[Any], "models.QuerySet[Row]"]) -> None:
        self._queryset = queryset
        # By database: tests may go from one to another.
        self._statements: dict[str, _Statement] = {}

    def find(self, value: Any) -> Row | None:
        """The row with this value, which is of the column's own type; None where there is none."""
        connection = connections[DEFAULT_DB_ALIAS]
        statement = self._statements.get(connection.vendor)
        if statement is None:
            statement = self._statements[connection.vendor] = self._compile(connection, value)
        with connection.cursor() as cursor:
            cursor.execute(statement.sql, (value,))
            row = cursor.fetchone()
        return None if row is None else statement.read(row, connection)

    def _compile(self, connection: BaseDatabaseWrapper, value: Any) -> "_Statement":
        query = self._queryset(value).order_by().query
        compiler = query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        if params != (value,):
            raise ValueError(f"one value is asked for, not {len(params)}: {sql}")
        kind, columns = compiler.klass_info, [column for column, _, _ in compiler.select]
        first, last = kind["select_fields"][0], kind["select_fields"][-1] + 1
        return _Statement(
            sql,
            kind["model"],
            slice(first, last),
            [column.target.attname for column in columns[first:last]],
            get_related_populators(kind, compiler.select, DEFAULT_DB_ALIAS),
            list(compiler.get_converters(columns).items()),
        )


@dataclass(frozen=True, slots=True)
class _Statement:
    """What makes instances of its rows, as `django.db.models.query.ModelIterable` does."""

    sql: str
    model: type[models.Model]
    # The model's own columns, and the names of their fields.
    own: slice
    names: list[str]
    # Those of what is selected with it.
    related: list[Any]
    converters: list[tuple[int, tuple[list[Any], Any]]]

    def read(self, row: tuple[Any, ...], connection: BaseDatabaseWrapper) -> Any:
        values = list(row)
        for position, (converters, expression) in self.converters:
            for convert in converters:
                values[position] = convert(values[position], expression, connection)
        instance = self.model.from_db(DEFAULT_DB_ALIAS, self.names, values[self.own])
        for populator in self.related:
            populator.populate(values, instance)
        return instance
