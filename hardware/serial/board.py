"""A board with a microcontroller that scans the sensors and drives the strip, on a serial line.

Invariants:
- Nothing waits: each scan receives what has arrived and sends what is due, in the game loop. The system's
  buffer holds seconds of input, so a thread would only add a second queue behind it.
- A failing line is closed and opened again after a growing pause.
- Nothing is sent to a board before its first message, since its boot loader may still be running.
- The newest sensor frame counts. A board that falls silent is an error and not an empty board.
- A frame is decoded by the HELLO before it, so a board that reports another shape counts as starting until
  its first frame.
- Scanning keeps the line alive for the strip as well.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress

from firmware_host.errors import SensorError, StripError
from firmware_host.i18n import Message
from firmware_host.ports import DARK, Colour, LedFrame
from hardware.scanner import Levels, Wire
from hardware.serial.light import LightExchange
from hardware.serial.port import FAILURES, Port, open_port, why_not_open
from hardware.serial.protocol import (
    NUMBERS,
    PROTOCOL,
    BoardFault,
    ForeignHello,
    FrameShown,
    Hello,
    HelloRequest,
    LightFrame,
    LineMessage,
    Receiver,
    SensorFrame,
    encode,
)

SILENCE_S = 0.3
"""Timeout for sensor frames, which arrive every 20 ms; after it a board counts as silent."""

BOOT_S = 2.5
"""Start-up time of a board; opening resets it, and its boot loader may listen for two seconds."""

REOPEN_S = 5.0
"""Timeout for any message; after it the line is opened again."""

NANO_GUIDE, PICO_GUIDE = "hardware/firmware/README.md", "hardware/pico/README.md"
GUIDES = f"{NANO_GUIDE}, {PICO_GUIDE}"
"""The guides for a board of which only its line is known."""

_HELLO_INTERVAL_S = 0.25
_FIRST_PAUSE_S, _MAX_PAUSE_S = 0.25, 4.0
_NEVER = float("-inf")
_LOG = logging.getLogger(__name__)


class SerialBoard:
    """The board at `path`, or at the only USB serial port if that is empty; opened on first use.

    `clock` returns seconds. The scanner and the strip share the line, which is closed with the last of them.
    `lost` counts the sensor frames that never arrived, `damaged` the lines that could not be decoded.
    """

    def __init__(
        self,
        path: str,
        *,
        clock: Callable[[], float],
        open_port: Callable[[str], Port] = open_port,
    ) -> None:
        self.lost = self.damaged = 0
        self.light = LightExchange()
        self.trouble: Message | str | None = Message("fault.board.unopened")
        """The reason why the board cannot be read; None if it can."""
        self.cause: BaseException | None = None
        """The exception behind `trouble`, if there was one."""
        self._path = path
        self._clock = clock
        self._open_port = open_port
        self._users: set[object] = set()
        self._strip: SerialStrip | None = None
        self._port: Port | None = None
        self._reason: Message | str | None = None
        self._retry_at = _NEVER
        self._pause = _FIRST_PAUSE_S
        self._start(0.0)

    def scanner(self, wires: Sequence[Wire]) -> SerialScanner:
        """Return a scanner of the contacts on `wires`: chip and channel as the firmware counts them."""
        scanner = SerialScanner(self, wires)
        self._users.add(scanner)
        return scanner

    def strip(self, places: Sequence[Sequence[int]], *, order: str = "GRB") -> SerialStrip:
        """Return the strip, on which each point has the LEDs of `places` with the colour order `order`."""
        self._strip = SerialStrip(self, places, order)
        self._users.add(self._strip)
        return self._strip

    def leave(self, user: object) -> None:
        """Record that a scanner or strip no longer needs the line."""
        self._users.discard(user)
        if not self._users and self._port is not None:
            port, self._port = self._port, None
            with suppress(*FAILURES):
                port.close()

    @property
    def unread(self) -> Message:
        """The message for a board that cannot be read."""
        return Message("fault.unread", {"why": self.trouble or Message("fault.board.unopened")})

    def pump(self) -> None:
        """Receive what has arrived and send what is due, without waiting; a failure is left in `trouble`."""
        now = self._clock()
        if self._port is None and now >= self._retry_at:
            self._open(now)
        if self._port is not None:
            self._exchange(self._port, now)
        self.trouble = self._diagnose(now)

    def darken(self) -> None:
        """Switch the strip off at once, without waiting for an answer; logs a failure."""
        colours = bytes(len(self.light.wanted or b""))
        self.light.wanted = None
        if self._port is None or self.hello is None or not colours:
            return
        try:
            self._port.write(encode(LightFrame(0, self._padded(colours, self.hello))))
        except FAILURES:
            _LOG.warning("the board could not be switched off; it goes dark by itself", exc_info=True)

    def _start(self, now: float) -> None:
        """Forget everything about the board at the other end."""
        self.hello: Hello | None = None
        self.contacts = b""
        self._other_protocol: int | None = None
        self._reported: str | None = None
        self._number: int | None = None
        self._receiver = Receiver()
        self._started_at = now
        self._received_at = self._frame_at = self._asked_at = _NEVER

    def _open(self, now: float) -> None:
        try:
            self._port = self._open_port(self._path)
        except FAILURES as error:
            self._drop(why_not_open(self._path, error), error, now)
        else:
            self._start(now)

    def _drop(self, reason: Message | str | None, cause: BaseException | None, now: float) -> None:
        """Close the line, to open it again after a pause."""
        port, self._port = self._port, None
        if port is not None:
            with suppress(*FAILURES):
                port.reset_output_buffer()
            with suppress(*FAILURES):
                port.close()
        self._start(now)
        self._reason, self.cause = reason, cause
        self._retry_at = now + self._pause
        self._pause = min(2 * self._pause, _MAX_PAUSE_S)

    def _exchange(self, port: Port, now: float) -> None:
        try:
            self._receive(port, now)
            self._send(port, now)
        except FAILURES as error:
            self._drop(Message("fault.board.broke", {"why": str(error)}), error, now)
            return
        waited = now - max(self._started_at, self._received_at)
        if waited >= BOOT_S:
            self._reason, self.cause = None, None
        if waited >= REOPEN_S:
            self._drop(self._diagnose(now), None, now)

    def _receive(self, port: Port, now: float) -> None:
        damaged = self._receiver.damaged
        for message in self._receiver.feed(port.read(4096)):
            self._received_at = now
            self._handle(message, now)
        if self.hello is not None:  # before HELLO, a line may have begun in the middle
            self.damaged += self._receiver.damaged - damaged

    def _handle(self, message: LineMessage, now: float) -> None:
        match message:
            case Hello():
                if message != self.hello:
                    self._await_frames_of(message, now)
                self._other_protocol = self._reported = self._number = None
                self.light.begin()
            case ForeignHello(protocol):
                self.hello, self._other_protocol = None, protocol
            case BoardFault(text):
                self.hello, self._reported = None, text
            case SensorFrame(number, contacts) if self.hello is not None:
                if len(contacts) == self.hello.frame_bytes:
                    self._accept_frame(number, contacts, now)
            case FrameShown(number):
                self.light.answered(number)

    def _await_frames_of(self, hello: Hello, now: float) -> None:
        """Drop the frames before this HELLO, since the bits of one shape mean nothing in another."""
        self.hello, self.contacts = hello, b""
        self._frame_at, self._started_at = _NEVER, now

    def _accept_frame(self, number: int, contacts: bytes, now: float) -> None:
        if self._number is not None:
            self.lost += (number - self._number - 1) % NUMBERS
        if contacts != self.contacts:
            self.contacts = contacts
        self._number, self._frame_at = number, now
        self._reason, self.cause = None, None
        self._pause = _FIRST_PAUSE_S

    def _send(self, port: Port, now: float) -> None:
        if self.hello is None:
            reachable = self._received_at > _NEVER or now - self._started_at >= BOOT_S
            if reachable and self._other_protocol is None and now - self._asked_at >= _HELLO_INTERVAL_S:
                self._asked_at = now
                port.write(encode(HelloRequest()))
            return
        if now - self._frame_at >= SILENCE_S or self._strip is None or self._strip.misfit(self.hello):
            return
        if (due := self.light.due(now)) is not None:
            number, colours = due
            port.write(encode(LightFrame(number, self._padded(colours, self.hello))))

    def _diagnose(self, now: float) -> Message | str | None:
        if self._other_protocol is not None:
            theirs, ours = str(self._other_protocol), str(PROTOCOL)
            slots = {"theirs": theirs, "ours": ours, "text": GUIDES}
            older = self._other_protocol < PROTOCOL
            return Message("fault.board.older", slots) if older else Message("fault.board.newer", slots)
        if self._reported is not None:
            return Message("fault.board.reports", {"why": self._reported})
        if now - self._frame_at < SILENCE_S:
            return None
        if self._reason:
            return self._reason
        if self._frame_at == _NEVER and now - self._started_at < BOOT_S:
            return Message("fault.board.starts")
        if self.hello is not None:
            return Message("fault.board.silent")
        if self._received_at > _NEVER:
            return Message("fault.board.deaf")
        return Message("fault.board.strange", {"text": GUIDES})

    @staticmethod
    def _padded(colours: bytes, hello: Hello) -> bytes:
        return colours.ljust(hello.leds * hello.colours, b"\0")


class SerialScanner:
    """A Scanner on the contacts of a serial board; a level is 1 if the contact is closed."""

    def __init__(self, board: SerialBoard, wires: Sequence[Wire]) -> None:
        self.wires = tuple(wires)
        self._board = board
        self._hello: Hello | None = None
        self._bits: tuple[tuple[int, int], ...] = ()
        self._contacts = b""
        self._levels: Levels = ()
        self._closed = False

    def scan(self) -> Levels:
        """Return the levels of the newest frame, the very same tuple if nothing changed."""
        if self._closed:
            raise SensorError(Message("fault.unread.closed"))
        board = self._board
        board.pump()
        if board.trouble:
            raise SensorError(board.unread) from board.cause
        if board.hello is not None and board.hello != self._hello:
            self._locate(board.hello)
        if board.contacts is not self._contacts:
            self._contacts = board.contacts
            levels = tuple(self._contacts[byte] >> bit & 1 for byte, bit in self._bits)
            if levels != self._levels:
                self._levels = levels
        return self._levels

    def close(self) -> None:
        """Release the board; may be called twice."""
        self._closed = True
        self._board.leave(self)

    def _locate(self, hello: Hello) -> None:
        """Locate the wires in the frames of such a board."""
        for chip, channel in self.wires:
            if chip >= hello.chips or channel >= hello.channels:
                raise SensorError(_no_channel(chip, channel, hello))
        self._bits = tuple(divmod(chip * hello.channels + channel, 8) for chip, channel in self.wires)
        self._hello, self._contacts = hello, b""


def _guide(hello: Hello) -> str:
    return PICO_GUIDE if hello.firmware.startswith("pico-") else NANO_GUIDE


def _no_channel(chip: int, channel: int, hello: Hello) -> Message:
    why = Message(
        "fault.board.no-channel",
        {
            "channel": channel,
            "chip": chip,
            "chips": hello.chips,
            "channels": hello.channels,
            "text": _guide(hello),
        },
    )
    return Message("fault.unread", {"why": why})


class SerialStrip:
    """A LedPort on the strip of a serial board; frames are sent while the scanner scans."""

    def __init__(self, board: SerialBoard, places: Sequence[Sequence[int]], order: str) -> None:
        self._board = board
        self._places = [tuple(leds) for leds in places]
        self._leds = max((led for own in self._places for led in own), default=-1) + 1
        self._order = order
        self._closed = False

    def show(self, frame: LedFrame) -> None:
        """Send `frame`, one colour for each point, unless the LEDs show it already."""
        if self._closed:
            raise StripError(Message("fault.unlit.closed"))
        board = self._board
        board.light.wanted = self._colours(frame)
        board.pump()
        trouble = board.trouble or (self.misfit(board.hello) if board.hello else None)
        if not trouble and board.light.failing:
            trouble = Message("fault.board.unanswered", {"count": board.light.lost})
        if trouble:
            raise StripError(Message("fault.unlit", {"why": trouble})) from board.cause

    def close(self) -> None:
        """Switch the LEDs off; may be called twice."""
        if self._closed:
            return
        self._closed = True
        self._board.darken()
        self._board.leave(self)

    def misfit(self, hello: Hello) -> Message | None:
        """Return the mismatch if the firmware drives another strip than this one, or None."""
        if self._leds <= hello.leds and len(self._order) == hello.colours:
            return None
        return Message(
            "fault.board.misfit",
            {
                "leds": hello.leds,
                "colours": hello.colours,
                "due": self._leds,
                "parts": len(self._order),
                "text": _guide(hello),
            },
        )

    def _colours(self, frame: LedFrame) -> bytes:
        colours = [bytes(len(self._order))] * self._leds
        for leds, colour in zip(self._places, frame, strict=True):
            for led in leds:
                colours[led] = _encode_colour(colour, self._order)
        return b"".join(colours)


def _encode_colour(colour: Colour, order: str) -> bytes:
    """Return the bytes of a colour in the LED's order; a white part, if there is one, shines for greys."""
    red, green, blue = colour
    grey = red == green == blue and "W" in order
    parts = {"W": red if grey else 0}
    parts.update(zip("RGB", DARK if grey else colour, strict=True))
    return bytes(parts[name] for name in order)
