"""One piece that walks over a board: what is asked of hands, and what the wires say meanwhile.

Rules kept here: this gathers evidence and judges none of it; a piece that is felt needs no answer; what a
weak contact does is told apart from a hand by how long it lasts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from firmware_host.errors import StripError
from firmware_host.ports import BLACK_PIECE, DARK, SOMETHING, Alphabet, LedPort
from firmware_host.settings import Microseconds
from hardware.doctor.examination import FRAME, Look
from hardware.doctor.idle_checks import FRAMES, Settling
from hardware.doctor.light_checks import NOWHERE
from hardware.doctor.prompts import DONE, NOT_THERE, Maker, Place, Question
from hardware.doctor.walk_checks import Visit, Walk, unexplained_silence
from hardware.scanner import Wire
from hardware.setup.level_watch import REST, Change, Watch
from hardware.wiring.contacts import Contact

_GONE = REST // FRAME
"""A contact that is open for so many frames has been left."""

_BOUNCES = 2
"""A contact that is open for no more frames bounces."""

_AGAIN = 10
"""A contact that is closed again for so many frames was never left."""

_SHARE = 0.1
"""A wire felt the piece if it was closed in so large a share of the frames."""

_SETTLED_ON = 2
"""On so many points of a chip settling is looked at; behind the last in a scan nothing can be read late."""

_LIT = (60, 60, 60)
_MOST_WRONG_LIGHTS = 3
_MOST_TURNED = 6


class Hands:
    """The walk, and what came to light on it."""

    def __init__(self, look: Look, maker: Maker, spoilt: frozenset[Wire]) -> None:
        """`spoilt` are wires of which no more is to be said."""
        self.shines: dict[str, str] = {}
        """For each point whose LED was lit alone, where the light was."""
        self.settlings: list[Settling] = []
        self.felt: dict[tuple[str, str], int] = {}
        """What the linear sensor of a point read under a piece, by the names of both."""
        self._look = look
        self._maker = maker
        self._spoilt = spoilt
        self._strip: LedPort | None = None
        self._now: Microseconds = 0
        self._scanner = look.slow_scanner()
        self._wires = self._scanner.wires
        self._hushed = frozenset(n for n, wire in enumerate(self._wires) if wire in spoilt)
        self._watch = Watch(len(self._wires), linear=bool(look.rests), rests=look.rests or None)
        self._active: frozenset[int] = frozenset()
        self._resting = _Resting(frozenset())
        self._visits: list[Visit] = []

    def take_light(self, strip: LedPort) -> None:
        """Light each point on the way."""
        self._strip = strip

    def close(self) -> None:
        """Give the wires back; may be called twice."""
        self._scanner.close()

    def walk(self) -> Walk:
        """Ask for the piece on one point after the other, and for it turned over where that may tell more."""
        for _ in range(_GONE + FRAMES):
            self._step()
        steps = list(self._steps())
        for number, (contact, piece) in enumerate(steps, start=1):
            self._visit(contact, Place(self._name(contact), piece, number=number, of=len(steps)))
            self._settle()
        self._leave()
        own = [visit for visit, (_, piece) in zip(self._visits, steps, strict=True) if self._counts(piece)]
        walk = Walk(self._wires, tuple(own), self._spoilt)
        contacts = unexplained_silence(walk, self._look.names)
        if self._look.rests or len(contacts) > _MOST_TURNED:
            return walk
        for number, contact in enumerate(contacts, start=1):
            self._visit(contact, Place(self._name(contact), turned=True, number=number, of=len(contacts)))
        return replace(walk, visits=(*own, *self._visits[len(steps) :]))

    # ---- what is asked for -----------------------------------------------------------------------------

    def _steps(self) -> Iterator[tuple[Contact, str]]:
        """Each contact, and the piece that it should feel: LED after LED, White's pieces before Black's."""
        plan, contacts = self._look.plan, self._look.names.contacts
        points = sorted(plan.layout.points, key=lambda point: min(plan.places[point.name]))
        if Alphabet(plan.sensors.alphabet) is Alphabet.PRESENCE:
            yield from (((point.index, SOMETHING), "") for point in points)
            return
        for piece, reading in (("white", SOMETHING), ("black", BLACK_PIECE)):
            for point in points:
                contact = point.index, reading
                yield (contact if contact in contacts else (point.index, SOMETHING)), piece

    def _counts(self, piece: str) -> bool:
        """Whether a visit is one of a contact of its own: a linear sensor feels both kinds of pieces."""
        return piece != "black" or not self._look.rests

    def _name(self, contact: Contact) -> str:
        return self._look.plan.layout.points[contact[0]].name

    # ---- one point -------------------------------------------------------------------------------------

    def _visit(self, contact: Contact, place: Place) -> None:
        lit = not place.turned and place.point not in self.shines and self._light(place.point)
        self._maker.do(replace(place, lit=lit))
        restless, patience = {*self._watch.restless, *self._hushed}, -1
        while patience:
            change = self._step()
            patience -= patience > 0
            if (change and change.set_down) or set(self._watch.restless) - restless:
                break
            word = self._maker.reply()
            if word == NOT_THERE and lit and place.point not in self.shines:
                self._ask_where(place.point)
            elif word == DONE and patience < 0:
                patience = _GONE + FRAMES
        if lit:
            self.shines.setdefault(place.point, place.point)
        self._leave()
        self._rest_on(contact, place)

    def _rest_on(self, contact: Contact, place: Place) -> None:
        """Look at the piece while it rests."""
        counts, changes, before = [0] * len(self._wires), 0, None
        for _ in range(FRAMES):
            self._step()
            changes += before is not None and self._active != before
            before = self._active
            for number in self._active:
                counts[number] += 1
        felt = frozenset(number for number, frames in enumerate(counts) if frames >= _SHARE * FRAMES)
        if felt and self._look.rests:
            strongest = max(felt, key=lambda number: counts[number])
            self.felt[place.point, place.piece] = self._watch.level(strongest)
        closed = frozenset(self._wires[number] for number in felt)
        self._visits.append(Visit(contact, closed, changes if felt else 0, FRAMES, turned=place.turned))
        self._resting = _Resting(felt)

    def _leave(self) -> None:
        """Add what was seen of the piece that rested last until it was taken away."""
        if self._resting.losses:
            last = self._visits[-1]
            self._visits[-1] = replace(last, changes=last.changes + 2 * self._resting.losses)
        self._resting = _Resting(frozenset())

    def _step(self) -> Change | None:
        levels = self._look.frame(self._scanner)
        self._now += FRAME
        change = self._watch.step(levels, self._now)
        feels = self._look.feel(levels)
        self._active = frozenset(number for number, feel in enumerate(feels) if feel) - self._hushed
        self._resting.step(self._active)
        return change

    def _settle(self) -> None:
        """See how scans do that wait longer or shorter, on the first pieces that a chip felt well."""
        last = self._visits[-1]
        chip = min((chip for chip, _ in last.closed), default=None)
        seen = sum(chip in {at for at, _ in visit.closed} for visit in self._visits)
        if not self._look.names.select_lines or chip is None or seen > _SETTLED_ON or last.changes:
            return
        self._scanner.close()
        self.settlings.append(self._look.settling())
        self._scanner = self._look.slow_scanner()

    # ---- light -----------------------------------------------------------------------------------------

    def _light(self, point: str) -> bool:
        """Light the LEDs of a point alone; whether they should shine now."""
        if self._strip is None:
            return False
        plan = self._look.plan
        own = plan.places[point]
        try:
            self._strip.show(tuple(_LIT if led in own else DARK for led in range(plan.strip.leds)))
        except StripError:  # it worked before the walk: what is wrong now, the light's own findings tell
            self._strip = None
        return self._strip is not None

    def _ask_where(self, point: str) -> None:
        names = [*(point.name for point in self._look.plan.layout.points), NOWHERE]
        question = Question(
            f"Where does the light of {point} shine? [a point, or {NOWHERE}]", dict.fromkeys(names, "")
        )
        self.shines[point] = self._maker.answer(question, self._step)
        wrong = sum(there != where for there, where in self.shines.items())
        if wrong >= _MOST_WRONG_LIGHTS and self._strip is not None:
            self._strip.show((DARK,) * self._look.plan.strip.leds)
            self._strip = None


class _Resting:
    """A piece that rests, frame by frame: how often the wires that felt it lost it, and felt it again."""

    def __init__(self, wires: frozenset[int]) -> None:
        self.losses = 0
        self._wires = wires
        self._open = 0
        self._again = 0

    def step(self, active: frozenset[int]) -> None:
        if not self._wires or self._open >= _GONE:
            return
        if active != self._wires:
            self._open += 1
            self._again = 0
            return
        self._again += 1
        if self._again == _AGAIN:
            self.losses += self._open > _BOUNCES
            self._open = 0
