"""Reasons why a service refuses a request, in the user's language."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Refusal(models.TextChoices):
    NOT_SEATED = "not_seated", _("You don’t have a seat at this table.")
    NOT_OPEN = "not_open", _("This table isn’t open any more.")
    SEALING = "sealing", _("The cards are being dealt. Try again in a moment.")
    NOT_STARTED = "not_started", _("The game hasn’t started yet.")
    NIGHT = (
        "night",
        _("It’s still night. The first round begins when everyone has read their role."),
    )
    ON_VACATION = "on_vacation", _("You’re on vacation already.")
    VACATION_SPENT = "vacation_spent", _("You don’t have that many days of vacation left.")
    GAME_OVER = "game_over", _("The game is over.")
    NOT_OVER = "not_over", _("The game isn’t over yet.")
    FULL = "full", _("Every seat is taken.")
    ALREADY_SEATED = "already_seated", _("You’re already at this table.")
    NOT_HOST = "not_host", _("Only the host can do that.")
    TOO_FEW = "too_few", _("There aren’t enough players for these rules yet.")
    HOSTS_ENOUGH = (
        "hosts_enough",
        _("You have too many tables waiting. Start or close one first."),
    )
    GAMES_ENOUGH = (
        "games_enough",
        _("You’re in too many games at once. Finish one or leave a table first."),
    )
    BOT_GAMES_ENOUGH = (
        "bot_games_enough",
        _("You’re in too many quick games at once. Finish or quit one first."),
    )
    NO_GUESTS = "no_guests", _("Guests can’t sit here. Keep your games first: it takes a password.")
    GUEST_PHRASES = "guest_phrases", _("Guests use phrases and claims. Register to type.")
    FRIENDS_ONLY = "friends_only", _("Only the host’s friends can take a seat at this table.")
    TOO_NEW = "too_new", _("Your account is too new for this table.")
    TOO_FEW_GAMES = (
        "too_few_games",
        _("You haven’t finished enough games for this table yet."),
    )
    BLIND_FRIENDS = (
        "blind_friends",
        _("Names are hidden at a blind table, so it can’t be for friends only."),
    )
    RECORDS_ENOUGH = (
        "records_enough",
        _("You’ve reached the limit of uploaded records. Delete one first."),
    )
    PRESETS_ENOUGH = (
        "presets_enough",
        _("You’ve reached the limit of presets. Delete one first."),
    )
    NOT_ALONE = (
        "not_alone",
        _("Other people are in this game too, so you can’t end it on your own."),
    )
    KICKED = "kicked", _("You were removed from this table, so you can’t sit here again.")
    # Gives neither the reason nor the other account: see services/same_person.
    NOT_FOR_YOU = "not_for_you", _("You can’t take part in this game.")
    NO_VOTE = "no_vote", _("You can’t vote on this proposal.")
    OWN_SEAT = "own_seat", _("This is your own seat. To give it up, leave the table.")
    NO_PERSON = "no_person", _("A bot can’t be the host.")
    READY_IS_CALLED = (
        "ready_is_called",
        _("Everyone’s already being asked if they’re ready."),
    )
    READY_IS_NOT_CALLED = (
        "ready_is_not_called",
        _("There’s no ready check right now."),
    )
    DATE_AHEAD = (
        "date_ahead",
        _("This table is scheduled for later. The game can’t start before that."),
    )
    DATE_PASSED = "date_passed", _("This table’s date has come, so it can’t be moved any more.")
    DATE_SOON = "date_soon", _("Choose a time at least ten minutes from now.")
    DATE_LATE = "date_late", _("Choose a date within the next 60 days.")
    DATES_ENOUGH = (
        "dates_enough",
        _("You host too many scheduled tables. Cancel one, or wait until one has started."),
    )
    BOTS_AHEAD = "bots_ahead", _("Bot accounts can’t take a seat ahead of time.")
    HOST_HAS_TIME = (
        "host_has_time",
        _("The host gets two minutes to start. After that, anyone can ask if everyone’s ready."),
    )
    YOU_ARE_AWAY = "you_are_away", _("You’re marked as away. Press “I’m back” first.")
    MOTION_OPEN = "motion_open", _("Another vote is already going on. Wait for it to end.")
    MOVED_LATELY = (
        "moved_lately",
        _("Your last proposal didn’t pass. Wait two minutes and try again."),
    )
    NOT_AWAY = "not_away", _("This player isn’t away.")
    NOBODY_WAITS = "nobody_waits", _("No one on the waiting list can take this seat.")
    NOT_ENOUGH_GONE = (
        "not_enough_gone",
        _("You can end a game only when a third of its people have left."),
    )
    HAS_VOTED = "has_voted", _("You’ve already voted on this.")
    HAS_SAT = (
        "has_sat",
        _("You’ve already had a seat at this table, so you can’t take another."),
    )
    NAME_TAKEN = (
        "name_taken",
        _("Someone at this table already has your name, so you can’t take a seat."),
    )
    LIST_FULL = "list_full", _("The waiting list is full.")
    FROZEN = "frozen", _("A moderator froze this table. Until it’s unfrozen, you can only chat.")
    IS_FROZEN = "is_frozen", _("This table is already frozen.")
    NOT_FROZEN = "not_frozen", _("This table isn’t frozen.")
    IS_VOID = "is_void", _("This game has already been voided.")
    HAS_BEGUN = (
        "has_begun",
        _("The game has started, so you can’t close the table. You can void the game."),
    )
    IS_A_BOT = "is_a_bot", _("A bot already has this seat.")
    NOT_BELOW = (
        "not_below",
        _(
            "This seat belongs to a moderator of your own rank or above. Ask someone who "
            "outranks you both."
        ),
    )
    TABLES_SHUT = "tables_shut", _("New tables can’t be opened right now. Try again later.")
    MAINTENANCE = (
        "maintenance",
        _(
            "The site is going down for maintenance soon. You can finish running games, but "
            "no new ones will start."
        ),
    )
    STALE = "stale", _("Things have moved on. Here’s how it stands now.")
    BLIND = "blind", _("Names are hidden at this table, so you can’t invite people by name.")
    NOT_A_FRIEND = "not_a_friend", _("You can only invite friends.")
    ALREADY_HERE = "already_here", _("Your friend is already at this table.")
    SILENT_PAIR = (
        "silent_pair",
        _(
            "The President and the Chancellor can’t talk to each other while they hold the "
            "policies, and everyone here reads everything. Write again when the session is "
            "over."
        ),
    )
    SILENT_GOVERNMENT = (
        "silent_government",
        _(
            "The President and the Chancellor can’t talk to anyone while they hold the "
            "policies. Write again when the session is over."
        ),
    )
    SILENT_TABLE = (
        "silent_table",
        _(
            "No one talks while the policies are being passed. Write again when the session is "
            "over."
        ),
    )
    DEAD = "dead", _("The dead can’t talk to the living. You can still chat in the gallery.")
    ONLY_SEATED_TALK = "only_seated_talk", _("Only people with a seat can chat at the table.")
    GALLERY_SHUT = "gallery_shut", _("The gallery opens when the game starts.")
    GALLERY_SEALED = (
        "gallery_sealed",
        _("You can’t use the gallery while you’re still in the game."),
    )
    GALLERY_BLIND = (
        "gallery_blind",
        _("At a blind table, the gallery opens to spectators after the game."),
    )
    NOT_IN_GALLERY = "not_in_gallery", _("Join the gallery chat first.")
    SAT_HERE = "sat_here", _("You were replaced at this table. You can watch, but not chat.")
    HEARD_THE_GALLERY = (
        "heard_the_gallery",
        _("You’ve joined this game’s gallery chat, so you can’t take a seat in it."),
    )
    GAGGED = "gagged", _("You’ve been banned from chat.")
    NO_BOT_ACCOUNTS = (
        "no_bot_accounts",
        _("Bot accounts can’t play at rated, blind or untimed tables."),
    )
    NO_PROGRAMS = "no_programs", _("The host hasn’t let bot accounts in.")
    UNRATED = "unrated", _("You’ve been banned from rated games.")
    SHUT_OUT = "shut_out", _("You’ve been banned from this site.")
    PHRASES_ONLY = "phrases_only", _("This table uses phrases only.")
    NO_TALK = "no_talk", _("Chat is off at this table.")
    SAYS_NOTHING = (
        "says_nothing",
        _("There’s no visible text in your message. Write something first."),
    )
    TOO_LONG = "too_long", _("That’s too long. Keep it to 300 characters.")
    NOT_SEEN = "not_seen", _("You can only claim what you’ve been shown yourself.")
    SAID_ALREADY = "said_already", _("You’ve already made that claim.")
    CLAIMED_ENOUGH = (
        "claimed_enough",
        _("You’ve changed this claim often enough. The last one stands."),
    )
    NO_PHRASE = "no_phrase", _("Choose a phrase first.")
    NAME_ONE = "name_one", _("Choose the player this phrase is about.")
    NAME_TWO = "name_two", _("Choose the two players this phrase is about.")
    NOT_YOURSELF = "not_yourself", _("Choose someone other than yourself.")
    TWICE_THE_SAME = "twice_the_same", _("Choose two different players.")
    NAMES_HIDDEN = (
        "names_hidden",
        _("Names are hidden until the game is over. Mute that seat instead."),
    )
    NOBODY_THERE = "nobody_there", _("No one else is in that seat.")
    UNCLEAR = "unclear", _("That didn’t come through. Reload the page and try again.")
    OWN_REPORT = "own_report", _("You can’t report yourself.")
    REPORTED_ALREADY = (
        "reported_already",
        _("You’ve already reported this. You’ll hear the outcome."),
    )
    REPORTS_ENOUGH = (
        "reports_enough",
        _("You have too many open reports. Wait until moderators get to them."),
    )
    JUDGES = (
        "judges",
        _("You’ve taken a case about this table, so you can’t take part in its game."),
    )
    CASE_CLAIMED = "case_claimed", _("Another moderator has taken this case.")
    CASE_DECIDED = "case_decided", _("This case has already been decided.")
    CASE_NOT_YOURS = "case_not_yours", _("Take the case first.")
    NOT_A_JUDGE = "not_a_judge", _("This moderator can’t judge the case.")


class Refused(Exception):
    """Raised when a service has changed nothing, for the reason in `refusal`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal
