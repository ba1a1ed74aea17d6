"""The aim, the components, the setup and the first night."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.rules.components import FASCIST_POLICIES_ARM_HITLER, Role
from games.rules.editions import SPACES, HitlerKnows, Options
from games.rules.night import hitler_looks
from games.rules.powers import Power

from .blocks import Block, Chapter, Grid, Paragraph, Steps

# Each document has its own words for these; an edition without an entry has those of "en".

_GAMES: Final = {
    "en": gettext_lazy(
        "{game} is a game of hidden roles, set in Germany before the war. You’re all politicians. "
        "Most of you are liberals, who don’t know what anyone else is. The others are fascists, "
        "and one of them is Hitler."
    ),
    "ru-5-6": gettext_lazy(
        "{game} is a game of hidden roles. Chance divides you into two parties. Most of you are "
        "liberals, who don’t know what anyone else is. The others are fascists: Hitler and an "
        "ordinary party comrade."
    ),
}
_SETTINGS: Final = {
    "en": gettext_lazy(
        "It’s 1932. A fragile liberal government is trying to keep the fascists out of power."
    ),
    "ru": gettext_lazy(
        "It’s 1932. You’re trying to hold a liberal government together and to stop the rise of "
        "fascism."
    ),
    "ru-5-6": gettext_lazy(
        "This is the Weimar Republic, and the game shows how the Nazis came to power."
    ),
    "pl": gettext_lazy(
        "It’s 1932. You’re trying to keep a fragile liberal government together and to stop the "
        "rise of fascism."
    ),
    "ja": gettext_lazy(
        "You’re trying to hold a liberal government together and to stop the rise of fascism."
    ),
    "it": gettext_lazy("A fragile liberal government is trying to keep the fascists out of power."),
}
_SABOTAGE: Final = {
    "ru": gettext_lazy("The fascists have to resort to sabotage."),
    "pl": gettext_lazy("The fascists have to work in secret and to resort to sabotage."),
}
_CARDS_WITHOUT_TEXT: Final = gettext_lazy(
    "The policy cards have no text, only their side: liberal or fascist. The Reichstag, says the "
    "document, is no place to read policies before they’re enacted."
)
_UNLIKE_MAFIA: Final = gettext_lazy(
    "Unlike in Mafia, at most two players are killed in a game, usually towards its end."
)

# The number of a part of which each player of the largest table gets one.
_ONE_EACH: Final = 0
_ROLES: Final = gettext_lazy("Secret role cards")
_PARTY_CARDS: Final = gettext_lazy("Party membership cards")
_ENVELOPES: Final = gettext_lazy("Envelopes")
_BALLOTS: Final = gettext_lazy("Ballots, Ja and Nein")
_TRACKER: Final = gettext_lazy("Election tracker")
_DRAW_CARD: Final = gettext_lazy("Draw pile card")
_PRESIDENT: Final = gettext_lazy("President placard")
_CHANCELLOR: Final = gettext_lazy("Chancellor placard")
_TRACKS: Final = gettext_lazy("Fascist tracks, by the number of players")
_LIBERAL_TRACK: Final = gettext_lazy("Liberal track")

# The parts of which the document gives a number; the policies are always counted.
_COUNTED: Final[dict[str, tuple[tuple[str | Promise, int], ...]]] = {
    "en": (
        (_ROLES, _ONE_EACH),
        (_PARTY_CARDS, _ONE_EACH),
        (_ENVELOPES, _ONE_EACH),
        (gettext_lazy("Ja ballots"), _ONE_EACH),
        (gettext_lazy("Nein ballots"), _ONE_EACH),
        (_TRACKER, 1),
        (_DRAW_CARD, 1),
        (gettext_lazy("Discard pile card"), 1),
        (gettext_lazy("Double-sided boards: a fascist track, and a liberal track on the back"), 3),
        (_PRESIDENT, 1),
        (_CHANCELLOR, 1),
    ),
    "ru": (),
    "ru-5-6": (
        (gettext_lazy("Fascist tracks: for 5–6, 7–8 and 9–10 players"), 3),
        (gettext_lazy("Bullets"), 2),
    ),
    "pl": (
        (_ROLES, _ONE_EACH),
        (_PARTY_CARDS, _ONE_EACH),
        (_ENVELOPES, _ONE_EACH),
        (gettext_lazy("Ja ballots"), _ONE_EACH),
        (gettext_lazy("Nein ballots"), _ONE_EACH),
        (gettext_lazy("Election tracker marker"), 1),
        (_DRAW_CARD, 1),
        (gettext_lazy("Discard pile card"), 1),
        (gettext_lazy("Boards, liberal and fascist"), 3),
        (_PRESIDENT, 1),
        (_CHANCELLOR, 1),
    ),
    "ja": (),
    "it": (),
}
# The parts that the document names without a number.
_NAMED: Final[dict[str, tuple[str | Promise, ...]]] = {
    "ru": (
        _TRACKS,
        _LIBERAL_TRACK,
        _ENVELOPES,
        _ROLES,
        _PARTY_CARDS,
        _BALLOTS,
        _PRESIDENT,
        _CHANCELLOR,
        gettext_lazy("Placards of the former President and the former Chancellor"),
        _TRACKER,
        gettext_lazy("Bullet"),
    ),
    "ru-5-6": (
        _ROLES,
        _PARTY_CARDS,
        _BALLOTS,
        _PRESIDENT,
        _CHANCELLOR,
        gettext_lazy("Honorary placards"),
        _TRACKER,
        _ENVELOPES,
        _LIBERAL_TRACK,
        gettext_lazy("Honorary badge"),
    ),
    "ja": (
        _TRACKS,
        _LIBERAL_TRACK,
        _ENVELOPES,
        _ROLES,
        _PARTY_CARDS,
        _BALLOTS,
        _PRESIDENT,
        _CHANCELLOR,
        _TRACKER,
    ),
    "it": (
        gettext_lazy("Fascist tracks, each with the liberal track on its back"),
        _DRAW_CARD,
        _ENVELOPES,
        _ROLES,
        _PARTY_CARDS,
        _BALLOTS,
        gettext_lazy(
            "Placards of the President and the Chancellor: folded into prisms, with the office in "
            "front and its duties on the back"
        ),
        _TRACKER,
    ),
}

_LAY_DOUBLE: Final = gettext_lazy(
    "Take the fascist track for your number of players, and lay a second board beside it with the "
    "liberal track up."
)
_LAY: Final = gettext_lazy(
    "Lay the fascist track for your number of players beside the liberal track."
)
_PILE_ON_CARD: Final = gettext_lazy(
    "Shuffle all the policies into one draw pile, face down, and put it on the draw pile card."
)
_PILE_ON_PLACE: Final = gettext_lazy("Shuffle the policies and put them on the place “{place}”.")
_FACE_DOWN: Final = gettext_lazy("The draw pile lies face down.")
_FILL: Final = gettext_lazy(
    "Fill an envelope for each player: a secret role, the party membership card that goes with "
    "it, a Ja ballot and a Nein ballot."
)
_FILL_WITHOUT_PARTY: Final = gettext_lazy(
    "Fill an envelope for each player: a secret role, a Ja ballot and a Nein ballot."
)
_CHECK_FASCISTS: Final = gettext_lazy(
    "Check that there’s the right number of fascists besides Hitler."
)
_DEAL: Final = gettext_lazy("Shuffle the envelopes, deal them out, and look at yours in secret.")
_LOTS: Final = gettext_lazy(
    "Draw lots for the first presidential candidate, who gets both placards: President and "
    "Chancellor."
)
_NIGHT: Final = gettext_lazy("Then comes the night, and after it the first round.")
# What the documents print on the place of the draw pile.
_PLACES: Final = {"ru": "СТОПКА РАЗДАЧИ", "ja": "DRAW"}
_SETUPS: Final = {
    "en": (_LAY_DOUBLE, _PILE_ON_CARD, _FILL, _DEAL, _LOTS, _NIGHT),
    "ru": (_LAY, _PILE_ON_PLACE, _FACE_DOWN, _FILL, _DEAL, _LOTS, _NIGHT),
    "ru-5-6": (
        _FILL,
        gettext_lazy("Shuffle the envelopes and deal them out."),
        gettext_lazy("Shuffle the policies."),
        _FACE_DOWN,
        gettext_lazy(
            "Lay the liberal track and the fascist track for your number of players in the middle "
            "of the table."
        ),
        gettext_lazy("Then night falls."),
        gettext_lazy("Draw lots for the first President."),
    ),
    "pl": (_LAY, _PILE_ON_CARD, _FILL, _CHECK_FASCISTS, _DEAL, _LOTS, _NIGHT),
    "ja": (_LAY, _PILE_ON_PLACE, _FACE_DOWN, _FILL, _CHECK_FASCISTS, _DEAL, _LOTS, _NIGHT),
    "it": (
        _LAY_DOUBLE,
        _PILE_ON_CARD,
        _FILL,
        _CHECK_FASCISTS,
        gettext_lazy("Shuffle the envelopes. Each of you draws one and looks at it in secret."),
        _LOTS,
        _NIGHT,
    ),
}


def counts(options: Options) -> range:
    """Return the player counts that the rules support."""
    least, most = options.players
    return range(least, most + 1)


def small(options: Options) -> list[int]:
    """Return the supported player counts with which Hitler knows the fascists."""
    return [n for n in counts(options) if hitler_looks(options, n)]


def large(options: Options) -> list[int]:
    """Return the supported player counts with which Hitler knows no one."""
    return [n for n in counts(options) if not hitler_looks(options, n)]


def players_range(numbers: list[int]) -> str:
    """Return a range of player counts as the language writes it."""
    return wording.option_value("players", (numbers[0], numbers[-1]))


def meets(power: Power, options: Options) -> bool:
    """Return whether a table with these rules can have this power."""
    return any(power in options.powers(n) for n in counts(options))


def aim(edition: str, options: Options) -> Chapter:
    blocks = [
        Paragraph("game", str(_GAMES.get(edition, _GAMES["en"])).format(game=_("Secret Hitler"))),
        Paragraph("setting", str(_SETTINGS.get(edition, _SETTINGS["en"]))),
    ]
    if edition in _SABOTAGE:
        blocks.append(Paragraph("sabotage", str(_SABOTAGE[edition])))
    blocks += [
        Paragraph(
            "idea",
            _(
                "Each round you elect a President and a Chancellor, and the two enact one of three "
                "policies. Only they know what they discarded."
            ),
        ),
        Paragraph(
            "suspicion",
            _(
                "So a fascist policy may be treason or bad luck. Talk, vote and lie your way to "
                "the truth."
            ),
        ),
    ]
    if edition == "ru-5-6":
        blocks.append(Paragraph("cards-without-text", str(_CARDS_WITHOUT_TEXT)))
    blocks.append(Paragraph("both", _both(options), ("hitler_zone",)))
    if edition == "ru-5-6" and _most_executions(options) == 2:
        blocks.append(Paragraph("unlike-mafia", str(_UNLIKE_MAFIA), ("players", *SPACES)))
    return Chapter("aim", pgettext("rulebook", "What it is about"), tuple(blocks))


def _most_executions(options: Options) -> int:
    return max(options.powers(n).count(Power.EXECUTION) for n in counts(options))


def _both(options: Options) -> str:
    if options.hitler_zone == FASCIST_POLICIES_ARM_HITLER:
        return _(
            "The liberals win with five liberal policies, or by executing Hitler. The "
            "fascists win with six fascist policies, or by getting Hitler elected "
            "Chancellor after the third."
        )
    told = _(
        "The liberals win with five liberal policies, or by executing Hitler. The fascists win "
        "with six fascist policies, or by getting Hitler elected Chancellor from fascist policy "
        "{number} on."
    )
    return told.format(number=options.hitler_zone)


_ABOUT_PARTS: Final = ("players", "party_cards", "liberal_policies", "fascist_policies")


def _counted(edition: str, options: Options) -> Grid:
    most = options.players[1]
    parts = [
        (_("Liberal policies"), options.liberal_policies),
        (_("Fascist policies"), options.fascist_policies),
        *(
            (str(part), most if number == _ONE_EACH else number)
            for part, number in _COUNTED[edition]
            if part is not _PARTY_CARDS or options.party_cards
        ),
    ]
    return Grid(
        "components",
        "",
        (pgettext("rulebook", "Part"), pgettext("rulebook", "How many")),
        tuple((name, str(number)) for name, number in parts),
        _ABOUT_PARTS,
    )


def _named(edition: str, options: Options) -> tuple[Steps, ...]:
    if edition not in _NAMED:
        return ()
    parts = tuple(
        _party_cards_of_the_box(edition, options) if part is _PARTY_CARDS else str(part)
        for part in _NAMED[edition]
    )
    title = _("Named without a number")
    return (Steps("components-named", tuple(filter(None, parts)), _ABOUT_PARTS, title, False),)


def _party_cards_of_the_box(edition: str, options: Options) -> str:
    if options.party_cards:
        return str(_PARTY_CARDS)
    # Its list has them although its rules don't use them.
    return _("Party membership cards (not used)") if edition == "ru-5-6" else ""


def _party_cards(options: Options) -> str:
    if options.party_cards and meets(Power.INVESTIGATION, options):
        return _(
            "You get a secret role card and a party membership card that goes with it. An "
            "investigation shows your party, and never your role."
        )
    if options.party_cards:
        return _("You get a secret role card and a party membership card that goes with it.")
    if meets(Power.INVESTIGATION, options):
        return _(
            "You get a secret role card and no party membership card. If the President "
            "investigates you, they learn only your party."
        )
    return _(
        "You get a secret role card: liberal, fascist or Hitler. Party membership cards aren’t "
        "used."
    )


def _two_cards(edition: str, options: Options) -> tuple[Block, ...]:
    about = ("party_cards", "players", *SPACES)
    blocks = []
    if options.party_cards or meets(Power.INVESTIGATION, options):
        text = _("Hitler’s party membership is fascist.")
        blocks.append(Paragraph("party-cards-hitler", text, about))
    if edition in ("ru", "pl") and options.party_cards and meets(Power.INVESTIGATION, options):
        text = _(
            "An investigation must not give Hitler away: that’s why you have two cards. Liberals "
            "who find a fascist still don’t know whether it’s an ordinary one or the leader."
        )
        blocks.append(Paragraph("two-cards", text, about, _("What are the two cards for?")))
    return tuple(blocks)


def box(edition: str, options: Options) -> Chapter:
    roles = [
        (
            str(n),
            str(options.roles(n).count(Role.LIBERAL)),
            str(options.roles(n).count(Role.FASCIST)),
            str(options.roles(n).count(Role.HITLER)),
        )
        for n in counts(options)
    ]
    blocks: tuple[Block, ...] = (
        _counted(edition, options),
        *_named(edition, options),
        Paragraph("party-cards", _party_cards(options), ("party_cards", "players", *SPACES)),
        *_two_cards(edition, options),
        Grid(
            "roles",
            _("Roles by the number of players"),
            (_("Players"), _("Liberals"), _("Fascists"), wording.role(Role.HITLER)),
            tuple(roles),
            ("players", "fascists"),
        ),
        Paragraph("hitler-side", _("Hitler is one of the fascists and wins with them.")),
        Paragraph("minority", _("Hitler and the fascists are always fewer than the liberals.")),
    )
    return Chapter("box", pgettext("rulebook", "What is in the box"), blocks)


def _head_start(options: Options) -> tuple[str, ...]:
    if options.start == (0, 0):
        return ()
    told = _(
        "Put the first policies on their tracks (liberal: {liberal}, fascist: {fascist}). They "
        "give no power."
    )
    return (told.format(liberal=options.liberal_start, fascist=options.fascist_start),)


def _step(step: str | Promise, edition: str, options: Options) -> str:
    if step is _FILL and not options.party_cards:
        step = _FILL_WITHOUT_PARTY
    return str(step).format(place=_PLACES.get(edition))


def setup(edition: str, options: Options) -> Chapter:
    return Chapter(
        "setup",
        pgettext("rulebook", "Setup"),
        (
            Steps(
                "setup-steps",
                (
                    *_head_start(options),
                    *(_step(step, edition, options) for step in _SETUPS[edition]),
                ),
                ("party_cards", "liberal_start", "fascist_start"),
            ),
            Paragraph("tracks-stay", _("The tracks stay when players die.")),
            Paragraph(
                "sealed",
                _(
                    "We seal the deal before you sit down, and each of you adds to the shuffle. "
                    "After the game you can check that nothing was changed."
                ),
                is_of_site=True,
            ),
        ),
    )


_NOT_THE_OTHERS: Final = gettext_lazy("So Hitler doesn’t know the others.")
# What follows from the night at a table where Hitler sees no one.
_HITLER_ALONE: Final = {
    "en": gettext_lazy(
        "So Hitler doesn’t know anyone, and can only find friends by watching what the others do."
    ),
    "ru": gettext_lazy("So Hitler doesn’t know the others, and must try to recognise them."),
    "ja": _NOT_THE_OTHERS,
    "it": _NOT_THE_OTHERS,
}
# Who tells the players what to do, as far as a document says it.
_NIGHT_ALOUD: Final = {
    "en": gettext_lazy(
        "At a real table, one of you reads the steps aloud with closed eyes, and pauses "
        "whenever players have to look."
    ),
    "ru": gettext_lazy(
        "The document names an app that reads these steps for you, in English: "
        "secrethitler.com/app."
    ),
    "ru-5-6": "",
    "pl": gettext_lazy("When the fascists have looked, there’s a longer pause."),
    "ja": gettext_lazy(
        "One of you says these sentences to all, and waits a while after the fascists have looked. "
        "In Tabletop Simulator, close your eyes with a right click: choose Blindfold."
    ),
    "it": gettext_lazy(
        "One of you learns these orders by heart and gives them, and leaves time to memorise who "
        "is who."
    ),
}


def night(edition: str, options: Options) -> Chapter:
    blocks: list[Block] = []
    if numbers := small(options):
        blocks += [
            Steps(
                "night-small",
                # A larger table needs the plural: "the fascists".
                wording.night(options, numbers[-1]),
                ("players", "hitler_knows", "fascists"),
                _("Players: {players}").format(players=players_range(numbers)),
            ),
            Paragraph(
                "hitler-knows",
                _("So Hitler knows from the beginning who the fascist is.")
                if options.hitler_knows is HitlerKnows.SMALL_TABLES
                else _("So Hitler knows from the beginning who the fascists are."),
                ("players", "hitler_knows", "fascists"),
            ),
        ]
    if numbers := large(options):
        alone = _HITLER_ALONE.get(edition, _HITLER_ALONE["en"])
        blocks += [
            Steps(
                "night-large",
                wording.night(options, numbers[0]),
                ("players", "hitler_signal", "hitler_knows"),
                _("Players: {players}").format(players=players_range(numbers)),
            ),
            Paragraph("hitler-alone", str(alone), ("players", "hitler_knows")),
            Paragraph(
                "hitler-alone-fascists",
                _("The fascists all know one another, and Hitler."),
                ("players", "hitler_knows"),
            ),
        ]
    if aloud := str(_NIGHT_ALOUD.get(edition, _NIGHT_ALOUD["en"])):
        blocks.append(Paragraph("night-aloud", aloud))
    blocks.append(
        Paragraph(
            "night-here",
            _(
                "Here you can keep your eyes open: the card with your role shows you everyone the "
                "night lets you see."
            ),
            is_of_site=True,
        )
    )
    return Chapter("night", _("The night"), tuple(blocks))
