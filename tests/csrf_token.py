"""The CSRF token of a returning browser. It is not masked; Django accepts it all the same."""

CSRF_TOKEN = "a" * 32
