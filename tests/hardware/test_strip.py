"""The strip driver: orders, bytes and what it asks of the machine."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.errors import ConfigError, StripError
from firmware_host.ports import DARK
from hardware.strip import NeoPixelStrip
from sim.electronics.spi import SimulatedSpi


class RecordedSpi(SimulatedSpi):
    """A bus that keeps what was sent."""

    def __init__(self, leds: int) -> None:
        super().__init__(leds)
        self.sent: list[bytes] = []

    def write(self, data: bytes) -> None:
        super().write(data)
        self.sent.append(data)


def test_24_leds_take_1056_bytes_green_first_between_two_pauses():
    spi = RecordedSpi(24)
    NeoPixelStrip.on_spi(spi, range(24)).show(((0x80, 0x01, 0xFF), *[DARK] * 23))
    (sent,) = spi.sent
    assert len(sent) == 1056
    assert sent[:240] == sent[-240:] == bytes(240)
    green, red, blue = sent[240:248], sent[248:256], sent[256:264]
    assert green == bytes([0xC0] * 7 + [0xF8])
    assert red == bytes([0xF8] + [0xC0] * 7)
    assert blue == bytes([0xF8] * 8)


@pytest.mark.parametrize(
    ("chip", "colours", "one"),
    [
        ("auto", "GRB", 0xF8),
        ("auto", "GRBW", 0xF0),
        ("ws2812b", "GRBW", 0xF8),
        ("sk6812", "GRB", 0xF0),
    ],
)
def test_a_one_is_as_long_as_the_type_of_led_asks_for(chip, colours, one):
    spi = RecordedSpi(1)
    NeoPixelStrip.on_spi(spi, (0,), colours=colours, chip=chip).show(((255, 255, 255),))
    assert set(spi.sent[0]) <= {0, 0xC0, one}
    assert one in spi.sent[0]


@given(leds=st.integers(1, 120), colours=st.sampled_from(["GRB", "RGBW"]), reset_us=st.integers(50, 1000))
@example(leds=120, colours="RGBW", reset_us=300)  # 4320 bytes, if it were not shortened
def test_a_frame_fits_one_message_and_its_reset_is_as_asked_or_said(leds, colours, reset_us):
    spi, said = RecordedSpi(leds), []
    spi.order = colours
    strip = NeoPixelStrip.on_spi(spi, range(leds), colours=colours, reset_us=reset_us, say=said.append)
    strip.show(((1, 2, 3),) * leds)
    (sent,) = spi.sent
    assert len(sent) <= 4096
    behind = len(sent) - len(sent.rstrip(b"\0"))
    assert behind / 0.8 >= 280 or reset_us < 280
    assert behind == -(-reset_us * 8 // 10) or ["4096 bytes" in text for text in said] == [True]
    assert spi.leds == ((1, 2, 3),) * leds


def test_leds_that_no_point_has_stay_dark():
    spi = SimulatedSpi(5)
    NeoPixelStrip.on_spi(spi, (4, 2), leds=5).show(((1, 2, 3), (4, 5, 6)))
    assert spi.leds == (DARK, DARK, (4, 5, 6), DARK, (1, 2, 3))


def test_a_point_may_have_several_leds():
    spi = SimulatedSpi(5)
    NeoPixelStrip.on_spi(spi, ((0, 4), 2), leds=5).show(((1, 2, 3), (4, 5, 6)))
    assert spi.leds == ((1, 2, 3), DARK, (4, 5, 6), DARK, (1, 2, 3))


@pytest.mark.parametrize(
    ("colours", "sent"),
    [("GRB", (2, 1, 3)), ("RGB", (1, 2, 3)), ("GRBW", (2, 1, 3, 0)), ("RGBW", (1, 2, 3, 0))],
)
def test_colours_are_sent_in_the_order_in_which_the_leds_take_them(colours, sent):
    spi = RecordedSpi(1)
    NeoPixelStrip.on_spi(spi, (0,), colours=colours).show(((1, 2, 3),))
    bits = "".join("1" if byte in (0xF0, 0xF8) else "0" for byte in spi.sent[0].strip(b"\0"))
    assert tuple(int(bits, 2).to_bytes(len(colours), "big")) == sent


def test_a_grey_is_shown_by_the_white_led_where_there_is_one():
    spi = RecordedSpi(1)
    NeoPixelStrip.on_spi(spi, (0,), colours="GRBW").show(((9, 9, 9),))
    bits = "".join("1" if byte in (0xF0, 0xF8) else "0" for byte in spi.sent[0].strip(b"\0"))
    assert int(bits, 2) == 9


def test_an_order_that_does_not_suit_the_strip_is_told_whole():
    with pytest.raises(ConfigError) as caught:
        NeoPixelStrip.on_spi(SimulatedSpi(3), (0, 1, 1, 3, -1), leds=3)
    assert str(caught.value).splitlines() == [
        "LED 1 is named for 2 points: each needs one of its own",
        "there is no LED 3: the strip has 3, counted from 0",
        "there is no LED -1: the strip has 3, counted from 0",
    ]


def test_a_bus_that_cannot_be_opened_is_a_strip_error():
    with pytest.raises(StripError, match="cannot open the LED strip") as caught:
        NeoPixelStrip.on_spi(object(), range(24))
    assert isinstance(caught.value.__cause__, AttributeError)


def test_a_strip_that_cannot_be_darkened_is_told_to_the_log(caplog):
    spi = SimulatedSpi(2)
    strip = NeoPixelStrip.on_spi(spi, range(2))
    spi.plugged = False
    with caplog.at_level(logging.WARNING):
        strip.close()
    assert "could not be darkened" in caplog.text


def test_leaving_the_context_leaves_it_dark():
    spi = SimulatedSpi(1)
    with NeoPixelStrip.on_spi(spi, range(1)) as strip:
        strip.show(((9, 9, 9),))
    assert spi.leds == (DARK,)


def test_the_library_of_the_strip_is_imported_only_where_one_is_made():
    code = "import sys, hardware.strip; sys.exit('adafruit_pixelbuf' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603
