"""Tests of the Pico's front end as the host sees it: contacts, light, silence, faults, the watchdog."""

from __future__ import annotations

from binascii import crc_hqx
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware.serial.protocol import HelloRequest, LightFrame, encode, with_checksum
from tests.hardware.pico.bench import PicoBench
from tests.hardware.pico.simulated_pico import DIRECT, FRONT_END, PicoBoard, PicoBuild

pytestmark = pytest.mark.ci("devices")

PLACES = [(n,) for n in range(24)]
DAWN = tuple((n, 19, 0) for n in range(24))
DAWN_BYTES = [bytes([19, n, 0]) for n in range(24)]
DARK_BYTES = [bytes(3)] * 24
KINDS = ("direct", "mux", "matrix")
BOTH = pytest.mark.parametrize("micropython", [False, True])


@pytest.fixture
def board(tmp_path):
    return PicoBoard(tmp_path).ready()


def lit(board: PicoBoard) -> PicoBoard:
    board.board.strip(PLACES).show(DAWN)
    board.passes(20)
    assert board.pico.leds == DAWN_BYTES
    return board


@BOTH
@pytest.mark.parametrize("kind", KINDS)
def test_every_contact_sets_its_own_bit(tmp_path, kind, micropython):
    board = PicoBoard(tmp_path, PicoBuild.of(kind, micropython)).ready()
    for n in range(24):
        board.pico.contact(n, closed=True)
        board.passes(3)
        assert board.levels == tuple(int(k == n) for k in range(24))
        board.pico.contact(n, closed=False)


@pytest.mark.parametrize("kind", KINDS)
def test_any_set_of_contacts_is_reported_as_it_is(tmp_path, kind):
    board = PicoBoard(tmp_path, PicoBuild.of(kind)).ready()
    rng = Random(11)
    for _ in range(40):
        closed = [rng.randrange(2) for _ in range(24)]
        for n, level in enumerate(closed):
            board.pico.contact(n, closed=bool(level))
        board.passes(3)
        assert list(board.levels) == closed


def test_sixteen_channels_are_counted_in_groups_of_eight(tmp_path):
    build = PicoBuild.of("mux", select=[2, 3, 4, 5], signal=[6, 7])
    board = PicoBoard(tmp_path, build).ready()
    assert (board.board.hello.chips, board.board.hello.channels) == (4, 8)
    board.pico.contact(17, closed=True)
    board.passes(3)
    assert [n for n, level in enumerate(board.levels) if level] == [17]


@pytest.mark.parametrize("kind", ["mux", "matrix"])
def test_without_settling_time_a_wrong_contact_is_read(tmp_path, kind):
    board = PicoBoard(tmp_path, PicoBuild.of(kind, settling_us=0)).ready()
    board.pico.contact(13, closed=True)
    board.passes(3)
    assert board.levels != tuple(int(n == 13) for n in range(24))


def test_a_change_of_a_contact_arrives_within_three_passes(board):
    for closed in (True, False) * 10:
        board.pico.contact(13, closed)
        assert board.until(lambda level=int(closed): board.levels[13] == level) <= 0.015
        board.pico.run(1700)


def test_frames_keep_coming_while_nothing_changes(board):
    before = board.board.lost
    assert board.seconds(5) == set()
    assert (board.board.lost, board.board.damaged) == (before, 0)


@BOTH
def test_light_is_shown_until_the_host_falls_silent(tmp_path, micropython):
    board = lit(PicoBoard(tmp_path, PicoBuild(micropython=micropython)).ready())
    board.seconds(1.5)
    assert board.pico.leds == DAWN_BYTES
    board.pico.run(2_000_000)
    assert board.pico.leds == DAWN_BYTES
    board.pico.run(1_000_000)
    assert board.pico.leds == DARK_BYTES
    board.passes(60)
    assert board.pico.leds == DAWN_BYTES


def test_any_valid_line_counts_as_a_sign_of_life(board):
    lit(board)
    for _ in range(4):
        board.pico.hear(encode(HelloRequest()))
        board.pico.run(1_000_000)
    assert board.pico.leds == DAWN_BYTES


def test_noise_is_no_sign_of_life(board):
    lit(board)
    for _ in range(4):
        board.pico.hear(b"HELLO?*0000\nrubbish\n")
        board.pico.run(1_000_000)
    assert board.pico.leds == DARK_BYTES


@pytest.mark.parametrize("leds", [0, 1, 23, 25, 240])
def test_a_light_frame_for_another_strip_is_ignored(board, leds):
    lit(board)
    frames = board.pico.state["frames"]
    board.pico.hear(encode(LightFrame(0x2A, b"\1" * 3 * leds)))
    board.pico.run(50_000)
    assert (board.pico.leds, board.pico.state["frames"]) == (DAWN_BYTES, frames)


@pytest.mark.parametrize("words", ["L ZZ " + "00" * 72, "L 00 " + "0G" * 72, "L 00_" + "00" * 72])
def test_a_light_frame_that_is_not_hex_is_ignored(board, words):
    lit(board)
    board.pico.hear(with_checksum(words))
    board.pico.run(50_000)
    assert board.pico.leds == DAWN_BYTES


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300) | st.text("HELO?*0123456789ABCDEF \n", max_size=300).map(str.encode))
def test_no_bytes_disturb_a_board_that_plays(board, data):
    lit(board)
    board.pico.hear(data + b"\n")
    assert board.passes(20) == set()
    assert board.pico.leds == DAWN_BYTES
    assert (board.pico.state["resets"], board.pico.state["ended"]) == (0, "")


def test_an_endless_line_is_dropped_and_the_next_one_read(board):
    board.pico.hear(b"x" * 5000)
    assert board.seconds(1) == set()
    board.pico.hear(b"\n")
    lit(board)


@given(st.binary(max_size=100))
def test_the_checksum_is_that_of_the_host(front_end, words):
    assert int(front_end["checksum"](words), 16) == crc_hqx(words, 0)


@pytest.fixture(scope="module")
def front_end(tmp_path_factory):
    folder = tmp_path_factory.mktemp("front_end")
    return PicoBench(FRONT_END.read_text("utf-8"), f"{folder}/", DIRECT).names


FAULTS = [
    ('{"kind": "mux"', "board.json is not JSON."),
    ("[2, 3]", "board.json is not a table."),
    ('{"kind": "muxx"}', 'kind is "muxx". Use one of: direct, linear, matrix, mux.'),
    ('{"kind": ["mux"]}', 'kind is ["mux"]. Use one of'),
    ('{"kind": "mux", "rows": [2]}', "mux has no setting rows. Use: select, signal, settling_us,"),
    ('{"leds": 0}', "leds is 0. Use a number from 1 to 120."),
    ('{"leds": "24"}', 'leds is "24". Use a number'),
    ('{"strip": true}', "strip is true. Use a number"),
    ('{"strip": 24}', "strip has 24. A Pico has GP0 to GP22 and GP26 to GP28."),
    ('{"signal": [0, 1, 22]}', "GP22 is used for strip and signal. Give each its own pin."),
    ('{"signal": 3}', "signal is 3. Use a list of 1 to 26 GPIO numbers."),
    ('{"kind": "linear", "inputs": [25]}', "inputs has 25."),
    ('{"kind": "linear", "inputs": [20]}', "GP20 can't measure. Use GP26, GP27 or GP28 for inputs."),
    ('{"kind": "matrix", "columns": []}', "columns is []. Use a list of 1 to"),
]


@pytest.mark.parametrize(("given", "sentence"), FAULTS)
def test_a_fault_in_the_settings_reaches_the_player(tmp_path, given, sentence):
    board = PicoBoard(tmp_path, PicoBuild(settings=given))
    faults = board.seconds(2)
    assert any(f"cannot read the sensors: the board reports a fault: {sentence}" in fault for fault in faults)
    assert board.pico.state["interrupt"] == 3, "Thonny must be able to stop it"


@BOTH
def test_a_fault_is_over_when_the_settings_are_right(tmp_path, micropython):
    board = PicoBoard(tmp_path, PicoBuild(settings='{"kind": "*ü"}', micropython=micropython))
    assert any('kind is "?' in fault for fault in board.seconds(3))
    if not micropython:  # whose files are in its own process
        (tmp_path / "board.json").unlink()
        board.pico.unplug()
        board.seconds(1)
        board.pico.plug()
        lit(board.ready())


def test_a_board_that_was_unplugged_comes_back_with_its_light(board):
    lit(board)
    board.pico.unplug()
    faults = board.seconds(3)
    assert any("the connection to the board broke" in fault for fault in faults)
    board.pico.plug()
    board.passes(1)
    board.ready()
    board.passes(20)
    assert board.pico.leds == DAWN_BYTES


@BOTH
def test_a_front_end_that_hangs_is_restarted_by_the_watchdog(tmp_path, micropython):
    board = lit(PicoBoard(tmp_path, PicoBuild(micropython=micropython)).ready())
    board.pico.do("hang")
    board.until(lambda: board.pico.state["resets"] == 1, 4)
    board.ready()
    assert board.passes(20) == set()
    assert board.pico.leds == DAWN_BYTES


@BOTH
def test_ctrl_c_stops_it_until_a_host_has_spoken(tmp_path, micropython):
    board = PicoBoard(tmp_path, PicoBuild(micropython=micropython))
    board.pico.hear(b"\3")
    board.pico.run(10_000)
    assert board.pico.state["ended"] == "stopped"
    board.pico.do("power")
    lit(board.ready())
    board.pico.hear(b"\3\n")
    assert board.seconds(1) == set()
    assert (board.pico.state["ended"], board.pico.leds) == ("", DAWN_BYTES)


def test_the_watchdog_starts_with_the_first_line_of_a_host(tmp_path):
    board = PicoBoard(tmp_path)
    board.pico.hear(b"HELLO?*0000\n")
    board.pico.run(1_000_000)
    assert not board.pico.state["watchdog"]
    board.ready()
    assert board.pico.state["watchdog"]


def test_a_host_that_stops_reading_does_not_stop_the_board(board):
    lit(board)
    board.pico.do("stuck 1")
    board.pico.run(20_000_000)
    assert (board.pico.state["resets"], board.pico.leds) == (0, DARK_BYTES)
    board.pico.do("stuck 0")
    board.passes(60)
    assert board.passes(20) == set()
    assert board.pico.leds == DAWN_BYTES


def test_main_runs_until_it_is_stopped_and_leaves_the_strip_dark(tmp_path, monkeypatch):
    bench = PicoBench(FRONT_END.read_text("utf-8"), f"{tmp_path}/", DIRECT)
    bench.stdin.data = encode(LightFrame(1, b"\7" * 72))
    shown = []
    monkeypatch.setattr(bench, "_interrupt", lambda byte: shown.append(bench.leds))
    bench.modules["micropython"].kbd_intr = bench._interrupt

    def wait(us):
        if bench.now_us > 1_000_000:
            raise KeyboardInterrupt
        bench.spend(us)

    monkeypatch.setattr(bench, "wait", wait)
    bench.boot()
    bench.stdin.data = encode(LightFrame(1, b"\7" * 72))
    with pytest.raises(KeyboardInterrupt):
        bench.names["main"]()
    assert shown == [b"\7" * 72]
    assert bench.leds == bytes(72)


def linear(tmp_path, **fields: int) -> PicoBoard:
    board = PicoBoard(tmp_path, PicoBuild.of("linear"))
    board.scanner = board.board.scanner([divmod(n, 8) for n in range(48)])
    return board


def closed(board: PicoBoard) -> list[int]:
    board.passes(4)
    return [n for n, level in enumerate(board.levels) if level]


@BOTH
def test_a_linear_sensor_closes_a_contact_for_each_pole(tmp_path, micropython):
    board = PicoBoard(tmp_path, PicoBuild.of("linear", micropython))
    board.scanner = board.board.scanner([divmod(n, 8) for n in range(48)])
    board.ready()
    for n in (0, 7, 8, 23):
        board.pico.do(f"field {n} 6000")
        assert closed(board) == [n]
        board.pico.do(f"field {n} -6000")
        assert closed(board) == [24 + n]
        board.pico.do(f"field {n} 0")
        assert closed(board) == []


def test_a_linear_contact_opens_later_than_it_closes(tmp_path):
    board = linear(tmp_path).ready()
    reported = []
    for field in (3900, 4100, 3900, 3100, 2900, 3100):
        board.pico.do(f"field 5 {field}")
        reported.append(closed(board) == [5])
    assert reported == [False, True, True, True, False, False]


def test_rest_levels_are_measured_when_the_board_starts_empty(tmp_path):
    board = linear(tmp_path).ready()
    board.pico.do("field 3 3000")
    board.pico.do("power")
    board.pico.do("field 3 6900")
    assert closed(board.ready()) == []
    board.pico.do("field 3 7100")
    assert closed(board) == [3]
    board.pico.do("field 3 -1100")
    assert closed(board) == [24 + 3]


def test_with_pieces_at_the_start_half_the_supply_counts_as_rest(tmp_path):
    board = linear(tmp_path)
    board.pico.do("field 3 3900")
    board.pico.do("field 9 -9000")
    board.pico.do("power")
    assert closed(board.ready()) == [24 + 9]
    board.pico.do("field 3 4100")
    assert closed(board) == [3, 24 + 9]
