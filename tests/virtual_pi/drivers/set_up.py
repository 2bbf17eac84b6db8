"""Set up a board in the virtual Pi whose wires and LEDs are in random order, as a maker does.

The maker reads what `millwright setup` asks on its page, sees where the strip shines, decoded from the bytes
that left on SPI, and sets down and takes off pieces, which close contacts in the kernel. The wiring that
set-up wrote must be the true one, and with it every piece must be detected on its own point. Ends with 0 if
so.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.config.loader import Config, load
from firmware_host.config.wiring_map import led_positions
from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from hardware.factory import open_sensors
from hardware.wiring.contacts import MuxWiring
from sim.electronics.spi import SimulatedSpi
from tests.contract.virtual_pi_rigs import MuxBoard, told
from tests.support.web.page_client import PageClient

SEED = 11
PIECES = 18
MOST = 300
MILLWRIGHT = Path(sys.executable).with_name("millwright")
TAP = Path("/dev/striptap")
BRIGHT = 50


ANSWERS: dict[tuple[bool, ...], str] = {
    (True, False, False): "r",
    (False, True, False): "g",
    (False, False, True): "u",
    (True, True, True): "w",
}


class Maker:
    """A board soldered at random, with a strip that takes red first, and who does what is asked."""

    def __init__(self) -> None:
        lot = Random(SEED)
        names = [point.name for point in MORRIS.points]
        wires = [divmod(n, 8) for n in range(24)]
        self.wires = dict(zip(names, lot.sample(wires, 24), strict=True))
        self.leds = dict(zip(names, lot.sample(range(24), 24), strict=True))
        self.order = "RGB"
        self.placements = 0
        self._contacts = MuxBoard(MuxWiring.recommended(MORRIS, SensorKind.PRESENCE))
        self.standing: list[str] = []

    def shining(self) -> dict[str, tuple[int, ...]]:
        """The points that shine brightly, with their colours."""
        strip = SimulatedSpi(len(self.leds), self.order)
        strip.configure(told("striptap", "hz"))
        strip.write(TAP.read_bytes())
        return {name: strip.leds[led] for name, led in self.leds.items() if max(strip.leds[led]) > BRIGHT}

    def put(self, name: str) -> None:
        """Set a piece down."""
        self.standing.append(name)
        self._contacts.close(self.wires[name])
        self.placements += 1

    def lift(self, name: str) -> None:
        """Take a piece off."""
        self.standing.remove(name)
        self._contacts.open(self.wires[name])

    def obey(self, asked: dict[str, Any]) -> str | None:
        """Do what is asked for; what to answer, if anything."""
        sentence, keys = asked["sentence"], {answer["key"] for answer in asked["answers"]}
        if sentence.startswith("What reads"):
            return next(one["key"] for one in asked["answers"] if "(recommended)" in one["label"])
        if "Which colour" in sentence:
            lit = {tuple(level > BRIGHT for level in colour) for colour in self.shining().values()}
            return ANSWERS.get(lit.pop(), "s") if len(lit) == 1 else "s"
        if sentence.startswith("You lifted the piece"):
            return ""
        name = asked["point"] or next(iter(self.shining()), "")
        if sentence.startswith("Put a piece on"):
            if len(self.standing) == PIECES:
                return "n"
            if name not in self.standing:  # the same may be asked once more, with a hint
                self.put(name)
        elif sentence.startswith("Take the piece off"):
            if name in self.standing:
                self.lift(name)
            elif "put one there" in sentence and len(self.standing) < PIECES:
                self.put(name)
            else:
                return "n" if "n" in keys else ""
        elif sentence.startswith("Take all pieces off"):
            for standing in list(self.standing):
                self.lift(standing)
        elif "" in keys:
            return ""
        return None


def guided(maker: Maker, page: PageClient) -> None:
    """Do what the page asks for, until it asks for no more."""
    for number in range(MOST):
        try:
            asked = page.until("setup")
        except ConnectionError:  # it is over, and whether it went well is seen from what it wrote
            return
        sys.stdout.write(f"{asked['done']}/{asked['of']} {asked['sentence']}\n")
        if asked["over"]:
            return
        answer = maker.obey(asked)
        if answer is not None:
            page.send({"id": number, "answer": answer})
    sys.exit(f"set-up asked more than {MOST} times")


def check(maker: Maker, config: Config) -> None:
    """The written wiring is the true one, and the driver detects the pieces with it."""
    wired = {name: own[0] for name, own in config.sensors.points.items()}
    lit = dict(zip(maker.leds, (own[0] for own in led_positions(config.strip, MORRIS)), strict=True))
    if (wired, lit, config.strip.order) != (maker.wires, maker.leds, maker.order):
        sys.exit(f"it is wired otherwise: {wired}, {lit}, {config.strip.order}")
    for name in list(maker.wires):
        if name in maker.standing:
            maker.lift(name)
    with open_sensors(MORRIS, config.sensors, config.strip) as sensors:
        for point in MORRIS.points:
            maker.put(point.name)
            if [n for n, felt in enumerate(sensors.read()) if felt] != [point.index]:
                sys.exit(f"a piece on {point} is felt as {sensors.read()}")
            maker.lift(point.name)


def main() -> None:
    """Set the board up, and look at what came of it."""
    maker = Maker()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "millwright.toml")
        command = [str(MILLWRIGHT), "setup", "--config", str(config), "--port", "0"]
        with subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder
        ) as program:
            line = program.stdout.readline() if program.stdout else ""
            address = re.search(r"http://[^/]+/", line)
            guided(maker, PageClient(address[0]) if address else sys.exit(f"no page: {line!r}"))
            program.communicate(timeout=180)
        if program.returncode:
            sys.exit(f"set-up ended with {program.returncode}")
        placements = maker.placements
        check(maker, load(config))
    sys.stdout.write(f"all 24 points were found with {placements} placements\n")


if __name__ == "__main__":
    main()
