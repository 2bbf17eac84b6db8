"""The cases a to i: their lines can be done, and the oracle finds what was meant or two readings are left.

Whether a board decides as it should is measured by `tests.fuzz.grid`.
"""

from __future__ import annotations

import pytest

from tests.fuzz.cases import INCIDENT_CASES
from tests.fuzz.grid import delays_of, play_cell
from tests.fuzz.grid_cases import GridCase
from tests.support.matrix import CI, sampled


@pytest.mark.parametrize("case", sampled(INCIDENT_CASES, 6, others=CI), ids=lambda case: case.name)
def test_incident_case_has_its_truth_among_the_readings(case: GridCase) -> None:
    cells = list(delays_of(case))
    cell = play_cell(case, case.sensors[-1], cells[len(cells) // 2])
    assert cell.judgement.likely or case.two_readings, cell


def test_incident_cases_have_names_of_their_own() -> None:
    names = [case.name for case in INCIDENT_CASES]
    assert len(set(names)) == len(names)
    assert {case.number for case in INCIDENT_CASES} == set("abcdefghi")
