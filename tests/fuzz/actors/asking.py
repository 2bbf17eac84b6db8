"""The board's questions, for hands that ask for nothing: they are closed, and taken out of its lines.

The judges know games only. An ask that hands open by chance is counted and closed at once, and so is the
question how a cleared game ended, for which a first move at the points of its answers would have to wait.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

Object = dict[str, Any]

CUES = {"ask", "asked", "sure", "white", "black"}
RESULT = "result"


class Asks:
    """The questions of one board."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self.closes = 0
        """The number of requests `ask` that close what is open: one for a menu, two for the question."""

    def take_out(self, said: list[Object]) -> list[Object]:
        """Return the lines without questions, their answers and their lights."""
        rest: list[Object] = []
        undone: list[Object] = []
        for one in said:
            rest += [] if one.get("event") == "over" else undone
            is_result, undone = bool(undone), []
            match one.get("event"):
                case "ask":
                    self.closes = 2 if one["question"] == RESULT else 1
                    self._counts[f"ask {one['question']}"] += 1
                case "answer":
                    self._counts[f"answer {one['does']}"] += 1
                case "ask-closed":
                    self.closes = 0
                case "end-undone":
                    undone = [one]
                case "over" if is_result:
                    pass
                case None if "state" in one and (self.closes or "asking" in one["state"]):
                    rest.append({**one, "state": _without_cues(one["state"])})
                case _:
                    rest.append(one)
        return rest + undone


def _without_cues(state: Object) -> Object:
    cues = {point: [cue for cue in cues if cue not in CUES] for point, cues in state["cues"].items()}
    lit = {point: those for point, those in cues.items() if those}
    leds = {point: led for point, led in state["leds"].items() if lit.get(point) == state["cues"].get(point)}
    return {key: value for key, value in state.items() if key != "asking"} | {"cues": lit, "leds": leds}
