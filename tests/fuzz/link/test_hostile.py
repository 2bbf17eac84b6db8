"""A few thousand hostile messages; `python -m tests.fuzz.link.hostile` throws many."""

from __future__ import annotations

from tests.fuzz.link.hostile import attack


def test_hostile_messages_raise_nothing() -> None:
    ignored, _ = attack(3_000, 7)
    assert ignored > 500
