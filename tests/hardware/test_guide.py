"""Every command of the guides for makers: run as written, here or in the virtual Pi, or excused.

The guides are the builder's with the pages of the Pico and the Nano, the one of the service, and the first
page of all.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.maintenance import report as reports
from hardware.doctor.benchmark import measure
from hardware.wiring.bom import parts, total_price
from hardware.wiring.plan import BoardPlan
from tests.support.paths import PROJECT

HARDWARE = PROJECT / "hardware"
PAGES = {str(path.relative_to(HARDWARE)): path.read_text("utf-8") for path in sorted(HARDWARE.rglob("*.md"))}
OTHERS = {name: (PROJECT / name).read_text("utf-8") for name in ("README.md", "systemd/README.md")}
TEXTS = (*PAGES.values(), *OTHERS.values())

IN_THE_VIRTUAL_PI = PROJECT / "tests" / "virtual_pi" / "service" / "guide.sh"
"""The script that types commands there, on a terminal."""

SIMULATED = {
    "millwright doctor": ["--sim", "{}"],
    "millwright doctor --walk": ["--sim", '{"mux": 1, "kind": "dead"}'],
    "millwright doctor --bench": ["--sim", "{}"],
    "millwright report": ["--sim"],
}
"""Commands that examine this Pi's board, and the arguments with which they examine a simulated one."""

TYPED = set(re.findall(r"typed '([^']+)'", IN_THE_VIRTUAL_PI.read_text("utf-8")))
THERE = "typed in the virtual Pi, by service/guide.sh"

NOT_HERE = {
    "sudo apt install espeak-ng": "Debian's own package, which the project's package recommends",
    'millwright sound --say "White: d6"': "needs a sound device, which machines for tests lack",
    "sudo apt install ./millwright_*.deb": THERE,
    "sudo millwright boot": THERE,
    "millwright card-files": "the same as the next one, by its name alone",
    "millwright card-files FOLDER millwright_*_arm64.deb": "the part card starts from it",
    "sudo systemctl stop millwright": THERE,
    "sudo systemctl restart millwright": "guide.sh stops and starts it, which is the same",
    "millwright run": THERE,
    "millwright leds test": THERE,
    "millwright sensors watch": THERE,
    "millwright status": THERE,
    "millwright setup": "it waits for hands at a board; in the virtual Pi drivers/set_up.py has some",
    "sudo millwright setup": "the same for the whole machine's configuration",
    "millwright sim --setup": "it waits for hands as well; tests/hardware/setup has simulated ones",
    "millwright dark": "it needs a strip; tests/commands/test_cli_dark.py has one",
    "millwright listen": "it changes a unit; tests/commands/test_cli_listen.py has one",
    "sudo millwright listen": "it changes a unit; tests/commands/test_cli_listen.py has one",
    "sudo millwright care --on": "it changes a unit; tests/commands/test_cli_care.py has one",
    "millwright sound --play over": "it needs a loudspeaker; tests/commands/test_cli_sound.py has one",
    "sudo millwright sound --on": "it changes a unit; tests/commands/test_cli_sound.py has one",
    "sudo millwright sound --off": "it changes a unit; tests/commands/test_cli_sound.py has one",
    "sudo millwright link board": "it draws a name; tests/link/test_command.py has one",
    "sudo millwright link --on": "it changes a unit; tests/link/test_command.py has one",
    "sudo millwright link --off": "it changes a unit; tests/link/test_command.py has one",
    "millwright games": "it names a group of commands, of which tests/commands/test_cli_games.py runs each",
    "millwright devices": "it asks a board; tests/commands/test_cli_devices.py has one",
    "millwright devices pair": "it asks a board; tests/commands/test_cli_devices.py has one",
    "millwright devices remove": "it asks a board; tests/commands/test_cli_devices.py has one",
    "sudo millwright games import": "it takes a file; tests/commands/test_cli_games.py has some",
    "sudo systemctl start millwright": "service/guide.sh starts the service, and looks at it",
    "systemctl status millwright": "it shows what systemd knows of the service",
    "systemctl stop": "service/guide.sh stops the service with sudo",
    "systemctl edit millwright.socket": "it opens an editor",
    "sudo raspi-config nonint do_serial_hw 1": "Debian has no raspi-config",
    "sudo mkfs.ext4 -L games /dev/sda1": "it formats a disk",
    "sudo mount /dev/sda1 /mnt": "it needs that disk",
    "sudo cp -a /var/lib/millwright/. /mnt/": "it needs that disk",
    "sudo raspi-config nonint enable_overlayfs": "Debian has no raspi-config",
    "sudo raspi-config nonint disable_overlayfs": "Debian has no raspi-config",
    "sudo sed -i 's/overlayroot=tmpfs\\b/overlayroot=tmpfs:recurse=0/' /boot/firmware/cmdline.txt": (
        "raspi-config has written the word; tests/integration/test_read_only_root.py has such a root"
    ),
    "sudo dpkg --force-downgrade --install /var/lib/millwright-update/former.deb": (
        "tests/systemd/test_update.py goes back by it"
    ),
    "sudo systemctl mask --now millwright-update.path": "it changes a unit of the package",
    "sudo nano /etc/millwright/millwright.toml": "it opens an editor",
    "sudo reboot": "it ends the machine",
    "sudo rpi-eeprom-config --edit": "it changes the bootloader of a Pi 5",
    "millwright tables build --stones 12": "it takes minutes; test_cli_tables.py builds smaller ones",
    "sudo cp -r": "it names no folders; its sentence does",
    "pip install mpremote": "it takes a program of MicroPython's from the net",
}
"""Commands that are not run here, and the reason."""

FINDINGS = {0, 1, 2}
"""The exit statuses of the doctor."""


def spans(text: str) -> Iterator[str]:
    """Yield what is set as code within the prose, however it is wrapped."""
    prose = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    yield from (plainly(" ".join(span.split())) for span in re.findall(r"`([^`]+)`", prose))


def blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command that stands in a block, and the lines of output that are shown below it."""
    command, output = "", []
    for line in [*text.splitlines(), ""]:
        words = plainly(line.strip()) if line.startswith("    ") else ""
        if command and (not words or line.startswith("    $ ") or is_command(words)):
            yield command, output
            command, output = "", []
        if is_command(words) and not command:
            command = words
        elif command:
            output.append(line.removeprefix("    ").rstrip())


def is_command(words: str) -> bool:
    """Return whether this is more than a program's name, and what a maker types."""
    return re.match(r"(millwright|sudo|make|pip|systemctl) [\w./-]", words) is not None


def plainly(words: str) -> str:
    """Return a command without its folder, the file it writes to, and the remark behind it."""
    return re.sub(r"\s+[>#]\s.*", "", words.removeprefix("$ ").removeprefix(".venv/bin/"))


def commands(text: str) -> set[str]:
    """Return the commands of a page."""
    return {*filter(is_command, spans(text)), *(typed for typed, _ in blocks(text))}


COMMANDS = sorted({command for text in TEXTS for command in commands(text)})
MAKE = [command for command in COMMANDS if command.removeprefix("sudo ").startswith("make ")]
RUN_HERE = [command for command in COMMANDS if command not in {*NOT_HERE, *MAKE}]
SHOWN = [(command, output) for text in PAGES.values() for command, output in blocks(text) if output]


@pytest.fixture(autouse=True)
def a_fresh_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    few = partial(measure, scans=5, shows=4, share_s=0.02)
    monkeypatch.setattr("firmware_host.commands.doctor.measure", few)
    monkeypatch.setattr(reports, "measure", few)


def run(command: str) -> Result:
    """Run a command of the guide, on simulated electronics if it examines a board."""
    _, *arguments = shlex.split(command.removeprefix("sudo "))
    if arguments == ["config", "check"]:
        run("millwright config init")
    return CliRunner().invoke(main, [*arguments, *SIMULATED.get(command.removeprefix("sudo "), [])])


def test_the_guide_has_commands_on_each_page_of_work():
    assert all(commands(PAGES[page]) for page in ("README.md", "PARTS.md", "CASE.md", "BUILD.md"))
    assert len(RUN_HERE) > 12


@pytest.mark.parametrize("command", RUN_HERE)
def test_a_command_of_the_guide_runs_as_it_is_written(command):
    own = command.removeprefix("sudo ")
    assert own.startswith("millwright "), "run it here or in guide.sh, or list it in NOT_HERE with the reason"
    done = run(command)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    refused = any(command == typed and "Error:" in output[0] for typed, output in SHOWN)
    if "doctor" in command:
        assert done.exit_code in FINDINGS
        assert "Traceback" not in done.output
    else:
        assert done.exit_code == (2 if refused else 0), done.output


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_the_guide_shows_what_a_command_prints(command, output):
    printed = run(command).output.splitlines()
    for line in output:
        assert line == "..." or line in printed, line


@pytest.mark.parametrize("command", sorted({*NOT_HERE, *TYPED}))
def test_each_command_that_is_not_run_here_is_still_in_the_guide(command):
    assert command in COMMANDS


def test_what_needs_a_pi_only_is_typed_in_the_virtual_pi():
    assert {command for command, why in NOT_HERE.items() if why is THERE} <= TYPED
    assert not any(why is not THERE for command, why in NOT_HERE.items() if command in TYPED)


@pytest.mark.parametrize("command", MAKE)
def test_what_the_guide_makes_has_a_target(command):
    targets = set()
    for makefile in (PROJECT / "Makefile", HARDWARE / "firmware" / "Makefile"):
        targets |= set(re.findall(r"^([a-z-]+):", makefile.read_text("utf-8"), re.M))
    words = shlex.split(command.removeprefix("sudo "))[1:]
    named = [word for word in words if "=" not in word]
    assert len(named) <= 1
    assert set(named) <= targets


def test_files_that_the_guide_names_are_written():
    run("millwright wiring --svg wiring.svg")
    run("millwright plates wood")
    assert Path("wiring.svg").exists()
    sheets = set(re.findall(r"^\| `([a-z-]+)` \|", PAGES["CASE.md"], re.M))
    assert {path.stem for path in Path("wood").glob("*.svg")} == sheets


@pytest.mark.parametrize(
    ("sensors", "kind", "price"),
    re.findall(r"^\| ([\w ,]+) \| `(\w+)` \| (\d+-\d+) \|$", PAGES["PARTS.md"], re.M),
)
def test_the_guide_has_the_price_of_each_way_of_reading_sensors(sensors, kind, price):
    alphabet = {"reeds": "presence", "linear, 25 squares": "pieces"}.get(sensors, "polarity")
    layout, pieces = (SQUARES, 22) if alphabet == "pieces" else (MORRIS, 18)
    plan = BoardPlan.recommended(layout, alphabet, kind, pieces=pieces)
    assert price == str(total_price(parts(plan)))


def test_the_prices_of_the_wood_add_up():
    rows = re.findall(r"^\| [^|]+ \| (\d+)-(\d+) \|$", PAGES["CASE.md"], re.M)
    *parts_of_it, total, _cutting = [(int(low), int(high)) for low, high in rows]
    assert len(parts_of_it) == 6
    assert total == tuple(map(sum, zip(*parts_of_it, strict=True)))


def test_the_table_of_boards_says_that_it_is_empty():
    assert "The table is empty because no report has arrived." in PAGES["README.md"]


@pytest.mark.parametrize("layer", ["CUT", "ENGRAVE", "DRILL", "POCKET_3MM", "POCKET_BELOW_3_5MM"])
def test_the_layers_of_the_guide_are_those_of_the_files(layer):
    run("millwright plates wood")
    assert f"| `{layer}` |" in PAGES["CASE.md"]
    assert any(f'id="{layer}"' in path.read_text("utf-8") for path in Path("wood").glob("*.svg"))


@pytest.mark.parametrize(
    ("kind", "price"),
    re.findall(r"^\| [\w ,]+ \| a Pico, (\w+)[ \w]* \| (\d+-\d+) \|$", PAGES["PARTS.md"], re.M),
)
def test_the_guide_has_the_price_of_a_board_with_a_pico(kind, price):
    assert price == str(total_price(parts(BoardPlan.with_pico(MORRIS, kind))))


def test_the_hours_of_the_steps_add_up():
    hours = re.findall(r"^\| \d \| [^|]+ \| ([^|]+) \|", PAGES["BUILD.md"], re.M)
    ranges = [[int(number) for number in re.findall(r"\d+", text)] for text in hours]
    least, most = sum(min(own) for own in ranges), sum(max(own) for own in ranges)
    assert f"That is {least} to " in PAGES["BUILD.md"]
    assert f"up to {most} without" in PAGES["BUILD.md"]
    assert f"(BUILD.md): {least} to {most} hours" in PAGES["README.md"]
