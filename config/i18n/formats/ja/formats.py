"""Japanese: a space between the day and the hour."""

DATETIME_FORMAT = "Y年n月j日 G:i"
