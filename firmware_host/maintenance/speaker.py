"""The companion that plays the board's sounds, and its speech, on a loudspeaker of this machine.

The tones are computed from the one table of sounds and played by `aplay`. It is part of Raspberry Pi OS,
finds every ALSA device, needs no Python package, and as a process it can be stopped in the middle of a tone.

Invariants: never more than one sound plays. The board knows that the speaker is there as long as this program
says so. A player that fails ends the program, so that the service manager starts it again later.
"""

from __future__ import annotations

import io
import logging
import math
import shutil
import subprocess
import threading
import time
import wave
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from firmware_host.errors import PageError, SoundError
from firmware_host.i18n import Message
from firmware_host.maintenance.companion import CompanionConnection
from firmware_host.sound import SOUNDS, SoundCue, Tone

_LOG = logging.getLogger(__name__)
_PLAYER = "aplay"
_RATE_HZ = 22_050
_PEAK = 20_000
"""The highest sample of a single tone: several that ring at once stay below the limit of 32,767."""
_ATTACK_S = 0.004
_FAINTEST = 0.0001
"""The share of its loudness at which a tone ends."""
_RENEW_S = 8.0
"""The interval at which the board learns that the speaker is there; it counts on that for longer."""
_RETRY_S = 5.0
_STOP_TIMEOUT_S = 1.0


class Playing:
    """A sound that aplay may still be playing."""

    def __init__(self, sound: bytes) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - a constant command
            (shutil.which(_PLAYER) or _PLAYER, "-q", "-"), stdin=subprocess.PIPE
        )
        pipe = self._process.stdin
        if pipe is not None:
            with suppress(BrokenPipeError):  # it has ended, and its status says so
                pipe.write(sound)
                pipe.close()

    def poll(self) -> int | None:
        """Return its exit status; None while it plays."""
        return self._process.poll()

    def wait(self) -> None:
        """Wait until it has been played."""
        self._process.wait()

    def stop(self) -> None:
        """Stop it, and wait until the device is free."""
        self._process.terminate()
        try:
            self._process.wait(_STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Speaker:
    """A loudspeaker; `start` begins to play a WAV file given by its bytes."""

    def __init__(self, start: Callable[[bytes], Playing]) -> None:
        self._start = start
        self._waves = {(cue, soft): wave_of(cue, soft=soft) for cue in SoundCue for soft in (False, True)}
        self._playing: Playing | None = None
        self._is_speech = False
        self._lock = threading.RLock()  # sounds and speech come from two threads

    def play(self, cue: SoundCue, *, soft: bool = False) -> None:
        """Play a sound instead of what may still play; raises SoundError."""
        with self._lock:
            if self._is_busy:
                self._stop()
            self.check()
            self._playing, self._is_speech = self._start(self._waves[cue, soft]), False

    def speak(self, data: bytes) -> Playing | None:
        """Begin to play speech, a WAV file; return None if something plays already. Raises SoundError."""
        with self._lock:
            if self._is_busy:
                return None
            self.check()
            self._playing, self._is_speech = self._start(data), True
            return self._playing

    def hush(self) -> None:
        """Stop the speech that plays."""
        with self._lock:
            if self._is_busy and self._is_speech:
                self._stop()

    @property
    def _is_busy(self) -> bool:
        return self._playing is not None and self._playing.poll() is None

    def _stop(self) -> None:
        if self._playing is not None:
            self._playing.stop()
            self._playing = None

    def wait(self) -> None:
        """Wait until nothing plays."""
        playing = self._playing
        if playing is not None:
            playing.wait()

    def finish(self) -> None:
        """Wait until the sound has been played; raises SoundError if it could not be."""
        self.wait()
        self.check()

    def check(self) -> None:
        """Raise SoundError if the last sound could not be played."""
        if self._playing is not None and (self._playing.poll() or 0) > 0:
            raise SoundError(Message("fault.sound.unplayed"))


def machine_speaker() -> Speaker:
    """Return the speaker of this machine; raises SoundError if it has no player or no sound device."""
    player = shutil.which(_PLAYER)
    if player is None:
        raise SoundError(Message("fault.sound.no-player"))
    listed = subprocess.run((player, "-l"), capture_output=True, check=False)  # noqa: S603 - a constant command
    if listed.returncode != 0 or b"card " not in listed.stdout:
        raise SoundError(Message("fault.sound.no-device"))
    return Speaker(Playing)


class SoundFollower:
    """The sounds of a board, as its states tell of them."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._number: int | None = None

    def follow(self, state: Mapping[str, Any]) -> None:
        """Play the sound that is new in a state, if the speaker is to play it; raises SoundError."""
        self._speaker.check()
        last = (state.get("sound") or {}).get("last")
        before, self._number = self._number, 0 if last is None else int(last["number"])
        if last is None or before is None or before == self._number or last["by"] != "speaker":
            return
        self._speaker.play(SoundCue(last["what"]), soft=last["soft"])


def play_sounds(
    host: str,
    port: int,
    speaker: Speaker,
    *,
    speak: Callable[[Mapping[str, Any]], object] = lambda _: None,
    connect: Callable[[str, int], CompanionConnection] = CompanionConnection,
    sleep: Callable[[float], object] = time.sleep,
    now: Callable[[], float] = time.monotonic,
) -> None:
    """Follow the board until the program is ended or the speaker fails, which raises SoundError.

    `speak` gets each state once its sound has begun.
    """
    while True:
        try:
            with connect(host, port) as connection:
                _LOG.info("playing the sounds of the board at %s port %s", host, port)
                _follow(connection, SoundFollower(speaker), speak, now)
        except PageError as error:
            _LOG.info("%s; trying again", error)
        sleep(_RETRY_S)


def _follow(
    connection: CompanionConnection,
    follower: SoundFollower,
    speak: Callable[[Mapping[str, Any]], object],
    now: Callable[[], float],
) -> None:
    due = now()
    for state in connection.states(_RENEW_S):
        if now() >= due:
            due = now() + _RENEW_S
            connection.ask({"do": "speaker"})
        try:
            follower.follow(state)
            speak(state)
        except SoundError:
            connection.ask({"do": "speaker", "on": False})
            raise


@cache
def wave_of(cue: SoundCue, *, soft: bool = False) -> bytes:
    """Return a sound as the bytes of a WAV file; a soft one is half as loud."""
    tones = SOUNDS[cue].tones
    length_s = max((tone.at_ms + tone.lasts_ms) / 1000 for tone in tones)
    samples = [0.0] * (math.ceil(length_s * _RATE_HZ) + 1)
    for tone in tones:
        for number, sample in enumerate(_samples(tone), start=round(tone.at_ms / 1000 * _RATE_HZ)):
            samples[number] += sample
    peak = _PEAK / 2 if soft else _PEAK
    limited = (max(-32_767, min(32_767, round(peak * sample))) for sample in samples)
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(_RATE_HZ)
        out.writeframes(array("h", limited).tobytes())
    return file.getvalue()


def _samples(tone: Tone) -> Iterator[float]:
    """Yield the samples of a tone, with the pitch and the loudness that it has on the page."""
    lasts_s = tone.lasts_ms / 1000
    phase = 0.0
    for number in range(int(lasts_s * _RATE_HZ)):
        at = number / _RATE_HZ
        hz = tone.hz if tone.rings else tone.hz * 0.5 ** (at / lasts_s)
        phase += 2 * math.pi * hz / _RATE_HZ
        since_attack = max(0.0, at - _ATTACK_S) / (lasts_s - _ATTACK_S)
        rise = min(1.0, at / _ATTACK_S)
        yield tone.loudness * rise * _FAINTEST**since_attack * math.sin(phase)
