"""Exits with status 0 if the URL given as the argument answers 200.

Uses only the standard library, because it runs every few seconds.
"""

import sys
import urllib.error
import urllib.request

# The URL is on this machine, so the owner's proxy for outgoing requests is not used.
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

try:
    with _open(sys.argv[1], timeout=4) as answer:
        sys.exit(answer.status != 200)
except (OSError, urllib.error.URLError) as error:
    sys.exit(str(error))
