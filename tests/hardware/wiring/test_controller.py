"""The circuit boards' parts: the circuit of a hand-wired board, pad by pad, and what surrounds its chips."""

from dataclasses import replace

import pytest

from firmware_host.config.controller import SELECT, SIGNALS
from firmware_host.errors import ConfigError
from firmware_host.settings import Controls, Sensors, Sound
from hardware.pcb.netlist import MergeError, circuits, merge, plans
from hardware.wiring import components as kinds
from hardware.wiring.bom import parts, total_price
from hardware.wiring.circuit import build_circuit
from hardware.wiring.netlist import GROUND, LOGIC, SUPPLY, BoardPart
from hardware.wiring.pinout import HEADER
from hardware.wiring.report import parts_text, wiring_text
from tests.support.hardware.plans import LINEAR, MATRIX, POLARITY, PRESENCE
from tests.support.paths import PROJECT

VARIANTS = ("presence", "polarity", "linear")


def on_boards(plan, **sensors):
    return replace(plan, sensors=replace(plan.sensors, boards=True, **sensors))


def pads(circuit, ref) -> dict[str, str]:
    return {pad: str(net) for part in circuit.parts if part.ref == ref for pad, net in part.pads}


def ends(circuit, net) -> set[tuple[str, str]]:
    return {(part.ref, pad) for part in circuit.parts for pad, other in part.pads if str(other) == net}


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_chip_and_header_pin_has_the_circuits_net(variant):
    circuit = circuits()[variant]
    own = {LOGIC} | {net for net in circuit.header if net.kind.value == "signal"}
    for chip, ref in zip(circuit.every_chip, chip_refs(circuit), strict=True):
        found = pads(circuit, ref)
        assert found == {str(n): str(net) for n, net in enumerate(chip.nets, start=1) if str(net) != "free"}
    header = pads(circuit, "J1")
    for pin, (name, net) in enumerate(zip(HEADER, circuit.header, strict=True), start=1):
        if name == "GND":
            assert header[str(pin)] == "GND"
        elif net not in own:
            assert header.get(str(pin), "free") == str(net)


def chip_refs(circuit) -> list[str]:
    return (["U8"] if circuit.front else []) + [f"U{1 + n}" for n in range(len(circuit.chips))] + ["U7"]


def test_each_signal_reaches_the_pi_through_one_resistor():
    circuit = circuits()["polarity"]
    for number, gpio in enumerate(SIGNALS):
        pin = str(HEADER.index(f"GPIO{gpio}") + 1)
        assert ends(circuit, f"line {number}") == {("J1", pin), (f"R{5 + number}", "1")}
        assert {(f"U{1 + number}", "3"), (f"R{5 + number}", "2")} <= ends(circuit, f"signal {number}")


def test_linear_sensors_reach_the_adc_and_not_the_pi():
    circuit = circuits()["linear"]
    assert ends(circuit, "signal 1") == {("U2", "3"), ("U8", "2")}
    assert not [part for part in circuit.parts if part.ref in ("R5", "R13")]


def test_the_plug_of_a_mux_has_its_channels_in_order():
    found = pads(circuits()["presence"], "J3")
    assert list(found.values()) == ["d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6", "GND", "3.3 V"]


def test_both_supplies_are_fused_before_they_meet():
    circuit = circuits()["presence"]
    assert ends(circuit, "VBUS") == {("J8", "A9"), ("J8", "B9"), ("F1", "1")}
    assert ends(circuit, "INLET") == {("J9", "1"), ("F2", "1")}
    assert ends(circuit, "FUSED") == {("F2", "2"), *(("Q2", pad) for pad in "5678")}
    assert {("F1", "2"), *(("Q2", pad) for pad in "123"), ("D1", "1"), ("J1", "2"), ("J1", "4")} <= ends(
        circuit, "5 V"
    )


def test_usb_c_asks_for_5_volts_by_two_resistors():
    circuit = circuits()["presence"]
    for number, pad in ((1, "A5"), (2, "B5")):
        assert ends(circuit, f"CC{number}") == {("J8", pad), (f"R{number}", "1")}
        assert pads(circuit, f"R{number}")["2"] == "GND"
        part = next(part for part in circuit.parts if part.ref == f"R{number}")
        assert part.component is kinds.R_5K1


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_chip_has_its_own_capacitor(variant):
    circuit = circuits()[variant]
    for ref in chip_refs(circuit):
        near = f"C{ref[1:]}"
        supply = "5 V" if ref == "U7" else "3.3 V"
        assert pads(circuit, near) == {"1": supply, "2": "GND"}


def test_strip_data_is_held_low_and_has_its_resistor():
    circuit = circuits()["presence"]
    assert ends(circuit, "data") == {("J1", "19"), ("U7", "2"), ("R4", "1")}
    assert ends(circuit, "data at 5 V") == {("U7", "3"), ("R3", "1")}
    assert ends(circuit, "DIN") == {("R3", "2"), ("J10", "2")}


@pytest.mark.parametrize(
    ("variant", "sensors", "capacitors"), [("presence", 1, 1), ("polarity", 2, 3), ("linear", 1, 2)]
)
def test_a_module_has_its_sensors_each_with_a_capacitor(variant, sensors, capacitors):
    module = circuits()[variant].module
    assert sum(part.component is kinds.SENSOR for part in module) == sensors
    assert sum(part.component is kinds.C_100N for part in module) == capacitors
    outputs = [dict(part.pads)["3"] for part in module if part.component is kinds.SENSOR]
    assert [str(net) for net in outputs] == ["A", "B"][:sensors]


def test_hand_wired_boards_have_no_parts_on_boards():
    assert (build_circuit(PRESENCE).parts, build_circuit(PRESENCE).module) == ((), ())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"select": (27, 17, 22)}, "the controller's select lines are"),
        ({"signal": (24, 23, 25)}, "the controller's signal lines are"),
    ],
)
def test_lines_without_copper_are_rejected(changes, words):
    with pytest.raises(ConfigError, match=words):
        build_circuit(on_boards(PRESENCE, **changes))


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (on_boards(MATRIX), 'kind = "mux" or "mcp3008"'),
        (on_boards(LINEAR, inputs=(0, 1, 3)), "the controller's are"),
        (replace(on_boards(PRESENCE), controls=Controls(button=4)), "button is on GPIO 26"),
        (replace(on_boards(PRESENCE), sound=Sound(buzzer=4)), "buzzer is on GPIO 12"),
        (replace(on_boards(PRESENCE), strip=replace(PRESENCE.strip, backend="pwm")), "the strip by"),
    ],
)
def test_parts_that_the_controller_lacks_are_rejected(plan, words):
    assert any(words in fault for fault in plan.faults())


def test_the_default_sensors_suit_the_controller():
    assert Sensors().select == SELECT
    assert Sensors().signal == SIGNALS[:3]


def test_circuits_that_need_other_copper_cannot_be_merged():
    made = (BoardPart("R1", kinds.R_1K, (("1", SUPPLY), ("2", LOGIC))),)
    with pytest.raises(MergeError, match="R1 is another part in two"):
        merge({"one": made, "two": (replace(made[0], component=kinds.R_10K),)})
    with pytest.raises(MergeError, match="the board joins"):
        merge({"one": made, "two": (replace(made[0], pads=(("1", GROUND), ("2", GROUND))),)})


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_parts_list_has_every_part_on_the_boards(variant):
    plan = plans()[variant]
    circuit, points = build_circuit(plan), len(plan.layout)
    listed = {row.what: row for row in parts(plan)}
    for part in (*circuit.parts, *circuit.module):
        if part.component.euros:
            assert part.ref in listed[part.component.order].remark
    count = {}
    for group, times in ((circuit.parts, 1), (circuit.module, points)):
        for part in group:
            count[part.component.order] = count.get(part.component.order, 0) + times
    assert all(listed[what].count == number for what, number in count.items() if what in listed)
    assert "stripboard, 100 x 160 mm" not in listed


def test_the_wiring_of_boards_is_told_by_plugs_and_holes():
    told = wiring_text(on_boards(POLARITY))
    assert "J5, sensors on mux 3" in told
    assert "  1  B of d5" in told
    assert "Fitted: 6 multiplexers" in told
    assert "not U8" in told
    assert "U8 and C8; none of R5 to R10" in wiring_text(on_boards(LINEAR))
    assert "from the controller's regulator" in parts_text(on_boards(POLARITY))


@pytest.mark.parametrize("plan", [PRESENCE, POLARITY, LINEAR], ids=["reeds", "hall switches", "linear"])
def test_the_guide_has_the_costs_with_boards_and_without(plan, request):
    guide = (PROJECT / "hardware" / "pcb" / "README.md").read_text(encoding="utf-8")
    prices = [total_price(parts(made)) for made in (plan, on_boards(plan))]
    assert f"| {request.node.callspec.id} | {prices[0]} | {prices[1]} |" in guide
