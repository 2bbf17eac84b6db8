"""The place of the machine's log: a card is spared if it is in memory.

Invariants: the decision of an owner stays, whatever it is; only a log for which nobody has decided is moved.
Raspberry Pi OS has kept its log in memory since Trixie.
"""

from __future__ import annotations

import re
from pathlib import Path

from hardware.boot.needs import BootLine

DROP_IN = Path("/etc/systemd/journald.conf.d/50-millwright.conf")
"""The path of the drop-in that `millwright boot` writes."""

_LINE = "Storage=volatile"
_TEXT = f"""\
# Written by `millwright boot`: the log stays in memory, where it spares the card and ends with the power.
# To keep it on the card, write Storage=persistent here and restart the Pi.
[Journal]
{_LINE}
"""
_UNDECIDED = ("", "auto")
"""The settings with which a log is on the card if its folder is there."""
_LOG_FOLDER = "var/log/journal"
_FOLDERS = ("usr/lib/systemd", "run/systemd", "etc/systemd")
"""The folders of journald.conf(5); a file in a later one replaces that of the same name."""


def log_line(root: Path = Path("/")) -> BootLine | None:
    """Return the line that keeps the log in memory; None if it is there anyway, or somebody decided."""
    storage = _storage(root)
    is_ours = storage == "volatile" and (root / DROP_IN.relative_to("/")).exists()
    is_on_card = storage in _UNDECIDED and (root / _LOG_FOLDER).is_dir()
    if not (is_ours or is_on_card):
        return None
    return BootLine(_LINE, "the log stays in memory and spares the card", is_ours)


def keep_log_in_memory(root: Path = Path("/")) -> None:
    """Write the drop-in, which counts from the next start on. Raise OSError."""
    path = root / DROP_IN.relative_to("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_TEXT, encoding="utf-8")


def _storage(root: Path) -> str:
    """Return the setting that counts, in small letters; empty if there is none."""
    main = [path for folder in _FOLDERS if (path := root / folder / "journald.conf").is_file()]
    drop_ins = {
        path.name: path for folder in _FOLDERS for path in (root / folder).glob("journald.conf.d/*.conf")
    }
    found = ""
    for path in (*main[-1:], *(drop_ins[name] for name in sorted(drop_ins))):
        for value in re.findall(r"^\s*Storage\s*=(.*)$", path.read_text("utf-8", "replace"), re.MULTILINE):
            found = value.strip().lower()
    return found
