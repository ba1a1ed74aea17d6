"""Services: the only code that writes account data and relations between users."""
