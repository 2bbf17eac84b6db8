"""The code that lets others in the house play, and the cookie that it is exchanged for.

Rules kept here: both come from one secret, which is kept in a file that only its owner can read, so that a
phone is asked once and not after each power cut; they are compared in constant time; a file that others could
read is no secret, and is replaced.
"""

from __future__ import annotations

import hmac
import os
import secrets
from pathlib import Path

DIGITS = 8
"""How long a code is: short enough for a phone, too long to be guessed as slowly as it may be."""
_SECRET_BYTES = 32


class Code:
    """A code and a cookie."""

    def __init__(self, secret: bytes, *, is_kept: bool = False) -> None:
        self.is_kept = is_kept
        """Whether it will be the same after the next start."""
        number = int.from_bytes(_derived(secret, "code"), "big")
        self._digits = f"{number % 10**DIGITS:0{DIGITS}}"
        self.cookie = _derived(secret, "cookie").hex()
        """What a browser keeps that knew the code."""

    @property
    def shown(self) -> str:
        """The code as people read it: `1234 5678`."""
        return f"{self._digits[:4]} {self._digits[4:]}"

    def is_right(self, entered: str) -> bool:
        """Whether this is the code, however it is grouped."""
        digits = "".join(character for character in entered if not character.isspace() and character != "-")
        return hmac.compare_digest(digits.encode(errors="replace"), self._digits.encode())

    def is_cookie(self, value: str) -> bool:
        """Whether a browser that sends this knew the code."""
        return hmac.compare_digest(value.encode(errors="replace"), self.cookie.encode())


def passing() -> Code:
    """A code that nobody will know after this run."""
    return Code(secrets.token_bytes(_SECRET_BYTES))


def kept(path: Path) -> Code:
    """The code whose secret is in the file; it is made where there is none, or none that is good.

    Where nothing can be written, it is one for this run.
    """
    try:
        secret = _read(path)
        if secret is None:
            secret = secrets.token_bytes(_SECRET_BYTES)
            _write(path, secret)
    except OSError:
        return passing()
    return Code(secret, is_kept=True)


def _derived(secret: bytes, what: str) -> bytes:
    return hmac.digest(secret, f"millwright page {what}".encode(), "sha256")


def _read(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                return None
            text = file.read(4 * _SECRET_BYTES).decode()
            secret = bytes.fromhex(text)
    except (FileNotFoundError, ValueError):
        return None
    return secret if len(secret) == _SECRET_BYTES else None


def _write(path: Path, secret: bytes) -> None:
    """Have the secret in the file, whole or not at all, whenever the power goes."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(f"{secret.hex()}\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
