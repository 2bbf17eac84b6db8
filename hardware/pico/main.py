"""Millwright's front end for a Raspberry Pi Pico: it reads the sensors and shows the light of the host.

Copy this file to a Pico that runs MicroPython. It plays a board wired as recommended; for another wiring,
copy a `board.json` beside it. The README in the project's hardware/pico has both, and the protocol is in
hardware/firmware.

Invariants:
- Contact n is bit n of a sensor frame, in every wiring; the host counts it as channel n % 8 of chip n // 8.
- Nothing is debounced here: a bouncing contact is sent as it bounces, scan by scan.
- The LEDs are dark from the start until the first light frame, and again when the host falls silent.
- Until a host has spoken, Ctrl-C stops the program, so that Thonny and mpremote can replace it. From then on
  the watchdog restarts a program that hangs.
- Faulty settings don't stop the program: it reports the fault to the host.
"""

# The names with a u are MicroPython's own modules. Annotations are for tools on a PC: MicroPython skips them.
import binascii
import json
import os

import machine
import micropython
import uselect
import usys
import utime

VERSION = "pico-1.0.0"
SETTINGS_FILE = "board.json"

SCAN_US = 5000
SCANS_PER_HEARTBEAT = 4  # an unchanged frame is sent every 20 ms
SILENCE_MS = 2900  # without a valid line from the host; the LEDs are dark within three seconds
WATCHDOG_MS = 3000  # longer than the writes to a host that has stopped reading, 0.5 s each
MAX_LINE = 1100  # longer than a light frame for 120 LEDs of four colours
MAX_BYTES = 64  # taken at a time: a host that never pauses must not keep the sensors waiting
RESET_US = 300  # ends a frame for LEDs of any type
PULSES_NS = (400, 850, 800, 450)  # of a WS2812B: a zero's high and low, a one's high and low
PINS = tuple(range(23)) + (26, 27, 28)  # the Pico itself uses the others
ADC_PINS = (26, 27, 28)
REST_READINGS = 16
HALF_SUPPLY = 0x8000  # the level of a linear sensor at rest, as `ADC.read_u16` returns it
KINDS = {  # the settings of each
    "direct": ("signal",),
    "mux": ("select", "signal", "settling_us"),
    "matrix": ("rows", "columns", "settling_us"),
    "linear": ("select", "inputs", "settling_us", "threshold"),
}


class Settings:
    """The wiring: the recommended one except for `given`; a fault is a ValueError, worded for the maker."""

    def __init__(self, given: dict[str, object]) -> None:
        self._given = given
        self._uses: dict[int, str] = {}
        kind = given.get("kind", "direct")
        if not isinstance(kind, str) or kind not in KINDS:
            raise ValueError(f"kind is {json.dumps(kind)}. Use one of: {', '.join(sorted(KINDS))}.")
        self.kind = kind
        known = KINDS[self.kind] + ("kind", "strip", "leds", "colours")
        for key in given:
            if key not in known:
                raise ValueError(f"{self.kind} has no setting {key}. Use: {', '.join(known)}.")
        self.leds = self.number("leds", 24, 1, 120)
        self.colours = self.number("colours", 3, 3, 4)
        self.strip = self._claim("strip", self.number("strip", 22, 0, 28))

    def number(self, key: str, default: int, least: int, most: int) -> int:
        """Return a setting that is a number from `least` to `most`."""
        value = self._given.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"{key} is {json.dumps(value)}. Use a number from {least} to {most}.")
        return value

    def pins(self, key: str, default: list[int], most: int = len(PINS)) -> list[int]:
        """Return a setting that is a list of GPIO numbers, each of them used once."""
        value = self._given.get(key, default)
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise ValueError(f"{key} is {json.dumps(value)}. Use a list of 1 to {most} GPIO numbers.")
        return [self._claim(key, pin) for pin in value]

    def _claim(self, key: str, pin: object) -> int:
        if not isinstance(pin, int) or isinstance(pin, bool) or pin not in PINS:
            raise ValueError(f"{key} has {json.dumps(pin)}. A Pico has GP0 to GP22 and GP26 to GP28.")
        if pin in self._uses:
            raise ValueError(f"GP{pin} is used for {self._uses[pin]} and {key}. Give each its own pin.")
        self._uses[pin] = key
        return pin


def read_settings(folder: str = "/") -> Settings:
    """Return the settings in a folder, or the defaults if it has none; raises ValueError."""
    if SETTINGS_FILE not in os.listdir(folder):
        return Settings({})
    try:
        with open(folder + SETTINGS_FILE) as file:
            given = json.load(file)
    except ValueError:  # MicroPython has no chained exceptions, and would print a warning
        raise ValueError(f"{SETTINGS_FILE} is not JSON. Compare it with the guide's examples.")  # noqa: B904
    if not isinstance(given, dict):
        raise ValueError(SETTINGS_FILE + ' is not a table. Write it as {"kind": "mux"}.')
    return Settings(given)


class Steps:
    """The lines that choose what the inputs read: select lines of multiplexers, or rows of a matrix.

    Select lines have the lowest bit of a channel first; without any, there is one step. Of the rows, one is
    low and the others are released; a diode at each contact conducts from column to row.
    """

    def __init__(self, pins: list[int], settling_us: int, rows: bool = False) -> None:
        mode = machine.Pin.OPEN_DRAIN if rows else machine.Pin.OUT
        self._lines = [machine.Pin(pin, mode, value=int(rows)) for pin in pins]
        self._settling_us = settling_us
        self.are_rows = rows
        self.count = len(pins) if rows else 1 << len(pins)

    def choose(self, step: int) -> None:
        """Choose a channel or a row, and wait until the inputs have settled."""
        for n, line in enumerate(self._lines):
            line.value(int(n != step) if self.are_rows else step >> n & 1)
        utime.sleep_us(self._settling_us)


class Contacts:
    """Contacts that pull an input to ground, counted chip after chip, or row after row."""

    def __init__(self, steps: Steps, inputs: list[int]) -> None:
        self._steps = steps
        self._inputs = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in inputs]
        # The distances between the contacts of two steps, and of two inputs.
        self._strides = (len(inputs), 1) if steps.are_rows else (1, steps.count)
        self.count = steps.count * len(inputs)

    def scan(self, bits: bytearray) -> None:
        """Set the bit of each closed contact; all bits are clear before."""
        step_stride, input_stride = self._strides
        for step in range(self._steps.count):
            self._steps.choose(step)
            contact = step * step_stride
            for line in self._inputs:
                if not line.value():
                    bits[contact >> 3] |= 1 << (contact & 7)
                contact += input_stride


class LinearSensors:
    """Linear hall sensors behind multiplexers, each of them two contacts.

    One closes above the sensor's rest level; the other, in the second half of the frame, below it.
    """

    def __init__(self, select: Steps, inputs: list[int], threshold: int) -> None:
        self._select = select
        self._inputs = [machine.ADC(pin) for pin in inputs]
        self._threshold = threshold
        self._levels = [0] * (select.count * len(inputs))
        self.count = 2 * len(self._levels)
        self._were_closed = bytearray(self.count)
        self._rest = self._measure_rest()

    def scan(self, bits: bytearray) -> None:
        """Set the bit of each closed contact; all bits are clear before."""
        self._read()
        for sensor, level in enumerate(self._levels):
            difference = level - self._rest[sensor]
            self._close(bits, sensor, difference)
            self._close(bits, sensor + len(self._levels), -difference)

    def _close(self, bits: bytearray, contact: int, difference: int) -> None:
        # A closed contact opens a quarter of the threshold later, so that noise can't make it chatter.
        closed = difference >= (3 * self._threshold // 4 if self._were_closed[contact] else self._threshold)
        self._were_closed[contact] = closed
        if closed:
            bits[contact >> 3] |= 1 << (contact & 7)

    def _read(self) -> None:
        for channel in range(self._select.count):
            self._select.choose(channel)
            for chip, line in enumerate(self._inputs):
                self._levels[chip * self._select.count + channel] = line.read_u16()

    def _measure_rest(self) -> list[int]:
        """Return the rest levels, or half the supply for all if there are pieces on the board."""
        sums = [0] * len(self._levels)
        for _ in range(REST_READINGS):
            self._read()
            sums = [total + level for total, level in zip(sums, self._levels)]  # noqa: B905
        rest = [total // REST_READINGS for total in sums]
        empty = all(abs(level - HALF_SUPPLY) < self._threshold for level in rest)
        return rest if empty else [HALF_SUPPLY] * len(rest)


def open_sensors(settings: Settings) -> Contacts | LinearSensors:
    """Return the sensors of a wiring; raises ValueError."""
    if settings.kind == "direct":
        return Contacts(Steps([], 0), settings.pins("signal", list(range(22)) + [26, 27]))
    settling_us = settings.number("settling_us", 20, 0, 1000)
    if settings.kind == "matrix":
        rows = Steps(settings.pins("rows", [2, 3, 4, 5]), settling_us, rows=True)
        return Contacts(rows, settings.pins("columns", [6, 7, 8, 9, 10, 11]))
    select = Steps(settings.pins("select", [2, 3, 4], 4), settling_us)
    if settings.kind == "mux":
        return Contacts(select, settings.pins("signal", [6, 7, 8]))
    inputs = settings.pins("inputs", list(ADC_PINS), len(ADC_PINS))
    for pin in inputs:
        if pin not in ADC_PINS:
            raise ValueError(f"GP{pin} can't measure. Use GP26, GP27 or GP28 for inputs.")
    return LinearSensors(select, inputs, settings.number("threshold", 4000, 500, 30000))


class PixelStrip:
    """The LEDs."""

    def __init__(self, settings: Settings) -> None:
        self.leds, self.parts = settings.leds, settings.colours
        self.size = self.leds * self.parts
        self._pin = machine.Pin(settings.strip, machine.Pin.OUT, value=0)

    def show(self, colours: bytes) -> None:
        """Send the LEDs their bytes, in the order in which they take them; no interrupt in 30 us an LED."""
        utime.sleep_us(RESET_US)
        machine.bitstream(self._pin, 0, PULSES_NS, colours)


def checksum(words: bytes) -> bytes:
    """Return the CRC-16 (XMODEM) of a line's words, as four hex digits."""
    crc = 0
    for byte in words:
        top = (crc >> 8) ^ byte
        top ^= top >> 4
        crc = ((crc << 8) ^ (top << 12) ^ (top << 5) ^ top) & 0xFFFF
    return f"{crc:04X}".encode()


class HostLink:
    """The lines to and from the host. A line is words, a star and the words' checksum."""

    def __init__(self, stdin: "usys.Stream", stdout: "usys.Stream") -> None:
        self._stdin, self._stdout = stdin, stdout
        self._readable, self._writable = uselect.poll(), uselect.poll()
        self._readable.register(stdin, uselect.POLLIN)
        self._writable.register(stdout, uselect.POLLOUT)
        self._byte = bytearray(1)
        self._line = bytearray(MAX_LINE)
        self._length = 0

    def wait(self, timeout_ms: int) -> bool:
        """Return True as soon as something has arrived, or False after the timeout."""
        for _ in self._readable.ipoll(timeout_ms):
            return True
        return False

    def receive(self) -> bytes:
        """Take the bytes that have arrived; return the words of the first valid line they end, or nothing."""
        for _ in range(MAX_BYTES):
            if not self.wait(0):
                break
            self._stdin.readinto(self._byte)
            byte = self._byte[0]
            if byte in b"\r\n":
                words, self._length = self._checked(), 0
                if words:
                    return words
            elif self._length < MAX_LINE:
                self._line[self._length] = byte
                self._length += 1
        return b""

    def send(self, words: str) -> bool:
        """Send a line; return False if there is no room for it, since the host has stopped reading."""
        for _ in self._writable.ipoll(0):
            text = words.encode()
            self._stdout.write(text + b"*" + checksum(text) + b"\r\n")
            return True
        return False

    def _checked(self) -> bytes:
        star = self._length - 5
        if star < 1 or self._length == MAX_LINE or self._line[star] != ord("*"):
            return b""
        words = bytes(self._line[:star])
        return words if checksum(words) == bytes(self._line[star + 1 : self._length]) else b""


class FrontEnd:
    """A board that plays: `step` does what is due next, and waits for it if nothing is."""

    def __init__(self, link: HostLink, sensors: Contacts | LinearSensors, strip: PixelStrip) -> None:
        self._link, self._sensors, self._strip = link, sensors, strip
        self._size = (sensors.count + 7) // 8
        self._bits, self._sent = bytearray(self._size), bytearray(self._size)
        self._number, self._scans_since = 0, SCANS_PER_HEARTBEAT
        self._scan_at, self._received_at = utime.ticks_us(), utime.ticks_ms()
        self._watchdog: machine.WDT | None = None
        self._hello = f"HELLO 1 {VERSION} {self._size} 8 {strip.leds} {strip.parts}"
        self.darken()
        link.send(self._hello)

    def step(self) -> None:
        """Take what the host has sent until a scan is due, and then scan."""
        if self._watchdog is not None:
            self._watchdog.feed()
        now = utime.ticks_us()
        left_us = utime.ticks_diff(self._scan_at, now)
        if left_us > 0:
            if self._link.wait(left_us // 1000 + 1):
                self._handle(self._link.receive())
            return
        # A scan that comes late is followed by the next on time, unless more than one was missed.
        self._scan_at = utime.ticks_add(self._scan_at if left_us > -SCAN_US else now, SCAN_US)
        self._scan()
        if self._lit and utime.ticks_diff(utime.ticks_ms(), self._received_at) >= SILENCE_MS:
            self.darken()

    def darken(self) -> None:
        """Switch the LEDs off until the next light frame."""
        self._lit = False
        self._strip.show(bytes(self._strip.size))

    def _scan(self) -> None:
        bits = self._bits
        for byte in range(self._size):
            bits[byte] = 0
        self._sensors.scan(bits)
        self._scans_since += 1
        if bits == self._sent and self._scans_since < SCANS_PER_HEARTBEAT:
            return
        if self._link.send(f"S {self._number:02X} {binascii.hexlify(bits).decode().upper()}"):
            self._sent[:] = bits
            self._number = (self._number + 1) & 0xFF
            self._scans_since = 0

    def _handle(self, words: bytes) -> None:
        if words == b"HELLO?":
            self._link.send(self._hello)
        elif not self._show(words):
            return
        self._received_at = utime.ticks_ms()
        if self._watchdog is None:
            micropython.kbd_intr(-1)  # from here on, no byte of a damaged line may stop the program
            self._watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def _show(self, words: bytes) -> bool:
        """Show a light frame and acknowledge it; return False if this isn't one for this strip."""
        if words[:2] != b"L " or words[4:5] != b" " or len(words) != 5 + 2 * self._strip.size:
            return False
        try:
            number, colours = binascii.unhexlify(words[2:4]), binascii.unhexlify(words[5:])
        except ValueError:
            return False
        self._strip.show(colours)
        self._lit = True
        self._link.send(f"A {number[0]:02X}")
        return True


class FaultyBoard:
    """A board that can't play: `step` reports why, once a second and whenever the host has sent something."""

    def __init__(self, link: HostLink, fault: str) -> None:
        self._link = link
        # A line is ASCII, and has one star.
        safe = [letter if " " <= letter <= "~" and letter != "*" else "?" for letter in fault]
        self._fault = "".join(safe)[:200]

    def step(self) -> None:
        """Report the fault, and drop what the host sends."""
        self._link.send(f"E {self._fault}")
        if self._link.wait(1000):
            self._link.receive()

    def darken(self) -> None:
        """Do nothing: no strip was lit."""


def start(link: HostLink, folder: str = "/") -> FrontEnd | FaultyBoard:
    """Return the board that the settings in a folder describe, or the one that reports their fault."""
    try:
        settings = read_settings(folder)
        return FrontEnd(link, open_sensors(settings), PixelStrip(settings))
    except ValueError as error:
        return FaultyBoard(link, str(error))


def main() -> None:
    """Run until the program is stopped."""
    board = start(HostLink(usys.stdin.buffer, usys.stdout.buffer))
    try:
        while True:
            board.step()
    finally:
        board.darken()


if __name__ == "__main__":
    main()
