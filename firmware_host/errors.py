"""Every error that Millwright raises on purpose, in one place.

Each has a builtin as its second base, so that code which knows nothing of Millwright can still
catch it. Text that cannot be read is told apart from a step that cannot be played: the first is a
mistake in writing, the second a mistake in playing.

What a page may come to show is raised as what is said in no language, so that each page can say it in its
own; its text is that in English, and no second copy of the sentence. What fails of sensors, strip or stored
games always is. What only a program can get wrong is all the same to who looks at a page.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.i18n import Message, to_english

NOT_UNDERSTOOD = Message("refused.not-understood")
"""Of a request that is written wrongly: what is wrong with it is for who wrote the program that sent it."""


class MillwrightError(Exception):
    """Base of all errors raised on purpose; its text says what, where and what to do."""

    said: Message | None = None
    """The same in no language, where a page may have to say it in its own."""

    def __init__(self, what: str | Message = "", said: Message | None = None) -> None:
        """`what` is the text, or what is `said`, in English then."""
        super().__init__(to_english(what) if isinstance(what, Message) else what)
        if isinstance(what, Message):
            self.said = what
        elif said is not None:
            self.said = said


class _SaidError(MillwrightError):
    """What always says itself in no language, since pages show it as it comes."""

    said: Message

    def __init__(self, said: Message) -> None:
        super().__init__(said)


class NotationError(MillwrightError, ValueError):
    """A text that cannot be read as a step, turn, position, record or rule set."""


class IllegalStepError(MillwrightError, ValueError):
    """A step that is well written but that the rules do not allow now."""


class ConfigError(MillwrightError, ValueError):
    """Settings that cannot be used; the text has one line for each fault."""


class RequestError(MillwrightError, ValueError):
    """Something asked of the board that cannot be done now, or not at all."""

    said = NOT_UNDERSTOOD


class HandsError(MillwrightError, ValueError):
    """Something asked of the simulated hands that hands cannot do."""

    said = NOT_UNDERSTOOD


class SensorError(_SaidError, OSError):
    """The sensors cannot be read."""


class StripError(_SaidError, OSError):
    """The LED strip cannot be written."""


class StoreError(_SaidError, OSError):
    """The games cannot be read from the disk, or not be written to it."""


class DamagedStoreError(StoreError):
    """What lies on the disk is not what was written there."""


class NoGameError(StoreError):
    """A game that is not stored."""


class PageError(MillwrightError, OSError):
    """The page cannot be served where it was asked for, or what is there is no page of a board."""


class NoBoardError(PageError):
    """Nobody is there where a board was asked."""


def reason_of(error: BaseException) -> Message | str:
    """What is wrong, in no language where it is ours; what others wrote stays as it is."""
    return getattr(error, "said", None) or str(error)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown `word`: the known one most like it, else all of them."""
    from difflib import get_close_matches  # only where something is wrong, since it is slow to import

    names = sorted(known)
    close = get_close_matches(word[:40].lower(), names, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else f"known are {', '.join(names)}"
