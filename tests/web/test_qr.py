"""QR codes are read by a decoder that knows nothing of us: of the page's picture, and of the card's back."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from firmware_host.games.rulesets import rule_set
from firmware_host.ports import SensorKind
from firmware_host.views.card import CardBoard
from firmware_host.views.card_back import card_back_svg
from firmware_host.web.qr import QUIET_ZONE, qr_path, qr_svg

zxingcpp = pytest.importorskip("zxingcpp", reason="zxing-cpp reads the codes, and is not installed")

SCALE = 4
"""The pixels of a module."""
ADDRESSES = (
    "http://millwright.local:8765/",
    "http://192.168.178.123:8765/",
    "http://[fd00::1:2:3:4]:8765/",
    "https://bücher.example/mühle/?x=1&y=%20#seat",
    f"http://{'a' * 60}.local:65535/",
)
TOP, LEFT = 50, 30
"""The place of a code on its sheet, in pixels."""


def codes(path: str, size: int) -> list[tuple[str, str]]:
    """Return the texts that are read of a path's modules on a white sheet, with their correction levels."""
    width, height = size * SCALE + 2 * LEFT, size * SCALE + 2 * TOP
    rows = [bytearray(b"\xff" * width) for _ in range(height)]
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path):
        begin, end = LEFT + SCALE * int(x), LEFT + SCALE * (int(x) + int(length))
        for row in rows[TOP + SCALE * int(y) : TOP + SCALE * (int(y) + 1)]:
            row[begin:end] = bytes(end - begin)
    image = memoryview(b"".join(rows)).cast("B", (height, width))
    return [(code.text, code.ec_level) for code in zxingcpp.read_barcodes(image)]


@pytest.mark.parametrize("address", ADDRESSES)
def test_code_is_read_as_its_address(address: str) -> None:
    assert codes(*qr_path(address)) == [(address, "Q")]


def test_modules_keep_a_quiet_zone() -> None:
    path, size = qr_path(ADDRESSES[0])
    runs = [tuple(map(int, run)) for run in re.findall(r"M(\d+) (\d+)h(\d+)", path)]
    assert min(min(x, y) for x, y, _ in runs) == QUIET_ZONE
    assert max(max(x + length, y + 1) for x, y, length in runs) == size - QUIET_ZONE


def test_picture_of_the_page_has_the_code() -> None:
    svg = ElementTree.fromstring(qr_svg(ADDRESSES[1]))  # noqa: S314
    *_, size = svg.attrib["viewBox"].split()
    *_, dark = svg.iter("{http://www.w3.org/2000/svg}path")
    assert codes(dark.attrib["d"], int(size)) == [(ADDRESSES[1], "Q")]


@pytest.mark.parametrize("rules", ["standard", "mitsudomoe"])
def test_back_of_the_card_has_the_code(rules: str) -> None:
    sensors = SensorKind.PIECES if rules == "mitsudomoe" else SensorKind.PRESENCE
    drawn = card_back_svg(CardBoard(rule_set(rules), sensors), "de", "a5", ADDRESSES[:1])
    svg = ElementTree.fromstring(drawn)  # noqa: S314
    (path,) = svg.iter("{http://www.w3.org/2000/svg}path")
    assert codes(path.attrib["d"], qr_path(ADDRESSES[0])[1]) == [(ADDRESSES[0], "Q")]
