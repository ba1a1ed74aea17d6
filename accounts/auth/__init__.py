"""Sign-in, sessions, the second factor, and the rights of accounts."""
