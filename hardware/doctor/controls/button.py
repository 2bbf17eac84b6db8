"""The check of the button: it is up at rest, and its line follows a press.

Invariants: only the evidence decides. A press that nobody was asked for is reported as skipped.
"""

from __future__ import annotations

from itertools import pairwise

from firmware_host.frozen import frozen
from firmware_host.i18n import Message
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
        found = (
            Message("doctor.button.always", {"line": where})
            if all(readings.rest)
            else Message("doctor.button.at-times", {"line": where})
        )
        return fault("button", found, Message("doctor.button.low.fix", {"line": where}))
    if readings.pressed is None:
        return skipped("button", Message("doctor.button.unasked"))
    if not any(readings.pressed):
        return fault(
            "button",
            Message("doctor.button.high", {"line": where}),
            Message("doctor.button.high.fix", {"line": where}),
        )
    changes = sum(one != other for one, other in pairwise(readings.pressed))
    if changes > _MAX_CHANGES:
        return warning(
            "button",
            Message("doctor.button.bounces", {"count": changes}),
            Message("doctor.button.bounces.fix"),
        )
    return passed("button", Message("doctor.button.good", {"line": where}))
