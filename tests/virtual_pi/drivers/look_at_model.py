"""Compares what gpiozero, Blinka, our drivers and the doctor find on the model that the virtual Pi is, with
what is known of it; ends with 1 if anything differs.

Usage: look_at_model.py spi-on|spi-off
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adafruit_platformdetect import Detector
from gpiozero.pins.lgpio import LGPIOFactory

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.settings import Sensors, Strip
from hardware.bus.pi import model
from hardware.factory import open_sensors, open_strip
from hardware.wiring.contacts import MuxWiring
from sim.electronics.spi import SimulatedSpi
from tests.contract.virtual_pi_rigs import MuxBoard, told

MILLWRIGHT = Path(sys.executable).with_name("millwright")
TAP = Path("/dev/striptap")


@dataclass(frozen=True)
class Expected:
    """The facts about a model: its names in both libraries, and its header's chip.

    `core_clock` is the setting that keeps the clock of SPI steady; a Pi 5 needs none.
    """

    gpiozero: str
    blinka: str
    chip: str
    core_clock: str


EXPECTED = {
    "Raspberry Pi Zero 2 W Rev 1.0": Expected(
        "Zero2W", "RASPBERRY_PI_ZERO_2_W", "pinctrl-bcm2835", "core_freq=250"
    ),
    "Raspberry Pi 3 Model B Plus Rev 1.3": Expected(
        "3B+", "RASPBERRY_PI_3B_PLUS", "pinctrl-bcm2835", "core_freq=250"
    ),
    "Raspberry Pi 4 Model B Rev 1.4": Expected(
        "4B", "RASPBERRY_PI_4B", "pinctrl-bcm2711", "core_freq_min=500"
    ),
    "Raspberry Pi Compute Module 4 Rev 1.1": Expected(
        "CM4", "RASPBERRY_PI_CM4", "pinctrl-bcm2711", "core_freq_min=500"
    ),
    "Raspberry Pi 5 Model B Rev 1.0": Expected("5B", "RASPBERRY_PI_5", "pinctrl-rp1", ""),
}
NO_SPI = "there is no /dev/spidev0.0"


class Looks:
    """A count of the results that differ from the facts."""

    def __init__(self) -> None:
        self.wrong = 0

    def expect(self, what: str, found: object, expected: object) -> None:
        """Print what was found, and count it if it is not what was expected."""
        is_right = found == expected
        self.wrong += not is_right
        sys.stdout.write(f"{what}: {found}{'' if is_right else f', but should be {expected}'}\n")


def findings() -> dict[str, dict[str, Any]]:
    """Return the doctor's findings by their checks."""
    command: list[str | Path] = [MILLWRIGHT, "doctor", "--json", "--no-walk", "--empty"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return {each["check"]: each for each in json.loads(done.stdout)["findings"]}


def look_at_libraries(looks: Looks, expected: Expected) -> None:
    """Ask gpiozero and Blinka which model this is."""
    factory = LGPIOFactory(chip=0)
    looks.expect("gpiozero", factory.board_info.model, expected.gpiozero)
    factory.close()
    detector = Detector()
    looks.expect("Blinka's chip", detector.chip.id, "BCM2XXX")
    looks.expect("Blinka's board", detector.board.id, expected.blinka)


def look_at_doctor(looks: Looks, expected: Expected) -> None:
    """Have the doctor look at the header and the core clock; config.txt has no setting for it."""
    found = findings()
    faults = sorted(name for name, each in found.items() if each["verdict"] == "fault")
    looks.expect("faults", faults, [])
    looks.expect("header", found["header"]["found"], f"gpiochip0 is {expected.chip}")
    advised = re.search(r"core_freq\w*=\d+", found.get("core clock", {}).get("found", ""))
    looks.expect("core clock", advised[0] if advised else "", expected.core_clock)


def look_at_drivers(looks: Looks) -> None:
    """Read each of the 24 points, and show a frame."""
    board = MuxBoard(MuxWiring.recommended(MORRIS, SensorKind.PRESENCE))
    with open_sensors(MORRIS, Sensors(), Strip()) as sensors:
        for number in range(len(MORRIS)):
            wire = divmod(number, 8)
            board.close(wire)
            felt = [n for n, reading in enumerate(sensors.read()) if reading]
            board.open(wire)
            if felt != [number]:
                looks.expect(f"sensor {number}", felt, [number])
    said: list[str] = []
    with closing(open_strip(Strip(), [(number,) for number in range(len(MORRIS))], said.append)) as strip:
        frame = tuple((number, 0, 255 - number) for number in range(len(MORRIS)))
        strip.show(frame)
        looks.expect("strip", said, ["LEDs by spi"])
        received = SimulatedSpi(len(MORRIS))
        received.configure(told("striptap", "hz"))
        received.write(TAP.read_bytes())
        if tuple(received.leds) != frame:
            looks.expect("LEDs", received.leds, frame)


def main(spi: str) -> int:
    """Look at everything that depends on the model."""
    looks, expected = Looks(), EXPECTED[model()]
    if spi == "spi-off":
        found = findings()["strip's way"]
        looks.expect("strip without SPI", (found["verdict"], found["found"]), ("fault", NO_SPI))
        return int(looks.wrong > 0)
    look_at_libraries(looks, expected)
    look_at_doctor(looks, expected)
    look_at_drivers(looks)
    return int(looks.wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
