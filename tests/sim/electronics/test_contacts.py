"""One contact in time: bounce and faults."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.electronics.contacts import ContactFault, Switch
from sim.scheduler import NEVER, Scheduler
from sim.table.table import TablePiece

MINUTE = 60_000_000
SEEDS = st.integers(0, 10_000)


class Contact:
    """A contact, and all that it showed: times and states."""

    def __init__(self, seed: int = 0, fault: ContactFault | None = None) -> None:
        self.agenda = Scheduler()
        self.shown: list[tuple[int, bool]] = []
        self.now = 0
        self.switch = Switch(self.agenda, Random(seed), self._show)
        self.piece = TablePiece("white")
        if fault is not None:
            self.switch.apply_fault(fault, 0)

    def _show(self, closed: bool) -> None:
        self.shown.append((self.now, closed))

    def feel(self, near: bool, at: int) -> None:
        self.pass_to(at)
        self.switch.feel(self.piece, near, at)

    def pass_to(self, time: int) -> None:
        while self.agenda.next <= time:
            self.now = self.agenda.next
            self.agenda.run(self.now)
        self.now = time

    def closed_at(self, time: int) -> bool:
        return next((closed for at, closed in reversed(self.shown) if at <= time), False)


@given(SEEDS, st.booleans())
def test_a_contact_bounces_for_half_a_millisecond_to_two_and_then_rests(seed, closing):
    contact = Contact(seed)
    if not closing:
        contact.feel(near=True, at=0)
        contact.pass_to(MINUTE)
    contact.shown.clear()
    began = contact.now
    contact.feel(near=closing, at=began)
    contact.pass_to(began + MINUTE)
    states = [closed for _, closed in contact.shown]
    assert states[0] is closing
    assert states[-1] is closing
    assert all(a is not b for a, b in pairwise(states))
    assert 500 <= contact.shown[-1][0] - began <= 2000
    assert contact.agenda.next == NEVER


def test_most_bounces_are_over_after_a_millisecond():
    spans = []
    for seed in range(200):
        contact = Contact(seed)
        contact.feel(near=True, at=0)
        contact.pass_to(MINUTE)
        spans.append(contact.shown[-1][0])
    assert 150 < sum(span <= 1000 for span in spans) < 200


def test_a_second_magnet_changes_nothing():
    contact, other = Contact(), TablePiece("black")
    contact.feel(near=True, at=0)
    contact.pass_to(10_000)
    contact.shown.clear()
    contact.switch.feel(other, near=True, now=10_000)
    contact.feel(near=False, at=20_000)
    contact.pass_to(MINUTE)
    assert contact.shown == []
    contact.switch.feel(other, near=False, now=MINUTE)
    assert contact.shown[0] == (MINUTE, False)


def test_a_change_while_it_bounces_is_the_one_that_lasts():
    contact = Contact()
    contact.feel(near=True, at=0)
    contact.feel(near=False, at=200)
    contact.pass_to(MINUTE)
    assert not contact.closed_at(MINUTE)
    assert contact.shown[-1][0] <= 2200


@pytest.mark.parametrize(
    ("fault", "closed"), [(ContactFault.STUCK_ON, True), (ContactFault.STUCK_OFF, False)]
)
def test_a_stuck_contact_stays_whatever_comes(fault, closed):
    contact = Contact(fault=fault)
    contact.feel(near=True, at=1000)
    contact.feel(near=False, at=5000)
    contact.feel(near=True, at=9000)
    contact.pass_to(MINUTE)
    assert contact.shown == [(0, closed)]
    assert contact.agenda.next == NEVER


@pytest.mark.parametrize("near", [True, False])
def test_a_chattering_contact_never_rests(near):
    contact = Contact(fault=ContactFault.CHATTER)
    contact.feel(near=near, at=500)
    contact.pass_to(MINUTE)
    gaps = [b - a for (a, _), (b, _) in zip(contact.shown, contact.shown[1:], strict=False)]
    assert len(gaps) > MINUTE / 40_000 - 2
    assert max(gaps) <= 40_000


@given(SEEDS)
def test_a_weak_contact_drops_out_for_less_than_300_ms_and_only_while_a_magnet_is_there(seed):
    contact = Contact(seed, ContactFault.WEAK)
    contact.pass_to(MINUTE)
    assert not contact.closed_at(MINUTE)
    assert contact.agenda.next == NEVER
    contact.shown.clear()
    contact.feel(near=True, at=MINUTE)
    contact.pass_to(2 * MINUTE)
    shown = [(at, closed) for at, closed in contact.shown if at > MINUTE + 2000]
    opened = [b - a for (a, closed), (b, _) in pairwise(shown) if not closed]
    assert len(opened) > 10
    assert 20_000 <= min(opened) <= max(opened) <= 250_000
    contact.feel(near=False, at=2 * MINUTE)
    contact.pass_to(2 * MINUTE + 2000)
    assert contact.agenda.next == NEVER


@pytest.mark.parametrize("fault", list(ContactFault))
@pytest.mark.parametrize("near", [True, False])
def test_after_repair_it_says_what_is_there(fault, near):
    contact = Contact(fault=fault)
    contact.feel(near=near, at=1000)
    contact.pass_to(MINUTE)
    contact.switch.apply_fault(None, MINUTE)
    contact.pass_to(2 * MINUTE)
    assert contact.closed_at(2 * MINUTE) is near
    assert contact.agenda.next == NEVER


@given(SEEDS, st.booleans(), st.floats(0, 500))
def test_a_contact_bounces_for_as_long_as_it_is_said_to_at_most(seed, closing, bounce_ms):
    contact = Contact(seed)
    contact.switch.bounce_ms = bounce_ms
    contact.feel(near=True, at=0)
    if not closing:
        contact.pass_to(MINUTE)
        contact.shown.clear()
        contact.feel(near=False, at=MINUTE)
    contact.pass_to(2 * MINUTE)
    assert contact.shown[-1][1] is closing
    assert contact.shown[-1][0] - contact.shown[0][0] <= bounce_ms * 1000 + 1
