"""The headless board: its input and output, and that skipped frames change nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_host.config.loader import Config
from firmware_host.errors import ConfigError, NotationError
from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.settings import Timing
from sim.assembly import Blueprint
from sim.headless import run_headless
from tests.support.matrix import left_to_ci


def output(commands: list[Any], *, skip: bool = True, **words: Any) -> str:
    """Return a board's output for `commands`; texts are sent as they are."""
    out = StringIO()
    lines = [command if isinstance(command, str) else json.dumps(command) for command in commands]
    run_headless(lines, out, Blueprint.of(**words), skip=skip)
    return out.getvalue()


# Few points, so that hands meet pieces more often than not.
few = st.sampled_from(["d5", "d6", "d7", "a7", "g7", "f4"])
waits = st.sampled_from([0.003, 0.01, 0.045, 0.1, 0.25, 0.31, 0.7, 1.2, 3.1])
hands = st.one_of(
    st.builds(lambda p, k: {"put": p, "piece": k}, few, st.sampled_from(["white", "black"])),
    st.builds(lambda p: {"put": p}, few),
    st.builds(lambda p: {"lift": p}, few),
    st.builds(lambda *p: {"slide": [*p], "seconds": 0.4}, few, few, few),
    st.builds(lambda jumps: {"knock": jumps}, st.dictionaries(few, st.none() | few, min_size=1, max_size=3)),
    st.just({"box": True}),
    st.just({"sweep": True}),
    st.just({"show": True}),
)
faults = st.one_of(
    st.builds(
        lambda p, k: {"fault": {"point": p, "kind": k}},
        few,
        st.sampled_from(["stuck-on", "stuck-off", "chatter", "weak"]),
    ),
    st.just({"fault": {"mux": 0, "kind": "dead"}}),
    st.just({"fault": {"leds": "unplugged"}}),
    st.just({"repair": True}),
)
requests = st.sampled_from(
    [
        {"do": "take-back"},
        {"do": "new-game", "rules": "six"},
        {"do": "pause"},
        {"do": "resume"},
        {"do": "resign"},
        {"do": "draw"},
        {"do": "decline"},
        {"do": "choose", "turn": "d6"},
    ]
)
moments = st.one_of(hands, hands, hands, hands, faults, requests)
lives = st.lists(st.tuples(moments, waits.map(lambda s: {"wait": s})), max_size=20).map(
    lambda pairs: [command for pair in pairs for command in pair]
)


boards = st.fixed_dictionaries(
    {
        "sensors": st.sampled_from(["presence", "polarity"]),
        "switches": st.sampled_from([(), ("pieces=3", "removal=may")]),
    }
)
KINDS = {
    "expanders": '[sensors]\nkind = "mcp23017"',
    "a matrix": '[sensors]\nkind = "matrix"',
    "linear sensors": '[sensors]\nkind = "mcp3008"',
    "linear sensors by polarity": '[sensors]\nkind = "mcp3008"\nalphabet = "polarity"',
    "a microcontroller": '[sensors]\nkind = "serial"\nalphabet = "polarity"',
    "lines alone": '[sensors]\nkind = "direct"\n'
    f'signal = {[*range(2, 18), *range(19, 27)]}\n[strip]\nbackend = "pwm"',
}


def wired(folder: Path, name: str) -> Path:
    """The file of a board of some kind."""
    file = folder / "millwright.toml"
    file.write_text(KINDS[name])
    return file


@settings(max_examples=12, deadline=None)
@given(lives, boards)
def test_skipped_frames_change_no_byte_of_the_output(life: list[Any], board: dict[str, Any]) -> None:
    life = [*life, {"show": True}]
    assert output(life, **board) == output(life, skip=False, **board)


@pytest.mark.parametrize("name", left_to_ci(KINDS, lambda name: name != "linear sensors"))
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(life=lives, seed=st.integers(0, 9))
def test_nor_do_they_however_the_sensors_are_read(
    tmp_path: Path, name: str, life: list[Any], seed: int
) -> None:
    life = [*life, {"show": True}]
    config = wired(tmp_path, name)
    assert output(life, config=config, seed=seed) == output(life, skip=False, config=config, seed=seed)


@pytest.mark.long
@settings(max_examples=2_000, deadline=None)
@given(lives, boards)
def test_nor_do_they_in_very_many_lives(life: list[Any], board: dict[str, Any]) -> None:
    life = [*life, {"show": True}]
    assert output(life, **board) == output(life, skip=False, **board)


def turns(points: str) -> list[Any]:
    """White and Black place on these points, White first, each at leisure."""
    life: list[Any] = []
    for number, point in enumerate(points.split()):
        life += [{"put": point, "piece": ["white", "black"][number % 2]}, {"wait": 0.5}]
    return life


@pytest.mark.ci("devices")
@pytest.mark.parametrize(
    "shown",
    [
        turns("d6 f4 d7 a1 a7 g1 g4 c4"),
        [*turns("d6 f4 d7 a1 d5"), {"show": True}],
        [*turns("d6 f4"), {"knock": {"d6": "a1"}}],
        [*turns("d6 f4"), {"do": "new-game"}],
        [*turns("d6 f4 d7"), {"do": "take-back"}],
        [*turns("d6 f4"), {"do": "choose", "turn": "d7"}],
        [*turns("d6 f4"), {"do": "resign"}],
    ],
    ids=["movable", "removable", "missing", "clear", "extra", "hint", "winner"],
)
def test_light_after_a_long_skip_is_unchanged(shown: list[Any]) -> None:
    life = [*shown, {"wait": 41.23}, {"show": True}, {"wait": 0.17}, {"show": True}]
    assert output(life, switches=("pieces=4",)) == output(life, switches=("pieces=4",), skip=False)


def test_the_same_input_and_seed_give_the_same_output() -> None:
    life = [
        {"fault": {"point": "d6", "kind": "weak"}},
        {"put": "d6", "piece": "white"},
        {"wait": 30},
        {"show": True},
    ]
    assert output(life, rules="the-mill", seed=3) == output(life, rules="the-mill", seed=3)
    assert output(life, rules="the-mill", seed=3) != output(life, rules="the-mill", seed=4)


def test_an_idle_day_takes_a_moment() -> None:
    began = time.perf_counter()
    told = output([{"wait": 86_400}, {"show": True}])
    assert time.perf_counter() - began < 5
    assert json.loads(told.splitlines()[-1])["t"] == 86_400.0


def test_output_is_flushed_after_each_line_of_input() -> None:
    class Pipe(StringIO):
        flushed = 0

        def flush(self) -> None:
            self.flushed = self.tell()

    pipe = Pipe()

    def ask() -> Iterator[str]:
        assert pipe.flushed > 0, "the first game is told before anything is read"
        for line in ('{"put": "d6", "piece": "white"}', '{"wait": 1}', '{"lift": "a1"}', ""):
            yield line
            assert pipe.flushed == len(pipe.getvalue())

    run_headless(ask(), pipe, Blueprint())
    assert len(pipe.getvalue().splitlines()) == 4


@pytest.mark.parametrize(("line", "status"), [('{"wait": 1}', 0), ('{"lift": "a1"}', 1), ("nonsense", 1)])
def test_the_exit_status_is_1_if_a_line_was_wrong(line: str, status: int) -> None:
    assert run_headless([line, '{"wait": 1}'], StringIO(), Blueprint()) == status


def test_an_error_names_the_line_and_the_next_one_is_read() -> None:
    _, error, state = output(["", {"lift": "d6"}, {"show": True}]).splitlines()
    assert json.loads(error) == {"t": 0.0, "error": "line 2: there is no piece on d6 to lift"}
    assert "state" in json.loads(state)


@pytest.mark.ci("examples")
@settings(max_examples=60, deadline=None)
@given(st.lists(st.text() | st.from_regex(r'\{"(put|wait|slide|knock|fault|do)": .*\}'), max_size=5))
def test_no_line_ends_the_board(lines: list[str]) -> None:
    for line in output([line.replace("\n", " ") for line in lines]).splitlines():
        assert json.loads(line)["t"] == 0.0


@pytest.mark.parametrize(
    "line", ["[" * 100_000, '{"wait": ' + "9" * 5000 + "}", '{"wait": 1e999}', '{"put": "\\ud800"}']
)
def test_unreasonable_lines_are_errors(line: str) -> None:
    assert "error" in json.loads(output([line]).splitlines()[-1])


def test_a_state_has_what_the_manual_says_in_that_order() -> None:
    state = json.loads(output([{"show": True}]).splitlines()[-1])["state"]
    assert " ".join(state) == (
        "rules position to_move status held moves missing extra wrong cues leds outcome"
    )


def test_times_are_seconds_to_the_microsecond() -> None:
    told = output([{"wait": 0.1}] * 3 + [{"show": True}]).splitlines()[-1]
    assert told.startswith('{"t": 0.3, "state"')


def test_frames_stay_on_their_grid_whatever_the_waits() -> None:
    config = Config(timing=Timing(frame_rate_hz=30, debounce_ms=0))
    out = StringIO()
    life = ['{"wait": 0.01}', '{"put": "d6", "piece": "white"}', *['{"wait": 0.07}'] * 10]
    run_headless(life, out, Blueprint(config=config))
    step = json.loads(out.getvalue().splitlines()[1])
    assert step["t"] == round(9 * 33_333 / 1e6, 6)


def test_hands_hold_what_they_lifted_in_that_order() -> None:
    life = [{"put": "d6", "piece": "black"}, {"put": "d7", "piece": "white"}, {"lift": "d7"}, {"lift": "d6"}]
    assert json.loads(output([*life, {"show": True}]).splitlines()[-1])["state"]["held"] == ["white", "black"]


# ---- blueprints ---------------------------------------------------------------------------------------


def test_switches_are_set_over_the_rules_that_are_named() -> None:
    blueprint = Blueprint.of(rules="the-mill", switches=("captures=one",), sensors="polarity")
    assert blueprint.rules.describe() == "the-mill captures=one"
    assert blueprint.alphabet is SensorKind.POLARITY


def test_named_rules_ignore_the_switches_of_the_config(tmp_path: Any) -> None:
    file = tmp_path / "millwright.toml"
    file.write_text('[play]\nrules = "lasker"\nswitches = ["flying=never"]\n')
    assert Blueprint.of(config=file).rules.describe() == "lasker flying=never"
    assert Blueprint.of(config=file, rules="six").rules.describe() == "six"


@pytest.mark.parametrize("kind", ['"mcp23017"\nexpanders = [0x27, 0x20]', '"serial"'])
def test_a_board_is_soldered_as_its_config_says_and_read_so(tmp_path: Path, kind: str) -> None:
    names = [point.name for point in MORRIS.points]
    sensors = "\n".join(f"{name} = [{n % 2}, {n // 2 + (n // 2 > 6)}]" for n, name in enumerate(names))
    leds = "\n".join(f"{name} = [{47 - n}, {n}]" for n, name in enumerate(names))
    file = tmp_path / "millwright.toml"
    file.write_text(
        f"[sensors]\nkind = {kind}\n[sensors.points]\n{sensors}\n"
        f'[strip]\nleds = 50\norder = "RGBW"\n[strip.points]\n{leds}\n'
    )
    life = [*turns("d6 f4 d7"), {"show": True}]
    plain, own = (json.loads(output(life, **given).splitlines()[-1]) for given in ({}, {"config": file}))
    lit = {point for point, colour in plain["state"].pop("leds").items() if colour != "#000000"}
    assert set(own["state"].pop("leds")) == lit
    assert own == plain


@pytest.mark.parametrize(
    ("fault", "wire"),
    [
        (
            {"row": 1, "kind": "open"},
            "the wire of row 1 (GPIO 27, header pin 13) has come loose, with the pi",
        ),
        ({"column": 2, "kind": "open"}, "the wire of column 2 (GPIO 5, header pin 29) has come loose, with"),
    ],
)
def test_a_loose_wire_of_a_matrix_is_named_and_takes_nothing_back(
    tmp_path: Path, fault: dict[str, Any], wire: str
) -> None:
    points = "d6 f4 f2 a1 c4" if "row" in fault else "e4 b4 d1 a1"
    life = [*turns(points), {"wait": 1}, {"fault": fault}, {"wait": 5}, {"repair": True}, {"wait": 5}]
    events = [json.loads(line) for line in output(life, config=wired(tmp_path, "a matrix")).splitlines()]
    *_, broken, cleared = events
    assert broken["event"] == "fault"
    assert broken["text"].startswith(wire)
    assert cleared["event"] == "fault-cleared"
    assert sum(event["event"] == "turn" for event in events) == len(points.split())


def test_a_config_says_what_its_sensors_can_tell(tmp_path: Path) -> None:
    file = wired(tmp_path, "linear sensors by polarity")
    assert Blueprint.of(config=file).alphabet is SensorKind.POLARITY
    assert Blueprint.of(config=file, sensors="polarity").alphabet is SensorKind.POLARITY
    with pytest.raises(ConfigError, match=rf"--sensors presence does not suit {file}:3, .* tell polarity"):
        Blueprint.of(config=file, sensors="presence")
    file.write_text("[timing]\nframe_rate_hz = 100\n")
    assert Blueprint.of(config=file, sensors="polarity").alphabet is SensorKind.POLARITY


def test_what_a_blueprint_cannot_be_is_said() -> None:
    with pytest.raises(ConfigError, match="it needs a linear sensor at each point"):
        Blueprint.of(rules="mitsudomoe", sensors="presence")
    with pytest.raises(NotationError, match="no rule set"):
        Blueprint.of(rules="nine")
