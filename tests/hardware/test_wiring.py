"""Wirings: what is recommended, and what is said of one that cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.errors import ConfigError
from firmware_host.games.layout import MORRIS
from firmware_host.ports import Alphabet
from hardware.wiring import MuxWiring

PRESENCE = MuxWiring.recommended(MORRIS, Alphabet.PRESENCE)
POLARITY = MuxWiring.recommended(MORRIS, Alphabet.POLARITY)


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
        "GPIO 17 is named 2 times: each select and signal line needs one of its own",
        "GPIO 27 is named 2 times: each select and signal line needs one of its own",
        "the settling time is -1 us: it cannot be negative",
        "the sensor of a7 is not wired: give it a signal line and a channel",
        "the sensor of point 24 is wired, but no board of morris has it",
        "the sensor of e4 is on signal 3: there are 3, counted from 0",
        "the sensor of e3 is on channel 8: 3 select lines reach 0 to 7",
        "channel 1 of signal 0 has the sensor of d5 and the sensor of e5: it takes only one",
    ]


def test_with_polarity_a_sensor_is_named_with_its_reading():
    wrong = rewired(POLARITY, {(MORRIS["d6"].index, 2): None, (MORRIS["d6"].index, 3): (0, 0)})
    assert faults(wrong)[:2] == [
        "the sensor of d6 for reading 2 is not wired: give it a signal line and a channel",
        "the sensor of d6 for reading 3 is wired, but no board of morris has it",
    ]


def test_counting_from_below_nought_is_no_wiring():
    assert faults(rewired(PRESENCE, {(0, 1): (-1, -1)})) == [
        "the sensor of d5 is on signal -1: there are 3, counted from 0",
        "the sensor of d5 is on channel -1: 3 select lines reach 0 to 7",
    ]
