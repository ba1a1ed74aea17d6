"""Requests before any view: addresses, origins, CSRF, bounds and headers."""
