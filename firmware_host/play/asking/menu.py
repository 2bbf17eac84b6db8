"""The ask of one board: opened by gestures or on request, answered by touches, and turned into requests.

While a menu is open, hands do not count for the game, as while it is paused. The question of how a game ended
whose board was cleared is asked beside the next game, which goes on.

Invariants: no light, no menu: it neither opens nor stays open while the sensors or the LEDs don't work, and a
point whose sensor would not report a touch, or reports touches by itself, offers nothing. A power cut forgets
it, except a position that is being set up. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from firmware_host.config.compatibility import playable_rule_sets
from firmware_host.errors import RequestError
from firmware_host.games.game import Player
from firmware_host.games.layout import Point
from firmware_host.i18n import Message
from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import Scene
from firmware_host.play import events as ev
from firmware_host.play.asking.asking import ASK_TIMEOUT, Asking, ask_scene
from firmware_host.play.asking.gestures import GestureWatch
from firmware_host.play.asking.meeting import ROOM_TIMEOUT, RoomQuestions
from firmware_host.play.asking.options import (
    BEGIN,
    GAME,
    OFFER,
    PHONE,
    PHONE_ANSWERS,
    PHONE_IN,
    PHONE_OUT,
    RESULT,
    TOUCH_QUESTIONS,
    WORKSHOP,
    WORKSHOPS,
    Option,
    options,
    places,
    situation_of,
)
from firmware_host.play.asking.setting_up import (
    PIECE_QUESTIONS,
    SET_UP_QUESTIONS,
    SET_UP_TIMEOUT,
    SettingUp,
)
from firmware_host.play.asking.touches import Steadiness, Touches
from firmware_host.play.controls import GameControls
from firmware_host.play.part import PlayPart
from firmware_host.play.preferences import PreferenceValues
from firmware_host.play.session import Session, follow_again
from firmware_host.play.speech import SpeechTracker
from firmware_host.play.stored_settings import SET_UP_KEY
from firmware_host.play.switching_off import SwitchOff
from firmware_host.ports import NOTHING, Frame
from firmware_host.settings import MEET, Microseconds
from firmware_host.tracking.verdict import Mismatch, TakingBack, Unchanged, Undecided

# ---- somebody at the board ------------------------------------------------------------------------------
# Somebody at the board: one empty point, lit by chance, is touched by whoever sits there. That takes two
# touches, or for a phone the number that it alone shows, so that the light doesn't tell how to let one in.
# That number counts once a pause follows: trying the point out passes by it, and another number ends the
# search.
#
# Invariants: each search has one purpose and lights a point of its own; only for the first phone of a board
# that was just plugged in, whose wires may be in any order, all empty ones. A touch serves that purpose
# alone, and once. The ask's own knock opens nothing here, since hands asked for a touch do not open the menu.


TOUCH_TIMEOUT: Microseconds = 60_000_000
"""The time in which the point has to be touched."""
COUNT_PAUSE: Microseconds = 2_000_000
"""The time without a touch after which those so far are counted."""
ANSWER_TIME: Microseconds = 3_000_000
"""The time for which lights show whether a phone is let in."""
IS_HERE = "phone-here"
"""The public name of the option."""


class TouchSearch:
    """The point that is lit for somebody at the board, and what the touch is for."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._points: tuple[Point, ...] = ()
        self._times = 1
        self.purpose = ""
        """The use of the last search: a phone, a kind of the workshop, or the choice of a network."""
        self.agreed_to = ""
        """The purpose that was touched for, until it is taken or another answer is given."""
        self._is_miscounted = False

    @property
    def options(self) -> dict[Point, Option]:
        """The one option of the question, at each point that is lit; none if there was no empty one."""
        option = Option(IS_HERE, touches=self._times, is_counted=self.purpose == PHONE)
        return dict.fromkeys(self._points, option)

    @property
    def workshop(self) -> str:
        """The kind of the workshop that somebody at the board has agreed to; empty if none."""
        return self.agreed_to if self.agreed_to in WORKSHOPS else ""

    def begin(self, purpose: str, times: int, *, is_anywhere: bool = False) -> None:
        """Choose an empty point by lot, or all of them, to be touched that number of `times`.

        Raises RequestError if there is none.

        A board whose sensors people ignore could ask for a touch, so that it isn't refused as one that fails:
        by `refused.no-light`, the companion of the Wi-Fi goes on without a touch.
        """
        session = self._session
        untouchable = set(session.sensor_model.unobservable_points(session.game.position.stacks))
        points = session.game.rules.layout.points
        free = [p for p in points if session.stable[p.index] == NOTHING and p.index not in untouchable]
        if not free:
            is_phone = purpose == PHONE
            raise RequestError(Message("refused.no-light") if is_phone else Message("workshop.no-light"))
        self._points = tuple(free) if is_anywhere else (free[self._draw(len(free))],)
        self.purpose, self.agreed_to, self._times = purpose, "", times
        self._is_miscounted = False

    def _draw(self, count: int) -> int:
        """Return a number below `count`, by lots."""
        drawn = 0
        for _ in range(2 * count.bit_length()):
            drawn = 2 * drawn + (self._session.draw_lot() is Player.WHITE)
        return drawn % count

    def note(self, option: Option) -> None:
        """Note the answer to a question: the touch that was searched for, or another one."""
        self.agreed_to = self.purpose if option.does == IS_HERE else ""

    def count(self, asking: Asking, now: Microseconds, *, is_steady: bool) -> Asking:
        """End a search for a phone; return the ask that shows for a moment whether it is let in.

        Touches of a point that isn't steady can't be counted.
        """
        is_exact = is_steady and asking.is_exact
        self.agreed_to, self._is_miscounted = self.purpose if is_exact else "", not is_exact
        if is_exact and asking.sure is not None:
            self._session.timeline.add(ev.AskAnswered(asking.sure, IS_HERE))
        question = PHONE_IN if is_exact else PHONE_OUT
        self._session.timeline.add(ev.AskOpened(question))
        return Asking(question, {}, now + asking.patience * ANSWER_TIME, patience=asking.patience)

    def take(self, purpose: str, *, is_asking: bool) -> None:
        """Use up the touch for `purpose`.

        Raises RequestError if the point was not touched for it: not yet, while it `is_asking`, another number
        of times, or no more.
        """
        if self._is_miscounted and purpose == self.purpose:
            raise RequestError(Message("workshop.phone-out"))
        if self.agreed_to != purpose:
            waits = is_asking and self.purpose == purpose
            raise RequestError(Message("refused.phone-waits") if waits else Message("refused.phone-over"))
        self.agreed_to = ""


# ---- the ask --------------------------------------------------------------------------------------------


_NEEDED_PARTS = ("sensors", "leds")
"""The parts without which nothing can be asked by light."""


class AskMenu(PlayPart):
    """The gestures, the open menu and its answers, of one board."""

    _values: PreferenceValues

    def __init__(
        self,
        off: SwitchOff,
        controls: GameControls,
        faults: Collection[str],
        speech: SpeechTracker,
    ) -> None:
        """Follow the session of `off`; `faults` are the parts that don't work, at any time."""
        self.asking: Asking | None = None
        """The ask that is open; None if none is."""
        self._off, self._controls, self._faults = off, controls, faults
        self._session = session = off.session
        layout = session.game.rules.layout  # the wiring decides this and the next, and never changes
        self._places, alphabet = places(layout), session.sensor_model.alphabet
        self._rule_sets = tuple(playable_rule_sets(alphabet, layout))
        self._gestures = GestureWatch(session)
        self._touches = Touches((), ())
        self._steadiness = Steadiness()
        self._frame: Frame = ()
        """The frame that was judged last, as it would be without sensors that change by themselves."""
        self.setting_up: SettingUp | None = None
        """The position that hands set up; None if they don't."""
        self._to_resume: Mapping[str, Any] | None = None
        self._speech = speech
        self.touch_search = TouchSearch(session)
        """The point that is lit for somebody at the board."""
        self.plugged_in_until: Microseconds = 0
        """The time before which whoever plugged the board in is taken to be beside it."""
        self.room = RoomQuestions(session, controls.far.room)
        """The questions and phrases of the room."""
        self._requests: list[Mapping[str, Any]] = []

    @property
    def holds_game(self) -> bool:
        """True while a menu is open and hands don't count for the game."""
        return self.asking is not None and self.asking.question != RESULT

    @property
    def stops_clocks(self) -> bool:
        """True while a menu is open, or what was chosen in it is still to be carried out."""
        return self.holds_game or bool(self._requests)

    @property
    def can_open(self) -> bool:
        """True if a menu would be seen and its answers read."""
        return not any(part in self._faults for part in _NEEDED_PARTS)

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something may happen although no reading changes; None if nothing will."""
        if self.asking is None:
            waits = (self._gestures.deadline, self.room.deadline)
            return min((due for due in waits if due is not None), default=None)
        left = None if self.asking.question in PIECE_QUESTIONS else self._touches.deadline
        set_up = None if self.setting_up is None else self.setting_up.deadline
        count = _count_due(self.asking, self._touches)
        dues = (self.asking.until, left, set_up, count, self._steadiness.deadline)
        return min(due for due in dues if due is not None)

    def take_requests(self) -> tuple[Mapping[str, Any], ...]:
        """Return the requests that touches have made since the last call."""
        requests = tuple(self._requests)
        self._requests.clear()
        return requests

    def on_preferences(self, values: PreferenceValues, _before: PreferenceValues | None) -> None:
        """Offer other values than those that apply."""
        self._values = values

    def add_light(self, scene: Scene) -> Scene:
        """Return the light of the ask; of that of the game, only one question leaves any."""
        if self.asking is None:
            is_urgent = self._session.must_clear or self._controls.far.holds_game
            return scene if is_urgent else self.room.shown(scene)
        if self.setting_up is not None and self.asking.question in PIECE_QUESTIONS:
            return self.setting_up.scene(self.asking)
        if self.asking.question in PHONE_ANSWERS:
            cue = Cue.ASKED if self.asking.question == PHONE_IN else Cue.WRONG
            return Scene(dict.fromkeys(self._session.game.rules.layout.points, frozenset({cue})))
        return ask_scene(self.asking, scene)

    def to_store(self) -> Mapping[str, Any]:
        """Return the position that hands set up; None if they don't."""
        return {SET_UP_KEY: None if self.setting_up is None else self.setting_up.kept}

    def restore(self, stored: Mapping[str, Any]) -> None:
        """Have hands go on setting up a position, from the first frame on."""
        kept = stored.get(SET_UP_KEY)
        self._to_resume = kept if isinstance(kept, Mapping) else None

    # ---- frames ----------------------------------------------------------------------------------------

    def follow_hands(self, now: Microseconds) -> None:
        """Follow the frame that the session has just judged."""
        session, unsteady = self._session, self._steadiness.unsteady
        self._frame = self._steadiness.steadied(session.stable, session.expected_frame, now)
        if since := self._steadiness.unsteady - unsteady:
            self._gestures.restart()
            self._touches.forget(since)
        resumed, self._to_resume = self._to_resume, None
        if resumed is not None and self.can_open and not session.game.ply:
            white = resumed.get("white")
            self.set_up(now, white if isinstance(white, list) else None)
        if self.asking is not None and _is_overtaken(self._session, self.asking):
            self.close()
        if session.cleared is not None and self.asking is None:
            self._open(RESULT, now)
        if self.asking is None:
            self._watch(now)
        elif now >= self.asking.until:
            self.close()
        elif self.setting_up is not None and self._is_about_pieces(self.asking, now):
            self._follow_pieces(self.setting_up, self.asking, now)
        elif self._touches.is_left(now):
            self.close()
        else:
            self._follow(self.asking, now)

    def _is_about_pieces(self, asking: Asking, now: Microseconds) -> bool:
        """Return whether hands are setting up pieces, or go on doing so instead of answering what follows."""
        return asking.question in PIECE_QUESTIONS or (
            asking.question in SET_UP_QUESTIONS and self._touches.is_left(now)
        )

    def _follow_pieces(self, setting_up: SettingUp, asking: Asking, now: Microseconds) -> None:
        """Take in the pieces of a position that hands set up, and the touch that says that they stand."""
        changed, touched = setting_up.read(self._session.stable, now)
        if setting_up.is_cleared(now):
            self.close()
            return
        question = setting_up.question
        if question != asking.question:
            self._session.timeline.add(ev.AskOpened(question))
        until = now + SET_UP_TIMEOUT if changed or question != asking.question else asking.until
        options = setting_up.options(question)
        self.asking = replace(asking, question=question, options=options, until=until)
        if touched:
            for point in options:
                self._answer(point, now)

    def _watch(self, now: Microseconds) -> None:
        """Look for gestures."""
        if not self.can_open or self._session.must_clear:
            self._gestures.restart()
        elif (due := self.room.take_due(now)) is not None:
            self._open(due, now)
        elif opened_by := self._gestures.completed_in(self._frame, now):
            self._open(GAME, now, opened_by)

    def _follow(self, asking: Asking, now: Microseconds) -> None:
        """Answer the touches of an open ask, and offer what is possible now."""
        offered = asking.offering(self._options(asking.question))
        touched = self._touches.touched_in(self._frame, now)
        due = _count_due(asking, self._touches)
        if asking.is_counting and (offered is None or (due is not None and now >= due)):
            self.asking = self.touch_search.count(asking, now, is_steady=offered is not None)
            return
        if offered is None:
            self.close()
            return
        self.asking = offered
        if asking.question == RESULT:
            _hold_back(self._session, self._touches, offered)
        if touched is None:
            return
        point, lasted = self._session.game.rules.layout.points[touched], self._touches.lasted
        is_option = asking.question == RESULT or point in offered.lit or offered.opened_by == {point}
        if not self._speech.explains(point, lasted, is_option=is_option):
            self._answer(point, now)
        else:
            self.asking = replace(offered, until=now + _timeout(offered.question, offered.patience))

    # ---- opening, answering, closing -------------------------------------------------------------------

    def open(self, now: Microseconds) -> None:
        """Open the first question, or close the ask that is open; raise RequestError if that can't be seen.

        The question beside a game gives way to it.
        """
        self.require_light()
        was_open = self.holds_game
        self.close()
        if not was_open:
            self._open(GAME, now)

    def touch(self, name: str, now: Microseconds) -> tuple[Mapping[str, Any], ...]:
        """Touch the lit point of that name, and return the requests this makes.

        Raises RequestError if there is nothing to touch, or if only hands at the board may.
        """
        point = self._session.game.rules.layout.by_name.get(name)
        if self.asking is None:
            raise RequestError(Message("refused.not-asking"))
        if point is None or point not in self.asking.lit:
            raise RequestError(Message("refused.not-lit", {"text": name}))
        if self.asking.question in TOUCH_QUESTIONS:
            raise RequestError(Message("workshop.by-hand"))
        self._answer(point, now)
        return self.take_requests()

    def set_up(self, now: Microseconds, white: Collection[str] | None = None) -> None:
        """Have hands set up a position for the game that is to begin; `white` as `SettingUp` takes it."""
        self.close()
        session = self._session
        untouchable = session.sensor_model.masked
        at = {place: point for place, point in self._places.items() if point.index not in untouchable}
        cleared = session.timing.cleared_ms * 1000
        self.setting_up = SettingUp(session.game.rules, session.sensor_model, at, cleared, white)
        session.must_clear = False
        self._open(self.setting_up.question, now)

    def require_light(self) -> None:
        """Raise RequestError if nobody would see what is asked."""
        if not self.can_open:
            raise RequestError(Message("refused.no-light"))

    def find_somebody(
        self, now: Microseconds, purpose: str = PHONE, *, times: int = 2, is_first: bool = False
    ) -> None:
        """Light one empty point by chance, to be touched a number of `times` by somebody at the board.

        That lets a phone in, has the workshop of a kind begin, or may be taken for another purpose. A board
        that was just plugged in needs no touch for set-up and doctor, since its sensors may not work yet. For
        the phone that `is_first`, by which it is to be set up, any point will do then.
        Raises RequestError if something else is asked, or nothing can be.
        """
        if purpose in WORKSHOPS and now < self.plugged_in_until:
            self.touch_search.agreed_to = purpose
            return
        question = PHONE if purpose == PHONE else WORKSHOP
        if not self.can_open:
            is_workshop = purpose in WORKSHOPS
            raise RequestError(Message("workshop.no-light") if is_workshop else Message("refused.no-light"))
        if self._off.holds_game:
            raise RequestError(Message("refused.asks-already"))
        if self.asking is not None and self.asking.question not in (RESULT, *PHONE_ANSWERS):
            is_again = self.asking.question == question and self.touch_search.purpose == purpose
            if not is_again:
                raise RequestError(Message("refused.asks-already"))
        self.close()
        self.touch_search.begin(purpose, times, is_anywhere=is_first and now < self.plugged_in_until)
        self._open(question, now)

    def close(self) -> None:
        """Close the ask, if one is open, and follow the game again."""
        if self.asking is None:
            return
        session = self._session
        if self.asking.question == RESULT and not self._requests:
            session.cleared = None
        is_new = not (session.game.ply or session.game.is_set_up)  # not another that was asked for
        if self.setting_up is not None and not self._requests and is_new:
            session.must_clear = any(session.stable) and session.stable != session.expected_frame()
        if self._steadiness.unsteady:
            follow_again(session)
        self.asking = self.setting_up = None
        session.suspended = False
        session.judge_again()
        self._gestures.restart()
        session.timeline.add(ev.AskClosed())

    def _open(self, question: str, now: Microseconds, opened_by: set[int] | None = None) -> None:
        session = self._session
        indexes = opened_by or set()
        points = session.game.rules.layout.points
        opened_at = frozenset(map(points.__getitem__, indexes))
        patience = self._speech.patience
        asking = Asking(question, {}, now + _timeout(question, patience), opened_at, patience=patience)
        waits = question in SET_UP_QUESTIONS
        self.asking = asking.offering(self._options(question), may_wait=waits) if self.can_open else None
        if self.asking is None:
            session.cleared = None
            return
        frame, own = self._frame, session.expected_frame()
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
            if self.setting_up is not None:
                self.setting_up.take_answer(option.does)
            self.touch_search.note(option)
            self.room.note(option, point)
        if after is None:
            self.close()
            return
        if after.question in TOUCH_QUESTIONS:
            pause = 2 * after.patience * COUNT_PAUSE if after.is_counting else 0  # for it to follow a touch
            after = replace(after, until=max(asking.until, now + pause))
        if after.question != asking.question:
            self._session.timeline.add(ev.AskOpened(after.question))
        if after.question != asking.question or after.question == MEET:
            after = self._led_on(asking, after, now)
        self.asking = after

    # ---- what can be asked -----------------------------------------------------------------------------

    def _led_on(self, asking: Asking, after: Asking, now: Microseconds) -> Asking:
        """Return the ask `after` an answer to `asking` that led to another question, with its options."""
        is_set_up = after.question in SET_UP_QUESTIONS
        if asking.question in PIECE_QUESTIONS:
            self._touches = Touches(self._frame, self._frame)
        after = replace(after, until=now + _timeout(after.question, after.patience))
        return after.offering(self._options(after.question), may_wait=is_set_up) or after

    def _options(self, question: str) -> dict[Point, Option]:
        """Return the options of `question` at points that can be touched."""
        session, unsteady = self._session, self._steadiness.unsteady
        if self.setting_up is not None and question in SET_UP_QUESTIONS:
            return self.setting_up.options(question)
        if question in PHONE_ANSWERS:
            return {}
        if question in TOUCH_QUESTIONS:
            return {p: option for p, option in self.touch_search.options.items() if p.index not in unsteady}
        position = session.game.position
        untouchable = unsteady | set(session.sensor_model.unobservable_points(position.stacks))
        if question == MEET:
            layout = session.game.rules.layout
            return self.room.points_left(p for p in layout.points if p.index not in untouchable)
        now = situation_of(self._off, self._controls, self._values, self._rule_sets, self._speech)
        found = {self._places[place]: option for place, option in options(question, now).items()}
        return {point: option for point, option in found.items() if point.index not in untouchable}


_TIMEOUTS = {
    **dict.fromkeys(SET_UP_QUESTIONS, SET_UP_TIMEOUT),
    **dict.fromkeys((MEET, OFFER, BEGIN), ROOM_TIMEOUT),
    **dict.fromkeys(TOUCH_QUESTIONS, TOUCH_TIMEOUT),
}


def _timeout(question: str, patience: int) -> Microseconds:
    return _TIMEOUTS.get(question, patience * ASK_TIMEOUT)


def _count_due(asking: Asking, touches: Touches) -> Microseconds | None:
    """Return the time at which the touches so far are counted; None if they aren't, or one has begun."""
    idle_since = touches.idle_since if asking.is_counting else None
    return None if idle_since is None else idle_since + asking.patience * COUNT_PAUSE


def _is_overtaken(session: Session, asking: Asking) -> bool:
    """Return whether a cleared board ended the ask, or the last game can no longer be asked about.

    Beside errors of the next game, whose lights stand alone, nothing is asked.
    """
    if asking.question == RESULT:
        return session.cleared is None or _is_in_doubt(session.verdict)
    return not session.suspended


def _hold_back(session: Session, touches: Touches, asking: Asking) -> None:
    """Keep a piece that may only touch a result from counting for the next game, until that is clear."""
    lit = {point.index for point in asking.lit}
    is_held_back = not touches.touching.isdisjoint(lit)
    if session.suspended and not is_held_back:
        session.judge_again()
    session.suspended = is_held_back


def _is_in_doubt(verdict: Unchanged) -> bool:
    """Return whether hands have done more than to leave out pieces that a game is set up with."""
    if isinstance(verdict, Mismatch):
        return bool(verdict.extra or verdict.wrong)
    return isinstance(verdict, Undecided | TakingBack)
