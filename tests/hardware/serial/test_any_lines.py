"""A front end that says anything at all: its lines are read, skipped or refused, and never end the driver.

The expected levels are worked out here from the lines, without the program's protocol or driver.
"""

from __future__ import annotations

import gc
import random
import re
from binascii import crc_hqx
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from resource import getpagesize

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_host.errors import SensorError, StripError
from hardware.serial.board import SerialBoard

WIRES = ((0, 0), (0, 7), (1, 3), (2, 5))
PLACES = ((0,), (1, 3), (2,), (4,))
LIGHT = ((9, 0, 0), (0, 9, 0), (7, 7, 7), (1, 2, 3))


def sealed(words: str) -> bytes:
    return b"%s*%04X\r\n" % (words.encode(), crc_hqx(words.encode(), 0))


@dataclass(frozen=True)
class HelloLine:
    protocol: int
    chips: int
    channels: int
    leds: int
    colours: int

    @property
    def said(self) -> bytes:
        return sealed(f"HELLO {self.protocol} 1.0 {self.chips} {self.channels} {self.leds} {self.colours}")


@dataclass(frozen=True)
class FrameLine:
    number: int
    contacts: bytes

    @property
    def said(self) -> bytes:
        return sealed(f"S {self.number:02X} {self.contacts.hex().upper()}")


@dataclass(frozen=True)
class Fault:
    """The board's report that it cannot play."""

    why: str

    @property
    def said(self) -> bytes:
        return sealed(f"E {self.why}")


@dataclass(frozen=True)
class Other:
    """A line that says nothing of contacts, or nothing at all."""

    text: bytes

    @property
    def said(self) -> bytes:
        return self.text + b"\n"


Line = HelloLine | FrameLine | Fault | Other

HELLOS = st.builds(
    HelloLine,
    st.sampled_from([1, 1, 1, 1, 1, 1, 2, 999]),
    st.sampled_from([3, 3, 3, 3, 6, 2, 0, 999]),
    st.sampled_from([8, 8, 8, 8, 16, 9, 0, 999]),
    st.sampled_from([5, 5, 24, 0, 999]),
    st.sampled_from([3, 3, 4, 0, 9]),
)
FRAMES = st.builds(
    FrameLine,
    st.integers(0, 255),
    st.sampled_from([3, 3, 3, 3, 6, 4, 2, 1]).flatmap(lambda size: st.binary(min_size=size, max_size=size)),
)
WORDS = st.one_of(
    st.from_regex(r"A [0-9A-F]{2}", fullmatch=True),
    st.from_regex(r"(HELLO|S|A|L|HELLO\?)( [0-9A-Fa-f.-]{0,6}){0,7}", fullmatch=True).filter(
        lambda words: not re.match(r"HELLO 0*1 |S ", words)
    ),
)
FAULTS = st.from_regex(r"[ -~]{1,40}", fullmatch=True).filter(lambda why: "*" not in why).map(Fault)
OTHERS = st.one_of(
    WORDS.map(lambda words: sealed(words)[:-2]).map(Other),
    st.binary(max_size=60).filter(lambda data: b"*" not in data).map(Other),
    HELLOS.map(lambda hello: Other(hello.said[:-3])),
    st.just(Other(b"S" * 5000)),
)
USUAL_HELLO = st.just(HelloLine(1, 3, 8, 5, 3))
USUAL_FRAME = st.builds(FrameLine, st.integers(0, 255), st.binary(min_size=3, max_size=3))
LINES = st.sampled_from(
    [USUAL_HELLO] * 3 + [HELLOS] * 2 + [USUAL_FRAME] * 9 + [FRAMES] * 3 + [FAULTS] + [OTHERS] * 3
).flatmap(lambda lines: lines)
PAUSES_S = st.sampled_from([0.005] * 12 + [0.0, 0.1, 0.4, 6.0])


@dataclass
class Heard:
    """The contacts as a board has said them, read by the protocol's description alone."""

    hello: HelloLine | None = None
    frame: bytes | None = None

    def hear(self, line: Line) -> None:
        if isinstance(line, HelloLine):
            heard = line if line.protocol == 1 else None
            if heard != self.hello:
                self.hello, self.frame = heard, None
        elif isinstance(line, Fault):
            self.hello = self.frame = None
        elif isinstance(line, FrameLine) and self.hello is not None:
            channels = self.hello.chips * self.hello.channels
            if len(line.contacts) == len(range(0, channels, 8)):
                self.frame = line.contacts

    def levels(self) -> tuple[int, ...]:
        assert self.hello is not None
        assert self.frame is not None
        closed = int.from_bytes(self.frame, "little")
        return tuple(closed >> (chip * self.hello.channels + channel) & 1 for chip, channel in WIRES)


@dataclass
class FedPort:
    """A port into which the test puts what comes; what comes while it is closed is lost."""

    open: bool = False
    coming: bytearray = field(default_factory=bytearray)

    def opened(self, path: str) -> FedPort:
        self.open = True
        return self

    def read(self, size: int) -> bytes:
        taken = bytes(self.coming[:size])
        del self.coming[:size]
        return taken

    def write(self, data: bytes) -> None:
        assert data.endswith(b"\n")

    def reset_output_buffer(self) -> None:
        pass

    def close(self) -> None:
        self.open = False
        self.coming.clear()


@dataclass
class AnyLinesBench:
    """The driver, its line, and the traffic on it."""

    now: float = 100.0
    port: FedPort = field(default_factory=FedPort)
    heard: Heard = field(default_factory=Heard)
    reads: int = 0

    def __post_init__(self) -> None:
        board = SerialBoard("/dev/nano", clock=lambda: self.now, open_port=self.port.opened)
        self.scanner, self.strip = board.scanner(WIRES), board.strip(PLACES)

    def wait(self, pause_s: float) -> None:
        """Let time pass, after which the driver may give the port up or open it again."""
        self.now += pause_s
        with suppress(SensorError):
            self.scanner.scan()

    def say(self, line: Line) -> None:
        """Have the board say a line, and the driver read it."""
        if self.port.open:
            self.heard.hear(line)
            self.port.coming += line.said
        while self.port.coming:
            with suppress(StripError):
                self.strip.show(LIGHT)

    def check(self) -> None:
        """Compare the levels with the traffic, if there are any."""
        with suppress(SensorError):
            assert self.scanner.scan() == self.heard.levels()
            self.reads += 1


@settings(suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow])
@given(said=st.lists(st.tuples(PAUSES_S, LINES), min_size=20, max_size=60))
def _whatever_is_said(counts, said):
    bench = AnyLinesBench()
    for pause_s, line in said:
        bench.wait(pause_s)
        bench.say(line)
        bench.check()
    counts.append(bench.reads)
    bench.wait(6.0)
    while not bench.port.open:
        bench.wait(0.25)
    bench.say(HelloLine(1, 3, 8, 5, 3))
    bench.say(FrameLine(7, b"\x81\x00\x20"))
    assert bench.scanner.scan() == (1, 1, 0, 1)
    bench.scanner.close()
    bench.strip.close()


@pytest.mark.ci("examples")
@pytest.mark.hypothesis
def test_whatever_a_front_end_says_is_read_or_refused():
    counts: list[int] = []
    _whatever_is_said(counts)
    assert sum(counts) > 3 * len(counts), "too few of the lines fitted to be read"


# ---- a million lines -------------------------------------------------------------------------------------
# They are drawn without Hypothesis, which remembers what it has tried: it grows with each example, and the
# driver must not.

_PAUSES_S = (*[0.005] * 12, 0.0, 0.1, 0.4, 6.0)
_ALPHABET = b"0123456789ABCDEFabcdef HELOSA?*.-\r\x00\xff"
_MAX_GROWTH_BYTES = 1_000_000


def random_line(chance: random.Random) -> Line:
    """Return a line of any kind; half of them are those of the usual board."""
    kind = chance.random()
    if kind < 0.15:
        return HelloLine(1, 3, 8, 5, 3)
    if kind < 0.25:
        return HelloLine(*(chance.choice(own) for own in _SHAPES))
    if kind < 0.65:
        return FrameLine(chance.randrange(256), chance.randbytes(3))
    if kind < 0.8:
        return FrameLine(chance.randrange(256), chance.randbytes(chance.choice((1, 2, 3, 4, 6, 250))))
    if kind < 0.82:
        return Fault("x" * chance.randrange(1, 200))
    return Other(random_noise(chance))


_SHAPES = (
    *((1, 1, 1, 1, 1, 1, 2, 999), (3, 3, 3, 3, 6, 2, 0, 999), (8, 8, 8, 8, 16, 9, 0, 999)),
    *((5, 5, 24, 0, 999), (3, 3, 4, 0, 9)),
)


def random_noise(chance: random.Random) -> bytes:
    """Return a line that says nothing of contacts: noise, half a line, or one that is damaged or too long."""
    kind = chance.randrange(5)
    if kind == 0:
        return chance.randbytes(chance.randrange(60)).replace(b"*", b"")
    if kind == 1:
        return random_line(chance).said[: -chance.randrange(4, 9)]
    if kind == 2:
        return bytes(chance.choices(_ALPHABET, k=chance.randrange(3000))).replace(b"*", b"")
    if kind == 3:
        damaged = bytearray(FrameLine(chance.randrange(256), chance.randbytes(3)).said[:-2])
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(7)
        return bytes(damaged)
    return sealed(f"A {chance.randrange(256):02X}")[:-2]


def memory_bytes() -> int:
    """Return the memory that this process has now."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize()


@pytest.mark.ci("examples")
@pytest.mark.parametrize(
    "count", [20_000, pytest.param(1_000_000, marks=pytest.mark.long)], ids=["some", "a million"]
)
def test_lines_of_all_kinds_never_end_the_driver_or_fill_memory(count: int) -> None:
    chance, bench, before = random.Random(count), AnyLinesBench(), 0
    for number in range(count):
        if number == count // 5:  # by then everything has been allocated that is needed
            before = memory_bytes()
        bench.wait(chance.choice(_PAUSES_S))
        bench.say(random_line(chance))
        bench.check()
    assert memory_bytes() - before < _MAX_GROWTH_BYTES
    assert bench.reads > count / 20, "too few of the lines fitted to be read"
    bench.scanner.close()
    bench.strip.close()


def test_frames_before_a_hello_of_another_protocol_are_not_read_after_it():
    bench = AnyLinesBench()
    bench.wait(0.0)
    same = HelloLine(1, 3, 8, 5, 3)
    for line in (same, FrameLine(1, b"\xff\xff\xff")):
        bench.say(line)
    assert bench.scanner.scan() == (1, 1, 1, 1)
    for line in (HelloLine(2, 3, 8, 5, 3), same):
        bench.say(line)
    with pytest.raises(SensorError, match="waiting for the board to start"):
        bench.scanner.scan()
    bench.say(FrameLine(2, b"\x01\x00\x00"))
    assert bench.scanner.scan() == (1, 0, 0, 0)
