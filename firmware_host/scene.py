"""What the light shall say, by meaning: cues for each point, and nothing of colours or time.

Rules kept here: error cues stand alone, so that nothing competes with them; after the end of a game
nothing is shown as an error; what is lit as legal is exactly what the verdict says can still be done.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from firmware_host.games.game import Game, Player, Step
from firmware_host.games.layout import Layout, Point
from firmware_host.ports import NOTHING, Frame
from firmware_host.verdict import Fit, Lifted, Mismatch, Verdict


class Cue(enum.Enum):
    """A meaning that one point's light can have."""

    MOVABLE = "movable"
    DESTINATION = "destination"
    MILL = "mill"
    REMOVABLE = "removable"
    LIFTED = "lifted"
    LAST_MOVE = "last-move"
    MISSING = "missing"
    EXTRA = "extra"
    WRONG = "wrong"
    HINT = "hint"
    WINNER = "winner"
    CLEAR = "clear"
    BROKEN = "broken"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Scene:
    """The cues of each point that has any, and whose turn it is (None: nobody's)."""

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
    """The scene of a game in play, or just over, whose board was last found to be `verdict`.

    `hints`: whether legal moves are lit. `chosen`: the only turn that may be done now, where there is one.
    `accepted`: as much of the game as may be shown as accepted (None: all of it); what can be done next is
    shown whether it is or not.
    """
    cues: dict[Point, set[Cue]] = defaultdict(set)
    accepted = accepted or game
    if game.outcome is not None:
        _show_end(game, accepted, cues)
        return _scene(cues, None)
    match verdict:
        case Mismatch():
            _light(cues, Cue.MISSING, verdict.missing)
            _light(cues, Cue.EXTRA, verdict.extra)
            _light(cues, Cue.WRONG, verdict.wrong)
        case Lifted() if verdict.points or verdict.fits:
            _light(cues, Cue.LIFTED, verdict.points)
            for fit in verdict.fits:
                _show_fit(fit, cues)
        case _:
            _light(cues, Cue.LAST_MOVE, _landed(game, accepted))
            steps = game.position.legal_steps()
            for step in steps if chosen is None else chosen[:1]:
                _show_step(step, 0, game.position.to_move, cues)
    if chosen is not None and not isinstance(verdict, Mismatch):
        _light(cues, Cue.HINT, {point for step in chosen for point in (step.origin, step.target) if point})
    closed = accepted.ply > game.turn_starts[-1]
    if game.position.removal_due and closed and not isinstance(verdict, Mismatch):
        _light(cues, Cue.MILL, game.position.closed)
    if not hints:
        for point in cues:
            cues[point] -= {Cue.MOVABLE, Cue.DESTINATION}
    return _scene(cues, game.position.to_move)


def ask_to_clear(layout: Layout, frame: Frame) -> Scene:
    """The scene of a board that must be cleared before a game can begin."""
    return _scene({p: {Cue.CLEAR} for p in layout.points if frame[p.index] != NOTHING}, None)


def _show_end(game: Game, accepted: Game, cues: dict[Point, set[Cue]]) -> None:
    _light(cues, Cue.LAST_MOVE, _landed(game, accepted))
    if accepted.outcome is None:
        return
    winner = accepted.outcome.winner
    layout = game.rules.layout
    for point, piece in zip(layout.points, game.position.standing, strict=True):
        if piece is not None and piece.owner is winner:
            cues[point].add(Cue.WINNER)


def _show_fit(fit: Fit, cues: dict[Point, set[Cue]]) -> None:
    """Light what is next in a turn that is begun, where a piece has landed, and where one in hand may go."""
    for step, stage in zip(fit.turn.steps, fit.done, strict=True):
        if _is_in_hand(step, stage):
            _show_step(step, stage, fit.turn.begun_at.to_move, cues)
    for step, stage in zip(fit.turn.steps, fit.done, strict=True):
        if step.target is None and (step.origin is None or stage):
            continue  # done by no hand, or off the board already
        _show_step(step, stage, fit.turn.begun_at.to_move, cues)
        if not stage or step.target is None or _is_in_hand(step, stage):
            return


def _is_in_hand(step: Step, stage: int) -> bool:
    return step.origin is not None and step.target is not None and stage == 1


def _show_step(step: Step, stage: int, to_move: Player, cues: dict[Point, set[Cue]]) -> None:
    """Light where hands go next; a piece of the other player has to leave its point, whither ever."""
    if step.target is None:
        if step.origin is not None:
            cues[step.origin].add(Cue.REMOVABLE)
    elif step.origin is not None and stage == 0:
        own = step.piece is None or step.piece.owner is to_move
        cues[step.origin].add(Cue.MOVABLE if own else Cue.REMOVABLE)
    else:
        cues[step.target].add(Cue.DESTINATION)


def _landed(game: Game, accepted: Game) -> set[Point]:
    """Where the last turn's pieces landed, as far as it is accepted."""
    return {step.target for step in game.steps[game.last_turn : accepted.ply] if step.target is not None}


def _light(cues: dict[Point, set[Cue]], cue: Cue, points: Iterable[Point]) -> None:
    for point in points:
        cues[point].add(cue)


def _scene(cues: Mapping[Point, set[Cue]], to_move: Player | None) -> Scene:
    return Scene({point: frozenset(meanings) for point, meanings in cues.items() if meanings}, to_move)
