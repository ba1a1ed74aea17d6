"""Friends, friend requests, blocked users, and inviting friends to a table."""

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.models import Friendship, User, name_key
from accounts.profiles.forms import NameForm
from accounts.services import friends
from accounts.services.friends import NotPossible
from accounts.views.sign_in import way_back
from games.panels import locale_for
from games.panels.friends import ROWS, people_of
from games.services import invitations, presence
from games.views.fragments import sign_in_first
from games.views.table_access import room_for
from games.wording.refusals import Refusal, Refused

_REFUSED: Final = 422
_WHY: Final = {
    NotPossible.OWN_NAME: gettext_lazy("That’s your own name."),
    NotPossible.ALREADY: gettext_lazy("You’re already friends."),
    NotPossible.BLOCKED_BY_YOU: gettext_lazy(
        "You’ve blocked this person. Unblock them below first."
    ),
    NotPossible.BLOCKED_ENOUGH: gettext_lazy(
        "Your block list is full. Unblock someone below first."
    ),
    NotPossible.TOO_MANY: gettext_lazy(
        "You have too many friends or open requests. Remove one first."
    ),
}


@require_safe
@never_cache
@sign_in_first
def page(request: AuthenticatedHttpRequest) -> HttpResponse:
    return _page(request)


def _page(
    request: AuthenticatedHttpRequest,
    *,
    ask: NameForm | None = None,
    block: NameForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "people": people_of(request.user, presence.here_of, request.GET.dict()),
        "ask_form": ask or NameForm(auto_id="ask_%s"),
        "block_form": block or NameForm(auto_id="block_%s"),
        "here": reverse("games:people"),
    }
    return render(request, "games/people.html", context, status=status)


def _by_name(
    prefix: str, service: Callable[..., None], said: Promise, *, shows: bool = False
) -> Callable[[HttpRequest], HttpResponse]:
    """Make a view for a form that takes any name; its answer does not reveal whether it exists.

    `shows`: the user's own page shows the change, so a form that stands there gets no words.
    """

    @require_POST
    @never_cache
    @_people_first
    def view(request: AuthenticatedHttpRequest) -> HttpResponse:
        form = NameForm(request.POST, auto_id=f"{prefix}_%s")
        if form.is_valid():
            try:
                service(user=request.user, name=form.cleaned_data["name"])
            except NotPossible as error:
                form.add_error("name", str(_WHY[error.reason]))
        if form.errors:
            return _page(request, **{prefix: form}, status=_REFUSED)
        if not (shows and "next" in request.POST):
            messages.success(request, str(said))
        return HttpResponseRedirect(way_back(request, reverse("games:people")), status=303)

    return view


def _button(service: Callable[..., object]) -> Callable[[HttpRequest], HttpResponse]:
    """Make a view for a button beside the name of a listed user."""

    @require_POST
    @never_cache
    @_people_first
    def view(request: AuthenticatedHttpRequest) -> HttpResponse:
        name = _asked_name(request)
        other = User.objects.filter(name_key=name_key(name)).exclude(pk=request.user.pk).first()
        if other is not None:
            service(user=request.user, other=other)
        return HttpResponseRedirect(way_back(request, reverse("games:people")), status=303)

    return view


def _asked_name(request: HttpRequest) -> str:
    """Return the name that a button sends, or "", which no account has, if it cannot be one."""
    form = NameForm(request.POST)
    return form.cleaned_data["name"] if form.is_valid() else ""


def _people_first(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Send anonymous users to sign in, and afterwards to the page of friends."""

    def wrapper(request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request)
        sign_in = reverse("account_login")
        return HttpResponseRedirect(f"{sign_in}?next={reverse('games:people')}", status=303)

    return wrapper


ask = _by_name(
    "ask",
    friends.request_friendship,
    gettext_lazy("Request sent, if a player with that name can receive it."),
)
block = _by_name(
    "block",
    friends.block_user,
    gettext_lazy("If a player has that name, they’re blocked now."),
    shows=True,
)
accept = _button(friends.accept_friend)
decline = _button(friends.decline_friend)
remove = _button(friends.remove_friend)


@require_POST
@never_cache
@_people_first
def unblock(request: AuthenticatedHttpRequest) -> HttpResponse:
    friends.unblock_user(user=request.user, name=_asked_name(request))
    return HttpResponseRedirect(way_back(request, reverse("games:people")), status=303)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_first
def invite(request: AuthenticatedHttpRequest, code: str) -> HttpResponse:
    """List the friends whom a seated user may invite to the table; POST invites one of them."""
    table = room_for(request, code).table
    with translation.override(locale_for(request.LANGUAGE_CODE, table.edition)):
        refusal, status, invited = "", 200, ""
        try:
            if request.method == "POST":
                name = _asked_name(request)
                invitations.invite_friend(table=table, user=request.user, name=name)
                invited = name
            else:
                invitations.check_may_invite(table, request.user)
        except Refused as error:
            if request.method != "POST" and error.refusal != Refusal.BLIND:
                # The page exists only where its button does.
                raise Http404 from None
            refusal, status = str(error.refusal.label), _REFUSED
        context = {
            "table": table,
            "friends": None
            if refusal
            else Paginator(
                invitations.friends_to_invite(table=table, user=request.user), ROWS
            ).get_page(request.GET.get("page")),
            "has_friends": bool(Friendship.objects.friends_of(request.user.pk)),
            "refusal": refusal,
            "invited": invited,
            "here": request.path,
        }
        return render(request, "games/invite.html", context, status=status)
