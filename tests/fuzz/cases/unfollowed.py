"""Cases f to i: after an error, while the board ignores hands, during a fault, and turns taken back."""

from __future__ import annotations

from typing import Any

from tests.fuzz.grid_cases import GridCase, Line, StartPosition, black, lift, white
from tests.fuzz.oracle.plain_rules import BLACK

_AT_ONCE = "After an error the right turn counts, however soon its capture or a reply follows."
_BLIND = "The only turns that lead to where a board stands have been played, once it follows hands again."
_BACK = "The legal turn counts once the sensors are back."
_TWO = "Of two readings none is decided for as soon as the next piece is lifted."
_MILL = StartPosition("b4 b2 d7 g4 a7", "e3 c3 f2 d1 c5")
_PLACING = StartPosition("a7 g7 b2", "e3 f2 d2", hand=6)
_QUIET = StartPosition("d2 a1 c4 f6", "d6 g1 e5 b6")
_RULES = ("standard", "lasker", "twelve", "the-mill")
_CLOSED_MS = 16_000


def _corrected(rules: str) -> tuple[GridCase, ...]:
    erred = (
        lift(point="g4"),
        white(300, point="a1"),
        lift(300, "a", point="a1"),
        white(600, "a", point="g7"),
    )
    return (
        GridCase(
            "f",
            f"corrected-and-captured-at-once-{rules}",
            _AT_ONCE,
            (*erred, lift(600, "a", "b", point="e3")),
            {"a": (300, 2500, 200), "b": (-60, 120, 10)},
            ("g4-g7", "xe3"),
            due=((720, "a"),),
            lenient=True,
            rules=rules,
            **_MILL.fields(),
        ),
        GridCase(
            "f",
            f"corrected-and-replied-at-once-{rules}",
            _AT_ONCE,
            (
                lift(point="d2"),
                white(300, point="g7"),
                lift(300, "a", point="g7"),
                white(600, "a", point="d1"),
                lift(600, "a", "b", point="d6"),
                black(1000, "a", "b", point="d7"),
            ),
            {"a": (300, 2500, 200), "b": (0, 120, 10)},
            ("d2-d1", "d6-d7"),
            due=((600, "a"), (1000, "a", "b")),
            lenient=True,
            rules=rules,
            **_QUIET.fields(),
        ),
    )


def _ignored(rules: str) -> tuple[GridCase, ...]:
    turn = (lift(500, point="g4"), white(500, "a", point="g7"), lift(500, "a", "b", point="e3"))
    both = (
        lift(500, point="d2"),
        white(500, "a", point="d1"),
        lift(500, "a", "b", point="d6"),
        black(900, "a", "b", point="d7"),
    )
    spans = {"a": (150, 1000, 170), "b": (200, 2000, 360)}
    found: list[GridCase] = []
    for name, (begin, *end) in _IGNORING.items():
        common: dict[str, Any] = {"lenient": True, "blind": True, "rules": rules}
        found += [
            GridCase(
                "g", f"turn-while-{name}-{rules}", _BLIND, (begin, *turn, *end), spans, ("g4-g7", "xe3"),
                lasts_ms=_CLOSED_MS, **common, **_MILL.fields(),
            ),
            GridCase(
                "g", f"turn-and-reply-while-{name}-{rules}", _BLIND, (begin, *both, *end), spans,
                ("d2-d1", "d6-d7"), lasts_ms=_CLOSED_MS, **common, **_QUIET.fields(),
            ),
        ]  # fmt: skip
    return tuple(found)


_IGNORING: dict[str, tuple[Line, ...]] = {
    "asking": (((), {"do": "ask"}),),
    "paused": (((), {"do": "pause"}), ((5000,), {"do": "resume"})),
}


def _weighed(rules: str) -> GridCase:
    return GridCase(
        "g",
        f"weighed-and-played-{rules}",
        _BLIND,
        (
            lift(point="g4"),
            lift(400, point="b4"),
            white(400, "a", point="b4"),
            white(800, "a", point="g7"),
            lift(800, "a", "b", point="e3"),
        ),
        {"a": (1500, 4000, 250), "b": (200, 2000, 200)},
        ("g4-g7", "xe3"),
        lasts_ms=_CLOSED_MS,
        lenient=True,
        blind=True,
        rules=rules,
        **_MILL.fields(),
    )


def _failed(rules: str) -> tuple[GridCase, ...]:
    turn = (lift(500, point="g4"), white(900, point="g7"), lift(1700, point="e3"))
    placed = (white(900, point="d7"), lift(1700, point="e3"))
    common: dict[str, Any] = {
        "meant": ("g4-g7", "xe3"), "lasts_ms": 4000, "lenient": True, "blind": True, "rules": rules,
        **_MILL.fields(),
    }  # fmt: skip
    faults: dict[str, Any] = {
        **{f"chip-{chip}": {"mux": chip, "kind": "dead"} for chip in range(3)},
        "magnets": {"magnets": "strong"},
    }
    return (
        *(
            GridCase(
                "h",
                f"{name}-fails-around-the-landing-{rules}",
                _BACK,
                (*turn, (("a",), {"fault": fault}), (("a", "b"), {"repair": True})),
                {"a": (600, 1200, 40), "b": (20, 620, 120)},
                **common,
            )
            for name, fault in faults.items()
        ),
        *(
            GridCase(
                "h",
                f"{name}-fails-around-a-placement-{rules}",
                _BACK,
                (*placed, (("a",), {"fault": fault}), (("a", "b"), {"repair": True})),
                {"a": (600, 1200, 40), "b": (20, 620, 120)},
                **{**common, **_PLACING.fields(), "meant": ("d7", "xe3")},
            )
            for name, fault in faults.items()
        ),
        GridCase(
            "g",
            f"power-cut-between-landing-and-capture-{rules}",
            _BLIND,
            (
                *turn[:2],
                ((900, "a"), {"power": "off"}),
                ((950, "a"), {"power": "on"}),
                lift(950, "a", "b", point="e3"),
            ),
            {"a": (20, 1000, 70), "b": (100, 2100, 200)},
            cuts_power=True,
            **common,
        ),
        GridCase(
            "g",
            f"power-cut-between-lift-and-landing-{rules}",
            _BLIND,
            (
                turn[0],
                ((500, "a"), {"power": "off"}),
                ((550, "a"), {"power": "on"}),
                white(550, "a", "b", point="g7"),
                lift(1350, "a", "b", point="e3"),
            ),
            {"a": (20, 1000, 70), "b": (100, 2100, 200)},
            cuts_power=True,
            **common,
        ),
    )


_TAKEN_BACK = GridCase(
    "i",
    "three-turns-back-or-a-capture",
    _TWO,
    (
        lift(point="f4"),
        black("a", point="f2"),
        lift("a", "b", point="e4"),
        white("a", "b", 400, point="e3"),
        lift("a", "b", 400, "c", point="f2"),
    ),
    {"a": (150, 650, 100), "b": (100, 900, 200), "c": (100, 900, 100)},
    played=("f2", "e3-e4", "f2-f4"),
    white="c3 d3 e3 a1",
    black="d6 b6 g7",
    black_hand=1,
    to_move=BLACK,
    back=3,
    lasts_ms=5500,
    rules="simple",
    two_readings=True,
)
UNFOLLOWED = (
    *(case for rules in _RULES for case in _corrected(rules)),
    *(case for rules in _RULES for case in _ignored(rules)),
    *(_weighed(rules) for rules in _RULES),
    *(case for rules in ("standard", "lasker", "the-mill") for case in _failed(rules)),
    _TAKEN_BACK,
)
