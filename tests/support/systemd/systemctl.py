"""A stand-in for systemctl, which writes down what it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest


class FakeSystemctl:
    """The program `systemctl` in a folder of a test, found before that of the machine."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._log = folder / "systemctl-log"
        self._log.touch()
        self._program = folder / "bin" / "systemctl"
        self._program.parent.mkdir(exist_ok=True)
        self._write(f'echo "$*" >>{self._log}')
        self.users = folder / "users"
        """The file with the users that were made."""
        users = self._program.with_name("systemd-sysusers")
        users.write_text(f'#!/bin/sh\necho "$*" >>{self.users}\n')
        users.chmod(0o755)
        monkeypatch.setenv("PATH", f"{self._program.parent}:/usr/bin:/bin")

    def _write(self, script: str) -> None:
        self._program.write_text(f"#!/bin/sh\n{script}\n")
        self._program.chmod(0o755)

    def fail(self, message: str) -> None:
        """Fail from now on, with this message."""
        self._write(f"echo {message} >&2; exit 1")

    @property
    def requests(self) -> list[str]:
        """The changes that were asked for, in order."""
        return [line for line in self._log.read_text().splitlines() if not line.startswith("cat ")]
