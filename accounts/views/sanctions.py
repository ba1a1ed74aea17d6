"""The user's standing: the sanctions in force, their reasons, and appeals against them."""

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Appeal, Sanction, User
from accounts.moderation.middleware import sanctioned_user
from accounts.moderation.refusals import ModerationRefusal, ModerationRefused
from accounts.moderation.sanctions import is_shut_out
from accounts.services.appeals import make_appeal
from accounts.services.sanctions import mark_warnings_read
from accounts.views.sign_in import way_back

_REFUSED = 422
_ON_A_PAGE = 20


class AppealForm(forms.Form):
    text = forms.CharField(
        label=_("What would you like to say about it?"),
        help_text=_(
            "You can appeal each decision once. Another moderator reads your appeal and decides."
        ),
        max_length=Appeal._meta.get_field("text").max_length,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


@require_safe
@never_cache
def standing(request: HttpRequest) -> HttpResponse:
    """Show the user's standing, also to a user who has just been turned away."""
    user = sanctioned_user(request)
    if user is None:
        page = reverse("account_standing")
        return redirect(f"{reverse('account_login')}?{urlencode({'next': page})}")
    return _page(request, user)


@require_POST
@never_cache
def read(request: HttpRequest) -> HttpResponse:
    """Mark the warnings that were shown as read, and return to the page that they interrupted."""
    user = sanctioned_user(request)
    if user is None:
        return HttpResponseRedirect(reverse("account_login"), status=303)
    named = [pk for pk in request.POST.getlist("warning") if pk.isascii() and pk.isdigit()]
    mark_warnings_read(user=user, shown={int(pk) for pk in named[:100] if len(pk) < 18})
    return HttpResponseRedirect(way_back(request, reverse("account_standing")), status=303)


@require_POST
@never_cache
def appeal(request: HttpRequest, pk: int) -> HttpResponse:
    user = sanctioned_user(request)
    if user is None:
        return HttpResponseRedirect(reverse("account_login"), status=303)
    mine = user.sanctions.exclude(kind=Sanction.Kind.NOTE)
    get_object_or_404(mine, pk=pk)
    form = AppealForm(request.POST, auto_id=f"id_{pk}_%s")
    if not form.is_valid():
        return _page(request, user, refused=(pk, form))
    try:
        make_appeal(user=user, sanction_pk=pk, text=form.cleaned_data["text"])
    except ModerationRefused as error:
        if error.refusal == ModerationRefusal.NOT_APPEALABLE:
            messages.error(request, str(error.refusal.label))
            return HttpResponseRedirect(reverse("account_standing"), status=303)
        form.add_error("text", str(error.refusal.label))
        return _page(request, user, refused=(pk, form))
    messages.success(request, gettext("Your appeal is with the moderators."))
    return HttpResponseRedirect(reverse("account_standing"), status=303)


def _page(
    request: HttpRequest, user: User, refused: tuple[int, AppealForm] | None = None
) -> HttpResponse:
    now = timezone.now()
    rows = user.sanctions.exclude(kind=Sanction.Kind.NOTE).select_related("appeal")
    listed = []
    for row in rows:
        is_open = row.is_running(now) and not hasattr(row, "appeal")
        form = AppealForm(auto_id=f"id_{row.pk}_%s") if is_open else None
        if refused is not None and refused[0] == row.pk:
            form = refused[1]
        listed.append((row, form))
    running = [(row, form) for row, form in listed if row.is_running(now)]
    # A warning that has been read is only history, but the user may still appeal against it.
    unread = [row for row, _ in running if row.kind == Sanction.Kind.WARNING and not row.read_at]
    over = [row for row, _ in listed if not row.is_running(now)]
    page = Paginator(over, _ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "person": user,
        "unread": unread,
        "running": [(row, form) for row, form in running if row not in unread],
        "page": page,
        "here": reverse("account_standing"),
        "over": list(page),
        "is_shut": is_shut_out(user, now),
        "can_appeal": any(form is not None for _, form in running),
        "refused": refused[0] if refused else None,
        "next": request.GET.get("next", request.POST.get("next", "")),
    }
    status = _REFUSED if refused is not None else 200
    return render(request, "account/standing.html", context, status=status)
