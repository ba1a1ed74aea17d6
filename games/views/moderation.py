"""The moderators' queue: the list of cases, a case, and the acts on it.

Users who are not moderators get 404, and so do moderators for a case they may not judge.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from accounts.auth.roles import Rank, rank
from accounts.moderation.refusals import ModerationRefused as SanctionRefused
from games import wording
from games.forms.reports import DecideForm, HandOverForm, QueueForm
from games.models import Case, Reason, Report, Table
from games.moderation.case_access import cases_before, judge_of, other_judges
from games.panels import hears_gallery, locale_for
from games.panels.moderation import case_page, queue_rows
from games.rules.record import record_json
from games.selectors.viewer_settings import viewer_settings_of
from games.selectors.visible_tables import invited, may_see
from games.services import cases, records
from games.state.rooms import room_with
from games.views.fragments import View
from games.views.replay import replay_page
from games.wording.refusals import Refused

_REFUSED: Final = 422
_CASES_ON_A_PAGE: Final = 30


def moderators_only(view: View) -> View:
    """Answer 404 to users who are not moderators."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if rank(request.user) < Rank.MODERATOR:
            raise Http404
        return view(request, *args, **kwargs)

    return wrapper


@require_safe
@never_cache
@moderators_only
def queue(request: AuthenticatedHttpRequest) -> HttpResponse:
    """List the cases that this moderator may judge, longest waiting first."""
    form = QueueForm(request.GET)
    found = _wanted(cases_before(judge_of(request.user)), form, request.user.pk)
    pages = Paginator(found.select_related("person", "table", "claimed_by"), _CASES_ON_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "section": "queue",
        "form": form,
        "is_narrowed": bool(form.wanted),
        "query": urlencode(form.wanted),
        "page": page,
        "rows": queue_rows(list(page.object_list), request.user.pk),
    }
    return render(request, "moderation/queue.html", context)


def _wanted(found: QuerySet[Case], form: QueueForm, user_pk: int) -> QuerySet[Case]:
    wanted = form.wanted
    is_decided = "state" in wanted
    found = found.exclude(outcome="") if is_decided else found.filter(outcome="")
    if "reason" in wanted:
        reports = Report.objects.filter(case=OuterRef("pk"), reason=wanted["reason"])
        found = found.filter(Exists(reports))
    if form.waiting is not None:
        found = found.filter(opened_at__lt=timezone.now() - form.waiting)
    if "language" in wanted:
        found = found.filter(language=wanted["language"])
    match wanted.get("held"):
        case "nobody":
            found = found.filter(claimed_by__isnull=True)
        case "mine":
            found = found.filter(claimed_by=user_pk)
    return found.order_by("-decided_at", "-pk") if is_decided else found.order_by("opened_at", "pk")


@require_safe
@never_cache
@moderators_only
def case(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    return _page(request, _case(request, pk))


@require_safe
@never_cache
@moderators_only
def case_record(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Return the record of the case's game, even a private table's; 404 while it is hidden."""
    table = _case(request, pk).table
    if table is None:
        raise Http404
    try:
        data = record_json(records.record_of(table)) | records.server_notes_of(table)
    except Refused:
        raise Http404 from None
    response = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="chancellery-{table.code}.json"'
    return response


@require_safe
@never_cache
@moderators_only
def case_replay(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Replay the case's game, even a private table's; 404 while it is hidden."""
    table = _case(request, pk).table
    room = None if table is None else room_with(table.pk)
    if room is None:
        raise Http404
    return replay_page(request, room, reverse("games:case", args=[pk]))


def _button(service: Callable[..., Case]) -> View:
    """Make a view for a button without input."""

    @require_POST
    @never_cache
    @moderators_only
    def view(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
        found = _case(request, pk)
        return _answer(request, found, lambda: service(actor=request.user, case=found))

    return view


case_claim = _button(cases.claim_case)
case_release = _button(cases.release_case)


@require_POST
@never_cache
@moderators_only
def case_hand_over(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    found = _case(request, pk)
    form = HandOverForm(request.POST)
    others = other_judges(request.user, found) if form.is_valid() else []
    to = next((other for other in others if other.pk == form.cleaned_data["to"]), None)
    if to is None:
        return _page(request, found, status=_REFUSED)
    return _answer(
        request, found, lambda: cases.hand_over_case(actor=request.user, case=found, to=to)
    )


@require_POST
@never_cache
@moderators_only
def case_decide(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    found = _case(request, pk)
    form = DecideForm(request.POST, case=found)
    if not form.is_valid():
        return _page(request, found, form=form, status=_REFUSED)

    def decide() -> Case:
        data = form.cleaned_data
        if data["kind"] == "dismiss":
            return cases.dismiss_case(actor=request.user, case=found, remark=data["remark"])
        return cases.act_on_case(
            actor=request.user,
            case=found,
            kind=data["kind"],
            reason=data["reason"],
            lasts=form.lasts,
            remark=data["remark"],
        )

    return _answer(request, found, decide, form=form)


def _case(request: AuthenticatedHttpRequest, pk: int) -> Case:
    """Return a case that this moderator may judge. Raises Http404."""
    mine = cases_before(judge_of(request.user))
    related = "person", "table", "claimed_by", "decided_by"
    found = mine.select_related(*related).filter(pk=pk).first() if pk < 2**63 else None
    if found is None:
        raise Http404
    return found


def _answer(
    request: AuthenticatedHttpRequest,
    found: Case,
    service: Callable[[], Case],
    *,
    form: DecideForm | None = None,
) -> HttpResponse:
    """Call the service and return to the case; a refusal keeps what was written."""
    try:
        service()
    except PermissionError:
        raise Http404 from None
    except (Refused, SanctionRefused) as error:
        messages.error(request, str(error.refusal.label))
        return _page(request, _case(request, found.pk), form=form, status=_REFUSED)
    return HttpResponseRedirect(_url(found.pk), status=303)


def _url(pk: int) -> str:
    return reverse("games:case", args=[pk])


def _page(
    request: AuthenticatedHttpRequest,
    found: Case,
    *,
    form: DecideForm | None = None,
    status: int = 200,
) -> HttpResponse:
    room = None if found.table_id is None else room_with(found.table_id)
    user = request.user
    hears = room is not None and hears_gallery(room, None, viewer_settings_of(user.pk, room.table))
    shown = case_page(
        found,
        user.pk,
        room=room,
        language=request.LANGUAGE_CODE,
        hears_gallery=hears,
        known=cases_before(judge_of(user)),
        page=request.GET.get("page"),
    )
    # The ready text for the form: that of the case's first reason, unless another is requested.
    reasons = [each.reason for each in shown.reasons] or [Reason.OTHER]
    asked = request.GET.get("text", "")
    reason = asked if asked in Reason.values else reasons[0]
    ready = wording.ready_text(reason, found.language)
    is_judging = found.is_open and shown.is_mine
    context = {
        "section": "queue",
        "case": shown,
        "form": form or DecideForm(initial={"reason": ready}, case=found),
        "texts": Reason.choices,
        "text": reason,
        "text_here": wording.ready_text(reason, request.LANGUAGE_CODE),
        "others": other_judges(user, found) if is_judging else [],
        "is_judging": is_judging,
        "sees_table": room is not None and may_see(room, user.pk, invited(request.session)),
        "has_record": found.table is not None and found.table.stage == Table.Stage.OVER,
        "here": _url(found.pk),
    }
    edition = "" if found.table is None else found.table.edition
    with translation.override(locale_for(request.LANGUAGE_CODE, edition)):
        return render(request, "moderation/case.html", context, status=status)
