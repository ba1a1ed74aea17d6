"""Russian: no line breaks within a date, a comma before the hour, and always two digits for it."""

DATE_FORMAT = "j\u00a0E\u00a0Y\u00a0года"
DATETIME_FORMAT = "j\u00a0E\u00a0Y\u00a0года, H:i"
TIME_FORMAT = "H:i"
YEAR_MONTH_FORMAT = "F\u00a0Y\u00a0года"
