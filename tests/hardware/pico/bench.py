"""A Pico's pins, clock and USB line as far as the front end sees them, with contacts, LEDs and a host.

This file runs under CPython and under MicroPython, so it uses only what both have. `PicoBench.obey` takes one
command, a line of words, and returns the state as JSON: that is how a test drives it in another process.

Invariants: time goes on only while a test lets it, and as much as the front end waits, reads or sends. A
signal follows its select lines or its row after `SETTLE_US`. A misuse that a real Pico or strip would punish
is an error here.
"""

import binascii
import json
import sys

WRAP = 1 << 30
"""The value at which MicroPython's ticks start again from 0."""

START_US = WRAP - 2000000
"""The clock at power-up: the ticks wrap two seconds later."""

SETTLE_US = 10
CALL_US = 2
"""Time of a call that reads or writes a pin."""


class WatchdogReset(Exception):  # noqa: N818 - not an error
    """The watchdog has run out."""


class Pin:
    """The pins of `machine`, on the bench that was made last."""

    IN, OUT, OPEN_DRAIN, PULL_UP = 0, 1, 2, 1
    bench: "PicoBench"

    def __init__(self, number, mode, pull=None, *, value=1):
        assert number in tuple(range(23)) + (26, 27, 28), f"a Pico has no pin GP{number}"  # noqa: RUF005
        self.number, self.mode, self.pull, self.level = number, mode, pull, value
        self.bench.pins[number] = self
        self.bench.drive(self)

    def value(self, level=None):
        self.bench.spend(CALL_US)
        if level is None:
            assert self.mode == Pin.IN, "an output is read"
            return self.bench.level(self)
        assert self.mode != Pin.IN, "an input is written"
        if level != self.level:
            self.level = level
            self.bench.drive(self)
        return None


class ADC:
    """The analog inputs of `machine`."""

    bench: "PicoBench"

    def __init__(self, pin):
        assert pin in (26, 27, 28), f"GP{pin} is no analog input"
        self.pin = pin

    def read_u16(self):
        self.bench.spend(CALL_US)
        return self.bench.voltage(self.pin)


class WDT:
    """The watchdog of `machine`."""

    bench: "PicoBench"

    def __init__(self, *, timeout):
        assert timeout <= 8388, "an RP2040 counts no further"
        self.timeout = timeout
        self.bench.watchdog = self
        self.feed()

    def feed(self):
        self.ends_at = self.bench.now_us + 1000 * self.timeout


class Poll:
    """A poll of `select` on one of the two streams."""

    bench: "PicoBench"

    def register(self, stream, events):
        assert (stream is self.bench.stdin) == (events == 1)
        self.stream = stream

    def ipoll(self, timeout_ms):
        self.bench.spend(CALL_US)
        if self.stream.ready():
            return iter([(self.stream, 0)])
        self.bench.wait(1000 * timeout_ms)
        return iter([(self.stream, 0)] if self.stream.ready() else [])


class Stdin:
    """The bytes from the host."""

    def __init__(self, bench):
        self.bench = bench
        self.data = b""

    def ready(self):
        if 3 in self.data and self.bench.interrupt_byte == 3:
            raise KeyboardInterrupt
        return bool(self.data)

    def readinto(self, buffer):
        self.bench.spend(CALL_US)
        assert len(self.data) >= len(buffer), "a read that waits"
        buffer[:] = self.data[: len(buffer)]
        self.data = self.data[len(buffer) :]
        return len(buffer)


class Stdout:
    """The bytes to the host, which takes them unless it is stuck."""

    SIZE = 256

    def __init__(self, bench):
        self.bench = bench
        self.data = b""

    def ready(self):
        return not self.bench.stuck or len(self.data) < self.SIZE

    def write(self, data):
        if self.bench.stuck and len(self.data) + len(data) > self.SIZE:
            self.bench.wait(500000)
            data = data[: self.SIZE - len(self.data)]
        self.data += data
        return len(data)


class Module:
    """A module of the names that are given."""

    stdin: object
    stdout: object

    def __init__(self, **names):
        for name in names:
            setattr(self, name, names[name])


class PicoBench:
    """A board on a Pico; `source` is the front end's text.

    `wiring` is that of the board, named as in the settings, which are in `folder` and may be others.
    """

    def __init__(self, source, folder, wiring):
        self.source, self.folder, self.wiring = source, folder, wiring
        self.now_us = 0
        self.closed = set()
        self.fields = {}
        self.leds, self.frames, self.strip_free_at = b"", 0, 0
        self.resets = 0
        self.stuck = self.hanging = False
        self.ended = ""
        self.text = Module()
        self.modules = self._modules()
        self.boot()

    def boot(self):
        """Start the front end as after power-up or a reset."""
        self.pins, self.watchdog, self.interrupt_byte = {}, None, 3
        self.hanging = False
        self.changed_at, self.before, self.address = -WRAP, 0, 0
        self.stdin, self.stdout = Stdin(self), Stdout(self)
        self.text.stdin, self.text.stdout = Module(buffer=self.stdin), Module(buffer=self.stdout)
        names: dict = {"__name__": "front_end"}
        others: dict = {name: sys.modules.pop(name, None) for name in self.modules}
        sys.modules.update(self.modules)
        exec(self.source, names)  # noqa: S102
        self.names = names
        for name in others:
            del sys.modules[name]
            if others[name]:
                sys.modules[name] = others[name]
        link = names["HostLink"](self.stdin, self.stdout)
        self.front_end = names["start"](link, self.folder)

    def run(self, us):
        """Let time pass; a front end that was stopped does nothing."""
        end = self.now_us + us
        while self.now_us < end and not self.ended:
            try:
                self.front_end.step()
            except WatchdogReset:
                self.resets += 1
                self.boot()
            except KeyboardInterrupt:
                self.front_end.darken()
                self.ended = "stopped"
        self.now_us = max(self.now_us, end)

    def obey(self, line):
        """Obey a command and return the state."""
        words = line.split()
        word, given = words[0], words[1:]
        if word == "run":
            self.run(int(given[0]))
        elif word == "hear":
            self.stdin.data += binascii.unhexlify(given[0])
        elif word == "contact":
            (self.closed.add if given[1] == "1" else self.closed.discard)(int(given[0]))
        elif word == "field":
            self.fields[int(given[0])] = int(given[1])
        elif word == "stuck":
            self.stuck = given[0] == "1"
        elif word == "hang":
            self.hanging = True
        elif word == "power":
            self.leds, self.ended = bytes(len(self.leds)), ""
            self.boot()
        else:
            raise ValueError(f"no command {line}")
        return self.state()

    def state(self):
        """Return the state as JSON, and forget what was sent to the host."""
        sent = b"" if self.stuck else self.stdout.data
        self.stdout.data = self.stdout.data[len(sent) :]
        state = {
            "now_us": self.now_us,
            "sent": binascii.hexlify(sent).decode(),
            "leds": binascii.hexlify(self.leds).decode(),
            "frames": self.frames,
            "resets": self.resets,
            "ended": self.ended,
            "interrupt": self.interrupt_byte,
            "watchdog": self.watchdog is not None,
        }
        return json.dumps(state)

    def spend(self, us):
        """Let a moment pass in which nothing else happens."""
        self.now_us += us
        if self.watchdog and self.now_us >= self.watchdog.ends_at:
            raise WatchdogReset

    def wait(self, us):
        """Let the front end wait, or hang."""
        if self.hanging:
            while True:
                self.spend(10000)
        self.spend(us)

    def drive(self, pin):
        """Take a pin's new level; signals keep the level before until they have settled."""
        if pin.number == self.wiring.get("strip", 22):
            return
        self.before, self.changed_at = self.address, self.now_us
        self.address = self._address()

    def level(self, pin):
        """Return the level that an input reads."""
        assert pin.pull == Pin.PULL_UP, f"GP{pin.number} floats"
        return 0 if self._at(pin.number) & self.closed else 1

    def voltage(self, number):
        """Return the level of a linear sensor: half the supply, and the field under it."""
        (sensor,) = self._at(number)
        return 32768 + self.fields.get(sensor, 0)

    def _address(self):
        """Return the chosen channel, or the bits of the rows that are low."""
        lines = self.wiring.get("select") or self.wiring.get("rows") or []
        low = 0 if "select" in self.wiring else 1
        levels = [self.pins[line].level if line in self.pins else low for line in lines]
        return sum((level ^ low) << n for n, level in enumerate(levels))

    def _at(self, number):
        """Return the contacts that a signal reaches now."""
        wiring = self.wiring
        address = self.address if self.now_us - self.changed_at >= SETTLE_US else self.before
        if "columns" in wiring:
            columns = wiring["columns"]
            rows = [row for row in range(len(wiring["rows"])) if address >> row & 1]
            return {row * len(columns) + columns.index(number) for row in rows}
        if "select" in wiring:
            chip = (wiring.get("signal") or wiring["inputs"]).index(number)
            return {(chip << len(wiring["select"])) + address}
        return {wiring["signal"].index(number)}

    def _bitstream(self, pin, encoding, timing, data):
        """Take a frame for the strip, as WS2812B LEDs do."""
        assert pin.number == self.wiring.get("strip", 22)
        assert pin.mode == Pin.OUT
        assert encoding == 0
        assert self.now_us - self.strip_free_at >= 280, "LEDs take this for the same frame"
        for ns, due in zip(timing, (400, 850, 800, 450)):  # noqa: B905
            assert abs(ns - due) <= 150
        self.spend(10 * len(data))
        self.strip_free_at = self.now_us
        self.leds = bytes(data)
        self.frames += 1

    def _interrupt(self, byte):
        self.interrupt_byte = byte

    def _modules(self):
        """Return the modules that a Pico has and this machine lacks."""
        for fake in (Pin, ADC, WDT, Poll):
            fake.bench = self
        return {
            "machine": Module(Pin=Pin, ADC=ADC, WDT=WDT, bitstream=self._bitstream),
            "micropython": Module(kbd_intr=self._interrupt),
            "uselect": Module(poll=Poll, POLLIN=1, POLLOUT=4),
            "usys": self.text,
            "utime": Module(
                ticks_us=lambda: (START_US + self.now_us) % WRAP,
                ticks_ms=lambda: (START_US + self.now_us // 1000) % WRAP,
                ticks_add=lambda ticks, delta: (ticks + delta) % WRAP,
                ticks_diff=lambda end, start: (end - start + WRAP // 2) % WRAP - WRAP // 2,
                sleep_us=self.spend,
            ),
        }
