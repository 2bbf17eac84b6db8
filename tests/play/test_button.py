"""Presses: what each length of one means, and what is none."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.play.board import SETTLING, ButtonPresses, Press
from tests.support.hands_that_ask import AskingHands

MS = 1000
FRAME = 5 * MS


class ButtonBench:
    """A button that is read every 5 ms."""

    def __init__(self) -> None:
        self.presses = ButtonPresses()
        self.now = 0

    def down(self, lasts_ms: int) -> list[Press]:
        """Return what was meant while the button was down for a time."""
        return self.hold(lasts_ms, down=True)

    def up(self, lasts_ms: int) -> list[Press]:
        """Return what was meant while the button was up for a time."""
        return self.hold(lasts_ms, down=False)

    def hold(self, lasts_ms: int, *, down: bool) -> list[Press]:
        found = []
        for _ in range(lasts_ms * MS // FRAME):
            found.append(self.presses.press_at(self.now, is_down=down))
            self.now += FRAME
        return [press for press in found if press is not None]

    def press(self, lasts_ms: int) -> list[Press]:
        return [*self.down(lasts_ms), *self.up(200)]


@pytest.fixture
def bench() -> ButtonBench:
    bench = ButtonBench()
    bench.up(100)
    return bench


@pytest.mark.parametrize(
    ("lasts_ms", "means"),
    [
        (60, [Press.ASK]),
        (590, [Press.ASK]),
        (600, [Press.PAUSE]),
        (1990, [Press.PAUSE]),
        (2000, []),
        (4990, []),
        (5100, [Press.OFF]),
        (9000, [Press.OFF]),
    ],
)
def test_a_press_means_what_its_length_says(bench: ButtonBench, lasts_ms: int, means: list[Press]) -> None:
    assert bench.press(lasts_ms) == means
    assert not bench.presses.is_stuck


@pytest.mark.parametrize("between_ms", [100, 250, 390])
def test_the_second_of_two_quick_presses_is_another_one(bench: ButtonBench, between_ms: int) -> None:
    assert [*bench.down(150), *bench.up(between_ms)] == [Press.ASK]
    assert bench.press(150) == [Press.TWICE]
    assert bench.press(150) == [Press.ASK], "the third begins again"


def test_two_slow_presses_are_two(bench: ButtonBench) -> None:
    assert [*bench.down(150), *bench.up(410), *bench.press(150)] == [Press.ASK, Press.ASK]


def test_a_long_press_after_a_short_one_pauses(bench: ButtonBench) -> None:
    assert [*bench.down(150), *bench.up(200), *bench.press(1000)] == [Press.ASK, Press.PAUSE]


def test_a_press_counts_when_it_ends(bench: ButtonBench) -> None:
    assert bench.down(300) == []
    assert bench.up(50) == [Press.ASK]


@pytest.mark.parametrize("seed", range(30))
def test_bounce_of_thirty_ms_is_no_second_press(bench: ButtonBench, seed: int) -> None:
    random = Random(seed)

    def bounce() -> list[Press]:
        return [press for _ in range(6) for press in bench.hold(5, down=random.random() < 0.5)]

    assert [*bounce(), *bench.down(300), *bounce(), *bench.up(300)] == [Press.ASK]


def test_a_button_that_is_down_at_the_start_means_nothing() -> None:
    bench = ButtonBench()
    assert bench.press(300) == []
    assert bench.press(300) == [Press.ASK]


def test_a_button_down_for_ten_seconds_is_stuck_until_it_comes_up(bench: ButtonBench) -> None:
    for held_at_start in (False, True):
        one = ButtonBench() if held_at_start else bench
        assert one.down(9900) == ([] if held_at_start else [Press.OFF])
        assert not one.presses.is_stuck
        assert one.down(200) == []
        assert one.presses.is_stuck
        assert one.up(100) == []
        assert not one.presses.is_stuck
        assert one.press(300) == [Press.ASK]


def test_nothing_is_due_while_nothing_can_happen(bench: ButtonBench) -> None:
    presses, began = bench.presses, bench.now
    assert presses.deadline is None
    presses.press_at(began, is_down=True)
    assert presses.deadline == began + SETTLING
    presses.press_at(began + SETTLING, is_down=True)
    assert presses.deadline == began + SETTLING + 5_000 * MS
    assert presses.press_at(began + SETTLING + 5_000 * MS, is_down=True) is Press.OFF
    assert presses.deadline == began + SETTLING + 10_000 * MS
    presses.press_at(began + SETTLING + 10_000 * MS, is_down=True)
    assert presses.is_stuck
    assert presses.deadline is None


# ---- at a board --------------------------------------------------------------------------------------------


def lit(hands: AskingHands) -> dict[str, list[str]]:
    cues: dict[str, list[str]] = hands.state["cues"]
    return cues


def test_two_quick_presses_show_the_last_turn_until_the_board_is_used() -> None:
    hands = AskingHands()
    hands.place("d6 f4")
    for _ in range(2):
        hands.do(press="button", seconds=0.15)
        hands.wait(0.15)
    assert hands.asking is None
    assert lit(hands) == {"f4": ["resting"]}
    hands.wait(60)
    assert lit(hands) == {"f4": ["resting"]}
    hands.do(put="d7", piece="white")
    hands.wait(1)
    assert "destination" in lit(hands)["a1"]
    hands.close()


def test_a_quick_press_after_an_answer_asks_again() -> None:
    hands = AskingHands()
    hands.place("d6 f4")
    hands.do(press="button", seconds=0.15)
    hands.wait(0.1)
    hands.ask("answer", point="e3")
    assert hands.state["status"] == "paused"
    hands.do(press="button", seconds=0.15)
    hands.wait(0.1)
    assert hands.asking is not None
    hands.close()
