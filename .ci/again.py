"""Runs the tests that failed in the last run once more, alone, and says which of them are unsteady.

Among thousands of tests that share a machine with browsers, boards and whatever else runs there, one that fails only in
a crowd says little of the change at hand. It is a fault of the test or of the program all the same: its name stays in
`FILE`, which the end of the run prints, and it is to be mended before anything else. More than `MOST` failures are no
accident and are not run again.

Usage: python .ci/again.py FILE, in the project's folder, with the Python of its venv.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
MOST = 3


def main() -> int:
    """Return the exit code: 0 if all that failed pass alone."""
    names = sorted(json.loads(FAILED.read_text())) if FAILED.exists() else []
    if not 0 < len(names) <= MOST:
        print(f"{len(names)} tests failed; up to {MOST} are run again." if names else "No test failed: the run itself did.")
        return 1
    code = subprocess.call([sys.executable, "-m", "pytest", "-q", "-m", "", "-p", "no:cacheprovider", *names])
    if code == 0:
        Path(sys.argv[1]).write_text("".join(f"{name}\n" for name in names))
    return code


if __name__ == "__main__":
    sys.exit(main())
