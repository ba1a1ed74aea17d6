"""The date of a scheduled table, in the host's time zone."""

from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.profiles.locale_names import zone_label, zone_of
from games.services.appointments import LATEST, check_date
from games.wording.refusals import Refused

_ISO_DAY: Final = "%Y-%m-%d"
_ISO_TIME: Final = "%H:%M"


class DateForm(forms.Form):
    """A day and a time of day; both or neither, unless `needs_date` is set.

    `zone` is the time zone in which the page showed the fields. The reader's own may have become
    known only after that.
    """

    needs_date = False

    meets_on = forms.DateField(
        label=pgettext_lazy("date", "Day"),
        required=False,
        widget=forms.DateInput(format=_ISO_DAY, attrs={"type": "date", "autocomplete": "off"}),
    )
    meets_at = forms.TimeField(
        label=pgettext_lazy("date", "Time"),
        required=False,
        widget=forms.TimeInput(format=_ISO_TIME, attrs={"type": "time", "autocomplete": "off"}),
    )
    zone = forms.CharField(max_length=60, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("zone", timezone.get_current_timezone_name())
        today = timezone.now().astimezone(self.reader_zone).date()
        attrs = self.fields["meets_on"].widget.attrs
        attrs["min"], attrs["max"] = today.isoformat(), (today + LATEST).isoformat()
        if self.needs_date:
            for name in ("meets_on", "meets_at"):
                self.fields[name].required = True

    @staticmethod
    def initial_at(moment: datetime) -> dict[str, Any]:
        """Return the initial values of the fields for a date."""
        here = timezone.localtime(moment)
        return {"meets_on": here.date(), "meets_at": here.time()}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        data["scheduled_at"] = None
        if {"meets_on", "meets_at"}.isdisjoint(self.errors):
            self._clean_date(data)
        return data

    def _clean_date(self, data: dict[str, Any]) -> None:
        day, time = data.get("meets_on"), data.get("meets_at")
        if day is None and time is None:
            return
        if day is None or time is None:
            missing = "meets_on" if day is None else "meets_at"
            self.add_error(missing, _("A date needs a day and a time."))
            return
        try:
            moment = datetime.combine(day, time, self.reader_zone).astimezone(UTC)
            is_real = moment.astimezone(self.reader_zone).replace(tzinfo=None) == datetime.combine(
                day, time
            )
        except OverflowError:
            # In the years 1 and 9999 a time in another zone may not exist.
            is_real = True
            moment = timezone.now() + (2 * LATEST if day.year > 1 else -LATEST)
        if not is_real:
            self.add_error(
                "meets_at",
                _("The clocks change that night, so this time doesn’t exist. Choose another one."),
            )
            return
        try:
            check_date(moment, timezone.now())
        except Refused as error:
            self.add_error("meets_on", str(error.refusal.label))
            return
        data["scheduled_at"] = moment

    @property
    def reader_zone(self) -> tzinfo:
        """The time zone of the fields: a time that occurs twice is the first of both."""
        return zone_of(str(self["zone"].value() or "")) or timezone.get_current_timezone()

    @property
    def zone_name(self) -> str:
        """The time zone of the fields in the reader's language."""
        return zone_label(getattr(self.reader_zone, "key", "")) or "UTC"

    @property
    def has_date(self) -> bool:
        """Whether a day or a time is filled in, or wrong."""
        fields = (self["meets_on"], self["meets_at"])
        return any(field.value() or field.errors for field in fields)


class MoveDateForm(DateForm):
    """Another date for a scheduled table."""

    needs_date = True
