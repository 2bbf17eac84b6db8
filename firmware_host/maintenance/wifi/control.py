"""The board's way into the house's Wi-Fi: NetworkManager, the board and phones, brought together.

Invariants: only `turn` changes the network, in one thread; the others leave what they want. A password is
kept until the network was tried, and no longer. Somebody at the board has to agree to a phone's choice: by
the button that opened the Wi-Fi, or by touching a point, unless the board can't ask for that.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from firmware_host.errors import MillwrightError, PageError, RequestError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message, to_english
from firmware_host.maintenance.wifi.board_line import BoardLine
from firmware_host.maintenance.wifi.network_manager import NetworkManager, WifiNetwork
from firmware_host.maintenance.wifi.stages import NetworkChange, Seconds, WifiStage, WifiStages

_WAITS, _CANT_ASK = Message("refused.phone-waits"), Message("refused.no-light")
_MIN_PASSWORD, _MAX_PASSWORD = 8, 63
"""The length of a password by WPA2."""
TURN_EVERY_S = 1.0
_LOG = logging.getLogger(__name__)


@frozen
class _Choice:
    network: WifiNetwork
    password: str

    def __repr__(self) -> str:
        return "_Choice()"


class WifiControl:
    """The networks of one board, until its program ends."""

    def __init__(
        self,
        manager: NetworkManager,
        connect: Callable[[Callable[[], object]], BoardLine],
        clock: Callable[[], Seconds] = time.monotonic,
    ) -> None:
        """Keep the networks of `manager`; `connect` makes the line to the board, given what a press calls."""
        self._manager, self._clock = manager, clock
        self._lock = threading.Lock()
        self._stages = WifiStages(clock())
        self._networks: tuple[WifiNetwork, ...] = ()
        self._choice: _Choice | None = None
        self._is_pressed = self._is_visited = self._is_lit = False
        self.board = connect(self._press)

    # ---- from other threads ------------------------------------------------------------------------------

    def _press(self) -> None:
        self._is_pressed = True

    def visit(self) -> None:
        """Note that somebody uses the board's own Wi-Fi."""
        self._is_visited = True

    def choose(self, name: str, password: str) -> None:
        """Take a phone's choice. Raise RequestError if it can't be, or not now."""
        with self._lock:
            network = next((one for one in self._networks if one.name == name), None)
            if network is None:
                raise RequestError(Message("wifi.refused.unknown"))
            if network.has_password and not _is_password(password):
                raise RequestError(Message("wifi.refused.password"))
            needs_touch = not self._stages.was_pressed and self.board.is_playing
            if not self._stages.choose(self._clock(), needs_touch=needs_touch):
                raise RequestError(Message("wifi.refused.busy"))
            self._choice, self._is_lit = _Choice(network, password), False

    def view(self) -> dict[str, Any]:
        """Return what phones are shown."""
        with self._lock:
            trouble = self._stages.trouble
            return {
                "stage": self._stages.stage.value,
                "networks": [
                    {"name": one.name, "strength": one.strength, "locked": one.has_password}
                    for one in self._networks
                ],
                "chosen": None if self._choice is None else self._choice.network.name,
                "trouble": None if trouble is None else trouble.as_dict(),
            }

    # ---- in the thread that changes the network ------------------------------------------------------------

    def run(self, sleep: Callable[[float], object] = time.sleep) -> None:
        """Keep the networks until the program is ended."""
        self._manager.close_own()  # one that an earlier run has left
        while True:
            self.turn()
            sleep(TURN_EVERY_S)

    def turn(self) -> None:
        """Do what is due now."""
        visited, self._is_visited = self._is_visited, False
        pressed, self._is_pressed = self._is_pressed, False
        is_open = self._stages.is_open
        has_network = not is_open and self._manager.has_network
        is_used = is_open and (visited or self._manager.is_used)
        with self._lock:
            now = self._clock()
            if pressed:
                change: NetworkChange | None = self._stages.press(now)
            else:
                change = self._stages.due(now, has_network=has_network, is_used=is_used)
        if self._stages.stage is WifiStage.TOUCHING:
            self._wait_for_touch()
        if change is not None:
            self._do(change)
        self.board.show(is_open=self._stages.is_open)

    def _do(self, change: NetworkChange) -> None:
        if change is NetworkChange.OPEN:
            self._open(looks=True)
        elif change is NetworkChange.CLOSE:
            _LOG.info("looking for known networks")
            self._manager.close_own()
        else:
            self._join()

    def _open(self, *, looks: bool) -> None:
        """Open the board's own Wi-Fi; in it, most radios can't look for networks, so that `looks` before."""
        if looks:
            self._manager.close_own()
            found = self._manager.networks()
            with self._lock:
                self._networks, self._choice = found, None
        if self._manager.open_own():
            _LOG.info("the board's own Wi-Fi is open")
            return
        _LOG.warning("the board's own Wi-Fi can't be opened: `journalctl -u NetworkManager` says why")
        with self._lock:
            self._stages.fail_to_open(self._clock())

    def _join(self) -> None:
        with self._lock:
            choice, self._choice = self._choice, None
        assert choice is not None  # noqa: S101 - without one, no network is joined
        trouble = self._manager.join(choice.network, choice.password)
        with self._lock:
            if trouble is None:
                self._stages.join(self._clock())
            else:
                self._stages.refuse(trouble, self._clock())
        if trouble is None:
            _LOG.info("the board is in the network that was chosen")
        else:
            _LOG.info("the network that was chosen can't be joined: %s", to_english(trouble))
            self._open(looks=False)

    def _wait_for_touch(self) -> None:
        """Have the board light a point, and find out whether it was touched."""
        request = {"do": "take-network"} if self._is_lit else {"do": "workshop", "kind": "network"}
        refused = trouble = None
        try:
            self.board.ask(request)
        except (RequestError, PageError) as error:
            refused = error
        with self._lock:
            now = self._clock()
            if (self._is_lit and refused is None) or (not self._is_lit and _says(refused, _CANT_ASK)):
                self._stages.touch(now)
            elif self._is_lit and not _says(refused, _WAITS):
                trouble = Message("wifi.trouble.untouched")
            elif refused is not None and not self._is_lit:
                trouble = Message("wifi.trouble.busy")
            if trouble is not None and self._stages.stage is WifiStage.TOUCHING:
                self._choice = None
                self._stages.refuse(trouble, now)
        self._is_lit = True


def _says(refused: MillwrightError | None, what: Message) -> bool:
    return refused is not None and refused.message == what


def _is_password(text: str) -> bool:
    """Return whether WPA2 takes it: printable characters of ASCII."""
    return _MIN_PASSWORD <= len(text) <= _MAX_PASSWORD and text.isascii() and text.isprintable()
