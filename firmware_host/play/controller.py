"""The way from readings to light: debounce the frame, judge it and play, compose a scene, render it.

`step` takes each frame, in order of time, and returns the light that answers it; `take_events` returns what
happened. Time is an argument.

Invariants: an unchanged frame before the next deadline costs next to nothing; a fault of the sensors, such as
an outage, stops play, and no other fault does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from firmware_host.games.game import Game
from firmware_host.games.time_control import TimeControls
from firmware_host.i18n import Message, to_english
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.scene import Scene, clear_board_scene, compose, countdown_scene, resting_scene
from firmware_host.lights.themes import theme_named
from firmware_host.play import events as ev
from firmware_host.play.asking.menu import AskMenu
from firmware_host.play.beginning.lesson import Lesson
from firmware_host.play.beginning.puzzle import PuzzleSeries
from firmware_host.play.clock.tracker import ClockTracker
from firmware_host.play.controls import GameControls
from firmware_host.play.device.off import SwitchOff
from firmware_host.play.device.rest import RestDepth, RestTracker
from firmware_host.play.durability import DurabilityTracker, GameStore, NullStore
from firmware_host.play.hints.tracker import HintTracker, kind_now
from firmware_host.play.outage import Observation, OutageDetector
from firmware_host.play.preferences import PREFERENCES_KEY, Preferences
from firmware_host.play.seats import EngineTurns, SeatHolder, Seats
from firmware_host.play.session import Session, is_just_cleared
from firmware_host.play.sound.speech import SAMPLE, SpeechTracker
from firmware_host.play.sound.tracker import SoundTracker
from firmware_host.play.stored_settings import CLOCK_KEY, stored_settings
from firmware_host.ports import Frame, LedFrame
from firmware_host.settings import STRICT, Lights, Microseconds, Play, Rest
from firmware_host.tracking.debounce import Debouncer
from firmware_host.tracking.verdict import Settled

STOPPING_PART = "sensors"
"""The part whose fault stops play."""


class _Timed(Protocol):
    """A part of the board that may have something to do although no reading changes."""

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which it has; None if it won't."""


class Controller:
    """One board: its session, and the light that answers."""

    now: Microseconds = 0
    """The time of the last step."""
    answers = 0
    """The number of steps in which anything, be it light alone, may have changed."""
    _faults: dict[str, Message]
    _events: list[ev.Event]
    _raw: Frame = ()
    _scene = Scene()
    _leds: LedFrame = ()
    _quiet_until: Microseconds = 0

    def __init__(
        self,
        session: Session,
        debouncer: Debouncer,
        renderer: Renderer,
        *,
        preferences: Preferences | None = None,
        store: GameStore | None = None,
        outages: OutageDetector | None = None,
        configured: Seats | None = None,
        clocks: ClockTracker | None = None,
        rest: Rest | None = None,
        sounds: SoundTracker | None = None,
        can_switch_off: bool = False,
        pairs: bool = False,
    ) -> None:
        """Combine the parts, with default `preferences` and without a store if they are None.

        Without `outages` every frame counts. With `pairs`, hands may let a device be paired.
        """
        self.session = session
        self.controls = GameControls(session)
        self.engine_turns = EngineTurns()  # the turns that are wanted of engines
        self.rest = RestTracker(rest or Rest())  # while nobody uses the board
        self.off = SwitchOff(session, is_possible=can_switch_off)  # the way to switch the machine off
        self.hints = HintTracker()  # to the player to move
        self.sounds = sounds or SoundTracker()
        self.speech = SpeechTracker(self.sounds)
        self.clocks = clocks or ClockTracker(session)
        self.lesson, self.puzzles = Lesson(session, self.controls), PuzzleSeries(session, self.controls)
        self._configured_seats, self._store = configured or Seats(), store or NullStore()
        self._durability = DurabilityTracker(self._store)
        self._debouncer, self.outages, self._renderer = debouncer, outages, renderer
        self._faults, self._events = {}, []
        self.asks = AskMenu(  # the menu that hands open and answer at the board
            self.off, self.controls, lambda: self.preferences.effective, self._faults, self.speech, pairs
        )
        beside = self.engine_turns, self.off, self.hints, self.clocks, self.sounds
        self._parts: tuple[_Timed, ...] = debouncer, self._durability, *beside
        self._apply_preferences(preferences or Preferences.of(Lights(), Play()))

    @property
    def preferences(self) -> Preferences:
        """The preferences that apply to light and take-backs."""
        return self._preferences

    @property
    def scene(self) -> Scene:
        """The scene that the light shows."""
        return self._scene

    @property
    def leds(self) -> LedFrame:
        """The light of the last step, even if the strip could not show it."""
        return self._leds

    @property
    def accepted(self) -> Game:
        """As much of the game as is accepted, because it is stored."""
        return self._durability.accepted(self.session.game)

    @property
    def faults(self) -> dict[str, Message]:
        """The parts that do not work, with the reasons."""
        return dict(self._faults)

    @property
    def raw(self) -> Frame:
        """The raw readings of the last step; empty if the sensors cannot be read."""
        return self._raw

    @property
    def glitches(self) -> Mapping[int, int]:
        """The number of glitches that debouncing ignored at each point, by its index."""
        return self._debouncer.glitches

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something may happen although no reading changes; light patterns don't count."""
        is_waiting = self.outages is not None and self.outages.reason is not None
        dues = [part.deadline for part in self._parts]
        if not is_waiting:
            dues += [self.session.deadline, self.asks.deadline]
        return min((due for due in dues if due is not None), default=None)

    def step(self, readings: Frame, now: Microseconds) -> LedFrame:
        """Return the light that answers `readings` at `now`; the same object while nothing changes."""
        self.now = now
        if readings == self._raw:
            if now < self._quiet_until and not self._durability.has_news(now):
                return self._leds
        elif _is_use(readings, self._raw, self.session.sensor_model.masked):
            if self.outages is not None and self.rest.depth.min_period:
                self.outages.wake(now)
            self.rest.wake(now)
            self.off.stay()
        self._raw = readings
        frame = self._debouncer.update(readings, now)
        for judged, since in self._without_outages(frame, now):
            due = self.session.deadline
            if judged != self.session.frame or (due is not None and since >= due):
                self.session.observe(judged, since)
            self.asks.observe(since)
        return self._answer(now)

    def _without_outages(self, frame: Frame, now: Microseconds) -> tuple[Observation, ...]:
        """Return what to judge after a debounced `frame`, and report an outage that begins or ends."""
        if self.outages is None:
            self.fault_cleared(STOPPING_PART)
            return ((frame, now),)
        if self.outages.reason is not None:
            self.session.reconciler.look_away()  # what hands do in the meantime is seen all at once
        observations = self.outages.update(
            frame, now, expected=self.session.expected_frame, masked=self.session.sensor_model.masked
        )
        late, controls = self.outages.late_reason, self.controls
        if late is not None and is_just_cleared(self.session) and not controls.unavailable_reason("undo"):
            self.fault(STOPPING_PART, late)
            controls.undo_end()
        if self.outages.reason is None:
            self.fault_cleared(STOPPING_PART)
        else:
            self.fault(STOPPING_PART, self.outages.reason)
        return observations

    def next_light(self, now: Microseconds) -> Microseconds | None:
        """Return when the light may next change although nothing happens; None if it will not."""
        return self._renderer.next_change(self._scene, now)

    def glow(self, now: Microseconds) -> None:
        """Advance the light to `now`, after a time in which nothing happened."""
        self._leds = self._renderer.render(self._scene, now)
        self._quiet_until = self._next_due(now)

    def blind_step(self, why: Message, now: Microseconds) -> LedFrame:
        """Return the light at `now` while the sensors cannot be read, for the reason `why`."""
        self.now = now
        self._raw = ()
        self.session.reconciler.look_away()
        if self.outages is not None:
            self.outages.interrupt()
        self.fault(STOPPING_PART, why)
        return self._answer(now)

    def take_events(self) -> tuple[ev.Event, ...]:
        """Return the events since the last call, in order, and begin their sound."""
        events = (*self._events, *self.hints.take_events(), *self._durability.take_released())
        self._events.clear()
        if not events and not self.sounds.cues:
            return events
        night = self.rest.is_night
        return (*events, *self.sounds.begin(events, self.accepted, self.now, is_night=night))

    def prefer(self, preferences: Preferences) -> None:
        """Apply `preferences` from the next step on, and store them."""
        level, before = preferences.effective.sound.level, self._preferences.effective
        if level != before.sound.level:
            self.sounds.choose(level)
        self._apply_preferences(preferences)
        if (self.speech.level, self.speech.language) != (before.sound.speech, before.sound.language):
            self.speech.ask(SAMPLE)
        self._store.put(PREFERENCES_KEY, dict(preferences.overrides) or None)
        self.refresh()

    def refresh(self) -> None:
        """Have the next step compose the scene, because something other than the board has changed."""
        self._quiet_until = 0

    def fault(self, part: str, what: Message) -> None:
        """Record that a part (`sensors`, `leds`) does not work, and why; the event is reported once."""
        known = self._faults.get(part)
        if known is None:
            self._events.append(ev.FaultFound(part, to_english(what)))
        if known != what:
            self.refresh()
        self._faults[part] = what
        if not self.asks.can_open:
            self.asks.close()

    def fault_cleared(self, part: str) -> None:
        """Record that a part works, which is an event if it did not."""
        if self._faults.pop(part, None) is not None:
            self._events.append(ev.FaultCleared(part))
            self.refresh()

    def _apply_preferences(self, preferences: Preferences) -> None:
        self._preferences = preferences
        play, sound = preferences.effective.play, preferences.effective.sound
        self.session.allow_take_back(play.take_back)
        self.clocks.controls = TimeControls.parse(play.clock)
        self.clocks.is_strict = play.clock_flag == STRICT
        self.session.sides.starts = play.starts
        self.sounds.level = sound.level
        self.speech.level, self.speech.language = sound.speech, sound.language

    def _answer(self, now: Microseconds) -> LedFrame:
        self.answers += 1
        self.lesson.lead()
        self.puzzles.lead()
        stands = self.asks.holds_clock or self.off.holds_game or STOPPING_PART in self._faults
        flagged = self.clocks.keep_time(now, stands=stands)
        if flagged is not None and self.clocks.is_strict:
            self.controls.lose_on_time(flagged)
            self.clocks.keep_time(now, stands=stands)
        self.engine_turns.want_turn(self.session.game, _awaited(self.session), now)
        self.hints.want_hint(self.session.game, kind_now(self.session, self._preferences.effective), now)
        self.off.count_down(now)
        if self.off.trouble is None:
            self.fault_cleared(ev.CARE)
        else:
            self.fault(ev.CARE, self.off.trouble)
        self._update_store(now)
        self.sounds.judge(self.session, now)
        if self.asks.holds_game or self.asks.room.deadline is not None:
            self.rest.wake(now)  # somebody at another board may ask or say something
        is_deeper = self.rest.deepen(now, clock_runs=self.clocks.is_running)
        lights = self._preferences.effective.lights
        self._renderer.restyle(theme_named(lights.theme), self.rest.dimmed(lights.brightness))
        before, self._scene = self._scene, self.clocks.shown(self._compose(), now)
        if is_deeper and self._scene != before:
            self._renderer.fade(now)
        leds = self._renderer.render(self._scene, now)
        if leds != self._leds:
            self._leds = leds
        self._quiet_until = self._next_due(now)
        return self._leds

    def _update_store(self, now: Microseconds) -> None:
        """Store the new steps, and take over the store's faults."""
        durability = self._durability
        before = durability.troubles
        events = self.session.timeline.take_events()
        if events:
            parts = self.session, self.clocks, self.controls.far, self.puzzles, self.asks.setting_up
            durability.remember(stored_settings(*parts, self._configured_seats, now))
        elif self.clocks.is_due_to_save(now):
            durability.remember({CLOCK_KEY: self.clocks.kept(now)})
        durability.store_changes(self.session.timeline.take_states(), events, now)
        for part, what in durability.troubles.items():
            self.fault(part, what)
        for part in before.keys() - durability.troubles.keys():
            self.fault_cleared(part)

    def _compose(self) -> Scene:
        session, asks, with_white = self.session, self.asks, self.session.sides.with_white
        if self.rest.depth is RestDepth.ASLEEP:
            return resting_scene(session.game, self.accepted, asleep=True)
        if self.off.holds_game:
            return countdown_scene(session.game.rules.layout, self.off.left)
        if asks.holds_game:
            return asks.scene(Scene())
        if STOPPING_PART in self._faults:
            return Scene()
        if self.controls.far.holds_game:
            return self.controls.far.shown(Scene())
        if session.paused:  # not dark, as a board without power is
            return asks.room.shown(resting_scene(session.game, self.accepted, asleep=True))
        if session.must_clear:
            return clear_board_scene(session.game.rules.layout, session.stable)
        is_ready = isinstance(session.verdict, Settled) and session.game.outcome is None
        is_dim = self.rest.depth is RestDepth.DIM or self.hints.shrugs_until is not None
        if is_dim and is_ready:
            return resting_scene(session.game, self.accepted, asleep=False)
        scene = compose(
            session.game,
            session.verdict,
            hints=self._preferences.effective.lights.hints,
            chosen=session.reconciler.allowed,
            leads=session.is_others_turn,
            accepted=self.accepted,
            known=None if asks.asking else self.hints.known,
        )
        if session.seats.has_far:
            scene = self.controls.far.shown(scene)
        return asks.scene(scene if asks.asking else with_white(scene, session.game, session.verdict))

    def _next_due(self, now: Microseconds) -> Microseconds:
        dues = (self.deadline, self.rest.deadline, self._renderer.next_change(self._scene, now))
        return min((due for due in dues if due is not None), default=_NEVER)


def _is_use(readings: Frame, before: Frame, masked: Collection[int]) -> bool:
    """Return True if readings differ from those `before` at a point that counts."""
    pairs = enumerate(zip(readings, before, strict=False))
    return any(new != old and index not in masked for index, (new, old) in pairs)


def _awaited(session: Session) -> SeatHolder | None:
    """Return the seat whose choice holds up the game; None if nothing does, or something else as well."""
    if session.paused or session.suspended or session.must_clear or session.game.outcome is not None:
        return None
    return session.seats.at(session.game.position.to_move) if session.reconciler.is_bound else None


_NEVER: Microseconds = 1 << 62
