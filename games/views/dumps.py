"""The open dumps of finished public games."""

from collections.abc import AsyncIterator
from datetime import date

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from games.models import Dump, DumpConsent, DumpPart
from games.services import dumps
from games.views.fragments import sign_in_first


@require_safe
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    context = {
        "dumps": Dump.objects.all(),
        "has_consented": request.user.is_authenticated
        and DumpConsent.objects.filter(user=request.user).exists(),
    }
    return render(request, "games/dumps.html", context)


@require_safe
@never_cache
def download(request: HttpRequest, month: str) -> HttpResponseBase:
    """Send a dump's file in parts, so that no more than one part is in memory."""
    try:
        first = date.fromisoformat(f"{month}-01")
    except ValueError:
        raise Http404 from None
    dump = Dump.objects.filter(month=first, shown__isnull=False).first()
    if dump is None or dump.shown is None:
        raise Http404
    response = StreamingHttpResponse(_parts(dump.pk, dump.shown), content_type="application/gzip")
    response["Content-Length"] = str(dump.size)
    name = f"chancellery-games-{dump.month:%Y-%m}.jsonl.gz"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def _parts(dump_pk: int, version: int) -> AsyncIterator[bytes]:
    number = 0
    while True:
        part = await DumpPart.objects.filter(dump=dump_pk, version=version, number=number).afirst()
        if part is None:
            return
        yield bytes(part.data)
        number += 1


@require_POST
@never_cache
@sign_in_first
def consent(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Allow one's name in the dumps, or take it back."""
    dumps.set_consent(user=request.user, is_given="allow" in request.POST)
    return HttpResponseRedirect(f"{reverse('games:dumps')}#name", status=303)
