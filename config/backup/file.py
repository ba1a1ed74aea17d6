"""The backup file: lines of JSON, compressed, with a checksum at its end.

{"chancellery": "backup", "format": 1, "site": "0.1.0", "made_at": ..., "version": [...]}
{"table": "games_table", "columns": ["id", "code", ...]}
[1, "k7m2x9ab", ...]                                          a row
...
{"rows": 12345, "sha256": "..."}                              of all lines before it
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, BinaryIO, Final

from django.utils.translation import gettext as _

from config.backup.errors import BackupError

FORMAT: Final = 1
# A user's export may be some megabytes. A foreign file might have no line breaks at all.
_LONGEST_LINE: Final = 128 * 1024 * 1024


class Writer:
    """Writes to an open binary file. `close` adds the checksum and leaves the file open."""

    def __init__(self, file: BinaryIO, *, site: str, version: list[str], made_at: datetime) -> None:
        self._gzip = gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6)
        self._hash = hashlib.sha256()
        self.rows = 0
        self._write(
            {
                "chancellery": "backup",
                "format": FORMAT,
                "site": site,
                "made_at": made_at.isoformat(),
                "version": version,
            }
        )

    def table(self, name: str, columns: list[str]) -> None:
        self._write({"table": name, "columns": columns})

    def row(self, values: list[Any]) -> None:
        self._write(values)
        self.rows += 1

    def close(self) -> None:
        self._write({"rows": self.rows, "sha256": self._hash.hexdigest()})
        self._gzip.close()

    def _write(self, line: Any) -> None:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        # A JSON column can hold half a surrogate pair; `json.loads` reads it from bytes like these.
        data = text.encode(errors="surrogatepass") + b"\n"
        self._hash.update(data)
        self._gzip.write(data)


class Reader:
    """Reads from an open binary file.

    Every method raises BackupError if the file is not a backup, or is not complete.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._gzip = gzip.GzipFile(mode="rb", fileobj=file)
        self._hash = hashlib.sha256()
        with suppress(BackupError):
            head = self._line()
            if isinstance(head, dict) and head.get("chancellery") == "backup":
                self.format = head.get("format")
                self.version = head.get("version")
                # Files of the first versions do not name their site's.
                self.site = str(head.get("site", "0.1.0"))
                self.made_at = str(head.get("made_at"))
                return
        raise BackupError(_("This isn’t a backup of this site."))

    def rows(self) -> Iterator[tuple[str, list[str], list[Any] | None]]:
        """Yield each row with its table and columns; the row is None at a table's beginning.

        The rows are valid only after the iterator is exhausted: the checksum is checked last.
        """
        table, count = "", 0
        columns: list[str] = []
        while True:
            so_far = self._hash.hexdigest()
            line = self._line()
            match line:
                case list():
                    if not table or len(line) != len(columns):
                        raise _broken()
                    count += 1
                    yield table, columns, line
                case {"table": str(table), "columns": list(columns)}:
                    yield table, columns, None
                case {"rows": int(rows), "sha256": str(seal)}:
                    if rows != count or seal != so_far or self._read(1):
                        raise _broken()
                    return
                case _:
                    raise _broken()

    def _line(self) -> Any:
        try:
            data = self._gzip.readline(_LONGEST_LINE)
            self._hash.update(data)
            return json.loads(data)
        except (EOFError, OSError, zlib.error, ValueError, RecursionError) as error:
            raise _broken() from error

    def _read(self, size: int) -> bytes:
        try:
            return self._gzip.read(size)
        except (EOFError, OSError, zlib.error) as error:
            raise _broken() from error


def _broken() -> BackupError:
    return BackupError(_("The backup is damaged or incomplete. Nothing was changed."))
