"""Outages: pieces that vanish together, faster than hands can take them, so that a chip must have failed.

Hands take pieces off one after the other, and even a board that is tipped empties over many frames. When four
of the game's pieces or more vanish in one debounced frame, or all of one chip's and at least three, that is a
fault. A board that rests is read less often, and a hand that sweeps it takes several from one frame to the
next, so that more are needed then unless they are one chip's. The game waits during an outage, and nothing
that the sensors report changes it. It ends

- when the pieces are back, or some of each chip's: hands have then taken the others in the meantime;
- when the board matches the game, as it may once another one has begun;
- when a point closes that was open before: hands play on, and the board shows what it now lacks;
- when the board has been empty for as long as clearing it takes, and a single piece is then set down: the
  players did clear it, and a new game begins.

Hands can lift the last two or three pieces in one frame to clear the board, so that is not a fault. It was
one if the first pieces on the empty board are the same again, all in one frame. A power cut in between
forgets it, as it does the end that a request can undo.

Invariants: nothing here reads a clock; what masked sensors report is ignored; readings that changed while the
board was not watched, such as before its first frame, are not an outage; nor are those of pieces that should
not be there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.ports import NOTHING, ChipMap, Contact, Frame, Reading
from firmware_host.settings import Microseconds, Timing

_MIN_POINTS = 4
"""The number of pieces that hands cannot lift in one frame, wherever their sensors are wired."""

_MIN_OF_CHIP = 3
"""The number if these are all the pieces of one chip."""

_MORE_AFTER_REST = 2
"""The pieces that hands can take on top from one frame to the next of a board that rests."""

_MIN_OF_BOARD = 2
"""The number if these are all on the board, and come back in one frame as well."""

Observation = tuple[Frame, Microseconds]
"""A frame to judge, and the time from which it held."""


@frozen
class Outage:
    """An outage that lasts: the frame `before`, the indexes of the points that opened, and a message."""

    before: Frame
    dropped: frozenset[int]
    reason: Message
    empty_since: Microseconds | None = None


class OutageDetector:
    """Holds back the frames of a board while an outage lasts."""

    def __init__(self, layout: Layout, timing: Timing, chips: ChipMap | None = None) -> None:
        """Watch a board whose sensors are wired to `chips`; None if that is unknown."""
        self._layout = layout
        self._chips = chips
        self._debounce = timing.debounce_ms * 1000
        self._cleared_after = timing.cleared_ms * 1000
        self._outage: Outage | None = None
        self._emptied: Frame = ()
        """The readings before the board was emptied in one frame, until a piece stands on it again."""
        self.late_reason: Message | None = None
        """The parts that dropped out, if the present frame shows that only now, when they are back."""
        self._frame: Frame = ()
        self._interrupted = False
        self._resumed_at: Microseconds | None = None
        self._woken_at: Microseconds | None = None

    @property
    def reason(self) -> Message | None:
        """The parts that dropped out; None if there is no outage."""
        return None if self._outage is None else self._outage.reason

    def interrupt(self) -> None:
        """Note that the sensors could not be read, so that any number of pieces may have been moved."""
        self._interrupted = True

    def wake(self, now: Microseconds) -> None:
        """Note that readings which changed in the frame at `now` may have done so since the one before."""
        self._woken_at = now

    def frames_to_judge(
        self, frame: Frame, now: Microseconds, *, expected: Callable[[], Frame], masked: Collection[int] = ()
    ) -> tuple[Observation, ...]:
        """Return the observations to judge after the debounced `frame` at `now`: none during an outage.

        `expected` returns the frame of a board that matches the game; `masked` has the indexes of the points
        whose sensor is ignored.
        """
        before, self._frame = self._frame, frame
        is_watched, more = bool(before) and not self._is_resuming(now), self._more_after_rest(now)
        self.late_reason = self._find_late(before, masked, is_watched=is_watched)
        found = self._find(before, expected, masked, more) if is_watched and frame != before else None
        outage = self._outage
        if found is not None:
            outage = found if outage is None else self._joined(outage, found)
        if outage is None:
            return ((frame, now),)
        if _occupied(frame, masked) == _occupied(expected(), masked):
            return self._end((frame, now))
        return self._follow(outage, before, masked, now)

    def failed_part(self, frame: Frame, expected: Frame, masked: Collection[int] = ()) -> Message | None:
        """Return what to check if the failure of one part would explain why `frame` isn't the `expected` one.

        A chip, or a wire of a matrix, reports no piece, or one at each of its points; by a faulty select line
        chips read other contacts. At three points or more they report what isn't expected.
        """
        differing = [i for i in range(len(frame)) if frame[i] != expected[i] and i not in masked]
        if self._chips is None or len(differing) < _MIN_OF_CHIP:
            return None
        if (chip := self._failed_chip(self._chips, frame, expected, differing, masked)) is not None:
            name = self._chips.names[chip]
            if self._chips.wires:
                return Message("advice.failed.wire", {"text": name})
            return Message("advice.failed", {"text": name})
        for wire, contacts in self._chips.misreads:
            if _is_misread(frame, expected, contacts, masked):
                return Message("advice.failed.wire", {"text": wire})
        return None

    def _failed_chip(
        self,
        chips: ChipMap,
        frame: Frame,
        expected: Frame,
        differing: Collection[int],
        masked: Collection[int],
    ) -> int | None:
        """Return the chip or wire that reports nothing, or a piece at each of its points."""
        shown = tuple([frame[i] if expected[i] == NOTHING else expected[i] for i in range(len(frame))])
        chip = self._common_chip(shown, differing)
        if chip is None:
            return None
        own = {point for (point, _), numbers in chips.chips.items() if chip in numbers}.difference(masked)
        readings = {frame[i] != NOTHING and chip in self._chips_of(frame, i) for i in own}
        return chip if len(readings) == 1 else None

    def _is_resuming(self, now: Microseconds) -> bool:
        """Return whether changes from a time in which nothing was read may be accepted only now."""
        if self._interrupted:
            self._interrupted = False
            self._resumed_at = now
        if self._resumed_at is None:
            return False
        if now - self._resumed_at >= self._debounce:
            self._resumed_at = None
        return True

    def _more_after_rest(self, now: Microseconds) -> int:
        """Return how many more pieces hands can have taken before the present frame, because of a rest."""
        if self._woken_at is None:
            return 0
        if now - self._woken_at >= self._debounce:
            self._woken_at = None
        return _MORE_AFTER_REST

    def _find(
        self, before: Frame, expected: Callable[[], Frame], masked: Collection[int], more: int
    ) -> Outage | None:
        """Return the outage that began with the present frame, if one did; the last one was `before`.

        `more` is added to the number of pieces of several chips that this takes.
        """
        frame = self._frame
        changed = [i for i in range(len(frame)) if frame[i] != before[i] and i not in masked]
        opened = [index for index in changed if frame[index] == NOTHING]
        if len(opened) < _MIN_OF_CHIP or len(opened) < len(changed):
            return None
        # A line that rises too slowly shows pieces where there are none; they may all vanish together.
        wanted = expected()
        dropped = frozenset(index for index in opened if wanted[index] != NOTHING)
        if len(dropped) < _MIN_OF_CHIP:
            return None
        if len(dropped) < _MIN_POINTS + more and not self._is_whole_chip(before, dropped, masked):
            return None
        return Outage(before, dropped, self._describe(before, dropped))

    def _find_late(self, before: Frame, masked: Collection[int], *, is_watched: bool) -> Message | None:
        """Return what dropped out, if all pieces that left the board in one frame are back in one frame."""
        if not is_watched:
            self._emptied = ()
        if not is_watched or self._frame == before:
            return None
        stood, stand = _occupied(before, masked), _occupied(self._frame, masked)
        if not stood and not stand:
            return None
        emptied = self._emptied
        self._emptied = before if not stand and len(stood) >= _MIN_OF_BOARD else ()
        if not emptied or stand != _occupied(emptied, masked):
            return None
        return self._describe(emptied, stand)

    def _is_whole_chip(self, before: Frame, dropped: Collection[int], masked: Collection[int]) -> bool:
        """Return whether the points are all of one chip's, and it reports no piece any more."""
        chip = self._common_chip(before, dropped)
        left = (i for i in range(len(before)) if self._frame[i] != NOTHING and i not in masked)
        return chip is not None and all(chip not in self._chips_of(self._frame, index) for index in left)

    def _chips_of(self, frame: Frame, index: int) -> tuple[int, ...]:
        return () if self._chips is None else self._chips.chips_of(index, frame[index])

    def _common_chip(self, before: Frame, points: Iterable[int]) -> int | None:
        """Return the chip that all the points depend on; three points of a matrix share one wire at most."""
        common = set[int].intersection(*(set(self._chips_of(before, index)) for index in points))
        return min(common, default=None)

    def _describe(self, before: Frame, dropped: Collection[int]) -> Message:
        points = tuple(sorted(self._layout.points[index].name for index in dropped))
        chip = self._common_chip(before, dropped)
        if self._chips is None:
            return Message("fault.outage", {"points": points})
        if chip is None:
            return Message("fault.outage.bus", {"points": points, "text": self._chips.bus})
        name = self._chips.names[chip]
        if self._chips.wires:
            return Message("fault.outage.wire", {"points": points, "text": name})
        return Message("fault.outage.chip", {"points": points, "text": name})

    def _joined(self, outage: Outage, found: Outage) -> Outage:
        """Return an outage with the points of another one that was found while it lasts."""
        dropped = outage.dropped | found.dropped
        return replace(outage, dropped=dropped, reason=self._describe(outage.before, dropped))

    def _follow(
        self, outage: Outage, last: Frame, masked: Collection[int], now: Microseconds
    ) -> tuple[Observation, ...]:
        """Return what to judge during an outage, which may end; `last` is the previous frame."""
        frame = self._frame
        occupied = [i for i in range(len(frame)) if frame[i] != NOTHING and i not in masked]
        since = outage.empty_since
        if since is not None and now - since >= self._cleared_after and len(occupied) == 1:
            return self._end((last, since), (last, now), (frame, now))
        played_on = any(frame[index] != outage.before[index] for index in occupied)
        if played_on or not self._are_lost(outage, masked):
            return self._end((frame, now))
        if occupied:
            since = None
        elif since is None:
            since = now
        self._outage = replace(outage, empty_since=since)
        return ()

    def _are_lost(self, outage: Outage, masked: Collection[int]) -> bool:
        """Return whether some chip still reports none of the pieces that dropped out.

        If it reports some of them, it works, and hands have taken the others in the meantime.
        """
        before = outage.before
        dropped = outage.dropped.difference(masked)
        common = self._common_chip(before, outage.dropped)
        chips = {
            index: common if common is not None else self._chips_of(before, index)[:1] for index in dropped
        }
        working = {chips[index] for index in dropped if self._frame[index] == before[index]}
        return any(chip not in working for chip in chips.values())

    def _end(self, *observations: Observation) -> tuple[Observation, ...]:
        self._outage = None
        return observations


def _occupied(frame: Frame, masked: Collection[int]) -> dict[int, Reading]:
    """Return the readings of the pieces in `frame`, by their indexes."""
    return {i: reading for i, reading in enumerate(frame) if reading != NOTHING and i not in masked}


def _is_misread(
    frame: Frame, expected: Frame, contacts: Mapping[Contact, Contact | None], masked: Collection[int]
) -> bool:
    """Return whether `frame` is read where the `expected` one stands, if these other contacts are read."""
    read: dict[int, set[Reading]] = {}
    for (point, reading), contact in contacts.items():
        if contact is None:
            found = NOTHING
        elif contact[1] == NOTHING or contact[1] == expected[contact[0]]:
            found = reading or expected[contact[0]]
        else:
            found = NOTHING
        read.setdefault(point, set()).add(found)
    return all(
        frame[point] in ((readings - {NOTHING}) or {NOTHING})
        for point, readings in read.items()
        if point not in masked
    )
