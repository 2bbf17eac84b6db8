"""The values that a set-up shows: a sentence, the light and the possible answers, in no language.

Invariants: a sentence asks for one thing; whatever is asked, some answer goes on; the light of the question
shines alone, pieces that are still to be taken off by name shine faintly, and all LEDs together never draw
more than 150 mA.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.ports import Colour
from hardware.setup.plan import Move

StageName = Literal[
    "form",
    "resume",
    "colour",
    "dark",
    "clear",
    "learn",
    "find",
    "sure",
    "free",
    "measure",
    "button",
    "buzzer",
    "review",
    "done",
    "left",
    "examine",
    "settings",
]

Light: TypeAlias = Colour
"""The colour of an LED; in a set-up, colours are those of pieces."""

BRIGHT: Light = (110, 110, 110)
FAINT: Light = (6, 6, 6)
SENSED: Light = (0, 60, 40)

COLOURS = ("white", "black")
"""The colours of pieces in keys of texts."""


Part: TypeAlias = tuple[int, str]
"""A number of equal parts, such as `(3, "74HC4051")`; sensors are called `reed`, `hall` or `linear`."""


@frozen
class Answer:
    """A possible answer: its key (empty for Enter), its text, and the parts that are drawn beside it."""

    key: str
    label: Message
    parts: tuple[Part, ...] = ()


STOP = Answer("q", Message("setup.stop"))
BACK = Answer("b", Message("setup.back"))
TRY_AGAIN = Message("page.try-again")
LEFT = Message("setup.left")
"""The sentence once a maker has stopped."""


@frozen
class Prompt:
    """The sentence, the light and the answers of one moment.

    `light` has the colours of the LEDs that shine, on a strip of `leds` that takes its colours in `order`.
    `point` is the point that the sentence names and `known` are those that are found. `move` is what hands
    are asked to do at that point, or at the lit one, with a piece of `colour` where that matters. `done`
    counts the findings among the `of` there are to make.
    """

    stage: StageName
    sentence: Message
    notes: tuple[Message, ...] = ()
    point: str | None = None
    known: tuple[str, ...] = ()
    light: Mapping[int, Light] = field(default_factory=dict)
    order: str = "GRB"
    leds: int = 24
    answers: tuple[Answer, ...] = ()
    done: int = 0
    of: int = 0
    move: Move | None = None
    colour: str | None = None
