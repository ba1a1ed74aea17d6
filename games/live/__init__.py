"""WebSockets: the hub, what each socket follows, and the frames that it gets."""
