"""A board whose microcontroller scans the sensors and drives the strip, on a serial line.

Rules kept here: nothing waits: each scan takes what has come and sends what is due, in the board's own loop,
since the system's buffer holds what comes in seconds, and a thread would only put a second queue behind it;
a line that fails is closed and opened again, after a pause that grows; nothing is said to a board that is not
heard, since what starts may be its boot loader; the newest frame of the sensors counts, and a board that
falls silent is an error and no empty board; a frame is decoded by the HELLO before it, so a board that
reports another shape counts as starting until its first frame. Scanning keeps the line alive, also for the
strip.
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
    Ask,
    Felt,
    Hello,
    Light,
    LineMessage,
    Receiver,
    Shown,
    Stranger,
    line,
)

SILENCE_S = 0.3
"""A board whose sensor frames stay away for so long has fallen silent; they come every 20 ms."""

BOOT_S = 2.5
"""Opening a board starts it anew, and its boot loader may listen for two seconds before it speaks."""

REOPEN_S = 5.0
"""A board that is not heard for so long is opened again."""

FIRMWARE = "hardware/firmware/README.md"

_ASK_AGAIN_S = 0.25
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.25, 4.0
_NEVER = float("-inf")
_LOG = logging.getLogger(__name__)


class SerialBoard:
    """The board at `path`, or where that is empty at the only USB serial port; opened when first used.

    `clock` gives seconds. What `scanner` and `strip` give share the line, which is closed with the last of
    them. `lost` counts the sensor frames that never came, `damaged` the lines that could not be read.
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
        """Why the board cannot be read; None where it can."""
        self.cause: BaseException | None = None
        """The error that the trouble came from, if it came from one."""
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
        """The contacts on `wires`: chip and channel as the firmware counts them."""
        scanner = SerialScanner(self, wires)
        self._users.add(scanner)
        return scanner

    def strip(self, places: Sequence[Sequence[int]], *, order: str = "GRB") -> SerialStrip:
        """The strip, on which each point has the LEDs of `places`; `order`: how an LED takes its colours."""
        self._strip = SerialStrip(self, places, order)
        self._users.add(self._strip)
        return self._strip

    def leave(self, user: object) -> None:
        """The scanner or strip needs the line no more."""
        self._users.discard(user)
        if not self._users and self._port is not None:
            port, self._port = self._port, None
            with suppress(*FAILURES):
                port.close()

    @property
    def unread(self) -> Message:
        """What is said where the board cannot be read."""
        return Message("fault.unread", {"why": self.trouble or Message("fault.board.unopened")})

    def pump(self) -> None:
        """Take what has come and send what is due, without waiting; what is wrong then is `trouble`."""
        now = self._clock()
        if self._port is None and now >= self._retry_at:
            self._open(now)
        if self._port is not None:
            self._exchange(self._port, now)
        self.trouble = self._judge(now)

    def darken(self) -> None:
        """Have the strip go dark at once, without waiting for an answer; logs where it cannot be told."""
        colours = bytes(len(self.light.wanted or b""))
        self.light.wanted = None
        if self._port is None or self.hello is None or not colours:
            return
        try:
            self._port.write(line(Light(0, self._padded(colours, self.hello))))
        except FAILURES:
            _LOG.warning("the board could not be told to go dark, and does so by itself", exc_info=True)

    def _start(self, now: float) -> None:
        """Know nothing of the board at the other end."""
        self.hello: Hello | None = None
        self.contacts = b""
        self._stranger: int | None = None
        self._number: int | None = None
        self._receiver = Receiver()
        self._started_at = now
        self._heard_at = self._felt_at = self._asked_at = _NEVER

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
        self._pause = min(2 * self._pause, _LONGEST_PAUSE_S)

    def _exchange(self, port: Port, now: float) -> None:
        try:
            self._receive(port, now)
            self._send(port, now)
        except FAILURES as error:
            self._drop(Message("fault.board.broke", {"why": str(error)}), error, now)
            return
        waited = now - max(self._started_at, self._heard_at)
        if waited >= BOOT_S:
            self._reason, self.cause = None, None
        if waited >= REOPEN_S:
            self._drop(self._judge(now), None, now)

    def _receive(self, port: Port, now: float) -> None:
        damaged = self._receiver.damaged
        for message in self._receiver.feed(port.read(4096)):
            self._heard_at = now
            self._hear(message, now)
        if self.hello is not None:  # before it, lines begin in the middle
            self.damaged += self._receiver.damaged - damaged

    def _hear(self, message: LineMessage, now: float) -> None:
        match message:
            case Hello():
                if message != self.hello:
                    self._await_frames_of(message, now)
                self._stranger = self._number = None
                self.light.begin()
            case Stranger(protocol):
                self.hello, self._stranger = None, protocol
            case Felt(number, contacts) if self.hello is not None:
                if len(contacts) == self.hello.frame_bytes:
                    self._feel(number, contacts, now)
            case Shown(number):
                self.light.answered(number)

    def _await_frames_of(self, hello: Hello, now: float) -> None:
        """Drop the frames that came before this HELLO: the bits of one shape are not those of another."""
        self.hello, self.contacts = hello, b""
        self._felt_at, self._started_at = _NEVER, now

    def _feel(self, number: int, contacts: bytes, now: float) -> None:
        if self._number is not None:
            self.lost += (number - self._number - 1) % NUMBERS
        if contacts != self.contacts:
            self.contacts = contacts
        self._number, self._felt_at = number, now
        self._reason, self.cause = None, None
        self._pause = _FIRST_PAUSE_S

    def _send(self, port: Port, now: float) -> None:
        if self.hello is None:
            heard = self._heard_at > _NEVER or now - self._started_at >= BOOT_S
            if heard and self._stranger is None and now - self._asked_at >= _ASK_AGAIN_S:
                self._asked_at = now
                port.write(line(Ask()))
            return
        if now - self._felt_at >= SILENCE_S or self._strip is None or self._strip.misfit(self.hello):
            return
        if (due := self.light.due(now)) is not None:
            number, colours = due
            port.write(line(Light(number, self._padded(colours, self.hello))))

    def _judge(self, now: float) -> Message | str | None:
        if self._stranger is not None:
            theirs, ours = str(self._stranger), str(PROTOCOL)
            slots = {"theirs": theirs, "ours": ours, "text": FIRMWARE}
            older = self._stranger < PROTOCOL
            return Message("fault.board.older", slots) if older else Message("fault.board.newer", slots)
        if now - self._felt_at < SILENCE_S:
            return None
        if self._reason:
            return self._reason
        if self._felt_at == _NEVER and now - self._started_at < BOOT_S:
            return Message("fault.board.starts")
        if self.hello is not None:
            return Message("fault.board.silent")
        if self._heard_at > _NEVER:
            return Message("fault.board.deaf")
        return Message("fault.board.strange", {"text": FIRMWARE})

    @staticmethod
    def _padded(colours: bytes, hello: Hello) -> bytes:
        return colours.ljust(hello.leds * hello.colours, b"\0")


class SerialScanner:
    """A Scanner on the contacts of a serial board; a level is 1 where a contact is closed."""

    def __init__(self, board: SerialBoard, wires: Sequence[Wire]) -> None:
        self.wires = tuple(wires)
        self._board = board
        self._hello: Hello | None = None
        self._bits: tuple[tuple[int, int], ...] = ()
        self._contacts = b""
        self._levels: Levels = ()
        self._closed = False

    def scan(self) -> Levels:
        """The levels of the newest frame that has come, the very same tuple where nothing changed."""
        if self._closed:
            raise SensorError(Message("fault.unread.closed"))
        board = self._board
        board.pump()
        if board.trouble:
            raise SensorError(board.unread) from board.cause
        if board.hello is not None and board.hello != self._hello:
            self._find(board.hello)
        if board.contacts is not self._contacts:
            self._contacts = board.contacts
            levels = tuple(self._contacts[byte] >> bit & 1 for byte, bit in self._bits)
            if levels != self._levels:
                self._levels = levels
        return self._levels

    def close(self) -> None:
        """Leave the board; may be called twice."""
        self._closed = True
        self._board.leave(self)

    def _find(self, hello: Hello) -> None:
        """Where in a frame of such a board the wires are."""
        for chip, channel in self.wires:
            if chip >= hello.chips or channel >= hello.channels:
                raise SensorError(_no_channel(chip, channel, hello))
        self._bits = tuple(divmod(chip * hello.channels + channel, 8) for chip, channel in self.wires)
        self._hello, self._contacts = hello, b""


def _no_channel(chip: int, channel: int, hello: Hello) -> Message:
    why = Message(
        "fault.board.no-channel",
        {
            "channel": channel,
            "chip": chip,
            "chips": hello.chips,
            "channels": hello.channels,
            "text": FIRMWARE,
        },
    )
    return Message("fault.unread", {"why": why})


class SerialStrip:
    """A LedPort on the strip of a serial board; it is shown to the LEDs while the scanner is scanned."""

    def __init__(self, board: SerialBoard, places: Sequence[Sequence[int]], order: str) -> None:
        self._board = board
        self._places = [tuple(leds) for leds in places]
        self._leds = max((led for own in self._places for led in own), default=-1) + 1
        self._order = order
        self._closed = False

    def show(self, frame: LedFrame) -> None:
        """Have `frame`, one colour for each point, sent if it is not what the LEDs show."""
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
        """Go dark; may be called twice."""
        if self._closed:
            return
        self._closed = True
        self._board.darken()
        self._board.leave(self)

    def misfit(self, hello: Hello) -> Message | None:
        """What is wrong where the firmware drives another strip than this one."""
        if self._leds <= hello.leds and len(self._order) == hello.colours:
            return None
        return Message(
            "fault.board.misfit",
            {
                "leds": hello.leds,
                "colours": hello.colours,
                "due": self._leds,
                "parts": len(self._order),
                "text": FIRMWARE,
            },
        )

    def _colours(self, frame: LedFrame) -> bytes:
        colours = [bytes(len(self._order))] * self._leds
        for leds, colour in zip(self._places, frame, strict=True):
            for led in leds:
                colours[led] = _in_order(colour, self._order)
        return b"".join(colours)


def _in_order(colour: Colour, order: str) -> bytes:
    """The bytes of a colour as an LED takes them; its white part, where it has one, shines for greys."""
    red, green, blue = colour
    grey = red == green == blue and "W" in order
    parts = {"W": red if grey else 0}
    parts.update(zip("RGB", DARK if grey else colour, strict=True))
    return bytes(parts[name] for name in order)
