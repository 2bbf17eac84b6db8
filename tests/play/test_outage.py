"""Outages: which readings vanish together as no hands could, what is held back, and how that ends."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.i18n import Message
from firmware_host.play.outage import Observation, OutageDetector
from firmware_host.ports import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE, ChipMap, Frame, Reading
from firmware_host.settings import Timing
from hardware.wiring.chips import chip_map
from hardware.wiring.contacts import contacts_of
from hardware.wiring.pinout import header_pin
from hardware.wiring.plan import BoardPlan

FRAME = 5_000
CLEARED = Timing().cleared_ms * 1000
NAMES = [Message("fault.chip.mux", {"count": chip}) for chip in range(3)]
BUS = Message("fault.bus.mux")
CHIPS = ChipMap(NAMES, BUS, {(index, SOMETHING): (index // 8,) for index in range(24)})
POLES = ChipMap(
    NAMES, BUS, {(index, pole): (pole - 1,) for index in range(24) for pole in (WHITE_PIECE, BLACK_PIECE)}
)

WIRES = [Message("fault.wire.row", {"count": n, "gpio": n, "pin": n}) for n in range(10)]
MATRIX = ChipMap(
    WIRES, BUS, {(index, SOMETHING): (index // 6, 4 + index % 6) for index in range(24)}, wires=True
)


class Watch:
    """A detector that is given a frame every 5 ms, by the indexes of the points and their readings."""

    def __init__(self, chips: ChipMap | None = CHIPS, *stands: int, masked: Collection[int] = ()) -> None:
        self.detector = OutageDetector(MORRIS, Timing(), chips)
        self.now = 0
        self.masked = masked
        self.expected = frame_of(*range(24))
        assert self.see(*stands) == [(frame_of(*stands), 0)]

    def see(self, *stands: int, after: int = FRAME) -> list[Observation]:
        return self.see_frame(frame_of(*stands), after)

    def see_frame(self, frame: Frame, after: int = FRAME) -> list[Observation]:
        observations = list(
            self.detector.frames_to_judge(frame, self.now, expected=lambda: self.expected, masked=self.masked)
        )
        self.last, self.now = self.now, self.now + after
        return observations

    @property
    def key(self) -> str:
        return "" if self.detector.reason is None else self.detector.reason.key


def frame_of(*stands: int, reading: Reading = SOMETHING) -> Frame:
    return tuple(reading if index in stands else NOTHING for index in range(24))


def test_three_points_of_different_chips_are_hands() -> None:
    watch = Watch(CHIPS, 0, 1, 8, 9, 16)
    assert watch.see(1, 9) != []
    assert watch.detector.reason is None


def test_four_points_in_one_frame_are_an_outage() -> None:
    watch = Watch(CHIPS, 0, 1, 8, 9, 16)
    assert watch.see(9) == []
    points = tuple(sorted(MORRIS.points[index].name for index in (0, 1, 8, 16)))
    assert watch.detector.reason == Message("fault.outage.bus", {"points": points, "text": BUS})


def test_three_points_are_an_outage_if_they_are_all_of_a_chip() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8)
    assert watch.see(8) == []
    reason = watch.detector.reason
    assert reason is not None
    assert (reason.key, reason.args["text"]) == ("fault.outage.chip", NAMES[0])


@pytest.mark.parametrize(("begun", "matched"), [((), ()), ((1, 9), (1, 9))], ids=["empty", "set up"])
def test_outage_ends_as_the_board_matches_another_game(
    begun: tuple[int, ...], matched: tuple[int, ...]
) -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8, 9)
    assert watch.see(9) == []  # the piece of 8 is in somebody's hand
    watch.expected = frame_of(*begun)
    if begun:
        assert watch.see(0, 9) == []
    assert watch.see(*matched) == [(frame_of(*matched), watch.last)]
    assert watch.detector.reason is None


def test_three_of_the_four_points_of_a_chip_are_hands() -> None:
    assert Watch(CHIPS, 0, 1, 2, 3).see(3) != []


def test_two_points_that_are_all_of_a_chip_are_hands() -> None:
    assert Watch(CHIPS, 0, 1, 8).see(8) != []


@pytest.mark.parametrize(
    ("points", "wire"), [((6, 7, 11), 1), ((0, 1, 2, 3, 4, 5), 0), ((4, 10, 16), 8), ((2, 8, 14, 20), 6)]
)
def test_a_loose_wire_of_a_matrix_is_named(points: tuple[int, ...], wire: int) -> None:
    watch = Watch(MATRIX, *points, 21)
    assert watch.see(21) == []
    reason = watch.detector.reason
    assert reason is not None
    assert (reason.key, reason.args["text"]) == ("fault.outage.wire", WIRES[wire])


def test_three_of_the_four_points_of_a_column_are_hands() -> None:
    assert Watch(MATRIX, 2, 8, 14, 20).see(20) != []


def test_a_wire_works_again_as_soon_as_one_of_its_points_does() -> None:
    watch = Watch(MATRIX, 2, 8, 14, 20, 21)
    assert watch.see(21) == []
    assert watch.see(14, 21) == [(frame_of(14, 21), watch.last)]
    assert watch.detector.reason is None


def test_where_chips_are_unknown_four_points_are_an_outage_without_a_name() -> None:
    watch = Watch(None, 0, 1, 2, 3)
    assert watch.see() == []
    assert watch.key == "fault.outage"


def test_where_chips_are_unknown_three_points_are_hands() -> None:
    assert Watch(None, 0, 1, 2).see() != []


def test_points_that_open_one_frame_after_the_other_are_hands() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 3)
    assert all([watch.see(1, 2, 3), watch.see(2, 3), watch.see(3), watch.see()])


def test_points_that_open_while_others_close_are_hands() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 3)
    assert watch.see(8) != []


def test_what_stands_at_the_first_frame_is_no_outage() -> None:
    assert Watch(CHIPS).detector.reason is None


def test_pieces_that_the_game_does_not_have_may_vanish_together() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8, 9, 10)
    watch.expected = frame_of(0, 1, 8, 20)
    assert watch.see() != []


def test_only_pieces_of_the_game_must_come_back() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 3)
    watch.expected = frame_of(0, 1, 2)
    assert watch.see() == []
    assert watch.see(0, 1, 2) == [(frame_of(0, 1, 2), watch.last)]


def test_masked_points_are_ignored() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 3, masked=[0, 1])
    assert watch.see() != []
    watch = Watch(CHIPS, 0, 1, 2, 8, masked=[8])
    assert watch.see() == []
    assert watch.see(0, 1, 2) != []


def test_masking_what_dropped_out_ends_an_outage() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8)
    watch.see(8)
    watch.masked = [0, 1, 2]
    assert watch.see(8) != []


def test_an_outage_ends_when_the_pieces_are_back() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8)
    assert [watch.see(8), watch.see(8, after=60_000_000)] == [[], []]
    assert watch.see(0, 1, 2, 8) == [(frame_of(0, 1, 2, 8), watch.last)]
    assert watch.detector.reason is None


def test_a_piece_lifted_in_an_outage_is_seen_at_its_end() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8)
    assert [watch.see(8), watch.see()] == [[], []]
    assert watch.see(0, 1, 2) == [(frame_of(0, 1, 2), watch.last)]


def test_a_chip_that_reports_some_of_its_pieces_is_back() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8)
    watch.see(8)
    assert watch.see(0, 8) == [(frame_of(0, 8), watch.last)]


def test_a_chip_that_is_back_does_not_end_the_outage_of_another() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8, 9)
    watch.see()
    assert watch.see(0, 1, 2) == []
    assert watch.see(0, 1, 2, 8, 9) != []


def test_another_chip_joins_an_outage() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8, 9, 10)
    watch.see(8, 9, 10)
    assert watch.see() == []
    assert watch.key == "fault.outage.bus"
    assert watch.see(0, 1, 2) == []
    assert watch.see(0, 1, 2, 8, 9, 10) != []


def test_a_point_that_closes_elsewhere_ends_an_outage() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8)
    watch.see(8)
    assert watch.see(8, 20) == [(frame_of(8, 20), watch.last)]


def test_a_board_that_stays_empty_is_an_outage_until_hands_act() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8)
    assert watch.see(after=CLEARED) == []
    began = watch.last
    assert watch.see(20) == [(frame_of(), began), (frame_of(), watch.last), (frame_of(20), watch.last)]


@pytest.mark.parametrize("point", [0, 20])
def test_before_the_board_counts_as_cleared_hands_end_it(point: int) -> None:
    watch = Watch(CHIPS, 0, 1, 2)
    watch.see(after=CLEARED - 1)
    assert watch.see(point) == [(frame_of(point), watch.last)]


def test_pieces_that_all_come_back_to_an_empty_board_are_no_new_game() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 8)
    watch.see(after=CLEARED)
    assert watch.see(0, 1, 2, 8) == [(frame_of(0, 1, 2, 8), watch.last)]


def test_each_pole_of_a_point_has_its_own_chip() -> None:
    frame = (WHITE_PIECE, WHITE_PIECE, WHITE_PIECE, BLACK_PIECE, *[NOTHING] * 20)
    watch = Watch(POLES)
    watch.detector = OutageDetector(MORRIS, Timing(), POLES)
    assert watch.see_frame(frame) != []
    assert watch.see_frame((*[NOTHING] * 3, *frame[3:])) == []
    reason = watch.detector.reason
    assert reason is not None
    assert reason.args["text"] == NAMES[0]


def test_stacks_count_as_opened_only_when_nothing_is_left() -> None:
    stack, ring = Reading.of_stack([1, 2]), Reading.of_stack([1])
    chips = ChipMap(NAMES, BUS, {(index, NOTHING): (index // 16,) for index in range(25)})
    before = (*[stack] * 3, *[NOTHING] * 22)
    for left, outage in ((ring, False), (NOTHING, True)):
        detector = OutageDetector(SQUARES, Timing(), chips)
        detector.frames_to_judge(before, 0, expected=lambda: before)
        detector.frames_to_judge((*[left] * 3, *[NOTHING] * 22), FRAME, expected=lambda: before)
        assert (detector.reason is not None) == outage


def test_what_changed_while_nothing_was_read_is_no_outage() -> None:
    watch = Watch(CHIPS, 0, 1, 2, 3)
    watch.detector.interrupt()
    assert watch.see(0, 1, 2, 3, after=2 * FRAME) != []  # not accepted before the debounce time is over
    assert watch.see() != []
    assert watch.see(0, 1, 2, 3) != []
    assert watch.see() == []


def test_all_pieces_of_a_board_that_vanish_and_return_as_one_failed() -> None:
    watch = Watch(CHIPS, 0, 1)
    assert watch.see(after=60_000_000) != []
    assert watch.detector.late_reason is None
    assert watch.see(0, 1) == [(frame_of(0, 1), watch.last)]
    reason = watch.detector.late_reason
    assert reason is not None
    assert (reason.key, reason.args["text"]) == ("fault.outage.chip", NAMES[0])
    watch.see(0, 1)
    assert watch.detector.late_reason is None


def test_pieces_of_two_chips_that_return_as_one_failed_with_the_bus() -> None:
    watch = Watch(CHIPS, 0, 8)
    watch.see()
    watch.see(0, 8)
    points = tuple(sorted(MORRIS.points[index].name for index in (0, 8)))
    assert watch.detector.late_reason == Message("fault.outage.bus", {"points": points, "text": BUS})


@pytest.mark.parametrize(
    "seen",
    [
        ((0, 1), (0,), (), (0, 1)),
        ((0, 1), (), (0,), (0, 1)),
        ((0, 1), (), (0, 2)),
        ((0, 1), (), (0, 1, 2)),
        ((0, 1), (), (20,), (), (0, 1)),
        ((0, 1, 8), (8,), (0, 1, 8)),
        ((0,), (), (0,)),
        ((), (0, 1)),
    ],
)
def test_pieces_that_come_and_go_otherwise_are_hands(seen: tuple[tuple[int, ...], ...]) -> None:
    watch = Watch(CHIPS, *seen[0])
    for stands in seen[1:]:
        assert watch.see(*stands) != []
        assert watch.detector.late_reason is None


def test_pieces_of_other_colours_that_return_are_hands() -> None:
    watch = Watch(POLES)
    watch.see_frame((WHITE_PIECE, BLACK_PIECE, *[NOTHING] * 22))
    watch.see()
    watch.see_frame((BLACK_PIECE, WHITE_PIECE, *[NOTHING] * 22))
    assert watch.detector.late_reason is None


def test_masked_points_do_not_matter_to_pieces_that_return() -> None:
    watch = Watch(CHIPS, 0, 1, 20, masked=[20])
    watch.see(20)
    watch.see()
    watch.see(0, 1)
    assert watch.detector.late_reason is not None


def test_what_returns_while_nothing_was_read_may_be_hands() -> None:
    watch = Watch(CHIPS, 0, 1)
    watch.see()
    watch.detector.interrupt()
    watch.see(0, 1)
    assert watch.detector.late_reason is None


@pytest.mark.parametrize(
    ("chips", "expected", "stands", "failed"),
    [
        (CHIPS, (0, 1, 2, 8, 16), (8, 16), NAMES[0]),  # the chip reports none of its pieces
        (CHIPS, (8, 16), (*range(8), 8, 16), NAMES[0]),  # and here one at each of its points
        (MATRIX, (0, 1, 2, 8, 16), (8, 16), WIRES[0]),
        (CHIPS, (0, 1, 2, 8, 16), (2, 8, 16), None),  # two pieces may have been taken
        (CHIPS, (0, 1, 2, 3, 8), (3, 8), None),  # it still reports one
        (CHIPS, (0, 1, 2, 8, 16), (16,), None),  # another chip lacks one as well
        (CHIPS, (8, 16), (0, 1, 2, 8, 16), None),
        (None, (0, 1, 2, 8, 16), (8, 16), None),
    ],
)
def test_failed_part_explains_three_points_or_more(
    chips: ChipMap | None, expected: tuple[int, ...], stands: tuple[int, ...], failed: Message | None
) -> None:
    detector = OutageDetector(MORRIS, Timing(), chips)
    advice = detector.failed_part(frame_of(*stands), frame_of(*expected))
    key = "advice.failed.wire" if failed in WIRES else "advice.failed"
    assert advice == (failed and Message(key, {"text": failed}))


def test_failed_part_ignores_masked_sensors() -> None:
    detector = OutageDetector(MORRIS, Timing(), CHIPS)
    board = frame_of(8), frame_of(0, 1, 2, 8)
    assert detector.failed_part(*board) == Message("advice.failed", {"text": NAMES[0]})
    assert detector.failed_part(*board, masked={2}) is None


@pytest.mark.parametrize("kind", ["mux", "mcp3008"])
@pytest.mark.parametrize("line", [0, 1, 2])
def test_failed_part_names_a_select_line(kind: str, line: int) -> None:
    is_linear = kind == "mcp3008"
    layout, alphabet = (SQUARES, "pieces") if is_linear else (MORRIS, "polarity")
    sensors = BoardPlan.recommended(layout, alphabet, kind).sensors
    wires = contacts_of(layout, sensors)
    pieces = {point.index: Reading(1 + point.index % 2) for point in layout.points if point.index % 5}
    expected = tuple(pieces.get(point.index, NOTHING) for point in layout.points)
    places = {wire: contact for contact, wire in wires.items()}

    def read(index: int) -> Reading:
        """Return what the sensors of a point read while the chips take that line for low."""
        found = NOTHING
        for (point, reading), (chip, channel) in wires.items():
            other = places.get((chip, channel & ~(1 << line)))
            if point == index and other is not None:
                stands = expected[other[0]]
                found = stands if is_linear else reading if stands == other[1] else found
        return found

    frame = tuple(read(point.index) for point in layout.points)
    advice = OutageDetector(layout, Timing(), chip_map(layout, sensors)).failed_part(frame, expected)
    gpio = sensors.select[line]
    name = Message("fault.wire.select", {"count": line, "gpio": gpio, "pin": header_pin(gpio)})
    assert advice == Message("advice.failed.wire", {"text": name})
