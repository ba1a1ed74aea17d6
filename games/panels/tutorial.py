"""A lesson of the tutorial: the table's own panels, with a form that answers to the lesson."""

from dataclasses import dataclass, replace
from typing import ClassVar

from games.panels.pieces import Panel, Part, Piece, locale_for, public_piece
from games.panels.private import Act, choice_to, move_form, what_is_known
from games.panels.scene import Desk, Scene, Tracks, scene_of
from games.rules.actions import NOMINATE
from games.rules.claims import Sight, sight_of
from games.rules.phases import Phase
from games.state.rooms import Room
from games.tutorial import CLAIM, OWN_SEAT, READ, Lesson, claimable


@dataclass(frozen=True, slots=True)
class LessonAct(Part):
    """The player's decision, or the way to the next lesson after it."""

    template: ClassVar[str] = "lesson_act"
    noun: ClassVar[str] = "lesson"
    is_kept: ClassVar[bool] = False

    slug: str
    # The decision as the table shows it; None if it is none of the game's.
    act: Act | None = None
    # What the player may claim something about.
    sight: Sight | None = None
    # The address that follows, once the decision is made.
    next_url: str = ""


def lesson_panels(
    lesson: Lesson, room: Room, language: str, *, edition: str, next_url: str = ""
) -> dict[str, Panel]:
    """Return the panels of a lesson's table. With `next_url`, its decision has been made."""
    locale = locale_for(language, edition)
    scene = scene_of(room)
    view = room.view(OWN_SEAT)
    # The first night's text is long, and this lesson tells what matters of it.
    known = replace(what_is_known(scene, room.seats[OWN_SEAT], view), night=None)
    act = LessonAct(lesson.slug, next_url=next_url)
    if not next_url and lesson.act == CLAIM:
        act = replace(act, sight=sight_of(claimable(lesson, edition=edition)[0]))
    elif not next_url and lesson.act != READ:
        act = replace(act, act=_offered(lesson, scene))

    desk = tuple(
        replace(part, shows_rules=False) if isinstance(part, Desk) else part for part in scene.desk
    )

    def panel(name: str, shell: Part, rows: tuple[Part, ...] = ()) -> Panel:
        pieces = tuple(public_piece(part, locale) for part in rows)
        return Panel(name, public_piece(shell, locale), pieces)

    return {
        "banner": panel("banner", scene.banner),
        "seats": panel("seats", scene.seats_shell, scene.seats),
        "tracks": panel("tracks", Tracks(), desk),
        "you": Panel("you", Piece(known, locale)),
        "action": Panel("action", Piece(act, locale)),
    }


def _offered(lesson: Lesson, scene: Scene) -> Act:
    """Return the table's own form, with the refused seats among the choices."""
    view = scene.room.view(OWN_SEAT)
    act = move_form(scene, scene.room.seats[OWN_SEAT], view)
    if view.phase is not Phase.NOMINATION:
        return act
    more = tuple(choice_to(NOMINATE[OWN_SEAT][seat], scene.names) for seat in lesson.refused)
    return replace(act, choices=tuple(sorted((*act.choices, *more), key=lambda it: it.value)))
