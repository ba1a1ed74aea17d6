"""Names, languages, appearance and the other things that users set."""
