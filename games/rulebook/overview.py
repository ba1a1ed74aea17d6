"""The aim, the components, the setup and the first night."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.rules.components import (
    FASCIST_POLICIES_ARM_HITLER,
    Role,
)
from games.rules.editions import SPACES, HitlerKnows, Options
from games.rules.night import hitler_looks
from games.rules.powers import Power

from .blocks import Block, Chapter, Grid, Paragraph, Steps
from .lineage import Lineage, lineage_of

# One for each of the three fascist tracks.
_BOARDS: Final = 3
_BULLETS: Final = 2
# When and where the documents set the game: only the final rules name the year.
_SETTINGS: Final = {
    Lineage.FINAL: gettext_lazy(
        "It’s 1932. A fragile liberal government is trying to keep the fascists out of power."
    ),
    Lineage.EARLY: gettext_lazy(
        "A fragile liberal government is trying to keep the fascists out of power."
    ),
    Lineage.RETOLD: gettext_lazy(
        "This is the Weimar Republic, and the game shows how the Nazis came to power."
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


def aim(edition: str, options: Options) -> Chapter:
    told = _(
        "{game} is a game of hidden roles, set in Germany before the war. You’re all politicians. "
        "Most of you are liberals, who don’t know what anyone else is. The others are fascists, "
        "and one of them is Hitler."
    )
    return Chapter(
        "aim",
        pgettext("rulebook", "What it is about"),
        (
            Paragraph("game", told.format(game="Secret Hitler")),
            Paragraph("setting", str(_SETTINGS[lineage_of(edition)])),
            Paragraph(
                "idea",
                _(
                    "Each round you elect a President and a Chancellor, and the two enact "
                    "one of three policies. Only they know what they discarded, so a fascist "
                    "policy may be treason or bad luck. Talk, vote and lie your way to the "
                    "truth."
                ),
            ),
            Paragraph("both", _both(options), ("hitler_zone",)),
        ),
    )


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


def _components(edition: str, options: Options) -> list[tuple[str, int]]:
    """Return the parts of the game, in the numbers of the edition's document."""
    most = options.players[1]
    retold = lineage_of(edition) is Lineage.RETOLD
    boards = (
        [(_("Fascist tracks: for 5–6, 7–8 and 9–10 players"), _BOARDS)]
        if retold
        else [
            (_("Double-sided boards: a fascist track, and a liberal track on the back"), _BOARDS),
            (_("Envelopes"), most),
            (_("Draw pile card"), 1),
            (_("Discard pile card"), 1),
        ]
    )
    return [
        (_("Liberal policies"), options.liberal_policies),
        (_("Fascist policies"), options.fascist_policies),
        (_("Secret roles"), most),
        *([(wording.option_name("party_cards"), most)] if options.party_cards else []),
        (_("Ja ballots"), most),
        (_("Nein ballots"), most),
        *boards,
        (_("Election tracker"), 1),
        (_("President placard"), 1),
        (_("Chancellor placard"), 1),
        *([(_("Bullets, one for each execution"), _BULLETS)] if retold else []),
    ]


def _party_cards(options: Options) -> str:
    if options.party_cards:
        return _(
            "You get a secret role card and a party membership card that goes with it. Hitler’s "
            "party membership is fascist. Some powers show your party, and never your role."
        )
    if any(Power.INVESTIGATION in options.powers(n) for n in counts(options)):
        return _(
            "You get a secret role card and no party membership card. If the President "
            "investigates you, they learn only your party. Hitler’s is fascist."
        )
    return _(
        "You get a secret role card: liberal, fascist or Hitler. No party membership card is "
        "used, because there’s no investigation."
    )


def box(edition: str, options: Options) -> Chapter:
    things = _components(edition, options)
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
        Grid(
            "components",
            "",
            (pgettext("rulebook", "Part"), pgettext("rulebook", "How many")),
            tuple((name, str(number)) for name, number in things),
            ("players", "party_cards", "liberal_policies", "fascist_policies"),
        ),
        *_honorary_badges(edition, options),
        Paragraph("party-cards", _party_cards(options), ("party_cards", "players", *SPACES)),
        Grid(
            "roles",
            _("Roles by the number of players"),
            (_("Players"), _("Liberals"), _("Fascists"), wording.role(Role.HITLER)),
            tuple(roles),
            ("players", "fascists"),
        ),
        Paragraph(
            "minority",
            _(
                "Hitler is one of the fascists and wins with them. Hitler and the fascists are "
                "always fewer than the liberals."
            ),
        ),
    )
    return Chapter("box", pgettext("rulebook", "What is in the box"), blocks)


def _honorary_badges(edition: str, options: Options) -> tuple[Paragraph, ...]:
    if lineage_of(edition) is not Lineage.RETOLD or not options.not_hitler_badge:
        return ()
    return (
        Paragraph(
            "honorary-badges",
            _("There are also honorary badges for Chancellors who turn out not to be Hitler."),
            ("not_hitler_badge",),
        ),
    )


def _deal(edition: str, options: Options) -> str:
    if lineage_of(edition) is Lineage.RETOLD:
        return _("Deal each player a secret role card and two ballots, Ja and Nein.")
    if not options.party_cards:
        return _(
            "Fill an envelope for each player: a secret role, a Ja ballot and a Nein ballot. "
            "Shuffle the envelopes, deal them out, and look at yours in secret."
        )
    return _(
        "Fill an envelope for each player: a secret role, the party membership card that goes "
        "with it, a Ja ballot and a Nein ballot. Shuffle the envelopes, deal them out, and look at "
        "yours in secret."
    )


def _shuffle(edition: str) -> str:
    if lineage_of(edition) is Lineage.RETOLD:
        return _("Shuffle all the policies into one draw pile, face down.")
    return _(
        "Shuffle all the policies into one draw pile, face down, and put it on the draw pile card."
    )


def _lay_out(edition: str) -> str:
    if lineage_of(edition) is Lineage.RETOLD:
        return _("Take the fascist track for your number of players. It stays when players die.")
    return _(
        "Take the fascist track for your number of players, and lay a second board beside it with "
        "the liberal track up. They stay when players die."
    )


def _head_start(options: Options) -> tuple[str, ...]:
    if options.start == (0, 0):
        return ()
    told = _(
        "Put the first policies on their tracks (liberal: {liberal}, fascist: {fascist}). They "
        "give no power."
    )
    return (told.format(liberal=options.liberal_start, fascist=options.fascist_start),)


def setup(edition: str, options: Options) -> Chapter:
    return Chapter(
        "setup",
        pgettext("rulebook", "Setup"),
        (
            Steps(
                "setup-steps",
                (
                    *_head_start(options),
                    _shuffle(edition),
                    _deal(edition, options),
                    _lay_out(edition),
                    _(
                        "Draw lots for the first presidential candidate, who gets both placards: "
                        "President and Chancellor."
                    ),
                    _("Then comes the night, and after it the first round."),
                ),
                ("party_cards", "liberal_start", "fascist_start"),
            ),
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


# What follows from the night at a table where Hitler sees nobody.
_HITLER_ALONE: Final = {
    "en": gettext_lazy(
        "So Hitler doesn’t know anyone, and can only find friends by watching what the others do."
    ),
    "ru": gettext_lazy("So Hitler doesn’t know the others, and must try to recognise them."),
    "ja": gettext_lazy("So Hitler doesn’t know anyone."),
    "it": gettext_lazy("So Hitler doesn’t know the others."),
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
                "fascists-know",
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
