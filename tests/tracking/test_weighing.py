"""Each rule that makes a reading of hands unlikely or impossible, beside hands that it leaves alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.tracking.explanation import (
    DOUBTFUL,
    HALF_REVISED,
    HASTE,
    IDLE,
    OUT_OF_ORDER,
    OWNERS_LIFT,
    UNLIKELY,
    UNSEEN,
    Explanation,
)
from tests.support.observed_script import ObservedScript, game_of, texts

PRESENCE, POLARITY = SensorKind.PRESENCE, SensorKind.POLARITY
FOUR = ("standard", "pieces=4", "flying=never")
PLACED = "d6 f4 d7 a1 a7 g1 g4 c4"
"""White, to move, closes a7 d7 g7 by g4-g7; d6 may go to d5, b6 and f6."""
MOVED = f"{PLACED} d6-d5"
CAPTURED = f"{PLACED} g4-g7xa1"
LAST = f"{CAPTURED} f4-e4 g7-g4 e4-f4"
"""White's next mill leaves Black two pieces, which ends the game."""
BLACK = "d6 f4 a7 a1 g4 g1 d7 d2"
"""Black closes a1 d1 g1 by d2-d1."""
LATE, SOON = -5_000, 900
"""The milliseconds at which the captured piece was taken off a1; hands begin at 1,000."""


class Read(NamedTuple):
    """Hands after a game, and the reading of them that is weighed: its steps, and pieces still in hand."""

    turns: str
    hands: str
    steps: str
    in_hand: str = ""
    kind: SensorKind = PRESENCE
    taken: int | None = None
    masked: str = ""
    rules: tuple[str, ...] = FOUR

    def found(self) -> Explanation | None:
        """Return the explanation that is read so; None if there is none."""
        masked = frozenset(MORRIS[name].index for name in self.masked.split())
        one = ObservedScript(game_of(self.turns, *self.rules), self.hands, self.kind, masked)
        removed = {} if self.taken is None else {MORRIS["a1"].index: self.taken * 1000}
        wanted = self.steps, tuple(sorted(MORRIS[name].index for name in self.in_hand.split()))
        plies = sorted(one.explanations(removed), key=lambda e: e.ply)
        return next((e for e in plies if (texts(e), e.in_hand) == wanted), None)

    def price(self) -> int | None:
        """Return its cost; None if hands can't have done that."""
        found = self.found()
        return None if found is None or not found.complete else found.cost


RULES: Mapping[str, tuple[Read, int | None, Read, int | None]] = {
    # what it is about: hands with it and their price, hands without it and theirs
    "a piece lands faster than a hand": (
        *(Read(PLACED, "-d6 10 +d5", "d6-d5"), HASTE),
        *(Read(PLACED, "-d6 25 +d5", "d6-d5"), 0),
    ),
    "more than a reply follows what no sensor shows": (
        *(Read(PLACED, "-d6 500 -f4", "d6-d5", "f4", masked="d5"), UNSEEN),
        *(Read(PLACED, "-d6", "d6-d5", masked="d5"), 0),
    ),
    "a turn is taken back, and its piece is in hand": (
        *(Read(MOVED, "-d5", "", "d6"), HALF_REVISED),
        *(Read(MOVED, "-d5 200 +d6", ""), 0),
    ),
    "a reply stands where a piece has just stood": (
        *(Read("d6 f4", "+b2 200 -b2 300 +a1 200 +b2", "a1 b2"), UNLIKELY + IDLE),
        *(Read("d6 f4", "+a1 200 +b2", "a1 b2"), 0),
    ),
    "a piece stood for a second": (
        *(Read("d6 f4", "+b2 1500 -b2 300 +a1", "a1"), 2 * IDLE),
        *(Read("d6 f4", "+b2 500 -b2 300 +a1", "a1"), IDLE),
    ),
    "a piece was answered while it stood for a moment": (
        *(Read("d6 f4", "+b2 100 +a1 50 -b2", "a1"), DOUBTFUL),
        *(Read("d6 f4", "+b2 100 -b2 50 +a1", "a1"), 0),
    ),
    "a piece is back before it left": (
        *(Read(MOVED, "+d6 200 -d5", ""), OUT_OF_ORDER),
        *(Read(MOVED, "-d5 200 +d6", ""), 0),
    ),
    "a captured piece is back late, before the one that captured it": (
        *(Read(CAPTURED, "@a1 200 -g7 200 +g4", "", taken=LATE), OUT_OF_ORDER),
        *(Read(CAPTURED, "@a1 200 -g7 200 +g4", "", taken=SOON), 0),
    ),
    "a captured piece is not the last to come back": (
        *(Read(CAPTURED, "@a1 200 -g7", "", "g4", taken=SOON), HALF_REVISED),
        *(Read(CAPTURED, "-g7 200 @a1", "", "g4", taken=SOON), 0),
    ),
    "a piece is captured long after the one in its owner's hand": (
        *(Read(CAPTURED, "-f4 1500", "xf4", "a1", taken=LATE), None),
        *(Read(CAPTURED, "-f4 1500", "xf4", "a1", taken=SOON), OWNERS_LIFT),
    ),
    "a captured piece was carried for long by its owner": (
        *(Read(CAPTURED, "-f4 300 @a4", "xf4 a1-a4", kind=POLARITY, taken=LATE), None),
        *(Read(CAPTURED, "-f4 300 @a4", "xf4 a1-a4", kind=POLARITY, taken=SOON), OWNERS_LIFT),
    ),
    "a reply stands where a piece was just captured": (
        *(Read("a7 f4 d7 a1 g7xa1", "@a1", "a1", taken=SOON), UNLIKELY),
        *(Read("a7 f4 d7 a1 g7xa1", "@a1", "a1", taken=-100), 0),
    ),
    "a piece was lifted together with the turn before its capture": (
        *(Read(BLACK, "-d6 -a7 200 +b6 300 -d2 200 @d1", "d6-b6 d2-d1 xa7"), None),
        *(Read(BLACK, "-d6 200 +b6 300 -d2 -a7 200 @d1", "d6-b6 d2-d1 xa7"), 0),
    ),
    "a piece was captured before its landing counts": (
        *(Read("a7 f4 d7", "@a1 100 +g7 100 -a1", "a1 g7 xa1"), None),
        *(Read("a7 f4 d7", "@a1 200 +g7 100 -a1", "a1 g7 xa1"), 0),
    ),
    "three pieces appear in one frame": (
        *(Read("", "+d6 @f4 +b2", "d6 f4 b2", kind=POLARITY), None),
        *(Read("", "+d6 50 @f4 50 +b2", "d6 f4 b2", kind=POLARITY), 0),
    ),
    "another turn lands before the one it replaces is lifted": (
        *(Read(MOVED, "+b6 200 -d5", "d6-b6"), None),
        *(Read(MOVED, "-d5 200 +b6", "d6-b6"), 0),
    ),
    "a reply is over before its turn has begun": (
        *(Read(PLACED, "-f4 200 @e4 300 -d6 200 +d5", "d6-d5 f4-e4", kind=POLARITY), None),
        *(Read(PLACED, "-d6 200 +d5 300 -f4 200 @e4", "d6-d5 f4-e4", kind=POLARITY), 0),
    ),
    "a reply lands first, and sensors tell whose it is": (
        *(Read(PLACED, "-d6 300 -f4 300 @e4 200 +d5", "d6-d5 f4-e4", kind=POLARITY), OUT_OF_ORDER),
        *(Read(PLACED, "-d6 300 -f4 300 @e4 200 +d5", "d6-d5 f4-e4"), 0),
    ),
    "a reply stood there before its turn landed": (
        *(Read("d6 f4", "+b2 200 +a1 200 -b2 200 +b2", "a1 b2"), OUT_OF_ORDER),
        *(Read("d6 f4", "+a1 200 +b2 200 -b2 200 +b2", "a1 b2"), 0),
    ),
    "a piece has just stood where another turn lands": (
        *(Read(MOVED, "@b6 100 -b6 100 -d5 200 +b6", "d6-b6"), OUT_OF_ORDER),
        *(Read(MOVED, "-d5 200 +b6", "d6-b6"), 0),
    ),
    "a piece leaves before the capture that ends the game": (
        *(Read(LAST, "-g4 300 +g7 300 -c4 100 -g1", "g4-g7 xg1", "c4"), None),
        *(Read(LAST, "-g4 300 +g7 300 -g1 100 -c4", "g4-g7 xg1", "c4"), 0),
    ),
    "a captured piece was lifted before the placement it answers": (
        *(Read(PLACED[:-3], "-f4 300 @c4 300 -g4", "c4", "f4 g4"), None),
        *(Read(PLACED[:-3], "@c4 300 -f4 300 -g4", "c4", "f4 g4"), 0),
    ),
    "a piece touched its point and was lifted before the reply": (
        *(Read(PLACED, "-d6 200 +d5 100 -d5 200 -f4 200 @e4", "d6-d5 f4-e4", "d5"), None),
        *(Read(PLACED, "-d6 200 +d5 300 -f4 200 @e4 100 -d5", "d6-d5 f4-e4", "d5"), IDLE),
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_reading_costs_what_the_rule_says(rule: str) -> None:
    unlikely, price, likely, usual = RULES[rule]
    assert (unlikely.price(), likely.price()) == (price, usual)


def cost(read: Read) -> int:
    found = read.found()
    assert found is not None
    return found.cost


def test_reply_before_a_capture_is_out_of_order() -> None:
    hands = "-g4 300 +g7 300 -f4 200 @e4"
    assert cost(Read(PLACED, hands, "g4-g7", "f4")) == OUT_OF_ORDER


def test_capture_is_not_declined_by_hands_that_lift_its_piece() -> None:
    may = ("standard", "pieces=4", "flying=never", "removal=may")
    hands = "-g4 300 +g7 300 -f4 200 @e4"
    assert cost(Read(PLACED, hands, "g4-g7 x- f4-e4", rules=may)) == 0
    assert cost(Read(PLACED, f"{hands} 200 -a1", "g4-g7 x- f4-e4", "a1", rules=may)) == UNLIKELY
