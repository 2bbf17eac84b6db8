"""The turns that may be in progress when a board gives a frame.

A turn is a set of actions: lift the piece that moves, set it down, lift the piece that is removed. They may
be done in any order, except that a piece lands only after it has left its origin, and that the actions at one
stack follow the turn's order. Some of the actions of one turn, done on a base position, give a frame; the
frame then **fits** the base. An action that changes no reading counts as done with the next one of its step.

Of a turn only the beginning is known: the steps up to the last that has begun, and at least up to the first
that is not done.

Steps without a physical action (a declined removal) give no frame of their own. If a turn consists of
nothing else, the opponent's turns are appended to it here, since playing one of them is what declines.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Iterator, Mapping, Set

from firmware_host.games.game import Piece, Position, Step, Turn
from firmware_host.ports import Frame, Reading
from firmware_host.tracking.moves import Permission
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.verdict import PartialTurn

_CACHE_SIZE = 64
"""The number of frames whose result is cached; a turn in progress gives few."""

_Action = tuple[int, int]
"""A lift or a landing: the number of its step in a turn, and the index of its point."""


class CandidateTurns:
    """A position, and every frame that its turns can give while they are played."""

    def __init__(
        self,
        position: Position,
        sensors: SensorModel,
        permission: Permission | None = None,
        chosen: tuple[Step, ...] = (),
    ) -> None:
        """Narrow the legal turns to those that the `permission` allows, and that begin with `chosen`."""
        self.position = position
        self.frame = sensors.expected(position)
        self._sensors = sensors
        self._stacks = position.stacks
        self._permission = permission or Permission()
        self._chosen = chosen
        self._results: dict[Frame, tuple[PartialTurn, ...]] = {}
        self._reached: dict[tuple[str, ...], Position] = {(): position}

    def fits(self, frame: Frame) -> tuple[PartialTurn, ...]:
        """Return every way in which `frame` comes from some actions of one turn; none for the base's own."""
        if frame not in self._results:
            if len(self._results) > _CACHE_SIZE:
                self._results.clear()
                self._reached = {(): self.position}
            self._results[frame] = tuple(self._all_fits(frame))
        return self._results[frame]

    def explains_except(self, frame: Frame, but: int) -> bool:
        """Return whether some frame of the base differs from `frame` at the point `but` alone."""
        stack, box = self._stacks[but], self.position.rules.box
        stacks = (lower + top for lower in (stack, stack[:-1]) for top in ((), *((piece,) for piece in box)))
        readings = {self._sensors.reading(one, but) for one in stacks} - {frame[but]}
        others = [(*frame[:but], reading, *frame[but + 1 :]) for reading in readings]
        return self.frame in others or any(True for other in others for _ in self._all_fits(other))

    def _all_fits(self, frame: Frame) -> Iterator[PartialTurn]:
        pairs = enumerate(zip(self.frame, frame, strict=True))
        differing = {index: (own, reading) for index, (own, reading) in pairs if own != reading}
        if not differing or self._permission.forbids(self.position, self._chosen):
            return
        # Two pieces that came to a stack are neither; on a high stack, a reading may be both.
        lost = {index for index, (own, reading) in differing.items() if reading.lost_top(own)}
        added = {index for index, (own, reading) in differing.items() if reading.added_top(own)}
        new = {index: self._new_pieces(index, frame[index]) for index in differing}
        for steps in self.position.beginnings(lost - added, added - lost):
            if all(_sets_down(steps, index, series) for index, series in new.items() if series):
                yield from self._fits_of(steps, frame, differing.keys())
        for decline in [step for step in self.position.legal_steps() if step.piece is None]:
            if self._allows((decline,)):
                replies = CandidateTurns(self.position.play(decline), self._sensors, self._permission)
                for fit in replies.fits(frame):
                    yield PartialTurn(Turn((decline, *fit.turn.steps), self.position), (0, *fit.done))

    def _new_pieces(self, index: int, reading: Reading) -> list[tuple[Piece, ...]]:
        """Return each series of pieces that may have been set down on a point; none if sensors don't tell.

        A `reading` that is not complete may be that of a stack which is higher by pieces that look alike.
        """
        own, shown = self._stacks[index], self._sensors.shown(reading, self.position.rules.box)
        if len(shown) <= len(own) or shown[: len(own)] != own:
            return []
        least = len(own) if reading.is_complete else 0
        return [shown[n:] for n in range(least, len(own) + 1) if own[len(own) - n :] == shown[:n]]

    def _fits_of(self, steps: tuple[Step, ...], frame: Frame, differing: Set[int]) -> Iterator[PartialTurn]:
        """Yield how turns that begin with these steps give `frame`; more steps are tried only if need be."""
        actions = _by_point(steps)
        if not self._allows(steps) or differing.isdisjoint(actions):
            return
        ways = list(self._ways(steps, actions, frame)) if differing <= actions.keys() else []
        unfinished = [done for done in ways if not _is_whole(steps, done)]
        yield from (self._fit(steps, done) for done in unfinished)
        if ways and len(unfinished) == len(ways):
            return
        after = self._after(steps)
        if after.to_move is not self.position.to_move or after.outcome is not None:
            yield from (self._fit(steps, done) for done in ways if done not in unfinished)
            return
        for step in after.legal_steps():
            longer = (*steps, step)
            if not ways and any(p.index in differing for p in (step.origin, step.target) if p is not None):
                yield from self._fits_of(longer, frame, differing)
            elif self._allows(longer):
                yield from (self._fit(longer, (*done, 0)) for done in ways if done not in unfinished)

    def _after(self, steps: tuple[Step, ...]) -> Position:
        """Return the position after these steps of a turn; turns share their beginnings, so it is cached."""
        texts = tuple([step.text for step in steps])
        reached = self._reached.get(texts)
        if reached is None:
            reached = self._reached[texts] = self._after(steps[:-1]).play(steps[-1])
        return reached

    def _fit(self, steps: tuple[Step, ...], done: tuple[int, ...]) -> PartialTurn:
        """Return a turn in progress; of a chosen one, all steps are known."""
        rest = self._chosen[len(steps) :]
        return PartialTurn(Turn(steps + rest, self.position), done + (0,) * len(rest))

    def _allows(self, steps: tuple[Step, ...]) -> bool:
        """Return whether the steps begin the turn that was chosen, if one was."""
        return not self._chosen or self._chosen[: len(steps)] == steps[: len(self._chosen)]

    def _ways(
        self, steps: tuple[Step, ...], actions_at: Mapping[int, list[tuple[int, bool]]], frame: Frame
    ) -> Iterator[tuple[int, ...]]:
        """Yield the progress of each step, for all ways in which they give `frame`.

        At each point, the first of its actions are done, of which the last changes the reading.
        """
        possible: list[list[list[_Action]]] = []
        hidden: set[_Action] = set()
        for index, actions in actions_at.items():
            stack, before, done = self._stacks[index], self.frame[index], list[_Action]()
            counts = [done[:]] if before == frame[index] else []
            for number, is_landing in actions:
                piece = steps[number].piece
                stack = (*stack, piece) if is_landing and piece is not None else stack[:-1]
                reading = self._sensors.reading(stack, index)
                done.append((number, index))
                if reading == before:
                    hidden.add(done[-1])
                elif reading == frame[index]:
                    counts.append(done[:])
                before = reading
            possible.append(counts)
        for taken in itertools.product(*possible):
            acted = set(itertools.chain(*taken))
            progress = tuple([_progress(number, step, acted, hidden) for number, step in enumerate(steps)])
            if any(progress) and min(progress) >= 0:
                yield progress


def _sets_down(steps: tuple[Step, ...], index: int, series: Iterable[tuple[Piece, ...]]) -> bool:
    """Return whether what the steps set down on the point agrees with one of the `series` of pieces.

    No turn moves a piece twice, so a piece that disagrees would stay there.
    """
    landed = [step.piece for step in steps if step.target is not None and step.target.index == index]
    return any(all(map(operator.eq, landed, pieces)) for pieces in series)


def _by_point(steps: tuple[Step, ...]) -> dict[int, list[tuple[int, bool]]]:
    """Return, for each point, the numbers of the steps that act there, and whether they land."""
    found: dict[int, list[tuple[int, bool]]] = {}
    for number, step in enumerate(steps):
        if step.origin is not None:
            found.setdefault(step.origin.index, []).append((number, False))
        if step.target is not None:
            found.setdefault(step.target.index, []).append((number, True))
    return found


def _progress(number: int, step: Step, acted: set[_Action], hidden: set[_Action]) -> int:
    """Return the progress of a step; -1 if its piece has landed but not left, as a sensor would show."""
    has_landed = step.target is not None and (number, step.target.index) in acted
    if step.origin is None:
        return int(has_landed)
    lift = number, step.origin.index
    if lift in acted or (has_landed and lift in hidden):
        return 1 + has_landed
    return -has_landed


def _is_whole(steps: tuple[Step, ...], done: tuple[int, ...]) -> bool:
    """Return whether all actions of the steps are done."""
    return all(
        stage == (step.origin is not None) + (step.target is not None)
        for step, stage in zip(steps, done, strict=True)
    )
