"""Lines that remember a sweep answer as those do that sweep again each time, and at the same time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from hardware.bus.gpio import Lines, PinLines
from hardware.wiring.contacts import MuxWiring
from sim.clock import Clock, RealClock, VirtualClock
from sim.electronics.cached_lines import CachedLines
from sim.electronics.mux import MuxBank, open_select, pi_with, swapped_select
from sim.scheduler import Scheduler
from tests.support.hardware.silent_pins import silenced

SELECT, SIGNALS, ENABLES = (17, 27, 22), (23, 24), (5, 6)
GRAY = [0, 1, 3, 2, 6, 7, 5, 4]
RISE_US = 7

PLACES = st.tuples(st.integers(0, 1), st.integers(0, 7))
WAITS = st.sampled_from([0.0, 1e-6, 8e-6])
DEEDS = st.one_of(
    st.tuples(st.just("close"), PLACES, st.booleans()),
    st.tuples(st.just("close_soon"), PLACES, st.integers(1, 200)),
    st.tuples(st.just("fail"), st.integers(0, 1), st.booleans()),
    st.tuples(st.just("map_addresses"), st.integers(0, 2)),
    st.tuples(st.just("swap"), st.integers(0, 2), st.integers(0, 2)),
    st.tuples(st.just("slow"), st.integers(0, 1), st.integers(0, 60)),
    st.tuples(st.just("loosen"), st.integers(0, 1)),
    st.tuples(st.just("write"), st.integers(0, 7)),
    st.tuples(st.just("repair")),
    st.tuples(st.just("sweep"), st.integers(1, 4), st.integers(0, 5000)),
)


class SlowTime:
    """The time of a machine on which every wait lasts longer by a factor."""

    ns = 0
    factor = 1

    def sleep(self, seconds: float) -> None:
        self.ns += round(self.factor * seconds * 1e9)


class TwoChips:
    """Two chips on a Pi, and the lines to them."""

    def __init__(self, *, remembers: bool, shared: bool, wait: float, clock: Clock | None = None) -> None:
        self.clock, self.agenda = clock or VirtualClock(), Scheduler()
        self.bank = MuxBank(self.clock, self.agenda, 2, RISE_US)
        signals, enables = (SIGNALS[:1], ENABLES) if shared else (SIGNALS, ())
        wiring = MuxWiring(MORRIS, SensorKind.PRESENCE, SELECT, signals, {}, enables=enables)
        self.stops = [chip | address for chip in ((0b10000, 0b01000) if shared else (0,)) for address in GRAY]
        self.pi = pi = pi_with(self.bank, wiring)
        outputs = (*SELECT, *enables)
        self.lines: Lines
        if remembers:
            self.lines = CachedLines(outputs, signals, "up", pi, self.bank, self.clock, 0)
        else:
            self.lines = PinLines(outputs, signals, "up", pi)
        self.settle: Callable[[], object] | None = partial(self.clock.sleep, wait) if wait else None

    def do(self, deed: str, *told: object) -> list[object]:
        """Do one deed; return the readings in the meantime, with their times."""
        return list(getattr(self, deed)(*told) or ())

    def close(self, at, closed):
        self.bank.close_contact(at, closed)

    def close_soon(self, at, after):
        self.agenda.enter(self.clock.now() + after, lambda _: self.bank.close_contact(at, closed=True))

    def fail(self, chip, dead):
        self.bank.fail(chip, dead)

    def map_addresses(self, bit):
        self.bank.map_addresses(open_select(bit), chip=0)

    def swap(self, one, other):
        self.bank.map_addresses(swapped_select(one, other))

    def slow(self, chip, rise_us):
        self.bank.slow(chip, rise_us)

    def loosen(self, line):
        self.bank.loosen(line)

    def write(self, levels):
        self.lines.write(levels)
        return [self.lines.read()]

    def repair(self):
        self.bank.repair()

    def sweep(self, times, apart):
        for _ in range(times):
            yield self.lines.sweep(self.stops, self.settle), self.clock.now()
            self.clock.sleep(apart / 1e6)


@given(st.booleans(), WAITS, st.lists(DEEDS, max_size=25))
def test_whatever_is_done_they_answer_as_those_that_remember_nothing(shared, wait, deeds):
    plain, remembering = (TwoChips(remembers=way, shared=shared, wait=wait) for way in (False, True))
    for deed in deeds:
        assert remembering.do(*deed) == plain.do(*deed)


def test_a_board_on_which_nothing_happens_is_not_swept_again(monkeypatch: pytest.MonkeyPatch) -> None:
    board = TwoChips(remembers=True, shared=False, wait=8e-6)
    board.close((1, 5), closed=True)
    board.do("sweep", 3, 5000)
    monkeypatch.setattr(board.bank, "low", None)
    assert len(board.do("sweep", 3, 5000)) == 3


def test_a_chip_that_does_not_answer_is_noticed_at_once() -> None:
    board = TwoChips(remembers=True, shared=False, wait=8e-6)
    board.do("sweep", 3, 5000)
    with silenced(board.pi, board.bank, SIGNALS), pytest.raises(OSError, match="does not answer"):
        board.do("sweep", 1, 0)


def test_in_real_time_an_event_during_the_waits_is_read() -> None:
    time = SlowTime()
    board = TwoChips(
        remembers=True, shared=False, wait=8e-6, clock=RealClock(clock_ns=lambda: time.ns, sleep=time.sleep)
    )
    board.do("sweep", 3, 5000)
    ((remembered, now),) = board.sweep(1, 0)
    time.factor = 10  # the machine does something else
    board.agenda.enter(now + 100, lambda _: board.bank.close_contact((0, 0), closed=True))
    ((seen, _),) = board.sweep(1, 0)
    assert seen != remembered
