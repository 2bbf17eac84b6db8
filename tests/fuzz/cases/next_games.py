"""Case b: the next game is begun while old pieces stand, after a win, a resignation and a draw."""

from __future__ import annotations

from tests.fuzz.grid_cases import GridCase, Line, StartPosition, lift, white

_NEXT = "The next game begins once the old pieces are off, or its first piece is lit as one to clear."
_LAST = StartPosition("b2 d7 g4 a7", "e3 f2 d1")
_ENDINGS: dict[str, tuple[Line, ...]] = {
    "won": (lift(point="g4"), white(300, point="g7"), lift(1100, point="e3"), ((1200,), {"box": True})),
    "resigned": (
        ((), {"do": "resign"}),
        lift(400, point="g4"),
        lift(800, point="e3"),
        ((900,), {"box": True}),
    ),
    "drawn": (((), {"do": "draw"}), lift(400, point="g4"), lift(800, point="e3"), ((900,), {"box": True})),
}
_CLEARED_MS = 2600
_FROM_MS = 4400


def _case(ending: str, rules: str, left: int) -> GridCase:
    """The first new piece is set down while `left` old ones stand, which leave every `b` milliseconds."""
    old = ["g7" if ending == "won" else "b2", *(["b2"] if ending == "won" else []), "a7", "d7", "d1", "f2"]
    early, late = old[:-left], old[-left:]
    off = [lift(_CLEARED_MS + 300 * number, point=point) for number, point in enumerate(early)]
    last = [lift(_FROM_MS, "a", *["b"] * number, point=point) for number, point in enumerate(late)]
    boxed: list[Line] = [
        ((_FROM_MS - 100,), {"box": True}),
        ((_FROM_MS + 200, "a", *["b"] * left), {"box": True}),
    ]
    return GridCase(
        "b",
        f"next-game-with-{left}-old-{ending}-{rules}",
        _NEXT,
        (*_ENDINGS[ending], *off, white(_FROM_MS, point="d6"), *last, *boxed),
        {"a": (100, 5000, 350), "b": (100, 1300, 400)},
        ("d6",),
        lenient=True,
        ends_game=True,
        rules=rules,
        **_LAST.fields(),
    )


NEXT_GAMES = tuple(
    _case(ending, rules, left)
    for rules in ("standard", "lasker", "twelve")
    for ending in _ENDINGS
    for left in (1, 2, 3)
)
