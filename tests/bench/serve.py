"""`manage.py serve` for any application: the echo must run on the same server as the site.

python -m tests.bench.serve tests.bench.echo:application --host 127.0.0.1 --port 8001
"""

import argparse
from importlib import import_module


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("application")
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    asked = parser.parse_args()
    # Installs Twisted's reactor, so it must come before any other import of Twisted.
    from config.serving.server import Drain, DrainingServer

    module, _, name = asked.application.partition(":")
    application = getattr(import_module(module), name)
    DrainingServer(application, host=asked.host, port=asked.port, drain=Drain(0, 0, 1)).run()


if __name__ == "__main__":
    main()
