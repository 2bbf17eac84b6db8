"""Case e: a person alone against the board, who straightens, errs or is too early."""

from __future__ import annotations

from typing import Any

from tests.fuzz.grid_cases import GridCase, Line, StartPosition, black, lift, white

_CHOSEN = "A chosen turn stays chosen until another turn counts."
_OPENING = StartPosition("d3 d2 d1", "d5 f2", hand=6)


def _choose(turn: str, *at: str | int) -> Line:
    return at, {"do": "choose", "turn": turn}


def _cases(rules: str) -> tuple[GridCase, ...]:
    common: dict[str, Any] = {"lenient": True, "rules": rules, "meant": ("c3", "f6"), "chosen": "f6"}
    begun = (white(point="c3"), _choose("f6", 1000))
    fields = {**_OPENING.fields(), **common}
    return (
        GridCase(
            "e",
            f"straighten-own-while-setting-{rules}",
            _CHOSEN,
            (*begun, lift(1500, point="c3"), black(1500, "a", point="f6"), white(1500, "a", "b", point="c3")),
            {"a": (50, 1500, 50), "b": (50, 950, 150)},
            **fields,
        ),
        GridCase(
            "e",
            f"straighten-another-while-setting-{rules}",
            _CHOSEN,
            (*begun, lift(1500, point="d1"), black(1500, "a", point="f6"), white(1500, "a", "b", point="d1")),
            {"a": (50, 1500, 50), "b": (50, 950, 150)},
            **fields,
        ),
        GridCase(
            "e",
            f"wrong-landing-first-{rules}",
            _CHOSEN,
            (*begun, black(1500, point="g7"), lift(1500, "a", point="g7"), black(1500, "a", "b", point="f6")),
            {"a": (100, 2000, 100), "b": (100, 900, 200)},
            **fields,
        ),
        GridCase(
            "e",
            f"boards-turn-before-it-is-shown-{rules}",
            _CHOSEN,
            (white(point="c3"), black("a", point="f6"), _choose("f6", 1000, "b")),
            {"a": (300, 1000, 50), "b": (0, 3000, 300)},
            **fields,
        ),
        GridCase(
            "e",
            f"wrong-guess-before-it-is-shown-{rules}",
            _CHOSEN,
            (
                white(point="c3"),
                black("a", point="g7"),
                _choose("f6", 1000, "b"),
                lift(1500, "b", point="g7"),
                black(2000, "b", point="f6"),
            ),
            {"a": (300, 1000, 50), "b": (0, 3000, 300)},
            **fields,
        ),
        *_captures(rules),
    )


def _captures(rules: str) -> tuple[GridCase, ...]:
    """White moves f4-f2; Black closes the mill a7 d7 g7 from g4 and takes a1, or d2 by mistake."""
    begun = (lift(point="f4"), white(300, point="f2"), _choose("g4-g7xa1", 1300), lift(1800, point="g4"))
    common: dict[str, Any] = {
        **StartPosition("d2 a1 f4 c4", "a7 d7 g4 b6").fields(),
        "lenient": True,
        "rules": rules,
        "meant": ("f4-f2", "g4-g7", "xa1"),
        "chosen": "g4-g7xa1",
    }
    return (
        GridCase(
            "e",
            f"wrong-capture-first-{rules}",
            _CHOSEN,
            (
                *begun,
                black(2300, point="g7"),
                lift(3100, point="d2"),
                white(3100, "a", point="d2"),
                lift(3100, "a", "b", point="a1"),
            ),
            {"a": (200, 2000, 100), "b": (100, 900, 200)},
            **common,
        ),
        GridCase(
            "e",
            f"error-then-landing-and-capture-at-once-{rules}",
            _CHOSEN,
            (
                *begun,
                black(2200, point="e3"),
                lift(2200, "a", point="e3"),
                black(2500, "a", point="g7"),
                lift(2500, "a", "b", point="a1"),
            ),
            {"a": (300, 2000, 100), "b": (-50, 90, 10)},
            **common,
        ),
        GridCase(
            "e",
            f"wrong-piece-first-{rules}",
            _CHOSEN,
            (
                *begun[:3],
                lift(1800, point="b6"),
                black(2200, point="d6"),
                lift(2200, "a", point="d6"),
                black(2500, "a", point="b6"),
                lift(2500, "a", "b", point="g4"),
                black(3000, "a", "b", point="g7"),
                lift(3800, "a", "b", point="a1"),
            ),
            {"a": (300, 2000, 100), "b": (50, 900, 200)},
            **common,
        ),
    )


BOARD_TURNS = tuple(case for rules in ("standard", "lasker", "the-mill") for case in _cases(rules))
