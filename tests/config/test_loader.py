"""The configuration: all faults at once, each with its line, and nothing guessed."""

from __future__ import annotations

import contextlib
import math
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_host.commands.config import config as config_command
from firmware_host.config.loader import SECTIONS, Config, key_lines, load
from firmware_host.config.writer import settings_listing, template, toml_value
from firmware_host.errors import ConfigError
from firmware_host.settings import (
    FLAG_NAMES,
    HINT_NAMES,
    SEAT_NAMES,
    SOUND_LEVELS,
    STARTS,
    Lights,
    Timing,
    Web,
)

anywhere = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


SECTION_NAMES = "controls, lights, link, play, rest, sensors, sound, store, strip, timing, web"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "millwright.toml"


def _load(file: Path, text: str) -> Config:
    file.write_bytes(text.encode())
    return load(file)


def _faults(file: Path, text: str) -> list[str]:
    """The faults of a text, each without its file."""
    with pytest.raises(ConfigError) as caught:
        _load(file, text)
    return [line.removeprefix(f"{file}:") for line in str(caught.value).split("\n")]


def test_without_a_file_all_is_default() -> None:
    assert load(None) == Config.default() == Config(timing=Timing(), lights=Lights())


@pytest.mark.parametrize("text", ["", "# nothing\n", "[lights]\n[play]\n", "\ufeff[timing]\r\n"])
def test_what_a_file_leaves_out_is_default(file: Path, text: str) -> None:
    assert _load(file, text) == Config.default()


def test_a_value_is_taken_and_its_line_remembered(file: Path) -> None:
    config = _load(file, '[timing]\ndebounce_ms = 5\n\n[lights]\n\ntheme = "candle"\nbrightness = 1\n')
    assert config.timing == Timing(debounce_ms=5)
    assert config.lights == Lights(theme="candle", brightness=1.0)
    assert isinstance(config.lights.brightness, float)
    assert config.origins == {
        "timing.debounce_ms": f"{file}:2",
        "lights.theme": f"{file}:6",
        "lights.brightness": f"{file}:7",
    }


def test_rules_and_switches_are_read(file: Path) -> None:
    play = _load(file, '[play]\nrules = "lasker"\nswitches = ["flying=never"]\ntake_back = false\n').play
    assert (play.rules, play.switches, play.take_back) == ("lasker", ("flying=never",), False)


def test_a_setting_of_an_earlier_version_is_ignored(file: Path) -> None:
    assert _load(file, "[timing]\ncleared_forgives_ms = 10000\ncleared_ms = 4000").timing.cleared_ms == 4000
    assert _load(file, "timing = {cleared_forgives_ms = 'x'}").timing == Timing()


def test_all_faults_are_told_at_once_in_the_order_of_the_file(file: Path) -> None:
    text = """[lights]
theme = "harbor"
brightness = 3
brightnes = 1
hints = "yes"
[timing]
debounce_ms = 1.5
landing_ms = true
[play]
rules = "standart"
switches = [
  "flying=nver", "x"]
[ligts]
"""
    faults = _faults(file, text)
    assert faults[:6] == [
        '2 lights.theme: cannot be "harbor"; did you mean harbour?',
        "3 lights.brightness: 3 is out of range: it must be 0.0 to 1.0",
        "4 lights.brightnes: is not known; did you mean brightness?",
        '5 lights.hints: must be true or false, not "yes"',
        "7 timing.debounce_ms: must be a whole number, not 1.5",
        "8 timing.landing_ms: must be a whole number, not true",
    ]
    assert faults[6].startswith("10 play.rules: there is no rule set 'standart'")
    assert "standard" in faults[6]
    assert faults[7].startswith("11 play.switches: flying cannot be 'nver'")
    assert "'x' is not a setting" in faults[7]
    assert faults[8:] == ["13 ligts: is not known; did you mean lights?"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[timing]\ndebounce_ms = -1", "2 timing.debounce_ms: -1 is out of range: it must be 0 to 200 ms"),
        (
            "[timing]\nframe_rate_hz = 5",
            "2 timing.frame_rate_hz: 5 is out of range: it must be 20 to 1000 Hz",
        ),
        ("lights.budget_ma = 99", "1 lights.budget_ma: 99 is out of range: it must be 100 to 20000 mA"),
        ("[lights]\ngamma = nan", "2 lights.gamma: NaN is out of range: it must be 1.0 to 4.0"),
        ("[lights]\ngamma = true", "2 lights.gamma: must be a number, not true"),
        ("[lights]\ntheme = 1", "2 lights.theme: must be a text in quotes, not 1"),
        ("[play]\ntake_back = 0", "2 play.take_back: must be true or false, not 0"),
        (
            '[play]\nswitches = "flying=own"',
            '2 play.switches: must be a list of texts, as ["flying=never"], not "flying=own"',
        ),
        ("lights = 5", "1 lights: must be a section, written [lights] on a line of its own"),
        ("[[play]]", "1 play: must be a section, written [play] on a line of its own"),
        ("brightness = 0.5", "1 brightness: is not known here; it belongs into [lights]"),
        ("[play]\nbrightness = 0.5", "2 play.brightness: is not known here; it belongs into [lights]"),
        (
            "[zzz]",
            f"1 zzz: is not known; known are {SECTION_NAMES}",
        ),
        (
            '\n"a\\nb" = 1',
            f"2 'a\\nb': is not known; known are {SECTION_NAMES}",
        ),
    ],
)
def test_a_fault_says_where_it_is_what_is_wrong_and_what_would_be_right(
    file: Path, text: str, fault: str
) -> None:
    assert _faults(file, text) == [fault]


def test_switches_that_do_not_go_together_are_a_fault(file: Path) -> None:
    (fault,) = _faults(file, '[play]\nrules = "six"\nswitches = ["pieces=12"]\n')
    assert fault.startswith("3 play.switches: ")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[lights]\ntheme = \n", "2: column 9 cannot be read as TOML: Invalid value"),
        ("[lights]\n\ntheme = 'x", "3: the end cannot be read as TOML: "),
        (f"lights{'.theme' * 3000} = 1", "1: the end cannot be read as TOML: it is nested too deeply"),
        ("a = 1\na = 2", "2: "),
        (f"a = {'9' * 5000}", "1: "),
        (f"a = {'[' * 5000}", "1: "),
    ],
)
def test_a_file_that_is_no_toml_is_refused_with_the_line(file: Path, text: str, fault: str) -> None:
    (told,) = _faults(file, text)
    assert told.startswith(fault)


def test_a_file_that_is_no_text_is_refused_with_the_line(file: Path) -> None:
    file.write_bytes(b"[lights]\n# \xff\n")
    with pytest.raises(ConfigError, match=r"millwright\.toml:2: is not UTF-8 text; save it as UTF-8"):
        load(file)


def test_a_file_that_is_not_there_says_how_to_make_one(file: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file; `millwright config init` writes one"):
        load(file)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: "):
        load(tmp_path)


def _value(kind: str) -> st.SearchStrategy[Any]:
    return {
        "bool": st.booleans(),
        "int": st.integers(-10, 100_000),
        "float": st.floats(-1, 30_000, allow_nan=False),
        "str": st.sampled_from(
            ["harbour", "candle", "standard", "six", "here", "engine:4", "nothing", 'a"b\\']
        ),
    }.get(kind, st.just(()))


settings_of_files = st.fixed_dictionaries(
    {},
    optional={
        name: st.fixed_dictionaries(
            {}, optional={s.name: _value(str(s.type)) for s in fields(SECTIONS[name])}
        )
        for name in ("timing", "lights", "play")
    },
)


def _written(document: dict[str, dict[str, Any]]) -> str:
    lines = []
    for name, section in document.items():
        lines += [f"[{name}]", *(f"{key} = {toml_value(value)}" for key, value in section.items())]
    return "\n".join(lines)


@pytest.mark.ci("examples")
@anywhere
@given(settings_of_files)
def test_a_file_is_taken_as_written_or_every_wrong_value_is_named(
    file: Path, document: dict[str, dict[str, Any]]
) -> None:
    names = {"theme": ("harbour", "candle", "contrast"), "rules": ("standard", "six")}
    names |= {"white": SEAT_NAMES, "black": SEAT_NAMES, "starts": STARTS}
    names |= {"level": SOUND_LEVELS}
    names |= {"hint_white": HINT_NAMES, "hint_black": HINT_NAMES}
    names |= {"clock": ("none", "5+3", "10/move:30"), "clock_flag": FLAG_NAMES}
    wrong = []
    for name, section in document.items():
        for setting in fields(SECTIONS[name]):
            value = section.get(setting.name, setting.default)
            known = names.get(setting.name, (value,))
            least, most = (setting.metadata.get(end, value) for end in ("least", "most"))
            if value not in known or not least <= value <= most:
                wrong.append(f"{name}.{setting.name}")
    text = _written(document)
    if wrong:
        faults = _faults(file, text)
        assert sorted(fault.split()[1].rstrip(":") for fault in faults) == sorted(wrong)
    else:
        config = _load(file, text)
        for name, section in document.items():
            assert {key: getattr(getattr(config, name), key) for key in section} == section


pieces = st.sampled_from(
    [
        "[lights]",
        "[play]",
        "[[",
        "]",
        "\n",
        "\r\n",
        "=",
        "theme",
        ".",
        '"',
        "'''",
        '"""',
        "#",
        "1",
        "-",
        "{",
        "}",
    ]
)
texts = st.lists(pieces | st.text(st.characters(codec="utf-8"), max_size=3)).map("".join)


@anywhere
@given(texts)
def test_any_text_is_a_configuration_or_a_configuration_error(file: Path, text: str) -> None:
    file.write_bytes(text.encode())
    with contextlib.suppress(ConfigError):
        load(file)


def test_lines_are_found_whatever_way_a_key_is_written() -> None:
    text = '''
lights.theme = "x"  # a comment
"play" = { rules = "six", switches = [] }

[timing]  # [lights]
# debounce_ms = 3
text = """
[play]
debounce_ms = 4 \u2028 """
list = [
  1, # "
  2,
]
"debounce_ms" = 5\r
[a . "b"]
c.d = 1
'''
    assert key_lines(text) == {
        "lights": 2,
        "lights.theme": 2,
        "play": 3,
        "play.rules": 3,
        "play.switches": 3,
        "timing": 5,
        "timing.text": 7,
        "timing.list": 10,
        "timing.debounce_ms": 14,
        "a": 15,
        "a.b": 15,
        "a.b.c": 16,
        "a.b.c.d": 16,
    }


def test_the_template_is_the_defaults_and_names_every_setting(file: Path) -> None:
    assert _load(file, template()) == Config.default()
    spoken = "\n".join(
        line.removeprefix("#") for line in template().split("\n") if " = " in line or line.startswith("[")
    )
    uncommented = tomllib.loads(spoken)
    assert {name: set(keys) for name, keys in uncommented.items()} == {
        name: {setting.name for setting in fields(section)} for name, section in SECTIONS.items()
    }
    config = _load(file, spoken)
    assert (config.timing, config.lights, config.play) == (Timing(), Lights(), Config.default().play)


def test_every_number_has_bounds_that_its_default_keeps() -> None:
    for section in SECTIONS.values():
        for setting in fields(section):
            assert setting.metadata["about"]
            if isinstance(setting.default, int | float) and not isinstance(setting.default, bool):
                assert setting.metadata["least"] <= setting.default <= setting.metadata["most"] < math.inf


def test_the_listing_is_toml_that_means_the_same(file: Path, tmp_path: Path) -> None:
    config = _load(file, '[play]\nswitches = ["flying=never", "captures=one"]\n')
    again = _load(tmp_path / "again.toml", settings_listing(config))
    assert (again.timing, again.lights, again.play) == (config.timing, config.lights, config.play)
    assert f'switches = ["flying=never", "captures=one"]  # {file}:2' in settings_listing(config)
    assert "frame_rate_hz = 200       # default" in settings_listing(config)


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(config_command, arguments)


def test_init_writes_a_file_that_check_finds_right_and_show_shows(file: Path) -> None:
    path = str(file.parent / "new" / file.name)
    assert _run("init", "--config", path).exit_code == 0
    assert _run("check", "--config", path).output == f"{path}: nothing is wrong\n"
    assert 'theme = "harbour"' in _run("show", "--config", path).output


def test_init_leaves_a_file_alone(file: Path) -> None:
    file.write_text("[play]\n")
    result = _run("init", "--config", str(file))
    assert isinstance(result.exception, ConfigError)
    assert file.read_text() == "[play]\n"


def test_check_tells_the_faults(file: Path) -> None:
    file.write_text("[pley]\n")
    result = _run("check", "--config", str(file))
    assert isinstance(result.exception, ConfigError)
    assert "did you mean play?" in str(result.exception)


def test_the_page_is_where_the_file_says_unless_the_command_line_does(file: Path) -> None:
    file.write_text('[web]\nhost = "::1"\nport = 9000\n')
    web = load(file).web
    assert web.at() == ("::1", 9000, False)
    assert web.at("127.0.0.1", 0) == ("127.0.0.1", 0, False)
    file.write_text("[web]\nport = 65536\n")
    with pytest.raises(ConfigError, match=r"2 web\.port: 65536 is out of range: it must be 0 to 65535"):
        load(file)


def test_for_others_the_page_is_at_all_addresses_unless_one_is_named(file: Path) -> None:
    file.write_text("[web]\nlisten = true\n")
    web = load(file).web
    assert web.at() == ("", 8765, True)
    assert web.at("192.0.2.7") == ("192.0.2.7", 8765, True)
    file.write_text('[web]\nhost = "192.0.2.8"\n')
    assert load(file).web.at(listen=True) == ("192.0.2.8", 8765, True)
    assert Web().at(listen=True, port=80) == ("", 80, True)
    assert Web().at() == ("127.0.0.1", 8765, False)
