"""The meaning of the light: cues for each point, without colours or time.

Invariants: error cues stand alone, so that nothing competes with them. After the end of a game nothing is
shown as an error. Exactly the steps are lit as legal that the verdict leaves possible: none while it is open
what was played, or a take-back waits.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from firmware_host.games.game import Game, Player, Step
from firmware_host.games.layout import Layout, Point
from firmware_host.ports import NOTHING, Frame
from firmware_host.tracking.verdict import InProgress, Mismatch, PartialTurn, TakingBack, Undecided, Verdict


class Cue(enum.Enum):
    """A meaning that one point's light can have."""

    MOVABLE = "movable"
    DESTINATION = "destination"
    MILL = "mill"
    REMOVABLE = "removable"
    RELOCATABLE = "relocatable"
    LIFTED = "lifted"
    LAST_MOVE = "last-move"
    GOAL = "goal"
    MISSING = "missing"
    EXTRA = "extra"
    WRONG = "wrong"
    UNCLEAR = "unclear"
    TAKE_BACK = "take-back"
    HINT = "hint"
    WINNER = "winner"
    CLEAR = "clear"
    BROKEN = "broken"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Scene:
    """The cues of each point that has any, and the player to move (None: neither)."""

    cues: Mapping[Point, frozenset[Cue]] = field(default_factory=dict)
    to_move: Player | None = None


def compose(
    game: Game,
    verdict: Verdict,
    *,
    hints: bool,
    chosen: tuple[Step, ...] | None = None,
    accepted: Game | None = None,
) -> Scene:
    """Return the scene of a game in play, or just over, whose last verdict is `verdict`.

    `hints` lights legal moves. `chosen` is the only turn that may be played now, if there is one. `accepted`
    is as much of the game as may be shown as accepted (None: all of it); the next steps are shown either way.
    """
    cues: dict[Point, set[Cue]] = defaultdict(set)
    accepted = accepted or game
    if game.outcome is not None:
        _show_end(game, accepted, cues)
        return _scene(cues, None)
    if isinstance(verdict, Mismatch):
        _show_mismatch(verdict, cues)
    elif isinstance(verdict, Undecided):
        _light(cues, Cue.LIFTED, verdict.vacated)
        _light(cues, Cue.UNCLEAR, verdict.points)
    elif isinstance(verdict, TakingBack):
        _light(cues, Cue.TAKE_BACK, verdict.points)
    else:
        if isinstance(verdict, InProgress) and (verdict.points or verdict.fits):
            _show_lifted(verdict, cues)
        else:
            _show_rest(game, chosen, accepted, cues)
        _show_aims(game, chosen, accepted, cues)
    if not hints:
        for point in cues:
            cues[point] -= {Cue.MOVABLE, Cue.DESTINATION, Cue.GOAL}
    return _scene(cues, game.position.to_move)


def clear_board_scene(layout: Layout, frame: Frame) -> Scene:
    """Return the scene of a board that must be cleared before a game can begin."""
    return _scene({p: {Cue.CLEAR} for p in layout.points if frame[p.index] != NOTHING}, None)


def _show_mismatch(verdict: Mismatch, cues: dict[Point, set[Cue]]) -> None:
    _light(cues, Cue.MISSING, verdict.missing)
    _light(cues, Cue.EXTRA, verdict.extra)
    _light(cues, Cue.WRONG, verdict.wrong)


def _show_lifted(verdict: InProgress, cues: dict[Point, set[Cue]]) -> None:
    """Light the vacated points, and the continuations of each turn that may have begun."""
    _light(cues, Cue.LIFTED, verdict.points)
    for fit in verdict.fits:
        _show_fit(fit, cues)


def _show_rest(
    game: Game, chosen: tuple[Step, ...] | None, accepted: Game, cues: dict[Point, set[Cue]]
) -> None:
    """Light a board at rest: the last turn, and the next possible steps."""
    _light(cues, Cue.LAST_MOVE, _landings(game, accepted))
    if _earned_nothing(game, accepted):
        _light(cues, Cue.MILL, game.position.closed)
    steps = game.position.legal_steps()
    for step in steps if chosen is None else chosen[:1]:
        _show_step(step, 0, game.position.to_move, cues)


def _show_aims(
    game: Game, chosen: tuple[Step, ...] | None, accepted: Game, cues: dict[Point, set[Cue]]
) -> None:
    """Light the aims of a turn, begun or not: the chosen one, a mill that was closed, and goals."""
    for step in chosen or ():
        _light(cues, Cue.HINT, (point for point in (step.origin, step.target) if point))
    if game.position.removal_due and accepted.ply > game.turn_starts[-1]:
        _light(cues, Cue.MILL, game.position.closed)
    _light(cues, Cue.GOAL, game.position.goals)


def _show_end(game: Game, accepted: Game, cues: dict[Point, set[Cue]]) -> None:
    _light(cues, Cue.LAST_MOVE, _landings(game, accepted))
    if accepted.outcome is None:
        return
    winner = accepted.outcome.winner
    layout = game.rules.layout
    for point, piece in zip(layout.points, game.position.standing, strict=True):
        if piece is not None and piece.owner is winner:
            cues[point].add(Cue.WINNER)


def _show_fit(fit: PartialTurn, cues: dict[Point, set[Cue]]) -> None:
    """Light the next step of a turn in progress, each landing, and the destinations of a piece in hand."""
    movers = _movers(fit)
    for step, stage, player in zip(fit.turn.steps, fit.done, movers, strict=True):
        if _is_in_hand(step, stage):
            _show_step(step, stage, player, cues)
    for step, stage, player in zip(fit.turn.steps, fit.done, movers, strict=True):
        if step.target is None and (step.origin is None or stage):
            continue  # no physical action, or off the board already
        _show_step(step, stage, player, cues)
        if not stage or step.target is None or _is_in_hand(step, stage):
            return


def _movers(fit: PartialTurn) -> list[Player]:
    """Return the player of each step of the turn: after a step without physical action a reply may follow."""
    turn = fit.turn
    first = turn.steps[0]
    if first.origin or first.target:
        return [turn.begun_at.to_move] * len(turn.steps)
    return [position.to_move for position in (turn.begun_at, *turn.positions[:-1])]


def _is_in_hand(step: Step, stage: int) -> bool:
    return step.origin is not None and step.target is not None and stage == 1


def _show_step(step: Step, stage: int, to_move: Player, cues: dict[Point, set[Cue]]) -> None:
    """Light the next action; an opponent's piece has to leave its point, if not the board."""
    if step.target is None:
        if step.origin is not None:
            cues[step.origin].add(Cue.REMOVABLE)
    elif step.origin is not None and stage == 0:
        own = step.piece is None or step.piece.owner is to_move
        cues[step.origin].add(Cue.MOVABLE if own else Cue.RELOCATABLE)
    else:
        cues[step.target].add(Cue.DESTINATION)


def _landings(game: Game, accepted: Game) -> set[Point]:
    """Return the points where the last turn's pieces landed, as far as it is accepted."""
    return {step.target for step in game.steps[game.last_turn : accepted.ply] if step.target is not None}


def _earned_nothing(game: Game, accepted: Game) -> bool:
    """Return whether the last turn closed a mill but ended with its landing, since all pieces are protected.

    Lighting the mill shows the player that it counted.
    """
    whole = not game.mid_turn and accepted.ply == game.ply
    return whole and all(step.target is not None for step in game.steps[game.last_turn :])


def _light(cues: dict[Point, set[Cue]], cue: Cue, points: Iterable[Point]) -> None:
    for point in points:
        cues[point].add(cue)


def _scene(cues: Mapping[Point, set[Cue]], to_move: Player | None) -> Scene:
    return Scene({point: frozenset(meanings) for point, meanings in cues.items() if meanings}, to_move)
