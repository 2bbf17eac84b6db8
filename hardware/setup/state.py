"""The state of a set-up between two readings, as a frozen value, and what its stages share besides.

Invariants: a stage changes nothing of its own but returns the next state; numbers of wires are indices into
the scanner's wires.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from hardware.colour_order import Sighting
from hardware.setup.level_watch import LevelWatch
from hardware.setup.plan import SetupPlan
from hardware.setup.progress import SetupFindings
from hardware.setup.prompts import StageName
from hardware.setup.result import SetupResult


@frozen
class SetupState:
    """The stage of a set-up, its findings, and what the current prompt and the way back depend on."""

    stage: StageName
    found: SetupFindings
    notes: tuple[Message, ...] = ()
    history: tuple[tuple[StageName, SetupFindings], ...] = ()
    """The stages and findings that "back" returns to, the latest last."""
    to_undo: frozenset[int] = frozenset()
    """The wires whose changes have to be undone before anything else counts."""
    doubtful_wire: int | None = None
    """The wire whose change may be an answer or the undoing of the last one."""
    ambiguous: frozenset[int | str] = frozenset()
    """The LEDs and points that were put off after several wires had answered at once."""
    seen_changes: int = 0
    """The number of changes of the wire where kinds are measured, when it was read last."""
    looks: tuple[Sighting, ...] = ()
    """The looks at the strip by which the order of its colours is found, with their answers."""
    trouble: Message | str = ""
    """The reason why the strip stays dark, if it could not be written."""
    asked_at: Microseconds | None = None
    """The time of the question, None until it is known."""
    low_readings: int | None = None
    """The readings in a row for which the button's line has been low; None until it is read."""
    hints: bool = False
    """True once the maker has taken so long that a hint is shown."""

    def enter(
        self, stage: StageName, found: SetupFindings | None = None, notes: Iterable[Message] = ()
    ) -> SetupState:
        """Return the state at the beginning of `stage`, with other findings if `found` is given."""
        return replace(
            self,
            stage=stage,
            found=self.found if found is None else found,
            notes=tuple(notes),
            asked_at=None,
            low_readings=None,
            hints=False,
        )

    def remember(self) -> SetupState:
        """Return the state with the current stage and findings as the next ones to go back to."""
        return replace(self, history=(*self.history, (self.stage, self.found)))


class BoardSensing:
    """The watch over the wires, and which of them differ from what the findings predict.

    Linear sensors are watched from the moment on at which the board is known to be empty.
    """

    def __init__(self, wires: int, *, linear: bool) -> None:
        self.count = wires
        self.linear = linear
        self.watch: LevelWatch | None = None if linear else LevelWatch(wires)

    def watch_linear(self, rests: tuple[int, ...] | None = None) -> None:
        """Begin to watch linear sensors; without `rests` the board must be empty now."""
        self.watch = LevelWatch(self.count, linear=True, rests=rests)

    @property
    def stable(self) -> tuple[int, ...]:
        """1, 0 or -1 for each wire as of the last rest; empty while nothing is watched."""
        return self.watch.stable if self.watch else ()

    def changes(self, wire: int | None) -> int:
        """Return the number of changes of a wire so far."""
        return 0 if self.watch is None or wire is None else self.watch.changes[wire]

    def level(self, wire: int) -> float:
        """Return the reading of a linear sensor under its piece, without the influence of other pieces."""
        if self.watch is None:
            return 0
        return self.watch.swing(wire) + (0 if self.watch.rests is None else self.watch.rests[wire])

    def swings(self) -> tuple[int, ...] | None:
        """Return the distance of each linear sensor from its reading at rest; None for switches."""
        watch = self.watch
        if watch is None or watch.rests is None:
            return None
        return tuple([abs(watch.level(wire) - rest) for wire, rest in enumerate(watch.rests)])

    def unexpected(self, found: SetupFindings) -> list[int]:
        """Return the wires that sense something where no piece is known to stand."""
        known = found.expected() | {*found.stuck}
        return [wire for wire, sense in enumerate(self.stable) if sense and wire not in known]

    def prune(self, state: SetupState) -> SetupState:
        """Return the state without the wires to undo that read as predicted again, at rest and right now."""
        if not state.to_undo:
            return state
        remaining = state.to_undo & (_differing(self.stable, state.found) | self._pending(state.found))
        return replace(state, to_undo=remaining)

    def moved(self, state: SetupState) -> list[int]:
        """Return the wires that differ from the prediction; none count while others are to be undone."""
        if state.to_undo:
            return []
        found, stable = state.found, self.stable
        ignored = {*found.stuck}
        held = None if found.half is None else found.seats[found.half].piece_wire
        if held is not None and not stable[held]:
            ignored.add(held)  # its piece is in hand, on the way to being exchanged
        return sorted(_differing(stable, found) - ignored)

    def unsettled(self, state: SetupState) -> frozenset[int]:
        """Return the wires that have moved, or will have if everything stays as it is."""
        return frozenset(self.moved(state)) | self._pending(state.found)

    def _pending(self, found: SetupFindings) -> frozenset[int]:
        if self.watch is None:
            return frozenset()
        return _differing(self.watch.raw, found) - {*self.watch.restless, *found.stuck}


def _differing(senses: tuple[int, ...], found: SetupFindings) -> frozenset[int]:
    expected = found.expected()
    return frozenset([wire for wire, sense in enumerate(senses) if bool(sense) != (wire in expected)])


@frozen
class SetupContext:
    """The common ground of all stages of a set-up: its plan, the board as it is sensed, and its start."""

    plan: SetupPlan
    sensing: BoardSensing
    fresh: SetupFindings
    """The findings of a set-up that starts from nothing."""
    result: Callable[[SetupFindings], SetupResult]
    """The settings that follow from findings."""
