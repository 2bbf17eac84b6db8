"""Habits of people who play honestly but sloppily, within one turn; times are seconds."""

from __future__ import annotations

from tests.fuzz.actors.deeds import (
    TRIES,
    HabitualHand,
    LiftOrPut,
    Script,
    SharedScene,
    actions_of,
    hand,
    has_capture,
    play_in_order,
    some_turn,
)
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import ends


def plain_turn(scene: SharedScene) -> HabitualHand | None:
    """A turn in the order of its steps."""
    turn = some_turn(scene.moment, scene.luck)
    if turn is None:
        return None
    script = Script()
    play_in_order(scene, script, actions_of(turn, scene.moment.to_move))
    return hand(script, turn)


def slide(scene: SharedScene) -> HabitualHand | None:
    """A piece is pushed to the neighbouring point."""
    near = plain.neighbours(scene.moment.rules)
    turn = some_turn(scene.moment, scene.luck, step=lambda text: ends(text) in near)
    return None if turn is None else _pushed(scene, turn, list(ends(turn[0])), scene.between(0.1, 0.8))


def drag(scene: SharedScene) -> HabitualHand | None:
    """A piece is pushed on a way over other points, which feel it pass."""
    for _ in range(TRIES):
        turn = some_turn(scene.moment, scene.luck, step=lambda text: "-" in text)
        way = None if turn is None else _way(scene, *ends(turn[0]))
        if turn is not None and way is not None and len(way) > 2:
            return _pushed(scene, turn, list(way), (len(way) - 1) * scene.between(0.08, 0.2))
    return None


def second_thought(scene: SharedScene) -> HabitualHand | None:
    """The last turn is done in another way: its piece goes to another point."""
    if scene.before is None or has_capture(scene.last):
        return None
    origin, landed = ends(scene.last[0])
    turn = some_turn(
        scene.before,
        scene.luck,
        captures=scene.luck.random() < 0.3,
        step=lambda text: ends(text)[0] == origin and ends(text)[1] != landed,
    )
    if turn is None or landed is None:
        return None
    script = Script()
    actions = actions_of(turn, scene.before.to_move)
    play_in_order(scene, script, [LiftOrPut(landed), *actions[bool(origin) :]])
    return hand(script, turn, undone=True)


def other_point(scene: SharedScene) -> HabitualHand | None:
    """The piece touches another point to which it could go, and goes on."""
    turn = some_turn(scene.moment, scene.luck)
    if turn is None:
        return None
    origin, target = ends(turn[0])
    others = sorted(
        ends(text)[1] or "" for text in plain.legal_steps(scene.moment) if ends(text)[0] == origin
    )
    tried = [point for point in others if point != target]
    if not tried or target is None:
        return None
    mover, script = scene.moment.to_move, Script()
    point = scene.luck.choice(tried)
    play_in_order(scene, script, [*([LiftOrPut(origin)] if origin else []), LiftOrPut(point, mover)])
    script.wait(scene.between(0.03, 0.15))
    script.act(LiftOrPut(point))
    script.wait(scene.between(0.1, 0.6))
    play_in_order(scene, script, [LiftOrPut(target, mover), *actions_of(turn[1:], mover)])
    return hand(script, turn)


def capture_any_order(scene: SharedScene) -> HabitualHand | None:
    """The captured piece is taken before the mill is closed, or while its last piece is in the air."""
    turn = some_turn(scene.moment, scene.luck)
    if turn is None or len(turn) != 2 or not has_capture(turn):
        return None
    *own, taken = actions_of(turn, scene.moment.to_move)
    own.insert(scene.luck.randrange(len(own)), taken)
    script = Script()
    play_in_order(scene, script, own)
    return hand(script, turn)


def capture_back(scene: SharedScene) -> HabitualHand | None:
    """A capture is taken back: its piece is lifted, the captured one put back, and the first returned."""
    if scene.before is None or len(scene.last) != 2 or not has_capture(scene.last):
        return None
    (origin, landed), (taken, _) = map(ends, scene.last)
    if landed is None or taken is None:
        return None
    mover, script = scene.before.to_move, Script()
    returned = [LiftOrPut(origin, mover)] if origin else []
    play_in_order(scene, script, [LiftOrPut(landed), LiftOrPut(taken, plain.OTHER[mover]), *returned])
    return HabitualHand(tuple(script.deeds), (), lasts=script.at, back=1)


def brush(scene: SharedScene) -> HabitualHand | None:
    """A piece beside the captured one is brushed, 100 to 220 ms."""
    return _brushed(scene, scene.between(0.1, 0.22))


def brush_slow(scene: SharedScene) -> HabitualHand | None:
    """A piece beside the captured one is brushed, 50 to 700 ms."""
    return _brushed(scene, scene.between(0.05, 0.7))


def straighten(scene: SharedScene) -> HabitualHand | None:
    """Any piece is straightened during the turn, 20 to 250 ms."""
    return _straightened(scene, scene.between(0.02, 0.25))


def straighten_slow(scene: SharedScene) -> HabitualHand | None:
    """Any piece is straightened during the turn, 20 to 900 ms."""
    return _straightened(scene, scene.between(0.02, 0.9))


def bounce(scene: SharedScene) -> HabitualHand | None:
    """The piece touches its point, bounces, and lands; often where the last captured piece stood."""
    taken = {step[1:] for step in scene.last if step[0] == "x"}
    turn = some_turn(scene.moment, scene.luck, step=lambda text: ends(text)[1] in taken)
    turn = turn or some_turn(scene.moment, scene.luck)
    if turn is None:
        return None
    mover, script = scene.moment.to_move, Script()
    *carried, landing = actions_of(turn[:1], mover)
    play_in_order(scene, script, [*carried, landing])
    script.wait(scene.between(0.01, 0.2))
    script.act(LiftOrPut(landing.point))
    script.wait(scene.between(0.05, 0.9))
    play_in_order(scene, script, [landing, *actions_of(turn[1:], mover)])
    return hand(script, turn)


def _pushed(scene: SharedScene, turn: tuple[str, ...], way: list[str | None], seconds: float) -> HabitualHand:
    script = Script()
    script.do(slide=way, seconds=round(seconds, 3), meanwhile=True)
    script.wait(seconds + scene.between(0.2, 1.2))
    play_in_order(scene, script, actions_of(turn[1:], scene.moment.to_move))
    return hand(script, turn)


def _way(scene: SharedScene, origin: str | None, target: str | None) -> list[str] | None:
    """A random way along the lines over empty points."""
    near = plain.neighbours(scene.moment.rules)
    way = [str(origin)]
    while way[-1] != target and len(way) < 6:
        on = [two for one, two in sorted(near) if one == way[-1] and two not in way]
        free = [point for point in on if point not in scene.moment.board]
        if not free:
            return None
        way.append(scene.luck.choice(free))
    return way if way[-1] == target else None


def _brushed(scene: SharedScene, seconds: float) -> HabitualHand | None:
    for _ in range(TRIES):
        turn = some_turn(scene.moment, scene.luck)
        if turn is None or len(turn) != 2 or not has_capture(turn):
            return None
        taken = turn[1][1:]
        near = [two for one, two in sorted(plain.neighbours(scene.moment.rules)) if one == taken]
        beside = [p for p in near if scene.moment.board.get(p) == plain.OTHER[scene.moment.to_move]]
        if beside:
            break
    else:
        return None
    point = scene.luck.choice(beside)
    script = Script()
    play_in_order(scene, script, actions_of(turn[:1], scene.moment.to_move))
    script.wait(scene.between(0.3, 1.5))
    offset = scene.between(0.012, 0.25) if scene.luck.random() < 0.75 else -scene.between(0.012, 0.25)
    brushed, lifted = script.at + max(0.0, -offset), script.at + max(0.0, offset)
    for at, action in (
        (brushed, LiftOrPut(point)),
        (brushed + seconds, LiftOrPut(point, plain.OTHER[scene.moment.to_move])),
        (lifted, LiftOrPut(taken)),
    ):
        script.at = at
        script.act(action)
    return hand(script, turn)


def _straightened(scene: SharedScene, seconds: float) -> HabitualHand | None:
    made = plain_turn(scene)
    if made is None:
        return None
    touched = {deed.line.get("lift") or deed.line.get("put") for deed in made.deeds}
    target = ends(made.steps[0])[1]
    still = sorted(set(scene.moment.board) - touched)
    landed = next(deed.at for deed in made.deeds if deed.line.get("put") == target)
    script = Script(deeds=list(made.deeds))
    if not still or scene.luck.random() < 0.15:
        point, colour = str(target), scene.moment.to_move
        script.at = landed + scene.between(0.05, 1.0)
    else:
        point = scene.luck.choice(still)
        colour = scene.moment.board[point]
        script.at = max(0.0, scene.between(-0.3, made.deeds[-1].at + 1.0))
    script.act(LiftOrPut(point))
    script.wait(seconds)
    script.act(LiftOrPut(point, colour))
    return hand(script, made.steps)
