"""A board without a network, in reach of a Wi-Fi, with stand-ins for NetworkManager and the board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware_host.errors import RequestError
from firmware_host.i18n import Message
from firmware_host.maintenance.wifi.board_line import BoardLine
from firmware_host.maintenance.wifi.control import WifiControl
from firmware_host.maintenance.wifi.network_manager import NetworkManager
from tests.support.wifi.nmcli import FakeNmcli

SECRET = "correct horse"  # noqa: S105 - of the house's Wi-Fi


class ObedientLine(BoardLine):
    """A board that answers with `refusal`; None: it does as it is asked."""

    def __init__(self, press: Callable[[], object]) -> None:
        self.hold_button = press
        """Hold the board's button down."""
        self.plays = True
        self.refusal: Message | None = None
        self.asked: list[str] = []
        self.shown: list[bool] = []

    @property
    def is_playing(self) -> bool:
        """Return whether it plays."""
        return self.plays

    def show(self, *, is_open: bool) -> None:
        """Note what is to be shown."""
        if self.shown[-1:] != [is_open]:
            self.shown.append(is_open)

    def ask(self, request: dict[str, Any]) -> None:
        """Note the request, and refuse it if that was wanted."""
        self.asked.append(request["do"])
        if self.refusal is not None:
            raise RequestError(self.refusal)


class HouseInReach:
    """A board without a network, and the house's Wi-Fi in the air."""

    def __init__(self, root: Path) -> None:
        self.nmcli, self.now, self.root = FakeNmcli({"Home": SECRET}), 0.0, root
        (root / "sys/class/net/wlan0/device").mkdir(parents=True)
        self.control = WifiControl(NetworkManager(self.nmcli, root), ObedientLine, lambda: self.now)
        self.after(0)

    @property
    def line(self) -> ObedientLine:
        """The line to the board."""
        assert isinstance(self.control.board, ObedientLine)
        return self.control.board

    def after(self, seconds: float) -> None:
        """Let time go by, and the control do what is due."""
        self.now += seconds
        state = "down" if self.nmcli.up is None else "up"
        (self.root / "sys/class/net/wlan0/operstate").write_text(state)
        self.control.turn()

    @property
    def trouble(self) -> str | None:
        """The key of the trouble that phones are shown."""
        said = self.control.view()["trouble"]
        return None if said is None else said["key"]
