"""The doctor's questions on the terminal: what is to be done or looked at, and the answers that are typed.

Rules kept here: what is typed is read in a thread of its own, a line at a time, so that the board is looked
at meanwhile; an answer that is none is said so, and asked for again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue

from firmware_host.errors import did_you_mean
from hardware.doctor.prompts import DONE, NOT_THERE, Clear, Maker, Place, Question, StoppedError

Say = Callable[[str], object]

_STOPS = ("q", "quit")
_BREATH_S = 0.02


class TerminalMaker(Maker):
    """One who reads what is said by `say`, and types lines."""

    def __init__(self, say: Say, typed: Iterable[str]) -> None:
        self._say = say
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        threading.Thread(target=self._read, args=(typed,), name="terminal", daemon=True).start()

    def do(self, task: Clear | Place) -> None:
        """Say what is to be done."""
        self._say(str(task))

    def reply(self) -> str:
        """What was typed since the last call."""
        try:
            word = self._word(self._lines.get_nowait())
        except Empty:
            return ""
        if word in ("", NOT_THERE):
            return word or DONE
        self._say(f"  Enter: done; {NOT_THERE}: the light is not there; q: stop here")
        return ""

    def answer(self, question: Question, meanwhile: Callable[[], object]) -> str:
        """Ask until there is an answer; the beginning of one is enough."""
        self._say(str(question))
        while True:
            word = self._word(self._next(meanwhile))
            meant = [answer for answer in question.answers if answer == word]
            meant = meant or [answer for answer in question.answers if word and answer.startswith(word)]
            if len(meant) == 1:
                return meant[0]
            self._say(f"  {word!r} is no answer: {did_you_mean(word, question.answers)}")

    def _next(self, meanwhile: Callable[[], object]) -> str | None:
        while True:
            try:
                return self._lines.get(timeout=_BREATH_S)
            except Empty:
                meanwhile()

    def _word(self, line: str | None) -> str:
        word = _STOPS[0] if line is None else line.strip().lower()
        if word in _STOPS:
            raise StoppedError
        return word

    def _read(self, typed: Iterable[str]) -> None:
        for line in typed:
            self._lines.put(line)
        self._lines.put(None)
