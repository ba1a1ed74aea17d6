"""Django's ASGI handler, with the whole of a request in one thread."""

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler


class OneThreadHandler(ASGIHandler):
    """Runs middleware and view together, in the thread of the request.

    Our views are synchronous. Django by itself would carry each request from the event loop to
    the thread and back for every single middleware, which costs more than a move does.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)
        if is_async:
            self._middleware_chain = sync_to_async(self._middleware_chain, thread_sensitive=True)


def get_application() -> OneThreadHandler:
    """As `django.core.asgi.get_asgi_application`."""
    django.setup(set_prefix=False)
    return OneThreadHandler()
