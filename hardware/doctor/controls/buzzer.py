"""The check of the buzzer: it is played, and somebody at the board says what is heard.

Invariants: the doctor can't hear, so without an answer nothing is concluded but that the line can be driven.
"""

from __future__ import annotations

from firmware_host.i18n import Message
from firmware_host.settings import Sound
from hardware.doctor.findings import Finding, fault, passed, skipped
from hardware.doctor.part_names import line
from hardware.doctor.prompts import Question

BEEPS, SILENT, ALWAYS = "beeps", "silent", "always"
QUESTION = Question(
    Message("setup.doctor.buzzer"),
    {
        BEEPS: Message("setup.buzzer.beeps"),
        SILENT: Message("setup.doctor.silent"),
        ALWAYS: Message("setup.doctor.always"),
    },
)


def check_buzzer(answer: str | None, sound: Sound) -> Finding:
    """Return the finding on a buzzer, from the answer to QUESTION; None if nobody was asked."""
    where = line(sound.buzzer)
    if answer is None:
        return skipped("buzzer", Message("doctor.buzzer.unasked"))
    if answer == SILENT:
        return fault(
            "buzzer",
            Message("doctor.buzzer.silent", {"line": where}),
            Message("doctor.buzzer.silent.fix", {"line": where}),
        )
    if answer == ALWAYS:
        return fault(
            "buzzer",
            Message("doctor.buzzer.always", {"line": where}),
            Message("doctor.buzzer.always.fix"),
        )
    return passed("buzzer", Message("doctor.buzzer.good", {"line": where}))
