"""Grade the public site with MDN's HTTP Observatory. `make observatory` runs this.

    python -m tests.hosting.observatory [least score]

Needs npm and Node 20, and installs the grader in a temporary folder. The grader has no option for
a port, so it is given `localhost:port` as the host name; that port speaks TLS and plain HTTP. Node
is told to trust the self-signed certificate as an authority. The list of preloaded names, which
the grader would download, is empty.
Exits with 1 if the score is below the least score (100).
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.hosting.public_site import public_site

GRADER = "@mdn/mdn-http-observatory@1.4.8"


def main(least: int) -> int:
    with tempfile.TemporaryDirectory(prefix="obs-") as name:
        folder = Path(name)
        subprocess.run(
            ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", GRADER],
            cwd=folder,
            check=True,
        )
        package = folder / "node_modules" / "@mdn" / "mdn-http-observatory"
        (package / "conf" / "hsts-preload.json").write_text("{}")
        with public_site(folder) as site:
            # Not the package's own command: it trusts only Mozilla's authorities.
            done = subprocess.run(
                ["node", str(package / "src" / "scan.js"), site.place],
                cwd=package,
                env=os.environ | {"NODE_EXTRA_CA_CERTS": str(site.certificate)},
                stdout=subprocess.PIPE,
                text=True,
                check=False,
            )
    graded = json.loads(done.stdout)
    if "error" in graded and "scan" not in graded:
        print(graded["error"])
        return 1
    for test, found in sorted(graded["tests"].items()):
        print(f"{found['scoreModifier']:+4}  {test}: {found['result']}")
    scan = graded["scan"]
    print(f"{scan['score']}  {scan['grade']}")
    return int(scan["score"] < least)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
