"""The command that draws the card of the menu."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.web import addresses


@pytest.fixture(autouse=True)
def nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))


def card(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["card", *arguments])


def test_the_card_is_printed_in_english_on_a5() -> None:
    done = card()
    assert done.exit_code == 0
    assert 'width="148mm"' in done.output
    assert ">The light menu<" in done.output


def test_the_card_is_written_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "card.svg"
    assert card("--output", str(file), "--paper", "a4", "--language", "de").output == ""
    text = file.read_text("utf-8")
    assert 'width="210mm"' in text
    assert ">Das Lichtmenü<" in text


def test_the_card_is_that_of_the_configured_board(tmp_path: Path) -> None:
    file = tmp_path / "millwright.toml"
    sensors = '[sensors]\nkind = "mcp3008"\nalphabet = "pieces"\nselect = [17, 27, 22, 23]\ninputs = [0, 1]\n'
    file.write_text(f'[play]\nrules = "mitsudomoe"\n{sensors}[strip]\nleds = 25\n', encoding="utf-8")
    assert ">Mitsudomoe<" in card("--config", str(file)).output
    assert ">Lasker<" not in card("--config", str(file)).output
    assert ">Lasker<" in card().output


def test_rules_can_be_named() -> None:
    assert ">Mitsudomoe<" in card("--rules", "mitsudomoe").output
    assert card("--rules", "mitsudo").exit_code == 2


def test_addresses_on_the_card_begin_with_a_number(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(addresses, "_default_route_addresses", lambda: ["192.168.1.20"])
    file = tmp_path / "millwright.toml"
    file.write_text("[web]\nlisten = true\nport = 8765\n", "utf-8")
    drawn = card("--back", "--config", str(file)).output
    number, name = (drawn.index(f">http://{host}:8765/<") for host in ("192.168.1.20", addresses.mdns_name()))
    assert number < name
