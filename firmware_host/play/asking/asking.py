"""The state of an ask that is open: the question that is lit, its options, and until when it waits.

Invariants: it is a value, and knows names of requests and points of a layout, but no rule. A touch either
changes nothing, leads on, or closes the ask with the option to carry out. Time is an argument.

Exactly the options that can be touched are lit, and what ends a game is the only one once it has been
touched. Beside the question how the last game ended, the lights of the next one stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from firmware_host.frozen import frozen
from firmware_host.games.layout import Point
from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import Scene
from firmware_host.play.asking.options import RESULT, Option
from firmware_host.settings import Microseconds

ASK_TIMEOUT: Microseconds = 12_000_000
SURE_TIMEOUT: Microseconds = 6_000_000


@frozen
class Asking:
    """An ask that waits for an answer."""

    question: str
    options: Mapping[Point, Option]
    until: Microseconds
    """The time at which it closes unless something is touched."""
    opened_by: frozenset[Point] = frozenset()
    """The points at which hands opened it; empty if it was opened by request."""
    sure: Point | None = None
    """The point that has to be touched again; None if none has been touched that has to."""
    count: int = 0
    """The number of its touches so far."""
    patience: int = 1
    """The factor by which it waits longer than an ask that is only lit."""

    @property
    def chosen(self) -> frozenset[Point]:
        """The points of options that are in force already."""
        return frozenset(point for point, option in self.options.items() if option.holds)

    @property
    def lit(self) -> Mapping[Point, Option]:
        """The options that can be touched now."""
        return self.options if self.sure is None else {self.sure: self.options[self.sure]}

    def touched(self, point: Point, now: Microseconds) -> tuple[Asking | None, Option | None]:
        """Return the ask after a touch, None if that closes it, and the option that was chosen, if any."""
        option = self.lit.get(point)
        if option is None:
            return (None if self.opened_by == {point} else self), None
        if self.count + 1 < option.touches or option.is_counted:
            until = now + self.patience * SURE_TIMEOUT
            return replace(self, sure=point, count=self.count + 1, until=until), None
        if option.leads_to is None:
            return None, option
        # Its options are those of the former question until `offering` replaces them.
        until = now + self.patience * ASK_TIMEOUT
        return replace(self, question=option.leads_to, until=until, sure=None, count=0), option

    @property
    def is_counting(self) -> bool:
        """True if a point was touched whose touches are counted."""
        return self.sure is not None and self.options[self.sure].is_counted

    @property
    def is_exact(self) -> bool:
        """True if the point was touched as often as it has to be, and not more often."""
        return self.sure is not None and self.count == self.options[self.sure].touches

    def offering(self, options: Mapping[Point, Option], *, may_wait: bool = False) -> Asking | None:
        """Return the ask with the options that its question has now; None if it has none to touch.

        With `may_wait`, it can have none for a while. If the option to be confirmed is no longer there,
        nothing is to be confirmed.
        """
        if options == self.options:
            return self
        kept = self.sure is not None and options.get(self.sure) == self.options.get(self.sure)
        sure, count = (self.sure, self.count) if kept else (None, 0)
        return replace(self, options=options, sure=sure, count=count) if options or may_wait else None


_PLAYERS = {
    "white-won": Cue.WHITE,
    "black-won": Cue.BLACK,
    "white-moves": Cue.WHITE,
    "black-moves": Cue.BLACK,
    "white-clock": Cue.WHITE,
    "black-clock": Cue.BLACK,
}
"""The options that are about one player."""


def ask_scene(asking: Asking | None, under: Scene) -> Scene:
    """Return the scene of `asking`, or of None; `under` is that of the game."""
    if asking is None:
        return under
    cues = {point: frozenset({_cue(asking, option)}) for point, option in asking.lit.items()}
    if asking.question != RESULT:
        return Scene(cues)
    both = {point: under.cues.get(point, frozenset()) | cue for point, cue in cues.items()}
    return Scene({**under.cues, **both}, under.to_move)


def _cue(asking: Asking, option: Option) -> Cue:
    if asking.sure is not None:
        # Two lights take turns where touches are counted, so that each is seen to count.
        return Cue.ASKED if asking.is_counting and asking.count % 2 == 0 else Cue.SURE
    return _PLAYERS.get(option.does) or (Cue.ASKED if option.holds else Cue.ASK)
