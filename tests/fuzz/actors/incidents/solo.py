"""Habits of a person who plays White alone against the board; times are seconds.

Each hand begins with White's turn. Black's is chosen by a request, as an engine does, and carried out.
"""

from __future__ import annotations

from tests.fuzz.actors.deeds import (
    TRIES,
    HabitualHand,
    LiftOrPut,
    Script,
    SharedScene,
    actions_of,
    has_capture,
    play_in_order,
    played,
    some_turn,
)
from tests.fuzz.actors.incidents.shared import Turn, done, reply_to
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import ends, turn_text
from tests.fuzz.oracle.plain_rules import BLACK, WHITE


def plain_round(scene: SharedScene) -> HabitualHand | None:
    """Both turns without anything beside them."""
    round_ = _round(scene)
    if round_ is None:
        return None
    script = _chosen(scene, *round_)
    play_in_order(scene, script, actions_of(round_[1], BLACK))
    return _done(script, *round_)


def straighten_own(scene: SharedScene) -> HabitualHand | None:
    """The person straightens an own piece, mostly the last, while setting the board's piece down."""
    round_ = _round(scene)
    if round_ is None:
        return None
    turn, chosen = round_
    after = played(scene.moment, turn)
    touched = {point for step in chosen for point in ends(step) if point}
    own = [point for point in plain.on_board(after, WHITE) if point not in touched]
    landed = ends(turn[0])[1]
    if not own:
        return None
    point = landed if landed in own and scene.luck.random() < 0.7 else scene.luck.choice(own)
    script = _chosen(scene, turn, chosen)
    *before, landing = actions_of(chosen[:1], BLACK)
    play_in_order(scene, script, before)
    script.wait(scene.between(0.1, 0.5))
    script.act(LiftOrPut(str(point)))
    script.wait(scene.between(0.05, 1.3))
    script.act(landing)
    script.wait(scene.between(0.05, 0.6))
    script.act(LiftOrPut(str(point), WHITE))
    script.wait(scene.between(0.2, 0.8))
    play_in_order(scene, script, actions_of(chosen[1:], BLACK))
    return _done(script, turn, chosen)


def wrong_piece(scene: SharedScene) -> HabitualHand | None:
    """Another piece of the board goes somewhere first, and is put back before the right one moves."""
    round_ = _round(scene)
    if round_ is None:
        return None
    turn, chosen = round_
    after = played(scene.moment, turn)
    origin, target = ends(chosen[0])
    others = [point for point in plain.on_board(after, BLACK) if point not in (origin, chosen[-1][1:])]
    free = [point for point in plain.empty(after) if point != origin]
    if not others:
        return None
    piece = scene.luck.choice(others)
    point = str(target) if scene.luck.random() < 0.5 else scene.luck.choice(free)
    script = _chosen(scene, turn, chosen)
    play_in_order(scene, script, [LiftOrPut(piece), LiftOrPut(point, BLACK)])
    script.wait(scene.between(0.3, 2.0))
    play_in_order(scene, script, [LiftOrPut(point), LiftOrPut(piece, BLACK), *actions_of(chosen, BLACK)])
    return _done(script, turn, chosen)


def wrong_landing(scene: SharedScene) -> HabitualHand | None:
    """The board's piece lands on another point first, then on the lit one; its capture follows at once."""
    round_ = _round(scene)
    if round_ is None:
        return None
    turn, chosen = round_
    target = ends(chosen[0])[1]
    free = [point for point in plain.empty(played(scene.moment, turn)) if point != target]
    if not free:
        return None
    point = scene.luck.choice(free)
    script = _chosen(scene, turn, chosen)
    *before, landing = actions_of(chosen[:1], BLACK)
    play_in_order(scene, script, [*before, LiftOrPut(point, BLACK)])
    script.wait(scene.between(0.3, 2.0))
    play_in_order(scene, script, [LiftOrPut(point), landing])
    for step in chosen[1:]:
        script.wait(scene.between(0.02, 0.5))
        script.act(LiftOrPut(step[1:]))
    return _done(script, turn, chosen)


def wrong_capture(scene: SharedScene) -> HabitualHand | None:
    """A piece is taken that the board has not chosen, then put back, and the chosen one taken."""
    for _ in range(TRIES):
        round_ = _round(scene)
        if round_ is None:
            return None
        turn, chosen = round_
        closed = played(scene.moment, (*turn, *chosen[:-1]))
        others = sorted(plain.legal_steps(closed) - {"x-", chosen[-1]}) if has_capture(chosen) else []
        if others and len(chosen) == 2:
            break
    else:
        return None
    wrong, script = scene.luck.choice(others)[1:], _chosen(scene, turn, chosen)
    play_in_order(scene, script, [*actions_of(chosen[:1], BLACK), LiftOrPut(wrong)])
    script.wait(scene.between(0.3, 2.0))
    fixed = [LiftOrPut(wrong, WHITE), LiftOrPut(chosen[1][1:])]
    scene.luck.shuffle(fixed)
    play_in_order(scene, script, fixed)
    return _done(script, turn, chosen)


def before_shown(scene: SharedScene) -> HabitualHand | None:
    """The person guesses the board's turn and plays it before it is shown; a wrong guess is put back.

    A guess that leads to the captured piece's point looks like another capture, and is not made.
    """
    round_ = _round(scene)
    if round_ is None:
        return None
    turn, chosen = round_
    guess = chosen if scene.luck.random() < 0.5 else some_turn(played(scene.moment, turn), scene.luck)
    if guess is None or has_capture(guess) or has_capture(chosen):
        return None
    taken = {origin for origin, target in map(ends, turn) if target is None}
    if taken & {target for _, target in map(ends, guess)}:
        return None
    script = Script()
    play_in_order(scene, script, actions_of(turn, WHITE))
    script.wait(scene.between(0.35, 1.0))
    play_in_order(scene, script, actions_of(guess, BLACK))
    script.wait(scene.between(0.1, 2.0))
    script.do(do="choose", turn=turn_text(chosen))
    script.wait(scene.between(0.3, 2.0))
    if guess != chosen:
        origin, target = ends(guess[0])
        back = [LiftOrPut(str(target)), *([LiftOrPut(origin, BLACK)] if origin else [])]
        play_in_order(scene, script, [*back, *actions_of(chosen, BLACK)])
    return _done(script, turn, chosen)


def _round(scene: SharedScene) -> tuple[Turn, Turn] | None:
    if scene.moment.to_move != WHITE or scene.moment.rules.removal == "may":
        return None
    turn = some_turn(scene.moment, scene.luck, captures=scene.luck.random() < 0.5)
    reply = None if turn is None else reply_to(scene, turn, captures=scene.luck.random() < 0.7)
    return None if turn is None or reply is None else (turn, reply)


def _chosen(scene: SharedScene, turn: Turn, chosen: Turn) -> Script:
    """White's turn, and the board's choice, which is lit."""
    script = Script()
    play_in_order(scene, script, actions_of(turn, WHITE))
    script.wait(scene.between(0.8, 1.5))
    script.do(do="choose", turn=turn_text(chosen))
    script.wait(scene.between(0.3, 1.2))
    return script


def _done(script: Script, turn: Turn, chosen: Turn) -> HabitualHand:
    asked = next(deed.at for deed in script.deeds if "do" in deed.line)
    return done(script, turn, chosen, chosen=turn_text(chosen), due=(asked, script.at))
