"""Has MDN's HTTP Observatory grade the site as the public has it. `make observatory` runs this.

    python -m tests.hosting.observatory [least score]

Needs npm and Node 20, and installs the grader in a folder that is gone afterwards. The grader
knows no ports of its own, so `localhost:port` is its host's name, and that port speaks TLS and
plain HTTP; the certificate that vouches for itself is given to Node as one of its authorities.
The list of preloaded names, which the grader would load from elsewhere, is empty.
Exits with 1 below the least score (100).
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
            # Not the package's own command, which trusts Mozilla's authorities and no other.
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
