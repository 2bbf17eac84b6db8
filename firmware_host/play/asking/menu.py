"""The ask of one board: opened by gestures or on request, answered by touches, and turned into requests.

While a menu is open, hands do not count for the game, as while it is paused. The question of how a game ended
whose board was cleared is asked beside the next game, which goes on.

Invariants: no light, no menu: it neither opens nor stays open while the sensors or the LEDs don't work, and a
point whose sensor would not report a touch offers nothing. A knock that was slow enough to be taken for a
placement is taken back as the ask opens. A power cut forgets it. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from firmware_host.config.compatibility import playable_rule_sets
from firmware_host.engine.choosing import levels
from firmware_host.errors import RequestError
from firmware_host.games.game import Player
from firmware_host.games.layout import Point
from firmware_host.i18n import Message
from firmware_host.play import events as ev
from firmware_host.play.asking.asking import ASK_TIMEOUT, Asking
from firmware_host.play.asking.options import GAME, RESULT, Option, Situation, options
from firmware_host.play.asking.places import places
from firmware_host.play.asking.touches import Touches
from firmware_host.play.controls import GameControls
from firmware_host.play.device.off import SwitchOff
from firmware_host.play.hints.kinds import HintKind, kind_in_turn
from firmware_host.play.preferences import PreferenceValues
from firmware_host.play.timeline import Checkpoint
from firmware_host.ports import NOTHING
from firmware_host.settings import THEME_NAMES, Microseconds
from firmware_host.tracking.gestures.hold_up import HoldUpDetector
from firmware_host.tracking.gestures.knock import KnockDetector
from firmware_host.tracking.verdict import Mismatch, TakingBack, Unchanged, Undecided

_NEEDED_PARTS = ("sensors", "leds")
"""The parts without which nothing can be asked by light."""
_REQUESTS = ("take-back", "redo", "undo", "pause", "resume", "draw")
"""The requests that are options without arguments."""


class AskMenu:
    """The gestures, the open menu and its answers, of one board."""

    def __init__(
        self,
        off: SwitchOff,
        controls: GameControls,
        preferences: Callable[[], PreferenceValues],
        faults: Collection[str],
    ) -> None:
        """Follow the session of `off`; `faults` are the parts that don't work, at any time."""
        self.asking: Asking | None = None
        """The ask that is open; None if none is."""
        self._off = off
        self._session = session = off.session
        self._controls = controls
        self._preferences = preferences
        self._faults = faults
        layout = session.game.rules.layout
        # The wiring decides these, and never changes while the program runs.
        self._places = places(layout)
        self._rule_sets = tuple(playable_rule_sets(session.sensor_model.alphabet, layout))
        self._knock = KnockDetector()
        self._hold_up = HoldUpDetector()
        self._touches = Touches((), ())
        self._before_knock: Checkpoint | None = None
        self._requests: list[Mapping[str, Any]] = []

    @property
    def holds_game(self) -> bool:
        """True while a menu is open and hands don't count for the game."""
        return self.asking is not None and self.asking.question != RESULT

    @property
    def can_open(self) -> bool:
        """True if a menu would be seen and its answers read."""
        return not any(part in self._faults for part in _NEEDED_PARTS)

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something may happen although no reading changes; None if nothing will."""
        if self.asking is None:
            dues = [self._knock.deadline, self._hold_up.deadline]
        else:
            dues = [self.asking.until, self._touches.deadline]
        return min((due for due in dues if due is not None), default=None)

    def take_requests(self) -> tuple[Mapping[str, Any], ...]:
        """Return the requests that touches have made since the last call."""
        requests = tuple(self._requests)
        self._requests.clear()
        return requests

    # ---- frames ----------------------------------------------------------------------------------------

    def observe(self, now: Microseconds) -> None:
        """Follow the frame that the session has just judged."""
        if self.asking is not None and self._is_overtaken(self.asking):
            self.close()
        if self._session.cleared is not None and self.asking is None:
            self._open(RESULT, now)
        if self.asking is None:
            self._watch(now)
        elif now >= self.asking.until or self._touches.is_left(now):
            self.close()
        else:
            self._follow(self.asking, now)

    def _is_overtaken(self, asking: Asking) -> bool:
        """Return whether a cleared board ended the ask, or the last game can no longer be asked about.

        Beside errors of the next game, whose lights stand alone, nothing is asked.
        """
        if asking.question == RESULT:
            return self._session.cleared is None or _is_in_doubt(self._session.verdict)
        return not self._session.suspended

    def _watch(self, now: Microseconds) -> None:
        """Look for gestures."""
        session = self._session
        if not self.can_open or session.must_clear:
            self._knock.restart()
            self._hold_up.restart()
            return
        frame, game, sensors = session.stable, session.game, session.sensor_model
        places_pieces = any(game.position.in_hand(player) for player in Player)
        checkpoint = session.timeline.checkpoint
        knocked = self._knock.update(frame, session.expected_frame(), now, may_begin=places_pieces)
        if knocked is not None:
            self._withdraw_knock()
            self._open(GAME, now, {knocked})
            return
        if not self._knock.is_under_way:
            self._before_knock = None
        elif self._before_knock is None:
            self._before_knock = checkpoint
        is_error = session.paused or game.outcome is not None or isinstance(session.verdict, Mismatch)
        held = self._hold_up.update(frame, game, sensors, now, is_error=is_error)
        if held:
            self._open(GAME, now, {point.index for point in held})

    def _withdraw_knock(self) -> None:
        """Take back what the game has made of the knock."""
        session, before = self._session, self._before_knock
        if before is not None and before != session.timeline.checkpoint:
            session.timeline.restore(before)
            session.rebase()

    def _follow(self, asking: Asking, now: Microseconds) -> None:
        """Answer the touches of an open ask, and offer what is possible now."""
        offered = asking.offering(self._options(asking.question))
        touched = self._touches.update(self._session.stable, now)
        if offered is None:
            self.close()
            return
        self.asking = offered
        if asking.question == RESULT:
            self._hold_back(offered)
        if touched is not None:
            self._answer(self._session.game.rules.layout.points[touched], now)

    def _hold_back(self, asking: Asking) -> None:
        """Keep a piece that may only touch a result from counting for the next game, until that is clear."""
        session = self._session
        lit = {point.index for point in asking.lit}
        is_held_back = not self._touches.touching.isdisjoint(lit)
        if session.suspended and not is_held_back:
            session.judge_again()
        session.suspended = is_held_back

    # ---- opening, answering, closing -------------------------------------------------------------------

    def open(self, now: Microseconds) -> None:
        """Open the first question, or close the ask that is open; raise RequestError if that can't be seen.

        The question beside a game gives way to it.
        """
        if not self.can_open:
            raise RequestError(Message("refused.no-light"))
        was_open = self.holds_game
        self.close()
        if not was_open:
            self._open(GAME, now)

    def answer(self, name: str, now: Microseconds) -> tuple[Mapping[str, Any], ...]:
        """Touch the lit point of that name, and return the requests this makes.

        Raises RequestError if there is nothing to touch.
        """
        point = self._session.game.rules.layout.by_name.get(name)
        if self.asking is None:
            raise RequestError(Message("refused.not-asking"))
        if point is None or point not in self.asking.lit:
            raise RequestError(Message("refused.not-lit", {"text": name}))
        self._answer(point, now)
        return self.take_requests()

    def close(self) -> None:
        """Close the ask, if one is open, and follow the game again."""
        if self.asking is None:
            return
        session = self._session
        if self.asking.question == RESULT and not self._requests:
            session.cleared = None
        self.asking = None
        session.suspended = False
        session.judge_again()
        self._knock.restart()
        self._hold_up.restart()
        self._before_knock = None
        session.timeline.add(ev.AskClosed())

    def _open(self, question: str, now: Microseconds, opened_by: set[int] | None = None) -> None:
        session = self._session
        indexes = opened_by or set()
        points = session.game.rules.layout.points
        asking = Asking(question, {}, now + ASK_TIMEOUT, frozenset(points[index] for index in indexes))
        self.asking = asking.offering(self._options(question)) if self.can_open else None
        if self.asking is None:
            session.cleared = None
            return
        frame, own = session.stable, session.expected_frame()
        held = {index for index in indexes if own[index] != NOTHING}
        rest = tuple(own[i] if i in held else reading for i, reading in enumerate(frame))
        self._touches = Touches(frame, rest)
        if question != RESULT:
            session.suspended = True
        session.timeline.add(ev.AskOpened(question))

    def _answer(self, point: Point, now: Microseconds) -> None:
        asking = self.asking
        if asking is None:
            return
        after, option = asking.touched(point, now)
        if option is not None:
            self._session.timeline.add(ev.AskAnswered(point, option.does))
            if option.request is not None:
                self._requests.append(option.request)
        if after is None:
            self.close()
            return
        if after.question != asking.question:
            after = after.offering(self._options(after.question)) or after
            self._session.timeline.add(ev.AskOpened(after.question))
        self.asking = after

    # ---- what can be asked -----------------------------------------------------------------------------

    def _options(self, question: str) -> dict[Point, Option]:
        """Return the options of `question` at points that can be touched."""
        session = self._session
        position = session.game.position
        untouchable = set(session.sensor_model.unobservable_points(position.stacks))
        found = {
            self._places[place]: option for place, option in options(question, self._situation()).items()
        }
        return {point: option for point, option in found.items() if point.index not in untouchable}

    def _possible(self, values: PreferenceValues) -> frozenset[str]:
        """Return the names of the requests without arguments that are possible once the ask closes."""
        possible = {name for name in _REQUESTS if self._controls.unavailable_reason(name) is None}
        may_hint = kind_in_turn(self._session, values) is not HintKind.OFF
        others = {"hint": may_hint, "off": self._off.is_possible}
        return frozenset(possible | {name for name, may in others.items() if may})

    def _situation(self) -> Situation:
        session, values = self._session, self._preferences()
        game, seats = session.game, session.seats.as_dict()
        return Situation(
            possible=self._possible(values),
            is_begun=game.ply > 0,
            is_over=game.outcome is not None,
            rules=game.rules.name,
            rule_sets=self._rule_sets,
            levels=tuple(levels(game.rules)),
            white=seats["white"],
            black=seats["black"],
            brightness=values.brightness,
            theme=values.theme,
            themes=THEME_NAMES,
            hints=values.hints,
            clock=values.clock,
            clock_flag=values.clock_flag,
        )


def _is_in_doubt(verdict: Unchanged) -> bool:
    """Return whether hands have done more than to leave out pieces that a game is set up with."""
    if isinstance(verdict, Mismatch):
        return bool(verdict.extra or verdict.wrong)
    return isinstance(verdict, Undecided | TakingBack)
