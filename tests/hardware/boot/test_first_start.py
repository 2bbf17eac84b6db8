"""The script that a card runs at a Pi's first start, with stand-ins for the programs that it calls."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.paths import PROJECT
from tests.support.systemd.files import needs

SCRIPT = PROJECT / "hardware/boot/first_start.sh"
ARM64 = "millwright_0.2.0_arm64.deb"
INSTALLS = "apt-get --quiet --yes --no-install-recommends"
RESTARTS = "systemd-run --no-block --property=After=cloud-final.service systemctl reboot"
STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >>"$CALLS"
case "$(basename "$0") $*" in
    "$FAILING"*) [ -z "$KILLING" ] || kill -9 "$PPID"; echo "no luck"; exit 1 ;;
    "dpkg --print-architecture") echo arm64 ;;
    hostname*) echo board ;;
    "millwright listen") echo "code 1234 5678" ;;
esac
"""


class FirstStart:
    """A card in a Pi that starts for the first time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "card"
        self.calls_file = folder / "calls"
        self.programs = folder / "programs"
        self.light = folder / "leds/ACT/trigger"
        self.once = folder / "once"
        for made in (self.folder, self.programs, self.light.parent):
            made.mkdir(parents=True)
        self.light.write_text("mmc0\n")
        self.once.touch()
        for name in ("apt-get", "dpkg", "hostname", "millwright", "systemd-run", "sync"):
            (self.programs / name).write_text(STAND_IN)
            (self.programs / name).chmod(0o755)

    def start(self, *, failing: str = "nothing", killing: bool = False) -> int:
        """Run the script, and return its status.

        Commands fail that begin with `failing`; with `killing` they are the end of it.
        """
        self.calls_file.write_text("")
        places = {"CARD": self.folder, "LIGHTS": self.light.parents[1], "ONCE": self.once}
        environment = {name: str(path) for name, path in places.items()}
        path = f"{self.programs}:{os.environ['PATH']}"
        done = subprocess.run(  # noqa: S603
            ["sh", str(SCRIPT)],  # noqa: S607
            env={
                **environment,
                "PATH": path,
                "CALLS": str(self.calls_file),
                "FAILING": failing,
                "KILLING": "yes" if killing else "",
                "TMPDIR": str(self.programs.parent),
            },
            check=False,
        )
        return done.returncode

    @property
    def calls(self) -> list[str]:
        return [line for line in self.calls_file.read_text().splitlines() if not line.startswith("sync")]

    @property
    def told(self) -> str:
        return (self.folder / "millwright.txt").read_text()


@pytest.fixture
def card(tmp_path: Path) -> FirstStart:
    return FirstStart(tmp_path)


def test_a_card_installs_opens_the_page_and_restarts_once(card):
    (card.folder / ARM64).touch()
    assert card.start() == 0
    wanted = ("apt-get", "millwright", "systemd-run")
    steps = [call for call in card.calls if call.startswith(wanted)]
    assert steps[0].startswith(INSTALLS)
    assert steps[0].endswith(f"install {card.folder / ARM64}")
    own_wifi = ["millwright wifi --on", f"millwright card --wifi --output {card.folder}/millwright-wifi.svg"]
    assert steps[1:] == ["millwright boot --write", "millwright listen", *own_wifi, RESTARTS]
    assert "millwright-wifi.svg" in card.told
    assert card.told.startswith("Millwright is installed.")
    assert "http://board.local:8765" in card.told
    assert card.light.read_text() == "heartbeat\n"
    assert card.once.exists()


def test_a_card_without_network_manager_installs_all_the_same(card):
    (card.folder / ARM64).touch()
    assert card.start(failing="millwright wifi") == 0
    assert card.told.startswith("Millwright is installed.")
    assert "no Wi-Fi of its own" in card.told
    assert RESTARTS in card.calls


def test_a_pulled_plug_is_no_end(card):
    """cloud-init notes that it ran the script before it does; what dpkg had begun is ended first."""
    (card.folder / ARM64).touch()
    assert card.start(failing="apt-get", killing=True) != 0
    assert not card.once.exists()
    assert "start it again" in card.told
    assert card.start() == 0
    steps = [call for call in card.calls if call.startswith(("dpkg --configure", "apt-get"))]
    assert steps[0] == "dpkg --configure --pending"
    assert card.once.exists()


def test_a_pi_that_can_not_restart_says_so(card):
    (card.folder / ARM64).touch()
    assert card.start(failing="systemd-run") == 0
    assert "off and on" in card.told


def test_a_card_keeps_no_code_that_pairs_devices(card):
    (card.folder / ARM64).touch()
    card.start()
    assert "1234 5678" not in card.told


@pytest.mark.parametrize(
    ("failing", "reason"),
    [
        ("apt-get", "its package did not install"),
        ("millwright boot", "config.txt could not be changed"),
        ("millwright listen", "its page could not be opened"),
    ],
)
def test_a_step_that_fails_is_told_and_tried_again(card, failing, reason):
    (card.folder / ARM64).touch()
    assert card.start(failing=failing) == 1
    assert reason in card.told
    assert f"$ {failing}" in card.told
    assert card.light.read_text() == "timer\n"
    assert not card.once.exists()
    assert RESTARTS not in card.calls
    assert card.start() == 0
    assert card.told.startswith("Millwright is installed.")


def test_a_card_without_a_package_says_which_is_missing(card):
    (card.folder / "millwright_0.2.0_armhf.deb").touch()
    assert card.start() == 1
    assert "_arm64.deb" in card.told
    assert card.once.exists() is False


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        (["millwright_0.9.0_arm64.deb", "millwright_0.10.0_arm64.deb"], "millwright_0.10.0_arm64.deb"),
        (["millwright_0.9.0_all.deb", "millwright_0.2.0_arm64.deb"], "millwright_0.2.0_arm64.deb"),
        (["millwright_0.9.0_all.deb", "millwright_0.9.0_armhf.deb"], "millwright_0.9.0_all.deb"),
    ],
)
def test_the_newest_package_for_the_pi_is_taken(card, names, taken):
    for name in names:
        (card.folder / name).touch()
    assert card.start() == 0
    assert next(call for call in card.calls if call.startswith("apt-get")).endswith(f"/{taken}")


@needs("shellcheck")
def test_shellcheck_finds_nothing_in_the_script():
    subprocess.run(["shellcheck", str(SCRIPT)], check=True)  # noqa: S603, S607
