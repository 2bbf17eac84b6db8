"""The speech of one board: its level and language, the questions of people, and the latest utterances.

The sentences are made where all others are (`views/speech`), and spoken by a companion and by pages.

Invariants: each utterance has a number of its own, by which clients tell a new one from the last. Each
question is answered once, in their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from firmware_host.errors import RequestError
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import ENGLISH, Message
from firmware_host.play.part import PlayPart
from firmware_host.play.preferences import PreferenceValues
from firmware_host.play.sounds import SPEAKER, SoundTracker
from firmware_host.settings import (
    SPEECH_ALL,
    SPEECH_LEVELS,
    SPEECH_OFF,
    SPEECH_TURNS,
    Microseconds,
)

POINT, SAMPLE = "point", "sample"
QUESTIONS = ("turn", "last", "board", "counts", "clock", POINT)
"""The questions that a board answers by speech: who is to do what, and what the last turn was; what stands on
the board, how many pieces there are, the clocks, and what is at one point."""
LONG_TOUCH: Microseconds = 1_000_000
"""The time from which a touch of a lit point asks what is there, and doesn't choose it."""
PATIENCE = 5
"""The factor by which a menu that is spoken waits longer than one that is only lit."""
_RECENT = 3


@frozen
class SpokenQuestion:
    """A question that somebody has asked."""

    what: str
    """One of QUESTIONS, or SAMPLE for an example of the speech."""
    point: Point | None = None
    to: str | None = None
    """The client that alone gets the answer; None if the board speaks it."""


@frozen
class Utterance:
    """All that a board says at one moment."""

    number: int
    level: str
    """The lowest of SPEECH_LEVELS at which it is spoken."""
    reports: tuple[Message, ...]
    """The sentences about what has happened, which hold whatever follows."""
    prompts: tuple[Message, ...]
    """The sentences about what to do now, which hold until the next utterance."""
    is_aloud: bool
    """True if the board speaks it, if it has a speaker."""
    is_soft: bool
    to: str | None = None
    """The client that alone asked for it."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """All sentences, in the order in which they are spoken."""
        return (*self.reports, *self.prompts)


class SpeechTracker(PlayPart):
    """The speech of one board with these sounds."""

    def __init__(self, sounds: SoundTracker) -> None:
        self.sounds = sounds
        self.level = SPEECH_OFF
        self.language = ENGLISH
        self.recent: tuple[Utterance, ...] = ()
        """The last utterances, the newest one last."""
        self._questions: deque[SpokenQuestion] = deque()

    @property
    def is_on(self) -> bool:
        """True if the board speaks, or would with a speaker."""
        return self.level != SPEECH_OFF

    @property
    def can_be_chosen(self) -> bool:
        """True if the level can be chosen at the board: it speaks, or has a speaker."""
        return self.is_on or SPEAKER in self.sounds.parts

    @property
    def patience(self) -> int:
        """The factor by which menus wait longer than they would without speech."""
        return PATIENCE if self.is_on else 1

    def on_preferences(self, values: PreferenceValues, before: PreferenceValues | None) -> None:
        """Speak as people have chosen, with an example of it."""
        self.level, self.language = values.sound.speech, values.sound.language
        if before is not None and (self.level, self.language) != (before.sound.speech, before.sound.language):
            self.ask(SAMPLE)

    # ---- questions -------------------------------------------------------------------------------------

    def ask(
        self, what: str, layout: Layout | None = None, name: str | None = None, to: str | None = None
    ) -> None:
        """Have a question answered; raise RequestError if it lacks its point, or nothing would be heard."""
        point = None if layout is None or name is None else layout.by_name.get(name)
        if (what == POINT) is (point is None):
            raise RequestError(Message("refused.no-point", {"text": name or ""}))
        self._questions.append(SpokenQuestion(what, point, to))

    def explains(self, point: Point, lasted: Microseconds, *, is_option: bool) -> bool:
        """Return True if a touch of `point` asks what is there, which is then answered."""
        if not self.is_on or (is_option and lasted < LONG_TOUCH):
            return False
        self._questions.append(SpokenQuestion(POINT, point))
        return True

    @property
    def is_asked(self) -> bool:
        """True if a question waits for its answer."""
        return bool(self._questions)

    def take_questions(self) -> tuple[SpokenQuestion, ...]:
        """Return what was asked since the last call."""
        questions = tuple(self._questions)
        self._questions.clear()
        return questions

    # ---- utterances ------------------------------------------------------------------------------------

    def say(
        self,
        level: str,
        reports: Iterable[Message],
        prompts: Iterable[Message] = (),
        *,
        is_night: bool = False,
        to: str | None = None,
    ) -> Utterance:
        """Say sentences of a level, at night softly, and return them as an utterance."""
        own = SPEECH_TURNS if is_night and self.level == SPEECH_ALL else self.level
        is_aloud = to is None and SPEECH_LEVELS.index(level) <= SPEECH_LEVELS.index(own)
        number = self.recent[-1].number + 1 if self.recent else 1
        new = Utterance(number, level, tuple(reports), tuple(prompts), is_aloud, is_night, to)
        self.recent = (*self.recent, new)[-_RECENT:]
        return new
