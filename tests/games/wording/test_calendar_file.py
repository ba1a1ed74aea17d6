"""The calendar file of a scheduled table: RFC 5545, line by line."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.utils import translation

from games.wording.calendar_file import CalendarEntry, calendar_file

ENTRY = CalendarEntry(
    code="k7m2p9qx",
    edition="en",
    pace="normal",
    url="https://play.example/tables/k7m2p9qx/",
    opened_at=datetime(2026, 11, 25, 14, 30, 5, 123, tzinfo=UTC),
    scheduled_at=datetime(2026, 11, 27, 20, 0, tzinfo=timezone(timedelta(hours=1))),
    revised_at=datetime(2026, 11, 26, 9, 0, tzinfo=UTC),
    sequence=0,
    is_cancelled=False,
)


def properties_of(file: bytes) -> list[tuple[str, str]]:
    """Unfold the lines as calendars do, and return each name with its value."""
    lines = file.replace(b"\r\n ", b"").decode().split("\r\n")
    assert lines.pop() == ""
    return [(name, value) for name, _, value in (line.partition(":") for line in lines)]


def event_of(file: bytes) -> dict[str, str]:
    """Return the properties of the event, without its alarm."""
    properties = properties_of(file)
    start = properties.index(("BEGIN", "VEVENT"))
    ends = [("BEGIN", "VALARM"), ("END", "VEVENT")]
    end = min(properties.index(each) for each in ends if each in properties)
    return dict(properties[start + 1 : end])


def test_the_file_is_one_event_in_universal_time_with_an_alarm():
    properties = properties_of(calendar_file(ENTRY))

    assert properties[:2] == [("BEGIN", "VCALENDAR"), ("VERSION", "2.0")]
    assert properties[-2:] == [("END", "VEVENT"), ("END", "VCALENDAR")]
    assert "PRODID" in dict(properties)
    event = event_of(calendar_file(ENTRY))
    assert event["DTSTART"] == "20261127T190000Z"
    assert event["DTSTAMP"] == "20261126T090000Z"
    assert event["DURATION"] == "PT60M"
    assert event["STATUS"] == "CONFIRMED"
    assert event["URL"] == ENTRY.url
    alarm = properties[properties.index(("BEGIN", "VALARM")) :][:5]
    assert ("ACTION", "DISPLAY") in alarm
    assert ("TRIGGER", "-PT15M") in alarm
    assert alarm[-1] == ("END", "VALARM")


def test_a_moved_table_keeps_its_identity_and_raises_its_sequence():
    moved = replace(ENTRY, sequence=3, scheduled_at=ENTRY.scheduled_at + timedelta(days=1))
    first, second = event_of(calendar_file(ENTRY)), event_of(calendar_file(moved))

    assert first["UID"] == second["UID"]
    assert ENTRY.code in first["UID"]
    assert (first["SEQUENCE"], second["SEQUENCE"]) == ("0", "3")
    assert second["DTSTART"] == "20261128T190000Z"


def test_a_cancelled_table_is_marked_and_rings_no_alarm():
    file = calendar_file(replace(ENTRY, sequence=1, is_cancelled=True))

    assert event_of(file)["STATUS"] == "CANCELLED"
    assert b"VALARM" not in file


def test_text_is_escaped(monkeypatch):
    named = "Rules; of the house, by A\\B\nand C"
    monkeypatch.setattr("games.wording.calendar_file.edition_name", lambda code: named)

    summary = event_of(calendar_file(ENTRY))["SUMMARY"]

    assert "Rules\\; of the house\\, by A\\\\B\\nand C" in summary


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_every_line_has_at_most_75_bytes_and_no_character_is_cut(monkeypatch, language):
    long = "Тайный Гитлер 秘密のヒトラー " * 12
    monkeypatch.setattr("games.wording.calendar_file.edition_name", lambda code: long)
    with translation.override(language):
        file = calendar_file(ENTRY)

    lines = file.split(b"\r\n")
    assert max(len(line) for line in lines) <= 75
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    for line in lines:
        line.decode()
    assert long.strip() in event_of(file)["SUMMARY"]


def test_the_length_follows_the_pace():
    lengths = {
        pace: event_of(calendar_file(replace(ENTRY, pace=pace)))["DURATION"]
        for pace in ("blitz", "normal", "relaxed", "untimed")
    }
    assert lengths == {
        "blitz": "PT45M",
        "normal": "PT60M",
        "relaxed": "PT120M",
        "untimed": "PT60M",
    }
