"""Views of presets: save, share by a link, open at once, delete."""

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.auth.devices import note_use
from accounts.auth.requests import AuthenticatedHttpRequest
from games.forms import OpenTableForm, SavePresetForm
from games.models import Preset, Terms
from games.services import presets, tables
from games.views.fragments import sign_in_first
from games.views.opening import form_page, usual
from games.wording.refusals import Refused


@require_safe
@never_cache
@sign_in_first
def show(request: AuthenticatedHttpRequest, preset: str) -> HttpResponse:
    """Show the form filled in from a preset, to any signed-in user with its link."""
    found, terms = _found(preset)
    form = OpenTableForm(initial=OpenTableForm.initial_of(terms))
    return form_page(request, form, asked=terms, shown=found)


@require_POST
@never_cache
@sign_in_first
def save(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Save the form as a preset; invalid input comes back with the errors."""
    form = SavePresetForm(request.POST, initial=usual(request))
    if form.is_valid():
        name = form.cleaned_data["name"]
        try:
            kept = presets.save_preset(user=request.user, name=name, terms=form.terms)
        except Refused as error:
            form.add_error(None, str(error.refusal.label))
        else:
            address = reverse("games:preset", args=[kept.token])
            messages.success(request, _saved(kept, address))
            return HttpResponseRedirect(address, status=303)
    return form_page(request, form)


@require_POST
@never_cache
@sign_in_first
def open_at_once(request: AuthenticatedHttpRequest, preset: str) -> HttpResponse:
    """Open a table on the preset's terms, without showing the form."""
    _kept, terms = _found(preset)
    note_use(request)
    try:
        table = tables.open_table(
            host=request.user,
            terms=terms,
            key=request.POST.get("key", "")[:40],
            commitment=request.POST.get("commitment", ""),
            contribution_hash=request.POST.get("hash", ""),
        )
    except Refused as error:
        messages.error(request, str(error.refusal.label))
        return HttpResponseRedirect(reverse("games:open_table"), status=303)
    return HttpResponseRedirect(table.get_absolute_url(), status=303)


@require_POST
@never_cache
@sign_in_first
def delete(request: AuthenticatedHttpRequest, preset: str) -> HttpResponse:
    """Delete one of the user's own presets."""
    if not presets.delete_preset(user=request.user, token=preset):
        raise Http404
    messages.success(request, _("Preset deleted."))
    return HttpResponseRedirect(reverse("games:open_table"), status=303)


def _saved(kept: Preset, address: str) -> SafeString:
    """Return the message that leads to the preset, and to its link among the user's own."""
    return format_html(
        _("Preset saved: {name}. Share or delete it under {presets}."),
        name=format_html('<a href="{}"><bdi>{}</bdi></a>', address, kept.name),
        presets=format_html('<a href="#preset-{}">{}</a>', kept.token, _("My presets")),
    )


def _found(token: str) -> tuple[Preset, Terms]:
    """Return a preset and its terms. Raises Http404."""
    preset = Preset.objects.filter(token=token).first()
    terms = None if preset is None else preset.read()
    if preset is None or terms is None:
        raise Http404
    return preset, terms
