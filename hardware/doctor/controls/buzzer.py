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
        return skipped("buzzer", "it takes ears at the board: `millwright doctor --walk`")
    if answer == SILENT:
        legs = "its plus on 5 V, and the legs of its transistor"
        fix = f"check that it is an active one, the wire of {where}, {legs}"
        return fault("buzzer", f"nothing was heard while {where} went high", fix)
    if answer == ALWAYS:
        fix = "check the legs of its transistor, and that its minus touches GND nowhere but through that"
        return fault("buzzer", f"it sounds while {where} is low, too", fix)
    return passed("buzzer", f"{where} drives it")
