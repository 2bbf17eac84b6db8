"""Removal of personal details from texts that leave the machine.

Invariants: this is the second line of defence: whoever collects facts takes only those that are not personal.
It errs on the side of removing too much.
"""

from __future__ import annotations

import getpass
import os
import re
import socket
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_KEPT_ROOTS = ("boot", "dev", "etc", "lib", "opt", "proc", "run", "sys", "usr", "var")
_IMPERSONAL = {"", "root", "pi", "millwright", "raspberrypi", "localhost", "127.0.0.1", "user", "nobody"}
_MIN_NAME_LENGTH = 2

_PATTERNS = (
    (re.compile(r"\bhttps?://[^\s,;'\"`)]+"), "<address>"),
    # The names that udev gives to serial ports have the device's serial number in them.
    (re.compile(r"(/dev/serial/by-(?:id|path)/)(?:[^\s,;'\":]|:(?=\S))+"), r"\1<port>"),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "<mail>"),
    (re.compile(r"\b[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}\b"), "<address>"),
    # Nobody is identified by 0.0.0.0 and 127.0.0.1, and versions such as 0.2.2.0 begin with 0 as well.
    (re.compile(r"(?<![\w.])(?!0\.|127\.)\d{1,3}(?:\.\d{1,3}){3}(?![\w.])"), "<address>"),
    (re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?:%\w+)?(?![\w:])"), "<address>"),
)
_PATH = re.compile(r"(?<![\w<>.:/])(?:~|/)[^\s,;:'\"`()]*")


class Redactor:
    """Replaces names, addresses and private paths in texts by placeholders."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Take the names to replace as whole words, in any case; those that are nobody's are ignored."""
        own = {name.strip() for name in names}
        named = [n for n in own if n.lower() not in _IMPERSONAL and len(n) >= _MIN_NAME_LENGTH]
        longest_first = sorted(named, key=lambda name: (-len(name), name))
        words = "|".join(map(re.escape, longest_first))
        self._names = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None

    @classmethod
    def of_this_machine(cls, *more: str) -> Redactor:
        """Return one that knows the names of this machine and its user, and `more`."""
        host = socket.gethostname()
        return cls([host, host.partition(".")[0], socket.getfqdn(), *_user_names(), *more])

    def text(self, text: str) -> str:
        """Return a text without personal details."""
        if self._names:  # first, since a path with a blank in it is known here only
            text = self._names.sub("<name>", text)
        for pattern, instead in _PATTERNS:
            text = pattern.sub(instead, text)
        return _PATH.sub(lambda found: _public_path(found[0]), text)

    def value(self, value: Any) -> Any:
        """Return a JSON value in which every text, keys included, has no personal details."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(str(key)): self.value(own) for key, own in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(own) for own in value]
        return value


def _public_path(path: str) -> str:
    """Return a path of the system's own, and a placeholder for any other."""
    parts = Path(path).parts
    if path.startswith("~") or (len(parts) > 1 and parts[1] not in _KEPT_ROOTS):
        return "<path>"
    return path


def _user_names() -> Iterable[str]:
    yield from (os.environ.get(name, "") for name in ("USER", "LOGNAME", "SUDO_USER"))
    yield Path(os.environ.get("HOME", "")).name
    try:
        yield getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in some containers
        return
