"""The reasons for which the rules refuse an action."""

from enum import StrEnum


class Reason(StrEnum):
    """The rule that an illegal action breaks."""

    GAME_OVER = "game_over"
    NO_SUCH_SEAT = "no_such_seat"
    DEAD = "dead"
    WRONG_PHASE = "wrong_phase"
    NOT_YOUR_TURN = "not_your_turn"
    YOURSELF = "yourself"
    TARGET_DEAD = "target_dead"
    TERM_LIMITED = "term_limited"
    NOT_IN_HAND = "not_in_hand"
    VETO_LOCKED = "veto_locked"
    VETO_REFUSED = "veto_refused"
    INVESTIGATED_BEFORE = "investigated_before"
