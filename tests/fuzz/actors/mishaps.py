"""Accidents of pieces: jolts, chips that drop out, pieces laid beside the points."""

from __future__ import annotations

from math import hypot

from tests.fuzz.actors.deeds import (
    HabitualHand,
    LiftOrPut,
    Script,
    SharedScene,
    actions_of,
    hand,
    play_in_order,
    some_turn,
)
from tests.fuzz.oracle.handiwork import ends

CHIPS = 3
STEP_MM, PIECE_MM = 40.0, 28.0
RIM = ([-20.0, 60.0], [-20.0, 180.0], [260.0, 60.0], [260.0, 180.0], [60.0, 260.0], [180.0, -20.0])
"""Places on the rim that no piece on a point reaches, in millimetres."""


def jolt(scene: SharedScene) -> HabitualHand | None:
    """One to six pieces fall off within half a second, and are put back in any order.

    One at least stays, since a board that is cleared ends the game.
    """
    standing = sorted(scene.moment.board)
    if len(standing) < 2:
        return None
    fallen = scene.luck.sample(standing, min(len(standing) - 1, scene.luck.randint(1, 6)))
    script = Script()
    for at, point in sorted((scene.between(0.0, 0.5), point) for point in fallen):
        script.at = at
        script.act(LiftOrPut(point))
    script.wait(scene.between(0.3, 3.0))
    scene.luck.shuffle(fallen)
    for point in fallen:
        script.act(LiftOrPut(point, scene.moment.board[point]))
        script.wait(scene.between(0.02, 0.8))
    return hand(script)


def swapped_colours(scene: SharedScene) -> HabitualHand | None:
    """Two fallen pieces are put back in each other's place, which is noticed after a while and corrected."""
    pairs = [
        (one, two)
        for one, owner in sorted(scene.moment.board.items())
        for two, other in sorted(scene.moment.board.items())
        if owner != other
    ]
    if not pairs:
        return None
    script, board = Script(), scene.moment.board
    pair = scene.luck.choice(pairs)
    for wait, points, owners in ((1.5, pair, pair[::-1]), (0.0, pair, pair)):
        for point in points:
            script.act(LiftOrPut(point))
            script.wait(scene.between(0.02, 0.25))
        script.wait(scene.between(0.3, 1.0))
        for point, owner in zip(points, owners, strict=True):
            script.act(LiftOrPut(point, board[owner]))
            script.wait(scene.between(0.1, 0.6))
        script.wait(wait)
    return hand(script)


def chip(scene: SharedScene) -> HabitualHand | None:
    """A multiplexer drops out for one to ten seconds while nobody touches the board."""
    if not scene.moment.board:
        return None
    script = Script()
    script.do(fault={"mux": scene.luck.randrange(CHIPS), "kind": "dead"})
    script.wait(scene.between(1.0, 10.0))
    script.do(repair=True)
    return hand(script)


def rim(scene: SharedScene) -> HabitualHand | None:
    """A piece is laid down on the rim or beside its point before it is set on it."""
    turn = some_turn(scene.moment, scene.luck)
    if turn is None:
        return None
    mover, script = scene.moment.to_move, Script()
    *carried, landing = actions_of(turn[:1], mover)
    script.wait(0.1)
    play_in_order(scene, script, carried)
    script.wait(scene.between(0.2, 0.8))
    places = [*RIM, *_beside(scene, landing.point, ends(turn[0])[0])]
    place = scene.luck.choice(places)
    script.do(put=place, piece=mover)
    script.wait(scene.between(0.1, 2.0))
    script.do(lift=place)
    script.wait(scene.between(0.1, 0.5))
    play_in_order(scene, script, [landing, *actions_of(turn[1:], mover)])
    return hand(script, turn)


def _beside(scene: SharedScene, point: str, left: str | None) -> list[list[float]]:
    """Places just beside a point where no other piece is in the way."""
    x, y = _place(point)
    spots = [[x + across, y + up] for across, up in ((13, 0), (-13, 0), (0, 13), (0, -13))]
    others = [_place(other) for other in scene.moment.board if other != left]
    return [spot for spot in spots if all(hypot(spot[0] - a, spot[1] - b) > PIECE_MM + 1 for a, b in others)]


def _place(point: str) -> tuple[float, float]:
    return (ord(point[0]) - ord("a")) * STEP_MM, (int(point[1]) - 1) * STEP_MM
