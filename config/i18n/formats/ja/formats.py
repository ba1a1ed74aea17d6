"""Japanese: a space between the day and the hour, which always has two digits."""

DATETIME_FORMAT = "Y年n月j日 H:i"
TIME_FORMAT = "H:i"
SHORT_DATETIME_FORMAT = "Y/m/d H:i"
