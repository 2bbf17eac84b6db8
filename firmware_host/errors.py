"""Every error that Millwright raises on purpose, in one place.

Each has a builtin as its second base, so that code which knows nothing of Millwright can still
catch it. Text that cannot be read is told apart from a step that cannot be played: the first is a
mistake in writing, the second a mistake in playing.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.said import Said


class MillwrightError(Exception):
    """Base of all errors raised on purpose; its text says what, where and what to do."""

    said: Said | None = None
    """The same in no language, where a page may have to say it in its own."""


class NotationError(MillwrightError, ValueError):
    """A text that cannot be read as a step, turn, position, record or rule set."""


class IllegalStepError(MillwrightError, ValueError):
    """A step that is well written but that the rules do not allow now."""


class ConfigError(MillwrightError, ValueError):
    """Settings that cannot be used; the text has one line for each fault."""


class RequestError(MillwrightError, ValueError):
    """Something asked of the board that cannot be done now, or not at all."""

    def __init__(self, text: str, said: Said | None = None) -> None:
        super().__init__(text)
        self.said = said


class HandsError(MillwrightError, ValueError):
    """Something asked of the simulated hands that hands cannot do."""

    def __init__(self, text: str, said: Said | None = None) -> None:
        super().__init__(text)
        self.said = said


class SensorError(MillwrightError, OSError):
    """The sensors cannot be read."""


class StripError(MillwrightError, OSError):
    """The LED strip cannot be written."""


class StoreError(MillwrightError, OSError):
    """The games cannot be read from the disk, or not be written to it."""


class DamagedStoreError(StoreError):
    """What lies on the disk is not what was written there."""


class PageError(MillwrightError, OSError):
    """The page cannot be served where it was asked for."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown `word`: the known one most like it, else all of them."""
    from difflib import get_close_matches  # only where something is wrong, since it is slow to import

    names = sorted(known)
    close = get_close_matches(word[:40].lower(), names, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else f"known are {', '.join(names)}"
