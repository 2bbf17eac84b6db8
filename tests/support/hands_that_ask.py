"""A headless board, and hands that knock, hold pieces up and touch points."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from firmware_host.errors import MillwrightError
from sim.assembly import Blueprint
from sim.headless import HeadlessBoard

Said = list[dict[str, Any]]


class AskingHands:
    """Hands at a board of their own; each method returns the lines that it is answered with."""

    def __init__(self, rules: str = "standard", sensors: str = "presence", **options: Any) -> None:
        self._out = io.StringIO()
        pieces = "pieces" if rules == "mitsudomoe" else sensors
        self.board = HeadlessBoard(Blueprint.of(rules=rules, sensors=pieces, **options), self._out)
        self._piece = "white-ring" if rules == "mitsudomoe" else "white"
        self.greeting = self._said()

    def do(self, **command: Any) -> Said:
        """Send one line."""
        self.board.obey(json.dumps(command))
        return self._said()

    def wait(self, seconds: float) -> Said:
        return self.do(wait=seconds)

    def ask(self, name: str, **members: Any) -> Said:
        """Send a request."""
        return self.do(do=name, **members)

    def refusal(self, name: str, **members: Any) -> str:
        """Send a request that is refused, and return why; nothing if it isn't."""
        try:
            self.ask(name, **members)
        except MillwrightError as error:
            self._said()
            return str(error)
        return ""

    @property
    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.do(show=True)[-1]["state"]
        return state

    @property
    def asking(self) -> dict[str, Any] | None:
        """The question of the state."""
        return self.state.get("asking")

    def place(self, text: str, wait: float = 1.5) -> Said:
        """Place pieces at these points, by turns, from the box."""
        said = []
        for point in text.split():
            said += self.do(put=point, piece=self.state["to_move"])
            said += self.wait(wait)
        return said

    def visit(self, point: str, down: float = 0.2, up: float = 0.0) -> Said:
        """Set a piece down where nothing stands, and take it off again."""
        kinds = {} if self.state["held"] else {"piece": self._piece}
        said = self.do(put=point, **kinds) + self.wait(down)
        return said + self.do(lift=point) + self.wait(up)

    def knock(self, point: str, down: float = 0.15, up: float = 0.15) -> Said:
        """Knock three times, and wait until that is complete."""
        said = []
        for gap in (up, up, 0.8):
            said += self.visit(point, down, gap)
        return said

    def touch(self, point: str, lasts: float = 0.5) -> Said:
        """Touch a point, whether a piece stands there or not, and wait until that is seen."""
        if point in self.standing:
            said = self.do(lift=point) + self.wait(lasts) + self.do(put=point)
        else:
            said = self.visit(point, lasts)
        return said + self.wait(0.15)

    def hold_up(self, one: str, other: str) -> Said:
        """Lift two pieces, hold them up, and put them back once the board has seen it."""
        said = self.do(lift=one) + self.wait(0.4) + self.do(lift=other) + self.wait(2.1)
        return said + self.do(put=other) + self.do(put=one) + self.wait(0.1)

    @property
    def standing(self) -> set[str]:
        """The points on which pieces stand."""
        life = self.board.life
        table = life.play.electronics.table
        points = (table.point_of(piece, life.now) for piece in table.wood)
        return {point.name for point in points if point is not None}

    def close(self) -> None:
        self.board.close()

    def _said(self) -> Said:
        lines = self._out.getvalue().splitlines()
        self._out.seek(0)
        self._out.truncate()
        return [json.loads(line) for line in lines]


def named(said: Said, *names: str) -> list[str]:
    """Return the names of the events, of these or of all, each with its text or point or question."""
    found = []
    for one in said:
        name = one.get("event")
        if name and (not names or name in names):
            what = one.get("question") or one.get("does") or one.get("text") or one.get("reason")
            found.append(f"{name} {what}" if what else name)
    return found


def board_with_store(folder: Path, **options: Any) -> AskingHands:
    """Return hands at a board that saves its games."""
    return AskingHands(store=folder / "games.db", **options)
