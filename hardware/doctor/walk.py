"""A walk of one piece over the board: the tasks for the operator, and the readings during them.

Invariants: this gathers evidence and judges none of it. A piece that is detected needs no answer. A weak
contact is distinguished from a hand by the length of its gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from firmware_host.errors import StripError
from firmware_host.i18n import Message
from firmware_host.ports import BLACK_PIECE, DARK, SOMETHING, Contact, LedPort, SensorKind
from firmware_host.settings import Microseconds
from hardware.doctor.examination import FRAME, Examination
from hardware.doctor.idle_checks import FRAMES, SettlingTest
from hardware.doctor.light_checks import NOWHERE
from hardware.doctor.prompts import DONE, NOT_THERE, Operator, PlacePiece, Question
from hardware.doctor.walk_checks import Visit, Walk, unexplained_silence
from hardware.scanner import Wire
from hardware.setup.level_watch import REST_TIME, Change, LevelWatch

_LEFT_FRAMES = REST_TIME // FRAME
"""Frames after which an open contact has been left."""

_MAX_BOUNCE_FRAMES = 2
"""Maximum number of frames for which a bouncing contact is open."""

_STEADY_FRAMES = 10
"""Frames after which a contact that has closed again was never left."""

_MIN_SHARE = 0.1
"""Minimum share of the frames in which a wire must be closed to count as closed by the piece."""

_SETTLING_POINTS = 2
"""Points of a chip, or of a column, on which settling is tested.

Behind the last in a scan nothing can be read late.
"""

_LIT = (60, 60, 60)
_MAX_WRONG_LIGHTS = 3
_MAX_TURNED = 6


class PieceWalk:
    """The walk and its results."""

    def __init__(self, examination: Examination, maker: Operator, spoilt: frozenset[Wire]) -> None:
        """Open the wires; those in `excluded` are ignored."""
        self.shines: dict[str, str] = {}
        """For each point whose LED was lit alone, the place of the light."""
        self.settlings: list[SettlingTest] = []
        self.readings: dict[tuple[str, str], int] = {}
        """Readings of a point's linear sensor under a piece, by the names of both."""
        self._examination = examination
        self._maker = maker
        self._spoilt = spoilt
        self._strip: LedPort | None = None
        self._now: Microseconds = 0
        self._scanner = examination.slow_scanner()
        self._wires = self._scanner.wires
        self._ignored = frozenset(n for n, wire in enumerate(self._wires) if wire in spoilt)
        self._watch = LevelWatch(
            len(self._wires), linear=bool(examination.rests), rests=examination.rests or None
        )
        self._active: frozenset[int] = frozenset()
        self._resting = _RestingPiece(frozenset())
        self._visits: list[Visit] = []

    def take_light(self, strip: LedPort) -> None:
        """Light each point on the way."""
        self._strip = strip

    def close(self) -> None:
        """Close the wires; may be called twice."""
        self._scanner.close()

    def walk(self) -> Walk:
        """Ask for the piece on one point after another, and for it turned over if that may explain more."""
        for _ in range(_LEFT_FRAMES + FRAMES):
            self._step()
        steps = list(self._steps())
        for number, (contact, piece) in enumerate(steps, start=1):
            self._visit(contact, PlacePiece(self._name(contact), piece, number=number, of=len(steps)))
            self._settle()
            self._try_backwards()
        self._leave()
        own = [visit for visit, (_, piece) in zip(self._visits, steps, strict=True) if self._counts(piece)]
        walk = Walk(self._wires, tuple(own), self._spoilt)
        contacts = unexplained_silence(walk, self._examination.names)
        if self._examination.rests or len(contacts) > _MAX_TURNED:
            return walk
        for number, contact in enumerate(contacts, start=1):
            self._visit(
                contact, PlacePiece(self._name(contact), turned=True, number=number, of=len(contacts))
            )
        return replace(walk, visits=(*own, *self._visits[len(steps) :]))

    # ---- what is asked for -----------------------------------------------------------------------------

    def _steps(self) -> Iterator[tuple[Contact, str]]:
        """Yield each contact with the piece it should detect: LED by LED, White's pieces before Black's."""
        plan, contacts = self._examination.plan, self._examination.names.contacts
        points = sorted(plan.layout.points, key=lambda point: min(plan.places[point.name]))
        if SensorKind(plan.sensors.alphabet) is SensorKind.PRESENCE:
            yield from (((point.index, SOMETHING), "") for point in points)
            return
        for piece, reading in (("white", SOMETHING), ("black", BLACK_PIECE)):
            for point in points:
                contact = point.index, reading
                yield (contact if contact in contacts else (point.index, SOMETHING)), piece

    def _counts(self, piece: str) -> bool:
        """Return whether a visit counts for its own contact; linear sensors take two, one of each kind."""
        return piece != "black" or not self._examination.rests

    def _name(self, contact: Contact) -> str:
        return self._examination.plan.layout.points[contact[0]].name

    # ---- one point -------------------------------------------------------------------------------------

    def _visit(self, contact: Contact, place: PlacePiece) -> None:
        lit = not place.turned and place.point not in self.shines and self._light(place.point)
        self._maker.do(replace(place, lit=lit))
        restless, frames_left = {*self._watch.restless, *self._ignored}, -1
        while frames_left:
            change = self._step()
            frames_left -= frames_left > 0
            if (change and change.set_down) or set(self._watch.restless) - restless:
                break
            answer = self._maker.reply()
            if answer == NOT_THERE and lit and place.point not in self.shines:
                self._ask_where(place.point)
            elif answer == DONE and frames_left < 0:
                frames_left = _LEFT_FRAMES + FRAMES
        if lit:
            self.shines.setdefault(place.point, place.point)
        self._leave()
        self._observe_rest(contact, place)

    def _observe_rest(self, contact: Contact, place: PlacePiece) -> None:
        """Read the wires while the piece rests."""
        counts, changes, before = [0] * len(self._wires), 0, None
        for _ in range(FRAMES):
            self._step()
            changes += before is not None and self._active != before
            before = self._active
            for number in self._active:
                counts[number] += 1
        readings = frozenset(number for number, frames in enumerate(counts) if frames >= _MIN_SHARE * FRAMES)
        if readings and self._examination.rests:
            strongest = max(readings, key=lambda number: counts[number])
            self.readings[place.point, place.piece] = self._watch.level(strongest)
        closed = frozenset(self._wires[number] for number in readings)
        self._visits.append(Visit(contact, closed, changes if readings else 0, FRAMES, turned=place.turned))
        self._resting = _RestingPiece(readings)

    def _leave(self) -> None:
        """Add the gaps of the last resting piece, up to its removal."""
        if self._resting.losses:
            last = self._visits[-1]
            self._visits[-1] = replace(last, changes=last.changes + 2 * self._resting.losses)
        self._resting = _RestingPiece(frozenset())

    def _step(self) -> Change | None:
        levels = self._examination.frame(self._scanner)
        self._now += FRAME
        change = self._watch.step(levels, self._now)
        feels = self._examination.feel(levels)
        self._active = frozenset(number for number, feel in enumerate(feels) if feel) - self._ignored
        self._resting.step(self._active)
        return change

    def _settle(self) -> None:
        """Test other settling times, on the first pieces that a chip or a column detects well."""
        last, names = self._visits[-1], self._examination.names
        axis = 1 if names.rows else 0
        line = min((wire[axis] for wire in last.closed), default=None)
        seen = sum(line in {wire[axis] for wire in visit.closed} for visit in self._visits)
        if not names.settles or line is None or seen > _SETTLING_POINTS or last.changes:
            return
        self._scanner.close()
        self.settlings.append(self._examination.settling())
        self._scanner = self._examination.slow_scanner()

    def _try_backwards(self) -> None:
        """Try which way the diode of a matrix conducts, while a piece rests on its reed."""
        if not self._examination.names.rows:
            return
        self._scanner.close()
        self._visits[-1] = replace(self._visits[-1], backwards=self._examination.backwards() - self._spoilt)
        self._scanner = self._examination.slow_scanner()

    # ---- light -----------------------------------------------------------------------------------------

    def _light(self, point: str) -> bool:
        """Light the LEDs of a point alone; return False if the strip is not in use."""
        if self._strip is None:
            return False
        plan = self._examination.plan
        own = plan.places[point]
        try:
            self._strip.show(tuple(_LIT if led in own else DARK for led in range(plan.strip.leds)))
        except StripError:  # it worked before the walk, and the light has findings of its own
            self._strip = None
        return self._strip is not None

    def _ask_where(self, point: str) -> None:
        names = [point.name for point in self._examination.plan.layout.points]
        answers = {**dict.fromkeys(names), NOWHERE: Message("setup.doctor.nowhere")}
        question = Question(Message("setup.doctor.where", {"points": (point,)}), answers)
        self.shines[point] = self._maker.answer(question, self._step)
        wrong = sum(there != where for there, where in self.shines.items())
        if wrong >= _MAX_WRONG_LIGHTS and self._strip is not None:
            self._strip.show((DARK,) * self._examination.plan.strip.leds)
            self._strip = None


class _RestingPiece:
    """A resting piece: the number of times that its wires lost it and detected it again."""

    def __init__(self, wires: frozenset[int]) -> None:
        self.losses = 0
        self._wires = wires
        self._open = 0
        self._steady = 0

    def step(self, active: frozenset[int]) -> None:
        if not self._wires or self._open >= _LEFT_FRAMES:
            return
        if active != self._wires:
            self._open += 1
            self._steady = 0
            return
        self._steady += 1
        if self._steady == _STEADY_FRAMES:
            self.losses += self._open > _MAX_BOUNCE_FRAMES
            self._open = 0
