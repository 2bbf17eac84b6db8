"""Set-up on the terminal: what is asked, with a small drawing of the board, and the answers that are typed.

Rules kept here: the screen is only added to; what is typed is read in a thread of its own, a line at a time,
so that neither the board nor the end of the program waits for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from itertools import pairwise

from firmware_host.english import english
from firmware_host.errors import MillwrightError
from firmware_host.games.layout import Layout
from hardware.setup.prompts import Prompt

Say = Callable[[str], object]
Submit = Callable[[str], Future[None]]
"""Has an answer taken in by the set-up; the future ends when it is, or raises why it is none."""

_WIDTH = 4

_UNKNOWN, _KNOWN, _ASKED = "+", "o", "@"


def screen(prompt: Prompt, layout: Layout) -> str:
    """What the terminal shows of `prompt`."""
    lines = [""]
    if prompt.point is not None:
        lines += [*drawing(layout, {**dict.fromkeys(prompt.known, _KNOWN), prompt.point: _ASKED}), ""]
    progress = f"[{prompt.done}/{prompt.of}] " if prompt.done and prompt.of else ""
    lines.append(f"{progress}{english(prompt.sentence)}")
    lines += [f"  - {english(note)}" for note in prompt.notes]
    if prompt.answers:
        answers = (f"[{answer.key or 'Enter'}] {english(answer.label)}" for answer in prompt.answers)
        lines.append(f"  {'   '.join(answers)}")
    return "\n".join(lines)


def drawing(layout: Layout, marks: Mapping[str, str]) -> list[str]:
    """The board in letters, with a mark on some points: `@` where something is asked, `o` what is known."""
    right, top = max(point.x for point in layout.points), max(point.y for point in layout.points)
    rows = [[" "] * (right * _WIDTH + 1) for _ in range(top + 1)]
    for line in layout.lines:
        for a, b in pairwise(line):
            if a.y == b.y:
                for column in range(min(a.x, b.x) * _WIDTH + 1, max(a.x, b.x) * _WIDTH):
                    rows[a.y][column] = "-"
            elif a.x == b.x:
                for row in range(min(a.y, b.y) + 1, max(a.y, b.y)):
                    rows[row][a.x * _WIDTH] = "|"
    for point in layout.points:
        rows[point.y][point.x * _WIDTH] = marks.get(point.name, _UNKNOWN)
    names = _names(right)
    return [*(f"  {y + 1}  {''.join(rows[y])}".rstrip() for y in range(top, -1, -1)), f"     {names}"]


def _names(right: int) -> str:
    return (" " * (_WIDTH - 1)).join(chr(ord("a") + x) for x in range(right + 1))


class Terminal:
    """A terminal that shows prompts by `say`, and hands lines of `typed` to `submit`."""

    def __init__(self, layout: Layout, say: Say, typed: Iterable[str]) -> None:
        self._layout = layout
        self._say = say
        self._typed = typed
        self._shown: tuple[str, Sequence[str]] | None = None

    def show(self, prompt: Prompt) -> None:
        """Show `prompt`, unless it says what was said last."""
        said = screen(prompt, self._layout)
        key = (said, prompt.known)
        if key != self._shown:
            self._shown = key
            self._say(said)

    def listen(self, submit: Submit) -> None:
        """Hand on what is typed from now on, as long as the program runs."""
        threading.Thread(target=self._read, args=(submit,), name="terminal", daemon=True).start()

    def _read(self, submit: Submit) -> None:
        for line in self._typed:
            try:
                submit(line).result()
            except MillwrightError as error:
                self._say(f"  {error}")
