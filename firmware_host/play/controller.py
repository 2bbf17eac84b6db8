"""The whole way from readings to light, composed: debounce, judge and play, compose a scene, render it.

`step` is called for each frame, in order of time, and answers with light; `take_events` says what happened.
Rules kept here: an unchanged frame before the next deadline costs next to nothing, or a little that a later
one is spared; a fault of the sensors stops play, any other does not; time is an argument.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.games.game import Game
from firmware_host.i18n import Message, to_english
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.scene import Scene, ask_to_clear, compose
from firmware_host.lights.themes import theme_named
from firmware_host.play import events as ev
from firmware_host.play.controls import GameControls
from firmware_host.play.durability import Keeper, Keeping, NoKeeper
from firmware_host.play.preferences import KEPT_AS, Preferences
from firmware_host.play.session import Session
from firmware_host.ports import Frame, LedFrame
from firmware_host.settings import Lights, Microseconds, Play
from firmware_host.tracking.debounce import Debouncer

STOPPING = "sensors"
"""The part whose fault stops play."""

MASKED, PAUSED = "masked", "paused"
"""Under which names is kept what players asked for: which sensors are masked, and that the game is paused."""


class Controller:
    """One board: its session, and the light that answers."""

    def __init__(
        self,
        session: Session,
        debouncer: Debouncer,
        renderer: Renderer,
        *,
        preferences: Preferences | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        """`preferences`: how it comes, and what was set over that; None: as without a configuration.

        What is played counts at once, but is shown as accepted when the `keeper` has it (None: at once, too).
        """
        self.session = session
        self.controls = GameControls(session)
        self._keeper = keeper or NoKeeper()
        self._keeping = Keeping(self._keeper)
        self._debouncer = debouncer
        self._renderer = renderer
        self._raw: Frame = ()
        self._faults: dict[str, Message] = {}
        self._events: list[ev.Event] = []
        self._scene = Scene()
        self._leds: LedFrame = ()
        self._quiet_until: Microseconds = 0
        self._follow_preferences(preferences or Preferences.of(Lights(), Play()))

    @property
    def preferences(self) -> Preferences:
        """How the board looks and what it allows."""
        return self._preferences

    @property
    def scene(self) -> Scene:
        """What the light says."""
        return self._scene

    @property
    def leds(self) -> LedFrame:
        """The light of the last step, whether the strip could show it or not."""
        return self._leds

    @property
    def accepted(self) -> Game:
        """As much of the game as may be shown as accepted."""
        return self._keeping.accepted(self.session.game)

    @property
    def faults(self) -> dict[str, Message]:
        """The parts that do not work, each with what is wrong."""
        return dict(self._faults)

    @property
    def raw(self) -> Frame:
        """The readings of the last step as they came; empty where they cannot be read."""
        return self._raw

    @property
    def flickers(self) -> Mapping[int, int]:
        """How often the reading of each point changed for too short a time to count, by its index."""
        return self._debouncer.flickers

    @property
    def deadline(self) -> Microseconds | None:
        """When something may happen although no reading changes; patterns of light are not counted."""
        dues = (self._debouncer.deadline, self.session.deadline, self._keeping.deadline)
        return min((due for due in dues if due is not None), default=None)

    def step(self, readings: Frame, now: Microseconds) -> LedFrame:
        """The light that answers `readings`, taken at `now`; the same object while nothing changes."""
        if readings == self._raw:
            self.session.prepare()
            if now < self._quiet_until and not self._keeping.has_news(now):
                return self._leds
        self._raw = readings
        self.fault_cleared(STOPPING)
        frame = self._debouncer.update(readings, now)
        due = self.session.deadline
        if frame != self.session.frame or (due is not None and now >= due):
            self.session.felt(frame, now)
        return self._answer(now)

    def next_light(self, now: Microseconds) -> Microseconds | None:
        """When the light may next change although nothing happens; None: it will not."""
        return self._renderer.next_change(self._scene, now)

    def glow(self, now: Microseconds) -> None:
        """Let the light go on to `now`, in a time in which nothing happens."""
        self._leds = self._renderer.render(self._scene, now)
        self._quiet_until = self._next(now)

    def blind_step(self, why: Message, now: Microseconds) -> LedFrame:
        """The light for `now` where the sensors cannot be read, and `why`."""
        self._raw = ()
        self.fault(STOPPING, why)
        return self._answer(now)

    def take_events(self) -> tuple[ev.Event, ...]:
        """What happened since the last call, in order."""
        events = (*self._events, *self._keeping.take_told())
        self._events.clear()
        return events

    def prefer(self, preferences: Preferences) -> None:
        """Look and allow as `preferences` say from the next step on, and have what was set kept."""
        self._follow_preferences(preferences)
        self._keeper.put(KEPT_AS, dict(preferences.over) or None)
        self.refresh()

    def refresh(self) -> None:
        """Have the next step compose the scene anew: something other than the board has changed."""
        self._quiet_until = 0

    def fault(self, part: str, what: Message) -> None:
        """Note that a part (`sensors`, `leds`) does not work, and what is wrong with it; it is told once."""
        if part not in self._faults:
            self._events.append(ev.FaultFound(part, to_english(what)))
            self.refresh()
        self._faults[part] = what

    def fault_cleared(self, part: str) -> None:
        """Note that a part works; it is told if it did not."""
        if self._faults.pop(part, None) is not None:
            self._events.append(ev.FaultCleared(part))
            self.refresh()

    def _follow_preferences(self, preferences: Preferences) -> None:
        self._preferences = preferences
        now = preferences.now
        self._renderer.restyle(theme_named(now.theme), now.brightness)
        self.session.allow_take_back(now.take_back)

    def _answer(self, now: Microseconds) -> LedFrame:
        self._keep(now)
        self._scene = self._compose()
        leds = self._renderer.render(self._scene, now)
        if leds != self._leds:
            self._leds = leds
        self._quiet_until = self._next(now)
        return self._leds

    def _keep(self, now: Microseconds) -> None:
        """Have what was played kept, and take in what the keeper says."""
        keeping = self._keeping
        before = keeping.troubles
        events = self.session.timeline.take_events()
        if events:
            masked = sorted(point.name for point in self.session.masking.points)
            keeping.remember({MASKED: masked or None, PAUSED: self.session.paused or None})
        keeping.follow(self.session.timeline.take_states(), events, now)
        for part, what in keeping.troubles.items():
            self.fault(part, what)
        for part in before.keys() - keeping.troubles.keys():
            self.fault_cleared(part)

    def _compose(self) -> Scene:
        session = self.session
        if session.paused or STOPPING in self._faults:
            return Scene()
        if session.must_clear:
            return ask_to_clear(session.game.rules.layout, session.believed)
        return compose(
            session.game,
            session.verdict,
            hints=self._preferences.now.hints,
            chosen=session.chosen,
            accepted=self.accepted,
        )

    def _next(self, now: Microseconds) -> Microseconds:
        dues = (self.deadline, self._renderer.next_change(self._scene, now))
        return min((due for due in dues if due is not None), default=_NEVER)


_NEVER: Microseconds = 1 << 62
