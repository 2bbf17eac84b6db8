"""The advice for a library that is missing, which depends on how Millwright was installed."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from firmware_host.i18n import to_english
from hardware.libraries import (
    GPIOD,
    NEOPIXEL,
    PACKAGE_HOME,
    PI5_NEOPIXEL,
    RPI_WS281X,
    SERVICE_HOME,
    Installation,
    Library,
    missing,
)
from tests.support.paths import PROJECT

PYTHON = shlex.quote(sys.executable)

THERE = Library("json", "json")
ABSENT = Library("no_such_module", "no-such-wheel>=1")
SOURCE_ONLY = Library("_no_such_source", "no-such-source")
COMPILER = "which may need a compiler (`sudo apt install build-essential python3-dev`)"


@pytest.mark.parametrize(
    ("installation", "how"),
    [
        (Installation.PACKAGE, "Millwright's Debian package drives LEDs only by SPI or by a Nano"),
        (Installation.SERVICE, f"run `sudo {PYTHON} -m pip install 'no-such-wheel>=1'`, {COMPILER}"),
        (Installation.OTHER, f"run `{PYTHON} -m pip install 'no-such-wheel>=1'`, {COMPILER}"),
    ],
)
def test_missing_library_is_installed_as_millwright_was(installation, how):
    said = missing([THERE, ABSENT], installation)
    assert said is not None
    assert to_english(said) == f"the Python library no_such_module is missing: {how}"


@pytest.mark.parametrize(
    ("installation", "how"),
    [
        (Installation.PACKAGE, "reinstall Millwright's Debian package, which includes it"),
        (Installation.SERVICE, f"run `sudo {PYTHON} -m pip install 'no-such-wheel>=1'`"),
        (Installation.OTHER, f"run `{PYTHON} -m pip install 'no-such-wheel>=1'`"),
    ],
)
def test_a_library_of_python_alone_needs_no_compiler(installation, how):
    said = missing([Library("no_such_module", "no-such-wheel>=1", is_compiled=False)], installation)
    assert said is not None
    assert to_english(said) == f"the Python library no_such_module is missing: {how}"


def test_missing_libraries_are_installed_together():
    said = missing([ABSENT, SOURCE_ONLY], Installation.OTHER)
    assert said is not None
    start = "the Python libraries no_such_module, no_such_source are missing: "
    assert to_english(said).startswith(
        f"{start}run `{PYTHON} -m pip install 'no-such-wheel>=1' no-such-source`, "
    )


def test_libraries_that_are_there_are_not_missing():
    assert missing([THERE, THERE]) is None


@pytest.mark.parametrize(
    ("program", "prefix", "installation"),
    [
        ("/usr/lib/millwright/hardware/libraries.py", "/usr", Installation.PACKAGE),
        ("/opt/millwright/0.1.0/lib/hardware/libraries.py", "/opt/millwright/0.1.0", Installation.SERVICE),
        ("/home/pi/millwright/hardware/libraries.py", "/home/pi/millwright/.venv", Installation.OTHER),
        ("/usr/local/lib/python3/hardware/libraries.py", "/usr", Installation.OTHER),
    ],
)
def test_installation_is_known_by_its_folders(program, prefix, installation):
    assert Installation.of(Path(program), Path(prefix)) is installation


def test_folders_are_those_of_the_installers():
    assert f'HOME = "{PACKAGE_HOME}"' in (PROJECT / "systemd/deb/millwright").read_text()
    assert f"opt=$root{SERVICE_HOME}\n" in (PROJECT / "systemd/install.sh").read_text()


def test_wheels_are_those_of_the_extras():
    extras = (PROJECT / "pyproject.toml").read_text()
    for library in (NEOPIXEL, GPIOD, RPI_WS281X, PI5_NEOPIXEL):
        assert f'"{library.wheel}' in extras


def texts():
    """Yield the files of the project that give instructions to people."""
    yield from (path for path in PROJECT.iterdir() if path.is_file())
    for folder in ("firmware_host", "hardware", "sim", "systemd", "tests/virtual_pi", "tests/systemd"):
        yield from (path for path in (PROJECT / folder).rglob("*") if path.is_file())


def test_nobody_is_told_to_install_a_strangers_package():
    """On the package index `millwright` is another project; ours is installed from its folder or files."""
    advice = re.compile(r"pip3? install[^\n`]*['\" ]millwright\b(?!-board)")
    kinds = {".py", ".md", ".json", ".toml", ".sh", ".js", ".html", ""}
    files = [path for path in texts() if path.suffix in kinds]
    assert len(files) > 200
    for file in files:
        assert not advice.search(file.read_text("utf-8", errors="replace")), file
