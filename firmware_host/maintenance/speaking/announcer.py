"""The announcer: speaks what a board says, one sentence after the other, in a thread of its own.

**Invariants:** a sentence waits for the sound that plays, and a sound interrupts it, after which it begins
again. A newer utterance replaces prompts that have not been spoken to their end; reports are always spoken.
Utterances
from before this program began, and those for one page alone, are not spoken.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from firmware_host.errors import SoundError
from firmware_host.frozen import frozen
from firmware_host.maintenance.speaker import Playing, Speaker
from firmware_host.maintenance.speaking.voice import Voices, softened

_LOG = logging.getLogger(__name__)


@frozen
class SpokenSentence:
    """A sentence that is to be spoken."""

    text: str
    language: str
    is_prompt: bool
    """True if it holds only until the next utterance."""
    is_soft: bool


class SpeechQueue:
    """The sentences that are still to be spoken, the next one first."""

    def __init__(self) -> None:
        self._number: int | None = None
        self.waiting: deque[SpokenSentence] = deque()

    def take(self, state: Mapping[str, Any]) -> bool:
        """Take in a state of the board; return True if something new is to be spoken."""
        utterances = state.get("speech") or []
        before, self._number = self._number, utterances[-1]["number"] if utterances else 0
        if before is None:
            return False
        # A board that was started again counts from 1.
        after = before if self._number >= before else 0
        new = [one for one in utterances if one["number"] > after and one["aloud"]]
        language = state["settings"]["language"] if new else ""
        for one in new:
            self.waiting = deque(sentence for sentence in self.waiting if not sentence.is_prompt)
            self.waiting.extend(_sentences(one, language))
        return bool(new)


def _sentences(utterance: Mapping[str, Any], language: str) -> Iterator[SpokenSentence]:
    for part in ("reports", "prompts"):
        for sentence in utterance[part]:
            yield SpokenSentence(sentence["text"], language, part == "prompts", utterance["soft"])


class Announcer:
    """Speaks through a speaker, which plays the board's sounds as well."""

    def __init__(
        self, speaker: Speaker, voices: Voices, vocabulary: Callable[[str], Iterable[str]] = lambda _: ()
    ) -> None:
        """Speak with `voices`; what `vocabulary` returns for a language is made while there is time."""
        self._speaker, self._voices, self._vocabulary = speaker, voices, vocabulary
        self._queue = SpeechQueue()
        self._current: SpokenSentence | None = None
        self._changed = threading.Condition()
        self._is_over = False
        self._unmade: deque[tuple[str, str]] = deque()
        self._language = ""
        self._is_mute = False

    def follow(self, state: Mapping[str, Any]) -> None:
        """Take in a state of the board, after its sound has begun."""
        with self._changed:
            if self._queue.take(state):
                current = self._current
                if current is not None and current.is_prompt:
                    self._current = None
                    self._speaker.hush()
            self._prepare(state.get("settings") or {})
            self._changed.notify_all()

    def _prepare(self, settings: Mapping[str, Any]) -> None:
        """Have the vocabulary of the language made, if the board speaks."""
        language = settings.get("language", "")
        if settings.get("speech", "off") != "off" and language != self._language:
            self._language = language
            self._unmade = deque((text, language) for text in self._vocabulary(language))

    @property
    def due(self) -> SpokenSentence | None:
        """The sentence that is to be spoken next; None if there is none."""
        with self._changed:
            return self._queue.waiting[0] if self._queue.waiting else None

    def finish(self) -> None:
        """Let `run` end once everything is spoken, and the vocabulary made."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def run(self) -> None:
        """Speak until `finish`; in a thread of its own."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_over or self._queue.waiting or self._unmade)
                sentence = self._queue.waiting[0] if self._queue.waiting else None
                spare = None if sentence is not None or not self._unmade else self._unmade.popleft()
            if sentence is not None:
                self.speak(sentence)
            elif spare is not None:
                self._make(*spare)
            else:
                return

    def speak(self, sentence: SpokenSentence) -> None:
        """Speak the sentence that is due next, unless a newer one replaces it in the meantime."""
        data = self._make(sentence.text, sentence.language)
        if data is not None and sentence.is_soft:
            data = softened(data)
        playing = self._begin(sentence, data)
        if playing is None:
            return
        playing.wait()
        with self._changed:
            was_interrupted = self._current is sentence and (playing.poll() or 0) < 0
            self._current = None
            if was_interrupted:
                self._queue.waiting.appendleft(sentence)

    def _begin(self, sentence: SpokenSentence, data: bytes | None) -> Playing | None:
        """Begin to speak a sentence once nothing else plays; return None if it is not to be spoken now."""
        while True:
            self._speaker.wait()  # for the sound that came with it, or one that has begun since
            with self._changed:
                if not self._queue.waiting or self._queue.waiting[0] is not sentence:
                    return None
                playing = None if data is None else self._try(data)
                if data is None or playing is not None:
                    self._queue.waiting.popleft()
                    self._current = None if playing is None else sentence
                    return playing

    def _try(self, data: bytes) -> Playing | None:
        try:
            return self._speaker.speak(data)
        except SoundError as error:  # the program ends with the next state, and is started again
            _LOG.warning("%s", error)
            return None

    def _make(self, text: str, language: str) -> bytes | None:
        try:
            data = self._voices.wave(text, language)
        except SoundError as error:
            if not self._is_mute:
                _LOG.warning("%s", error)
            self._is_mute = True
            return None
        self._is_mute = False
        return data
