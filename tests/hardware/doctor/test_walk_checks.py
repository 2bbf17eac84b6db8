"""The findings of a walk, and of a board at rest, by made-up evidence that no simulated board gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.ports import SOMETHING
from firmware_host.settings import Sensors
from hardware.doctor.doctor import check_margins
from hardware.doctor.findings import (
    Finding,
    Verdict,
    as_dict,
    exit_status,
    fault,
    finding_text,
    passed,
    quoted,
    skipped,
    summary,
    warning,
)
from hardware.doctor.idle_checks import IdleReadings, SettlingTest, check_idle, check_settling
from hardware.doctor.part_names import PartNames
from hardware.doctor.select_line_faults import best_select_cause, symmetric
from hardware.doctor.walk_checks import Visit, Walk, check_walk, unexplained_silence
from hardware.wiring.contacts import every_wire
from hardware.wiring.select_lines import select_causes
from tests.support.hardware.doctoring import NAMES

BOARD = PartNames(MORRIS, Sensors())
WIRES = every_wire(Sensors())
D6, F6, A1 = (8, SOMETHING), (9, SOMETHING), (21, SOMETHING)


def walk(closed=None, changes=None, turned=(), excluded=()) -> Walk:
    """Every contact closed its own wire, but for what is `closed` otherwise."""
    told = {contact: {wire} for contact, wire in BOARD.contacts.items()} | (closed or {})
    visits = [
        Visit(contact, frozenset(wires), (changes or {}).get(contact, 0)) for contact, wires in told.items()
    ]
    visits += [Visit(contact, frozenset({BOARD.contacts[contact]}), turned=True) for contact in turned]
    return Walk(WIRES, tuple(visits), frozenset(excluded))


def wrong(findings) -> list[Finding]:
    return [finding for finding in findings if finding.verdict in (Verdict.FAULT, Verdict.WARNING)]


def test_wires_that_touch_close_together_though_they_are_no_neighbours():
    both = {BOARD.contacts[D6], BOARD.contacts[A1]}
    (finding,) = wrong(check_walk(walk({D6: both, A1: both}), BOARD))
    assert finding.check == "neighbours"
    assert "a1 (mux 2, channel 5 (Y5, pin 5)) and d6 (mux 1, channel 0 (Y0, pin 13))" in finding.found
    assert finding.fix == "find where these wires touch"


def test_one_sensor_that_reaches_too_far_is_told_with_its_neighbour():
    (finding,) = wrong(check_walk(walk({(0, 1): {(0, 0), (1, 0)}}), BOARD))
    assert "1 contact of 24 shared the piece" in finding.found
    assert "on d5 it is also detected by d6" in finding.found


def test_where_nothing_is_felt_power_and_ground_are_named_once():
    silent = walk(dict.fromkeys(BOARD.contacts, ()))
    (finding,) = wrong(check_walk(silent, BOARD))
    assert (finding.check, finding.found) == ("chips", "none of 24 contacts detected the piece")
    assert "3.3 V (header pin 1)" in finding.fix
    assert len(unexplained_silence(silent, BOARD)) == 2


def test_where_all_felt_only_the_other_side_of_the_piece_it_is_the_magnets():
    silent = walk(dict.fromkeys(BOARD.contacts, ()), turned=[(0, 1), (1, 1)])
    (finding,) = wrong(check_walk(silent, BOARD))
    assert finding.check == "poles"
    assert "turn over the magnets in the pieces" in finding.fix


def test_contacts_on_spoilt_wires_are_not_told_again():
    excluded = [BOARD.contacts[D6]]
    assert wrong(check_walk(walk({D6: ()}, excluded=excluded), BOARD)) == []
    assert unexplained_silence(walk({D6: ()}, excluded=excluded), BOARD) == ()


def test_a_silent_contact_and_a_silent_chip_are_two_findings():
    chip = {contact: () for contact, (at, _) in BOARD.contacts.items() if at == 0}
    found = wrong(check_walk(walk({**chip, A1: ()}), BOARD))
    assert [finding.check for finding in found] == ["chips", "silent contacts"]
    assert unexplained_silence(walk({**chip, A1: ()}), BOARD) == (A1,)


def test_few_changes_under_a_resting_piece_are_a_warning_and_many_a_fault():
    (few,) = wrong(check_walk(walk(changes={D6: 2}), BOARD))
    (many,) = wrong(check_walk(walk(changes={D6: 30}), BOARD))
    assert (few.verdict, many.verdict) == (Verdict.WARNING, Verdict.FAULT)
    assert "d6 2 times" in few.found


def test_a_board_that_was_rotated_is_told_so_although_one_of_its_reeds_is_dead():
    moved = symmetric(MORRIS, lambda x, y: (-x, -y))
    closed = {(p, SOMETHING): {BOARD.contacts[moved[p], SOMETHING]} for p in range(24)} | {D6: set()}
    assert [finding.check for finding in wrong(check_walk(walk(closed), BOARD))] == [
        "order",
        "silent contacts",
    ]


@given(cause=st.sampled_from(list(select_causes(3))), chip=st.sampled_from([None, 0, 1, 2]))
def test_each_fault_of_select_lines_is_distinguished(cause, chip):
    from dataclasses import replace

    meant = replace(cause, chip=chip)
    seen = {
        contact: frozenset(
            (at, address)
            for address in range(8)
            if (meant.received(address) if chip in (None, at) else address) == channel
        )
        for contact, (at, channel) in BOARD.contacts.items()
    }
    assert best_select_cause(seen, BOARD.contacts, WIRES, 3) == meant


@given(st.permutations(list(BOARD.contacts.values())))
def test_wires_in_any_disorder_are_never_taken_for_select_lines(order):
    seen = {contact: frozenset({wire}) for contact, wire in zip(BOARD.contacts, order, strict=True)}
    cause = best_select_cause(seen, BOARD.contacts, WIRES, 3)
    if cause is not None:  # then it explains at least three quarters of what is odd
        chips = {0, 1, 2} if cause.chip is None else {cause.chip}
        own = [contact for contact, (chip, _) in BOARD.contacts.items() if chip in chips]
        odd = [contact for contact in own if seen[contact] != {BOARD.contacts[contact]}]
        right = [c for c in odd if {cause.received(a) for _, a in seen[c]} == {BOARD.contacts[c][1]}]
        assert len(right) >= 0.75 * len(odd)


# ---- at rest -------------------------------------------------------------------------------------------


def at_rest(closed=(), changes=None, *, empty=True) -> IdleReadings:
    return IdleReadings(
        WIRES,
        tuple(100 if wire in closed else 0 for wire in WIRES),
        tuple((changes or {}).get(wire, 0) for wire in WIRES),
        empty=empty,
    )


def test_a_line_that_touches_ground_is_one_fault_and_not_eight_reeds():
    line = [wire for wire in WIRES if wire[0] == 1]
    report = check_idle(at_rest(line), BOARD)
    (finding,) = wrong(report.findings)
    assert finding.check == "signal lines"
    assert finding.found.startswith("GPIO 24 (header pin 18) is low at each of 8 channels")
    assert report.excluded == frozenset(line)


@given(st.sets(st.sampled_from(WIRES), max_size=5), st.booleans())
def test_closed_contacts_are_spoilt_only_where_no_piece_can_be_under_them(closed, empty):
    report = check_idle(at_rest(closed, empty=empty), BOARD)
    assert report.excluded == (frozenset(closed) if empty else frozenset())
    assert bool(wrong(report.findings)) is (empty and bool(closed))


@pytest.mark.parametrize(("changes", "verdict"), [(3, Verdict.PASS), (4, Verdict.FAULT)])
def test_a_contact_that_nobody_touches_may_change_a_little(changes, verdict):
    findings = check_idle(at_rest(changes={(0, 3): changes}), BOARD).findings
    assert next(f.verdict for f in findings if f.check == "quiet contacts") is verdict


def test_settling_is_told_with_the_shortest_time_that_is_enough():
    late = {0: ((0, 1),), 20: ((0, 1),), 50: ((0, 1),), 100: (), 200: ()}
    finding = check_settling([SettlingTest(20, late, closed=True)], BOARD)
    assert finding.verdict is Verdict.FAULT
    assert "settling_us = 200 " in finding.fix
    assert (
        check_settling([SettlingTest(20, late, closed=True)], BOARD, frozenset({(0, 1)})).verdict
        is Verdict.PASS
    )
    assert check_settling([SettlingTest(20, late, closed=False)], BOARD).verdict is Verdict.SKIPPED
    assert check_settling([SettlingTest(100, late, closed=True)], BOARD).verdict is Verdict.PASS


# ---- linear sensors ------------------------------------------------------------------------------------

LEVELS = Sensors(kind="mcp3008", levels=dict.fromkeys(NAMES, (512, 700, 324)))


@pytest.mark.parametrize(
    ("rest", "felt", "verdict"),
    [
        (512, {("d6", "white"): 700, ("d6", "black"): 324}, Verdict.PASS),
        (512, {("d6", ""): 690}, Verdict.PASS),
        (512, {("d6", ""): 330}, Verdict.PASS),
        (512, {("d6", "white"): 640}, Verdict.WARNING),
        (512, {("d6", "white"): 590}, Verdict.FAULT),
        (512, {("d6", "white"): 324}, Verdict.FAULT),
        (590, {("d6", "white"): 760}, Verdict.WARNING),
        (512, {}, Verdict.SKIPPED),
    ],
)
def test_levels_are_held_to_what_set_up_measured(rest, felt, verdict):
    assert check_margins({"d6": rest}, felt, LEVELS).verdict is verdict


def test_without_levels_set_up_is_named():
    finding = check_margins({}, {("d6", ""): 600}, Sensors(kind="mcp3008"))
    assert (finding.verdict, "millwright setup" in finding.fix) == (Verdict.WARNING, True)


# ---- findings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("findings", "status"),
    [
        ([], 0),
        ([passed("strip", quoted("a")), skipped("light", quoted("b"))], 0),
        ([passed("strip", quoted("a")), warning("light", quoted("b"), quoted("c"))], 1),
        ([warning("light", quoted("b"), quoted("c")), fault("strip", quoted("a"), None)], 2),
    ],
)
def test_the_exit_status_is_that_of_the_worst_finding(findings, status):
    assert exit_status(findings) == status
    assert as_dict(findings)["status"] == status


def test_findings_are_told_as_text_and_as_json():
    fix = Message("doctor.settings.fix")
    findings = [
        passed("strip", quoted("PIO")),
        fault("settings", quoted("[strip] is unknown"), fix),
        skipped("system", Message("doctor.simulated")),
    ]
    assert [*map(finding_text, findings)] == [
        "pass           strip's way      PIO",
        "fault          settings         [strip] is unknown\n"
        "                                -> fix that line, then run `millwright config check`",
        "skipped        system           because the board is simulated",
    ]
    assert summary(findings) == "1 fault, 1 check passed, 1 skipped."
    assert as_dict(findings)["findings"][1] == {
        "check": "settings",
        "verdict": "fault",
        "found": "[strip] is unknown",
        "mend": "fix that line, then run `millwright config check`",
    }
