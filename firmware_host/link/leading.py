"""The requests by which a link leads its board to the seat's game, one after the other.

Invariants: the board's state is not judged until it shows what came of all that was asked: until then, a turn
that the board has given up looks like a new one of its hands. If nothing comes of it for as long as a board
takes at most, it is all asked again.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.far.board_link import BoardState, Request
from firmware_host.far.linked_seat import LinkedSeat
from firmware_host.maintenance.companion import Reply
from firmware_host.settings import Microseconds

_LOG = logging.getLogger(__name__)
_TIMEOUT: Microseconds = 10_000_000
"""The time after which neither a reply nor what came of the requests is waited for any longer."""

Ask = Callable[[Mapping[str, Any]], int | None]
"""Sends a request to the board; returns its number, None without a board."""


class BoardLeader:
    """Leads a board: what it is asked next, and whether it shows what came of that."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._plan: deque[Request] = deque()
        self._asked: tuple[int, Request] | None = None
        self._awaited: int | None = None
        """The mark with which the board will show what came of the plan; None without a plan."""
        self._is_refused = False
        """True if the board has refused a part of the plan."""
        self._plans = 0
        self._waits_until: Microseconds = 0

    def lead(
        self, seat: LinkedSeat, board: BoardState, led: int, now: Microseconds, *, is_away: bool
    ) -> None:
        """Ask for the next thing that brings the board to the seat's game; its state shows the mark `led`.

        `is_away` says that the other board can't be reached.
        """
        if self._awaited is not None and self._awaited == led:
            self._awaited = None
            if not self._is_refused:
                seat.has_led()
        if self._awaited is None or now >= self._waits_until:
            self.forget()
            self._make_plan(seat, seat.follow(board, now, is_away=is_away), led)
        if self._asked is None and self._plan:
            number = self._ask(self._plan[0])
            if number is not None:
                self._asked = number, self._plan.popleft()
                self._waits_until = now + _TIMEOUT

    def hear(self, reply: Reply, seat: LinkedSeat) -> bool:
        """Take in a reply of the board; return False if that is to something else."""
        if self._asked is None or reply.request != self._asked[0]:
            return False
        request, self._asked = self._asked[1], None
        if reply.error is not None:
            _LOG.warning("the board refuses %s: %s", request, reply.error)
            seat.has_refused(request)
            self._is_refused = True
            while len(self._plan) > 1:  # the mark is shown with what was done before
                self._plan.popleft()
        return True

    def forget(self) -> None:
        """Forget the plan, since the board no longer is what it was made for."""
        self._plan.clear()
        self._asked, self._awaited, self._is_refused = None, None, False

    def due(self, now: Microseconds) -> Microseconds | None:
        """Return the time from which nothing is waited for any longer; None if that isn't to come."""
        return self._waits_until if self._awaited is not None and self._waits_until > now else None

    def _make_plan(self, seat: LinkedSeat, wanted: list[Request] | None, led: int) -> None:
        """Plan what to ask of the board, at the end to show a mark once it has done all of it."""
        if wanted:
            self._plans = max(self._plans, led) + 1
            self._awaited = self._plans
            self._plan.extend((*wanted, {"do": "far", "led": self._awaited}))
        elif wanted is not None:
            seat.has_led()
