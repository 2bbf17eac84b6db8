"""The check of the button: it is up at rest, and its line follows a press.

Invariants: only the evidence decides. A press that nobody was asked for is reported as skipped.
"""

from __future__ import annotations

from itertools import pairwise

from firmware_host.frozen import frozen
from firmware_host.settings import Controls
from hardware.doctor.findings import Finding, fault, passed, skipped, warning
from hardware.doctor.part_names import line

_MAX_CHANGES = 12
"""Changes between frames in one press; a good contact makes two, and bounces between frames."""


@frozen
class ButtonReadings:
    """The readings of a button, frame by frame, True while it is down: at rest, and when asked to press."""

    rest: tuple[bool, ...]
    pressed: tuple[bool, ...] | None = None
    """None if nobody was asked."""


def check_button(readings: ButtonReadings, controls: Controls) -> Finding:
    """Return the finding on a button."""
    where = line(controls.button)
    if any(readings.rest):
        held = "always" if all(readings.rest) else "at times"
        fix = f"check that it comes up, and that the wire of {where} touches neither GND nor another wire"
        return fault("button", f"{where} is {held} low, though nobody presses the button", fix)
    if readings.pressed is None:
        return skipped("button", "it takes hands at the board: `millwright doctor --walk`")
    if not any(readings.pressed):
        fix = f"check its wires, from {where} and from GND, and that it closes while pressed"
        return fault("button", f"{where} stayed high while the button was pressed", fix)
    changes = sum(one != other for one, other in pairwise(readings.pressed))
    if changes > _MAX_CHANGES:
        fix = "if presses are missed or doubled, replace it"
        return warning("button", f"its contact bounced over several frames: {changes} changes", fix)
    return passed("button", f"{where} follows it")
