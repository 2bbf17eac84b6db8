"""The program on each Raspberry Pi that Blinka, the layer below Adafruit's drivers, tells apart.

Blinka is told that this machine is the model, which it finds out by itself on a real one. What it then
imports is missing here, as on a fresh Pi: gpiod, and the libraries for PWM and PIO. So a program that imports
Blinka although it does not need it dies here, and a strip that needs it has to be a fault in words.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from urllib.request import urlopen

import pytest

MODELS = {
    "Zero W": "RASPBERRY_PI_ZERO_W",
    "Zero 2 W": "RASPBERRY_PI_ZERO_2_W",
    "3B+": "RASPBERRY_PI_3B_PLUS",
    "4B": "RASPBERRY_PI_4B",
    "CM4": "RASPBERRY_PI_CM4",
    "5": "RASPBERRY_PI_5",
}
MILLWRIGHT = [sys.executable, "-m", "firmware_host"]
TIMEOUT_S = 60

on_each_model = pytest.mark.parametrize("model", MODELS)
on_one_model = pytest.mark.parametrize(
    "model", [name if name == "4B" else pytest.param(name, marks=pytest.mark.long) for name in MODELS]
)


def as_model(model: str) -> dict[str, str]:
    """Return the environment in which Blinka takes this machine for the model."""
    return {**os.environ, "BLINKA_FORCEBOARD": MODELS[model], "BLINKA_FORCECHIP": "BCM2XXX"}


def run(command: list[str], model: str, said: str = "") -> str:
    """Run a command to its end, which has to be a good one, and return what it printed."""
    done = subprocess.run(  # noqa: S603
        command, input=said, capture_output=True, text=True, timeout=TIMEOUT_S, env=as_model(model)
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


@on_each_model
def test_simulated_board_plays(model):
    hands = '{"put": "d6", "piece": "white"}\n{"wait": 1}\n{"show": true}\n'
    said = [json.loads(line) for line in run([*MILLWRIGHT, "sim", "--headless"], model, hands).splitlines()]
    assert [line["text"] for line in said if line.get("event") == "turn"] == ["d6"]
    assert not any("fault" in line.get("event", "") for line in said)
    assert "d6" in said[-1]["state"]["leds"]


@on_one_model
def test_doctor_finds_nothing_wrong_with_a_simulated_board(model):
    assert "LED order" in run([*MILLWRIGHT, "doctor", "--sim", "{}"], model)


@pytest.mark.parametrize("arguments", [[], ["--setup"]], ids=["board", "setup"])
@on_one_model
def test_page_of_a_simulated_board_is_served(model, arguments, tmp_path):
    env = {**as_model(model), "HOME": str(tmp_path)}
    with subprocess.Popen(  # noqa: S603
        [*MILLWRIGHT, "sim", "--no-browser", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    ) as board:
        assert board.stdout is not None
        assert board.stderr is not None
        try:
            address = re.search(r"http://[0-9.:]+/", board.stdout.readline())
            assert address is not None
            with urlopen(address[0], timeout=TIMEOUT_S) as page:  # noqa: S310
                assert "Millwright" in page.read().decode()
            board.send_signal(signal.SIGTERM)
            assert board.wait(TIMEOUT_S) == 0
            assert board.stderr.read() == ""
        finally:
            board.kill()


OPEN = """
import sys
sys.modules["gpiod"] = None
from pathlib import Path
from firmware_host.errors import StripError
from firmware_host.settings import Strip
from hardware.leds import open_strip
try:
    open_strip(Strip(backend=sys.argv[1]), [(led,) for led in range(24)], print, dev=Path(sys.argv[2]))
except StripError as error:
    print(error)
"""


@pytest.mark.parametrize("backend", ["pwm", "pio"])
@on_each_model
def test_strip_that_needs_blinka_is_a_fault_without_gpiod(model, backend, tmp_path):
    (said,) = run([sys.executable, "-c", OPEN, backend, str(tmp_path)], model).splitlines()
    assert said.startswith(
        "cannot open the LED strip on GPIO 18: The platform library 'gpiod' was not found."
    )
