"""The announcer: speaks what a board says, by one of the voices, in a thread of its own.

**Invariants:** a sentence waits for the sound that plays, and a sound interrupts it, after which it begins
again. A newer utterance replaces prompts that have not been spoken to their end; reports are always spoken.
Utterances from before this program began, and those for one page alone, are not spoken.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import re
import shutil
import subprocess
import threading
import wave
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from firmware_host.errors import SoundError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.maintenance.speaker import Playing, Speaker

# ---- voices ---------------------------------------------------------------------------------------------
# The voices of a board: text to sound by espeak-ng or Piper, and a cache of what was spoken.
#
# Each sentence is made by a process of its own, which can be ended and needs no Python package. Piper speaks
# where it is installed with a model of the language, and espeak-ng otherwise.
#
# Invariants: the cache never has more than MAX_CACHE_BYTES, of which the oldest go first; a file that is
# damaged or can't be written costs only the time to make it again.


_LOG = logging.getLogger(__name__)
MAX_CACHE_BYTES = 32 << 20
_TIMEOUT_S = 10.0
_ESPEAK, _PIPER = "espeak-ng", "piper"
_ESPEAK_VOICES = {"en": "en-gb", "es": "es", "pt": "pt-br", "de": "de"}
_WORDS_PER_MINUTE = 160
PIPER_FOLDERS = (Path("/usr/local/share/piper-voices"), Path("/usr/share/piper-voices"))
"""The folders in which models of Piper are looked for, such as `de_DE-thorsten-medium.onnx`."""
_SPELLED = {"pt": {"e": "é"}}
"""The letters of points that a voice would take for a word, as it has to read them."""
_QUIET = 300
"""The largest sample that is silence, of 32,767."""
_PAUSE_S = 0.12
"""The silence between two sentences."""
_POINT = re.compile(r"\b([a-g])([1-7])\b")


@frozen
class Voice:
    """A voice for one language: the command that reads a text and writes a WAV file."""

    language: str
    command: tuple[str, ...]

    def make(self, text: str) -> bytes:
        """Return a text as the bytes of a WAV file; raises SoundError."""
        try:
            done = subprocess.run(  # noqa: S603 - the command has no part from outside
                self.command,
                input=spelled(text, self.language).encode(),
                capture_output=True,
                timeout=_TIMEOUT_S,
                check=True,
            )
            return _whole(done.stdout)
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            raise SoundError(Message("fault.speech.failed", {"text": str(error)})) from error


class Cache:
    """The sentences that were made, as files of one folder; without a folder, none are kept."""

    def __init__(self, folder: Path | None, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._folder, self._max_bytes = folder, max_bytes
        self._has_failed = False

    def read(self, voice: Voice, text: str) -> bytes | None:
        """Return a sentence that was made before; None if it wasn't, or isn't there any more."""
        path = self._path(voice, text)
        if path is None:
            return None
        try:
            data = _whole(path.read_bytes())
            os.utime(path)
        except (OSError, ValueError):
            return None
        return data

    def write(self, voice: Voice, text: str, data: bytes) -> None:
        """Keep a sentence, and remove the oldest ones if there are too many."""
        path = self._path(voice, text)
        if path is None:
            return
        try:
            part = path.with_suffix(".part")
            part.write_bytes(data)
            part.replace(path)
            self._trim()
        except OSError as error:
            if not self._has_failed:
                _LOG.warning("spoken sentences can't be kept: %s", error)
            self._has_failed = True

    def _path(self, voice: Voice, text: str) -> Path | None:
        if self._folder is None:
            return None
        named = "\0".join((*voice.command, text)).encode()
        return self._folder / f"{hashlib.sha256(named).hexdigest()}.wav"

    def _trim(self) -> None:
        found = [(path.stat(), path) for path in (self._folder or Path()).glob("*.wav")]
        size = sum(status.st_size for status, _ in found)
        for status, path in sorted(found, key=lambda one: one[0].st_mtime):
            if size <= self._max_bytes:
                return
            path.unlink()
            size -= status.st_size


class Voices:
    """The voices of this machine, one for each language."""

    def __init__(self, voices: Mapping[str, Voice], cache: Cache) -> None:
        self._voices, self._cache = voices, cache

    def wave(self, text: str, language: str) -> bytes:
        """Return a sentence as a WAV file, from the cache or made now; raises SoundError."""
        voice = self._voices.get(language)
        if voice is None:
            raise SoundError(Message("fault.speech.no-voice"))
        data = self._cache.read(voice, text)
        if data is None:
            data = voice.make(text)
            self._cache.write(voice, text, data)
        return data


def machine_voices(folder: Path | None = None, models: Sequence[Path] = PIPER_FOLDERS) -> Voices:
    """Return the voices of this machine, which keep what they make in a folder."""
    return Voices(dict(_found(models)), Cache(folder))


def _found(models: Sequence[Path]) -> Iterator[tuple[str, Voice]]:
    espeak, piper = shutil.which(_ESPEAK), shutil.which(_PIPER)
    for language, name in _ESPEAK_VOICES.items():
        model = next((path for folder in models for path in sorted(folder.glob(f"{language}_*.onnx"))), None)
        if piper is not None and model is not None:
            yield language, Voice(language, (piper, "--model", str(model), "--output_file", "-"))
        elif espeak is not None:
            command = (espeak, "-v", name, "-s", str(_WORDS_PER_MINUTE), "--stdin", "--stdout")
            yield language, Voice(language, command)


def spelled(text: str, language: str) -> str:
    """Return a text as a voice has to read it, so that it names points as people do."""
    letters = _SPELLED.get(language, {})
    return _POINT.sub(lambda point: f"{letters.get(point[1], point[1])}{point[2]}", text)


def softened(data: bytes) -> bytes:
    """Return a WAV file half as loud."""
    rate, samples = samples_of(data)
    return wave_file(rate, array("h", (sample // 2 for sample in samples)))


def samples_of(data: bytes) -> tuple[int, array[int]]:
    """Return the rate and the samples of a WAV file of one channel, or raise ValueError."""
    try:
        with wave.open(io.BytesIO(data)) as file:
            if (file.getnchannels(), file.getsampwidth()) != (1, 2):
                raise ValueError("not 16 bits in one channel")
            frames = file.readframes(len(data))
            return file.getframerate(), array("h", frames[: len(frames) // 2 * 2])
    except (wave.Error, EOFError) as error:
        raise ValueError(f"not a WAV file: {error}") from error


def wave_file(rate: int, samples: array[int]) -> bytes:
    """Return samples as the bytes of a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(samples.tobytes())
    return file.getvalue()


def _whole(data: bytes) -> bytes:
    """Return a WAV file with its true length, and a short pause at its end.

    A program that writes to a pipe doesn't know the length, and voices are silent for longer.
    """
    rate, samples = samples_of(data)
    last = next((at for at in reversed(range(len(samples))) if abs(samples[at]) > _QUIET), None)
    if last is None:
        raise ValueError("it is silent")
    return wave_file(rate, samples[: last + round(_PAUSE_S * rate)])


# ---- the announcer --------------------------------------------------------------------------------------


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
