"""What is said, in English, for a terminal, a journal and simple clients; pages put it into words themselves.

Rules kept here: the words are those of the pages' catalogues; a key that it lacks is said as it is, since no
missing word may stop a board.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from firmware_host.errors import RequestError
from firmware_host.said import Said, Slot

_GAP = re.compile(r"\{([a-z]+)\}")


@cache
def catalogue() -> Mapping[str, str]:
    """The English words of each key, of all pages, read once."""
    folder = files("firmware_host") / "web" / "static" / "words"
    catalogues = (json.loads((folder / name).read_text("utf-8")) for name in ("en.json", "setup.en.json"))
    return {key: text for words in catalogues for key, text in words.items()}


def english(said: Said) -> str:
    """The sentence in English."""
    words = catalogue().get(said.key, said.key)
    # In one pass: braces in what a driver wrote are no gaps.
    return _GAP.sub(lambda gap: _filled(said.slots[gap[1]]) if gap[1] in said.slots else gap[0], words)


def refusal(said: Said) -> RequestError:
    """The error that says, in English and in no language, why something asked for cannot be done."""
    return RequestError(english(said), said)


def _filled(slot: Slot) -> str:
    if isinstance(slot, Said):
        return english(slot)
    if isinstance(slot, tuple):
        return slot[0] if len(slot) == 1 else f"{', '.join(slot[:-1])} and {slot[-1]}"
    return str(slot)
