"""The meaning of what hands did while a place is looked for.

`classify` maps the wires that moved to one `Outcome` and changes nothing; the search applies it.

Invariants: only what stands once all is at rest counts, never how it came about; doing the reverse takes back
what was done; where several readings are possible, the outcome says so and nothing is concluded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from hardware.setup.plan import SetupPlan
from hardware.setup.progress import SetupFindings
from hardware.setup.transitions import is_doubtful, may_answer, seat_with, takes_back

_OFF_FIRST = Message("setup.off-first")
_MOVED_ON = Message("setup.moved-on")
_SEVERAL_DOWN = Message("setup.several.down")
_SEVERAL_UP = Message("setup.several.up")

_CLEARLY = 2
"""A linear sensor swings this many times as far as its neighbours under a piece of its own."""


@frozen
class Evidence:
    """All that a classification depends on; `moved` are the wires that differ from the prediction.

    `stable` has 1, 0 or -1 for each wire, and `swings` the distance of each linear sensor from rest, None for
    switches. With `searching` False only known pieces may be lifted or put back. `ambiguous` are the
    questions to which several wires have answered before.
    """

    plan: SetupPlan
    found: SetupFindings
    moved: Sequence[int]
    stable: Sequence[int]
    swings: Sequence[int] | None = None
    searching: bool = True
    ambiguous: frozenset[int | str] = frozenset()

    def down(self, wire: int) -> bool:
        """Return whether a piece was set down at `wire`."""
        return bool(self.stable[wire])

    def of_direction(self, wires: Iterable[int], *, down: bool) -> list[int]:
        """Return those of `wires` at which a piece was set down or, if `down` is false, lifted."""
        return [wire for wire in wires if self.down(wire) == down]


@frozen
class ClearAnswer:
    """An answer to the question: `wire` belongs to it, and `also` sensed the same piece.

    `first` is set where it was the first of several, which answer together whenever they are asked.
    """

    wire: int
    also: tuple[int, ...] = ()
    first: bool = False


@frozen
class DoubtfulAnswer:
    """A piece was lifted that may be the answer, or its setting down may have been a mistake."""

    wire: int


@frozen
class Undo:
    """Earlier answers were taken back; what `others` did at the same time has to be undone."""

    wires: tuple[int, ...]
    others: tuple[int, ...]


@frozen
class Unexpected:
    """Pieces were set down where one was to be lifted."""

    wires: tuple[int, ...]


@frozen
class PieceGone:
    """Pieces were lifted from places that are known."""

    wires: tuple[int, ...]


@frozen
class KnownPiece:
    """Pieces were set down on places that are known; `point` is the name of the first that has one."""

    wires: tuple[int, ...]
    point: str | None


@frozen
class Ambiguous:
    """Several things may have been meant; `note` tells the maker."""

    note: Message


Outcome: TypeAlias = ClearAnswer | DoubtfulAnswer | Undo | Unexpected | PieceGone | KnownPiece | Ambiguous


def classify(evidence: Evidence) -> Outcome | None:
    """Return the meaning of the wires that moved, the one moved first in front; None where none did."""
    if not evidence.moved:
        return None
    answering, reversing = _roles(evidence)
    uninvited = _uninvited(evidence, answering)
    if uninvited and not reversing:
        return Unexpected(uninvited)
    answering = [wire for wire in answering if wire not in uninvited]
    if answering:  # a wire that moved in the same direction is a neighbour of the answer
        reversing = evidence.of_direction(reversing, down=not evidence.down(answering[0]))
    if reversing:
        others = [wire for wire in evidence.moved if wire not in reversing]
        return Undo(tuple(reversing), tuple(others))
    return _answer(evidence, answering) if answering else _known(evidence)


def _roles(evidence: Evidence) -> tuple[list[int], list[int]]:
    """Return the wires that may answer the question and those that take back an earlier answer."""
    if not evidence.searching:
        return [], []
    found, stable = evidence.found, evidence.stable
    extra = evidence.plan.total(found) > len(evidence.plan.layout)
    answering = [wire for wire in evidence.moved if may_answer(found, wire, stable[wire], extra=extra)]
    return answering, [wire for wire in evidence.moved if takes_back(found, wire, stable[wire])]


def _uninvited(evidence: Evidence, answering: Sequence[int]) -> tuple[int, ...]:
    """Return the wires at which a piece was set down although one was to be lifted."""
    if not evidence.searching or evidence.plan.move(evidence.found, evidence.stable) != "lift":
        return ()
    return tuple(evidence.of_direction(answering, down=True))


def _known(evidence: Evidence) -> Outcome:
    """Return the outcome where only pieces on known places moved."""
    lifted = evidence.of_direction(evidence.moved, down=False)
    if lifted:
        return PieceGone(tuple(lifted))
    seats = (seat_with(evidence.found, wire) for wire in evidence.moved)
    return KnownPiece(tuple(evidence.moved), next((own.point for own in seats if own), None))


def _answer(evidence: Evidence, answering: Sequence[int]) -> Outcome:
    """Return the answer among the wires that may be it, or the reason why it is not clear."""
    found = evidence.found
    held = None if found.half is None else found.seats[found.half].piece_wire
    if held is not None and evidence.stable[held]:
        return Ambiguous(_OFF_FIRST)
    down = evidence.down(answering[0])
    if evidence.of_direction(answering, down=not down):
        return Ambiguous(_MOVED_ON)
    wire = _one_of(evidence, answering)
    first = wire is None and evidence.plan.subject(found) in evidence.ambiguous
    if first:
        wire = answering[0]
    if wire is None:
        return Ambiguous(_SEVERAL_DOWN if down else _SEVERAL_UP)
    if is_doubtful(found, wire, evidence.stable[wire]):
        return DoubtfulAnswer(wire)
    also = [other for other in evidence.of_direction(evidence.moved, down=down) if other != wire]
    return ClearAnswer(wire, tuple(also), first)


def _one_of(evidence: Evidence, answering: Sequence[int]) -> int | None:
    """Return the only wire that answered, or the one whose linear sensor swung far more than the others."""
    if len(answering) == 1:
        return answering[0]
    swings = evidence.swings
    if swings is None or not evidence.down(answering[0]):
        return None
    strongest, second = sorted(((swings[wire], wire) for wire in answering), reverse=True)[:2]
    return strongest[1] if strongest[0] >= _CLEARLY * second[0] else None
