"""Every kind of value that a table holds comes back from a backup as it was."""

import io
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db.models import Field, ForeignKey, OneToOneField

from config.backup.file import Reader, Writer
from config.backup.tables import all_tables
from config.backup.values import to_json, to_value

TEXTS = ["", "Łódź \u2028\n\t\"'\\", "\U0001f3ad"]
NUMBERS = [0, 1]
# Sample values for each class of field. A new class in a model needs some too.
SAMPLES = {
    "AutoField": [1],
    "BigAutoField": [1, 2**63 - 1],
    "BinaryField": [b"", bytes(range(256)), memoryview(b"seed")],
    "BooleanField": [False, True],
    "CharField": TEXTS,
    "DateField": [date(2026, 2, 28)],
    "DateTimeField": [
        datetime(2026, 11, 28, 4, 46, 42, 1, tzinfo=UTC),
        datetime(2026, 1, 1, tzinfo=UTC),
    ],
    "DurationField": [
        timedelta(),
        timedelta(seconds=11, microseconds=1),
        timedelta(days=400, seconds=1),
        -timedelta(hours=1, microseconds=1),
    ],
    "EmailField": ["ada@example.org"],
    "FloatField": [0.1 + 0.2, -1e-300, 1e300],
    "GenericIPAddressField": ["192.0.2.1", "2001:db8::1"],
    "IntegerField": [*NUMBERS, -1],
    "JSONField": [{"z": [1, 0.5, None, True, "ż"], "a": {}}, [], "\ud83d", 0],
    "PositiveBigIntegerField": NUMBERS,
    "PositiveIntegerField": NUMBERS,
    "PositiveSmallIntegerField": NUMBERS,
    "TextField": TEXTS,
}
FIELDS = [field for model in all_tables() for field in model._meta.concrete_fields]


def kind(field: Field) -> str:
    while isinstance(field, ForeignKey | OneToOneField):
        field = field.target_field
    return type(field).__name__


@pytest.mark.parametrize("name", sorted({kind(field) for field in FIELDS}))
def test_every_kind_of_field_is_read_as_it_was_written(name: str) -> None:
    assert name in SAMPLES, "add sample values, and look that they come back"
    cases = [
        (field, value)
        for field in FIELDS
        if kind(field) == name
        for value in [None, *SAMPLES[name]]
    ]
    file = io.BytesIO()
    writer = Writer(file, site="1.0.0", version=[], made_at=datetime.now(UTC))
    writer.table("table", ["column"])
    for field, value in cases:
        writer.row([to_json(field, value)])
    writer.close()

    file.seek(0)
    read = [row for _, _, row in Reader(file).rows() if row is not None]
    for (field, value), [data] in zip(cases, read, strict=True):
        assert to_value(field, data) == value, (field, data)
