"""Set-up and doctor on the terminal: prompts, a small drawing of the board, and the answers typed.

Invariants: the screen is only appended to. Typed lines are read in a thread of their own, so that neither the
board nor the end of the program waits for them. An invalid answer is reported and asked for again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue

from firmware_host.errors import MillwrightError, did_you_mean
from firmware_host.games.layout import Layout
from firmware_host.games.textboard import render
from firmware_host.i18n import to_english
from hardware.doctor.prompts import DONE, NOT_THERE, Operator, Question, StoppedError, Task
from hardware.setup.prompts import Answer, Prompt

Say = Callable[[str], object]
Submit = Callable[[str], Future[None]]
"""Hands an answer to the set-up; the future ends when it is accepted, or raises the reason if not."""

_KNOWN, _ASKED = "o", "@"


def screen(prompt: Prompt, layout: Layout) -> str:
    """Return the text that the terminal shows for `prompt`."""
    lines = [""]
    if prompt.point is not None:
        lines += [render(layout, {**dict.fromkeys(prompt.known, _KNOWN), prompt.point: _ASKED}), ""]
    progress = f"[{prompt.done}/{prompt.of}] " if prompt.done and prompt.of else ""
    lines.append(f"{progress}{to_english(prompt.sentence)}")
    lines += [f"  - {to_english(note)}" for note in prompt.notes]
    if prompt.answers:
        answers = (
            f"[{answer.key or 'Enter'}] {to_english(answer.label)}{_parts(answer)}"
            for answer in prompt.answers
        )
        between = "\n  " if any(answer.parts for answer in prompt.answers) else "   "
        lines.append(f"  {between.join(answers)}")
    return "\n".join(lines)


def _parts(answer: Answer) -> str:
    """Return the parts that the page draws beside an answer."""
    parts = ", ".join(f"{count} x {name}" for count, name in answer.parts)
    return f": {parts}" if parts else ""


class Terminal:
    """A terminal that shows prompts by `say`, and hands lines of `typed` to `submit`."""

    def __init__(self, layout: Layout, say: Say, typed: Iterable[str]) -> None:
        self._layout = layout
        self._say = say
        self._typed = typed
        self._shown: tuple[str, Sequence[str]] | None = None

    def show(self, prompt: Prompt) -> None:
        """Show `prompt`, unless it is the one shown last."""
        text = screen(prompt, self._layout)
        key = (text, prompt.known)
        if key != self._shown:
            self._shown = key
            self._say(text)

    def listen(self, submit: Submit) -> None:
        """Hand on typed lines from now on, as long as the program runs."""
        threading.Thread(target=self._read, args=(submit,), name="terminal", daemon=True).start()

    def _read(self, submit: Submit) -> None:
        for line in self._typed:
            try:
                submit(line).result()
            except MillwrightError as error:
                self._say(f"  {error}")


_STOPS = ("q", "quit")
_BREATH_S = 0.02


class TerminalOperator(Operator):
    """An operator who reads what `say` receives, and types lines."""

    def __init__(self, say: Say, typed: Iterable[str]) -> None:
        self._say = say
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        threading.Thread(target=self._read, args=(typed,), name="terminal", daemon=True).start()

    def do(self, task: Task) -> None:
        """Show the task."""
        self._say(str(task))

    def reply(self) -> str:
        """Return the answer typed since the last call, or an empty text."""
        try:
            word = self._word(self._lines.get_nowait())
        except Empty:
            return ""
        if word in ("", NOT_THERE):
            return word or DONE
        self._say(f"  Enter: done; {NOT_THERE}: the light is not there; q: stop here")
        return ""

    def answer(self, question: Question, while_waiting: Callable[[], object]) -> str:
        """Ask until there is an answer; its first letters suffice."""
        self._say(str(question))
        while True:
            word = self._word(self._next(while_waiting))
            meant = [answer for answer in question.answers if answer == word]
            meant = meant or [answer for answer in question.answers if word and answer.startswith(word)]
            if len(meant) == 1:
                return meant[0]
            self._say(f"  {word!r} isn't an answer here: {did_you_mean(word, question.answers)}")

    def _next(self, while_waiting: Callable[[], object]) -> str | None:
        while True:
            try:
                return self._lines.get(timeout=_BREATH_S)
            except Empty:
                while_waiting()

    def _word(self, line: str | None) -> str:
        word = _STOPS[0] if line is None else line.strip().lower()
        if word in _STOPS:
            raise StoppedError
        return word

    def _read(self, typed: Iterable[str]) -> None:
        for line in typed:
            self._lines.put(line)
        self._lines.put(None)
