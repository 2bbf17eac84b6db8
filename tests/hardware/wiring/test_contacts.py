"""Wirings: the recommended ones, and the errors for impossible ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.errors import ConfigError
from firmware_host.games.layout import MORRIS, Layout
from firmware_host.ports import SOMETHING, Reading, SensorKind
from firmware_host.settings import Sensors
from hardware.wiring.contacts import MuxWiring

PRESENCE = MuxWiring.recommended(MORRIS, SensorKind.PRESENCE)
POLARITY = MuxWiring.recommended(MORRIS, SensorKind.POLARITY)


def faults(wiring: MuxWiring) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        wiring.check()
    return str(caught.value).splitlines()


def rewired(wiring: MuxWiring, changes: dict) -> MuxWiring:
    contacts = {**wiring.contacts, **changes}
    return replace(wiring, contacts={contact: at for contact, at in contacts.items() if at is not None})


def test_presence_takes_three_chips_and_polarity_six():
    assert (PRESENCE.select, PRESENCE.signals) == ((17, 27, 22), (23, 24, 25))
    assert POLARITY.select == PRESENCE.select
    assert len(POLARITY.signals) == 6
    PRESENCE.check()
    POLARITY.check()


def test_each_pole_has_chips_of_its_own():
    chips = {
        reading: {at[0] for (_, r), at in POLARITY.contacts.items() if r == reading} for reading in (1, 2)
    }
    assert chips == {1: {0, 1, 2}, 2: {3, 4, 5}}


def test_all_faults_are_told_at_once():
    d5, e4, e3 = ((MORRIS[name].index, 1) for name in ("d5", "e4", "e3"))
    wrong = rewired(PRESENCE, {d5: (0, 1), e4: (3, 2), e3: (0, 8), (24, 1): (2, 7), (0, 2): None})
    wrong = replace(
        rewired(wrong, {(23, 1): None}), select=(17, 27, 17), signals=(23, 27, 25), settling_us=-1
    )
    assert faults(wrong) == [
        "GPIO 17 is named 2 times: each line of the sensors needs one of its own",
        "GPIO 27 is named 2 times: each line of the sensors needs one of its own",
        "the settling time is -1 us: it cannot be negative",
        "the sensor of a7 is not wired: give it a chip and a channel",
        "the sensor of point 24 is wired, but no board of morris has it",
        "the sensor of e4 is on chip 3: there are 3, counted from 0",
        "the sensor of e3 is on channel 8: 3 select lines reach 0 to 7",
        "channel 1 of chip 0 has the sensor of d5 and the sensor of e5: it takes only one",
    ]


def test_with_polarity_a_sensor_is_named_with_its_reading():
    wrong = rewired(POLARITY, {(MORRIS["d6"].index, 2): None, (MORRIS["d6"].index, 3): (0, 0)})
    assert faults(wrong)[:2] == [
        "the sensor of d6 for reading 2 is not wired: give it a chip and a channel",
        "the sensor of d6 for reading 3 is wired, but no board of morris has it",
    ]


def test_counting_from_below_nought_is_no_wiring():
    assert faults(rewired(PRESENCE, {(0, 1): (-1, -1)})) == [
        "the sensor of d5 is on chip -1: there are 3, counted from 0",
        "the sensor of d5 is on channel -1: 3 select lines reach 0 to 7",
    ]


def test_what_comes_without_a_configuration_is_what_is_recommended():
    assert MuxWiring.of(MORRIS, Sensors()) == PRESENCE
    six = Sensors(alphabet="polarity", signal=POLARITY.signals)
    assert MuxWiring.of(MORRIS, six) == POLARITY


def test_a_map_of_points_is_wired_as_it_says():
    points = {point.name: ((point.index % 3, point.index // 3),) for point in MORRIS.points}
    wiring = MuxWiring.of(MORRIS, Sensors(points=points, pull_up=False, settling_us=2))
    wiring.check()
    assert wiring.contacts[MORRIS["e5"].index, SOMETHING] == (1, 0)
    assert (wiring.pull_up, wiring.settling_us) == (False, 2)


def test_direct_lines_need_no_select_lines_and_no_waiting():
    points = {point.name: ((point.index + 2,),) for point in MORRIS.points}
    wiring = MuxWiring.of(MORRIS, Sensors(kind="direct", points=points))
    wiring.check()
    assert (wiring.select, wiring.settling_us) == ((), 0)
    assert wiring.signals == tuple(range(2, 26))


def test_direct_lines_may_tell_white_from_black():
    layout = Layout("two", MORRIS.points[:2], ())
    sensors = Sensors(kind="direct", alphabet="polarity", points={"d5": ((4,), (5,)), "e5": ((6,), (12,))})
    wiring = MuxWiring.of(layout, sensors)
    wiring.check()
    assert [
        wiring.signals[wiring.contacts[point, Reading(kind)][0]]
        for point, kind in ((0, 1), (0, 2), (1, 1), (1, 2))
    ] == [
        4,
        5,
        6,
        12,
    ]


def test_chips_with_enable_lines_share_one_signal_line():
    assert faults(replace(PRESENCE, enables=(5, 6, 16))) == [
        "chips with enable lines share one signal line, and 3 are named"
    ]
    replace(PRESENCE, signals=(23,), enables=(5, 6, 16)).check()
