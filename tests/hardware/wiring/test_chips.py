"""The chips behind the sensors of each kind of wiring, and their names."""

from __future__ import annotations

import pytest

from firmware_host.games.layout import MORRIS, SQUARES, Layout
from firmware_host.i18n import LANGUAGES, Message, translate
from firmware_host.ports import BLACK_PIECE, SOMETHING, WHITE_PIECE, Reading
from firmware_host.settings import Sensors
from hardware.wiring.chips import chip_map
from hardware.wiring.circuit import build_circuit
from hardware.wiring.plan import BoardPlan

BOARDS = [
    (MORRIS, "presence", "mux"),
    (MORRIS, "polarity", "mux"),
    (MORRIS, "presence", "mcp23017"),
    (MORRIS, "presence", "serial"),
    (SQUARES, "pieces", "mcp3008"),
]


@pytest.mark.parametrize(("layout", "alphabet", "kind"), BOARDS)
def test_chips_are_numbered_as_in_the_wiring_report(layout: Layout, alphabet: str, kind: str) -> None:
    plan = BoardPlan.recommended(layout, alphabet, kind)
    chips = chip_map(layout, plan.sensors)
    names = [chip.name for chip in build_circuit(plan).chips]
    assert len(chips.names) == len(names)
    for name, message in zip(names, chips.names, strict=True):
        assert name.split()[-1] in translate(message, "en").split()
    for (point, reading), (chip, _) in plan.contacts.items():
        assert chips.chips_of(point, reading) == (chip,)


def test_a_linear_sensor_is_one_for_all_readings() -> None:
    plan = BoardPlan.recommended(SQUARES, "pieces", "mcp3008")
    chips = chip_map(SQUARES, plan.sensors)
    assert {chips.chips_of(3, Reading(number)) for number in (1, 7, 124)} == {
        (plan.contacts[3, SOMETHING][0],)
    }


def test_with_polarity_each_pole_has_its_own_chip() -> None:
    chips = chip_map(MORRIS, BoardPlan.recommended(MORRIS, "polarity").sensors)
    assert chips.chips_of(0, WHITE_PIECE) != chips.chips_of(0, BLACK_PIECE)


def test_lines_without_chips_have_no_chip() -> None:
    chips = chip_map(MORRIS, BoardPlan.recommended(MORRIS, "presence", "direct").sensors)
    assert (chips.names, chips.chips_of(0, SOMETHING), chips.bus) == ([], (), Message("fault.bus.direct"))
    single = Sensors(select=(), signal=tuple(range(4, 28)))
    assert chip_map(MORRIS, single).chips_of(0, SOMETHING) == ()


def test_a_contact_of_a_matrix_depends_on_its_row_and_its_column() -> None:
    plan = BoardPlan.recommended(MORRIS, "presence", "matrix")
    chips = chip_map(MORRIS, plan.sensors)
    row, column = plan.contacts[MORRIS["d6"].index, SOMETHING]
    names = [translate(chips.names[n], "en") for n in chips.chips_of(MORRIS["d6"].index, SOMETHING)]
    assert names == [
        f"the wire of row {row} (GPIO {plan.sensors.rows[row]}, header pin 13)",
        f"the wire of column {column} (GPIO {plan.sensors.columns[column]}, header pin 29)",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("layout", "alphabet", "kind"), [*BOARDS, (MORRIS, "presence", "matrix")])
def test_every_name_is_a_text(layout: Layout, alphabet: str, kind: str, language: str) -> None:
    chips = chip_map(layout, BoardPlan.recommended(layout, alphabet, kind).sensors)
    for message in (*chips.names, chips.bus):
        text = translate(message, language)
        assert text != message.key
        assert "{" not in text
