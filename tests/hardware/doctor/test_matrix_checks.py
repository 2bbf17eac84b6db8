"""The doctor at a diode matrix: each fault of its wires and diodes is one finding, which names the wire."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.games.layout import MORRIS
from firmware_host.settings import Sensors
from hardware.doctor.findings import Verdict
from hardware.doctor.idle_checks import IdleReadings, check_idle
from hardware.doctor.part_names import PartNames
from hardware.doctor.walk_checks import Visit, Walk, check_walk
from hardware.wiring.contacts import contacts_of, every_wire
from tests.support.examples import few
from tests.support.hardware.doctoring import NAMES, POINT_FAULTS, TURNS, checks, elsewhere, examined, wrong

pytestmark = pytest.mark.ci("devices")

MATRIX = Sensors(kind="matrix")
PARTS = PartNames(MORRIS, MATRIX)
WIRES = every_wire(MATRIX)
CONTACTS = contacts_of(MORRIS, MATRIX)


@pytest.mark.parametrize(
    ("fault", "check", "evidence", "fix"),
    [
        (
            {"row": 1, "kind": "open"},
            "rows",
            "row 1 (GPIO 27, header pin 13) is silent: none of its 6 contacts detected the piece",
            "the wire of row 1 (GPIO 27, header pin 13)",
        ),
        (
            {"column": 2, "kind": "open"},
            "columns",
            "column 2 (GPIO 5, header pin 29) is silent: none of its 4 contacts",
            "the wire of column 2 (GPIO 5, header pin 29)",
        ),
        (
            {"row": 2, "kind": "grounded"},
            "rows",
            "row 2 (GPIO 22, header pin 15) is low although nothing drives it",
            "touches GND",
        ),
        (
            {"column": 3, "kind": "grounded"},
            "columns",
            "column 3 (GPIO 6, header pin 31) is low at each of 4 rows",
            "touches GND",
        ),
        ({"row": [0, 2], "kind": "touching"}, "rows", "touch: 12 contacts closed on both", "row 2 (GPIO 22"),
        ({"column": [1, 4], "kind": "touching"}, "columns", "touch: 8 contacts", "column 4 (GPIO 16"),
        ({"row": 1, "column": 2, "kind": "touching"}, "rows", "conduct both ways without any", "diode of d6"),
        ({"column": 3, "kind": "slow"}, "settling", "wait 20 and 200 us differ", "settling_us = 100 "),
        (
            {"diode": "d6", "kind": "reversed"},
            "diodes",
            "wrong way only: d6 (row 1, column 2)",
            "to row 1 (G",
        ),
        (
            {"diode": "d6", "kind": "shorted"},
            "diodes",
            "both ways: d6 (row 1, column 2)",
            "change that diode",
        ),
        (
            {"diode": "d6", "kind": "open"},
            "silent contacts",
            "d6 (row 1, column 2)",
            "its diode (band to row 1 (GPIO 27, header pin 13)) and its wire to column 2 (GPIO 5, header",
        ),
        ({"point": "d6", "kind": "stuck-on"}, "open contacts", "d6 (row 1, column 2)", "a reed that sticks"),
    ],
)
def test_each_fault_of_a_matrix_is_told_with_its_evidence_and_its_fix(fault, check, evidence, fix):
    (finding,) = wrong(examined(fault, MATRIX))
    assert finding.check == check
    assert evidence in finding.found
    assert fix in finding.fix


@st.composite
def matrix_faults(draw: st.DrawFn, rows: int, columns: int) -> tuple[dict[str, Any], str]:
    """Any fault of a matrix with this number of rows and columns, and the check that should find it."""
    row, column, point = st.integers(0, rows - 1), st.integers(0, columns - 1), st.sampled_from(NAMES)
    two_rows, two_columns = (st.lists(line, min_size=2, max_size=2, unique=True) for line in (row, column))
    kinds: list[tuple[dict[str, st.SearchStrategy[Any]], str]] = [
        ({"row": row, "kind": st.sampled_from(["open", "grounded"])}, "rows"),
        ({"column": column, "kind": st.sampled_from(["open", "grounded"])}, "columns"),
        ({"row": two_rows, "kind": st.just("touching")}, "rows"),
        ({"column": two_columns, "kind": st.just("touching")}, "columns"),
        ({"row": row, "column": column, "kind": st.just("touching")}, "rows"),
        ({"column": column, "kind": st.just("slow")}, "settling"),
        ({"diode": point, "kind": st.sampled_from(["reversed", "shorted"])}, "diodes"),
        ({"diode": point, "kind": st.just("open")}, "silent contacts"),
        ({"wiring": st.sampled_from(TURNS)}, "order"),
        ({"wiring": st.lists(point, min_size=2, max_size=24, unique=True)}, "order"),
        *(
            ({"point": point, "kind": st.just(kind)}, check)
            for kind, check in POINT_FAULTS.items()
            if kind != "wrong-pole"
        ),
    ]
    members, check = draw(st.sampled_from(kinds))
    return {key: draw(value) for key, value in members.items()}, check


@few(3)
@given(matrix_faults(4, 6))
def test_any_single_fault_of_a_matrix_is_found_and_no_other(fault_and_check):
    fault, check = fault_and_check
    assert checks(examined(fault, MATRIX)) == [check]


@pytest.mark.long
@settings(max_examples=100, deadline=None)
@given(matrix_faults(5, 5), st.booleans(), st.integers(0, 99))
def test_any_single_fault_of_another_matrix_is_found(fault_and_check, pull_up, seed):
    sensors = replace(MATRIX, rows=(4, 5, 6, 12, 13), columns=(16, 20, 22, 23, 24), pull_up=pull_up)
    fault, check = fault_and_check
    assert checks(examined(fault, sensors, seed=seed)) == [check]


@pytest.mark.parametrize("pull_up", [True, False])
def test_nothing_is_wrong_with_a_good_matrix(pull_up):
    findings = examined(None, replace(MATRIX, pull_up=pull_up))
    assert wrong(findings) == []
    passed = {finding.check for finding in findings if finding.verdict is Verdict.PASS}
    assert {"rows", "columns", "diodes", "settling", "order"} <= passed


def test_diodes_that_are_all_turned_round_are_one_fault_that_settings_can_fix():
    exchanged = replace(MATRIX, rows=MATRIX.columns, columns=MATRIX.rows)
    (finding,) = wrong(examined(sensors=MATRIX, truth=exchanged))
    assert finding.found == "all 24 contacts conduct the wrong way only"
    assert f"rows = {list(exchanged.rows)} and columns = {list(exchanged.columns)}" in finding.fix


@pytest.mark.parametrize(
    ("settings_", "words"),
    [
        ({"rows": (27, 17, 22, 23)}, "row 0 is read where 1 should be and row 1 is read where 0 should be: "),
        ({"columns": (24, 25, 5, 6, 20, 16)}, "column 4 is read where 5 should be and column 5 is"),
    ],
)
def test_lines_that_have_changed_places_are_told_as_lines(settings_, words):
    (finding,) = wrong(examined(sensors=replace(MATRIX, **settings_), truth=MATRIX))
    assert finding.check == "order"
    assert finding.found.startswith(words)


def test_reeds_on_other_crossings_are_a_fault_of_their_order():
    truth = elsewhere(MATRIX, {"d6": "a1", "a1": "g7", "g7": "d6"})
    assert checks(examined(sensors=MATRIX, truth=truth)) == ["order"]


def test_no_magnet_at_all_is_one_fault_of_the_rows():
    visits = tuple(Visit(contact, frozenset()) for contact in CONTACTS)
    findings = check_walk(Walk(WIRES, visits), PARTS)
    assert [finding.check for finding in findings if finding.verdict is Verdict.FAULT] == ["rows"]
    assert findings[0].found == "none of 24 contacts detected the piece"


def test_a_row_and_a_column_that_are_loose_are_both_named():
    visits = tuple(
        Visit(contact, frozenset() if wire[0] == 1 or wire[1] == 4 else frozenset({wire}))
        for contact, wire in CONTACTS.items()
    )
    found = [f for f in check_walk(Walk(WIRES, visits), PARTS) if f.verdict is Verdict.FAULT]
    assert [finding.check for finding in found] == ["rows", "columns"]
    assert [finding.found.split(" (")[0] for finding in found] == ["row 1", "column 4"]


@given(st.sets(st.sampled_from(WIRES), min_size=1), st.booleans())
def test_where_pieces_may_stand_no_wires_are_said_to_touch(closed, empty):
    rest = IdleReadings(
        WIRES,
        closed=tuple(100 * (wire in closed) for wire in WIRES),
        changes=(0,) * len(WIRES),
        backwards=frozenset(closed),
        empty=empty,
    )
    report = check_idle(rest, PARTS)
    said = [finding for finding in report.findings if "without any piece" in finding.found]
    full = {row for row in range(4) if all((row, column) in closed for column in range(6))}
    low = {column for column in range(6) if all((row, column) in closed for row in range(4))}
    assert len(said) == (sum(row not in full and column not in low for row, column in closed) if empty else 0)
