"""Themes: cues that can be lit together differ for everyone, and the player to move can be seen."""

from __future__ import annotations

import itertools
from collections.abc import Set
from dataclasses import fields, replace

import pytest

from firmware_host.errors import ConfigError
from firmware_host.games.game import Player
from firmware_host.games.layout import MORRIS
from firmware_host.lights.cues import TOGETHER, Both, Cue, DisplayedCue
from firmware_host.lights.renderer import TICK, Renderer
from firmware_host.lights.scene import Scene
from firmware_host.lights.themes import CONTRAST, HARBOUR, THEMES, WHITE, Look, Pattern, Theme, theme_named
from firmware_host.ports import Colour, LedFrame
from firmware_host.settings import THEME_NAMES, Lights

OF_MOVES: list[DisplayedCue] = [Cue.MOVABLE, Cue.DESTINATION, Both.EITHER, Cue.RESTING]
"""The cues that show the player to move."""
UNLIMITED = Lights(brightness=1.0, budget_ma=20_000)
FAINTEST = Lights(brightness=0.001)
SAMPLES = 240  # of 40 ms: whole periods of every pattern in use, or nearly

# Machado, Oliveira, Fernandes: "A Physiologically-based Model for Simulation of Color Vision Deficiency";
# 2009; severity 1.0, for linear light.
SIGHT = {
    "full": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def _lab(colour: Colour, level: float, sight: str) -> tuple[float, float, float]:
    """CIELAB (D65) of an sRGB colour at `level`, as someone of that sight sees it."""
    encoded = [part / 255 * level for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in encoded]
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in SIGHT[sight]
    )
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _distance(one: tuple[Colour, float], other: tuple[Colour, float], sight: str) -> float:
    pairs = zip(_lab(*one, sight), _lab(*other, sight), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def _look(theme: Theme, cue: DisplayedCue, player: Player) -> Look:
    name = cue.name.lower()
    if cue in OF_MOVES:
        name += f"_{player}"
    look: Look = getattr(theme, name)
    return look


def _colours(look: Look) -> list[tuple[Colour, float]]:
    shown = [(look.colour, look.level)]
    return shown if look.second is None else [*shown, (look.second, look.level)]


def _frames(theme: Theme, scene: Scene, lights: Lights = UNLIMITED) -> list[LedFrame]:
    renderer = Renderer(MORRIS, lights, theme)
    return [renderer.render(scene, tick * TICK) for tick in range(SAMPLES)]


def _cues(shown: DisplayedCue) -> frozenset[Cue]:
    return frozenset(shown.value) if isinstance(shown, Both) else frozenset({shown})


def _waves(theme: Theme, cues: Set[DisplayedCue], player: Player) -> dict[DisplayedCue, list[float]]:
    """The light of each cue of a scene, sampled in time, with all colours taken away."""
    white = {f.name: replace(getattr(theme, f.name), colour=WHITE) for f in fields(Theme)}
    points = dict(zip(sorted(cues, key=str), MORRIS.points, strict=False))
    scene = Scene({point: _cues(cue) for cue, point in points.items()}, player)
    frames = _frames(Theme(**white), scene)
    return {cue: [sum(frame[p.index]) / 765 for frame in frames] for cue, p in points.items()}


def _least_difference(one: list[float], other: list[float]) -> float:
    """The mean difference of two waves, shifted against each other so that they are most alike."""
    size = len(one)
    return min(
        sum(abs(one[(i + shift) % size] - other[i]) for i in range(0, size, 3)) / (size / 3)
        for shift in range(0, size, 3)
    )


GROUPS = [pytest.param(cues, id=name) for name, cues in TOGETHER.items()]
EACH_THEME = pytest.mark.parametrize("theme", [pytest.param(t, id=name) for name, t in THEMES.items()])
EACH_PLAYER = pytest.mark.parametrize("player", Player)


@EACH_THEME
@EACH_PLAYER
@pytest.mark.parametrize("cues", GROUPS)
def test_what_can_be_lit_together_differs_in_pattern_alone(
    theme: Theme, player: Player, cues: Set[DisplayedCue]
) -> None:
    waves = _waves(theme, cues, player)
    for one, other in itertools.combinations(waves, 2):
        assert _least_difference(waves[one], waves[other]) > 0.08, (one, other)


@pytest.mark.parametrize("sight", SIGHT)
@EACH_PLAYER
@pytest.mark.parametrize("cues", GROUPS)
def test_harbour_differs_in_colour_for_every_sight(
    sight: str, player: Player, cues: Set[DisplayedCue]
) -> None:
    for one, other in itertools.combinations(cues, 2):
        for a in _colours(_look(HARBOUR, one, player)):
            for b in _colours(_look(HARBOUR, other, player)):
                assert _distance(a, b, sight) > 20, (one, other)


@EACH_THEME
@pytest.mark.parametrize("sight", SIGHT)
def test_same_pattern_in_one_scene_never_rests_on_a_colour(theme: Theme, sight: str) -> None:
    for cues, player in itertools.product(TOGETHER.values(), Player):
        looks = [_look(theme, cue, player) for cue in sorted(cues, key=str)]
        for one, other in itertools.combinations(looks, 2):
            if one.pattern is other.pattern:
                assert _distance((one.colour, one.level), (other.colour, other.level), sight) > 20


@EACH_THEME
@pytest.mark.parametrize("lights", [UNLIMITED, FAINTEST], ids=["brightest", "faintest"])
@pytest.mark.parametrize("cue", OF_MOVES)
def test_blacks_lights_go_out_for_a_moment_and_whites_never_do(
    theme: Theme, lights: Lights, cue: DisplayedCue
) -> None:
    scenes = [Scene({MORRIS.points[0]: _cues(cue)}, player) for player in Player]
    white, black = ([sum(frame[0]) for frame in _frames(theme, scene, lights)] for scene in scenes)
    assert min(white) > 0
    assert min(black) == 0
    assert 0.6 < sum(value > 0 for value in black) / SAMPLES < 0.97


@pytest.mark.parametrize("name", [name for name, theme in THEMES.items() if theme is not CONTRAST])
@pytest.mark.parametrize("sight", SIGHT)
def test_the_players_differ_in_colour_for_every_sight(name: str, sight: str) -> None:
    theme = THEMES[name]
    for cue in OF_MOVES:
        white, black = _look(theme, cue, Player.WHITE), _look(theme, cue, Player.BLACK)
        assert _distance((white.colour, white.level), (black.colour, black.level), sight) > 20


@EACH_THEME
@pytest.mark.parametrize("cue", [cue for cue in Cue if cue not in OF_MOVES])
def test_no_other_light_is_ever_out(theme: Theme, cue: Cue) -> None:
    scene = Scene({MORRIS.points[0]: frozenset({cue})})
    assert all(any(frame[0]) for frame in _frames(theme, scene))


@EACH_THEME
@pytest.mark.parametrize("cue", [Cue.UNCLEAR, Cue.TAKE_BACK])
def test_unclear_and_take_back_have_a_rhythm_of_their_own(theme: Theme, cue: Cue) -> None:
    """Between them and errors, or the lights of moves, there may be no pause in which to tell them apart."""
    others: set[DisplayedCue] = {*Cue} - {cue}
    for player in Player:
        for other in others:
            waves = _waves(theme, {cue, other}, player)
            assert _least_difference(waves[cue], waves[other]) > 0.04, other


@EACH_THEME
def test_every_period_in_use_is_within_bounds_already(theme: Theme) -> None:
    for field in fields(Theme):
        look = getattr(theme, field.name)
        assert look.pattern is Pattern.STEADY or 1200 <= look.period_ms <= 10_000


def test_settings_offer_exactly_the_themes_that_exist() -> None:
    assert tuple(THEMES) == THEME_NAMES


def test_an_unknown_theme_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"there is no theme 'harbor'; did you mean harbour\?"):
        theme_named("harbor")


def test_a_theme_like_none_is_an_error_that_names_them_all() -> None:
    with pytest.raises(ConfigError, match=r"known are candle, contrast, harbour"):
        theme_named("zzz")
