"""A table with pieces and no rules, which sends a page the messages of a board: enough to test the page with.

Invariants: the requests of pages can only be read by waiting for them. A page draws actions of hands at once,
and sends their requests in the meantime.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from firmware_host.errors import HandsError, MillwrightError, RequestError
from firmware_host.games.drawn import kinds_of
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from firmware_host.web.messages import leds, snapshot
from firmware_host.web.server import WebServer
from sim.table.hands import TableHands
from sim.table.positions import PiecePositions
from sim.table.table import Table
from tests.support.web.protocol import check_from_board, check_from_page

_A_MINUTE: Microseconds = 60_000_000
_PATIENCE_S = 60.0
"""The timeout for something that takes a moment, on a busy machine."""

KINDS = kinds_of(rule_set("standard").box)
START: dict[str, Any] = {
    "rules": "standard",
    "position": "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1",
    "to_move": "white",
    "status": "ready",
    "held": [],
    "moves": [],
    "can": [],
    "missing": [],
    "extra": [],
    "wrong": [],
    "cues": {},
    "leds": {},
    "outcome": None,
    "sentence": "White to play: place a piece on a free point (9 in hand).",
    "said": {"key": "in-no-catalogue", "slots": {}},
    "in_hand": {"white": 9, "black": 9},
    "captured": {"white": 0, "black": 0},
    "turns": [],
    "faults": [],
    "standing": {},
    "beneath": {},
    "settings": {
        "theme": "harbour",
        "brightness": 0.6,
        "hints": True,
        "take_back": True,
        "hint_white": "auto",
        "hint_black": "auto",
        "clock": "none",
        "clock_flag": "gentle",
        "starts": "rules",
        "sound": "few",
        "speech": "off",
        "language": "en",
        "themes": ["harbour", "candle", "contrast"],
        "set": [],
        "external": None,
    },
    "faults_said": [],
    "masked": [],
    "confirm": [],
    "redo": [],
    "seats": {"white": "here", "black": "here"},
    "names": {"white": "", "black": ""},
    "thinking": False,
    "far": None,
    "asking": None,
    "wifi": None,
    "clock": None,
    "off": None,
    "hint": {"white": "off", "black": "off", "now": None},
    "sound": {"level": "few", "can": [], "last": None},
    "speech": [],
    "suspects": [],
    "mid_turn": False,
    "taken": [],
    "set_up": False,
    "rests": True,
    "advice": "",
    "advice_said": None,
}


Request = dict[str, Any]


class FakeBoard:
    """Does what hands are asked to do, remembers it, and publishes where everything comes to rest."""

    def __init__(self, port: int = 0, **where: Any) -> None:
        self._now: Microseconds = 0
        self._counts = {"white": 9, "black": 9}
        self._asked = threading.Condition()
        self.server = WebServer(self.submit, port=port, **where)
        self.reset()
        self.server.start()

    def reset(self) -> None:
        """Begin again, with all pieces in the box."""
        self.forget()
        self.refuses: MillwrightError | None = None
        """The error that answers every request of a button."""
        self.is_touched = True
        """False while the point that is lit for a phone has not been touched."""
        self.waits = Message("refused.phone-waits")
        """The refusal of the phone in the meantime."""
        self.answers = True
        """False if requests are never answered."""
        self.results: dict[str, Any] = {}
        """The results of queries, by their names."""
        self.strange: list[str] = []
        """Requests of pages that are not in the protocol's schema."""
        self.state: dict[str, Any] = dict(START)
        self.table = Table(MORRIS)
        self.table.stock(self._counts)
        self._lying = PiecePositions(self.table)
        self._hands = TableHands(self.table, _Nothing())
        self.publish()

    def submit(self, request: dict[str, Any]) -> Future[Any]:
        """Do one request at once."""
        future: Future[Any] = Future()
        if not self.answers:
            return future
        with self._asked:  # pages ask in the server's thread, tests in their own
            self._now += _A_MINUTE  # what was pushed has arrived
            try:
                self._check(request)
                future.set_result(self._do(request))
            except MillwrightError as error:
                future.set_exception(error)
            self.publish()
            self._requests.append(request)
            self._asked.notify_all()
        return future

    def forget(self) -> None:
        """Forget what was asked for so far."""
        with self._asked:
            self._requests: list[Request] = []

    def asked(self, number: int) -> list[Request]:
        """Return the requests so far, as soon as there are `number`."""
        return self.asked_until(lambda requests: len(requests) >= number)

    def asked_until(self, holds: Callable[[list[Request]], bool]) -> list[Request]:
        """The requests so far, as soon as something `holds` of them."""
        with self._asked:
            held = self._asked.wait_for(lambda: holds(self._requests), timeout=_PATIENCE_S)
            assert held, f"after {_PATIENCE_S:.0f} seconds pages have asked for no more than {self._requests}"
            assert self.strange == []
            return list(self._requests)

    def say(self, **state: Any) -> None:
        """Change the state and publish it; a sentence and faults are in no catalogue, unless a message is
        given."""
        unsaid = {"sentence": ("said", START["said"]), "faults": ("faults_said", [])}
        with self._asked:  # else a page's request could publish the state before this one last
            self.state = {**self.state, **dict(unsaid[key] for key in unsaid if key in state), **state}
            self.publish()

    def light(self, **colours: str) -> None:
        """Change only the light."""
        with self._asked:
            self.state = {**self.state, "leds": colours}
            self.server.publish(leds(colours))

    def publish(self) -> None:
        """Say how everything is now."""
        self.table.catch_up(self._now + _A_MINUTE)
        table = self._lying.at(self._now + _A_MINUTE, self._counts)
        names = ["standard", "lasker", "six"]
        message = snapshot(MORRIS, self.state, table=table, rule_sets=names, kinds=KINDS)
        check_from_board({**message, "seq": 0})
        self.server.publish(message)

    def _check(self, request: dict[str, Any]) -> None:
        try:
            check_from_page({"id": 0, **request})
        except AssertionError as error:
            self.strange.append(str(error))
            raise RequestError(str(error)) from error

    def _do(self, request: dict[str, Any]) -> Any:
        if request.get("ask") in self.results:
            return self.results[request["ask"]]
        if "do" not in request:
            self._now += self._hands.do(request, self._now)
        elif self.refuses is not None:
            raise self.refuses
        elif request["do"] == "take-phone" and not self.is_touched:
            raise RequestError(self.waits)
        return None


class _Nothing:
    """No electronics."""

    def press(self, lasts: Microseconds) -> None:
        """There is no button."""

    def release(self) -> None:
        """There is no button."""

    def inject(self, described: Mapping[str, Any]) -> None:
        """There is nothing to break."""

    def repair(self) -> None:
        """Nothing is broken."""


class Asked:
    """A board that does what it is asked, and remembers it; lifting from a1 is impossible."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.waiting: list[Future[None]] = []
        self.paused = threading.Event()
        self.refusal: Exception | None = None
        """The error that ends each request, if there is one."""

    def submit(self, request: dict[str, Any]) -> Future[None]:
        self.requests.append(request)
        future: Future[None] = Future()
        if self.refusal is not None:
            future.set_exception(self.refusal)
        elif request.get("lift") == "a1":
            said = Message("hands.none-there", {"points": ("a1",)})
            future.set_exception(HandsError("there is no piece on a1 to lift", said))
        elif request.get("do") == "pause":
            self.waiting.append(future)
            self.paused.set()
        else:
            future.set_result(None)
        return future
