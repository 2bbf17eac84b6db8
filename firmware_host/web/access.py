"""Permission to play: the check of each request, and the devices that have a page open.

Invariants: a browser on this machine may play, as may the people at the board; any other needs the token of a
paired device, in a cookie that names this board. A request that a proxy forwarded counts as one from
elsewhere, whatever its address. A device that is removed loses its open pages: at once, or with their next
request if another program removed it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import Response

from firmware_host.frozen import frozen
from firmware_host.ports import UNKNOWN, Moment
from firmware_host.web.pairing.devices import Device, DeviceFile, Devices
from firmware_host.web.pairing.window import Claim, Pairing, PairingWindow, SeatPairing
from firmware_host.web.rate_limits import Address, Guesses, Seconds, Visitors

_PROXY_HEADERS = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)
_YEAR_S = 365 * 86_400
_TOKEN_BYTES = 32
_SEEN_EVERY_MS = 3_600_000
"""The interval at which visits are written: a memory card wears out."""


@frozen
class VisitorRights:
    """The permission of one visitor: whether it may play, and its paired device, if it is one."""

    may_play: bool
    device: Device | None = None
    cookie: str | None = None
    """The header that makes the browser keep its token for another year."""


class Access:
    """Decides who may play; without `devices` only this machine may."""

    def __init__(
        self,
        devices: DeviceFile | None,
        port: int,
        visitors: Visitors,
        clock: Callable[[], Seconds],
        wall_clock: Callable[[], Moment] = lambda: UNKNOWN,
    ) -> None:
        self._file = devices
        self._old_cookie_name = f"millwright-{port}"
        self._clock = clock
        self._wall_clock = wall_clock
        self._window = PairingWindow()
        self._pages: defaultdict[int, set[Callable[[], object]]] = defaultdict(set)
        self._written: set[asyncio.Task[Devices]] = set()
        self._visitors = visitors
        self._neighbours = visitors.neighbours
        self._guesses = Guesses(visitors.neighbours)
        self.seat = SeatPairing(clock)
        """The device whose owner sits at the board."""

    @property
    def can_pair(self) -> bool:
        """Return whether devices can be paired: others can reach this board."""
        return self._file is not None

    @property
    def pairing(self) -> Pairing | None:
        """Return the open window for pairing, or None."""
        return self._window.current(self._clock())

    @property
    def fault(self) -> str | None:
        """Return the reason why devices cannot be saved, or None."""
        return None if self._file is None else self._file.fault

    def open_window(self) -> Pairing:
        """Let devices be paired for a while, by a new code."""
        return self._window.open(self._clock())

    def close_window(self) -> None:
        """Let no further device be paired."""
        self._window.close()

    def matches(self, code: str) -> bool:
        """Return whether `code` is valid now."""
        return self._window.matches(code, self._clock())

    # ---- guesses -------------------------------------------------------------------------------------

    def wait_to_guess(self, address: Address) -> Seconds:
        """Return the seconds that this address must wait before it may enter a code."""
        return self._guesses.wait(address, self._clock())

    def guess_was_wrong(self, address: Address) -> Seconds:
        """Note a wrong code and return the seconds to wait before the next."""
        self._guesses.was_wrong(address, self._clock())
        return self.wait_to_guess(address)

    def guess_was_right(self, address: Address) -> None:
        """Forget the wrong codes of this address."""
        self._guesses.was_right(address)

    # ---- the seat at the board -------------------------------------------------------------------------

    def may_sit(self, visitor: HTTPConnection) -> bool:
        """Return whether this visitor can sit at the board: it is of the house, and comes without a proxy."""
        was_forwarded = any(name in visitor.headers for name in _PROXY_HEADERS)
        return not was_forwarded and self._neighbours.is_local(address_of(visitor))

    def wait_to_sit(self, address: Address) -> Seconds:
        """Return the seconds until the board may light a point for this address."""
        return self._visitors.wait_for_seat(address, self._clock())

    def sit(self, name: str, address: Address) -> Claim:
        """Have a device wait for its point to be touched."""
        self._visitors.take_seat(address, self._clock())
        return self.seat.claim(name)

    # ---- visitors ------------------------------------------------------------------------------------

    def visit(self, visitor: HTTPConnection) -> VisitorRights:
        """Return the permission of this visitor."""
        if self._file is None:
            return VisitorRights(is_here(visitor))
        devices = self._file.devices()
        name = _cookie_name(devices)
        for cookie in (name, self._old_cookie_name):
            token = visitor.cookies.get(cookie, "")
            if token and (device := devices.find(token)) is not None:
                self._visitors.recognise(address_of(visitor))
                return VisitorRights(may_play=True, device=device, cookie=_cookie(name, token))
        return VisitorRights(is_here(visitor))

    @contextmanager
    def page(self, device: Device | None, close: Callable[[], object]) -> Iterator[None]:
        """Count a page of `device` while the context lasts; `close` ends it if the device is removed."""
        if device is None:
            yield
            return
        pages = self._pages[device.number]
        pages.add(close)
        self._note(device)
        try:
            yield
        finally:
            pages.discard(close)

    def still_admits(self, device: Device | None) -> bool:
        """Return whether `device` is still paired; if not, its pages are closed. None is always admitted."""
        if device is None or any(device.number == other.number for other in self.devices):
            return True
        self._close_pages(device.number)
        return False

    def is_playing(self, device: Device) -> bool:
        """Return whether the device has a page open."""
        return bool(self._pages.get(device.number))

    def _note(self, device: Device) -> None:
        """Note a visit; it is written in a thread, since a memory card may take its time."""
        now_ms = self._wall_clock()
        if abs(now_ms - device.seen_ms) < _SEEN_EVERY_MS:
            return
        seen = self._changed(lambda devices: devices.see(device.number, now_ms))
        task = asyncio.ensure_future(seen)
        self._written.add(task)
        task.add_done_callback(self._written.discard)

    # ---- devices -------------------------------------------------------------------------------------

    @property
    def devices(self) -> tuple[Device, ...]:
        """Return the paired devices, the one seen last at the end."""
        return () if self._file is None else self._file.devices().paired

    async def pair(self, name: str, response: Response) -> Device:
        """Pair a device and have `response` give it its cookie."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        now_ms = self._wall_clock()
        devices = await self._changed(lambda devices: devices.add(name, token, now_ms))
        response.headers.append("Set-Cookie", _cookie(_cookie_name(devices), token))
        return devices.paired[-1]

    async def remove(self, *numbers: int) -> None:
        """Remove these devices, and close their pages."""
        await self._changed(lambda devices: devices.remove(*numbers))
        for number in numbers:
            self._close_pages(number)

    def _close_pages(self, number: int) -> None:
        for close in self._pages.pop(number, set()):
            close()

    async def _changed(self, made: Callable[[Devices], Devices]) -> Devices:
        assert self._file is not None  # noqa: S101 - otherwise there are no devices
        return await run_in_threadpool(partial(self._file.change, made))


def _cookie_name(devices: Devices) -> str:
    """Return the cookie of this board: browsers share cookies between the ports of a host."""
    return f"millwright-{devices.board}"


def _cookie(name: str, token: str) -> str:
    return f"{name}={token}; Max-Age={_YEAR_S}; Path=/; HttpOnly; SameSite=Strict"


def is_here(visitor: HTTPConnection) -> bool:
    """Return whether a request comes from a program on this machine itself."""
    was_forwarded = any(name in visitor.headers for name in _PROXY_HEADERS)
    return address_of(visitor).is_loopback and not was_forwarded


def address_of(visitor: HTTPConnection) -> Address:
    """Return the address that a request comes from."""
    host = visitor.client.host if visitor.client else "0.0.0.0"  # noqa: S104 - stands for an unknown address
    return parse_address(host)


def parse_address(text: str) -> Address:
    """Return an address without its zone; an IPv4 address mapped into IPv6 becomes IPv4 again."""
    address: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address
