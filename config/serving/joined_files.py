"""Joins style sheets and scripts that pages always load together.

Each file costs a request with a kilobyte of headers, and one long text compresses better than many
short ones. settings.JOINED_FILES lists the parts of each file in their order. They lose comments
and indents, which would be a sixth of what is sent.
"""

from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import AppDirectoriesFinder, BaseFinder
from django.core.files.storage import FileSystemStorage

from config.serving.smaller import smaller_script, smaller_style


class JoinedFinder(BaseFinder):
    """Finds the joined files, which it writes anew when one of their parts has changed."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._parts = AppDirectoriesFinder()
        self._storage = FileSystemStorage(location=settings.JOINED_ROOT)
        # Django's command asks every finder's storage for a prefix.
        self._storage.prefix = ""  # type: ignore[attr-defined]

    def list(self, ignore_patterns: Iterable[str] | None) -> Any:
        for name in settings.JOINED_FILES:
            self._write(name)
            yield name, self._storage

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        if path not in settings.JOINED_FILES:
            return []
        found = str(self._write(path))
        return [found] if find_all else found

    def _write(self, name: str) -> Path:
        texts = []
        for part in settings.JOINED_FILES[name]:
            found = self._parts.find(part)
            assert isinstance(found, str), part
            texts.append(_smaller(part, Path(found).read_text(encoding="utf-8")))
        text = "\n".join(texts)
        path = Path(settings.JOINED_ROOT) / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Another process may read the file now, or write it too.
            with NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as new:
                new.write(text)
            Path(new.name).chmod(0o644)
            Path(new.name).replace(path)
        return path


def _smaller(name: str, text: str) -> str:
    if name.endswith(".css"):
        return smaller_style(text)
    # Other authors' scripts stay as they are, with their licences.
    return text if "/vendor/" in name else smaller_script(text)
