"""A player without eyes: hands that do what the board says, and know only what they touch and hear."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from typing import Any

from firmware_host.errors import HandsError
from sim.assembly import Blueprint
from sim.headless import HeadlessBoard
from sim.world import is_settled
from tests.support.speech.listener import SentenceListener, Understood

_OF_HELD = ("holds", "thinks-again", "may-think-again", "takes", "vaults", "relocating")
_TO_CLEAR = (
    "wrong.clear-take",
    "wrong.clear-move",
    "wrong.clear.white",
    "wrong.clear.black",
    "repair.take-away",
)
_TO_RETURN = ("wrong.return-take", "wrong.return-place", "wrong.return.white", "wrong.return.black")
_REST_S = 4.5
"""The time after which the board says nothing more by itself."""


class Ears(io.StringIO):
    """The output of a headless board, of which only the speech counts."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def write(self, line: str, /) -> int:
        message: dict[str, Any] = json.loads(line)
        if message.get("event") == "said":
            self.texts.append(message["text"])
        return len(line)


class BlindPlayer:
    """Hands at a board of their own that speaks."""

    def __init__(self, language: str, rules: str, level: str = "turns", seed: int = 0) -> None:
        self.ears, self.listener = Ears(), SentenceListener(language)
        sensors = "pieces" if rules == "mitsudomoe" else "polarity"
        self.board = HeadlessBoard(Blueprint.of(rules=rules, sensors=sensors, seed=seed), self.ears)
        self._remembered: dict[str, list[str]] = {}
        """The pieces that hands have taken from each point, the last one last."""
        self._went: dict[str, str] = {}
        """The points to which the pieces of others were moved."""
        self.do({"do": "set", "speech": level, "language": language})

    # ---- hands -----------------------------------------------------------------------------------------

    def do(self, command: dict[str, Any]) -> None:
        self.board.obey(json.dumps(command))

    def lift(self, point: str) -> str | None:
        """Lift the top piece of a point, and return what the hand feels; None if nothing is there."""
        try:
            self.do({"lift": point})
        except HandsError:
            return None
        kind = self.board.life.play.hands.held[-1]
        self._remembered.setdefault(point, []).append(kind)
        return kind

    def put(self, point: str, kind: str) -> bool:
        """Put a piece of the box on a point; return False if there is no room, or none left."""
        try:
            self.do({"put": point, "piece": kind})
        except HandsError:
            return False
        return True

    def move(self, origin: str, target: str) -> bool:
        """Move the top piece from one point to another."""
        kind = self.lift(origin)
        if kind is None:
            return False
        self.wait(0.3)
        if self.put(target, kind):
            self._went[origin] = target
            return True
        self.do({"box": True})
        return False

    def box(self, point: str) -> bool:
        """Take the top piece off the board."""
        if self.lift(point) is None:
            return False
        self.do({"box": True})
        return True

    def wait(self, seconds: float) -> None:
        self.do({"wait": seconds})

    def hear(self) -> list[Understood]:
        """Return the sentences since the last call, as they were understood."""
        texts, self.ears.texts[:] = list(self.ears.texts), []
        return [heard for text in texts for heard in self.listener.understand(text)]

    # ---- following -------------------------------------------------------------------------------------

    @property
    def matches(self) -> bool:
        """True if the board is as the game has it; only the test knows."""
        session = self.board.life.play.controller.session
        calm = not session.suspended and not session.must_clear and not self.board.life.play.hands.held
        return calm and is_settled(session) and session.stable == session.expected_frame()

    def follow_until_it_matches(self, rounds: int = 12) -> list[str]:
        """Do what the board says until it matches; return all of its sentences."""
        said: list[str] = []
        for _ in range(rounds):
            self.wait(_REST_S)
            said += self.ears.texts
            if self.matches:
                return said
            last = self.ears.texts[-1:]
            self.ears.texts.clear()
            if not last:
                self.do({"do": "tell", "what": "turn"})
                last = self.ears.texts[-1:]
                self.ears.texts.clear()
            self.follow(self.listener.understand(" ".join(last)))
        return [*said, "BUT IT DOES NOT MATCH"]

    def follow(self, heard: Iterable[Understood]) -> None:
        """Do what the sentences ask for."""
        heard = list(heard)
        for one in heard:
            self._obey(one)
            self.wait(0.2)

    def _obey(self, one: Understood) -> None:
        key = one.key
        first = key.split(".", maxsplit=1)[0]
        if key.startswith("repair.put-back.") and key != "repair.put-back.stack":
            for point in one.points():
                self.put(point, key.split(".")[2])
        elif key in ("repair.put-back.stack", "lay-out.stack", "repair.belongs"):
            for point in one.points():
                if key == "repair.belongs":
                    self._clear(point)
                self._pile(point, one.slots["piece"])
        elif key in _TO_CLEAR:
            for point in one.points():
                self._clear(point)
        elif key == "repair.take-off":
            for point in one.points():
                self.box(point)
        elif key == "repair.change-colour":
            for point in one.points():
                kind = self.lift(point)
                self.do({"box": True})
                self.put(point, "black" if kind == "white" else "white")
        elif key in _TO_RETURN:
            self.move(one.points()[0], one.slots["origin"])
        elif key in ("wrong.return-reach", "wrong.return-other"):
            origin = one.slots["origin"]
            self.move(self._went.get(origin, origin), origin)
        elif key in ("wrong.put-back-take", "wrong.put-back") or first in _OF_HELD:
            for point in one.points():
                self._give_back(point)
        elif key.startswith(("speech.removes", "speech.may-remove")):
            self.box(one.points("others")[0])
        elif key.startswith("undecided"):
            point = one.points()[0]
            kind = self.lift(point)
            self.wait(0.5)
            if kind is not None:
                self.put(point, kind)
        elif key == "clear-first" or first == "over":
            self.do({"sweep": True})
        elif key == "speech.asking":
            self.wait(61)

    def _clear(self, point: str) -> None:
        while self.box(point):
            self.wait(0.1)

    def _pile(self, point: str, pile: str) -> None:
        for kind in self.listener.kinds(pile):
            self.put(point, kind)
            self.wait(0.1)

    def _give_back(self, point: str) -> None:
        """Put back what was taken from a point, wherever it is now."""
        kinds = self._remembered.get(point)
        if kinds:
            self.put(point, kinds.pop())
