"""Magnets and the contacts that feel them."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from hardware.wiring.contacts import READINGS
from sim.electronics.contacts import ContactFault
from sim.electronics.reeds import SensorField
from sim.scheduler import Scheduler
from sim.table.table import Spot, Table, TablePiece
from tests.support.examples import few

MM = st.floats(-20, 260)
SPOTS = st.builds(Spot, MM, MM)


class ReedTable:
    """A table with contacts under it, which show when they are closed."""

    def __init__(self, alphabet: SensorKind = SensorKind.PRESENCE) -> None:
        self.agenda = Scheduler()
        self.table = Table(MORRIS)
        self.closed: set[tuple[int, int]] = set()
        contacts = [(point.index, reading) for point in MORRIS.points for reading in READINGS[alphabet]]
        self.field = SensorField(
            self.agenda,
            alphabet,
            self.table.spots,
            {c: lambda on, c=c: (self.closed.add if on else self.closed.discard)(c) for c in contacts},
        )
        self.table.watch(self.field.follow)

    def felt(self) -> set[str]:
        """The points where a magnet is near."""
        return {str(MORRIS.points[at]) for (at, _), switch in self.field.switches.items() if switch.near}

    def spot(self, name: str, x: float = 0, y: float = 0) -> Spot:
        at = self.table.spots[MORRIS[name].index]
        return Spot(at.x + x, at.y + y)


def test_a_contact_closes_at_10_mm_and_opens_at_12():
    wood, piece = ReedTable(), TablePiece("white")
    for now, (away, felt) in enumerate(
        [(11, False), (10, True), (11, True), (12, True), (12.1, False), (11, False)]
    ):
        wood.table.put(piece, wood.spot("d6", x=away), now)
        assert wood.felt() == ({"d6"} if felt else set())


@pytest.mark.parametrize(("strength", "felt"), [(1 / 8, False), (1.0, True), (8.0, True)])
def test_a_weak_magnet_must_come_nearer(strength, felt):
    wood, piece = ReedTable(), TablePiece("white", strength)
    wood.table.put(piece, wood.spot("d6", x=5.1), 0)
    assert wood.felt() == ({"d6"} if felt else set())


@pytest.mark.parametrize(("kind", "reading"), [("white", 1), ("black", 2)])
def test_with_polarity_only_one_of_a_points_contacts_feels_a_piece(kind, reading):
    wood = ReedTable(SensorKind.POLARITY)
    wood.table.put(TablePiece(kind), wood.spot("d6"), 0)
    wood.agenda.run(10_000)
    assert wood.closed == {(MORRIS["d6"].index, reading)}


def test_a_piece_that_slides_past_closes_each_contact_on_its_way_for_a_while():
    wood, piece = ReedTable(), TablePiece("white")
    wood.table.put(piece, wood.spot("g7"), 0)
    wood.table.push(piece, [wood.spot("d7"), wood.spot("a7")], 0, 1_200_000)  # 240 mm at 0.2 m/s
    felt = {}
    for now in range(0, 1_400_000, 1000):
        wood.agenda.run(now)
        for name in wood.felt():
            felt.setdefault(name, []).append(now)
    assert set(felt) == {"g7", "d7", "a7"}
    assert 0.1e6 < felt["d7"][-1] - felt["d7"][0] < 0.12e6
    assert felt["a7"][-1] == 1_399_000


@few(20)
@given(spots=st.lists(SPOTS, min_size=2, max_size=5), seconds=st.floats(0.05, 3), strength=st.floats(0.3, 3))
def test_what_is_felt_on_the_way_is_what_one_feels_who_looks_every_moment(spots, seconds, strength):
    """Worked out against sampled: they may differ only within a step of the sampling from a crossing."""
    wood, piece = ReedTable(), TablePiece("white", strength)
    wood.table.put(piece, spots[0], 0)
    until = round(seconds * 1_000_000)
    wood.table.push(piece, spots[1:], 0, until)
    track, feel = wood.table.wood[piece], wood.field._feel.of(piece)
    speed = sum(a.to(b) for a, b in pairwise(spots)) / until
    step = until // 300
    for now in range(0, until + step, step):
        wood.agenda.run(now)
        lies = track.at(now)
        for (point, _), switch in wood.field.switches.items():
            distance = wood.table.spots[point].to(lies)
            if distance <= feel.closes_mm - 2 * speed:
                assert switch.near
            elif distance > feel.opens_mm + 2 * speed:
                assert not switch.near


@given(angle=st.floats(0, 6.28), begin=SPOTS)
def test_a_piece_that_turns_just_where_a_contact_closes_is_not_missed(angle, begin):
    wood, piece = ReedTable(), TablePiece("white")
    wood.table.put(piece, begin, 0)
    turn = wood.spot("d6", x=10 * math.cos(angle), y=10 * math.sin(angle))
    wood.table.push(piece, [turn, wood.spot("d6")], 0, 100_000)
    wood.agenda.run(100_000)
    assert "d6" in wood.felt()


@given(via=SPOTS, until=st.integers(10_000, 1_000_000), part=st.floats(0, 1.2))
def test_a_piece_that_is_lifted_on_the_way_is_felt_no_more(via, until, part):
    wood, piece = ReedTable(), TablePiece("white")
    wood.table.put(piece, wood.spot("a1"), 0)
    wood.table.push(piece, [via, wood.spot("g7")], 0, until)
    wood.table.take(piece, round(until * part))
    assert wood.felt() == set()
    wood.agenda.run(10 * until)
    assert (wood.felt(), wood.closed) == (set(), set())


def test_a_piece_that_stands_where_one_stood_is_felt_at_once():
    wood, first, second = ReedTable(), TablePiece("white"), TablePiece("black")
    wood.table.put(first, wood.spot("a1"), 0)
    wood.table.put(second, wood.spot("d1"), 0)
    wood.table.put(first, wood.spot("d1"), 5000)
    wood.table.put(second, wood.spot("a1"), 5000)
    wood.agenda.run(10_000)
    assert wood.felt() == {"a1", "d1"}


@pytest.mark.parametrize("fault", [ContactFault.STUCK_ON, ContactFault.CHATTER])
@pytest.mark.parametrize(("standing", "struck"), [(None, 1), ("white", 1), ("black", 2)])
def test_with_polarity_the_contact_that_is_closed_sticks_else_the_first(fault, standing, struck):
    wood, point = ReedTable(SensorKind.POLARITY), MORRIS["d6"]
    if standing:
        wood.table.put(TablePiece(standing), wood.spot("d6"), 0)
    wood.field.apply_fault(point, fault, 10_000)
    failing = {reading for (at, reading), s in wood.field.switches.items() if s.fault and at == point.index}
    assert failing == {struck}


@pytest.mark.parametrize("fault", [ContactFault.STUCK_OFF, ContactFault.WEAK])
def test_with_polarity_both_contacts_of_a_point_stay_open_or_drop_out(fault):
    wood = ReedTable(SensorKind.POLARITY)
    wood.field.apply_fault(MORRIS["d6"], fault, 0)
    assert [contact for contact, s in wood.field.switches.items() if s.fault is fault] == [
        (MORRIS["d6"].index, 1),
        (MORRIS["d6"].index, 2),
    ]
