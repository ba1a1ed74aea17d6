"""Appeals: one per sanction, decided by a moderator other than the one who imposed it."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.auth.roles import Rank, may_act_on, rank
from accounts.models import Appeal, Sanction, User
from accounts.moderation.refusals import ModerationRefusal, ModerationRefused
from accounts.services.audit import write_audit
from accounts.services.sanctions import digest_of_words, end_sanction, notify_sanctioned
from accounts.services.signals import is_second_account


def make_appeal(*, user: User, sanction_pk: int, text: str) -> Appeal:
    """Appeal with `text` against a sanction that is in force against `user`.

    Raises Refused: no text, no such sanction in force (a note does not count), or appealed already.
    """
    now = timezone.now()
    text = text.strip()
    if not text:
        raise ModerationRefused(ModerationRefusal.NO_REASON)
    mine = Sanction.objects.running(now).filter(user=user).exclude(kind=Sanction.Kind.NOTE)
    sanction = mine.filter(pk=sanction_pk).first()
    if sanction is None:
        raise ModerationRefused(ModerationRefusal.NOT_APPEALABLE)
    try:
        with transaction.atomic():
            return Appeal.objects.create(sanction=sanction, text=text, at=now)
    except IntegrityError:
        raise ModerationRefused(ModerationRefusal.APPEALED) from None


def may_decide(*, actor: User, sanction: Sanction) -> bool:
    """Return whether the role of `actor` allows them to decide an appeal against the sanction.

    They rank above the person, could have imposed the sanction but did not, and are another account
    of neither.
    """
    least = Rank.SENIOR if sanction.kind == Sanction.Kind.BAN else Rank.MODERATOR
    if actor.pk == sanction.by_id or rank(actor) < least or not may_act_on(actor, sanction.user):
        return False
    parties = (sanction.user, sanction.by)
    return not any(party and is_second_account(actor, party) for party in parties)


def decide_appeal(
    *, actor: User, appeal: Appeal, outcome: str, answer: str, language: str
) -> Appeal:
    """Decide the appeal and notify the user, who is shown `answer`, in `language`.

    Raises Refused: the actor imposed the sanction or may not decide it, no answer, or decided
    already.
    """
    now = timezone.now()
    answer = answer.strip()
    if actor.pk == appeal.sanction.by_id:
        raise ModerationRefused(ModerationRefusal.OWN_SANCTION)
    if not may_decide(actor=actor, sanction=appeal.sanction):
        raise ModerationRefused(ModerationRefusal.NOT_BELOW)
    if not answer:
        raise ModerationRefused(ModerationRefusal.NO_REASON)
    with transaction.atomic():
        # All code that writes sanctions locks in this order: the account first.
        user = User.objects.select_for_update(no_key=True).get(pk=appeal.sanction.user_id)
        appeal = Appeal.objects.select_for_update().get(pk=appeal.pk)
        if appeal.decided_at is not None:
            raise ModerationRefused(ModerationRefusal.DECIDED)
        appeal.outcome, appeal.answer, appeal.language = Appeal.Outcome(outcome), answer, language
        appeal.decided_at, appeal.decided_by = now, actor
        appeal.save()
        sanction = appeal.sanction
        if appeal.outcome == Appeal.Outcome.LIFTED and sanction.is_running(now):
            end_sanction(actor=actor, sanction=sanction, reason="", now=now)
        notify_sanctioned(user, "appeal", sanction)
        write_audit(
            actor=actor,
            act="appeal_decide",
            about=user,
            data={
                "sanction": sanction.pk,
                "kind": sanction.kind,
                "outcome": appeal.outcome,
                "answer": digest_of_words(answer),
            },
        )
    return appeal
