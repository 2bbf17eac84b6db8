"""Services of systemd: those of companions, which are installed by a command, and what all such commands do.

Invariants: a companion's service may do nothing but what its lines add to those that all companions share. It
has a user of its own, and no devices, capabilities or writable files.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from firmware_host.errors import PageError
from firmware_host.frozen import frozen

UNITS = Path("/etc/systemd/system")
"""The folder of the units that this machine's administrator installs."""

SYSTEMD = Path("/run/systemd/system")
"""The folder that exists where systemd runs."""

LOOPBACK_ONLY = ("IPAddressDeny=any", "IPAddressAllow=localhost")
"""The lines of a service that speaks to this machine alone."""

_UNIT = """\
# Written by `millwright {command} --on`; `millwright {command} --off` removes it.
{comment}
[Unit]
Description=Millwright's companion, which {purpose}
Wants={wants}
After={after}

[Service]
ExecStart={program} {command}
User=millwright-{command}
DynamicUser=yes
Restart=on-failure
RestartSec={restart_s}
MemoryMax={memory_mb}M
TasksMax=8
{lines}
CapabilityBoundingSet=
DevicePolicy=closed
LockPersonality=yes
MemoryDenyWriteExecute=yes
NoNewPrivileges=yes
PrivateTmp=yes
PrivateUsers=yes
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
UMask=0077

[Install]
WantedBy=multi-user.target
"""


@frozen(kw_only=True, slots=False)
class CompanionService:
    """The service that runs a companion, which is the command `millwright <command>`."""

    command: str
    purpose: str
    """The end of its description, which begins "Millwright's companion, which"."""
    comment: str
    """The comment at the top of the unit, as lines that begin with #."""
    wants: tuple[str, ...] = ()
    """Units beside the board's service that are started with it."""
    after: tuple[str, ...] = ()
    """Units beside the board's service and `wants` that it waits for."""
    lines: tuple[str, ...] = ()
    """The lines of this service alone, which allow or deny more than those of all companions."""
    restart_s: int = 5
    """Seconds between a failure and the next start."""
    memory_mb: int = 64
    """The limit of its memory, in MiB."""
    is_named: bool = False
    """True if others, such as polkit, have to know its user by name, which systemd alone would."""
    files: Mapping[Path, str] = field(default_factory=dict)
    """Other files that it needs, with their texts."""

    @property
    def name(self) -> str:
        """Return the name of the unit."""
        return f"millwright-{self.command}.service"

    @property
    def unit(self) -> Path:
        """Return the file of the unit."""
        return UNITS / self.name

    def text(self, program: str) -> str:
        """Return the text of the unit, which runs `program`."""
        wants = ("millwright.service", *self.wants)
        return _UNIT.format(
            command=self.command,
            comment=self.comment,
            purpose=self.purpose,
            wants=" ".join(wants),
            after=" ".join((*wants, *self.after)),
            program=program,
            restart_s=self.restart_s,
            memory_mb=self.memory_mb,
            lines="\n".join(self.lines),
        )

    def install(self) -> None:
        """Write the unit and its files, and start the service; raises PageError if that is not possible."""
        require_root(f"{self.command} --on")
        require_service()
        if self.is_named:
            _run("systemd-sysusers", "--inline", f"u millwright-{self.command} -")
        for path, text in self.files.items():
            write_unit(path, text)
        write_unit(self.unit, self.text(installed_program()))
        systemctl("daemon-reload")
        systemctl("enable", "--now", self.name)

    def remove(self) -> None:
        """Stop the service, if it is installed, and remove its files; raises PageError if that fails."""
        require_root(f"{self.command} --off")
        if self.unit.exists():
            systemctl("disable", "--now", self.name)
        for path in (self.unit, *self.files):
            path.unlink(missing_ok=True)
        systemctl("daemon-reload")


def require_root(command: str) -> None:
    """Raise PageError unless root runs this; `command` is what to type then, without `millwright`."""
    if os.geteuid() != 0:
        raise PageError(f"only root can change a service: sudo millwright {command}")


def require_service(unit: str = "millwright.service") -> None:
    """Raise PageError, with what to do, unless the board is a service of this machine."""
    try:
        systemctl("cat", unit)
    except PageError as error:
        if not SYSTEMD.is_dir():
            what = "systemd doesn't run here, so there is no service to change"
            raise PageError(f"{what}; `millwright run` plays without one") from error
        fix = "install Millwright's package, or type `sudo make install` in its folder"
        raise PageError(f"the board isn't a service here: {fix} ({error})") from error


def installed_program() -> str:
    """Return the path of the installed program."""
    places = (Path("/usr/local/bin/millwright"), Path("/usr/bin/millwright"))
    return str(next((place for place in places if place.exists()), places[0]))


def write_unit(path: Path, text: str) -> None:
    """Write a file of the service manager, which everybody may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o644)


def systemctl(*arguments: str) -> None:
    """Have the service manager do something; raises PageError with its message if that fails."""
    _run("systemctl", *arguments)


def _run(program: str, *arguments: str) -> None:
    try:
        done = subprocess.run([program, *arguments], capture_output=True, text=True)  # noqa: S603
    except OSError as error:
        raise PageError(f"there is no service manager here: {error}") from error
    if done.returncode:
        message = done.stderr.strip() or f"it ended with {done.returncode} and no message"
        raise PageError(f"{program} {arguments[0]} failed: {message}")
