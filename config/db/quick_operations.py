"""Operations of migrations that spare a first start most of Django's rendering of models."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.migrations.operations import CreateModel, RunPython
from django.db.migrations.operations.base import Operation


class CreateTables(Operation):
    """Creates the tables of all these models, which may refer to those before them.

    After each `CreateModel`, Django renders all models anew that the new one is related to: here
    that is nearly all of them, and took most of a site's first start.
    """

    reduces_to_sql = True
    reversible = True

    def __init__(self, models: Sequence[CreateModel]) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: Any) -> None:
        # The models are rendered again, once, when the first table is created.
        state.__dict__.pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_: Any, to: Any) -> None:
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_, to)

    def database_backwards(self, app_label: str, schema_editor: Any, from_: Any, to: Any) -> None:
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_, to)


class MoveRows(RunPython):
    """Moves rows of an earlier version with `code(apps, schema_editor)`, if there was one.

    A new database has no row and no content type yet; there the models, which `RunPython` renders
    before it calls its code, are not rendered.
    """

    def __init__(self, code: Callable[[Any, Any], None]) -> None:
        super().__init__(code, RunPython.noop)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__name__, [self.code], {}

    def database_forwards(self, app_label: str, schema_editor: Any, from_: Any, to: Any) -> None:
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_content_type LIMIT 1")
            is_new = cursor.fetchone() is None
        if not is_new:
            super().database_forwards(app_label, schema_editor, from_, to)
