"""Two boards far apart in two browsers: invitation, ready, roll, a whole game with its chat, and a cut.

Boards, links, broker and wall are the real programs. A third browser watches on the wall.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import pytest
from playwright.sync_api import Error, Locator, Page, expect

from firmware_host.games.rulesets import parse_rules
from tests.fuzz.link.machines import LinkedMachine
from tests.support.mosquitto import PROGRAM, Mosquitto, free_port, mosquitto
from tests.support.paths import PROJECT
from tests.support.web.browsing import OpenPage, play

pytest.importorskip("paho")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="mosquitto isn't installed (apt install mosquitto)")

NAMES = ("Kitchen", "Attic")
GAME = ["a1", "b2", "d1", "b4", "g4", "c5", "d6", "e5", "g4-g1xb2", "b4-b6", "g1-g4", "c5-c4", "g4-g1xb6"]
"""Placing, moving, two mills and flying, until Black has two of its four pieces left."""
START_TIMEOUT_S = 90.0
LAPTOP = {"width": 1280, "height": 800}


@dataclass
class TwoHouses:
    """Two machines, what connects them, and the address of a wall."""

    broker: Mosquitto
    machines: list[LinkedMachine]
    wall: str

    def seats(self) -> list[str]:
        """Return who plays White on each board."""
        return [machine.state["seats"]["white"] for machine in self.machines]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TwoHouses]:
    """Two boards of a club with their links, each in no room, and the club's wall."""
    with mosquitto(tmp_path) as broker:
        here = f"127.0.0.1:{broker.port}"
        config = f'broker = "{here}"\nclub = "mill-club"\nname = "{{}}"\n'
        rules = parse_rules("standard pieces=4")
        machines = [
            LinkedMachine(tmp_path / name, rules, rest_ms=100, config=config.format(name)) for name in NAMES
        ]
        port = free_port()
        command = (*(sys.executable, "-m", "firmware_host", "wall"), *("--broker", here, "--port", str(port)))
        wall = subprocess.Popen(  # noqa: S603 - a constant command
            command, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            for machine in machines:
                machine.start("board")
                machine.start("link")
            yield TwoHouses(broker, machines, f"http://127.0.0.1:{port}/wall.html")
        finally:
            for machine in machines:
                machine.close()
            wall.kill()
            wall.wait()


def opened(pages: OpenPage, address: str) -> Page:
    """Open a page as soon as its program serves it."""
    page = pages(viewport=LAPTOP)
    until = monotonic() + START_TIMEOUT_S
    while True:
        try:
            page.goto(address)
        except Error:
            assert monotonic() < until, f"{address} isn't served"
            sleep(0.1)
        else:
            return page


@pytest.fixture
def both(pages: OpenPage, house: TwoHouses) -> Iterator[list[Page]]:
    """The pages of both boards, with the view of rooms open."""
    found = [opened(pages, f"http://127.0.0.1:{machine.port}/") for machine in house.machines]
    for page in found:
        page.locator("#start-far").click()
        expect(page.locator("#view-rooms")).to_contain_text("Lobby of mill-club")
        expect(page.locator("#view-rooms")).to_contain_text("No rooms are open.")
    yield found
    for page in found:
        page.goto("about:blank")


def press(page: Page, name: str) -> None:
    """Press a button of the view of rooms."""
    page.locator("#view-rooms").get_by_role("button", name=name, exact=True).click()


def bar(page: Page) -> Locator:
    """The room as it is shown beside the board."""
    return page.locator("#room-bar")


def dock(page: Page) -> Locator:
    """Return the answers to what the room waits for."""
    return page.locator("#room-answers")


def meet(host: Page, guest: Page) -> None:
    """Open a room on one board, and join it from the other by its invitation."""
    host.get_by_label("Name of the room").fill("Sunday <b>game</b>")
    press(host, "Open the room")
    expect(host.locator("#room h2")).to_have_text("Sunday <b>game</b>")
    expect(host.locator("#room .qr path")).to_have_count(2)
    link = host.get_by_role("textbox", name="Invitation as a link").input_value()
    guest.get_by_role("textbox", name="Invitation").fill(link)
    press(guest, "Join")
    expect(guest.locator("#room")).to_contain_text("Kitchen is here.")
    expect(host.locator("#room")).to_contain_text("Attic is here.")


def begin(pages: list[Page], house: TwoHouses) -> list[Page]:
    """Have both players be ready; return the pages of White and Black."""
    for page in pages:
        press(page, "I'm ready")
    for page in pages:
        expect(page.locator("#view-rooms")).to_be_hidden()
        expect(page.locator("#room .roll")).to_contain_text("White")
    expect(bar(pages[0])).to_contain_text("Attic is here.")
    until = monotonic() + START_TIMEOUT_S
    while sorted(house.seats()) != ["far", "here"]:
        assert monotonic() < until
        sleep(0.05)
    return pages if house.seats()[0] == "here" else pages[::-1]


def exchange(mover: Page, other: Page, number: int, turn: str) -> None:
    """Play a turn with the mouse on its board, which the other board carries out."""
    play(mover, turn, "black" if number % 2 else "white")
    for page in (mover, other):
        expect(page.locator("#turns span").nth(number)).to_have_text(turn)


def test_a_whole_game_is_played_by_two_browsers(pages: OpenPage, house: TwoHouses, both: list[Page]) -> None:
    meet(*both)
    seats = begin(both, house)
    white, black = seats
    wall = opened(pages, house.wall)
    for number, turn in enumerate(GAME[:2]):
        exchange(seats[number % 2], seats[1 - number % 2], number, turn)
    expect(wall.locator("#tiles li .piece")).to_have_count(2)
    expect(wall.locator("#tiles")).to_contain_text("Kitchen")

    # Talk, which is text and nothing else; and an offer that is refused.
    bar(white).get_by_role("button", name="Room and chat").click()
    white.get_by_label("Message").fill("<img src=x onerror=alert(1)> hello")
    press(white, "Send")
    bar(black).get_by_role("button", name="Room and chat (1 new)").click()
    expect(black.locator("#chat li")).to_contain_text("<img src=x onerror=alert(1)> hello")
    press(black, "Thank you!")
    expect(white.locator("#chat li").last).to_contain_text("Thank you!")
    press(white, "Offer a draw")
    expect(black.locator("#room")).to_contain_text("offers a draw.")
    press(black, "Decline")
    expect(white.locator("#room")).not_to_contain_text("offered a draw")

    # A take-back that is accepted: both boards go back, and White sets its piece elsewhere.
    black.locator("#done").click()
    white.locator("#done").click()
    exchange(white, black, 2, "g7")
    bar(white).get_by_role("button", name="Room and chat").click()
    press(white, "Ask to take back")
    dock(black).get_by_role("button", name="Accept").click()
    white.locator("#done").click()
    for page in (white, black):
        expect(page.locator("#turns span")).to_have_text(GAME[:2])
        page.locator("#set-right").click()

    # The broker dies and comes back; then a link is killed, and started again.
    house.broker.kill()
    expect(bar(black)).to_contain_text("The broker doesn't answer.")
    house.broker.start()
    for page in (white, black):
        expect(bar(page)).to_contain_text("is here.")
    house.machines[0].kill("link")
    expect(bar(both[0])).to_be_hidden()
    house.machines[0].start("link")
    expect(bar(both[0])).to_contain_text("Attic is here.")

    for number, turn in enumerate(GAME[2:], start=2):
        exchange(seats[number % 2], seats[1 - number % 2], number, turn)
    ends = ("You win: Black has fewer than", "White wins: you have fewer than")
    for page, end in zip((white, black), ends, strict=True):
        expect(page.locator("#sentence")).to_contain_text(end)
        expect(dock(page).get_by_role("button", name="Ready for another game")).to_be_visible()
    expect(wall.locator("#tiles li.over")).to_have_count(1)
    expect(wall.locator("#places tbody tr").first).to_contain_text(re.compile("1.0"))
    wall.goto("about:blank")


def test_a_public_room_is_joined_and_watched_in_the_lobby(
    pages: OpenPage, house: TwoHouses, both: list[Page]
) -> None:
    host, guest = both
    host.get_by_label("Name of the room").fill("Open table")
    host.get_by_label("Show it in the lobby of mill-club, where anyone can join").check()
    press(host, "Open the room")
    expect(guest.locator("#view-rooms .rooms")).to_contain_text("Open table")
    expect(guest.locator("#view-rooms .rooms")).to_contain_text("Waiting for a second player")
    press(guest, "Join Open table")
    expect(host.locator("#room")).to_contain_text("Attic is here.")
    expect(host.locator("#chat")).to_contain_text("In rooms of the lobby you can send these phrases.")
    expect(host.get_by_label("Message")).to_be_hidden()
    press(host, "Good game!")
    expect(guest.locator("#chat li")).to_contain_text("Good game!")
    guest.get_by_text("Leave the room").first.click()
    press(guest, "Leave the room")
    expect(guest.locator("#view-rooms .rooms")).to_contain_text("Open table")
