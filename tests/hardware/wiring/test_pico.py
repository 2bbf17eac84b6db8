"""The wiring of a Pico, against its front end and the tables of its guide."""

from __future__ import annotations

import pytest

from firmware_host.errors import ConfigError
from firmware_host.games.layout import MORRIS, SQUARES
from hardware.wiring import pinout
from hardware.wiring.circuit import build_circuit
from hardware.wiring.netlist import NetKind
from hardware.wiring.plan import PICO_KINDS, BoardPlan
from tests.hardware.pico.simulated_pico import DIRECT, FRONT_END, LINEAR, MATRIX, MUX

PICO_PAGE = FRONT_END.with_name("README.md")


def test_the_picos_lines_are_those_of_its_front_end():
    assert {"signal": list(pinout.PICO_DIRECT)} == DIRECT
    assert {"rows": list(pinout.PICO_ROWS), "columns": list(pinout.PICO_COLUMNS)} == MATRIX
    assert {"select": list(pinout.PICO_SELECT), "signal": list(pinout.PICO_SIGNALS[:3])} == MUX
    assert {"select": list(pinout.PICO_SELECT), "inputs": list(pinout.PICO_INPUTS)} == LINEAR
    source = FRONT_END.read_text("utf-8")
    assert f'self.number("strip", {pinout.PICO_STRIP}, ' in source


@pytest.mark.parametrize("kind", PICO_KINDS)
def test_each_contact_of_a_pico_is_wired_once_and_nothing_has_5_volts(kind):
    circuit = build_circuit(BoardPlan.with_pico(MORRIS, kind))
    nets = [net for chip in circuit.sensing for net in chip.nets] + [one.contact for one in circuit.crossings]
    contacts = [net.which for net in nets if net.kind is NetKind.CONTACT]
    assert sorted(contacts) == sorted(point.name for point in MORRIS.points)
    assert not {NetKind.SUPPLY, NetKind.BOARD_SUPPLY} & {net.kind for net in nets}
    pins = PICO_PAGE.read_text("utf-8")
    for number, (name, net) in enumerate(
        zip(pinout.PICO.pins, circuit.sensing[0].nets, strict=True), start=1
    ):
        if net.kind is NetKind.CONTACT:
            assert f"| {net.which} | {name} (pin {number}) |" in pins


def test_a_pico_has_no_wiring_for_25_squares():
    with pytest.raises(ConfigError, match="for 24 points, not 25"):
        BoardPlan.with_pico(SQUARES, "matrix")
