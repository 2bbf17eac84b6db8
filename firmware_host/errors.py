"""Every error that Millwright raises on purpose, in one place.

Each has a builtin as its second base, so that code without knowledge of Millwright can catch it. A text that
cannot be read (a mistake in writing) is distinguished from a step that cannot be played (a mistake in play).

An error that a page may show carries a `Message` in no language, so that each page can translate it; the text
of the error is its English translation. Errors of sensors, strip and stored games always carry one. Errors
that only a program can cause share a general message.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.i18n import Message, to_english

NOT_UNDERSTOOD = Message("refused.not-understood")
"""The message for a malformed request; the details are for the author of the program that sent it."""


class MillwrightError(Exception):
    """Base of all errors raised on purpose; its text says where, what failed and what to do."""

    message: Message | None = None
    """The same in no language, for a page to translate; None if pages do not show it."""

    def __init__(self, what: str | Message = "", message: Message | None = None) -> None:
        """Take the text as `what`, or a message, whose English translation becomes the text."""
        super().__init__(to_english(what) if isinstance(what, Message) else what)
        if isinstance(what, Message):
            self.message = what
        elif message is not None:
            self.message = message


class _MessageError(MillwrightError):
    """Base of errors that always carry a message, since pages show them as they are."""

    message: Message

    def __init__(self, message: Message) -> None:
        super().__init__(message)


class NotationError(MillwrightError, ValueError):
    """A text that cannot be read as a step, turn, position, record or rule set."""


class IllegalStepError(MillwrightError, ValueError):
    """A well-formed step that the rules do not allow now."""


class ConfigError(MillwrightError, ValueError):
    """Unusable settings; the text has one line for each fault."""


class RequestError(MillwrightError, ValueError):
    """A request to the board that cannot be done now, or not at all."""

    message = NOT_UNDERSTOOD


class FarError(MillwrightError, ValueError):
    """A message of another board that cannot be read, or something that can't be done in a far game now."""

    message = NOT_UNDERSTOOD


class LinkError(MillwrightError, OSError):
    """The program that links boards can't use its network, or its files."""


class UnreadableStateError(MillwrightError, ValueError):
    """A state that was not saved, because the program could not have read it again."""


class HandsError(MillwrightError, ValueError):
    """A request to the simulated hands that they cannot do."""

    message = NOT_UNDERSTOOD


class SensorError(_MessageError, OSError):
    """The sensors cannot be read."""


class StripError(_MessageError, OSError):
    """The LED strip cannot be written."""


class SoundError(_MessageError, OSError):
    """The buzzer can't be driven, or there is nothing to play sounds with."""


class StoreError(_MessageError, OSError):
    """The games cannot be read from the disk or written to it."""


class StoreInUseError(StoreError):
    """Another program plays in the file of games."""


class DamagedStoreError(StoreError):
    """The data on the disk are not those that were written."""


class TableError(MillwrightError, OSError):
    """A table of solved positions that is damaged, or that cannot be built or written."""


class NoGameError(StoreError):
    """The game is not stored."""


class ExternalEngineError(MillwrightError, RuntimeError):
    """Another program that plays has ended, hung, flooded, or chosen an illegal turn."""


class PageError(MillwrightError, OSError):
    """The page cannot be served at its address, or the server there is not a board's page."""


class NoBoardError(PageError):
    """No board answers at this address."""


def reason_of(error: BaseException) -> Message | str:
    """Return the message of one of these errors, and the text of any other."""
    return (error.message if isinstance(error, MillwrightError) else None) or str(error)


def faulty_line(error: UnicodeDecodeError) -> int:
    """Return the number of the first line that could not be decoded, from 1."""
    return error.object.count(b"\n", 0, error.start) + 1


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a sentence about an unknown `word`: the closest known one, or all of them."""
    from difflib import get_close_matches  # slow to import, and only needed for errors

    names = sorted(known)
    close = get_close_matches(word[:40].lower(), names, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else f"known are {', '.join(names)}"
