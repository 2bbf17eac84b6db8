"""The colours of the page, dark and light: all is named in one place, and what is written can be read.

axe-core cannot tell how light a gradient is under what is written on it, so that is worked out here.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

import firmware_host.web
from tests.support.web.looks import Colour, contrast

STATIC = Path(firmware_host.web.__file__).parent / "static"
COLOURS = STATIC / "colours.css"
LIGHT, DARK, *_ = COLOURS.read_text("utf-8").split("@media")
SCHEMES = ["light", "dark"]
GROUNDS = ["lit", "ground", "unlit", "sheet"]
WRITTEN = ["ink", "faint", "brass", "alarm", "raw", "believed"]
ON_OTHERS = [("ink", "field"), ("ink", "hover"), ("faint", "field"), ("brass", "field"), ("brass", "hover")]
READABLE = 4.5
"""The contrast of text that WCAG 2.2 asks for at level AA."""


def scheme(name: str) -> dict[str, Colour]:
    """The colours of a scheme that are plain; the light one is what holds where nothing else is asked for."""
    return colours(LIGHT) | (colours(DARK) if name == "dark" else {})


def colours(text: str) -> dict[str, Colour]:
    return {name: rgb(value) for name, value in re.findall(r"--([a-z-]+): #([0-9a-f]{6});", text)}


def rgb(text: str) -> Colour:
    red, green, blue = (int(text[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


def tinted(name: str, over: Colour) -> Colour:
    """A ground under the tint of a scheme."""
    sheet = DARK if name == "dark" else LIGHT
    (found,) = re.findall(r"--tint: rgb\((\d+) (\d+) (\d+) / ([\d.]+)\)", sheet)
    *tint, opacity = map(float, found)
    red, green, blue = (
        opacity * part / 255 + (1 - opacity) * under for part, under in zip(tint, over, strict=True)
    )
    return red, green, blue


@pytest.mark.parametrize("name", SCHEMES)
def test_what_is_written_can_be_read_on_whatever_it_stands(name: str) -> None:
    of = scheme(name)
    pairs = [*product(WRITTEN, GROUNDS), *ON_OTHERS, ("alarm", "alarm-ground")]
    found = {(text, on): contrast(of[text], of[on]) for text, on in pairs}
    for text, on in product(["ink", "faint", "alarm"], GROUNDS[:3]):
        found[text, f"tinted {on}"] = contrast(of[text], tinted(name, of[on]))
    assert {pair: round(ratio, 2) for pair, ratio in found.items() if ratio < READABLE} == {}


def test_the_contrast_of_black_and_white_is_what_it_is_known_to_be() -> None:
    assert contrast(rgb("000000"), rgb("ffffff")) == pytest.approx(21)
    assert contrast(rgb("777777"), rgb("ffffff")) == pytest.approx(4.48, abs=0.005)


def test_the_dark_scheme_has_another_of_every_colour_that_is_not_the_boards() -> None:
    names = [set(re.findall(r"--([a-z-]+):", part)) for part in (LIGHT, DARK)]
    assert names[0] - names[1] == {"chalk", "burnt"}


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.css")), ids=lambda path: path.name)
def test_every_colour_that_is_used_has_a_value(path: Path) -> None:
    by_scripts = {"fit", "ratio", "level", "light", "size", "unit", "across", "rows", "text"}
    sheets = [COLOURS, STATIC / "layout.css", path]  # the measures of a window are in the second
    defined = {name for sheet in sheets for name in re.findall(r"--([a-z-]+):", sheet.read_text("utf-8"))}
    assert set(re.findall(r"var\(--([a-z-]+)", path.read_text("utf-8"))) <= defined | by_scripts


@pytest.mark.parametrize("page", ["index.html", "setup.html", "wall.html"])
def test_the_frame_of_the_browser_has_the_colour_of_the_ground(page: str) -> None:
    text = (STATIC / page).read_text("utf-8")
    for name in SCHEMES:
        found = re.search(rf'theme-color" content="#(\w+)" media="\(prefers-color-scheme: {name}\)"', text)
        assert found is not None
        assert rgb(found[1]) == scheme(name)["ground"]
