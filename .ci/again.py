"""Runs the tests that failed in the last run again, alone, and lists those that pass: they are unsteady.

Among thousands of tests on a machine that does other work as well, one that fails only in a crowd says little
about the change at hand. It is a fault all the same, of the test or of the program. More failures than a few
are no accident, and are not run again.

Usage: python .ci/again.py FILE, in the project's folder, with the Python of its venv.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

FAILED = Path(".pytest_cache/v/cache/lastfailed")
MOST = 3


def main(unsteady: Path) -> int:
    """Return the exit code: 0 if all tests that failed pass alone, and are listed in `unsteady`."""
    failed = sorted(json.loads(FAILED.read_text())) if FAILED.exists() else []
    if not failed:
        print("No test failed, but the run did.")
        return 1
    if len(failed) > MOST:
        print(f"{len(failed)} tests failed. Only up to {MOST} are run again.")
        return 1
    code = pytest.main(["-q", "-m", "", "-p", "no:cacheprovider", *failed])
    if code == 0:
        unsteady.write_text("".join(f"{name}\n" for name in failed))
    return int(code)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
