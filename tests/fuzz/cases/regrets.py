"""Case a: a captured piece is put back at any time, and another is taken or the turn taken back."""

from __future__ import annotations

from typing import Any

from tests.fuzz.grid_cases import GridCase, StartPosition, black, lift, white

_REGRET = "A captured piece that is put back was not captured, as soon as nothing else makes sense."
_AWAY = (300, 5000, 100)
_PLACING = StartPosition("a7 g7", "e3 f2 d2", hand=6)
_MOVING = StartPosition("d2 a1 g1 f4 b4", "d6 b6 e5 c3 g7")
_CLOSED = (lift(point="d2"), white(300, point="d1"))
_PLACING_RULES = ("standard", "lasker", "twelve", "six", "the-mill", "pounding-0.3b")
_MOVING_RULES = ("standard", "lasker", "twelve", "molendinum", "the-mill", "pounding-0.3b")


def _placing(rules: str) -> dict[str, Any]:
    """The position in which White closes a mill by d7; `six` has no inner ring."""
    fields = _PLACING.fields()
    return {**fields, "black": "f6 f2 d2", "hand": 3} if rules == "six" else fields


def _taken(rules: str) -> str:
    return "f6" if rules == "six" else "e3"


def _placed_cases(rules: str) -> tuple[GridCase, ...]:
    taken, fields = _taken(rules), _placing(rules)
    via = (("d7", f"x{taken}"), ("d7", f"x{taken}", taken))
    common: dict[str, Any] = {"via": via, "lenient": True, "rules": rules, **fields}
    begun = (white(point="d7"), lift(800, point=taken))
    return (
        GridCase(
            "a",
            f"regretted-and-replied-{rules}",
            _REGRET,
            (
                *begun,
                black(800, "a", point=taken),
                lift(800, "a", "b", point="f2"),
                black(800, "a", "b", 1500, point="a1"),
            ),
            {"a": _AWAY, "b": (100, 1500, 350)},
            ("d7", "xf2", "a1"),
            **common,
        ),
        GridCase(
            "a",
            f"regretted-placing-{rules}",
            _REGRET,
            (*begun, black(800, "a", point=taken), lift(800, "a", "b", point="f2")),
            {"a": _AWAY, "b": (100, 1500, 350)},
            ("d7", "xf2"),
            **common,
        ),
        GridCase(
            "a",
            f"regretted-after-the-other-was-taken-{rules}",
            _REGRET,
            (*begun, lift(800, "a", point="f2"), black(800, "a", "b", point=taken)),
            {"a": _AWAY, "b": (100, 1500, 350)},
            ("d7", "xf2"),
            **common,
        ),
        GridCase(
            "a",
            f"withdrawn-captured-piece-first-placing-{rules}",
            _REGRET,
            (*begun, black(800, "a", point=taken), lift(800, "a", "b", point="d7")),
            {"a": _AWAY, "b": (100, 1500, 350)},
            (),
            lasts_ms=3300,
            **common,
        ),
    )


def _moved_cases(rules: str) -> tuple[GridCase, ...]:
    via = (("d2-d1", "xd6"),)
    common: dict[str, Any] = {"via": via, "lenient": True, "rules": rules, **_MOVING.fields()}
    begun = (*_CLOSED, lift(1300, point="d6"))
    return (
        GridCase(
            "a",
            f"regretted-moving-{rules}",
            _REGRET,
            (*begun, black(1300, "a", point="d6"), lift(1300, "a", "b", point="b6")),
            {"a": _AWAY, "b": (100, 1500, 350)},
            ("d2-d1", "xb6"),
            **common,
        ),
        GridCase(
            "a",
            f"withdrawn-captured-piece-first-moving-{rules}",
            _REGRET,
            (
                *begun,
                black(1300, "a", point="d6"),
                lift(1300, "a", "b", point="d1"),
                white(1700, "a", "b", point="d2"),
            ),
            {"a": _AWAY, "b": (100, 1500, 350)},
            (),
            lasts_ms=3300,
            **common,
        ),
    )


_DOUBLE = StartPosition("a7 g7 d5 d6", "e3 f2 d2 b4 c4", hand=4)
_TWO_REMOVALS = (
    GridCase(
        "a",
        "first-of-two-removals-regretted-before-the-second",
        _REGRET,
        (
            white(point="d7"),
            lift(800, point="e3"),
            black(800, "a", point="e3"),
            lift(800, "a", "b", point="f2"),
            lift(1600, "a", "b", point="d2"),
        ),
        {"a": _AWAY, "b": (100, 1500, 350)},
        ("d7", "xf2", "xd2"),
        via=(("d7", "xe3", "xf2"),),
        lenient=True,
        rules="the-mill",
        **_DOUBLE.fields(),
    ),
    GridCase(
        "a",
        "first-of-two-removals-regretted-after-the-second",
        _REGRET,
        (
            white(point="d7"),
            lift(800, point="e3"),
            lift(1600, point="f2"),
            black(1600, "a", point="e3"),
            lift(1600, "a", "b", point="d2"),
        ),
        {"a": _AWAY, "b": (100, 1500, 350)},
        ("d7", "xf2", "xd2"),
        via=(("d7", "xe3", "xf2", "e3"),),
        lenient=True,
        rules="the-mill",
        **_DOUBLE.fields(),
    ),
)
_DECLINED = tuple(
    GridCase(
        "a",
        f"regretted-and-declined-{rules}",
        _REGRET,
        (
            white(point="d7"),
            lift(800, point="e3"),
            black(800, "a", point="e3"),
            black(800, "a", "b", point="a1"),
        ),
        {"a": _AWAY, "b": (300, 3000, 450)},
        ("d7", "x-", "a1"),
        via=(("d7", "xe3", "e3"),),
        lenient=True,
        rules=rules,
        **_PLACING.fields(),
    )
    for rules in ("arena", "simple")
)
REGRETS = (
    *(case for rules in _PLACING_RULES for case in _placed_cases(rules)),
    *(case for rules in _MOVING_RULES for case in _moved_cases(rules)),
    *_TWO_REMOVALS,
    *_DECLINED,
)
