"""The way from readings to light: debounce the frame, judge it and play, compose a scene, render it.

`step` takes each frame, in order of time, and returns the light that answers it; `take_events` returns what
happened. All that happens beside the game is done by the parts of the board (`play/part.py`), one after the
other. Time is an argument.

Invariants: an unchanged frame before the next deadline costs next to nothing; a fault of the sensors, such as
an outage, stops play, and no other fault does.
"""

from __future__ import annotations

from collections.abc import Collection

from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.scene import Scene, clear_board_scene, compose, resting_scene
from firmware_host.lights.themes import theme_named
from firmware_host.play import events as ev
from firmware_host.play.asking.menu import AskMenu
from firmware_host.play.clocks import ClockTracker
from firmware_host.play.controls import GameControls
from firmware_host.play.durability import DurabilityTracker, GameStore, NullStore
from firmware_host.play.engine_turns import EngineTurns
from firmware_host.play.faults import STOPPING_PART, FaultRecord
from firmware_host.play.hint_light import HintTracker
from firmware_host.play.lesson import Lesson
from firmware_host.play.outage import Observation, OutageDetector
from firmware_host.play.own_wifi import OwnWifi
from firmware_host.play.part import PartSettings, PlayPart, with_own
from firmware_host.play.preferences import PREFERENCES_KEY, Preferences, PreferenceValues
from firmware_host.play.puzzle import PuzzleSeries
from firmware_host.play.rest import RestDepth, RestTracker
from firmware_host.play.seats import Seats
from firmware_host.play.session import Session, is_just_cleared
from firmware_host.play.sounds import NEVER, SoundTracker
from firmware_host.play.speech import SpeechTracker
from firmware_host.play.switching_off import SwitchOff
from firmware_host.ports import Frame, LedFrame
from firmware_host.settings import NO_LINE, Microseconds
from firmware_host.tracking.debounce import Debouncer
from firmware_host.tracking.verdict import Settled


class Controller:
    """One board: its session, the parts beside it, and the light that answers."""

    now: Microseconds = 0
    """The time of the last step."""
    answers = 0
    """The number of steps in which anything, be it light alone, may have changed."""
    preferences: Preferences
    """The preferences that apply."""
    raw: Frame = ()
    """The raw readings of the last step; empty if the sensors cannot be read."""
    scene = Scene()
    """The scene that the light shows."""
    leds: LedFrame = ()
    """The light of the last step, even if the strip could not show it."""
    _quiet_until: Microseconds = 0

    def __init__(
        self,
        session: Session,
        debouncer: Debouncer,
        renderer: Renderer,
        settings: PartSettings | None = None,
        *,
        store: GameStore | None = None,
        outages: OutageDetector | None = None,
    ) -> None:
        """Combine the parts of a board with these `settings`, which go on from what is in the `store`."""
        settings, self._store = settings or PartSettings(), store or NullStore()
        self.session, self.debouncer, self._renderer = session, debouncer, renderer
        self.outages = outages or OutageDetector(session.game.rules.layout, session.timing)
        self._parts: list[PlayPart] = []
        self._make_parts(settings)
        self._active, self._lit = with_own(self._parts, "on_frame"), with_own(self._parts, "add_light")
        self._due, self._failing = with_own(self._parts, "deadline"), with_own(self._parts, "faults")
        self._telling, self._unsent = with_own(self._parts, "take_events"), list[ev.Event]()
        for part in self._parts:
            part.restore(self._store.settings)
        kept = self._store.settings.get(PREFERENCES_KEY)
        self.preferences = Preferences.of(settings.lights, settings.play, kept, sound=settings.sound)
        self._obey_preferences(None)

    def _make_parts(self, settings: PartSettings) -> None:
        """Make all parts; in the list, each may rely on those before it, and covers their light."""
        session, parts = self.session, self._parts
        self.controls = controls = GameControls(session)
        self.rest = RestTracker(settings.rest)
        self.lesson, self.puzzles = Lesson(session, controls), PuzzleSeries(session, controls)
        self.off = SwitchOff(session, is_possible=settings.controls.off)
        self.wifi = OwnWifi(session)
        self.sounds = SoundTracker(session, has_buzzer=settings.sound.buzzer != NO_LINE)
        self.speech = SpeechTracker(self.sounds)
        self._failed = FaultRecord()
        self.asks = AskMenu(self.off, controls, self._failed.reasons, self.speech)
        self.clocks = ClockTracker(
            session, controls, lambda: any(part.stops_clocks for part in self._stopping)
        )
        self.clocks.bar_leds = settings.bar_leds
        self.engine_turns, self.hints = EngineTurns(session), HintTracker(session)
        parts += [
            self.rest,  # while nobody uses the board
            self.lesson,
            self.puzzles,
            controls.far,  # a game with another board
            self.wifi,
            self.asks,  # the menu that hands open and answer at the board
            self._failed,  # what does not work
            self.off,  # the way to switch the machine off
            self.clocks,
            self.engine_turns,  # wanted of engines, which somebody else asks
            self.hints,  # to the player to move
            self.sounds,
            self.speech,
        ]
        self._durability = DurabilityTracker(self._store, session, parts, Seats.of(settings.play))
        parts.append(self._durability)  # the last, as it stores what those before it have changed
        self._stopping = with_own(parts, "stops_clocks")

    # ---- the frame -------------------------------------------------------------------------------------

    def step(self, readings: Frame, now: Microseconds) -> LedFrame:
        """Return the light that answers `readings` at `now`; the same object while nothing changes."""
        self.now = now
        if readings == self.raw:
            if now < self._quiet_until and not self._durability.has_news(now):
                return self.leds
        elif _is_use(readings, self.raw, self.session.sensor_model.masked):
            if self.rest.depth.min_period:
                self.outages.wake(now)
            for part in self._parts:
                part.on_use(now)
        self.raw = readings
        frame = self.debouncer.update(readings, now)
        for judged, since in self._without_outages(frame, now):
            due = self.session.deadline
            if judged != self.session.frame or (due is not None and since >= due):
                self.session.observe(judged, since)
            self.asks.follow_hands(since)
        return self._answer(now)

    def _without_outages(self, frame: Frame, now: Microseconds) -> tuple[Observation, ...]:
        """Return what to judge after a debounced `frame`, and report an outage that begins or ends."""
        if self.outages.reason is not None:
            self.session.reconciler.look_away()  # what hands do in the meantime is seen all at once
        observations = self.outages.frames_to_judge(
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

    def blind_step(self, why: Message, now: Microseconds) -> LedFrame:
        """Return the light at `now` while the sensors cannot be read, for the reason `why`."""
        self.now = now
        self.raw = ()
        self.session.reconciler.look_away()
        self.outages.interrupt()
        self.fault(STOPPING_PART, why)
        return self._answer(now)

    def _answer(self, now: Microseconds) -> LedFrame:
        self.answers += 1
        for part in self._active:
            part.on_frame(now)
        for part in self._telling:
            self._unsent += part.take_events()
        self._failed.take_over(self._failing)
        if self.asks.holds_game or self.asks.room.deadline is not None:
            self.rest.on_use(now)  # somebody at another board may ask or say something
        is_deeper = self.rest.deepen(now, clock_runs=self.clocks.is_running)
        lights = self.preferences.effective.lights
        self._renderer.restyle(theme_named(lights.theme), self.rest.dimmed(lights.brightness))
        before, self.scene = self.scene, self._compose()
        if is_deeper and self.scene != before:
            self._renderer.fade(now)
        self.glow(now)
        return self.leds

    def _compose(self) -> Scene:
        """Return the light of the game with that of the parts over it; while it sleeps, only clocks."""
        scene = self._game_scene()
        for part in (self.clocks,) if self.rest.depth is RestDepth.ASLEEP else self._lit:
            scene = part.add_light(scene)
        return scene

    def _game_scene(self) -> Scene:
        """Return the light of the game, which never goes out: a dark board seems to have no power."""
        session, game, accepted = self.session, self.session.game, self.accepted
        if session.paused or self.rest.depth is RestDepth.ASLEEP:
            return resting_scene(game, accepted, asleep=True)
        if session.must_clear:
            return clear_board_scene(game.rules.layout, session.stable)
        is_ready = isinstance(session.verdict, Settled) and game.outcome is None
        is_dim = self.rest.depth is RestDepth.DIM or self.hints.shrugs_until is not None
        if is_dim and is_ready:
            return resting_scene(game, accepted, asleep=False)
        is_asking = self.asks.asking is not None
        scene = compose(
            game,
            session.verdict,
            hints=self.preferences.effective.lights.hints,
            chosen=session.reconciler.allowed,
            leads=session.is_others_turn,
            accepted=accepted,
            known=None if is_asking else self.hints.known,
        )
        return scene if is_asking else session.sides.with_white(scene, game, session.verdict)

    def glow(self, now: Microseconds) -> None:
        """Advance the light to `now`, after a time in which nothing happened."""
        leds = self._renderer.render(self.scene, now)
        if leds != self.leds:
            self.leds = leds
        dues = (self.deadline, self.rest.deepens_at, self.next_light(now))
        self._quiet_until = min((due for due in dues if due is not None), default=NEVER)

    # ---- what others see and ask -----------------------------------------------------------------------

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something may happen although no reading changes; light patterns don't count."""
        is_waiting = self.outages.reason is not None
        dues = [part.deadline for part in self._due if not (is_waiting and part is self.asks)]
        dues += self.debouncer.deadline, None if is_waiting else self.session.deadline
        return min((due for due in dues if due is not None), default=None)

    def next_light(self, now: Microseconds) -> Microseconds | None:
        """Return when the light may next change although nothing happens; None if it will not."""
        return self._renderer.next_change(self.scene, now)

    @property
    def accepted(self) -> Game:
        """As much of the game as is accepted, because it is stored."""
        return self._durability.accepted(self.session.game)

    @property
    def faults(self) -> dict[str, Message]:
        """The parts that do not work, with the reasons."""
        return dict(self._failed.reasons)

    def take_events(self) -> tuple[ev.Event, ...]:
        """Return the events since the last call, in order, and begin their sound."""
        events = (*self._failed.take_news(), *self._unsent)
        self._unsent.clear()
        if not events and not self.sounds.cues:
            return events
        night = self.rest.is_night
        return (*events, *self.sounds.begin_sound(events, self.accepted, self.now, is_night=night))

    def fault(self, part: str, what: Message) -> None:
        """Record that a part (`sensors`, `leds`) does not work, and why; the event is reported once."""
        if self._failed.add(part, what):
            self.refresh()
        if not self.asks.can_open:
            self.asks.close()

    def fault_cleared(self, part: str) -> None:
        """Record that a part works, which is an event if it did not."""
        if self._failed.clear(part):
            self.refresh()

    def prefer(self, preferences: Preferences) -> None:
        """Apply `preferences` from the next step on, and store them."""
        before, self.preferences = self.preferences.effective, preferences
        self._obey_preferences(before)
        self._store.put(PREFERENCES_KEY, dict(preferences.overrides) or None)
        self.refresh()

    def _obey_preferences(self, before: PreferenceValues | None) -> None:
        values = self.preferences.effective
        self.session.obey(values.play)
        for part in self._parts:
            part.on_preferences(values, before)

    def refresh(self) -> None:
        """Have the next step compose the scene, because something other than the board has changed."""
        self._quiet_until = 0


def _is_use(readings: Frame, before: Frame, masked: Collection[int]) -> bool:
    """Return True if readings differ from those `before` at a point that counts."""
    pairs = enumerate(zip(readings, before, strict=False))
    return any(new != old and index not in masked for index, (new, old) in pairs)
