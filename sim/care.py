"""The companion of a simulated board that switches its machine off, and its fault.

Invariants: it works unless it is broken, and then nothing is switched off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_host.errors import HandsError
from firmware_host.i18n import Message

_DEAD = {"care": "dead"}


def is_of_care(described: object) -> bool:
    """Return True if a fault or a repair is one of the companion."""
    return isinstance(described, Mapping) and "care" in described


class BreakableCare:
    """A companion that can be broken."""

    def __init__(self) -> None:
        self.is_dead = False
        """True while nothing switches the machine off."""

    @property
    def faults(self) -> tuple[Mapping[str, Any], ...]:
        """Its fault, as it was described."""
        return (_DEAD,) if self.is_dead else ()

    def inject(self, described: Mapping[str, Any]) -> None:
        """Break it; raises HandsError if that is described wrongly."""
        _check(described)
        self.is_dead = True

    def repair(self, described: Mapping[str, Any] | None = None) -> None:
        """End the fault; raises HandsError if it is described, and there is none."""
        if described is not None:
            _check(described)
            if not self.is_dead:
                raise HandsError(f"{dict(described)} is not broken", Message("refused.not-broken"))
        self.is_dead = False


def _check(described: Mapping[str, Any]) -> None:
    if described != _DEAD:
        raise HandsError(
            f'{dict(described)} is not a fault of the companion: use {{"care": "dead"}}',
            Message("refused.no-fault"),
        )
