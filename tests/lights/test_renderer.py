"""The renderer: within the current and the flashes it may use whatever it is asked for, and still at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Player
from firmware_host.games.layout import MORRIS
from firmware_host.lights.cues import Cue
from firmware_host.lights.renderer import MIN_PERIOD_MS, TICK, FlashLimiter, Renderer
from firmware_host.lights.scene import Scene
from firmware_host.lights.themes import HARBOUR, THEMES, Look, Pattern, Theme
from firmware_host.ports import DARK, Colour, LedFrame
from firmware_host.settings import Lights
from tests.support.examples import costly

SECOND = 1_000_000
FRAME = 5_000
thorough = costly(2)
LIGHTS = Lights()

colours = st.tuples(*[st.integers(0, 255)] * 3)
looks = st.builds(
    Look,
    colour=colours,
    pattern=st.sampled_from(Pattern),
    level=st.floats(-1, 2),
    rest=st.floats(-1, 2),
    period_ms=st.one_of(st.integers(-10, 3000), st.integers(0, 10**7)),
    second=st.none() | colours,
)
themes = st.one_of(
    st.sampled_from(list(THEMES.values())),
    st.builds(Theme, **{field.name: looks for field in fields(Theme)}),
)
lights = st.builds(
    Lights,
    brightness=st.floats(0, 1),
    gamma=st.floats(1, 4),
    budget_ma=st.integers(100, 2000),
    idle_ma_per_led=st.floats(0, 5),
    full_ma_per_colour=st.floats(1, 60),
)
cue_sets = st.frozensets(st.sampled_from(Cue), max_size=3)


def scenes(points: int) -> st.SearchStrategy[Scene]:
    cues = st.dictionaries(st.sampled_from(MORRIS.points[:points]), cue_sets, max_size=points)
    return st.builds(Scene, cues, st.none() | st.sampled_from(Player))


pauses = st.one_of(st.integers(0, 60_000), st.integers(0, 3 * SECOND))


def _played(renderer: Renderer, run: list[tuple[Scene, int]]) -> Iterator[tuple[int, LedFrame]]:
    """Every frame that is sent while scenes change after their pauses, with its time."""
    now = 0
    for scene, pause in run:
        end = now + pause
        while True:
            yield now, renderer.render(scene, now)
            due = renderer.next_change(scene, now)
            if due is None or due >= end:
                break
            now = max(due, now + 1)
        now = end


def _milliamps(frame: LedFrame, lights: Lights) -> float:
    return len(frame) * lights.idle_ma_per_led + sum(map(sum, frame)) / 255 * lights.full_ma_per_colour


def _flashes(changes: list[tuple[int, float]]) -> int:
    """The most pairs of opposing changes in any one second of one light's brightness over time."""
    most = 0
    changes = [changes[0], *(now for last, now in itertools.pairwise(changes) if now[1] != last[1])]
    for first in range(len(changes)):
        directions: list[bool] = []
        for (_, before), (at, after) in itertools.pairwise(changes[first:]):
            if at > changes[first][0] + SECOND:
                break
            if after != before and (not directions or directions[-1] != (after > before)):
                directions.append(after > before)
        most = max(most, len(directions) // 2)
    return most


def _luminance(colour: Colour) -> float:
    return round(0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2], 4)


def _assert_calm(frames: list[tuple[int, LedFrame]]) -> None:
    for led in range(len(frames[0][1])):
        lit = [(0, 0.0), *((at, _luminance(frame[led])) for at, frame in frames)]
        assert _flashes(lit) <= 2
        reds = [(0, 0.0), *((at, float(frame[led][0])) for at, frame in frames)]
        assert _flashes(reds) <= 2


@thorough
@given(themes, lights, st.lists(st.tuples(scenes(24), pauses), min_size=1, max_size=6))
def test_the_current_is_never_over_the_budget(
    theme: Theme, lights: Lights, run: list[tuple[Scene, int]]
) -> None:
    idle = len(MORRIS) * lights.idle_ma_per_led
    for _, frame in _played(Renderer(MORRIS, lights, theme), run):
        assert _milliamps(frame, lights) <= max(lights.budget_ma, idle) + 1e-6


@thorough
@given(themes, st.lists(st.tuples(scenes(2), pauses), min_size=1, max_size=25))
def test_no_light_flashes_more_than_twice_in_any_second(theme: Theme, run: list[tuple[Scene, int]]) -> None:
    _assert_calm([*_played(Renderer(MORRIS, LIGHTS, theme), run)])


@thorough
@given(st.lists(st.tuples(st.tuples(colours, colours), pauses), min_size=1, max_size=40))
def test_the_limiter_keeps_the_limit_for_any_frames_and_brightens_none(
    run: list[tuple[tuple[Colour, Colour], int]],
) -> None:
    limiter, now, shown = FlashLimiter(2), 0, []
    for wanted, pause in run:
        now += pause
        shown.append((now, limiter.limit(wanted, now)))
        parts = zip(sum(shown[-1][1], ()), sum(wanted, ()), strict=True)
        assert all(sent <= asked for sent, asked in parts)
        if limiter.release is not None:
            assert now < limiter.release
    _assert_calm(shown)


@thorough
@given(themes, st.sampled_from(Cue), st.sampled_from(Player), st.integers(0, 10**9))
def test_a_pattern_alone_is_never_held_back(theme: Theme, cue: Cue, player: Player, start: int) -> None:
    renderer = Renderer(MORRIS, LIGHTS, theme)
    scene = Scene({MORRIS["d6"]: frozenset({cue})}, player)
    frames = [renderer.render(scene, start // TICK * TICK + tick * TICK) for tick in range(600)]
    name = cue.name.lower() + (f"_{player}" if cue in (Cue.MOVABLE, Cue.DESTINATION, Cue.RESTING) else "")
    look: Look = getattr(theme, name)
    period = min(max(look.period_ms, MIN_PERIOD_MS), 10_000) * 1000 // TICK
    if look.pattern is Pattern.STEADY:
        period = 1
    assert frames[period:] == frames[:-period]


@pytest.mark.ci("examples")
@thorough
@given(themes, st.lists(st.tuples(scenes(24), pauses), min_size=1, max_size=4))
def test_nothing_changes_before_the_time_it_names(theme: Theme, run: list[tuple[Scene, int]]) -> None:
    lazy, eager = Renderer(MORRIS, LIGHTS, theme), Renderer(MORRIS, LIGHTS, theme)
    now = 0
    for scene, pause in run:
        frame = lazy.render(scene, now)
        eager.render(scene, now)
        due = lazy.next_change(scene, now)
        for later in range(now, now + min(pause, 300_000), FRAME):
            if due is not None and later >= due:
                frame, due = lazy.render(scene, later), lazy.next_change(scene, later)
            assert eager.render(scene, later) == frame
        now += pause


@pytest.mark.ci("examples")
@thorough
@given(themes, st.lists(st.tuples(scenes(24), pauses), min_size=1, max_size=5))
def test_the_same_scenes_at_the_same_times_give_the_same_frames(
    theme: Theme, run: list[tuple[Scene, int]]
) -> None:
    assert [*_played(Renderer(MORRIS, LIGHTS, theme), run)] == [
        *_played(Renderer(MORRIS, LIGHTS, theme), run)
    ]


def _scene(cue: Cue, *names: str, player: Player | None = Player.WHITE) -> Scene:
    return Scene({MORRIS[name]: frozenset({cue}) for name in names}, player)


@pytest.mark.parametrize("cue", Cue)
@pytest.mark.parametrize("before", [Scene(), _scene(Cue.MOVABLE, "a1"), _scene(Cue.DESTINATION, "a1", "d6")])
@pytest.mark.parametrize("now", [0, 12_345_000, 12_345_000 + 23 * TICK])
def test_a_new_meaning_is_at_its_brightest_in_the_same_frame(cue: Cue, before: Scene, now: int) -> None:
    renderer = Renderer(MORRIS, LIGHTS, HARBOUR)
    renderer.render(before, 0)
    renderer.render(before, now)
    after = _scene(cue, "d6")
    frames = [renderer.render(after, now + later) for later in range(0, 4 * SECOND, FRAME)]
    led = MORRIS["d6"].index
    assert frames[0][led] == max((frame[led] for frame in frames), key=sum)


def test_a_reed_that_chatters_thirty_times_a_second_leaves_the_lights_calm() -> None:
    renderer = Renderer(MORRIS, LIGHTS, HARBOUR)
    ready, lifted = _scene(Cue.MOVABLE, "d6", "a1"), _scene(Cue.DESTINATION, "d7", "b6")
    run = [(scene, 16_000) for _ in range(90) for scene in (ready, lifted)]
    frames = [*_played(renderer, run)]
    _assert_calm(frames)
    assert frames[0][1][MORRIS["d6"].index] != DARK


def test_a_light_that_was_held_back_comes_when_its_second_is_over() -> None:
    renderer = Renderer(MORRIS, LIGHTS, HARBOUR)
    lit, led = _scene(Cue.DESTINATION, "d6"), MORRIS["d6"].index
    for at in range(0, 300_000, 100_000):
        renderer.render(Scene(), at)
        frame = renderer.render(lit, at + 50_000)
    assert frame[led] == DARK
    due = renderer.next_change(lit, 250_000)
    assert due is not None
    assert SECOND <= due <= 1.2 * SECOND
    assert renderer.render(lit, due - 1)[led] == DARK
    assert renderer.render(lit, due)[led] != DARK
    assert renderer.next_change(lit, due) is None


def test_steady_lights_need_no_further_frame() -> None:
    renderer = Renderer(MORRIS, LIGHTS, HARBOUR)
    scene = Scene({MORRIS["a1"]: frozenset({Cue.LAST_MOVE}), MORRIS["d6"]: frozenset({Cue.DESTINATION})})
    renderer.render(scene, 0)
    assert renderer.next_change(scene, 0) is None


def test_a_scene_not_yet_rendered_is_due_at_once() -> None:
    assert Renderer(MORRIS, LIGHTS, HARBOUR).next_change(_scene(Cue.CLEAR, "a1"), 70) == 70


def test_a_double_blink_is_drawn_five_times_a_period_only() -> None:
    renderer = Renderer(MORRIS, LIGHTS, HARBOUR)
    times = [at for at, _ in _played(renderer, [(_scene(Cue.MILL, "a1"), 2_400_000)])]
    assert times == [0, 240_000, 480_000, 720_000]


def test_points_of_one_meaning_keep_in_step_when_they_join_later() -> None:
    renderer = Renderer(MORRIS, LIGHTS, HARBOUR)
    renderer.render(_scene(Cue.REMOVABLE, "a1"), 0)
    for now in range(SECOND, 4 * SECOND, TICK):
        frame = renderer.render(_scene(Cue.REMOVABLE, "a1", "g1"), now)
        assert frame[MORRIS["a1"].index] == frame[MORRIS["g1"].index]


def test_a_steady_light_keeps_still_while_others_pulse_on_a_short_budget() -> None:
    tight = Lights(budget_ma=100)
    cues = {point: frozenset({Cue.REMOVABLE}) for point in MORRIS.points[1:]}
    scene = Scene({**cues, MORRIS.points[0]: frozenset({Cue.DESTINATION})}, Player.WHITE)
    frames = [frame for _, frame in _played(Renderer(MORRIS, tight, HARBOUR), [(scene, 5 * SECOND)])]
    assert len({frame[0] for frame in frames}) == 1
    assert len({frame[1] for frame in frames}) > 10


def test_the_budget_is_used_and_every_light_gives_the_same_share() -> None:
    scene = Scene({point: frozenset({Cue.MILL}) for point in MORRIS.points})
    lights = Lights(brightness=1.0)
    frame = Renderer(MORRIS, lights, HARBOUR).render(scene, 0)
    # 24 white LEDs would draw 24 + 1440 mA: the share is (500 - 24) / 1440.
    assert frame == ((84, 84, 84),) * 24
    assert 490 < _milliamps(frame, lights) <= 500


def test_all_leds_of_a_point_and_those_of_none_count_in_the_budget() -> None:
    scene = Scene({point: frozenset({Cue.MILL}) for point in MORRIS.points})
    frame = Renderer(MORRIS, Lights(brightness=1.0), HARBOUR, counts=(2,) * 24, spare=12).render(scene, 0)
    # 48 white LEDs would draw 2880 mA besides the 60 of all that are dark: the share is 440 / 2880.
    assert frame == ((38, 38, 38),) * 24


@pytest.mark.parametrize("scene", [_scene(Cue.EXTRA, "a1"), Scene({}, Player.WHITE)])
def test_a_strip_whose_idle_current_is_over_the_budget_stays_dark(scene: Scene) -> None:
    lights = Lights(budget_ma=100, idle_ma_per_led=5.0)
    assert Renderer(MORRIS, lights, HARBOUR).render(scene, 0) == (DARK,) * 24


def test_brightness_scales_light_and_gamma_bends_colour() -> None:
    lights = Lights(brightness=0.5, gamma=2.2)
    frame = Renderer(MORRIS, lights, HARBOUR).render(_scene(Cue.DESTINATION, "d5"), 0)
    assert frame[0] == (12, 60, 105)  # sky blue (86, 180, 233), to the power of 2.2, halved, rounded up


def test_what_is_lit_is_never_rounded_away() -> None:
    lights = Lights(brightness=0.01)
    for cue in Cue:
        assert any(Renderer(MORRIS, lights, HARBOUR).render(_scene(cue, "d5"), 0)[0])


def test_no_brightness_is_dark() -> None:
    assert Renderer(MORRIS, Lights(brightness=0.0), HARBOUR).render(_scene(Cue.WRONG, "d5"), 0)[0] == DARK


def test_of_several_cues_a_point_shows_the_most_urgent() -> None:
    both = Scene({MORRIS["d6"]: frozenset({Cue.LAST_MOVE, Cue.MILL})})
    renderer = Renderer(MORRIS, LIGHTS, HARBOUR)
    assert renderer.render(both, 0) == Renderer(MORRIS, LIGHTS, HARBOUR).render(_scene(Cue.MILL, "d6"), 0)


def test_what_changes_neither_theme_nor_brightness_leaves_patterns_where_they_are() -> None:
    scene = _scene(Cue.WRONG, "d6")
    left, told_again = Renderer(MORRIS, LIGHTS, HARBOUR), Renderer(MORRIS, LIGHTS, HARBOUR)
    for renderer in (left, told_again):
        renderer.render(scene, 0)
    for now in range(FRAME, 3 * SECOND, FRAME):
        told_again.restyle(HARBOUR, LIGHTS.brightness)
        assert told_again.render(scene, now) == left.render(scene, now)
        assert told_again.next_change(scene, now) == left.next_change(scene, now)
