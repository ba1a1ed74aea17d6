"""The terms of a table: everything that its host chooses."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, Self

from games import bots
from games.models.tables import (
    BotsSay,
    Chat,
    Joiners,
    Level,
    Pace,
    Starts,
    Table,
    Tempo,
    Visibility,
)
from games.rules.components import LEAST_PLAYERS
from games.rules.editions import OptionError, Options, options_of

# What only the opening of a table uses: afterwards the seats tell.
_OPENING: Final = ("bots", "bot", "bot_level")


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The terms of a table. The fields are columns of `Table`, which documents their meaning.

    The last three are no columns: the table opens with `bots` bots of the kind `bot` ("" for mixed
    characters) and the level `bot_level`.
    """

    edition: str
    seats_wanted: int
    house_rules: Mapping[str, object] = field(default_factory=dict)
    least_seats: int = LEAST_PLAYERS
    starts: Starts = Starts.HOST
    pace: Pace = Pace.NORMAL
    tempo: Tempo = Tempo.NORMAL
    bots_say: BotsSay = BotsSay.ALL
    visibility: Visibility = Visibility.PUBLIC
    takes_guests: bool = False
    takes_programs: bool = False
    languages: tuple[str, ...] = ()
    joiners: Joiners = Joiners.ALL
    joiners_least: int = 0
    spectators: bool = True
    chat: Chat = Chat.FULL
    is_blind: bool = False
    is_rated: bool = False
    bots: int = 0
    bot: str = ""
    bot_level: Level = Level.REGULAR

    @classmethod
    def of(cls, table: Table, **changes: Any) -> Self:
        """Return the terms of a table, with `changes` applied."""
        names = [term.name for term in fields(cls) if term.name not in _OPENING]
        values = {name: getattr(table, name) for name in names} | changes
        return cls(**values | {"languages": tuple(values["languages"])})

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self | None:
        """Return the terms that `json` wrote, however old; None if no table can have them today."""
        names = {term.name for term in fields(cls)}
        values = {name: value for name, value in data.items() if name in names}
        if values.get("bot", "") not in ("", *bots.names()):
            # A kind that is gone since: any character takes its place.
            values["bot"] = ""
        try:
            terms = cls(**values | {"languages": tuple(values.get("languages", ()))})
            least, most = terms.options.players
        except (TypeError, OptionError):
            return None
        return terms if least <= terms.seats_wanted <= most else None

    def json(self) -> dict[str, Any]:
        """Return the terms as a preset stores them."""
        return asdict(self) | {"house_rules": dict(self.house_rules)}

    def columns(self) -> dict[str, Any]:
        """Return the column values of a new table."""
        columns = {name: value for name, value in self.json().items() if name not in _OPENING}
        return columns | {"languages": list(self.languages)}

    @property
    def options(self) -> Options:
        """The options of the edition with the house rules. Raises OptionError."""
        return options_of(self.edition, self.house_rules)
