"""The program on each Raspberry Pi that Blinka, the layer below Adafruit's drivers, distinguishes.

Blinka is made to take this machine for the model, which it detects by itself on a real one. The libraries
that it then imports are out of reach, as on a fresh Pi. A program that imports Blinka needlessly ends here
with an error; a strip that needs Blinka has to be reported as a fault.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from http.client import HTTPConnection

import pytest

from tests.support.matrix import sampled

pytestmark = pytest.mark.ci("programs")

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

each_model = pytest.mark.parametrize("model", MODELS)
on_each_model = pytest.mark.parametrize("model", sampled(sorted(MODELS, key=lambda model: model != "4B")))
"""One model in CI and all in `make test-long`, for what differs less between them."""


@pytest.fixture
def env(model, tmp_path):
    """The environment in which Blinka takes this machine for the model, and finds no gpiod."""
    (tmp_path / "gpiod.py").write_text("raise ModuleNotFoundError('no gpiod', name='gpiod')")
    return {
        **os.environ,
        "HOME": str(tmp_path),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]),
        "BLINKA_FORCEBOARD": MODELS[model],
        "BLINKA_FORCECHIP": "BCM2XXX",
    }


def run(command: list[str], env: dict[str, str], said: str = "") -> str:
    """Run a command to its end, which has to be a good one, and return what it printed."""
    done = subprocess.run(  # noqa: S603
        command, input=said, capture_output=True, text=True, timeout=TIMEOUT_S, env=env
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


@each_model
def test_simulated_board_plays(env):
    hands = '{"put": "d6", "piece": "white"}\n{"wait": 1}\n{"show": true}\n'
    said = [json.loads(line) for line in run([*MILLWRIGHT, "sim", "--headless"], env, hands).splitlines()]
    assert [line["text"] for line in said if line.get("event") == "turn"] == ["d6"]
    assert not any("fault" in line.get("event", "") for line in said)
    assert "d6" in said[-1]["state"]["leds"]


@on_each_model
def test_doctor_finds_nothing_wrong_with_a_simulated_board(env):
    assert "LED order" in run([*MILLWRIGHT, "doctor", "--sim", "{}"], env)


@pytest.mark.parametrize("arguments", [[], ["--setup"]], ids=["board", "setup"])
@on_each_model
def test_page_of_a_simulated_board_is_served(env, arguments):
    with subprocess.Popen(  # noqa: S603
        [*MILLWRIGHT, "sim", "--no-browser", "--no-store", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    ) as board:
        assert board.stdout is not None
        assert board.stderr is not None
        try:
            address = re.search(r"http://([0-9.]+):([0-9]+)/", board.stdout.readline())
            assert address is not None
            page = HTTPConnection(address[1], int(address[2]), timeout=TIMEOUT_S)
            page.request("GET", "/")
            assert b"Millwright" in page.getresponse().read()
            page.close()
            board.send_signal(signal.SIGTERM)
            assert board.wait(TIMEOUT_S) == 0
            assert board.stderr.read() == ""
        finally:
            board.kill()


OPEN = """
import sys
for library in ("gpiod", "_rpi_ws281x", "adafruit_raspberry_pi5_neopixel_write"):
    sys.modules[library] = None
from pathlib import Path
from firmware_host.errors import StripError
from firmware_host.settings import Strip
from hardware.factory import open_strip
try:
    open_strip(Strip(backend=sys.argv[1]), [(led,) for led in range(24)], print, dev=Path(sys.argv[2]))
except StripError as error:
    print(error, error.__cause__)
"""


@pytest.mark.parametrize("backend", ["pwm", "pio"])
@on_each_model
def test_strip_that_needs_blinka_is_a_fault_without_gpiod(env, backend, tmp_path):
    (said,) = run([sys.executable, "-c", OPEN, backend, str(tmp_path)], env).splitlines()
    assert said.startswith("cannot open the LED strip on GPIO 18: the Python libraries gpiod, ")
    assert "The platform library 'gpiod' was not found" in said, "Blinka did not take it for a Raspberry Pi"
