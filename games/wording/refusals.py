"""Reasons why a service refuses a request, in the user's language."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Refusal(models.TextChoices):
    NOT_SEATED = "not_seated", _("You have no seat at this table.")
    NOT_OPEN = "not_open", _("This table is no longer open.")
    SEALING = "sealing", _("The cards are being dealt. Try again in a moment.")
    NOT_STARTED = "not_started", _("The game has not started yet.")
    NIGHT = (
        "night",
        _("It’s still night. The first round begins when everyone has read their role."),
    )
    GAME_OVER = "game_over", _("The game is over.")
    NOT_OVER = "not_over", _("The game is still going on.")
    FULL = "full", _("Every seat is taken.")
    ALREADY_SEATED = "already_seated", _("You already sit at this table.")
    NOT_HOST = "not_host", _("Only the host of the table can do this.")
    TOO_FEW = "too_few", _("There are not enough players for these rules yet.")
    HOSTS_ENOUGH = (
        "hosts_enough",
        _("You have reached the limit of waiting tables. Begin or close one first."),
    )
    GAMES_ENOUGH = (
        "games_enough",
        _("You have reached the limit of games at one time. Finish one or leave a table first."),
    )
    BOT_GAMES_ENOUGH = (
        "bot_games_enough",
        _("You have reached the limit of quick games at one time. Finish one or give it up first."),
    )
    FRIENDS_ONLY = "friends_only", _("Only friends of the host may take a seat at this table.")
    TOO_NEW = "too_new", _("This table is for accounts that have been here for longer.")
    TOO_FEW_GAMES = (
        "too_few_games",
        _("This table is for people who have finished more games."),
    )
    BLIND_FRIENDS = (
        "blind_friends",
        _("At a blind table nobody knows who sits there, so it cannot be for friends only."),
    )
    NO_TABLE = (
        "no_table",
        _(
            "No table with a free seat matches right now. Use fewer filters, or open a table "
            "yourself."
        ),
    )
    PRESETS_ENOUGH = (
        "presets_enough",
        _("You have reached the limit of presets. Delete one first."),
    )
    NOT_ALONE = (
        "not_alone",
        _("Others play this game too: it cannot be given up by one of them."),
    )
    KICKED = "kicked", _("The host has removed you from this table. You cannot sit down here.")
    # Gives neither the reason nor the other account: see services/same_device.
    NOT_FOR_YOU = "not_for_you", _("You cannot take part in this game.")
    NO_VOTE = "no_vote", _("You cannot vote on this motion.")
    OWN_SEAT = "own_seat", _("This is your own seat. To give it up, leave the table.")
    NO_PERSON = "no_person", _("Only a person can be host.")
    READY_IS_CALLED = (
        "ready_is_called",
        _("Everybody is already being asked whether they are ready."),
    )
    READY_IS_NOT_CALLED = (
        "ready_is_not_called",
        _("Nobody is being asked whether they are ready right now."),
    )
    HOST_HAS_TIME = (
        "host_has_time",
        _("The host has two minutes to begin. After that anybody may ask whether all are ready."),
    )
    YOU_ARE_AWAY = "you_are_away", _("You are away. Say that you are back, then you may vote.")
    MOTION_OPEN = "motion_open", _("The table is voting on another motion.")
    MOVED_LATELY = (
        "moved_lately",
        _("The table has just rejected a motion of yours. Give it two minutes."),
    )
    NOT_AWAY = "not_away", _("This player is not away.")
    NOBODY_WAITS = "nobody_waits", _("Nobody on the waiting list can take this seat.")
    NOT_ENOUGH_GONE = (
        "not_enough_gone",
        _("A game may be ended only when a third of its people have left."),
    )
    HAS_VOTED = "has_voted", _("You have voted on this already.")
    HAS_SAT = (
        "has_sat",
        _("You have had a seat at this table before and cannot take another."),
    )
    NAME_TAKEN = "name_taken", _("Somebody at this table already has your name.")
    LIST_FULL = "list_full", _("The waiting list is full.")
    FROZEN = "frozen", _("A moderator has frozen this table. Until it thaws there is only talk.")
    IS_FROZEN = "is_frozen", _("This table is frozen already.")
    NOT_FROZEN = "not_frozen", _("This table is not frozen.")
    IS_VOID = "is_void", _("This game has been voided already.")
    HAS_BEGUN = "has_begun", _("The game has begun. It can be voided, and not closed.")
    IS_A_BOT = "is_a_bot", _("A bot sits there already.")
    NOT_BELOW = (
        "not_below",
        _("This seat is a moderator’s of your own rank or above: ask somebody above both."),
    )
    TABLES_SHUT = "tables_shut", _("No new tables can be opened for the time being.")
    MAINTENANCE = (
        "maintenance",
        _(
            "The site is about to go down for maintenance: running games can be finished, but no "
            "new ones begin."
        ),
    )
    STALE = "stale", _("The table has moved on since. This is how it stands now.")
    HAS_LOOKED = (
        "has_looked",
        _("You have seen the hidden cards of this game and cannot take part in it."),
    )
    TOO_MANY_LOOKS = (
        "too_many_looks",
        _("You have broken the glass too often in the last hour. Ask another moderator."),
    )
    GLASS_IS_BROKEN = (
        "glass_is_broken",
        _("This form has been used: a form is good for one look. Say again why you look."),
    )
    BLIND = "blind", _("Names are hidden at this table: nobody is invited to it by name.")
    NOT_A_FRIEND = "not_a_friend", _("You can invite your friends only.")
    ALREADY_HERE = "already_here", _("Your friend already sits at this table.")
    SILENT_PAIR = (
        "silent_pair",
        _(
            "President and Chancellor may not talk to each other while they hold the policies, and "
            "here everybody hears everything: write again when the session is over."
        ),
    )
    SILENT_GOVERNMENT = (
        "silent_government",
        _(
            "President and Chancellor may not talk to anybody while they hold the policies: write "
            "again when the session is over."
        ),
    )
    SILENT_TABLE = (
        "silent_table",
        _("Nobody talks while the policies are passed on: write again when the session is over."),
    )
    DEAD = "dead", _("The dead do not talk to the living. Your words reach the gallery only.")
    ONLY_SEATED_TALK = "only_seated_talk", _("Only those who sit at the table talk there.")
    GALLERY_SHUT = "gallery_shut", _("The gallery opens when the game begins.")
    GALLERY_SEALED = (
        "gallery_sealed",
        _("The gallery is closed to those who play until the game is over."),
    )
    NOT_IN_GALLERY = "not_in_gallery", _("Join the gallery chat first.")
    SAT_HERE = "sat_here", _("You were replaced at this table: you can watch, but not chat.")
    HEARD_THE_GALLERY = (
        "heard_the_gallery",
        _("You have joined the gallery chat of this game, so you cannot take a seat in it."),
    )
    GAGGED = "gagged", _("The moderators have closed the chat to you.")
    UNRATED = "unrated", _("The moderators have closed rated games to you.")
    SHUT_OUT = "shut_out", _("The moderators have closed the site to you.")
    PHRASES_ONLY = "phrases_only", _("At this table people talk in phrases only.")
    NO_TALK = "no_talk", _("Chat is switched off at this table.")
    SAYS_NOTHING = "says_nothing", _("The message has no visible text.")
    TOO_LONG = "too_long", _("That is too long: a message has at most 300 characters.")
    NOT_SEEN = "not_seen", _("You can only claim what you have been shown yourself.")
    SAID_ALREADY = "said_already", _("You have already made that claim.")
    NO_PHRASE = "no_phrase", _("Choose a phrase first.")
    NAME_ONE = "name_one", _("Choose whom this phrase names.")
    NAME_TWO = "name_two", _("Choose the two whom this phrase names.")
    NOT_YOURSELF = "not_yourself", _("Choose somebody other than yourself.")
    TWICE_THE_SAME = "twice_the_same", _("Choose two different people.")
    NAMES_HIDDEN = (
        "names_hidden",
        _("Names are hidden here until the game is over: mute that seat instead."),
    )
    NOBODY_THERE = "nobody_there", _("There is no other person in that place.")
    UNCLEAR = "unclear", _("That is not a move that this table knows.")
    OWN_REPORT = "own_report", _("You cannot report yourself.")
    REPORTED_ALREADY = (
        "reported_already",
        _("You have reported this already. You will hear what became of it."),
    )
    REPORTS_ENOUGH = (
        "reports_enough",
        _("You have reached the limit of open reports. Moderators will get to them."),
    )
    JUDGES = "judges", _("You have taken a case of this table and take no part in its game.")
    CASE_CLAIMED = "case_claimed", _("Another moderator has taken this case.")
    CASE_DECIDED = "case_decided", _("This case has been decided already.")
    CASE_NOT_YOURS = "case_not_yours", _("Take the case first.")
    NOT_A_JUDGE = "not_a_judge", _("This moderator cannot judge the case.")


class Refused(Exception):
    """Raised when a service has changed nothing, for the reason in `refusal`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal
