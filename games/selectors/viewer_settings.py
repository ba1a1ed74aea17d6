"""Loads the settings and permissions that change what a viewer sees at a table."""

from typing import Final

from django.db.models import Exists, OuterRef, PositiveSmallIntegerField, Subquery, Value
from django.utils import timezone

from accounts.auth.rights import Right, holding
from accounts.auth.roles import moderating
from accounts.models import Block, BotAccount, Sanction, User
from games.models import Guest, Mute, Table
from games.moderation.conflicts_of_interest import seems_party
from games.state.viewer import ViewerSettings

_NONE: Final = ViewerSettings()


def viewer_settings_of(user_pk: int | None, table: Table) -> ViewerSettings:
    """Load a user's settings for this table from the database.

    Two queries; some more for a moderator, and for a guest of the gallery.
    """
    if user_pk is None:
        return _NONE
    mutes_running = Sanction.objects.running(timezone.now()).filter(
        user=OuterRef("pk"), kind=Sanction.Kind.MUTE
    )
    row = (
        User.objects.filter(pk=user_pk)
        .annotate(
            guest=Subquery(Guest.objects.filter(table=table, user=OuterRef("pk")).values("number")),
            may_remove=holding(Right.REMOVE_MESSAGE),
            keeps_order=moderating(),
            is_gagged=Exists(mutes_running),
        )
        .values_list("mask_words", "guest", "may_remove", "keeps_order", "is_gagged", "is_trial")
        .first()
    )
    if row is None:
        return _NONE
    masks, guest, removes_some, keeps_order, is_gagged, is_trial = row
    if guest and not Guest.objects.hearing(table).filter(user=user_pk).exists():
        guest = None
    if (removes_some or keeps_order) and seems_party(user_pk, table):
        # No one may judge a table that they are a party to.
        removes_some = keeps_order = False
    mutes = Mute.objects.filter(table=table, listener=user_pk)
    hidden = mutes.values_list("speaker_id", Value(False), "bot")
    # The block list would reveal who sits behind a hidden name.
    if not (table.is_blind and table.stage != Table.Stage.OVER):
        no_bot = Value(None, PositiveSmallIntegerField())
        blocks = Block.objects.filter(blocker=user_pk)
        # With a person, their programs are blocked too.
        programs = BotAccount.objects.filter(owner__in=blocks.values("blocked"))
        hidden = hidden.union(
            blocks.values_list("blocked_id", Value(True), no_bot),
            programs.values_list("user_id", Value(True), no_bot),
            all=True,
        )
    rows = list(hidden)
    return ViewerSettings(
        muted=tuple(sorted(pk for pk, is_blocked, bot in rows if bot is None and not is_blocked)),
        blocked=tuple(sorted(pk for pk, is_blocked, _ in rows if is_blocked)),
        muted_bots=tuple(sorted(bot for _, _, bot in rows if bot is not None)),
        masks=masks,
        guest=guest,
        may_remove=removes_some or keeps_order,
        keeps_order=keeps_order,
        is_gagged=is_gagged,
        is_trial=is_trial,
    )
