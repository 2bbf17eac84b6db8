"""Cases c and d: a second piece, an early reply or lift beside an honest turn, and two hands at once."""

from __future__ import annotations

from tests.fuzz.grid_cases import BOTH, GridCase, StartPosition, black, lift, white
from tests.fuzz.oracle.plain_rules import BLACK

_HONEST = "An honest turn counts in its time, and only the rest is wrong."
_OWNERS = "A piece that is straightened keeps its owner, whatever the other hand does."
_SOON = (50, 1000, 25)
_OPENING = StartPosition("g4 a7", "e3 d2", hand=6)
_MIDDLE = StartPosition("d2 a1 c4 f6", "d6 g1 e5 b6")
_FEW = StartPosition("f4 a7", "d5", hand=7, to_move=BLACK)
_RULES = ("standard", "lasker", "twelve", "the-mill", "simple")
_NO_MOVES_YET = ("standard", "twelve", "the-mill", "simple", "arena")


def _placing(rules: str) -> tuple[GridCase, ...]:
    fields = _OPENING.fields()
    return (
        GridCase(
            "c",
            f"second-piece-placing-{rules}",
            _HONEST,
            (white(point="d6"), white("a", point="b4")),
            {"a": _SOON},
            ("d6",),
            sensors=("polarity",),
            wrong=("b4",),
            due=((),),
            lenient=True,
            rules=rules,
            **fields,
        ),
        GridCase(
            "c",
            f"illegal-reply-placing-{rules}",
            _HONEST,
            (white(point="d6"), lift("a", point="e3"), black("a", "b", point="f4")),
            {"a": _SOON, "b": (200, 800, 200)},
            ("d6",),
            wrong=("e3", "f4"),
            due=((),),
            lenient=True,
            rules=rules,
            **fields,
        ),
        GridCase(
            "c",
            f"lift-too-early-placing-{rules}",
            _HONEST,
            (white(point="d6"), lift("a", point="e3")),
            {"a": _SOON},
            ("d6",),
            wrong=("e3",),
            due=((),),
            lenient=True,
            rules=rules,
            **fields,
        ),
    )


def _moving(rules: str) -> tuple[GridCase, ...]:
    begun = (lift(point="d2"), white(300, point="d1"))
    fields = _MIDDLE.fields()
    return (
        GridCase(
            "c",
            f"second-piece-moving-{rules}",
            _HONEST,
            (*begun, white(300, "a", point="g7")),
            {"a": _SOON},
            ("d2-d1",),
            wrong=("g7",),
            due=((300,),),
            lenient=True,
            rules=rules,
            **fields,
        ),
        GridCase(
            "c",
            f"capture-without-a-mill-{rules}",
            _HONEST,
            (*begun, lift(300, "a", point="f6")),
            {"a": _SOON},
            ("d2-d1",),
            wrong=("f6",),
            due=((300,),),
            lenient=True,
            rules=rules,
            **fields,
        ),
    )


_TWO_HANDS = (
    *(
        GridCase(
            "d",
            f"straighten-while-placing-{rules}",
            _OWNERS,
            (black(200, point="e5"), lift("a", point="d5"), black("a", "b", point="d5")),
            {"a": (0, 400, 20), "b": (150, 950, 50)},
            ("e5",),
            lenient=True,
            rules=rules,
            **_FEW.fields(),
        )
        for rules in ("standard", "lasker", "the-mill")
    ),
    *(
        GridCase(
            "d",
            f"straighten-while-moving-{rules}",
            _OWNERS,
            (
                lift(200, point="d2"),
                lift("a", point="a1"),
                white(600, point="d1"),
                white("a", "b", point="a1"),
            ),
            {"a": (0, 600, 30), "b": (150, 950, 50)},
            ("d2-d1",),
            sensors=BOTH,
            lenient=True,
            rules=rules,
            **_MIDDLE.fields(),
        )
        for rules in ("standard", "lasker", "the-mill")
    ),
)
_PLACED_SINCE = tuple(
    GridCase(
        "d",
        f"{name}-{rules}",
        _OWNERS,
        lines,
        spans,
        ("d6", "f4"),
        sensors=("presence",),
        lenient=True,
        two_readings=True,
        rules=rules,
        **_OPENING.fields(),
    )
    for rules in ("standard", "lasker", "the-mill")
    for name, lines, spans in (
        (
            "straighten-before-the-reply",
            (
                white(point="d6"),
                lift("a", point="d6"),
                black("a", "b", point="f4"),
                white("a", "b", "c", point="d6"),
            ),
            {"a": (20, 220, 50), "b": (20, 1220, 200), "c": (20, 1220, 200)},
        ),
        (
            "straighten-after-the-reply",
            (
                white(point="d6"),
                black("a", point="f4"),
                lift("a", "b", point="d6"),
                white("a", "b", "c", point="d6"),
            ),
            {"a": (20, 220, 50), "b": (20, 720, 100), "c": (20, 1220, 200)},
        ),
    )
)
HELPERS = (
    *(case for rules in _NO_MOVES_YET for case in _placing(rules)),
    *(case for rules in _RULES for case in _moving(rules)),
    *_TWO_HANDS,
    *_PLACED_SINCE,
)
