"""A sentence before it is put into words: a key of the catalogue, and what fills its gaps.

Rules kept here: it has no words of any language but what an operating system, a library or the builder's own
file wrote, which is quoted; where a word changes with the colour or the number of what is spoken of, that is
part of the key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

Slot: TypeAlias = "str | int | tuple[str, ...] | Said"
"""A text that stays as it is, a count, a list of names of points, or a part that is said itself."""


@dataclass(frozen=True, slots=True)
class Said:
    """What is said: the `key` of its words, and what stands in their gaps, by the gap's name."""

    key: str
    slots: Mapping[str, Slot] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The public form: `{"key": "holds.white", "slots": {"points": ["d6"]}}`."""
        return {"key": self.key, "slots": {name: _public(slot) for name, slot in self.slots.items()}}

    def altered(self, alter: Callable[[str], str]) -> Said:
        """The same with what `alter` makes of each text in its gaps, and in those of its parts."""
        return replace(self, slots={name: _altered(slot, alter) for name, slot in self.slots.items()})


def _altered(slot: Slot, alter: Callable[[str], str]) -> Slot:
    if isinstance(slot, Said):
        return slot.altered(alter)
    return alter(slot) if isinstance(slot, str) else slot


def _public(slot: Slot) -> object:
    if isinstance(slot, Said):
        return slot.as_dict()
    return list(slot) if isinstance(slot, tuple) else slot
