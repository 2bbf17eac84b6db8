"""The line to the board's program on this machine, by which the board shows what becomes of its Wi-Fi.

Invariants: a connection that ends is made again. The board plays whether anybody is at the other end or not,
and nothing here waits for it longer than some seconds.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

from firmware_host.errors import PageError, RequestError
from firmware_host.maintenance.companion import CompanionConnection, Reply

_RETRY_S = 5.0
_REPLY_TIMEOUT_S = 5.0
WANTED = "wanted"
"""The state of a board whose button was held down."""
_LOG = logging.getLogger(__name__)


class BoardLine:
    """The line to one board; `press` is called when its button was held down."""

    def __init__(
        self,
        connect: Callable[[], CompanionConnection],
        press: Callable[[], object],
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._connect, self._press, self._sleep = connect, press, sleep
        self._connection: CompanionConnection | None = None
        self._replies: SimpleQueue[Reply] = SimpleQueue()
        self._is_shown = False

    @property
    def is_playing(self) -> bool:
        """Return whether the board answers, and isn't being set up."""
        connection = self._connection
        return connection is not None and bool(connection.whole.get("state"))

    def follow(self) -> None:
        """Follow the board until the program is ended, whatever becomes of the connection."""
        while True:
            try:
                with self._connect() as connection:
                    self._is_shown, self._connection = False, connection
                    self._read(connection)
            except PageError as error:
                _LOG.info("%s; trying again", error)
            finally:
                self._connection = None
            self._sleep(_RETRY_S)

    def _read(self, connection: CompanionConnection) -> None:
        was_wanted = False
        for news in connection.traffic():
            if isinstance(news, Reply):
                self._replies.put(news)
                continue
            is_wanted = news.get("wifi") == WANTED
            if is_wanted and not was_wanted:
                self._press()
            was_wanted = is_wanted

    def show(self, *, is_open: bool) -> None:
        """Have the board show whether its own Wi-Fi is open."""
        if self._is_shown is is_open or not self.is_playing:
            return
        try:
            self.ask({"do": "wifi", "on": is_open})
        except (PageError, RequestError) as error:
            _LOG.info("the board doesn't show it: %s", error)
            return
        self._is_shown = is_open

    def ask(self, request: dict[str, Any]) -> None:
        """Have the board do something; raise RequestError if it refuses, and PageError without an answer."""
        connection = self._connection
        if connection is None:
            raise PageError("the board doesn't answer")
        number = connection.ask(request)
        try:
            while (reply := self._replies.get(timeout=_REPLY_TIMEOUT_S)).request != number:
                pass  # an answer that came too late
        except Empty:
            raise PageError("the board doesn't answer in time") from None
        if reply.error is not None:
            raise RequestError(reply.error, reply.message)
