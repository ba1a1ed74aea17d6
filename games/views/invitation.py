"""The invitation link of a private table, and its password form."""

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.throttling.limits import Limit, hit, too_many_requests_sentence
from accounts.throttling.too_many_requests import note_wait, wait_of
from games.forms import PasswordForm
from games.models import Table
from games.selectors.visible_tables import invited
from games.views.table_access import note_invitation


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invitation(request: HttpRequest, code: str, token: str) -> HttpResponse:
    """Open a private table to users with its link and, if it has one, its password."""
    table = Table.objects.select_related("host").filter(code=code).first()
    if table is None or not constant_time_compare(table.invitation, token):
        raise Http404
    form = PasswordForm(request.POST if request.method == "POST" else None)
    if _is_let_in(request, table) or (form.is_valid() and _knows(request, table, form)):
        note_invitation(request, table)
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            return redirect(table)
        # A browser keeps the cookie and goes on at once. A messenger, which shows a preview of the
        # link, keeps none: to it the table would not exist.
        answer = render(request, "games/invited.html", {"table": table})
        answer.headers["Refresh"] = f"0; url={table.get_absolute_url()}"
        return answer
    # For a user who must wait, the limits' middleware turns the response into a 429.
    status = 422 if form.is_bound and wait_of(request) is None else 200
    context = {
        "form": form,
        "here": request.path,
        "table": table,
        # At a blind table no name is shown.
        "host": "" if table.is_blind or table.host is None else table.host.username,
        "taken": table.seats.count(),
    }
    return render(request, "games/password.html", context, status=status)


def _is_let_in(request: HttpRequest, table: Table) -> bool:
    return (
        not table.password
        or table.pk in invited(request.session)
        or (request.user.is_authenticated and table.seats.filter(user=request.user).exists())
    )


def _knows(request: HttpRequest, table: Table, form: PasswordForm) -> bool:
    # One limit for all attempts at this table: an attacker has more addresses than people have
    # passwords.
    wait = hit(Limit.INVITATIONS, f"table:{table.pk}")
    if wait is not None:
        note_wait(request, wait)
        form.add_error("password", too_many_requests_sentence(wait))
        return False
    if check_password(form.cleaned_data["password"], table.password):
        return True
    form.add_error("password", form.wrong)
    return False
