"""Files of models: data that a command has made, with its source and that command inside."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from django.core.management.base import OutputWrapper
from django.utils.translation import gettext as _

_BAD_FILE: Final = 2


def made_by(command: str) -> dict[str, Any]:
    """Return what each file says of its making: the command and the day."""
    return {"command": command, "date": f"{datetime.now(UTC):%Y-%m-%d}"}


def write_model(path: Path, data: Mapping[str, Any], stderr: OutputWrapper) -> None:
    """Write a file, or say why not and exit."""
    try:
        path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        message = _("Can’t write {path}: {reason}")
        stderr.write(message.format(path=path, reason=error.strerror or error))
        raise SystemExit(_BAD_FILE) from None
