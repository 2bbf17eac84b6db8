"""Tries the board from a phone and from the house, as root in the virtual Pi.

Usage: try_house.py WHAT; ends with 0 if all went well.
Three radios share one air: the board's, that of the house's router and that of a phone. The last two are in
network namespaces of their own, so that only the air leads from one to the other.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from configparser import ConfigParser
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from asking import PATIENCE_S, status, told, until, until_up
from try_service import OPENING, begin, go_on
from wood import WoodOfService

from firmware_host.games.layout import MORRIS

RADIO = "wlan0"
OWN = Path("/etc/NetworkManager/system-connections/millwright-own.nmconnection")
OWN_ADDRESS = "10.42.0.1"
HOUSE, SECRET = r"Zu Hause: \o/", r'correct: "horse" \5'
"""The name and the password of the house's Wi-Fi, with all that a program could stumble over."""
HOUSE_ADDRESSES = "192.168.77."
PAGE_PORT = 8765
RESULT = Path("/var/lib/millwright-update/result")
INSTALL_S = 900.0
"""The time within which a package is installed, and played with for a minute, or undone."""
OPENS_AGAIN_S = 300.0
"""The time within which a network refuses the board, which then opens its own."""
LOOKS_EVERY_S = 5.0
LIT_WITHIN_S = 2.0
"""The time within which the board lights the point that it was asked for."""
LOOKS_AGAIN_S = 900.0
"""The time within which a board whose own Wi-Fi nobody uses looks for the house's again."""
ASK_FOR_A_NAME = """
import socket
query = bytes.fromhex("beef01000001000000000000") + b"\\x07example\\x03org\\x00" + bytes.fromhex("00010001")
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
    line.settimeout(10)
    line.sendto(query, ("10.42.0.1", 53))
    print(".".join(map(str, line.recv(512)[-4:])))
"""


class PageAnswer(NamedTuple):
    """An answer of a page; its status is 0 if there was none."""

    status: int
    headers: dict[str, str]
    text: str


NO_ANSWER = PageAnswer(0, {}, "")


class RadioPlace:
    """A place in the air with one radio: the house, or a phone."""

    def __init__(self, name: str, radio: int) -> None:
        self.name, self.radio = name, f"wlan{radio}"
        self._phy = f"phy{radio}"

    def build(self) -> None:
        """Move the radio into a namespace of its own."""
        for command in (
            ("ip", "netns", "add", self.name),
            ("iw", "phy", self._phy, "set", "netns", "name", self.name),
            ("ip", "-n", self.name, "link", "set", "lo", "up"),
            ("ip", "-n", self.name, "link", "set", self.radio, "up"),
        ):
            subprocess.run(command, check=True)  # noqa: S603

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Be there: what opens a connection in the meantime opens it there."""
        with Path("/proc/self/ns/net").open("rb") as here, Path("/run/netns", self.name).open("rb") as there:
            os.setns(there.fileno())  # type: ignore[attr-defined]  # Debian 13 has Python 3.13
            try:
                yield
            finally:
                os.setns(here.fileno())  # type: ignore[attr-defined]

    def told(self, *command: str) -> str:
        """Return what a command says there."""
        return told("ip", "netns", "exec", self.name, *command)

    def radiate(self, name: str, password: str, *lines: str) -> None:
        """Offer or join the Wi-Fi of that name, as these lines of wpa_supplicant say."""
        network = (f"ssid={name.encode().hex()}", f'psk="{password}"', "key_mgmt=WPA-PSK", *lines)
        settings = Path(f"/run/{self.name}.conf")
        settings.write_text(
            "\n".join([f"ctrl_interface=/run/wpa-{self.name}", "network={", *network, "}", ""])
        )
        self.told(
            "wpa_supplicant", "-B", "-i", self.radio, "-P", f"/run/{self.name}.pid", "-c", str(settings)
        )

    def fall_silent(self) -> None:
        """End that."""
        told("pkill", "--pidfile", f"/run/{self.name}.pid")

    def ask(
        self, path: str, body: object = None, *, at: tuple[str, int] = (OWN_ADDRESS, 80), host: str = ""
    ) -> PageAnswer:
        """Return what the page there answers."""
        if body is None:
            return self.send("GET", path, "", at=at, host=host)
        Path("/run/body").write_text(json.dumps(body))
        return self.send("POST", path, "/run/body", at=at, host=host)

    def send(
        self, method: str, path: str, file: str, *, at: tuple[str, int], cookie: str = "", host: str = ""
    ) -> PageAnswer:
        """Send a file, and return what is answered."""
        address, port = at
        said = self.told(sys.executable, "client.py", address, str(port), method, path, file, cookie, host)
        return PageAnswer(*json.loads(said)) if said else NO_ANSWER


ROUTER, PHONE = RadioPlace("house", 1), RadioPlace("phone", 2)


def until_seen(holds: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
    """Wait until it holds, looking seldom: starting a program takes an emulated machine a second."""
    until(holds, what, patience_s, LOOKS_EVERY_S)


def told_by_page() -> dict[str, Any]:
    """Return what the page of the board's own Wi-Fi says to the phone; nothing if it doesn't answer."""
    answer = PHONE.ask("/wifi.json")
    return dict(json.loads(answer.text)) if answer.status == 200 else {}


def is_at(address: str) -> Callable[[], bool]:
    """Return whether the board has such an address, as a question."""
    return lambda: f"inet {address}" in told("ip", "-4", "addr", "show", RADIO)


def the_page() -> tuple[str, int]:
    """Return where the board's page is in the house."""
    return told("ip", "-4", "-o", "addr", "show", RADIO).split("inet ")[1].split("/")[0], PAGE_PORT


def until_trouble(*keys: str) -> None:
    """Wait until the page of the board's own Wi-Fi gives such a reason why a choice came to nothing."""
    given: list[str] = []

    def is_given() -> bool:
        trouble = told_by_page().get("trouble")
        given.extend(() if trouble is None else (trouble["key"],))
        return given[-1:] != [] and given[-1] in keys

    until_seen(is_given, f"one of {keys} as the reason", OPENS_AGAIN_S)
    print(given[-1])  # noqa: T201


def choose(password: str) -> None:
    """Choose the house's Wi-Fi on the phone."""
    until_seen(lambda: told_by_page().get("stage") == "own", "a page on which a network can be chosen")
    answer = PHONE.ask("/wifi", {"name": HOUSE, "password": password})
    if answer.status != 202:
        sys.exit(f"the choice was answered with {answer}")


def the_point(board: WoodOfService, *, is_alone: bool = True) -> str:
    """Wait until one point alone is lit, or any, and return one."""
    time.sleep(LIT_WITHIN_S)
    until(lambda: len(board.lit()) == 1 or (not is_alone and bool(board.lit())), "light at one point alone")
    return board.lit().pop()


def touch(*standing: str, times: int = 2, is_alone: bool = True) -> None:
    """Touch a point that is lit that number of `times`, on a board on which pieces are `standing`.

    It `is_alone` except for the first phone of a board that was just plugged in.
    """
    board = WoodOfService(*standing)
    point = MORRIS[the_point(board, is_alone=is_alone)]
    for _ in range(times):
        board.put(point)
        time.sleep(0.5)
        board.lift(point)
        time.sleep(0.5)


def settles() -> None:
    """The house has a router, and the board neither a network nor a piece on it."""
    for place in (ROUTER, PHONE):
        place.build()
    told("ip", "-n", ROUTER.name, "addr", "add", f"{HOUSE_ADDRESSES}1/24", "dev", ROUTER.radio)
    route()
    until_up()
    WoodOfService().clear()


def route() -> None:
    """Switch the router on."""
    ROUTER.radiate(HOUSE, SECRET, "mode=2", "frequency=2437", "proto=RSN", "pairwise=CCMP")
    told("pkill", "--pidfile", "/run/addresses.pid")
    leases = f"{HOUSE_ADDRESSES}50,{HOUSE_ADDRESSES}90,1h"
    options = (
        "--port=0",
        "--bind-interfaces",
        "--pid-file=/run/addresses.pid",
        "--dhcp-leasefile=/run/leases",
    )
    ROUTER.told(
        "dnsmasq", "--conf-file=/dev/null", f"--interface={ROUTER.radio}", f"--dhcp-range={leases}", *options
    )


def opens() -> None:
    """Two minutes without a network, and the board opens its own."""
    until_seen(is_at(OWN_ADDRESS), "a Wi-Fi of the board's own", LOOKS_AGAIN_S)


def leads() -> None:
    """A phone with the name and the password of the card is led to the page, whatever it looks for."""
    card = ConfigParser(interpolation=None)
    card.read(OWN)
    PHONE.radiate(card["wifi"]["ssid"], card["wifi-security"]["psk"])
    told("ip", "-n", PHONE.name, "addr", "add", "10.42.0.77/24", "dev", PHONE.radio)
    until_seen(told_by_page, "an answer of the board")
    redirected = PHONE.ask("/generate_204", host="connectivitycheck.gstatic.com")
    if (redirected.status, redirected.headers.get("location")) != (302, f"http://{OWN_ADDRESS}/"):
        sys.exit(f"what phones ask first is answered with {redirected}")
    if (address := PHONE.told(sys.executable, "-c", ASK_FOR_A_NAME)) != OWN_ADDRESS:
        sys.exit(f"example.org is at {address}")
    networks = told_by_page()["networks"]
    if [(one["name"], one["locked"]) for one in networks] != [(HOUSE, True)]:
        sys.exit(f"in the air is {networks}")
    if PHONE.ask("/", at=(OWN_ADDRESS, PAGE_PORT)).status:
        print("the board's page is open to its own Wi-Fi as well")  # noqa: T201


def wants_a_touch() -> None:
    """A choice to which nobody at the board agrees comes to nothing."""
    choose(SECRET)
    the_point(WoodOfService())
    until_trouble("wifi.trouble.untouched")
    if not is_at(OWN_ADDRESS)():
        sys.exit("it left its own Wi-Fi all the same")


def comes_back() -> None:
    """After a wrong password, the board's own Wi-Fi opens again, and says why."""
    choose("wrong password")
    touch()
    until_trouble("wifi.trouble.password", "wifi.trouble.other")  # a router may refuse it without a word


def joins() -> None:
    """After the right one the board is in the house, and its page is open there."""
    choose(SECRET)
    touch()
    until_seen(is_at(HOUSE_ADDRESSES), "an address of the house")
    PHONE.fall_silent()
    until_seen(lambda: ROUTER.ask("/", at=the_page()).status == 200, "the board's page in the house")
    print(f"its page is at {the_page()}")  # noqa: T201


def finds_home() -> None:
    """The house's Wi-Fi disappears: the board opens its own, and goes home once the other is back."""
    ROUTER.fall_silent()
    until_seen(is_at(OWN_ADDRESS), "a Wi-Fi of the board's own", LOOKS_AGAIN_S)
    route()
    until_seen(is_at(HOUSE_ADDRESSES), "an address of the house", LOOKS_AGAIN_S)
    if not status():
        sys.exit("the board doesn't answer any more")


def keeps_secrets() -> None:
    """The journal has no password, and no name of a network."""
    card = ConfigParser(interpolation=None)
    card.read(OWN)
    said = told("journalctl", "--no-pager", "--unit=millwright*")
    for secret in (SECRET, card["wifi-security"]["psk"], HOUSE):
        if secret in said:
            sys.exit(f"the journal says {secret}")


def pair(place: RadioPlace, *standing: str, is_first: bool = False) -> str:
    """Have the board, on which pieces are `standing`, let a device there play, and return its cookie."""
    seat = json.loads(place.ask("/seat", {"name": f"a {place.name}"}, at=the_page()).text)
    touch(*standing, times=seat["touches"], is_alone=not is_first)
    answers: list[PageAnswer] = []

    def is_in() -> bool:
        answers.append(place.ask("/seat/claim", {"token": seat["token"]}, at=the_page()))
        return answers[-1].status == 204

    until_seen(is_in, "a device that may play")
    return answers[-1].headers["set-cookie"].partition(";")[0]


def update(package: str, expected: str) -> None:
    """Send a package from the house, and wait for what becomes of it."""
    begin(WoodOfService())
    sent = ROUTER.send("PUT", "/update", package, at=the_page(), cookie=pair(ROUTER, *OPENING))
    if sent.status != 200:
        sys.exit(f"the package was answered with {sent}")
    until_seen(lambda: RESULT.exists() and RESULT.read_text().strip() == expected, expected, INSTALL_S)
    until_up()
    go_on(WoodOfService(*OPENING))


def takes_a_newer_version() -> None:
    """A stranger's package is refused; a newer one of the release is installed, and the game goes on."""
    if ROUTER.send("PUT", "/update", "newer.deb", at=the_page()).status != 403:
        sys.exit("whoever is in the house may send a package")
    update("unsigned.deb", "unsigned")
    update("newer.deb", "installed 98.0")
    if "98.0" not in told("millwright", "--version"):
        sys.exit(told("millwright", "--version"))


def goes_back() -> None:
    """A version that doesn't start is undone, and the game goes on."""
    update("broken.deb", "undone 99.0")
    if "98.0" not in told("millwright", "--version"):
        sys.exit(told("millwright", "--version"))


TRIALS = (
    settles,
    opens,
    leads,
    wants_a_touch,
    comes_back,
    joins,
    finds_home,
    takes_a_newer_version,
    goes_back,
    keeps_secrets,
)

if __name__ == "__main__":
    {trial.__name__: trial for trial in TRIALS}[sys.argv[1]]()
