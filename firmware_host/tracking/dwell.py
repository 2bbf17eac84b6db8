"""The dwell: how long each kind of explanation must hold before it counts.

| what                                                   | waits                                       |
| ------------------------------------------------------ | ------------------------------------------- |
| a landing that ends its step                           | `landing_ms` after it                       |
| a landing from which the piece could slide on          | `sliding_landing_ms` after it               |
| a removal                                              | `removal_ms` after it                       |
| a revision, an unlikely turn, a piece that may be back | `put_back_ms` after the last lift or change |
| several explanations that end differently              | half of `mismatch_ms` after the last change |
| an older position                                      | `take_back_rest_ms` after the last change   |

Invariants: a step counts at the earliest `landing_ms` after all likely explanations agreed on it, and never
before the steps in front of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.games.game import Step
from firmware_host.settings import Microseconds, Timing
from firmware_host.tracking.observation import Observation


class Dwell:
    """The waits of `Timing` in microseconds, and since when steps have been agreed on."""

    def __init__(self, timing: Timing) -> None:
        """Take the waits from `timing`."""
        self.landing = timing.landing_ms * 1000
        self.sliding = timing.sliding_landing_ms * 1000
        self.removal = timing.removal_ms * 1000
        self.put_back = timing.put_back_ms * 1000
        self.illegal = timing.illegal_landing_ms * 1000
        self.mismatch = timing.mismatch_ms * 1000
        self.undecided = self.mismatch // 2
        self.rest = timing.take_back_rest_ms * 1000
        self.unannounced = self.rest // 3
        """An older position is announced by light for the last two thirds of its wait."""
        self.redo = 2 * self.put_back
        """A turn that was taken back may be put back piece by piece, with so much time in between."""
        self._before: list[tuple[str, Microseconds]] = []
        self._agreed: list[tuple[str, Microseconds]] = []

    def begin(self) -> None:
        """Begin another look at the board: only what it agrees on again keeps its time."""
        self._before, self._agreed = self._agreed, []

    def forget(self) -> None:
        """Start again without steps that were agreed on."""
        self._agreed = []

    def dues(
        self,
        steps: Iterable[tuple[Step, bool]],
        seen: Observation,
        earliest: Microseconds,
        now: Microseconds,
    ) -> list[Microseconds]:
        """Return when each step counts; each comes with whether its piece could slide on."""
        dues = []
        due = earliest
        for step, slides in self._since(list(steps), now):
            since, could_slide = slides
            point = step.target or step.origin
            if point is not None:
                wait = self.removal if step.target is None else self.sliding if could_slide else self.landing
                due = max(due, since + self.landing, seen.changed[point.index] + wait)
            dues.append(due)
        return dues

    def _since(
        self, steps: list[tuple[Step, bool]], now: Microseconds
    ) -> list[tuple[Step, tuple[Microseconds, bool]]]:
        """Return since when each step has been agreed on, without a break."""
        known = self._before
        kept: list[tuple[str, Microseconds]] = []
        for at, (step, _) in enumerate(steps):
            same = at == len(kept) and at < len(known) and known[at][0] == step.text
            still = same and all(known[before][0] == kept[before][0] for before in range(at))
            kept.append((step.text, known[at][1] if still else now))
        self._agreed = kept
        return [(step, (since, slides)) for (step, slides), (_, since) in zip(steps, kept, strict=True)]
