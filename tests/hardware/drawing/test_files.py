"""The builder's guide: its drawings are those that the code draws, and what it tells one to type exists."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from hardware.case.measures import Measures
from hardware.drawing.__main__ import FILES, FOLDER, write_all
from hardware.drawing.section import section_svg
from hardware.wiring.report import parts_text
from tests.support.hardware.paper import Paper, assert_readable
from tests.support.hardware.plans import PRESENCE

GUIDE = (Path(FOLDER).parent / "README.md").read_text(encoding="utf-8")
PAGES = {path.name: path.read_text(encoding="utf-8") for path in Path(FOLDER).parent.glob("*.md")}
"""The guide, and the pages that belong to it."""


@pytest.mark.parametrize("name", FILES)
def test_the_drawings_are_up_to_date(name):
    drawn = (FOLDER / name).read_text(encoding="utf-8")
    assert drawn == FILES[name](), f"{name} is not what the code draws: run `make drawings`"


def test_there_are_no_other_drawings_and_the_guide_shows_each():
    assert {file.name for file in FOLDER.iterdir()} == set(FILES)
    shown = {name for page in PAGES.values() for name in re.findall(r"\(drawings/([^)]+)\)", page)}
    assert shown == set(FILES)


def test_all_drawings_are_written_into_a_folder(tmp_path):
    write_all(tmp_path / "new")
    assert {file.name for file in (tmp_path / "new").iterdir()} == set(FILES)


@pytest.mark.parametrize("name", [name for name in FILES if not name.startswith("wiring-")])
def test_drawings_of_wood_and_of_the_steps_can_be_read(name):
    assert_readable(Paper(FILES[name]()))


def test_the_section_shows_the_recommended_measures():
    measures, words = Measures(), [text.words for text in Paper(section_svg()).texts]
    for length in (
        f"piece, {measures.piece_mm:g} mm across",
        f"magnet, {measures.magnet_mm:g} x {measures.magnet_height_mm:g} mm",
        f"inlay of opal acrylic, {measures.inlay_mm:g} x {measures.inlay_depth_mm:g} mm",
        f"upper plate, {measures.upper_mm:g} mm,",
        f"bored {measures.bore_mm:g} mm wide",
        f"lower plate, {measures.lower_mm:g} mm",
        f"LED, {measures.led_offset_mm:g} mm off the centre",
        f"{measures.pitch_mm:g} mm from point to point",
    ):
        assert length in words


def test_every_command_that_the_guide_names_exists():
    named = {words for page in PAGES.values() for words in re.findall(r"`millwright ([^`]+)`", page)}
    assert {"wiring", "config", "run"} <= {words.split()[0] for words in named}
    for words in named:
        commands = [word for word in words.split(" --")[0].split() if word]
        assert CliRunner().invoke(main, [*commands, "--help"]).exit_code == 0
        for option in re.findall(r"--[a-z]+", words):
            assert option in CliRunner().invoke(main, [*commands, "--help"]).output


def test_the_guide_says_that_nothing_was_measured_on_a_pi():
    assert "Nothing here was measured on a real Pi" in GUIDE
    assert "5 V on a GPIO" in GUIDE


def configured_drawings() -> list[tuple[str, str]]:
    """Each configuration of the guide, and the last drawing that is named before it."""
    found, drawing, lines = [], "", []
    for line in [*GUIDE.splitlines(), ""]:
        if line.startswith("    "):
            lines.append(line.strip())
        elif lines:
            if "[sensors]" in lines:
                found.append((drawing, "\n".join(lines)))
            lines = []
        drawing = next(iter(re.findall(r"\(drawings/([^)]+)\)", line)), drawing)
    return found


@pytest.mark.parametrize(("drawing", "text"), configured_drawings())
def test_each_configuration_that_the_guide_gives_is_the_wiring_that_it_shows(tmp_path, drawing, text):
    file = tmp_path / "millwright.toml"
    file.write_text(text, encoding="utf-8")
    drawn = CliRunner().invoke(main, ["wiring", "--svg", "-", "--config", str(file)]).output
    assert drawn == FILES[drawing]()


def test_the_guide_configures_each_drawing_that_needs_it():
    wirings = {name for name in FILES if name.startswith("wiring-")}
    needing = {name for name in wirings if "-pico-" not in name} - {"wiring-presence.svg"}
    assert {drawing for drawing, _ in configured_drawings()} == needing


def test_the_parts_of_the_guide_are_those_of_the_command():
    """The guide quotes `millwright wiring --parts` as it stands; after a change, quote it again."""
    quoted = "".join(f"    {line}".rstrip() + "\n" for line in parts_text(PRESENCE).splitlines())
    assert quoted in PAGES["PARTS.md"]
