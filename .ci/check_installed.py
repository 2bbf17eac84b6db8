"""Checks the installed program from a folder that has nothing of the project in it.

Run with the Python of a venv that holds only the wheel. Keeps to the standard library; says what it
checks, and ends with the first thing that is not so.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from urllib.parse import urljoin

MILLWRIGHT = str(Path(sys.executable).with_name("millwright"))
PATIENCE_S = 120.0
PAGE_LINE = re.compile(r"http://[^\s/]+/\S*")
# What a page, a style sheet and a module name as parts of the page.
REFERENCES = re.compile(
    r"""(?x) (?:href|src)="([^"#]+)" | url\(["']?([^"')#]+) | \bfrom\s+"([^"]+)" | \bimport\s+"([^"]+)\" """
)


def millwright(*arguments: str, hands: str = "") -> str:
    """Return what the command prints, given `hands` on its input; fail unless it ends well."""
    done = subprocess.run(  # noqa: S603
        [MILLWRIGHT, *arguments], input=hands, capture_output=True, text=True, timeout=PATIENCE_S
    )
    if done.returncode != 0:
        sys.exit(
            f"millwright {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def check_help() -> None:
    """Check that the command explains itself."""
    if "Usage" not in millwright("--help"):
        sys.exit("millwright --help does not show how it is used")


def check_pico() -> None:
    """Check that the program for a Pico is in the package."""
    compile(millwright("config", "pico"), "main.py", "exec")


def check_headless() -> None:
    """Check that a piece put on the simulated board becomes a step."""
    hands = [{"put": "d6", "piece": "white"}, {"wait": 1}, {"show": True}]
    lines = millwright("sim", "--headless", hands="".join(json.dumps(line) + "\n" for line in hands))
    output = [json.loads(line) for line in lines.splitlines()]
    if not any(line.get("event") == "step" and line.get("text") == "d6" for line in output):
        sys.exit(f"millwright sim --headless did not play d6:\n{lines}")
    if output[-1]["state"]["to_move"] != "black":
        sys.exit(f"millwright sim --headless did not pass the turn on:\n{lines}")


def fetched(address: str) -> str:
    """Return the text at `address`; fail unless the status is 200."""
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:  # noqa: S310
        if answer.status != 200:
            sys.exit(f"{address} answers {answer.status}")
        body: bytes = answer.read()
    return body.decode("utf-8", errors="replace")


def check_page() -> None:
    """Check that the page and every file it names are served, and by this program alone."""
    board = subprocess.Popen(  # noqa: S603
        [MILLWRIGHT, "sim", "--no-browser", "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    try:
        address = next((found[0] for line in board.stdout or () if (found := PAGE_LINE.search(line))), None)
        if address is None:
            sys.exit("millwright sim ended without printing its page's address")
        pages = crawl(address)
    finally:
        board.terminate()
        board.wait(timeout=PATIENCE_S)
    if not {".js", ".css"} <= {Path(page).suffix for page in pages}:
        sys.exit(f"the page at {address} names no script or no style: {sorted(pages)}")
    print(f"fetched {len(pages)} files of the page")


def crawl(address: str) -> set[str]:
    """Every address that the page at `address` names, and what those name, all fetched."""
    seen: set[str] = set()
    due = [address]
    while due:
        now = due.pop()
        if now in seen or now.startswith("data:"):
            continue
        if not now.startswith(address):
            sys.exit(f"the page names something from elsewhere: {now}")
        seen.add(now)
        named = ("".join(groups) for groups in REFERENCES.findall(fetched(now)))
        due.extend(urljoin(now, name) for name in named)
    return seen


if __name__ == "__main__":
    for check in (check_help, check_pico, check_headless, check_page):
        print(f"{check.__name__}: {check.__doc__}")
        check()
