"""The parts of a simulated board that the description of a fault can name.

Invariants: a part that the board lacks raises a HandsError that says what there is.
"""

from __future__ import annotations

from firmware_host.errors import HandsError, MillwrightError, did_you_mean
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message

NO_FAULT = Message("refused.no-fault")
"""The message on the page for every fault that can't occur."""


class ShapeError(MillwrightError):
    """A description that has none of the forms."""


@frozen
class BreakableBoard:
    """The parts of a board that a fault can name.

    Only multiplexers have select and signal lines, and only a diode matrix has rows and columns.
    """

    layout: Layout
    chips: int = 0
    select: int = 0
    signals: int = 0
    rows: int = 0
    columns: int = 0
    has_button: bool = False
    has_buzzer: bool = False

    def point(self, name: object) -> Point:
        """Return the point of this name; raises HandsError if there is none."""
        if not isinstance(name, str):
            raise ShapeError
        if name not in self.layout.by_name:
            text = f"there is no point {name}: {did_you_mean(name, self.layout.by_name)}"
            raise HandsError(text, Message("refused.no-point", {"text": name}))
        return self.layout[name]

    def chip(self, number: object) -> int:
        """Return the number of a chip; raises HandsError if there is none."""
        return _numbered(number, self.chips, "mux")

    def signal(self, number: object) -> int:
        """Return the number of a signal line; raises HandsError if there is none."""
        return _numbered(number, self.signals, "signal line")

    def line(self, number: object) -> int:
        """Return the number of a select line; raises HandsError if there is none."""
        return _numbered(number, self.select, "select line")

    def row(self, number: object) -> int:
        """Return the number of a row; raises HandsError if there is none."""
        return _numbered(number, self.rows, "row")

    def column(self, number: object) -> int:
        """Return the number of a column; raises HandsError if there is none."""
        return _numbered(number, self.columns, "column")


def _numbered(number: object, count: int, part: str) -> int:
    if not isinstance(number, int) or isinstance(number, bool):
        raise ShapeError
    if not 0 <= number < count:
        has = f"0 to {count - 1}" if count else "none"
        raise HandsError(f"there is no {part} {number}: the board has {has}", NO_FAULT)
    return number


def bounded(amount: float, unit: str, most: float) -> float:
    """Return an amount of 0 to `most`; raise HandsError if it is another."""
    if not 0 <= amount <= most:
        raise HandsError(f'"{unit}" must be a number from 0 to {most:g}', NO_FAULT)
    return float(amount)  # only now: a whole number may be too large for a float


def known(kind: str, kinds: list[str], part: str) -> str:
    """Return `kind`; raise HandsError if it is none of the `kinds` of faults that a part can have."""
    if kind not in kinds:
        raise HandsError(f"{kind} is not a fault of {part}: {did_you_mean(kind, kinds)}", NO_FAULT)
    return kind
