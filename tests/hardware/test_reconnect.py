"""Drivers that are opened when they are first used: the times of the attempts, and the errors in the
meantime."""

from __future__ import annotations

import pytest

from firmware_host.errors import ConfigError, SensorError, StripError
from firmware_host.i18n import Message
from firmware_host.ports import DARK
from firmware_host.settings import Sensors, Strip
from hardware import reconnect
from hardware.machine import PiMachine
from hardware.reconnect import RETRY_S, ReconnectingSensors, ReconnectingStrip, reconnecting_strip


class CountedDriver:
    """Sensors and a strip that count how often they were used."""

    def __init__(self) -> None:
        self.frames: list[object] = []
        self.closed = 0

    def read(self):
        return (1,)

    @property
    def levels(self):
        return {0: 700}

    def show(self, frame) -> None:
        self.frames.append(frame)

    def close(self) -> None:
        self.closed += 1


class Shop:
    """Has drivers once it is open."""

    def __init__(self, error: Exception) -> None:
        self.error: Exception | None = error
        self.tries = 0
        self.driver = CountedDriver()

    def __call__(self):
        self.tries += 1
        if self.error is not None:
            raise self.error
        return self.driver


@pytest.mark.parametrize("error", [SensorError(Message("no chip")), ConfigError("no line")])
def test_sensors_that_cannot_be_opened_are_tried_again_after_a_second(error):
    shop, time = Shop(error), [100.0]
    sensors = ReconnectingSensors(shop, clock=lambda: time[0])
    for _ in range(10):
        with pytest.raises(SensorError, match=str(error)):
            sensors.read()
    assert shop.tries == 1
    shop.error = None
    time[0] += RETRY_S
    assert sensors.read() == sensors.read() == (1,)
    assert shop.tries == 2


def test_a_strip_is_opened_with_its_first_frame():
    shop = Shop(StripError(Message("no bus")))
    strip = ReconnectingStrip(shop)
    assert shop.tries == 0
    with pytest.raises(StripError, match="no bus"):
        strip.show((DARK,))
    shop.error = None
    strip.show((DARK,))
    strip.show((DARK,))
    assert (shop.tries, len(shop.driver.frames)) == (2, 2)


def test_what_was_never_opened_is_not_closed_and_what_was_is():
    shop = Shop(StripError(Message("no bus")))
    sensors, strip = ReconnectingSensors(shop, clock=lambda: 0.0), ReconnectingStrip(shop)
    sensors.close()
    strip.close()
    assert shop.tries == 0
    shop.error = None
    sensors.read()
    strip.show((DARK,))
    sensors.close()
    strip.close()
    assert shop.driver.closed == 2


def test_how_the_strip_is_driven_is_said_once_however_often_it_is_unplugged(monkeypatch):
    class Unplugged(CountedDriver):
        def show(self, frame) -> None:
            raise StripError(Message("fault.strip.unwritable"))

    opened: list[Unplugged] = []

    def open_strip(_strip, _leds, say, **_others):
        say("LEDs by spi")
        opened.append(Unplugged())
        return opened[-1]

    monkeypatch.setattr(reconnect, "open_strip", open_strip)
    said: list[str] = []
    strip = reconnecting_strip(Sensors(), Strip(), [], PiMachine(), said.append)
    for _ in range(6):
        with pytest.raises(StripError):
            strip.show((DARK,) * 24)
    assert len(opened) == 3
    assert said == ["LEDs by spi"]
