"""How a hint leaves: to this process's hub if it takes it, otherwise to the live layer."""

from typing import Any

import pytest

from games.services import announcements


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """Collect what reaches the live layer."""
    sent: list[tuple[str, dict[str, Any]]] = []

    class Layer:
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            sent.append((group, message))

    monkeypatch.setattr(announcements, "get_channel_layer", Layer)
    return sent


@pytest.mark.parametrize("is_taken", [True, False])
def test_the_layer_gets_what_no_receiver_takes(layer, is_taken):
    offered = []

    def receiver(group: str, message: dict[str, Any], **kwargs: Any) -> bool:
        offered.append((group, message))
        return is_taken

    announcements.hint_offered.connect(receiver)
    try:
        announcements._send("lobby", {"type": "lobby.changed"})
    finally:
        announcements.hint_offered.disconnect(receiver)

    hint = ("lobby", {"type": "lobby.changed"})
    assert offered == [hint]
    assert layer == ([] if is_taken else [hint])
