"""The library for MQTT 5: whether it is installed, properties of its packets, and the wire below it."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from firmware_host.errors import FarError, LinkError
from hardware.libraries import Library, missing

if TYPE_CHECKING:  # paho may be missing
    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.properties import Properties

PAHO = Library("paho", "paho-mqtt>=2.2,<3", is_compiled=False)
MAX_PACKET = 32_768
"""The largest packet of a broker that is read, in bytes; each connection announces it."""
MARK = "mark"
"""The property of a presence that tells apart the programs that publish it."""


def require_paho() -> None:
    """Raise LinkError with the remedy if the library isn't installed."""
    lacking = missing([PAHO])
    if lacking is not None:
        raise LinkError(lacking)


def client_of(name: str) -> Client:
    """Return a client for MQTT 5 that ends its connection before it reads a packet that is too large.

    The library would read up to 256 MB, whatever it has announced, and a Raspberry Pi has little more.
    """
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

    class LimitedClient(Client):
        def _sock_recv(self, bufsize: int) -> bytes:
            if bufsize > MAX_PACKET:  # it asks for all that is left of a packet
                raise FarError(f"the broker sends a packet of {bufsize} bytes; the limit is {MAX_PACKET}")
            return super()._sock_recv(bufsize)

    return LimitedClient(CallbackAPIVersion.VERSION2, name, protocol=MQTTProtocolVersion.MQTTv5)


def send_at_once(_: Client, __: Any, wire: Any) -> None:
    """Have a record follow an acknowledgement without waiting for that one's, which takes 40 ms."""
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def hang_up(client: Client) -> None:
    """Close what is left of a connection, without a word."""
    wire = client.socket()
    if wire is not None:
        wire.close()


def subscribe_options(qos: int) -> Any:
    """Return the options of a subscription."""
    from paho.mqtt.subscribeoptions import SubscribeOptions

    return SubscribeOptions(qos=qos)


def marks_of(message: MQTTMessage) -> list[str]:
    """Return the marks of a presence: one, or none of an earlier version."""
    found = getattr(message.properties, "UserProperty", [])
    return [value for name, value in found if name == MARK]


def packet_properties(packet: str, **values: int | tuple[str, str]) -> Properties:
    """Return the properties of a packet of MQTT 5."""
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    found = Properties(getattr(PacketTypes, packet))  # type: ignore[no-untyped-call]
    for name, value in values.items():
        setattr(found, name, value)
    return found
