"""What is said, in English: for a terminal, a journal and simple clients. A page has words of its own."""

from __future__ import annotations

from firmware_host.said import Said
from firmware_host.words import ENGLISH, worded


def english(said: Said | str) -> str:
    """The sentence in English; what is a text already stays as it is."""
    return said if isinstance(said, str) else worded(said, ENGLISH)
