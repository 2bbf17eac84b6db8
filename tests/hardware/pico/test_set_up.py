"""Set-up on a board with a Pico: its light asks, and its contacts answer."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.config.loader import Config
from firmware_host.errors import SensorError, SoundError
from firmware_host.i18n import Message
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.maintenance.setup_session import SetupSession
from firmware_host.settings import Sensors
from tests.hardware.pico.simulated_pico import PicoBoard
from tests.support.hardware.maker import colour_seen


class PicoElectronics:
    """The electronics of a board whose strip and contacts are those of a Pico."""

    def __init__(self, board: PicoBoard) -> None:
        self.board = board

    def open_scanner(self, sensors, pull=None):
        return self.board.scanner

    def open_leds(self, strip):
        assert strip.backend == "serial"
        return self.board.board.strip([(led,) for led in range(strip.leds)], order=strip.order)

    def open_button(self, controls):
        raise SensorError(Message("there is no button"))

    def open_buzzer(self, sound):
        raise SoundError(Message("there is no buzzer"))


def test_set_up_finds_contacts_by_the_light_of_the_pico(tmp_path):
    board = PicoBoard(tmp_path).ready()
    config = replace(Config.default(), sensors=Sensors(kind="serial"))
    session = SetupSession(PicoElectronics(board), config, SetupFiles(tmp_path / "m.toml"), lambda: "today")

    def wait(seconds: float) -> None:
        for _ in range(round(seconds * 200)):
            board.pico.run(5000)
            session.tick(board.pico.now_us)

    def lit() -> dict[str, tuple[int, int, int]]:
        shining = enumerate(board.pico.leds)
        return {str(n): (red, green, blue) for n, (green, red, blue) in shining if max(red, green, blue) > 50}

    wait(1)
    while session.prompt.stage in ("colour", "white"):
        session.answer(colour_seen(lit()))
        wait(1)
    for done in range(3):
        assert session.prompt.move is not None
        assert session.prompt.done == done
        (led,) = lit()
        board.pico.contact(int(led), closed=True)
        wait(2)
    assert session.prompt.done == 3
