"""The aim, the components, the setup and the first night."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.rules.components import (
    FASCIST_POLICIES,
    LEAST_PLAYERS,
    LIBERAL_POLICIES,
    MOST_PLAYERS,
    Role,
    roles_for,
)
from games.rules.editions import Options
from games.rules.night import HITLER_LOOKS_UP_TO
from games.rules.powers import powers_for

from .blocks import Block, Chapter, Grid, Paragraph, Steps

_PARTY_CARDS: Final = {
    True: gettext_lazy(
        "Each player gets a secret role and, beside it, a party membership card. An "
        "investigation shows that card alone, and Hitler’s is fascist."
    ),
    False: gettext_lazy(
        "There are secret roles and no party membership cards. Where an investigation happens "
        "all the same, the President learns only the party, and Hitler’s is fascist."
    ),
}


def counts(options: Options) -> range:
    """Return the player counts that the rules support."""
    least, most = options.players
    return range(least, most + 1)


def small(options: Options) -> list[int]:
    """Return the supported player counts with which Hitler knows the fascist."""
    return [n for n in counts(options) if n <= HITLER_LOOKS_UP_TO]


def large(options: Options) -> list[int]:
    """Return the supported player counts with which Hitler knows no one."""
    return [n for n in counts(options) if n > HITLER_LOOKS_UP_TO]


def players_range(numbers: list[int]) -> str:
    """Return a range of player counts as the language writes it."""
    return wording.option_value("players", (numbers[0], numbers[-1]))


def aim(options: Options) -> Chapter:
    told = _(
        "{game} is a game of hidden roles. The liberals are in the majority and know nobody; the "
        "fascists know one another, and one of them is Hitler, whom they want in power."
    )
    return Chapter(
        "aim",
        pgettext("rulebook", "What it is about"),
        (
            Paragraph("game", told.format(game="Secret Hitler")),
            Paragraph(
                "idea",
                _(
                    "Each round a government of two, President and Chancellor, is elected and "
                    "enacts one of three policies. Only those two ever learn what was thrown "
                    "away, so a fascist policy may be treason or bad luck. Talking, voting and "
                    "lying about that is the game."
                ),
            ),
            Paragraph(
                "both",
                _(
                    "The liberals win by policies, or by getting rid of Hitler; the fascists win "
                    "by policies, or by making Hitler Chancellor late in the game."
                ),
            ),
        ),
    )


def box(options: Options) -> Chapter:
    most = options.players[1]
    tracks = len({powers_for(n) for n in counts(options)})
    things = [
        (_("Liberal policies"), LIBERAL_POLICIES),
        (_("Fascist policies"), FASCIST_POLICIES),
        (_("Secret roles"), most),
        *([(wording.option_name("party_cards"), most)] if options.party_cards else []),
        (_("Ballots, Ja and Nein"), 2 * most),
        (_("Liberal track"), 1),
        (_("Fascist tracks, by the number of players"), tracks),
        (_("Election tracker"), 1),
        (_("President and Chancellor placards"), 2),
    ]
    roles = [
        (
            str(n),
            str(roles_for(n).count(Role.LIBERAL)),
            str(roles_for(n).count(Role.FASCIST)),
            str(roles_for(n).count(Role.HITLER)),
        )
        for n in counts(options)
    ]
    blocks: tuple[Block, ...] = (
        Grid(
            "components",
            "",
            (pgettext("rulebook", "Part"), pgettext("rulebook", "How many")),
            tuple((name, str(number)) for name, number in things),
            ("players", "party_cards"),
        ),
        Paragraph("party-cards", str(_PARTY_CARDS[options.party_cards]), ("party_cards",)),
        Grid(
            "roles",
            _("Roles by the number of players"),
            (_("Players"), _("Liberals"), _("Fascists"), wording.role(Role.HITLER)),
            tuple(roles),
            ("players",),
        ),
        Paragraph(
            "minority",
            _(
                "Hitler is one of the fascists and wins with them. Together they are always "
                "fewer than the liberals."
            ),
        ),
    )
    return Chapter("box", pgettext("rulebook", "What is in the box"), blocks)


def setup(options: Options) -> Chapter:
    return Chapter(
        "setup",
        pgettext("rulebook", "Setup"),
        (
            Steps(
                "setup-steps",
                (
                    _("All the policies are shuffled into one draw pile, face down."),
                    _("Everybody is dealt a secret role and shows it to nobody."),
                    _(
                        "The fascist track is the one for the number of players who begin. It "
                        "stays when players die."
                    ),
                    _("The first presidential candidate is drawn by lot."),
                    _("The night follows, and after it the first round."),
                ),
            ),
            Paragraph(
                "sealed",
                _(
                    "The deal is sealed before anybody sits down, and every player adds to the "
                    "shuffle. After the game everybody can check that the seal was kept."
                ),
                is_of_site=True,
            ),
        ),
    )


def night(options: Options) -> Chapter:
    blocks: list[Block] = []
    if numbers := small(options):
        blocks += [
            Steps(
                "night-small",
                wording.night(options, numbers[0]),
                ("players",),
                _("Players: {players}").format(players=players_range(numbers)),
            ),
            Paragraph(
                "hitler-knows",
                _("So Hitler knows from the beginning who the fascist is."),
                ("players",),
            ),
        ]
    if numbers := large(options):
        blocks += [
            Steps(
                "night-large",
                wording.night(options, numbers[0]),
                ("players", "hitler_signal"),
                _("Players: {players}").format(players=players_range(numbers)),
            ),
            Paragraph(
                "hitler-alone",
                _(
                    "So Hitler knows nobody, and can find friends only by watching what people "
                    "do. The fascists all know one another, and Hitler."
                ),
                ("players",),
            ),
        ]
    blocks.append(
        Paragraph(
            "night-here",
            _(
                "Nobody has to close their eyes: the card with your role says whom the night has "
                "shown you."
            ),
            is_of_site=True,
        )
    )
    return Chapter("night", _("The night"), tuple(blocks))


assert LEAST_PLAYERS <= HITLER_LOOKS_UP_TO <= MOST_PLAYERS
