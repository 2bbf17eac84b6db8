"""The line protocol between this program and a board with its own microcontroller.

A line consists of words, a `*`, and the CRC-16 of the words as four hex digits: `S 1F 0000FF*1295`. The
firmware's README (hardware/firmware) describes each message.

Invariants: bytes in, messages out, and no I/O. Anything but a line with a correct checksum is skipped, be it
noise, half a line or the banner of a boot loader. Lines are short, so endless input takes no memory.
"""

from __future__ import annotations

import re
from binascii import crc_hqx

from firmware_host.frozen import frozen

PROTOCOL = 1
"""Protocol version; from a board whose HELLO has another one, only that HELLO is understood."""

BAUD = 500_000
"""Baud rate: one that 16 MHz divide into exactly, and that Linux has a name for."""

NUMBERS = 256
"""Size of the frame counter: frames are numbered 0 to 255, then from 0 again."""

_MAX_LINE = 2048
"""Maximum length of a line, longer than a light frame for 240 LEDs of four colours."""


@frozen
class HelloRequest:
    """To the board: a request for its HELLO."""


@frozen
class LightFrame:
    """To the board: colour bytes to show, those of all LEDs in the order in which the strip takes them."""

    number: int
    colours: bytes


@frozen
class Hello:
    """From the board, on start-up and on request: its description.

    `channels` of each of its `chips` are scanned; its strip has `leds`, each with `colours` colours.
    """

    firmware: str
    chips: int
    channels: int
    leds: int
    colours: int

    @property
    def frame_bytes(self) -> int:
        """The length of a sensor frame: a bit for each channel, eight to a byte, the last byte padded."""
        return -(-self.chips * self.channels // 8)


@frozen
class ForeignHello:
    """From the board: a HELLO of another version of the protocol."""

    protocol: int


@frozen
class SensorFrame:
    """From the board: the closed contacts, a bit for each channel, lowest first, chip after chip."""

    number: int
    contacts: bytes


@frozen
class FrameShown:
    """From the board: the acknowledgement that the light frame of this number has left for the strip."""

    number: int


@frozen
class BoardFault:
    """From the board, once a second in place of sensor frames: why it cannot play, as English sentences."""

    text: str


LineMessage = HelloRequest | LightFrame | Hello | ForeignHello | SensorFrame | FrameShown | BoardFault


def encode(message: LineMessage) -> bytes:
    """Encode `decode` as a line, with checksum and line end."""
    return with_checksum(_words(message))


def with_checksum(words: str) -> bytes:
    """Return a line of `words`, with checksum and line end."""
    body = words.encode("ascii")
    return b"%s*%04X\n" % (body, crc_hqx(body, 0))


def decode(text: bytes) -> LineMessage | None:
    """Decode a line without its end; None if it is damaged or not of this protocol."""
    seal = _CHECKED_LINE.fullmatch(text)
    if seal is None or int(seal["sum"], 16) != crc_hqx(seal["body"], 0):
        return None
    for pattern, read in _READERS:
        if found := pattern.fullmatch(seal["body"].decode("ascii")):
            return read(found)
    return None


class Receiver:
    """Decoder of a byte stream, however its lines were split on the way."""

    def __init__(self) -> None:
        self.damaged = 0
        """Number of lines skipped so far."""
        self._partial = bytearray()

    def feed(self, data: bytes) -> list[LineMessage]:
        """Return the messages that `data` completes, in order."""
        *ended, rest = data.split(b"\n")
        messages = []
        for text in ended:
            self._partial += text
            if (read := decode(bytes(self._partial).removesuffix(b"\r"))) is not None:
                messages.append(read)
            elif self._partial.strip():
                self.damaged += 1
            self._partial.clear()
        self._partial += rest
        if len(self._partial) > _MAX_LINE:
            # No line of the protocol starts with this byte, so the rest of an overlong line is never decoded.
            self._partial[:] = b"\0"
        return messages


def _words(message: LineMessage) -> str:
    match message:
        case HelloRequest():
            return "HELLO?"
        case LightFrame(number, colours):
            return f"L {number:02X} {colours.hex().upper()}"
        case Hello(firmware, chips, channels, leds, colour_count):
            return f"HELLO {PROTOCOL} {firmware} {chips} {channels} {leds} {colour_count}"
        case ForeignHello(protocol):
            return f"HELLO {protocol}"
        case SensorFrame(number, contacts):
            return f"S {number:02X} {contacts.hex().upper()}"
        case FrameShown(number):
            return f"A {number:02X}"
        case BoardFault(text):
            return f"E {text}"


def _read_hello(found: re.Match[str]) -> LineMessage | None:
    protocol, _, rest = found["words"].partition(" ")
    if int(protocol) != PROTOCOL:
        return ForeignHello(int(protocol))
    own = _HELLO.fullmatch(rest)
    return Hello(own[1], *(int(own[n]) for n in range(2, 6))) if own else None


_CHECKED_LINE = re.compile(rb"(?P<body>[ -)+-~]+)\*(?P<sum>[0-9A-F]{4})")
_HELLO = re.compile(r"([0-9A-Za-z.-]{1,20}) (\d{1,3}) (\d{1,3}) (\d{1,3}) (\d)", re.ASCII)
_NUMBERED = r" ([0-9A-F]{2})"
_BYTES = r" ((?:[0-9A-F]{2})+)"

_READERS = (
    (
        re.compile(f"S{_NUMBERED}{_BYTES}"),
        lambda found: SensorFrame(int(found[1], 16), bytes.fromhex(found[2])),
    ),
    (re.compile(f"A{_NUMBERED}"), lambda found: FrameShown(int(found[1], 16))),
    (
        re.compile(f"L{_NUMBERED}{_BYTES}"),
        lambda found: LightFrame(int(found[1], 16), bytes.fromhex(found[2])),
    ),
    (re.compile(r"E (.{1,200})"), lambda found: BoardFault(found[1])),
    (re.compile(r"HELLO\?"), lambda _: HelloRequest()),
    (re.compile(r"HELLO (?P<words>\d{1,3}( .*)?)", re.ASCII), _read_hello),
)
