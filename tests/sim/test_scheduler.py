"""The agenda of what happens by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sim.scheduler import NEVER, Scheduler

TIMES = st.lists(st.integers(0, 1000), max_size=30)


@given(times=TIMES, looks=TIMES)
def test_all_that_is_due_happens_in_order_whenever_one_looks(times, looks):
    agenda, happened = Scheduler(), []
    for number, at in enumerate(times):
        agenda.enter(at, lambda t, n=number: happened.append((t, n)))
    reached = -1
    for look in sorted(looks):
        agenda.run(look)
        reached = look
    assert happened == sorted((at, n) for n, at in enumerate(times) if at <= reached)
    assert agenda.next == min((at for at in times if at > reached), default=NEVER)


def test_what_was_called_off_does_not_happen_and_is_not_waited_for():
    agenda, happened = Scheduler(), []
    agenda.enter(10, happened.append).cancel()
    agenda.enter(20, happened.append)
    agenda.run(5)
    assert agenda.next == 20
    agenda.run(30)
    assert happened == [20]


def test_what_follows_from_an_entry_happens_in_the_same_run():
    agenda, happened = Scheduler(), []
    agenda.enter(10, lambda at: agenda.enter(at + 5, happened.append))
    agenda.run(100)
    assert happened == [15]
