"""The drawings of the steps say what the wiring and the parts list say."""

from firmware_host.games.layout import MORRIS
from hardware.case.measures import Measures
from hardware.drawing.steps.below import place
from hardware.drawing.steps.leds import leds_svg
from hardware.drawing.steps.loom import loom_svg
from hardware.drawing.steps.plates import plates_svg
from hardware.drawing.steps.power import power_svg
from hardware.wiring.bom import PI_MODELS, current, fuse_a
from hardware.wiring.circuit import build_circuit
from tests.support.hardware.paper import Paper
from tests.support.hardware.plans import PRESENCE


def near(text, at, reach=40):
    return abs(text.left - at[0]) < reach and abs(text.line - at[1]) < reach


def test_each_led_of_the_chain_lies_beside_its_point_as_seen_from_below():
    texts = Paper(leds_svg()).texts
    offset = Measures().led_offset_mm
    for point in MORRIS.points:
        (led,) = [text for text in texts if text.words == str(point.index)]
        assert near(led, place(point, offset), reach=10)
    assert place(MORRIS["a1"])[0] > place(MORRIS["g1"])[0]  # mirrored
    assert place(MORRIS["a1"])[1] > place(MORRIS["a7"])[1]


def test_each_sensor_has_the_channel_of_the_wiring():
    texts, circuit = Paper(loom_svg()).texts, build_circuit(PRESENCE)
    for (point, _), (chip, channel) in PRESENCE.contacts.items():
        name = circuit.chips[chip].package.channels[channel]
        assert [text for text in texts if text.words == name and near(text, place(MORRIS.points[point]))]
    names = {f"{mux.name}: {mux.package.name}" for mux in circuit.chips}
    assert names <= {text.words for text in texts}


def test_supplies_and_fuses_are_those_of_the_parts_list():
    words = " ".join(text.words for text in Paper(power_svg()).texts)
    for model in PI_MODELS:
        assert f"{model.name}: {current(PRESENCE).supply_a(model):g} A" in words
    assert f"fuse, {fuse_a(PRESENCE, PI_MODELS[0]):g} A slow" in words
    assert f"{fuse_a(PRESENCE, PI_MODELS[-1]):g} A with a Pi 5" in words
    assert "P6KE6.8A" in words


def test_the_plates_are_drawn_with_their_measures():
    words = " ".join(text.words for text in Paper(plates_svg()).texts)
    measures = Measures()
    width, _ = measures.size_mm(MORRIS)
    for length in (width, measures.pitch_mm, measures.edge_mm, measures.inlay_mm, measures.bore_mm):
        assert f"{length:g}" in words
