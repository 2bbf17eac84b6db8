"""Lines of the header: nobody gets one that another has, that a bus has, or that this model has not."""

from dataclasses import replace

import pytest
from gpiozero.pins.data import PI_REVISIONS
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config.gpio import BUSES, HEADER, gpio_conflicts, gpio_uses, header_lines
from firmware_host.i18n import to_english, translate
from firmware_host.settings import Controls, Sensors, Strip

SPI0, SPI1 = ("SPI0.0", "SPI0.1"), ("SPI1.0",)
MUX, SERIAL = Sensors(), Sensors(kind="serial")
EXPANDERS, LINEAR = Sensors(kind="mcp23017"), Sensors(kind="mcp3008")
DIRECT = Sensors(kind="direct", signal=tuple(range(2, 8)))


def told(sensors, strip=None, buses=(), lines=HEADER) -> list[str]:
    wrong = gpio_conflicts(gpio_uses(sensors, strip or Strip(backend="spi"), buses), lines)
    return [to_english(what).removesuffix(": each needs its own") for _, what in wrong]


@pytest.mark.parametrize(
    ("sensors", "strip", "buses"),
    [
        (MUX, Strip(), (*SPI0, "I2C", "the serial port", "the serial console")),
        (MUX, Strip(backend="spi"), (*SPI0, *SPI1)),
        (EXPANDERS, Strip(), (*SPI0, "I2C")),
        (LINEAR, Strip(), (*SPI0, *SPI1, "I2C")),
        (replace(LINEAR, adc="/dev/spidev1.2"), Strip(), (*SPI0, "SPI1.2")),
        (SERIAL, Strip(), tuple(BUSES)),
        (replace(SERIAL, port="/dev/serial0"), Strip(), ("the serial port",)),
        (DIRECT, Strip(backend="pio", gpio=8), ()),
    ],
)
def test_what_fits_together_is_let_be(sensors, strip, buses):
    assert told(sensors, strip, buses) == []


@pytest.mark.parametrize(
    ("sensors", "strip", "buses", "clash"),
    [
        # two users of one line
        (
            replace(MUX, select=(17, 27, 24)),
            None,
            (),
            "24 is assigned to both select line 2 and signal line 1",
        ),
        (
            replace(MUX, signal=(18, 24, 25)),
            Strip(backend="pwm"),
            (),
            "18 is assigned to both the strip and sig",
        ),
        (
            replace(DIRECT, signal=(4, 5, 4)),
            None,
            (),
            "4 is assigned to both signal line 0 and signal line 2",
        ),
        (
            replace(LINEAR, select=(17, 27, 19)),
            None,
            (),
            "19 is assigned to both select line 2 and MISO of the AD",
        ),
        (
            LINEAR,
            Strip(backend="pwm", gpio=18),
            (),
            "18 is assigned to both the strip and CE0 of the ADC's SPI",
        ),
        (EXPANDERS, Strip(backend="pio", gpio=2), (), "2 is assigned to both the strip and SDA of I2C"),
        (
            replace(SERIAL, port="/dev/ttyAMA0"),
            Strip(backend="pio", gpio=14),
            (),
            "14 is assigned to both the strip and TXD of the board's serial line",
        ),
        # a bus that the machine has on
        (
            replace(MUX, signal=(2, 4, 5)),
            None,
            ("I2C",),
            "2 is assigned to both signal line 0 and SDA of I2C",
        ),
        (
            replace(MUX, signal=(9, 4, 5)),
            Strip(backend="pwm"),
            SPI0,
            "9 is assigned to both signal line 0 and MISO of SPI0",
        ),
        (
            replace(MUX, signal=(20, 4, 5)),
            None,
            SPI1,
            "20 is assigned to both signal line 0 and MOSI of SPI1",
        ),
        (LINEAR, None, ("SPI1.0", "SPI1.1"), "17 is assigned to both select line 0 and CE1 of SPI1"),
        (MUX, Strip(backend="pwm", gpio=18), SPI1, "18 is assigned to both the strip and CE0 of SPI1"),
        (
            replace(MUX, signal=(14, 4, 5)),
            None,
            ("the serial port", "the serial console"),
            "14 is assigned to both signal line 0 and TXD of the serial port",
        ),
        (
            replace(SERIAL, port="/dev/serial0"),
            None,
            ("the serial port", "the serial console"),
            "14 is assigned to both TXD of the board's serial line and TXD of the serial console",
        ),
        # a bus that every Pi needs
        (
            replace(MUX, signal=(0, 4, 5)),
            None,
            (),
            "0 is assigned to both signal line 0 and ID_SD, which the Pi reads",
        ),
        (
            replace(EXPANDERS, i2c="/dev/i2c-0"),
            None,
            (),
            "0 is assigned to both SDA of I2C and ID_SD, which the Pi reads",
        ),
        (
            SERIAL,
            Strip(backend="pio", gpio=1),
            (),
            "1 is assigned to both the strip and ID_SC, which the Pi reads",
        ),
    ],
)
def test_a_line_has_one_user(sensors, strip, buses, clash):
    assert told(sensors, strip, buses)[0].startswith(f"GPIO {clash}")


@pytest.mark.parametrize("buses", [(), SPI0])
def test_with_auto_the_strip_takes_spi_whatever_the_machine_has_on(buses):
    assert told(replace(MUX, signal=(23, 24, 18)), Strip(), buses) == []
    (clash,) = told(replace(MUX, signal=(23, 24, 10)), Strip(), buses)
    assert "GPIO 10 is assigned to both" in clash


@given(st.sets(st.sampled_from(sorted(BUSES))))
def test_a_bus_takes_its_lines_once_however_many_have_them(buses):
    users = [use.gpio for use in gpio_uses(SERIAL, Strip(backend="serial"), sorted(buses)) if use.gpio > 1]
    assert sorted(users) == sorted({gpio for bus in buses for gpio in BUSES[bus]})


MODELS = {
    "Raspberry Pi Model B Rev 1": (0x2, 26),
    "Raspberry Pi Model B Rev 2": (0xE, 26),
    "Raspberry Pi Model A Rev 2": (0x8, 26),
    "Raspberry Pi Model B Plus Rev 1.2": (0x10, 40),
    "Raspberry Pi Model A Plus Rev 1.1": (0x12, 40),
}


@pytest.mark.parametrize(("model", "revision"), [(name, own[0]) for name, own in MODELS.items()])
def test_the_first_models_have_the_lines_that_gpiozero_knows_of_them(model, revision):
    headers = PI_REVISIONS[revision][-2]
    _, _, pins = headers.get("P1") or headers["J8"]
    known = {name for pin in pins.values() for name in pin.values() if str(name).startswith("GPIO")}
    known |= {name for pin in pins.values() for name in pin if str(name).startswith("GPIO")}
    assert {f"GPIO{gpio}" for gpio in header_lines(model)} == known


@pytest.mark.parametrize(
    "model",
    [
        "",
        "Raspberry Pi 2 Model B Rev 1.1",
        "Raspberry Pi 3 Model A Plus Rev 1.0",
        "Raspberry Pi 4 Model B Rev 1.4",
        "Raspberry Pi 400 Rev 1.0",
        "Raspberry Pi 5 Model B Rev 1.0",
        "Raspberry Pi Zero W Rev 1.1",
        "Raspberry Pi Zero 2 W Rev 1.0",
        "Raspberry Pi Compute Module 4 Rev 1.0",
    ],
)
def test_all_later_models_have_28_lines(model):
    assert sorted(header_lines(model)) == list(range(28))


@pytest.mark.parametrize(
    ("sensors", "first"),
    [
        (MUX, None),
        (replace(MUX, signal=(23, 24, 5)), "there is no GPIO 5 for signal line 2"),
        (replace(DIRECT, signal=(4, 6)), "there is no GPIO 6 for signal line 1"),
        (LINEAR, "there is no GPIO 19 for MISO of the ADC's SPI"),
        (EXPANDERS, None),
        (SERIAL, None),
    ],
)
def test_a_line_that_a_model_with_26_pins_has_not_is_refused(sensors, first):
    wrong = told(sensors, lines=header_lines("Raspberry Pi Model B Rev 2"))
    if first is None:
        assert wrong == []
    else:
        assert wrong[0] == f"{first}: the header has GPIO 2-4, 7-11, 14-15, 17-18, 22-25, 27"


def test_of_the_first_revision_three_lines_are_others():
    lines = header_lines("Raspberry Pi Model B Rev 1")
    assert told(MUX, lines=lines)[0].startswith(
        "there is no GPIO 27 for select line 1: the header has GPIO 0"
    )
    assert told(EXPANDERS, lines=lines)[0].startswith("there is no GPIO 2 for SDA of I2C")


def test_the_button_has_a_line_of_its_own():
    controls = Controls(button=26)
    assert not list(gpio_conflicts(gpio_uses(Sensors(), Strip(), controls=controls)))
    assert not list(gpio_conflicts(gpio_uses(Sensors(), Strip())))
    ((key, what),) = gpio_conflicts(gpio_uses(Sensors(), Strip(), controls=Controls(button=23)))
    assert key == "controls.button"
    assert to_english(what) == "GPIO 23 is assigned to both signal line 0 and the button: each needs its own"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "GPIO 23 ist doppelt vergeben, für Signalleitung 0 und den Taster"),
        ("es", "GPIO 23 tiene dos usos, la línea de señal 0 y el botón"),
        ("pt", "o GPIO 23 tem dois usos, a linha de sinal 0 e o botão"),
    ],
)
def test_conflict_is_worded_in_the_language_of_the_page(language, text):
    ((_, what),) = gpio_conflicts(gpio_uses(Sensors(), Strip(), controls=Controls(button=23)))
    assert translate(what, language).startswith(text)
