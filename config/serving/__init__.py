"""The web server: draining, fair turns and the ASGI handler."""
