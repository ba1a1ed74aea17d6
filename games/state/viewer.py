"""The viewer of a table: who they are, and what they may see and want to see there."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ViewerSettings:
    """The settings and permissions of a viewer that change what they see at one table."""

    # Primary keys, sorted, of users whose messages the viewer hides: at this table, and everywhere.
    muted: tuple[int, ...] = ()
    blocked: tuple[int, ...] = ()
    # The seats of bots whose messages the viewer hides at this table.
    muted_bots: tuple[int, ...] = ()
    # Whether rude words are masked.
    masks: bool = False
    # Their number in this table's gallery; None if they have not joined it.
    guest: int | None = None
    # Whether they may remove messages.
    may_remove: bool = False
    # Whether they may use the moderators' tools of `services.order` here.
    keeps_order: bool = False
    # Whether they have only a trial account, and so write phrases alone.
    is_trial: bool = False
    # Whether moderators have muted them in the chat.
    is_gagged: bool = False

    @property
    def unheard(self) -> tuple[int, ...]:
        return tuple(sorted({*self.muted, *self.blocked}))


@dataclass(frozen=True, slots=True, eq=False)
class Viewer:
    """What a socket keeps about its viewer for as long as it is open."""

    # None for an anonymous viewer.
    user_pk: int | None
    language: str
    # Primary keys of the private tables that they hold an invitation to.
    invited: tuple[int, ...]
    # The origin of the page that opened the socket, for links.
    origin: str
    # As of when the socket opened; after a change `services.live.announce_viewer_settings` makes
    # the client reconnect.
    viewer_settings: ViewerSettings = ViewerSettings()
    session_key: str | None = None
