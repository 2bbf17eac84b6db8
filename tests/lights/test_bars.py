"""The side bars: the share of the time that is left, and the light of its last seconds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Player
from firmware_host.games.layout import MORRIS
from firmware_host.lights.bars import NO_BAR, Bar, BarState, bar_of, next_step
from firmware_host.lights.renderer import TICK, Renderer
from firmware_host.lights.scene import Scene
from firmware_host.lights.themes import THEMES, theme_named
from firmware_host.ports import DARK
from firmware_host.settings import Lights

S = 1_000_000
LEDS = 8
WHOLE = 320 * S


@pytest.mark.parametrize(
    ("left", "runs", "bar"),
    [
        (320, True, Bar(8, BarState.RUNNING)),
        (281, False, Bar(8, BarState.STANDING)),
        (280, True, Bar(7, BarState.RUNNING)),
        (400, True, Bar(8, BarState.RUNNING)),
        (31, True, Bar(1, BarState.RUNNING)),
        (30, True, Bar(8, BarState.LOW)),
        (28, True, Bar(7, BarState.LOW)),
        (28, False, Bar(7, BarState.STANDING)),
        (0.1, True, Bar(1, BarState.LOW)),
        (0, True, Bar(8, BarState.FLAG)),
        (-5, False, Bar(8, BarState.FLAG)),
    ],
)
def test_bar_shows_the_share_that_is_left(left: float, bar: Bar, *, runs: bool) -> None:
    assert bar_of(round(left * S), WHOLE, LEDS, runs=runs) == bar


@given(st.integers(1, 400 * S), st.sampled_from([10 * S, 30 * S, 180 * S, WHOLE, 3600 * S]))
def test_bar_changes_at_no_other_time_than_its_next_step(left: int, whole: int) -> None:
    step = next_step(left, whole, LEDS)
    assert step < left
    now = bar_of(left, whole, LEDS, runs=True)
    assert bar_of(max(step + 1, 1), whole, LEDS, runs=True) == now
    if step >= 0:
        assert bar_of(step, whole, LEDS, runs=True) != now


def rendered(scene: Scene, seconds: float, **lights: float) -> list[tuple[tuple[int, int, int], ...]]:
    """Return the LEDs of the bars at each tick."""
    renderer = Renderer(MORRIS, Lights(**lights), theme_named("harbour"), bar_leds=LEDS)  # type: ignore[arg-type]
    ticks = range(0, round(seconds * S), TICK)
    return [renderer.render(scene, now)[len(MORRIS) :] for now in ticks]


def test_bars_are_lit_from_their_first_led_on() -> None:
    scene = Scene(bars=(Bar(3, BarState.RUNNING), Bar(5, BarState.STANDING)))
    (frame,) = rendered(scene, 0.04)
    white, black = frame[:LEDS], frame[LEDS:]
    assert [led != DARK for led in white] == [True] * 3 + [False] * 5
    assert [led != DARK for led in black] == [True] * 5 + [False] * 3
    assert max(white[0]) > 4 * max(black[0])


def test_bars_stay_dark_without_clocks() -> None:
    assert set(rendered(Scene(bars=(NO_BAR, NO_BAR)), 0.04)[0]) == {DARK}
    assert set(rendered(Scene(), 0.04)[0]) == {DARK}


@pytest.mark.parametrize("state", [BarState.LOW, BarState.FLAG])
def test_bars_flash_no_more_than_twice_a_second(state: BarState) -> None:
    frames = rendered(Scene(bars=(Bar(8, state), Bar(2, BarState.STANDING))), 12)
    values = [max(frame[0]) for frame in frames]
    rises = [now for now in range(1, len(values)) if values[now] > values[now - 1]]
    begun = [now for now in rises if now - 1 not in rises]
    assert begun
    for first, third in zip(begun, begun[2:], strict=False):
        assert (third - first) * TICK > S
    assert min(values) < max(values)


@pytest.mark.parametrize("theme", THEMES)
def test_full_bars_keep_to_the_budget(theme: str) -> None:
    lights = Lights(budget_ma=150, brightness=1.0)
    renderer = Renderer(MORRIS, lights, theme_named(theme), bar_leds=LEDS)
    frame = renderer.render(Scene(bars=(Bar(8, BarState.RUNNING), Bar(8, BarState.FLAG))), 0)
    drawn = sum(map(sum, frame)) / 255 * lights.full_ma_per_colour + len(frame) * lights.idle_ma_per_led
    assert len(frame) == len(MORRIS) + 2 * LEDS
    assert drawn <= lights.budget_ma


def test_who_hurries_sees_pieces_pulse_at_double_rate() -> None:
    from firmware_host.lights.cues import Cue

    point = MORRIS.points[0]
    renderer = Renderer(MORRIS, Lights(), theme_named("harbour"))
    scenes = [
        Scene({point: frozenset({Cue.MOVABLE})}, Player.WHITE, hurries=hurries) for hurries in (False, True)
    ]
    lows = []
    for number, scene in enumerate(scenes):
        values = [
            max(renderer.render(scene, now)[0])
            for now in range(number * 20 * S, (number * 20 + 12) * S, TICK)
        ]
        lows.append(
            sum(
                before > value <= after
                for before, value, after in zip(values, values[1:], values[2:], strict=False)
            )
        )
    assert lows[1] >= 1.8 * lows[0] > 0
