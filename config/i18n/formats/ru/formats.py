"""Russian: no line breaks within a date, and a comma before the hour."""

DATE_FORMAT = "j\u00a0E\u00a0Y\u00a0года"
DATETIME_FORMAT = "j\u00a0E\u00a0Y\u00a0года, G:i"
YEAR_MONTH_FORMAT = "F\u00a0Y\u00a0года"
