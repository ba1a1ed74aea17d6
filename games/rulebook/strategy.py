"""Strategy hints for each side, for first-time players and for those with some experience."""

from math import comb

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import wording
from games.rules.components import (
    CARDS_DRAWN,
    FASCIST_POLICIES,
    LIBERAL_POLICIES,
    POLICIES,
)
from games.rules.editions import Options, TrackerReset

from .blocks import Block, Chapter, Grid, Steps
from .overview import large, small


def chance_of(fascist: int) -> float:
    """Return the probability that `fascist` of the first three policies are fascist.

    >>> round(chance_of(3), 4)
    0.2426
    """
    liberal = CARDS_DRAWN - fascist
    ways = comb(FASCIST_POLICIES, fascist) * comb(LIBERAL_POLICIES, liberal)
    return ways / comb(POLICIES, CARDS_DRAWN)


def strategy(options: Options) -> Chapter:
    blocks: tuple[Block, ...] = (
        Grid(
            "odds",
            _("What the first President draws"),
            (_("Fascist policies among the three"), _("How often")),
            tuple(
                (str(fascist), wording.percent(chance_of(fascist)))
                for fascist in range(CARDS_DRAWN, -1, -1)
            ),
        ),
        Steps("liberals", _liberals(options), _about_veto(options), _("For liberals"), False),
        Steps("fascists", _fascists(), (), _("For fascists"), False),
        Steps("hitler", _hitler(options), ("players",), _("For Hitler"), False),
    )
    return Chapter("strategy", pgettext("rulebook", "Hints for playing well"), blocks, False)


def _about_veto(options: Options) -> tuple[str, ...]:
    return ("tracker_resets_on", "veto_advances_tracker")


def _liberals(options: Options) -> tuple[str, ...]:
    hints = [
        _(
            "Talk. Liberals win by comparing what people say, and a liberal who is silent looks "
            "like a fascist who is careful."
        ),
        _(
            "One fascist policy proves nothing: see the table above. Two from the same hands are "
            "worth a question."
        ),
        _(
            "Discard a fascist policy wherever you can. A liberal who holds liberal policies back "
            "for a clever plan cannot be told from a fascist."
        ),
        _(
            "Agree before the vote what to do with a mixed hand: once the policies are drawn, "
            "the two of you cannot talk."
        ),
        _(
            "Say at once what you drew or were handed, and remember what others said. Stories "
            "that fit without having been agreed upon are worth most."
        ),
        _(
            "Try people out before the third fascist policy, while a wrong Chancellor costs one "
            "policy and not the game. After it, trust those who have been cleared."
        ),
        _(
            "Read the ballots: who says Ja to a government that only fascists can like, and who "
            "never does?"
        ),
        _(
            "Count the policies. The pile is finite, and after many fascist ones the liberal ones "
            "must be coming."
        ),
    ]
    if options.tracker_resets_on is TrackerReset.POLICY and options.veto_advances_tracker:
        hints.append(_("Count the tracker before you consent to a veto: at two it brings chaos."))
    return tuple(hints)


def _fascists() -> tuple[str, ...]:
    return (
        _(
            "Be a good liberal early. A liberal policy costs you little, and trust is what you "
            "need when the powers come."
        ),
        _(
            "Have your story ready before the policy lies on the table. “I drew three fascist "
            "ones” is believed once."
        ),
        _(
            "Do not defend each other in chorus. Accuse another fascist now and then, where it "
            "does no harm."
        ),
        _(
            "Powers are weapons: a false report sets two liberals against each other, and an "
            "execution removes whoever reads the table best."
        ),
        _(
            "After the third fascist policy, Hitler in the Chancellor’s chair is the shortest "
            "way. Build that trust before, and let others propose it."
        ),
    )


def _hitler(options: Options) -> tuple[str, ...]:
    hints = []
    if small(options):
        hints.append(
            _(
                "With five or six players you know your fascist. Let the fascist take the blame, "
                "and do not vouch for each other too loudly."
            )
        )
    if large(options):
        hints.append(
            _(
                "With seven players or more you know nobody. Play as an honest liberal would: the "
                "fascists know you and will come to you."
            )
        )
    hints += [
        _(
            "Enact liberal policies while it is early. You win by being the one everybody wants "
            "as Chancellor after the third fascist policy."
        ),
        _(
            "Do not lead a faction. Leaders get investigated and executed; useful people get "
            "elected."
        ),
        _(
            "After the third fascist policy an execution is near. Be neither the loudest player "
            "nor the one nobody has heard from."
        ),
    ]
    return tuple(hints)
