"""A table with pieces and no rules, which says to a page what a board would: enough to test the page with."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from itertools import count
from typing import Any

from protocol import check_from_board, check_from_page

from firmware_host.errors import HandsError, MillwrightError, RequestError
from firmware_host.games.layout import MORRIS
from firmware_host.web.messages import leds, snapshot
from firmware_host.web.server import WebServer

PITCH_MM = 40.0

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
    "sentence": "White to play: set a piece on a free point (9 in hand).",
    "said": {"key": "in-no-catalogue", "slots": {}},
    "in_hand": {"white": 9, "black": 9},
    "turns": [],
    "faults": [],
    "standing": {},
    "settings": {
        "theme": "harbour",
        "brightness": 0.6,
        "hints": True,
        "take_back": True,
        "themes": ["harbour", "candle", "contrast"],
        "set": [],
    },
    "faults_said": [],
    "masked": [],
    "confirm": [],
    "suspects": [],
}


class FakeBoard:
    """Does what hands are asked to do, remembers it, and publishes where everything lies then."""

    def __init__(self, port: int = 0, **where: Any) -> None:
        self._ids = count(1)
        self._asked = threading.Condition()
        self.server = WebServer(self.submit, port=port, **where)
        self.reset()
        self.server.start()

    def reset(self) -> None:
        """Begin anew, with all pieces in the box."""
        self.requests: list[dict[str, Any]] = []
        self.refuses: MillwrightError | None = None
        """What every request of a button is refused with."""
        self.strange: list[str] = []
        """What pages asked for that is not in the protocol's schema."""
        self.state: dict[str, Any] = dict(START)
        self.pieces: dict[str, dict[str, Any]] = {}
        self.held: list[dict[str, Any]] = []
        self.box = {"white": 9, "black": 9}
        self.publish()

    def submit(self, request: dict[str, Any]) -> Future[None]:
        """Do one request at once."""
        future: Future[None] = Future()
        try:
            self._check(request)
            self._do(request)
        except MillwrightError as error:
            future.set_exception(error)
        else:
            future.set_result(None)
        self.publish()
        with self._asked:
            self.requests.append(request)
            self._asked.notify()
        return future

    def asked(self, number: int) -> list[dict[str, Any]]:
        """The requests so far, as soon as there are so many."""
        with self._asked:
            assert self._asked.wait_for(lambda: len(self.requests) >= number, timeout=10)
            assert self.strange == []
            return list(self.requests)

    def say(self, **state: Any) -> None:
        """Change the state and publish it; a sentence and faults are in no catalogue, unless that is said."""
        unsaid = {"sentence": ("said", START["said"]), "faults": ("faults_said", [])}
        self.state = {**self.state, **dict(unsaid[key] for key in unsaid if key in state), **state}
        self.publish()

    def light(self, **colours: str) -> None:
        """Change only the light."""
        self.state = {**self.state, "leds": colours}
        self.server.publish(leds(colours))

    def publish(self) -> None:
        """Say how everything is now."""
        table = {
            "pitch": PITCH_MM,
            "pieces": [{**piece, "at": at} for at, piece in self.pieces.items()],
            "held": list(self.held),
            "box": dict(self.box),
        }
        message = snapshot(MORRIS, self.state, table=table, rule_sets=["standard", "lasker", "six"])
        check_from_board({**message, "seq": 0})
        self.server.publish(message)

    def _check(self, request: dict[str, Any]) -> None:
        try:
            check_from_page({"id": 0, **request})
        except AssertionError as error:
            self.strange.append(str(error))
            raise RequestError(str(error)) from error

    def _do(self, request: dict[str, Any]) -> None:
        if "do" in request and self.refuses is not None:
            raise self.refuses
        if "lift" in request:
            if request["lift"] not in self.pieces:
                raise HandsError(f"there is no piece on {request['lift']} to lift")
            self.held.append(self.pieces.pop(request["lift"]))
        elif "put" in request:
            self._put(request["put"], request["piece"])
        elif "knock" in request:
            for point in request["knock"]:
                self.box[self.pieces.pop(point)["piece"]] += 1
        elif "box" in request:
            for piece in self.held:
                self.box[piece["piece"]] += 1
            self.held.clear()

    def _put(self, point: str, kind: str) -> None:
        if point in self.pieces:
            raise HandsError(f"{point} is taken")
        held = next((piece for piece in self.held if piece["piece"] == kind), None)
        if held is not None:
            self.held.remove(held)
        elif self.box[kind]:
            self.box[kind] -= 1
            held = {"id": next(self._ids), "piece": kind}
        else:
            raise HandsError(f"there is no {kind} piece in the hands or the box")
        self.pieces[point] = held
