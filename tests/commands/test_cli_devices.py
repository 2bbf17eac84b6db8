"""`millwright devices` beside a board whose page others can reach."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.errors import PageError
from firmware_host.maintenance.board_client import PairedDevices
from firmware_host.web import addresses as place
from firmware_host.web.pairing.devices import Devices, open_devices
from firmware_host.web.server import WebServer
from tests.support.web.fake_board import Asked

PAIRED_MS = 1_767_268_800_000
DAY = f"{datetime.fromtimestamp(PAIRED_MS / 1000):%Y-%m-%d}"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[str]:
    """Serve a board with two devices and return its port."""
    path = tmp_path / "devices.json"
    file = open_devices(path)
    for name in ("Ada's phone", ""):
        file.change(partial(Devices.add, name=name, token=f"token of {name}", now_ms=PAIRED_MS))
    server = WebServer(Asked().submit, place.EVERYWHERE, 0, others=path)
    server.start()
    yield str(urlsplit(server.address).port)
    server.close()


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def failure(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    return result.output


def test_the_devices_are_listed_with_names_and_days(port: str) -> None:
    lines = run("devices", "--port", port).splitlines()
    assert lines == run("devices", "--port", port, "list").splitlines()
    assert re.fullmatch(rf"  2  no name +paired {DAY}, last seen {DAY}", lines[0])
    assert re.fullmatch(rf"  1  Ada's phone +paired {DAY}, last seen {DAY}", lines[1])
    listed = json.loads(run("devices", "--port", port, "list", "--json"))
    assert [device["number"] for device in listed["devices"]] == [2, 1]


def test_a_code_is_printed_and_then_listed(port: str) -> None:
    said = run("devices", "--port", port, "pair").splitlines()[-1]
    assert f"http://{place.mdns_name()}:{port}/" in said
    assert re.search(r"the code \d{4} \d{4}\. It is valid for 10 minutes", said)
    assert run("devices", "--port", port).splitlines()[-1] == said


def test_devices_are_removed_one_by_one_and_all(port: str) -> None:
    assert run("devices", "--port", port, "remove", "1").endswith("Device 1 is removed.\n")
    assert failure("devices", "--port", port, "remove", "1") == (
        "Error: there is no device 1; `millwright devices` lists them\n"
    )
    assert run("devices", "--port", port, "remove", "--all").endswith("\n1 is removed.\n")
    assert "No device is paired" in run("devices", "--port", port)


@pytest.mark.parametrize("arguments", [(), ("1", "--all"), ("0",), ("x",)])
def test_remove_wants_one_number_or_all(port: str, arguments: tuple[str, ...]) -> None:
    failure("devices", "--port", port, "remove", *arguments)
    assert len(run("devices", "--port", port).splitlines()) == 2


def test_a_board_for_this_machine_only_says_how_to_open_it() -> None:
    server = WebServer(Asked().submit, port=0)
    server.start()
    port = str(urlsplit(server.address).port)
    assert "sudo millwright listen" in failure("devices", "--port", port)
    server.close()


@pytest.mark.parametrize("text", ["Not found\n", "<html>", "[]", '"error"', "3"])
def test_an_older_board_is_named(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    answer = (404, text)
    monkeypatch.setattr("firmware_host.maintenance.board_client.request", lambda *_: answer)
    with pytest.raises(PageError, match="restart millwright"):
        PairedDevices("127.0.0.1", 1).pair()


def test_what_cannot_be_saved_is_said(unprivileged: Path) -> None:
    path = unprivileged / "devices.json"
    open_devices(path).change(lambda devices: devices.add("phone", "token", PAIRED_MS))
    unprivileged.chmod(0o500)
    server = WebServer(Asked().submit, place.EVERYWHERE, 0, others=path)
    server.start()
    port = str(urlsplit(server.address).port)
    said = run("devices", "--port", port, "remove", "1")
    server.close()
    unprivileged.chmod(0o700)
    assert "lasts until the board's program ends: Permission denied." in said
