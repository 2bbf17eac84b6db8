"""The first nine cases of hands that a board has to get right: headless lines with delays to be filled in.

A case begins with a position, from which some turns are played without haste. Then comes the hand: each line
at a time that is the sum of some delays in milliseconds, of which each has a range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.plain_rules import BLACK, RULE_SETS, WHITE, MillMoment

Span = tuple[int, int, int]
"""The first and the last delay, and the step between them, in milliseconds."""
At = tuple[str | int, ...]
Line = tuple[At, Mapping[str, Any]]
BOTH = ("presence", "polarity")
MENDED_MS = 2000


@dataclass(frozen=True)
class GridCase:
    """A case: `number` is the number or letter of the finding, `rule` what is promised."""

    number: int | str
    name: str
    rule: str
    lines: tuple[Line, ...]
    spans: Mapping[str, Span]
    meant: tuple[str, ...] = ()
    """The steps that hands mean, from the position after `played` on."""
    played: tuple[str, ...] = ()
    white: str = ""
    black: str = ""
    hand: int = 0
    black_hand: int | None = None
    """The pieces that Black has left to place, if they are not as many as White's."""
    to_move: str = WHITE
    sensors: tuple[str, ...] = BOTH
    within_ms: int | None = None
    """The time within which the last step must count after the landing on the last line."""
    rests_ms: int = 0
    """The rest of the board before the hand."""
    back: int = 0
    """The number of turns that are taken back, before those that are meant."""
    lasts_ms: int = 0
    """The rest of the board after the last line, before it is judged."""
    rules: str = "standard"
    wrong: tuple[str, ...] = ()
    """The points where something illegal was done, which the board has to show and nothing else."""
    via: tuple[tuple[str, ...], ...] = ()
    """Other runs of steps that may count for a while, since hands did them before they changed their mind."""
    due: tuple[At, ...] = ()
    """The times at which the turns are done; each must count within a second of that, and a bit."""
    lenient: bool = False
    """True if hands also do something wrong, so that the oracle is that of the principles."""
    blind: bool = False
    """True if the board cannot follow all lines, so that only what stands at last is evidence."""
    chosen: str = ""
    """The turn of Black that is chosen by a request; without one Black is played at the board."""
    cuts_power: bool = False
    ends_game: bool = False
    """True if the game ends, and the steps are those of the next one."""
    two_readings: bool = False
    """True if the board may ask or decide either way, but not before a second has passed."""

    @property
    def start(self) -> MillMoment:
        """The position before `played`."""
        rules = RULE_SETS[self.rules]
        if not self.white:
            return plain.start(rules, WHITE)
        board = {**dict.fromkeys(self.white.split(), WHITE), **dict.fromkeys(self.black.split(), BLACK)}
        hand = {WHITE: self.hand, BLACK: self.hand if self.black_hand is None else self.black_hand}
        return MillMoment(rules, board, hand, self.to_move, WHITE, placing=any(hand.values()))


def lift(*at: str | int, point: str) -> Line:
    return at, {"lift": point}


def put(*at: str | int, point: str, piece: str) -> Line:
    return at, {"put": point, "piece": piece}


def white(*at: str | int, point: str) -> Line:
    return put(*at, point=point, piece=WHITE)


def black(*at: str | int, point: str) -> Line:
    return put(*at, point=point, piece=BLACK)


@dataclass(frozen=True)
class StartPosition:
    white: str
    black: str
    hand: int = 0
    to_move: str = WHITE
    played: tuple[str, ...] = ()

    def fields(self) -> dict[str, Any]:
        return vars(self)


_MIDDLE = StartPosition("d2 a1 c4 f6", "d6 g1 e5 b6")
_MILL = StartPosition("d2 a1 g1 f4 b4", "d6 b6 e5 c3 g7")
_CLOSED = (lift(point="d2"), white(300, point="d1"))
_TAKEN = StartPosition("a1 d1 f6", "d6 b6 e5 c3", hand=4, played=("g1", "xc3"))
_SIX = StartPosition("", "", played=("a1", "d6", "g4", "b2", "f4", "d3"))
_ON_CHIPS = (
    ("a1", "d6", "g4", "b2", "d5", "c3"),
    ("a1", "e5", "g4", "c4", "d6", "f2"),
    ("d6", "e5", "f2", "c4", "a1", "g4"),
)
"""Placements of which the last two are on the multiplexer of that number; each has a ring, inner first."""
_THREE_ON_CHIPS = (
    ("d5", "a1", "c3", "g4", "e4", "b2"),
    ("d6", "a1", "f4", "g7", "b2", "c3"),
    ("a1", "d6", "g4", "b2", "d7", "c3"),
)
"""Placements of which three are on the multiplexer of that number."""
_EIGHT = StartPosition("", "", played=("a1", "d6", "g4", "b2", "e4", "c3", "d2", "f6"))

_BRUSH = "A second lift is no evidence for the first: the brushed piece is back, the other one captured."
_BOUNCE = "A landing that touched once is never a captured piece put back."
_STRAIGHT = "A piece that is back on its point within a second is the one that stood there."
_FALLEN = "Pieces that fell off and are put back change nothing."
_HALF = "A board that is half corrected is neither an older position nor another turn."
_PACE = "Pieces that leave their points one after the other, as hands lift them, take turns back."
_BLACKOUT = "Points that open all at once are a fault, and change nothing when they are back."
_OVERLAP = "The one run of turns that explains the frame and the order of its changes counts."
_FRAME = "Two placements in one frame count where only one run explains them."
_EARLY = "A reply counts that was set down before the captured piece was taken."
_AFTER = "After a mismatch a turn counts as soon as always, and no destination is lit under a piece."

CASES = (
    GridCase(
        1,
        "brush-beside-capture",
        _BRUSH,
        (
            *_CLOSED,
            lift(1300, point="b6"),
            lift(1300, "b", point="d6"),
            black(1300, "a", point="b6"),
        ),
        {"a": (50, 700, 10), "b": (10, 250, 10)},
        ("d2-d1", "xd6"),
        **_MILL.fields(),
    ),
    GridCase(
        1,
        "brush-not-beside-capture",
        _BRUSH,
        (
            *_CLOSED,
            lift(1300, point="e5"),
            lift(1300, "b", point="d6"),
            black(1300, "a", point="e5"),
        ),
        {"a": (50, 700, 50), "b": (10, 250, 30)},
        ("d2-d1", "xd6"),
        **_MILL.fields(),
    ),
    GridCase(
        2,
        "bounce-after-capture",
        _BOUNCE,
        (black(point="c3"), lift("a", point="c3"), black("a", "b", point="c3")),
        {"a": (10, 200, 10), "b": (50, 900, 10)},
        ("c3",),
        **_TAKEN.fields(),
    ),
    GridCase(
        2,
        "bounce-a-minute-after-capture",
        _BOUNCE,
        (black(point="c3"), lift("a", point="c3"), black("a", "b", point="c3")),
        {"a": (10, 200, 20), "b": (50, 900, 50)},
        ("c3",),
        rests_ms=60_000,
        **_TAKEN.fields(),
    ),
    GridCase(
        3,
        "straightened-after-placement",
        _STRAIGHT,
        (white(point="g7"), lift("a", point="d3"), black("a", "b", point="d3")),
        {"a": (20, 230, 10), "b": (20, 300, 10)},
        ("g7",),
        ("a1", "d3"),
    ),
    GridCase(
        3,
        "straightened-around-placement",
        _STRAIGHT,
        (lift(point="d3"), white("a", point="g7"), black("a", "b", point="d3")),
        {"a": (20, 500, 10), "b": (20, 400, 10)},
        ("g7",),
        ("a1", "d3"),
    ),
    GridCase(
        4,
        "two-fallen-put-back-in-order",
        _FALLEN,
        (
            lift(point="f4"),
            lift("a", point="d3"),
            white("a", "b", point="f4"),
            black("a", "b", "c", point="d3"),
        ),
        {"a": (0, 500, 50), "b": (300, 5000, 100), "c": (50, 1550, 250)},
        **_SIX.fields(),
    ),
    GridCase(
        4,
        "two-fallen-put-back-in-the-other-order",
        _FALLEN,
        (
            lift(point="f4"),
            lift("a", point="d3"),
            black("a", "b", point="d3"),
            white("a", "b", "c", point="f4"),
        ),
        {"a": (0, 500, 50), "b": (300, 5000, 100), "c": (50, 1550, 250)},
        **_SIX.fields(),
    ),
    GridCase(
        4,
        "half-mended-board-rests",
        _HALF,
        (
            lift(point="f4"),
            lift("a", point="d3"),
            white("a", "b", point="f4"),
            black("a", "b", "c", point="d3"),
        ),
        {"a": (0, 60, 10), "b": (1200, 2400, 200), "c": (2000, 8000, 500)},
        **_SIX.fields(),
    ),
    GridCase(
        4,
        "two-turns-taken-back-at-a-human-pace",
        _PACE,
        (lift(point="d3"), lift("a", point="f4")),
        {"a": (100, 3000, 10)},
        back=2,
        lasts_ms=3300,
        **_SIX.fields(),
    ),
    GridCase(
        4,
        "two-pieces-that-fall-off-take-nothing-back",
        _PACE,
        (lift(point="d3"), lift("a", point="f4"), white("b", point="f4"), black("b", "c", point="d3")),
        {"a": (0, 60, 10), "b": (3500, 6500, 500), "c": (50, 1550, 250)},
        **_SIX.fields(),
    ),
    *(
        GridCase(
            4,
            f"chip-{chip}-drops-out",
            _FALLEN,
            (((), {"fault": {"mux": chip, "kind": "dead"}}), (("a",), {"repair": True})),
            {"a": (1000, 10_000, 100)},
            played=played,
        )
        for chip, played in enumerate(_ON_CHIPS)
    ),
    GridCase(
        5,
        "all-chips-drop-out",
        _BLACKOUT,
        (*(((), {"fault": {"mux": chip, "kind": "dead"}}) for chip in range(3)), (("a",), {"repair": True})),
        {"a": (100, 10_000, 100)},
        **_EIGHT.fields(),
    ),
    *(
        GridCase(
            5,
            f"chip-{chip}-drops-out-with-three",
            _BLACKOUT,
            (((), {"fault": {"mux": chip, "kind": "dead"}}), (("a",), {"repair": True})),
            {"a": (100, 10_000, 100)},
            played=played,
        )
        for chip, played in enumerate(_THREE_ON_CHIPS)
    ),
    *(
        GridCase(
            6,
            f"lifted-before-the-other-lands-{pause}",
            _OVERLAP,
            (
                lift(point="d2"),
                lift("a", point="d6"),
                white("a", "b", point="d1"),
                black("a", "b", pause, point="d7"),
            ),
            {"a": (10, 300, 10), "b": (10, 300, 10)},
            ("d2-d1", "d6-d7"),
            **_MIDDLE.fields(),
        )
        for pause in (20, 150, 300)
    ),
    *(
        GridCase(
            6,
            f"landed-before-the-other-{pause}",
            _OVERLAP,
            (
                lift(point="d2"),
                lift("a", point="d6"),
                black("a", "b", point="d7"),
                white("a", "b", pause, point="d1"),
            ),
            {"a": (10, 300, 10), "b": (10, 300, 10)},
            ("d2-d1", "d6-d7"),
            **_MIDDLE.fields(),
        )
        for pause in (20, 150, 300)
    ),
    GridCase(
        6,
        "flights-that-cross",
        _OVERLAP,
        (
            lift(point="a1"),
            lift("a", point="c5"),
            white("a", "b", point="b6"),
            black("a", "b", 200, point="c3"),
        ),
        {"a": (10, 300, 10), "b": (10, 300, 10)},
        ("a1-b6", "c5-c3"),
        white="a1 d2 f4",
        black="c5 e5 g7",
    ),
    *(
        GridCase(
            6,
            f"placed-before-the-other-lands-{pause}",
            _OVERLAP,
            (lift(point="a1"), black("a", point="f6"), white("a", "b", pause, point="a4")),
            {"a": (10, 800, 10), "b": (10, 300, 10)},
            ("a1-a4", "f6"),
            played=("a1", "d6", "g4", "b2"),
            rules="lasker",
        )
        for pause in (20, 600)
    ),
    GridCase(
        7,
        "two-placements-in-one-frame",
        _FRAME,
        (white("p", point="d2"), black("p", "a", point="f6")),
        {"p": (0, 4, 1), "a": (0, 100, 1)},
        ("d2", "f6"),
        ("a1", "d6"),
    ),
    GridCase(
        8,
        "reply-placed-before-the-capture",
        _EARLY,
        (white(point="g1"), black("a", point="f4"), lift("a", "b", point="c3")),
        {"a": (10, 800, 10), "b": (10, 800, 10)},
        ("g1", "xc3", "f4"),
        white="a1 d1 f6",
        black="d6 b6 e5 c3",
        hand=4,
    ),
    GridCase(
        8,
        "reply-moved-before-the-capture",
        _EARLY,
        (
            *_CLOSED,
            lift(300, "a", point="d6"),
            black(300, "a", 200, point="d7"),
            lift(500, "a", "b", point="c3"),
        ),
        {"a": (10, 800, 10), "b": (10, 800, 10)},
        ("d2-d1", "xc3", "d6-d7"),
        **_MILL.fields(),
    ),
    GridCase(
        9,
        "turn-after-a-mismatch",
        _AFTER,
        (
            lift(point="b6"),
            black(MENDED_MS, point="b6"),
            lift(MENDED_MS, "a", point="d2"),
            white(MENDED_MS, "a", "b", point="d1"),
        ),
        {"a": (0, 1000, 10), "b": (100, 500, 50)},
        ("d2-d1",),
        within_ms=300,
        **_MIDDLE.fields(),
    ),
)
