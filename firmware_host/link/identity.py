"""The identity of a board on brokers: its card, and what it logs in with at each of them.

Invariants: no broker learns anything that is valid at another one, since each password is derived from a
secret that never leaves the board, and from the broker's address. Boards of earlier versions had one password
for all brokers: it is tried only at those that know it already, and only after the derived one was refused.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import socket
from collections.abc import Iterable
from dataclasses import field, replace
from typing import Any

from firmware_host import __version__
from firmware_host.far.address import BrokerAddress
from firmware_host.far.parsing import BOARD_LENGTH, is_name
from firmware_host.frozen import frozen
from firmware_host.games.rulesets import RULE_SETS
from firmware_host.settings import MAX_BOARD_NAME, Link
from firmware_host.state_files import json_object

_SECRET_BYTES = 32
_PASSWORD_LENGTH = 32
_CLIENT_LENGTH = 8
_MAX_PASSWORD = 1000
_MAX_BROKERS = 1000
_MAX_EARLIER = 100


@frozen
class Login:
    """The name of a user of a broker, and its password; empty if the broker asks for none."""

    user: str
    password: str = field(default="", repr=False)
    client: str = ""
    """The name of the connection, of which a broker has one at a time; that of the user if empty."""
    old_password: str = field(default="", repr=False)
    """The password that the broker may still have from an earlier version; empty if it never had one."""


@frozen
class Identity:
    """The name of a board, and the secret from which its passwords are derived."""

    board: str
    secret: str = field(repr=False)
    old_password: str = field(default="", repr=False)
    """The password that an earlier version had for all brokers; empty if there was none."""
    old_brokers: tuple[str, ...] = ()
    """The brokers that may know it."""

    @classmethod
    def drawn(cls) -> Identity:
        """Return a new identity."""
        board = base64.b32encode(secrets.token_bytes(BOARD_LENGTH)).decode()[:BOARD_LENGTH]
        return cls(board, secrets.token_hex(_SECRET_BYTES))

    @classmethod
    def parse(cls, data: bytes) -> Identity:
        """Return the identity in a file; one of an earlier version has no secret yet. Raise ValueError."""
        found = json_object(data)
        board, secret, old = found.get("board"), found.get("secret", ""), found.get("password", "")
        brokers = found.get("old_brokers", [])
        if not is_name(board, BOARD_LENGTH):
            raise ValueError("it doesn't name a board")
        if not (_is_text(secret) and _is_text(old)) or not (secret or old):
            raise ValueError("it has no secret")
        if not isinstance(brokers, list) or len(brokers) > _MAX_BROKERS or not all(map(_is_text, brokers)):
            raise ValueError('"old_brokers" must be a list of addresses')
        return cls(str(board), secret, old, tuple(brokers))

    def as_bytes(self) -> bytes:
        """Return the form in which it is stored; an earlier version finds its password there."""
        members: dict[str, Any] = {"board": self.board, "secret": self.secret}
        if self.old_password:
            members |= {"password": self.old_password, "old_brokers": list(self.old_brokers)}
        return json.dumps(members).encode()

    @property
    def needs_secret(self) -> bool:
        """True if it is of an earlier version, whose password every broker has seen."""
        return not self.secret

    def with_secret(self, known_at: Iterable[BrokerAddress]) -> Identity:
        """Return the identity of an earlier version with a secret; its password is `known_at` these."""
        brokers = tuple(sorted({_name_of(one) for one in known_at}))[:_MAX_BROKERS]
        return replace(self, secret=secrets.token_hex(_SECRET_BYTES), old_brokers=brokers)

    def password_at(self, address: BrokerAddress) -> str:
        """Return the password of this board at one broker."""
        return self._derived(f"password {_name_of(address)}")[:_PASSWORD_LENGTH]

    def login(self, address: BrokerAddress, part: str = "") -> Login:
        """Return the login at a broker, for one `part` of the program.

        The name of the connection is secret and differs from broker to broker, since whoever knows it can end
        the connection.
        """
        name = self._derived(f"client {_name_of(address)}")[:_CLIENT_LENGTH]
        client = f"{self.board}-{name}{part}"
        old = self.old_password if _name_of(address) in self.old_brokers else ""
        return Login(self.board, self.password_at(address), client, old)

    def _derived(self, purpose: str) -> str:
        return hmac.new(self.secret.encode(), purpose.encode(), "sha256").hexdigest()


def configured_brokers(settings: Link) -> list[BrokerAddress]:
    """Return the broker of the rooms and that of the house, as far as they are configured. Raise FarError."""
    return [BrokerAddress.parse(one) for one in (settings.broker, settings.house_broker) if one]


def _name_of(address: BrokerAddress) -> str:
    """Return a broker's address in the one form that passwords are derived from."""
    return f"{address.host.lower().rstrip('.')}:{address.port}"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _MAX_PASSWORD and value.isprintable()


class PresenceMarks:
    """The marks by which programs that are present with one identity tell each other apart.

    A broker passes on who was present last, also before this program started. Only a mark that is new since
    this program was present itself proves that there is another one.
    """

    def __init__(self) -> None:
        self._own = secrets.token_hex(8)
        self._count = 0
        self._is_present = False
        self._earlier: set[str] = set()

    def draw(self) -> str:
        """Return the mark of the next connection."""
        self._count += 1
        return f"{self._own}.{self._count}"

    def is_of_another(self, mark: str) -> bool:
        """Return whether a mark that the broker passes on proves that another program is present."""
        if mark.partition(".")[0] == self._own:
            self._is_present = True
            return False
        if not self._is_present and len(self._earlier) < _MAX_EARLIER:
            self._earlier.add(mark)
        return self._is_present and mark not in self._earlier


def board_name(settings: Link) -> str:
    """Return what others call this board: its own name, or that of its machine."""
    return (settings.name or socket.gethostname())[:MAX_BOARD_NAME]


def card(settings: Link) -> bytes:
    """Return the card of this board, which a broker keeps for walls, archives and lobbies."""
    members = {"v": 1, "name": board_name(settings), "rules": list(RULE_SETS), "version": __version__}
    return json.dumps(members, separators=(",", ":"), ensure_ascii=False).encode()
