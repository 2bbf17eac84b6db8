"""Preferences that are set while the board runs: which apply, which are refused, and that they last."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config.loader import Config
from firmware_host.errors import RequestError
from firmware_host.games.layout import MORRIS
from firmware_host.games.time_control import TimeControls
from firmware_host.i18n import LANGUAGES
from firmware_host.lights.cues import Cue
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.scene import Scene
from firmware_host.lights.themes import THEMES, theme_named
from firmware_host.play import requests
from firmware_host.play.preferences import Preferences
from firmware_host.settings import (
    FLAG_NAMES,
    HINT_NAMES,
    MIN_BRIGHTNESS,
    PREFERENCES,
    SOUND_LEVELS,
    SPEECH_LEVELS,
    STARTS,
    Lights,
    Play,
)
from firmware_host.store.store import SqliteStore
from sim.assembly import Blueprint
from sim.clock import VirtualClock

GOOD = {
    "theme": st.sampled_from(sorted(THEMES)),
    "brightness": st.floats(MIN_BRIGHTNESS, 1),
    "sound": st.sampled_from(SOUND_LEVELS),
    "hints": st.booleans(),
    "take_back": st.booleans(),
    "hint_white": st.sampled_from(HINT_NAMES),
    "hint_black": st.sampled_from(HINT_NAMES),
    "clock": st.sampled_from(["none", "5+3", "10", "move:30", "5+3/none"]),
    "clock_flag": st.sampled_from(FLAG_NAMES),
    "starts": st.sampled_from(STARTS),
    "speech": st.sampled_from(SPEECH_LEVELS),
    "language": st.sampled_from(LANGUAGES),
}
ANYTHING = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers())


def comes(**kept: Any) -> Preferences:
    return Preferences.of(Lights(theme="candle", brightness=0.3), Play(take_back=False), kept)


@given(st.fixed_dictionaries({}, optional=GOOD), st.fixed_dictionaries({}, optional=GOOD))
def test_what_was_set_last_counts_over_how_the_board_comes(
    first: dict[str, Any], then: dict[str, Any]
) -> None:
    told = comes().with_set(first).with_set(then).as_dict()
    as_it_comes = {"theme": "candle", "brightness": 0.3, "hints": True, "take_back": False, "sound": "few"}
    as_it_comes |= {"hint_white": "auto", "hint_black": "auto", "clock": "none", "clock_flag": "gentle"}
    as_it_comes |= {"starts": "rules", "speech": "off", "language": "en"}
    assert {name: told[name] for name in PREFERENCES} == {**as_it_comes, **first, **then}
    assert told["set"] == sorted({*first, *then})
    forgotten = comes().with_set(first).with_set(dict.fromkeys(PREFERENCES))
    assert forgotten == comes()


@given(st.dictionaries(st.sampled_from([*PREFERENCES]) | st.text(), ANYTHING))
def test_anything_else_is_refused_or_can_be_used(values: dict[str, Any]) -> None:
    try:
        lights, play, _ = comes().with_set(values).effective
    except RequestError:
        return
    assert lights.theme in THEMES
    assert MIN_BRIGHTNESS <= lights.brightness <= 1
    assert lights.hints in (True, False)
    assert {play.hint_white, play.hint_black} <= {*HINT_NAMES}
    assert str(TimeControls.parse(play.clock)) == play.clock
    assert play.clock_flag in FLAG_NAMES


@given(st.dictionaries(st.sampled_from([*PREFERENCES]) | st.text(), ANYTHING))
def test_of_what_was_kept_all_that_can_be_used_counts(kept: dict[str, Any]) -> None:
    found = comes(**kept) if all(isinstance(name, str) for name in kept) else comes()
    assert found.overrides.keys() <= kept.keys()
    assert found.with_set(found.overrides) == found


@pytest.mark.parametrize("kept", [None, [], "candle", 3, {"theme": "gone"}, {"brightness": 0}])
def test_what_was_kept_and_means_nothing_now_is_as_it_comes(kept: object) -> None:
    assert Preferences.of(Lights(), Play(), kept).overrides == {}


# ---- on a board -----------------------------------------------------------------------------------------


class PreferenceBoard:
    """A simulated board, frame by frame."""

    def __init__(self, store: SqliteStore | None = None, config: Config | None = None) -> None:
        self.clock = VirtualClock()
        game = None if store is None else store.last()
        blueprint = Blueprint(config=config or Config.default())
        self.play = blueprint.build(self.clock, game, store)
        self.due = 0
        self.frames(1)

    def ask(self, **values: Any) -> None:
        requests.perform(self.play.controller, {"do": "set", **values})
        self.frames(1)

    def frames(self, count: int) -> None:
        for _ in range(count):
            self.clock.reach(self.due)
            self.play.board.tick(self.due)
            self.due += 5000


def test_the_light_changes_in_the_next_frame() -> None:
    played = PreferenceBoard()
    bright = played.play.leds()["d6"]
    played.ask(brightness=0.1)
    dim = played.play.leds()["d6"]
    assert dim != bright
    assert all(int(dim[at : at + 2], 16) <= int(bright[at : at + 2], 16) for at in (1, 3, 5))
    played.ask(theme="contrast")
    assert len({played.play.leds()["d6"][at : at + 2] for at in (1, 3, 5)}) == 1
    played.ask(hints=False)
    assert played.play.leds() == {}
    played.ask(theme=None, brightness=None, hints=None)
    played.frames(300)  # one more flash would be too many before
    assert played.play.leds()["d6"] == bright


def test_take_back_can_be_switched_during_a_game() -> None:
    played = PreferenceBoard()
    played.play.hands.do({"put": "d6", "piece": "white"}, played.due)
    played.frames(100)
    played.ask(take_back=False)
    with pytest.raises(RequestError, match="switched off"):
        requests.perform(played.play.controller, {"do": "take-back"})
    requests.perform(played.play.controller, {"do": "new-game"})
    assert played.play.controller.controls.unavailable_reason("take-back") is not None
    played.ask(take_back=True)
    why = played.play.controller.controls.unavailable_reason("take-back")
    assert why is not None
    assert why.key == "refused.no-turn"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({}, "needs something to set"),
        ({"theme": "candel"}, "did you mean candle"),
        ({"theme": ["candle"]}, '"theme" cannot be'),
        ({"brightness": 0}, "from 0.05 to 1"),
        ({"brightness": True}, "from 0.05 to 1"),
        ({"hints": "off"}, "true or false"),
        ({"budget_ma": 20000}, "takes no 'budget_ma'"),
        ({"hints": False, "theme": "gone"}, "theme"),
    ],
)
def test_what_cannot_be_set_changes_nothing(values: dict[str, Any], reason: str) -> None:
    played = PreferenceBoard()
    before = played.play.leds(), played.play.controller.preferences
    with pytest.raises(RequestError, match=reason):
        played.ask(**values)
    assert (played.play.leds(), played.play.controller.preferences) == before


def test_stored_preferences_hold_after_a_restart(
    tmp_path: Path,
) -> None:
    def stored() -> closing[SqliteStore]:
        return closing(SqliteStore(tmp_path / "games.db", wall_ms=lambda: 1, named=False))

    with stored() as store:
        PreferenceBoard(store).ask(theme="candle", take_back=False)
        assert store.finish(store.begin())
    with stored() as store:
        again = PreferenceBoard(store, Config.default())
    assert again.play.controller.preferences.effective.lights.theme == "candle"
    assert again.play.controller.controls.unavailable_reason("take-back") is not None
    again.ask(theme=None)
    assert again.play.controller.preferences.as_dict()["set"] == ["take_back"]


@given(st.lists(st.tuples(st.sampled_from(sorted(THEMES)), st.floats(0.05, 1)), max_size=20))
def test_frequent_settings_keep_flash_and_current_limits(
    choices: list[tuple[str, float]],
) -> None:
    lights = Lights(budget_ma=100)
    renderer = Renderer(MORRIS, lights, theme_named("harbour"))
    scene = Scene({point: frozenset({Cue.DESTINATION}) for point in MORRIS.points})
    shown, now = [renderer.render(scene, 0)], 0
    for theme, brightness in choices:
        now += 40_000
        renderer.restyle(theme_named(theme), brightness)
        shown.append(renderer.render(scene, now))
    for frame in shown:
        full = sum(map(sum, frame)) / 255 * lights.full_ma_per_colour
        assert full + len(MORRIS) * lights.idle_ma_per_led <= lights.budget_ma
    for led in range(len(MORRIS)):
        rises = sum(
            any(b > a for a, b in zip(one[led], other[led], strict=True)) for one, other in pairwise(shown)
        )
        assert rises <= 2 * (1 + now // 1_000_000) + 1
