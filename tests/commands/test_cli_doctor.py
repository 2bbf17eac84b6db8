"""The commands that look at a board: `doctor`, `sensors watch`, `leds test`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.commands.leds import show, steps
from firmware_host.commands.sensors import look
from firmware_host.config.loader import Config, load
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.i18n import Message
from firmware_host.maintenance.doctor_target import wiring_of_config
from firmware_host.ports import SensorKind
from hardware.doctor.light_checks import current_ma
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.table.table import Make, TablePiece


@pytest.fixture(autouse=True)
def nothing_of_this_machine(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))


def millwright(*arguments: str, typed: str = ""):
    return CliRunner().invoke(main, arguments, input=typed)


def config(folder: Path, text: str) -> str:
    file = folder / "millwright.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


# ---- doctor --------------------------------------------------------------------------------------------


def test_a_whole_simulated_board_ends_with_0():
    done = millwright("doctor", "--sim", "{}")
    assert done.exit_code == 0
    assert "14 checks passed, 1 skipped." in done.output
    assert "because the board is simulated" in done.output


def test_a_fault_is_told_and_ends_with_2():
    done = millwright("doctor", "--sim", '{"point": "d6", "kind": "stuck-on"}')
    assert done.exit_code == 2
    assert "fault          open contacts    closed in all of 100 frames" in done.output
    assert "1 fault, " in done.output


def test_json_has_the_same_findings_and_status():
    done = millwright("doctor", "--json", "--sim", '{"mux": 2, "kind": "dead"}')
    told = json.loads(done.stdout)
    assert (done.exit_code, told["status"]) == (2, 2)
    faults = [finding for finding in told["findings"] if finding["verdict"] == "fault"]
    assert [finding["check"] for finding in faults] == ["chips"]
    assert "mux 2 is silent" in faults[0]["found"]


def test_hands_can_be_left_out_of_a_simulated_board_too():
    done = millwright("doctor", "--no-walk", "--sim", "{}")
    assert done.exit_code == 0
    assert "because it takes hands and eyes at the board: `millwright doctor --walk`" in done.output


def test_settings_that_cannot_be_used_are_its_only_findings(tmp_path):
    path = config(tmp_path, "[sensors]\nselect = [17, 17]\n[timing]\nframe_rate_hz = 3\n")
    done = millwright("doctor", "--json", "--config", path)
    told = json.loads(done.stdout)
    assert (done.exit_code, told["status"]) == (2, 2)
    assert {finding["check"] for finding in told["findings"]} == {"settings"}
    assert any(f"{path}:4 timing.frame_rate_hz: 3 is out of range" in f["found"] for f in told["findings"])


@pytest.mark.parametrize("fault", ["d6", '{"point": "d9", "kind": "weak"}', "[]x"])
def test_a_fault_that_cannot_be_is_a_clear_line(fault):
    done = millwright("doctor", "--sim", fault)
    assert done.exit_code == 2
    assert done.output.startswith("Error: ")


def test_wherever_it_runs_it_ends_with_a_status_and_asks_nothing():
    done = millwright("doctor", "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == told["status"]
    assert {finding["check"] for finding in told["findings"]} >= {"lines", "permissions", "walk"}


@pytest.mark.ci("programs")
def test_the_bench_tells_programs():
    told = json.loads(millwright("doctor", "--bench", "--json", "--sim", "{}").stdout)
    assert told["frame"]["of"] == 1000
    assert told["strip"]["median_us"] > 0


# ---- sensors watch -------------------------------------------------------------------------------------


class TerminalOutput(io.StringIO):
    def isatty(self) -> bool:
        return True


def watched(out: io.StringIO, seconds: float, pieces: dict[float, str]) -> str:
    """Return the output for a board on which pieces are put down at the given times."""
    clock = VirtualClock()
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, clock)
    left = dict(pieces)

    def sleep(wait: float) -> None:
        clock.sleep(wait)
        for at in [at for at in left if clock.now() >= at * 1_000_000]:
            board.table.put(TablePiece("white"), board.table.spots[MORRIS[left.pop(at)].index], clock.now())

    look(Config(), board, out, seconds=seconds, now=lambda: clock.now() / 1_000_000, sleep=sleep)
    return out.getvalue()


def test_elsewhere_than_in_a_terminal_each_change_is_a_line():
    lines = watched(io.StringIO(), 2, {0.5: "d6", 1.0: "a1"}).splitlines()
    believed = [line.partition(" s  ")[2] for line in lines if line.endswith("stable")]
    assert believed == [
        "d6 (mux 1, channel 0 (Y0, pin 13)) closed, stable",
        "a1 (mux 2, channel 5 (Y5, pin 5)) closed, stable",
    ]


def test_in_a_terminal_the_board_is_drawn_again_and_again():
    text = watched(TerminalOutput(), 1, {0.5: "d6"})
    assert text.startswith("\x1b[2J\x1b[H")
    assert 9 <= text.count("\x1b[H") <= 11
    last = text.rsplit("\x1b[H", 1)[1]
    assert last.count("#") == 2  # on the board, and in the legend
    assert "d6 (mux 1, channel 0 (Y0, pin 13)): closed, " in last


def test_stacks_on_squares_are_drawn_with_their_levels(tmp_path):
    file = tmp_path / "millwright.toml"
    file.write_text(
        '[play]\nrules = "mitsudomoe"\n[strip]\nleds = 25\n'
        '[sensors]\nkind = "mcp3008"\nalphabet = "pieces"\nselect = [17, 27, 22, 23]\ninputs = [0, 1]\n'
    )
    config, clock, out = load(file), VirtualClock(), TerminalOutput()
    board = SimulatedBoard(SQUARES, SensorKind.PIECES, clock, sensors=config.sensors, strip=config.strip)

    def sleep(seconds: float) -> None:
        clock.sleep(max(seconds, 0.001))
        if clock.now() > 1_000_000 and not board.table.wood:
            for kind, make in (("white-ring", Make(flat=True)), ("white-ball", Make(magnet=1))):
                board.table.put(
                    TablePiece(kind, make=make), board.table.spots[SQUARES["c3"].index], clock.now()
                )

    look(config, board, out, seconds=2.0, now=lambda: clock.now() / 1_000_000, sleep=sleep)
    shown = out.getvalue().rpartition("\x1b[H")[2].replace("\x1b[K", "")
    assert "  3  .---.---#---.---." in shown
    assert shown.count("#") == 2  # and in the legend
    assert "c3 (mux 0, channel 12 (I12, pin 19)): closed, level " in shown


def test_without_sensors_it_is_one_line_what_is_wrong(monkeypatch):
    from firmware_host.errors import SensorError
    from hardware.electronics import PiElectronics

    def nothing(*_):
        raise SensorError(Message("there is no header: get one"))

    monkeypatch.setattr(PiElectronics, "open_scanner", nothing)
    done = millwright("sensors", "watch", "--seconds", "1")
    assert (done.exit_code, done.output) == (2, "Error: there is no header: get one\n")


# ---- leds test -----------------------------------------------------------------------------------------


def test_each_led_each_colour_and_white_are_shown_within_the_budget(tmp_path):
    settings = load(Path(config(tmp_path, "[lights]\nbudget_ma = 200\n[strip]\nleds = 26\n")))
    clock = VirtualClock()
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, clock, strip=settings.strip)
    said: list[str] = []
    shown = []

    def sleep(seconds: float) -> None:
        assert seconds > 0
        shown.append((said[-1], board.spi.leds))

    show(settings, board, said.append, sleep=sleep)
    assert said[:2] == ["LED 0: d5", "LED 1: e5"]
    assert said[24:26] == ["LED 24: of no point", "LED 25: of no point"]
    assert [word for word in said if word in ("all red", "all green", "all blue", "all white")] == [
        "all red",
        "all green",
        "all blue",
        "all white",
    ]
    assert said[-1] == "all dark"
    for told, leds in shown:
        assert current_ma(leds, settings.lights) <= 200
        if told.startswith("LED "):
            assert [n for n, colour in enumerate(leds) if any(colour)] == [int(told.split()[1].rstrip(":"))]
    assert max(current_ma(leds, settings.lights) for _, leds in shown) > 150
    assert set(board.spi.leds) == {(0, 0, 0)}


def test_one_led_alone_can_be_lit_until_ctrl_c():
    clock = VirtualClock()
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, clock)

    def sleep(_: float) -> None:
        assert [n for n, colour in enumerate(board.spi.leds) if any(colour)] == [7]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        show(Config(), board, lambda _: None, led=7, sleep=sleep)
    assert set(board.spi.leds) == {(0, 0, 0)}


def test_an_led_that_there_is_not_is_refused():
    done = millwright("leds", "test", "--led", "24")
    assert done.exit_code == 2
    assert "there is no LED 24: the strip has 0 to 23" in done.output


def test_every_step_lasts_and_fits_the_strip():
    plan = wiring_of_config(Config())
    for told, seconds, frame in steps(plan):
        assert told
        assert seconds > 0
        assert len(frame) == plan.strip.leds
