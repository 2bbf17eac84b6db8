"""Hands at the simulated table: each verb, and its errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import HandsError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from sim.table.hands import TableHands
from sim.table.table import Make, Table


class NotedElectronics:
    """Notes what was broken."""

    def __init__(self) -> None:
        self.faults: list[Mapping[str, Any]] = []

    def press(self, lasts: int) -> None:
        """There is no button."""

    def release(self) -> None:
        """There is no button."""

    def inject(self, described: Mapping[str, Any]) -> None:
        self.faults.append(described)

    def repair(self) -> None:
        self.faults.clear()


class TableWithHands:
    """A table, hands and a clock."""

    def __init__(self, pieces: int = 3) -> None:
        self.table = Table(MORRIS)
        self.table.stock({"white": pieces, "black": pieces})
        self.electronics = NotedElectronics()
        self.hands = TableHands(self.table, self.electronics)
        self.now = 0

    def do(self, **command: Any) -> None:
        self.now += self.hands.do(command, self.now)
        self.table.catch_up(self.now)

    @property
    def standing(self) -> dict[str, str]:
        found = {point.name: self.table.standing(point, self.now) for point in MORRIS.points}
        return {name: piece.kind for name, piece in found.items() if piece is not None}

    @property
    def state(self) -> tuple[dict[str, str], list[str], Counter[str], int]:
        """All that a command can change."""
        box = Counter(piece.kind for piece in self.table.box)
        return self.standing, self.hands.held, box, len(self.electronics.faults)


@pytest.fixture
def place() -> TableWithHands:
    place = TableWithHands()
    place.do(put="d6", piece="white")
    place.do(put="f4", piece="black")
    return place


def test_a_piece_is_put_from_the_hands_before_the_box(place: TableWithHands) -> None:
    place.do(lift="d6")
    place.do(put="a1", piece="white")
    assert place.state == ({"a1": "white", "f4": "black"}, [], Counter(white=2, black=2), 0)


def test_without_a_kind_the_piece_lifted_last_is_put(place: TableWithHands) -> None:
    place.do(lift="d6")
    place.do(lift="f4")
    place.do(put="g1")
    assert place.standing == {"g1": "black"}
    place.do(put="g4")
    assert place.standing == {"g1": "black", "g4": "white"}


def test_a_slide_takes_its_time_and_passes_what_lies_on_its_way(place: TableWithHands) -> None:
    began = place.now
    place.do(slide=["d6", "b6", "b4"], seconds=0.6)
    assert place.now - began == 600_000
    assert place.table.standing(MORRIS["b6"], began + 300_000) is not None
    assert place.standing == {"b4": "white", "f4": "black"}


def test_a_slide_passes_beside_other_pieces(place: TableWithHands) -> None:
    place.do(slide=["d6", "b4"], seconds=0.4)
    assert place.standing == {"b4": "white", "f4": "black"}


def test_what_is_in_the_hands_goes_to_the_box(place: TableWithHands) -> None:
    place.do(lift="d6")
    place.do(lift="f4")
    place.do(box=True)
    assert place.state == ({}, [], Counter(white=3, black=3), 0)
    place.do(box=True)


def test_a_jolt_moves_all_that_it_names(place: TableWithHands) -> None:
    place.do(put="a1", piece="black")
    place.do(knock={"d6": "f4", "f4": "d6", "a1": None})
    assert place.state == ({"d6": "black", "f4": "white"}, [], Counter(white=2, black=2), 0)


def test_a_jolt_moves_no_two_pieces_at_the_same_moment(place: TableWithHands) -> None:
    place.do(put="a1", piece="black")
    assert place.hands.do({"knock": {"d6": "f4", "f4": "d6", "a1": None}}, 0) == 20_000
    seen = []
    for now in (0, 9_999, 10_000, 19_999, 20_000):
        place.table.catch_up(now)
        seen.append(sorted(place.standing))
    assert seen == [["a1", "f4"], ["a1", "f4"], ["a1", "d6", "f4"], ["a1", "d6", "f4"], ["d6", "f4"]]


def test_a_jolted_piece_that_finds_its_point_taken_ends_in_the_box(place: TableWithHands) -> None:
    place.do(knock={"d6": "f4", "f4": "a1"}, meanwhile=True)
    assert [piece.kind for piece in place.table.air] == ["white"]
    place.do(lift="f4")
    place.do(put="f4")
    place.now = 10_000
    place.table.catch_up(place.now)
    assert place.state == ({"f4": "black"}, [], Counter(white=3, black=2), 0)


def test_a_jolted_piece_can_be_caught(place: TableWithHands) -> None:
    place.do(knock={"d6": "f4", "f4": "a1"}, meanwhile=True)
    place.do(put="g1", piece=1)
    place.now = 20_000
    place.table.catch_up(place.now)
    assert place.standing == {"a1": "black", "g1": "white"}


def test_a_sweep_takes_the_pieces_one_after_the_other(place: TableWithHands) -> None:
    place.do(put="a1", piece="black")
    place.do(lift="f4")
    place.do(put="d5", piece="white")
    assert place.hands.do({"sweep": True}, 0) == 40_000
    seen = []
    for now in (0, 19_999, 20_000, 40_000):
        place.table.catch_up(now)
        seen.append(len(place.standing))
    assert seen == [2, 2, 1, 0]
    assert place.state == ({}, [], Counter(white=3, black=3), 0)


def test_in_a_sweep_what_is_moved_by_hand_stays(place: TableWithHands) -> None:
    place.do(sweep=True, meanwhile=True)
    left = next(iter(place.standing))
    place.do(lift=left)
    place.do(put="g1")
    place.now = 1_000_000
    place.table.catch_up(place.now)
    assert set(place.standing) == {"g1"}


def test_faults_are_the_electronics_own_affair(place: TableWithHands) -> None:
    place.do(fault={"point": "d6", "kind": "weak"})
    assert place.electronics.faults == [{"point": "d6", "kind": "weak"}]
    place.do(repair=True)
    assert place.electronics.faults == []


WRONG = [
    ({"lift": "a1"}, "there is no piece on a1 to lift"),
    ({"put": "a1"}, "there is nothing in your hand"),
    ({"put": "f4", "piece": "white"}, "a black piece stands on f4 already"),
    ({"put": "a1", "piece": "green"}, "there is no green piece in your hand or the box; known are"),
    ({"put": "a1", "piece": True}, '"piece" must be a kind'),
    ({"put": "d8", "piece": "white"}, "there is no point 'd8'"),
    ({"put": 6, "piece": "white"}, "a point must be a text"),
    ({"put": ["d6"], "piece": "white"}, 'a place that is not a point such as "d6" must be two numbers'),
    ({"put": [80, float("nan")], "piece": "white"}, "must be two numbers"),
    ({"put": [80, True], "piece": "white"}, "must be two numbers"),
    ({"put": [80, 1e300], "piece": "white"}, "must be two numbers"),
    ({"put": [-21, 0], "piece": "white"}, "[-21, 0] is not on the board"),
    ({"put": [106, 200], "piece": "white"}, "a white piece lies too near to [106, 200]"),
    ({"put": "a1", "piece": 1}, "piece 1 is on the board: it must be lifted first"),
    ({"put": "a1", "piece": 9}, "there is no piece 9"),
    ({"lift": 9}, "there is no piece 9"),
    ({"lift": [120, 215]}, "there is no piece at [120, 215] to lift"),
    ({"slide": ["a1", "a4"]}, "there is no piece on a1 to slide"),
    ({"slide": ["d6", "f6", "f4"]}, "the black piece on f4 is in the way"),
    ({"slide": ["d6", "f6", "f4", "f2"]}, "the black piece on f4 is in the way"),
    ({"slide": ["d6"]}, "a list of two places or more"),
    ({"slide": ["d6", "d6"]}, "from each place to another"),
    ({"slide": ["d6", "d5"], "seconds": -1}, '"seconds" must be a number of seconds from 0 to 60'),
    ({"slide": ["d6", "d5"], "seconds": float("nan")}, '"seconds" must be a number'),
    ({"slide": ["d6", "d5"], "seconds": True}, '"seconds" must be a number'),
    ({"slide": ["d6", [120, 500]]}, "a slide stays on the board"),
    ({"push": "d6"}, '"push" needs "to"'),
    ({"push": "a1", "to": "d6"}, "there is no piece on a1 to push"),
    ({"push": 2, "to": "d6", "seconds": 61}, '"seconds" must be a number of seconds from 0 to 60'),
    ({"flick": "d6"}, '"flick" needs "speed"'),
    ({"flick": "d6", "speed": 800}, "speed must be two numbers"),
    ({"flick": "d6", "speed": [8000, 8000]}, '"speed" must be at most 10000 mm/s'),
    ({"sweep": 1}, '"sweep" must be true'),
    ({"knock": {"a1": "a4"}}, "there is no piece on a1 to knock"),
    ({"knock": {"d6": "a1", "a4": None}}, "there is no piece on a4 to knock"),
    ({"knock": {"d6": "f4"}}, "two pieces cannot come to stand on f4"),
    ({"knock": {"d6": "a1", "f4": "a1"}}, "two pieces cannot come to stand on a1"),
    ({"knock": {"d6": "d6"}}, "takes the piece on d6 elsewhere"),
    ({"knock": []}, '"knock" must be an object'),
    ({"box": 1}, '"box" must be true'),
    ({"repair": False}, '"repair" must be true'),
    ({"fault": "weak"}, '"fault" must be an object'),
    ({"lift": "d6", "box": True}, "'lift' and 'box' cannot be done in one"),
    ({"lift": "d6", "gently": True}, "'lift' takes no 'gently'; it takes nothing else"),
    ({}, "nothing to do: an object has exactly one of box, fault, flick, knock, lift, press, push"),
]


@pytest.mark.parametrize(("command", "text"), WRONG, ids=[str(command) for command, _ in WRONG])
def test_what_hands_cannot_do_is_an_error_and_changes_nothing(
    place: TableWithHands, command: dict[str, Any], text: str
) -> None:
    before = place.state
    with pytest.raises(HandsError) as error:
        place.do(**command)
    assert text in str(error.value)
    assert place.state == before


def test_the_box_runs_out() -> None:
    place = TableWithHands(pieces=1)
    place.do(put="d6", piece="white")
    with pytest.raises(HandsError, match=r"in your hand or the box$"):
        place.do(put="d5", piece="white")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ({"lift": "a1"}, Message("hands.none-there", {"points": ("a1",)})),
        ({"knock": {"a1": None}}, Message("hands.none-there", {"points": ("a1",)})),
        ({"put": "f4", "piece": "white"}, Message("hands.stands", {"points": ("f4",)})),
        ({"put": [120, 205], "piece": "white"}, Message("hands.too-near")),
        ({"put": [2000, 0], "piece": "white"}, Message("hands.off-board")),
        ({"put": "d5"}, Message("hands.empty")),
        ({"put": "d5", "piece": 1}, Message("hands.on-board")),
        ({"put": "d5", "piece": "green"}, Message("hands.none-left")),
    ],
    ids=str,
)
def test_what_a_page_can_ask_in_vain_is_said_in_its_language(
    place: TableWithHands, command: dict[str, Any], said: Message
) -> None:
    with pytest.raises(HandsError) as error:
        place.do(**command)
    assert error.value.message == said


def test_push_of_a_lifted_piece_raises_a_translated_error(place: TableWithHands) -> None:
    place.do(lift="d6")
    with pytest.raises(HandsError) as error:
        place.do(push=1, to=[0, 0])
    assert error.value.message == Message("hands.gone")


points = st.sampled_from(["d6", "d7", "g7", "f4"])
commands = st.one_of(
    st.builds(lambda p, k: {"put": p, "piece": k}, points, st.sampled_from(["white", "black"])),
    st.builds(lambda p: {"put": p}, points),
    st.builds(lambda p: {"lift": p}, points),
    st.builds(lambda p, q: {"slide": [p, q], "seconds": 0.1}, points, points),
    st.builds(lambda p, q: {"knock": {p: q}}, points, st.none() | points),
    st.just({"box": True}),
)


@given(st.lists(commands, max_size=30))
def test_no_piece_is_lost_or_doubled_whatever_hands_do(life: list[dict[str, Any]]) -> None:
    place = TableWithHands(pieces=2)
    for command in life:
        before = place.state
        try:
            place.do(**command)
        except HandsError:
            assert place.state == before
        standing, held, box, _ = place.state
        assert Counter([*standing.values(), *held]) + box == Counter(white=2, black=2)


# ---- stacks ----------------------------------------------------------------------------------------------


@pytest.fixture
def stacked() -> TableWithHands:
    place = TableWithHands()
    makes = {"white-ring": Make(flat=True), "white-ball": Make(magnet=1)}
    place.table.stock({"white": 0, "black": 0, "white-ring": 3, "white-ball": 2}, makes)
    for kind in ("white-ring", "white-ball"):
        place.do(put="d6", piece=kind)
    return place


def test_flat_piece_carries_others_and_lift_takes_the_top(stacked: TableWithHands) -> None:
    assert stacked.standing == {"d6": "white-ball"}
    stacked.do(lift="d6")
    assert stacked.hands.held == ["white-ball"]
    assert stacked.standing == {"d6": "white-ring"}
    stacked.do(put="d6", piece="white-ring")
    stacked.do(put="d6", piece="white-ball")
    assert len(stacked.table.stack(stacked.table.spots[MORRIS["d6"].index], stacked.now)) == 3


def test_nothing_is_put_on_what_is_not_flat(stacked: TableWithHands) -> None:
    before = stacked.state
    for kind in ("white-ring", "white-ball"):
        with pytest.raises(HandsError, match="a white-ball piece stands on d6 already"):
            stacked.do(put="d6", piece=kind)
    assert stacked.state == before


def test_nothing_is_drawn_from_under_another_piece(stacked: TableWithHands) -> None:
    ring = next(piece for piece in stacked.table.wood if piece.kind == "white-ring")
    with pytest.raises(HandsError, match="a white-ball piece lies on piece"):
        stacked.do(lift=stacked.table.number(ring))
    with pytest.raises(HandsError) as error:
        stacked.do(lift=stacked.table.number(ring))
    assert error.value.message == Message("hands.beneath")
