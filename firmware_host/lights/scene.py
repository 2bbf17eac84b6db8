"""The meaning of the light: cues for each point, without colours or time.

Invariants: error cues stand alone, so that nothing competes with them. After the end of a game nothing is
shown as an error. Exactly the steps are lit as legal that the verdict leaves possible: none while it is open
what was played, or a take-back waits.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field

from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player, Position, Step
from firmware_host.games.layout import Layout, Point
from firmware_host.games.values import Result, TurnResults
from firmware_host.lights.bars import Bar
from firmware_host.lights.cues import Cue
from firmware_host.ports import NOTHING, Frame
from firmware_host.tracking.verdict import (
    InProgress,
    Mismatch,
    PartialTurn,
    Settled,
    TakingBack,
    Undecided,
    Verdict,
)

# ---- the results of turns -------------------------------------------------------------------------------
# The knowledge behind the light that knows: the result of each turn of one position.
#
# **Invariants:** a point has the best result of the turns that begin or go on there, for the player to move.
# A turn of which nothing is proved could win: unless another turn there wins, the point's result is unknown
# too. A turn is suggested only if nothing is proved of any.


CUES: Mapping[Result, Cue] = {
    Result.WIN: Cue.HINT_WINS,
    Result.DRAW: Cue.HINT_DRAWS,
    Result.LOSS: Cue.HINT_LOSES,
}
"""The cue of each result; an unknown one has none."""

_ORDER = {Result.LOSS: 0, Result.DRAW: 1, Result.UNKNOWN: 2, Result.WIN: 3}
_POINT = re.compile("[a-g][1-7]")


class Knowledge:
    """The result of every turn, or rest of one, of a position; it never changes."""

    def __init__(self, game: Game, results: TurnResults) -> None:
        """Keep the `results` of the turns from the position of `game`."""
        self.position: Position = game.position
        self._rules = game.rules
        steps = self.position.legal_steps()
        points = (step.origin or step.target for step in steps)
        self._points = {point.name: point for point in points if point is not None}
        self._results = {_in_order(text): result for text, result in results}
        self.at_rest: Mapping[Point, Result] = self._first_points(results)
        """The result of each point while no turn has begun."""
        self._suggested = _in_order(results[0][0]) if results and self.is_empty else None
        self.suggested_at_rest = self._beginning(results[0][0]) if self._suggested else frozenset()
        """The points where the suggested turn begins."""

    @property
    def is_empty(self) -> bool:
        """True if no point has a known result while no turn has begun."""
        return all(result is Result.UNKNOWN for result in self.at_rest.values())

    @property
    def suggests(self) -> bool:
        """True if it is empty, but a turn is suggested: the first that the engine named."""
        return self._suggested is not None

    def is_suggested(self, steps: tuple[Step, ...]) -> bool:
        """Return whether this turn is suggested; removals in another order are the same turn."""
        return self._suggested is not None and self._suggested == _in_order(self._rules.turn_text(steps))

    def of_turn(self, steps: tuple[Step, ...]) -> Result:
        """Return the result of a turn; removals in another order are the same turn."""
        return self._results.get(_in_order(self._rules.turn_text(steps)), Result.UNKNOWN)

    def explains(self, fits: Iterable[PartialTurn]) -> bool:
        """Return True if all of these are turns of this position, played by its player."""
        return all(
            fit.turn.begun_at == self.position and (len(fit.turn.steps) == 1 or _is_action(fit.turn.steps[0]))
            for fit in fits
        )

    def _first_points(self, results: TurnResults) -> dict[Point, Result]:
        found: dict[Point, Result] = {}
        for text, result in results:
            for point in self._beginning(text):
                found[point] = better(found.get(point), result)
        return {point: found.get(point, Result.UNKNOWN) for point in self._points.values()}

    def _beginning(self, turn: str) -> frozenset[Point]:
        """Return the points where a turn can begin."""
        names = _POINT.findall(turn)
        # Removals can be done in any order; of any other turn the first action comes first.
        first = names if turn.startswith("x") else names[:1]
        return frozenset(self._points[name] for name in first if name in self._points)


def better(one: Result | None, other: Result) -> Result:
    """Return the better of two results for the player who can choose."""
    return other if one is None else max(one, other, key=_ORDER.__getitem__)


def _in_order(turn: str) -> str:
    """Return the text of a turn with its removals sorted."""
    landing, *removed = turn.split("x")
    return "x".join((landing, *sorted(removed))) if len(removed) > 1 else turn


def _is_action(step: Step) -> bool:
    return step.origin is not None or step.target is not None


# ---- scenes ---------------------------------------------------------------------------------------------


@frozen(slots=False)
class Scene:
    """The cues of each point that has any, and the player to move (None: neither)."""

    cues: Mapping[Point, frozenset[Cue]] = field(default_factory=dict)
    to_move: Player | None = None
    hurries: bool = False
    """True if the player to move has little time left, which only the lights can say."""
    bars: tuple[Bar, Bar] | None = None
    """The side bars of White and Black; None if there are none, or nothing to show."""


def compose(
    game: Game,
    verdict: Verdict,
    *,
    hints: bool,
    chosen: tuple[Step, ...] | None = None,
    leads: bool = False,
    accepted: Game | None = None,
    known: Knowledge | None = None,
) -> Scene:
    """Return the scene of a game in play, or just over, whose last verdict is `verdict`.

    `hints` lights legal moves. `chosen` is the only turn that may be played now; if the light `leads` hands
    through it, only what follows the next action is a hint. `accepted` is as much of the game as may be shown
    as accepted (None: all of it); the next steps are shown either way. The `known`
    results of turns are lit instead of their legality.
    """
    cues: dict[Point, set[Cue]] = defaultdict(set)
    accepted = accepted or game
    if isinstance(verdict, TakingBack):
        _light(cues, Cue.TAKE_BACK, verdict.points)  # also of the turns that ended the game
    elif game.outcome is not None:
        _show_end(game, accepted, cues)
        return _scene(cues, None)
    elif isinstance(verdict, Mismatch):
        _show_mismatch(verdict, cues)
    elif isinstance(verdict, Undecided):
        _light(cues, Cue.LIFTED, verdict.vacated)
        _light(cues, Cue.UNCLEAR, verdict.points)
    else:
        _show_turn(game, verdict, chosen, accepted, cues)
        _show_hint(chosen or (), cues, leads=leads)
    if not hints:
        _hide_legal(cues, _points(chosen or ()) if leads else frozenset())
    if known is not None and known.position is game.position:
        _show_knowledge(known, verdict, cues)
    return _scene(cues, game.position.to_move)


def _show_turn(
    game: Game,
    verdict: Verdict,
    chosen: tuple[Step, ...] | None,
    accepted: Game,
    cues: dict[Point, set[Cue]],
) -> None:
    """Light the turn that is due, begun or not."""
    if isinstance(verdict, InProgress) and (verdict.points or verdict.fits):
        _show_lifted(verdict, cues)
    else:
        _show_rest(game, chosen, accepted, cues)
    _show_aims(game, accepted, cues)


def _hide_legal(cues: dict[Point, set[Cue]], led: frozenset[Point]) -> None:
    """Darken legal moves, except at the points to which the light has led hands."""
    for point in cues.keys() - led:
        cues[point] -= {Cue.MOVABLE, Cue.DESTINATION, Cue.GOAL}


def resting_scene(game: Game, accepted: Game, *, asleep: bool) -> Scene:
    """Return the scene of a board that nobody uses: where the last turn landed, for the player to move.

    One that is `asleep` has one light alone.
    """
    steps = game.steps[game.last_turn : accepted.ply]
    landed = [step.target for step in steps if step.target is not None] or [game.rules.layout.points[0]]
    lit = landed[-1:] if asleep else landed
    return Scene(dict.fromkeys(lit, frozenset({Cue.RESTING})), game.position.to_move)


def countdown_scene(layout: Layout, left: int) -> Scene:
    """Return the scene of a board that is about to go off: the first `left` points of its outer ring."""
    outer = max(point.x for point in layout.points), max(point.y for point in layout.points)
    ring = [p for p in layout.points if p.x in (0, outer[0]) or p.y in (0, outer[1])]
    return Scene({point: frozenset({Cue.GOING_OFF}) for point in ring[: max(left, 1)]})


def own_wifi_scene(layout: Layout) -> Scene:
    """Return the scene of a board whose own Wi-Fi is open: waves that rise from its centre."""
    middle = max(point.x for point in layout.points) / 2
    waves = [p for p in layout.points if p.x == middle and p.y > middle]
    return Scene(dict.fromkeys(waves, frozenset({Cue.OWN_WIFI})))


def clear_board_scene(layout: Layout, frame: Frame) -> Scene:
    """Return the scene of a board that must be cleared before a game can begin."""
    return _scene({p: {Cue.CLEAR} for p in layout.points if frame[p.index] != NOTHING}, None)


def _show_knowledge(known: Knowledge, verdict: Verdict, cues: dict[Point, set[Cue]]) -> None:
    """Light what is known of the next action at each point, and no legal action of which nothing is known.

    The pieces of which one has to be taken or moved away stay lit. If nothing is known of any, the light is
    as without knowledge, but for the turn that is suggested.
    """
    results = _results(known, verdict)
    if all(result is Result.UNKNOWN for result in results.values()):
        _light(cues, Cue.SUGGESTED, _suggested(known, verdict))
        return
    for point, result in results.items():
        cues[point] -= {Cue.MOVABLE, Cue.DESTINATION}
        if result is not Result.UNKNOWN:
            cues[point].add(CUES[result])


def _results(known: Knowledge, verdict: Verdict) -> Mapping[Point, Result]:
    """Return the result of each point at which the turn can begin or go on."""
    if _is_at_rest(verdict):
        return known.at_rest
    found: dict[Point, Result] = {}
    for points, steps in _continuations(known, verdict):
        result = known.of_turn(steps)
        for point in points:
            found[point] = better(found.get(point), result)
    return found


def _suggested(known: Knowledge, verdict: Verdict) -> Collection[Point]:
    """Return the points at which the suggested turn can begin or go on; none if another one has begun."""
    if not known.suggests:
        return ()
    if _is_at_rest(verdict):
        return known.suggested_at_rest
    runs = _continuations(known, verdict)
    return {point for points, steps in runs if known.is_suggested(steps) for point in points}


def _is_at_rest(verdict: Verdict) -> bool:
    """Return whether no action of a turn has begun."""
    return isinstance(verdict, Settled) or (
        isinstance(verdict, InProgress) and not (verdict.points or verdict.fits)
    )


def _continuations(
    known: Knowledge, verdict: Verdict
) -> Iterator[tuple[Collection[Point], tuple[Step, ...]]]:
    """Yield the whole turns that may have begun, each with the points at which it can go on."""
    if isinstance(verdict, InProgress) and known.explains(verdict.fits):
        for fit in verdict.fits:
            lit: dict[Point, set[Cue]] = defaultdict(set)
            _show_fit(fit, lit)
            for steps in fit.whole_turns():
                yield lit, steps


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


def _show_aims(game: Game, accepted: Game, cues: dict[Point, set[Cue]]) -> None:
    """Light the aims of a turn, begun or not: a mill that was closed, and goals."""
    if game.position.removal_due and accepted.ply > game.turn_starts[-1]:
        _light(cues, Cue.MILL, game.position.closed)
    _light(cues, Cue.GOAL, game.position.goals)


def _show_hint(chosen: tuple[Step, ...], cues: dict[Point, set[Cue]], *, leads: bool) -> None:
    """Light the points of the chosen turn's next step, except a piece that it takes.

    If the light leads, all that follows the next action is lit: other cues say what to do with a piece.
    """
    steps = chosen if leads else [step for step in chosen[:1] if step.target is not None]
    for point in _points(steps):
        if not (leads and cues[point] & _ACTIONS):
            cues[point].add(Cue.HINT)


_ACTIONS = {Cue.MOVABLE, Cue.DESTINATION, Cue.REMOVABLE, Cue.RELOCATABLE, Cue.LIFTED}


def _points(steps: Iterable[Step]) -> frozenset[Point]:
    """Return the points that the steps touch."""
    return frozenset(p for step in steps for p in (step.origin, step.target) if p is not None)


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
