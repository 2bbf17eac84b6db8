"""The stages of a board's way into the Wi-Fi of the house.

Without any network for two minutes, by cable or Wi-Fi, or after a long press of the button, the board opens
its own Wi-Fi. If nobody uses that for ten minutes, and after an hour in any case, the board looks for known
networks again, since a router may only have been slower to start than the board.

Invariants: no stage lasts for ever without a network, whatever phones do, so there is always a way back.
While a phone's choice waits, no other phone can choose, and none can before the board's Wi-Fi is open. Time
is an argument.
"""

from __future__ import annotations

import enum

from firmware_host.i18n import Message

Seconds = float

SEARCH_FOR: Seconds = 120.0
"""The time without a known network after which the board opens its own Wi-Fi."""
OPEN_FOR: Seconds = 600.0
"""The time without anybody in it after which the board closes its own Wi-Fi and looks for known ones."""
OPEN_AT_MOST: Seconds = 3600.0
"""The time after which the board closes it although somebody is in it, or tries to join networks."""
TOUCH_FOR: Seconds = 60.0
"""As long as the board lights the point that has to be touched."""
LINGER: Seconds = 5.0
"""The time between a choice and the end of the board's Wi-Fi, in which the phone can say what comes next."""


class WifiStage(enum.Enum):
    """The stage on the way."""

    SEARCHING = "searching"
    """There is no network, and the board waits for a known one, or is about to open its own."""
    HOUSE = "house"
    OWN = "own"
    """The board's own Wi-Fi is open."""
    TOUCHING = "touching"
    """A phone has chosen a network, and a point at the board has to be touched."""
    JOINING = "joining"
    """The board's own Wi-Fi is about to close, and the board to join the network that was chosen."""


class NetworkChange(enum.Enum):
    """A change of the network that is due."""

    OPEN = "open"
    CLOSE = "close"
    JOIN = "join"


class WifiStages:
    """The way of one board, from the time at which its program starts."""

    def __init__(self, now: Seconds) -> None:
        self.stage = WifiStage.SEARCHING
        self.trouble: Message | None = None
        """The reason why the last choice came to nothing."""
        self.was_pressed = False
        """True if somebody at the board has opened its Wi-Fi by the button."""
        self._since = self._opened_at = now

    @property
    def is_open(self) -> bool:
        """True while phones can reach the board by its own Wi-Fi."""
        return self.stage in (WifiStage.OWN, WifiStage.TOUCHING, WifiStage.JOINING)

    def due(self, now: Seconds, *, has_network: bool, is_used: bool) -> NetworkChange | None:
        """Return what is due at `now`; `is_used` says that somebody is in the board's own Wi-Fi."""
        waited = now - self._since
        if self.stage is WifiStage.JOINING:
            return NetworkChange.JOIN if waited >= LINGER else None
        if self.stage is WifiStage.TOUCHING:
            if waited >= TOUCH_FOR:
                self.refuse(Message("wifi.trouble.untouched"), now)
            return None
        if self.stage is WifiStage.OWN:
            if self._was_open_for_long(now) or (waited >= OPEN_FOR and not is_used):
                self._reach(WifiStage.SEARCHING, now)
                return NetworkChange.CLOSE
            if is_used:
                self._since = now
            return None
        return self._look_for_house(now, has_network=has_network)

    def _was_open_for_long(self, now: Seconds) -> bool:
        return now - self._opened_at >= OPEN_AT_MOST

    def _look_for_house(self, now: Seconds, *, has_network: bool) -> NetworkChange | None:
        if has_network:
            self._reach(WifiStage.HOUSE, now)
        elif now - self._since >= SEARCH_FOR:
            self.was_pressed = False
            self._opened_at = now
            return NetworkChange.OPEN
        else:
            self.stage = WifiStage.SEARCHING
        return None

    def press(self, now: Seconds) -> NetworkChange:
        """Open the board's own Wi-Fi, or open it again to find networks that were not there before."""
        self.was_pressed, self.trouble, self._opened_at = True, None, now
        self._reach(WifiStage.SEARCHING, now)
        return NetworkChange.OPEN

    def opened(self, now: Seconds) -> None:
        """Let phones choose, as the board's own Wi-Fi is open."""
        self._reach(WifiStage.OWN, now)

    def fail_to_open(self, now: Seconds) -> None:
        """Look for known networks, as the board's own Wi-Fi could not be opened."""
        self._reach(WifiStage.SEARCHING, now)

    def choose(self, now: Seconds, *, needs_touch: bool) -> bool:
        """Take a phone's choice; return False if another waits, or the board's Wi-Fi doesn't stay open."""
        if self.stage is not WifiStage.OWN or self._was_open_for_long(now):
            return False
        self.trouble = None
        self._reach(WifiStage.TOUCHING if needs_touch else WifiStage.JOINING, now)
        return True

    def touch(self, now: Seconds) -> None:
        """Note that the point was touched."""
        if self.stage is WifiStage.TOUCHING:
            self._reach(WifiStage.JOINING, now)

    def refuse(self, trouble: Message, now: Seconds) -> None:
        """Give the choice up, and let phones choose again."""
        self.trouble = trouble
        self._reach(WifiStage.OWN, now)

    def fail_to_join(self, trouble: Message, now: Seconds) -> None:
        """Give the choice up, as that network refused the board, whose own Wi-Fi opens again."""
        self.trouble = trouble
        self._reach(WifiStage.SEARCHING, now)

    def join(self, now: Seconds) -> None:
        """Note that the board is in the network that was chosen."""
        self.trouble = None
        self._reach(WifiStage.HOUSE, now)

    def _reach(self, stage: WifiStage, now: Seconds) -> None:
        self.stage, self._since = stage, now
