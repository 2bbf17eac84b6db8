"""What is broken, as a terminal reads it."""

from collections.abc import Mapping

from firmware_host.english import english
from firmware_host.said import Said


def told(faults: Mapping[str, Said]) -> dict[str, str]:
    """Each part that does not work, with what is wrong with it in English."""
    return {part: english(what) for part, what in faults.items()}
