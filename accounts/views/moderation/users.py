"""Users as moderators see them: sanctions, names, hints and roles."""

from dataclasses import dataclass
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.models import Group
from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.auth.roles import GROUPS, Rank, may_act_on, role_of
from accounts.models import Appeal, Sanction, User, name_key
from accounts.moderation.forms import ROLE_NAMES, LiftForm, RoleForm, SanctionForm
from accounts.moderation.refusals import ModerationRefused
from accounts.services.roles import assign_role, may_assign_role
from accounts.services.sanctions import impose_sanction, lift_sanction
from accounts.services.signals import signal_matches_of
from accounts.views.moderation.access import for_rank

_REFUSED: Final = 422
_MOST_FOUND: Final = 50
_ON_A_PAGE: Final = 50
_SANCTIONS_ON_A_PAGE: Final = 20
_NAMES_SHOWN: Final = 50


@dataclass(frozen=True)
class SanctionRow:
    sanction: Sanction
    is_running: bool
    appeal: Appeal | None
    # None if the reader may not lift the sanction.
    form: LiftForm | None


@require_safe
@for_rank(Rank.MODERATOR)
def people(request: HttpRequest) -> HttpResponse:
    """List the users with roles; `q` searches for users by current or former name."""
    words = request.GET.get("q", "").replace("\0", "").strip()[:150]
    found = []
    if words:
        named = Q(name_key__contains=name_key(words)) | Q(name_changes__old__icontains=words)
        found = list(
            User.objects.filter(named, is_active=True).distinct().order_by("username")[:_MOST_FOUND]
        )
    held = {name: role for role, name in GROUPS.items()}
    holders: dict[int, tuple[User, Rank]] = {
        user.pk: (user, Rank.ADMIN) for user in User.objects.filter(is_superuser=True)
    }
    for group in Group.objects.filter(name__in=held).prefetch_related("user_set"):
        for user in group.user_set.all():
            before = holders.get(user.pk, (user, Rank.PERSON))[1]
            holders[user.pk] = user, max(before, held[group.name])
    ordered = sorted(holders.values(), key=lambda pair: (-pair[1], pair[0].username))
    page = Paginator(ordered, _ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "section": "people",
        "words": words,
        "found": found,
        "is_full": len(found) == _MOST_FOUND,
        "page": page,
        "holders": [(user, ROLE_NAMES[role]) for user, role in page],
    }
    return render(request, "moderation/people.html", context)


@require_safe
@for_rank(Rank.MODERATOR)
def person(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    return _page(request, get_object_or_404(User, pk=pk))


@require_POST
@for_rank(Rank.MODERATOR)
def impose(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    form = SanctionForm(request.POST, person=user)
    if form.is_valid():
        data = form.cleaned_data
        try:
            impose_sanction(
                actor=request.user,
                user=user,
                kind=data["kind"],
                reason=data["reason"],
                language=data["language"],
                ends_at=form.ends_at(timezone.now()),
            )
        except ModerationRefused as error:
            form.add_error(None, str(error.refusal.label))
        else:
            messages.success(request, gettext("Sanction imposed."))
            return redirect("moderation_person", user.pk)
    return _page(request, user, impose_form=form)


@require_POST
@for_rank(Rank.MODERATOR)
def lift(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    sanction = get_object_or_404(Sanction.objects.select_related("user"), pk=pk)
    form = LiftForm(request.POST, kind=sanction.kind, auto_id=f"id_{pk}_%s")
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        try:
            lift_sanction(actor=request.user, sanction=sanction, reason=reason)
        except ModerationRefused as error:
            form.add_error("reason", str(error.refusal.label))
        else:
            messages.success(request, gettext("It’s lifted now."))
            return redirect("moderation_person", sanction.user_id)
    return _page(request, sanction.user, lift_form=(pk, form))


@require_POST
@for_rank(Rank.ADMIN)
def role(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    user = get_object_or_404(User, pk=pk)
    form = RoleForm(request.POST)
    if form.is_valid():
        try:
            assign_role(actor=request.user, user=user, role=form.cleaned_data["role"])
        except ModerationRefused as error:
            form.add_error("role", str(error.refusal.label))
        else:
            messages.success(request, gettext("Role changed."))
            return redirect("moderation_person", user.pk)
    return _page(request, user, role_form=form)


def _page(
    request: AuthenticatedHttpRequest,
    user: User,
    *,
    impose_form: SanctionForm | None = None,
    lift_form: tuple[int, LiftForm] | None = None,
    role_form: RoleForm | None = None,
) -> HttpResponse:
    now = timezone.now()
    may_act = may_act_on(request.user, user)
    page = _sanctions(request, user, None if lift_form is None else lift_form[0])
    if may_assign_role(actor=request.user, user=user):
        role_form = role_form or RoleForm(initial={"role": int(role_of(user))})
    is_refused = any(form is not None and form.is_bound for form in (impose_form, role_form))
    context: dict[str, Any] = {
        "section": "people",
        "person": user,
        "role": ROLE_NAMES[role_of(user)],
        "may_act": may_act,
        "impose_form": (impose_form or SanctionForm(person=user)) if may_act else None,
        "role_form": role_form,
        "rows": [
            SanctionRow(
                row,
                row.is_running(now),
                row.appeal if hasattr(row, "appeal") else None,
                _lift_form_of(row, lift_form) if may_act and row.is_running(now) else None,
            )
            for row in page
        ],
        "page": page,
        "here": reverse("moderation_person", args=[user.pk]),
        "names": user.name_changes.all()[:_NAMES_SHOWN],
        "hints": signal_matches_of(user),
        "is_confirmed": EmailAddress.objects.filter(user=user, verified=True).exists(),
        "has_factor": user.has_second_factor(),
        "opened": None if lift_form is None else lift_form[0],
    }
    status = _REFUSED if is_refused or lift_form is not None else 200
    return render(request, "moderation/person.html", context, status=status)


def _sanctions(request: HttpRequest, user: User, opened: int | None) -> "Page[Any]":
    """Return the page of sanctions that is asked for, or the one with the sanction `opened`."""
    rows = user.sanctions.select_related("by", "lifted_by", "appeal")
    pages = Paginator(rows, _SANCTIONS_ON_A_PAGE)
    if opened is not None:
        order = list(user.sanctions.values_list("pk", flat=True))
        return pages.get_page(order.index(opened) // _SANCTIONS_ON_A_PAGE + 1)
    return pages.get_page(request.GET.get("page"))


def _lift_form_of(row: Sanction, refused: tuple[int, LiftForm] | None) -> LiftForm:
    if refused is not None and refused[0] == row.pk:
        return refused[1]
    return LiftForm(kind=row.kind, auto_id=f"id_{row.pk}_%s")
