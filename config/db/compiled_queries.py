"""Queries whose SQL is compiled once and executed often.

Django compiles a queryset's SQL each time it is evaluated. For the few queries that every move
makes, with sixty columns together, that takes longer than the database needs to run them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

Row = TypeVar("Row", bound=models.Model)


class Compiled(Generic[Row]):
    """Finds one row, with its `select_related` rows, by the value of one unique column.

    `queryset` returns the queryset for a value; its SQL must not depend on the value. The
    instances equal those of the queryset: they have the same fields and the same conversions.
    """

    def __init__(self, queryset: Callable[[Any], "models.QuerySet[Row]"]) -> None:
        self._queryset = queryset
        # By database vendor: tests may switch from one to another.
        self._statements: dict[str, _Statement] = {}

    def find(self, value: Any) -> Row | None:
        """Return the row with this value, or None. The value has to have the column's type."""
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
        columns = [column for column, _, _ in compiler.select]
        own = compiler.klass_info
        return _Statement(
            sql,
            _Part.of(own, columns),
            [
                (_Part.of(kind, columns), kind["local_setter"], kind["remote_setter"])
                for kind in own.get("related_klass_infos", ())
            ],
            list(compiler.get_converters(columns).items()),
        )


@dataclass(frozen=True, slots=True)
class _Part:
    """The columns of a row that belong to one model."""

    model: type[models.Model]
    place: slice
    names: list[str]

    @classmethod
    def of(cls, kind: dict[str, Any], columns: Sequence[Any]) -> "_Part":
        fields = kind["select_fields"]
        place = slice(fields[0], fields[-1] + 1)
        return cls(kind["model"], place, [column.target.attname for column in columns[place]])

    def read(self, values: list[Any]) -> models.Model:
        return self.model.from_db(DEFAULT_DB_ALIAS, self.names, values[self.place])


@dataclass(frozen=True, slots=True)
class _Statement:
    """Compiled SQL, which turns its rows into instances like Django's `ModelIterable`.

    Simpler than `django.db.models.query.ModelIterable`: related rows always exist, and they have
    no related rows of their own.
    """

    sql: str
    own: _Part
    # Each related model's columns, the setter on the instance and the setter on the related one.
    related: list[tuple[_Part, Callable[[Any, Any], None], Callable[[Any, Any], None]]]
    converters: list[tuple[int, tuple[list[Any], Any]]]

    def read(self, row: tuple[Any, ...], connection: BaseDatabaseWrapper) -> Any:
        values = list(row)
        for position, (converters, expression) in self.converters:
            for convert in converters:
                values[position] = convert(values[position], expression, connection)
        instance = self.own.read(values)
        for part, set_here, set_there in self.related:
            other = part.read(values)
            set_here(instance, other)
            set_there(other, instance)
        return instance
