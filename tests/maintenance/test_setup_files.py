"""The files of a set-up: its changes to files that people wrote, and its own in the meantime."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config.loader import Config, load
from firmware_host.config.writer import template, with_wiring
from firmware_host.errors import ConfigError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import to_english, translate
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.settings import NO_LINE, Controls, Sensors, Strip
from hardware.setup.progress import SetupFindings
from tests.support.examples import costly

NAMES = [point.name for point in MORRIS.points]
WIRES = [(chip, channel) for chip in range(3) for channel in range(8)]

BEGINNINGS = {
    "none": None,
    "a template": template(),
    "nothing but a comment": "# mine\n",
    "sections in another order": "[strip]\nleds = 24 # all\n\n[play]\nrules = 'lasker'\n"
    + "[sensors]\nsettling_us = 30\n",
    "maps in sections": "[sensors.points]\n"
    + "".join(f"{name} = [{n // 8}, {n % 8}] # {n}\n" for n, name in enumerate(NAMES))
    + "\n[lights]\nbrightness = 0.5\n",
    "maps in one line": "[strip]\npoints = {"
    + ", ".join(f"{name} = {n}" for n, name in enumerate(NAMES))
    + "}\n# end\n",
    "dotted keys": "strip.order = 'RGB'\nsensors.settling_us = 50\n",
    "windows": "# eins\r\n[lights]\r\nbudget_ma = 600\r\n",
}


@st.composite
def wired(draw) -> tuple[Sensors, Strip]:
    wires, leds = draw(st.permutations(WIRES)), draw(st.permutations(range(24)))
    points = {name: (wire,) for name, wire in zip(NAMES, wires, strict=True)}
    lights = {name: (led,) for name, led in zip(NAMES, leds, strict=True)}
    mapped, ordered = draw(st.booleans()), draw(st.booleans())
    strip = Strip(order=draw(st.sampled_from(["GRB", "RGBW"])), points=lights if ordered else {})
    return Sensors(points=points if mapped else {}), strip


@pytest.mark.ci("examples")
@costly(4)
@given(text=st.sampled_from(list(BEGINNINGS.values())), found=wired(), again=wired())
def test_what_is_written_says_what_was_meant_and_leaves_all_else(tmp_path_factory, text, found, again):
    files = SetupFiles(tmp_path_factory.mktemp("files") / "millwright.toml")
    if text is not None:
        files.path.write_bytes(text.encode())
    for sensors, strip in (found, again):
        before, new = files.config(), not files.path.exists()
        wired = replace(
            before,
            sensors=replace(before.sensors, points=sensors.points),
            strip=replace(before.strip, order=strip.order, points=strip.points),
            controls=Controls(button=26),
            sound=replace(before.sound, buzzer=12 if strip.points else NO_LINE),
        )
        kept = files.save(wired, "2026-11-21")
        assert replace(load(files.path), origins={}) == replace(wired, origins={})
        assert (kept is None) == new
    comments = [line for line in (text or "").splitlines() if line.startswith("#")]
    assert [line for line in files.path.read_text().splitlines() if line in comments] == comments


def test_the_same_settings_leave_a_file_as_it_is():
    for text in BEGINNINGS.values():
        if text is not None and "points" not in text:
            config = Config.default()
            assert with_wiring(text, config, config) == text


def test_each_file_of_before_keeps_its_own_name(tmp_path):
    files = SetupFiles(tmp_path / "millwright.toml")
    kept = [files.save(Config.default(), "2026-11-21") for _ in range(3)]
    assert [path and path.name for path in kept] == [
        None,
        "millwright.toml.before-setup-2026-11-21",
        "millwright.toml.before-setup-2026-11-21-2",
    ]


def test_file_that_is_not_utf_8_is_named_with_its_line(tmp_path):
    files = SetupFiles(tmp_path / "millwright.toml")
    files.path.write_bytes(b"# old\n# M\xfcller\n")
    with pytest.raises(ConfigError, match="line 2 is not UTF-8 text"):
        files.save(Config.default(), "2026-11-21")


def test_what_would_not_be_read_as_it_was_meant_is_not_written(tmp_path):
    files = SetupFiles(tmp_path / "millwright.toml")
    files.path.write_text("# old\n")
    wrong = Sensors(points=dict.fromkeys(NAMES, ((0, 0),)))
    with pytest.raises(ConfigError, match="channel 0 of chip 0 has"):
        files.save(Config(sensors=wrong), "2026-11-21")
    assert files.path.read_text() == "# old\n"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    files = SetupFiles(tmp_path / "file" / "millwright.toml")
    with pytest.raises(ConfigError, match="cannot be written") as caught:
        files.keep(Config(), SetupFindings())
    assert caught.value.message is not None
    assert translate(caught.value.message, "de").startswith(f"{files.progress} lässt sich nicht schreiben: ")


def test_what_an_earlier_set_up_found_is_offered_only_for_the_same_wiring(tmp_path):
    files = SetupFiles(tmp_path / "millwright.toml")
    found = SetupFindings(leds=(1, 2), points=("a1",), order="RGB", rests=(512,) * 24)
    assert files.earlier(Config()) == (None, None)
    files.keep(Config(), found)
    assert files.earlier(Config()) == (found, None)
    assert files.earlier(Config(sensors=Sensors(settling_us=50))) == (found, None)
    earlier, why = files.earlier(Config(sensors=Sensors(select=(17, 22, 27))))
    assert earlier is None
    assert "(sensors.select)" in to_english(why)
    assert files.earlier(Config()) == (found, None)
    files.progress.write_text("nonsense")
    assert "can't be read" in to_english(files.earlier(Config())[1])
    files.forget()
    assert files.earlier(Config()) == (None, None)


def test_a_link_to_the_configuration_stays_one(tmp_path: Path):
    target = tmp_path / "real.toml"
    target.write_text("# here\n")
    link = tmp_path / "millwright.toml"
    link.symlink_to(target)
    files = SetupFiles.of(str(link))
    files.save(Config(strip=Strip(order="RGB")), "2026-11-21")
    assert link.is_symlink()
    assert load(link).strip.order == "RGB"
