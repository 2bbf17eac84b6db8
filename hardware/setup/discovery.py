"""What hands do in a set-up, and what it says of the place that is looked for.

Rules kept here: what hands do is judged by what stands once all is at rest, never by how it came about; what
was done is taken back by doing the reverse; what cannot be told apart is said, and nothing is taken of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from hardware.scanner import Wire
from hardware.setup import transitions as moves
from hardware.setup.calibration import fits_kind, left_to_measure, place_to_measure
from hardware.setup.level_watch import FELT_COUNTS, Change, Watch
from hardware.setup.plan import Plan
from hardware.setup.progress import Found
from hardware.setup.prompts import Prompt, Stage


class Finding:
    """The part of a set-up that follows hands: what was found, and what is looked for by `plan` next."""

    def __init__(self, plan: Plan, wires: Sequence[Wire], found: Found, stage: Stage) -> None:
        self._plan = plan
        self._wires = tuple(wires)
        self._watch: Watch | None = None
        self._found = found
        self._stage: Stage = stage
        self._history: list[tuple[Stage, Found]] = []
        self._excused: set[int] = set()
        self._doubt: int | None = None
        self._puzzled: set[int | str] = set()
        self._notes: list[Message] = []
        self._now: Microseconds = 0
        self._asked_at: Microseconds = 0
        self._hints = False
        self._prompt: Prompt | None = None
        self._restless: tuple[int, ...] = ()
        self._seen = 0
        """How often the place to measure had changed when it was read last."""

    def _feel(self, change: Change) -> None:
        if self._stage == "sure" and self._doubt in change.set_down:
            self._doubt = None
            self._enter("find")
        if self._stage not in ("find", "free"):
            return
        order = (*change.set_down, *change.lifted)
        for _ in range(len(self._wires)):  # each time round, something was taken in
            if not self._judge(sorted(self._moved(), key=lambda w: order.index(w) if w in order else -1)):
                break

    def _moved(self) -> list[int]:
        """The wires that feel otherwise than they should by what is known."""
        felt = self._watch.felt if self._watch else ()
        differ = self._differ(felt)
        self._excused &= differ | self._pending()
        half = self._found.half
        waits = self._found.seats[half].held if half is not None else None
        ignored = {*self._found.stuck, waits} if waits is None or not felt[waits] else {*self._found.stuck}
        return [] if self._excused else sorted(differ - ignored)

    def _still_excused(self) -> bool:
        self._moved()
        return bool(self._excused)

    def _differ(self, felt: Sequence[int]) -> set[int]:
        expected = self._found.expected()
        return {wire for wire in range(len(felt)) if bool(felt[wire]) != (wire in expected)}

    def _pending(self) -> set[int]:
        """What will have moved, if it stays as it is."""
        if self._watch is None:
            return set()
        return self._differ(self._watch.feels) - {*self._restless, *self._found.stuck}

    def _judge(self, moved: Sequence[int]) -> bool:
        """Take in what `moved` wires say, as far as it is clear; whether anything was."""
        watch = self._watch
        if not moved or watch is None:
            return False
        found, felt = self._found, watch.felt
        extra = self._plan.total(found) > len(self._plan.layout)
        answers = [wire for wire in moved if moves.answers(found, wire, felt[wire], extra=extra)]
        undone = [wire for wire in moved if moves.reverses(found, wire, felt[wire])]
        if self._stage == "free":
            answers, undone = [], []
        elif self._plan.move(found, felt) == "lift" and any(felt[wire] for wire in answers):
            uninvited = [wire for wire in answers if felt[wire]]
            if not undone:
                return self._refuse(uninvited)
            answers = [wire for wire in answers if not felt[wire]]
        if answers:  # what closed together with it is a neighbour
            undone = [wire for wire in undone if bool(felt[wire]) != bool(felt[answers[0]])]
        if undone:
            return self._take_back(undone, [wire for wire in moved if wire not in undone])
        if not answers:
            return self._accept_as_it_is(moved)
        wire = self._clear_answer(answers)
        if wire is not None and moves.doubtful(found, wire, felt[wire]):
            self._doubt = wire
            self._enter("sure")
            return False
        if wire is not None:
            also = [w for w in moved if w != wire and bool(felt[w]) == bool(felt[wire])]
            self._take(wire, also)
        return wire is not None

    def _refuse(self, uninvited: Sequence[int]) -> bool:
        """Nobody asked for what was set down: it is to be taken off."""
        self._excused.update(uninvited)
        self._notes = [Message("setup.uninvited")]
        return True

    def _clear_answer(self, answers: Sequence[int]) -> int | None:
        """The wire that answered, or None, with a note, where it cannot be told which."""
        watch = self._watch
        assert watch is not None  # noqa: S101 - only judged where something was felt
        half = self._found.half
        held = None if half is None else self._found.seats[half].held
        if held is not None and watch.felt[held]:
            self._notes = [Message("setup.off-first")]
            return None
        if len({bool(watch.felt[wire]) for wire in answers}) > 1:
            self._notes = [Message("setup.moved-on")]
            return None
        if len(answers) == 1:
            return answers[0]
        if watch.rests is not None and watch.felt[answers[0]]:
            swings = sorted(((abs(watch.level(w) - watch.rests[w]), w) for w in answers), reverse=True)
            if swings[0][0] >= 2 * swings[1][0]:
                return swings[0][1]
        subject = self._plan.subject(self._found)
        if subject in self._puzzled:
            self._notes = [moves.FIRST_TAKEN]
            return answers[0]
        down = bool(watch.felt[answers[0]])
        self._notes = [moves.SEVERAL_DOWN if down else moves.SEVERAL_UP]
        return None

    def _take(self, wire: int, also: Iterable[int]) -> None:
        """`wire` has answered what was asked."""
        watch = self._watch
        assert watch is not None  # noqa: S101 - only taken where something was felt
        self._remember()
        felt = bool(watch.felt[wire])
        level = None if watch.rests is None or not felt else watch.rests[wire] + watch.swing(wire)
        notes = [note for note in self._notes if note == moves.FIRST_TAKEN]
        if level is not None and watch.rests and abs(level - watch.rests[wire]) < 2 * FELT_COUNTS:
            notes.append(Message("setup.weak"))
        also = tuple(also)
        if also and felt:
            notes.append(Message("setup.felt-beside"))
        colour = self._plan.colour(self._found)
        self._found = moves.answered(self._found, self._plan, wire, felt, colour, level, also)
        self._enter("find")
        self._notes = notes
        self._choose()

    def _take_back(self, undone: Sequence[int], others: Sequence[int]) -> bool:
        self._history.clear()  # it has states in which that counted
        at_once = len(undone) > 1 or self._found.seat_of(undone[0]) != self._found.last
        for wire in undone:
            self._found = moves.taken_back(self._found, self._plan, wire)
        if at_once:  # who mends the last answer may give the right one at once; else it is a jolt
            self._excused.update(others)
        self._enter("find")
        self._notes = [Message("setup.taken-back")]
        self._choose()
        return True

    def _accept_as_it_is(self, moved: Sequence[int]) -> bool:
        """Pieces that come to or go from places that are known."""
        assert self._watch is not None  # noqa: S101 - only where something was felt
        lifted = [wire for wire in moved if not self._watch.felt[wire]]
        for wire in lifted:
            self._found = moves.without_piece(self._found, wire)
        if lifted:
            self._enter("find", keep_notes=True)
            self._choose()
            return True
        name = next((seat.point for w in moved for seat in [moves.seat(self._found, w)] if seat), None)
        self._excused.update(moved)
        self._notes = [Message("setup.known.at", {"points": (name,)}) if name else Message("setup.known")]
        return True

    def _choose(self) -> None:
        """Ask for what can be found next."""
        found = self._found
        if found.half is not None:
            return
        sides = (found.side, moves.other(found.side))
        able = next((side for side in sides if self._plan.can(found, side)), None)
        if able is not None:
            self._found = replace(found, side=able)
        elif (half := self._plan.lacking_half(found)) is not None:
            self._found = replace(found, half=half)
        elif (more := self._plan.longer(found)) is not None:
            self._found = more
            self._choose()
        elif self._plan.to_free(found):
            self._enter("free", keep_notes=True)
        else:
            self._measure_or_review()

    def _measure_or_review(self) -> None:
        """All places are looked for: now the kinds of pieces, where the sensors are to tell them."""
        found = self._found
        if left_to_measure(found, self._plan.kinds) is None:
            self._enter("review", keep_notes=True)
            return
        scale = place_to_measure(found) if found.scale is None else found.scale
        if scale is None:  # no sensor felt anything
            self._enter("review", keep_notes=True)
            return
        self._found = replace(found, scale=scale)
        self._enter("measure", keep_notes=True)
        self._seen = self._changes(scale)

    def _changes(self, number: int) -> int:
        """How often the wire of a seat has changed."""
        wire = self._found.seats[number].wires[0]
        return 0 if self._watch is None or wire is None else self._watch.changes[wire]

    def _measure(self, watch: Watch) -> None:
        """Take in what stands on the place to measure, once it rests there."""
        scale = self._found.scale
        wire = None if scale is None else self._found.seats[scale].wires[0]
        if scale is None or wire is None or not watch.at_rest:
            return
        if left_to_measure(self._found, self._plan.kinds) is None:
            if not watch.felt[wire]:
                self._found = self._found.with_seat(scale, stands=None)
                self._enter("review")
            return
        if not watch.felt[wire] or self._changes(scale) == self._seen:
            return
        self._seen = self._changes(scale)
        level = watch.swing(wire) + (0 if watch.rests is None else watch.rests[wire])
        if not fits_kind(self._found, level):
            self._notes, self._prompt = [Message("setup.measure.unlike")], None
            return
        self._remember()
        self._found = replace(self._found, kinds=(*self._found.kinds, level))
        self._enter("measure")

    def _put_off(self) -> None:
        subject = self._plan.subject(self._found)
        if len(self._moved()) > 1:
            self._puzzled.add(subject)
        felt = self._watch.felt if self._watch else ()
        self._found = moves.put_off(self._found, subject, felt)
        self._excused.update({*self._moved(), *self._pending()})

    def _accept_reality(self) -> None:
        """What should have been undone stays so: it is how the board is."""
        felt = self._watch.felt if self._watch else ()
        for wire in self._excused:
            number = self._found.seat_of(wire)
            if number is None:
                self._found = replace(self._found, stuck=(*self._found.stuck, wire))
            else:
                colour = self._found.seats[number].wires.index(wire) if felt[wire] else None
                self._found = self._found.with_seat(number, stands=colour)
        self._excused.clear()
        self._enter("find")
        self._choose()

    def _remember(self) -> None:
        self._history.append((self._stage, self._found))

    def _go_back(self) -> None:
        stage, self._found = self._history.pop()
        self._enter(stage)
        self._excused.clear()
        self._doubt = None
        if stage == "measure" and self._found.scale is not None:
            self._seen = self._changes(self._found.scale)
        if stage in ("find", "free"):
            self._excused.update(self._moved())

    def _enter(self, stage: Stage, *, keep_notes: bool = False) -> None:
        self._stage = stage
        self._prompt = None
        self._asked_at, self._hints = self._now, False
        if not keep_notes:
            self._notes = []
