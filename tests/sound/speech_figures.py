"""Ten sentences a language, made by espeak-ng: their length, silence, level and cost.

`python -m tests.sound.speech_figures` prints them; `tests/sound/test_speech.py` holds them within limits.
"""

from __future__ import annotations

import math
import resource
import shutil
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

from firmware_host.i18n import LANGUAGES, Message, translate
from firmware_host.maintenance.announcer import machine_voices, samples_of

ESPEAK = shutil.which("espeak-ng")
_QUIET = 300
"""The largest sample that is silence, of 32,767."""
SENTENCES = (
    Message("places.white", {"count": 9}),
    Message("speech.turn.black", {"turn": "f4"}),
    Message("speech.turn.white", {"turn": Message("board-plays.from-to", {"from": "d6", "points": "d5"})}),
    Message("speech.removes.white", {"others": Message("either", {"first": "a1", "second": "e4"})}),
    Message("repair", {"what": Message("repair.put-back.black.one", {"points": ("c4",)})}),
    Message("wrong.return.black", {"points": ("c4",), "from": "d3"}),
    Message("undecided.many", {"points": ("b2", "g7")}),
    Message("speech.asking"),
    Message(
        "speech.time.white",
        {
            "minutes": Message("speech.minutes", {"count": 4}),
            "seconds": Message("speech.seconds", {"count": 10}),
        },
    ),
    Message("over.next", {"what": Message("over.white", {"why": Message("why.blocked.black")})}),
)


class SpokenFigures(NamedTuple):
    """The figures of one sentence."""

    language: str
    text: str
    length_s: float
    before_s: float
    """The silence before the first sound."""
    after_s: float
    level_db: float
    """The mean level of what isn't silence, of the loudest possible."""
    peak: int
    cpu_s: float
    """The processor time of the process that made it."""


def figures() -> Iterator[SpokenFigures]:
    """Yield the figures of all sentences in all languages."""
    voices = machine_voices(None, ())
    for language in LANGUAGES:
        for message in SENTENCES:
            text = translate(message, language)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            rate, samples = samples_of(voices.wave(text, language))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            loud = [index for index, sample in enumerate(samples) if abs(sample) > _QUIET]
            power = sum(samples[index] ** 2 for index in loud) / max(1, len(loud))
            yield SpokenFigures(
                language,
                text,
                len(samples) / rate,
                loud[0] / rate if loud else math.inf,
                (len(samples) - 1 - loud[-1]) / rate if loud else math.inf,
                20 * math.log10(max(1.0, math.sqrt(power)) / 32_768),
                max(map(abs, samples)),
                cpu_s,
            )


def main() -> None:
    """Print the figures."""
    if ESPEAK is None:
        sys.exit("espeak-ng is missing: sudo apt install espeak-ng")
    began, write = time.monotonic(), sys.stdout.write
    write(f"{'':4}{'length':>8}{'before':>8}{'after':>8}{'level':>8}{'peak':>7}{'CPU':>8}\n")
    for one in figures():
        write(
            f"{one.language:4}{one.length_s:7.2f}s{one.before_s * 1000:6.0f}ms{one.after_s * 1000:6.0f}ms"
            f"{one.level_db:6.1f}dB{one.peak:7}{one.cpu_s * 1000:6.0f}ms  {one.text}\n"
        )
    write(f"{time.monotonic() - began:.1f} s in all\n")


if __name__ == "__main__":
    main()
