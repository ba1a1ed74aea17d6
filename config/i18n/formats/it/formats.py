"""Italian: no zero before the day, no day of the week, a comma before the hour."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y, H:i"
