"""The voices of a board: text to sound by espeak-ng or Piper, and a cache of what was spoken.

Each sentence is made by a process of its own, which can be ended and needs no Python package. Piper speaks
where it is installed with a model of the language, and espeak-ng otherwise.

Invariants: the cache never has more than MAX_CACHE_BYTES, of which the oldest go first; a file that is
damaged or can't be written costs only the time to make it again.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import re
import shutil
import subprocess
import wave
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from firmware_host.errors import SoundError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message

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
