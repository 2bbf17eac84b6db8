"""What is said, put into the words of a language; the catalogues are those of the pages.

Rules kept here: of a key that a catalogue lacks the English words are taken, and one that no catalogue has is
said as it is, since no missing word may stop a board; a catalogue is read when it is first needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from firmware_host.said import Said, Slot

ENGLISH = "en"
LANGUAGES = (ENGLISH, "es", "pt", "de")

_AND: Mapping[str, str] = {ENGLISH: "and", "es": "y", "pt": "e", "de": "und"}
_GAP = re.compile(r"\{([a-z]+)\}")


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """The words of each key in one of LANGUAGES, of all pages."""
    folder = files("firmware_host") / "web" / "static" / "words"
    own = sorted(part.name for part in folder.iterdir() if f".{part.name}".endswith(f".{language}.json"))
    return {key: text for name in own for key, text in json.loads((folder / name).read_text("utf-8")).items()}


def worded(said: Said, language: str) -> str:
    """The sentence in one of LANGUAGES."""
    words = catalogue(language).get(said.key) or catalogue(ENGLISH).get(said.key, said.key)
    slots = said.slots

    # In one pass: braces in what a driver wrote are no gaps.
    def filled(gap: re.Match[str]) -> str:
        return _filled(slots[gap[1]], language) if gap[1] in slots else gap[0]

    return _GAP.sub(filled, words)


def _filled(slot: Slot, language: str) -> str:
    if isinstance(slot, Said):
        return worded(slot, language)
    if isinstance(slot, tuple):
        return "".join(slot) if len(slot) < 2 else f"{', '.join(slot[:-1])} {_AND[language]} {slot[-1]}"
    return str(slot)
