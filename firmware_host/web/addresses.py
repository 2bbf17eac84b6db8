"""The listening socket of the page, and the addresses at which browsers find it.

Invariants: an address that other machines can reach is used only on request. Nothing is sent to find out this
machine's address; the standard library suffices.
"""

from __future__ import annotations

import ipaddress
import socket

from firmware_host.errors import PageError

EVERYWHERE = ""
"""The host that stands for all addresses of this machine."""


def is_open(listening: socket.socket) -> bool:
    """Return whether other machines can reach the socket. Raise PageError if it cannot serve a page."""
    if listening.family not in (socket.AF_INET, socket.AF_INET6):
        where = listening.getsockname()
        raise PageError(f"the page cannot be served at {where!r}: that is not an address with a port")
    return not ipaddress.ip_address(listening.getsockname()[0]).is_loopback


def listening_socket(host: str, port: int, *, others: bool) -> socket.socket:
    """Return a socket that listens at `host` and `port`, 0 for any free port.

    Only with `others` may other machines reach it, as at EVERYWHERE. Raises PageError.
    """
    if not 0 <= port <= 65535:
        raise PageError(f"{port} is not a port; use 1 to 65535, or 0 for any free port")
    if host == EVERYWHERE and others:
        return _listen_everywhere(port)
    address = _parse_host(host)
    if not address.is_loopback and not others:
        raise PageError(
            f"without --listen the page is served on this machine only, not at {host}; use 127.0.0.1 or ::1"
        )
    return _listen(str(address), port)


def _parse_host(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError as error:
        raise PageError(f"{host!r} is not an address to serve the page at; use 127.0.0.1 or ::1") from error


def _listen_everywhere(port: int) -> socket.socket:
    if socket.has_dualstack_ipv6():
        try:
            return _listen("::", port, both=True)
        except PageError:  # its kernel may have IPv6 although it is switched off
            pass
    return _listen("0.0.0.0", port)  # noqa: S104 - it was asked for


def _listen(address: str, port: int, *, both: bool = False) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        return socket.create_server((address, port), family=family, dualstack_ipv6=both)
    except OSError as error:
        what = error.strerror.partition(" (while")[0] if error.strerror else str(error)
        raise PageError(
            f"cannot serve the page at {address} port {port}: {what}; try another port, or 0 for any"
        ) from error


def local_url(listening: socket.socket) -> str:
    """Return the address for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "127.0.0.1"
    return url(host, port)


def mdns_name() -> str:
    """Return the mDNS name of this machine, by which others in the house may find it."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def network_urls(port: int) -> list[str]:
    """Return the addresses for others in the house: one by number if there is a network, and one by name.

    The number comes first, since another machine of that name may have been there before.
    """
    return [url(host, port) for host in (*_default_route_addresses(), mdns_name())]


def _default_route_addresses() -> list[str]:
    """Return this machine's address on its default route, if any, by asking the kernel alone."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:  # refused to the service
            probe.connect(("192.0.2.1", 9))  # RFC 5737: an address that is nobody's
            host: str = probe.getsockname()[0]
    except OSError:
        return []
    return [] if ipaddress.ip_address(host).is_loopback else [host]


def url(host: str, port: int) -> str:
    """Return the URL of a page on `host`, a name or an address."""
    named = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{named}{'' if port == 80 else f':{port}'}/"
