"""From cues to light: the only place that knows time, brightness, gamma and current.

Invariants, whatever the theme: the strip never draws more than its budget, and no light flashes more than
twice a second (`FlashLimiter` enforces that for any sequence of scenes). A cue that was not lit before, or
only elsewhere, begins at its brightest, so that light responds in the same frame; all points of one cue keep
in step. Time passes in ticks, and a frame says when it could next differ, so that a light at rest costs
nothing. Another theme or brightness is computed cue by cue, as each is shown, so that no frame is late. The
current is that of each light's brightest moment, so that a steady one does not vary while others pulse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil, cos, pi

from firmware_host.games.game import Player
from firmware_host.games.layout import Layout
from firmware_host.lights.bars import bar_look
from firmware_host.lights.cues import Both, Cue, DisplayedCue, displayed_cue
from firmware_host.lights.scene import Scene
from firmware_host.lights.themes import Look, Pattern, Theme
from firmware_host.ports import DARK, Colour, LedFrame
from firmware_host.settings import Lights, Microseconds

# ---- the limit on the speed of changes ------------------------------------------------------------------
# The final limit on the speed of changes, whatever scenes ask for.
#
# A flash is a pair of opposing changes of a light (WCAG 2.3.1, "general flash and red flash thresholds").
# Here a change has no minimum size and counts in each of red, green and blue, which is stricter: it covers
# dim lights in a dark room, and flicker between two colours of equal brightness. Every flash has one rise,
# so a light may begin to rise only if the rise before its last one ended more than a second ago; until then
# it may only become darker. Becoming darker is never delayed: a frame draws no more current than the one
# that was asked for. A light at rest responds at once.


WINDOW: Microseconds = 1_100_000
"""The second in which two flashes are permitted, and a margin for a late frame."""


class FlashLimiter:
    """A memory of each light's rises, which delays those that would make a third flash in a second."""

    def __init__(self, leds: int) -> None:
        self.shown: LedFrame = (DARK,) * leds
        self.release: Microseconds | None = None
        """The time at which the first delayed light may rise; None if none is delayed."""
        self._rising = [False] * leds
        self._last_rise = [-WINDOW] * leds
        self._rise_before = [-WINDOW] * leds

    def limit(self, wanted: LedFrame, now: Microseconds) -> LedFrame:
        """Return the frame to show for `wanted`, nowhere brighter than it; `now` must not decrease."""
        self.release = None
        if wanted == self.shown:
            return self.shown
        frame = list(wanted)
        for led, (old, new) in enumerate(zip(self.shown, wanted, strict=True)):
            if new == old:
                continue
            common = (min(old[0], new[0]), min(old[1], new[1]), min(old[2], new[2]))
            if common == new:
                self._rising[led] = False
            elif self._rising[led] and common == old:
                self._last_rise[led] = now
            elif now - self._rise_before[led] >= WINDOW:
                self._rise_before[led], self._last_rise[led] = self._last_rise[led], now
                self._rising[led] = True
            else:
                frame[led] = common
                self._rising[led] = False
                due = self._rise_before[led] + WINDOW
                self.release = due if self.release is None else min(due, self.release)
        self.shown = tuple(frame)
        return self.shown


# ---- from cues to light ---------------------------------------------------------------------------------


TICK: Microseconds = 40_000
_HURRIED: tuple[DisplayedCue, ...] = (Cue.MOVABLE, Both.EITHER)
"""The cues that say by their rate that little time is left."""
MIN_PERIOD_MS = 1200
"""The minimum period: a pattern rises at most twice in it, so this alone keeps it within the flash limit."""
MAX_PERIOD_MS = 10_000
FADE_TICKS = 2_000_000 // TICK
"""The ticks for which a light fades that nobody needs any more."""


class Renderer:
    """A renderer of scenes to LED frames; it remembers since when each cue was lit, and the last frame."""

    def __init__(
        self,
        layout: Layout,
        lights: Lights,
        theme: Theme,
        *,
        counts: Sequence[int] = (),
        spare: int = 0,
        bar_leds: int = 0,
    ) -> None:
        """Render for `layout`; `counts` are the LEDs of each point (default 1), `spare` those of none.

        `bar_leds` are those of each side bar. A frame has them after the points, White's first.
        """
        self._lights = lights
        self._size, self._bar_leds = len(layout), bar_leds
        self._counts = (*(counts or (1,) * len(layout)), *(1,) * 2 * bar_leds)
        self._idle_ma = (sum(self._counts) + spare) * lights.idle_ma_per_led
        self._limiter = FlashLimiter(len(self._counts))
        self._scene = Scene()
        self._points: list[_Cycle | None] = [None] * len(self._counts)
        self._began: dict[_Cycle, int] = {}
        self._share = 1.0
        self._due: Microseconds | None = None
        self._fading: tuple[LedFrame, int] | None = None
        """The frame that fades, and the tick at which it began to."""
        self._theme = theme
        self._use(theme, lights.brightness)

    def restyle(self, theme: Theme, brightness: float) -> None:
        """Use `theme` and `brightness` from the next frame on.

        The last frame is remembered, so that no light flashes more often; the current stays within the
        budget.
        """
        if theme != self._theme or brightness != self._lights.brightness:
            self._use(theme, brightness)

    def _use(self, theme: Theme, brightness: float) -> None:
        self._theme = theme
        self._lights = replace(self._lights, brightness=brightness)
        self._looks = {player: _looks(theme, player) for player in Player}
        self._cycles: dict[object, _Cycle] = {}
        self._scene = Scene()
        self._points = [None] * len(self._points)
        self._began = {}
        self._due = None

    def fade(self, now: Microseconds) -> None:
        """Let the light that is shown now fade into that of the next scene, instead of ending at once."""
        self._fading = self._limiter.shown, now // TICK

    def render(self, scene: Scene, now: Microseconds) -> LedFrame:
        """Return one colour for each point and each LED of the bars, ready to be sent.

        `now` must not decrease from call to call.
        The same scenes at the same times give the same frames. Between changes this costs next to nothing.
        """
        if scene is not self._scene and scene != self._scene:
            self._begin(scene, now // TICK)
        elif self._due is None or now < self._due:
            return self._limiter.shown
        self._scene = scene
        return self._draw(now)

    def next_change(self, scene: Scene, now: Microseconds) -> Microseconds | None:
        """Return when the frame of `scene` could next differ (None: never); a new scene differs at once."""
        return self._due if scene is self._scene or scene == self._scene else now

    def _begin(self, scene: Scene, tick: int) -> None:
        player = scene.to_move or Player.WHITE
        points: list[_Cycle | None] = [None] * len(self._points)
        draw_ma = 0.0
        for point, cues in scene.cues.items():
            if cues:
                shown = displayed_cue(cues)
                cycle = self._cycle((player, shown, scene.hurries), self._look(player, shown, scene))
                points[point.index] = cycle
                draw_ma += cycle.peak_ma * self._counts[point.index]
        for index, cycle in self._bar_cycles(scene):
            points[index] = cycle
            draw_ma += cycle.peak_ma
        kept = {new for old, new in zip(self._points, points, strict=True) if new is old}
        self._began = {
            cycle: self._began[cycle] if cycle in kept else tick for cycle in set(points) if cycle is not None
        }
        self._points = points
        self._share = self._budget_share(draw_ma)

    def _look(self, player: Player, shown: DisplayedCue, scene: Scene) -> Look:
        """Return the look of a cue; that of pieces to be moved pulses at double rate if time is short."""
        look = self._looks[player][shown]
        return replace(look, period_ms=look.period_ms // 2) if scene.hurries and shown in _HURRIED else look

    def _bar_cycles(self, scene: Scene) -> Iterator[tuple[int, _Cycle]]:
        """Yield the index of each LED of the bars that is lit, with its cycle."""
        for number, (player, bar) in enumerate(zip(Player, scene.bars or (), strict=False)):
            first = self._size + number * self._bar_leds
            for index in range(first, first + min(bar.lit, self._bar_leds)):
                yield index, self._cycle((player, bar.state), bar_look(self._theme, player, bar.state))

    def _cycle(self, key: object, look: Look) -> _Cycle:
        cycle = self._cycles.get(key)
        if cycle is None:
            cycle = self._cycles[key] = _Cycle(look, self._lights)
        return cycle

    def _budget_share(self, draw_ma: float) -> float:
        """Return the share of the light, which would draw `draw_ma`, that the budget permits.

        k = min(1, (budget - idle) / (total - idle)), where an LED draws its idle current even when dark.
        """
        room_ma = max(0.0, self._lights.budget_ma - self._idle_ma)
        return 1.0 if draw_ma <= room_ma else room_ma / draw_ma

    def _draw(self, now: Microseconds) -> LedFrame:
        tick = now // TICK
        colours: dict[_Cycle | None, Colour] = {None: DARK}
        changes = []
        for cycle, began in self._began.items():
            phase = (tick - began) % len(cycle.colours)
            red, green, blue = cycle.colours[phase]
            share = self._share
            colours[cycle] = (int(red * share), int(green * share), int(blue * share))
            if cycle.durations:
                changes.append((tick + cycle.durations[phase]) * TICK)
        wanted = tuple([colours[cycle] for cycle in self._points])
        if self._fading is not None:
            wanted = self._faded(wanted, tick)
            changes.append((tick + 1) * TICK)
        frame = self._limiter.limit(wanted, now)
        if self._limiter.release is not None:
            changes.append(self._limiter.release)
        self._due = min(changes, default=None)
        return frame

    def _faded(self, wanted: LedFrame, tick: int) -> LedFrame:
        """Return `wanted` with what is left of the frame that fades."""
        if self._fading is None:
            return wanted
        before, began = self._fading
        left = 1 - (tick - began) / FADE_TICKS
        if left <= 0:
            self._fading = None
            return wanted
        return tuple([_mixed(old, new, left) for old, new in zip(before, wanted, strict=True)])


def _mixed(old: Colour, new: Colour, share: float) -> Colour:
    """Return a colour between two, which never draws more current than the larger of them."""
    red, green, blue = (int(a * share + b * (1 - share)) for a, b in zip(old, new, strict=True))
    return red, green, blue


class _Cycle:
    """A computed look: its colour for each tick of its period, and the number of ticks each still lasts."""

    def __init__(self, look: Look, lights: Lights) -> None:
        self.colours, self.durations = _period(look, lights.brightness, lights.gamma)
        self.peak_ma = max(map(sum, self.colours)) / 255 * lights.full_ma_per_colour


def _looks(theme: Theme, player: Player) -> dict[DisplayedCue, Look]:
    """Return the look of each cue while `player` is to move."""
    white = player is Player.WHITE
    return {
        Cue.MOVABLE: theme.movable_white if white else theme.movable_black,
        Cue.DESTINATION: theme.destination_white if white else theme.destination_black,
        Both.EITHER: theme.either_white if white else theme.either_black,
        Cue.MILL: theme.mill,
        Cue.REMOVABLE: theme.removable,
        Cue.RELOCATABLE: theme.relocatable,
        Cue.LIFTED: theme.lifted,
        Cue.LAST_MOVE: theme.last_move,
        Cue.GOAL: theme.goal,
        Cue.MISSING: theme.missing,
        Cue.EXTRA: theme.extra,
        Cue.WRONG: theme.wrong,
        Cue.UNCLEAR: theme.unclear,
        Cue.TAKE_BACK: theme.take_back,
        Cue.HINT: theme.hint,
        Cue.HINT_WINS: theme.hint_wins,
        Cue.HINT_DRAWS: theme.hint_draws,
        Cue.HINT_LOSES: theme.hint_loses,
        Cue.SUGGESTED: theme.suggested,
        Cue.WINNER: theme.winner,
        Cue.CLEAR: theme.clear,
        Cue.ASK: theme.ask,
        Cue.ASKED: theme.asked,
        Cue.SURE: theme.sure,
        Cue.WHITE: theme.white,
        Cue.BLACK: theme.black,
        Cue.GOING_OFF: theme.going_off,
        Cue.RESTING: theme.resting_white if white else theme.resting_black,
        Cue.BROKEN: theme.broken,
    }


@lru_cache(maxsize=256)  # all looks of several themes and brightnesses
def _period(look: Look, brightness: float, gamma: float) -> tuple[tuple[Colour, ...], tuple[int, ...]]:
    """Return the colour of an LED at each tick of a period, and for how many ticks more it stays the same."""
    wave = _wave(look)
    values = {shown: _led_value(*shown, brightness, gamma) for shown in set(wave)}
    colours = tuple([values[shown] for shown in wave])
    return colours, _durations(colours)


def _wave(look: Look) -> list[tuple[Colour, float]]:
    """Return the colour and its brightness (0 to 1, as perceived) at each tick of a period."""
    if look.pattern is Pattern.STEADY:
        return [(look.colour, _clamp(look.level))]
    ticks = min(max(look.period_ms, MIN_PERIOD_MS), MAX_PERIOD_MS) * 1000 // TICK
    rest = _clamp(look.rest)
    wave = []
    for tick in range(ticks):
        intensity = _intensity(look.pattern, tick / ticks)
        if look.second is not None and look.pattern is Pattern.ALTERNATE:
            wave.append((look.colour if intensity else look.second, _clamp(look.level)))
        else:
            wave.append((look.colour, _clamp(look.level) * (rest + (1 - rest) * intensity)))
    return wave


def _intensity(pattern: Pattern, phase: float) -> float:
    """Return the intensity of a pattern from rest (0) to its brightest (1) at `phase` (0 to 1)."""
    match pattern:
        case Pattern.PULSE:
            return _dip(phase)
        case Pattern.WINK:
            return _dip((phase - 0.75) * 4) if phase > 0.75 else 1.0
        case Pattern.DOUBLE_WINK:
            return _dip((phase - 0.5) * 4) if phase > 0.5 else 1.0
        case Pattern.FADE:
            return 1.0 - phase
        case Pattern.ALTERNATE:
            return float(phase < 0.5)
        case Pattern.DOUBLE_BLINK:
            return float(phase < 0.1 or 0.2 <= phase < 0.3)
        case Pattern.STEADY:
            return 1.0


def _dip(phase: float) -> float:
    """Return a soft way from 1 down to 0 and back, which stays at 0 long enough to be seen as dark."""
    return max(0.0, (0.5 + 0.5 * cos(2 * pi * phase) - 0.08) / 0.92)


def _led_value(colour: Colour, level: float, brightness: float, gamma: float) -> Colour:
    """Return the LED's value: light is proportional to it, perception is not; a lit LED has at least 1."""
    full = 255 * brightness
    red, green, blue = (ceil((part / 255 * level) ** gamma * full) for part in colour)
    return (red, green, blue)


def _durations(colours: tuple[Colour, ...]) -> tuple[int, ...]:
    """Return for how many ticks more each colour of a cycle stays the same; empty if it never changes."""
    if len(set(colours)) == 1:
        return ()
    lasts = [1] * len(colours)
    for tick in (*range(len(colours) - 2, -1, -1), *range(len(colours) - 1, -1, -1)):
        after = (tick + 1) % len(colours)
        lasts[tick] = lasts[after] + 1 if colours[tick] == colours[after] else 1
    return tuple(lasts)


def _clamp(value: float) -> float:
    return min(1.0, max(0.0, value))
