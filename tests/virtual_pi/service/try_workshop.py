"""Sets up and examines the board by the page of its workshop, as root in the virtual Pi.

Usage: try_workshop.py WHAT; ends with 0 if all went well.
Somebody at the board reads what the page asks, sees where the strip shines, and sets down and takes off
pieces. They don't know how the board was soldered (`soldered.json`); what they do is all that the board
learns of it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from asking import status, told, until, until_up
from phone import PhoneConnection, address_of
from try_house import HOUSE, HOUSE_ADDRESSES, PAGE_PORT, PHONE, SECRET, pair, the_page, touch, until_seen
from wood import BRIGHT, SOLDERED, WoodOfService

from firmware_host.config.loader import load
from firmware_host.config.wiring_map import led_positions
from firmware_host.games.layout import MORRIS

NAME = "board.local"
"""The name that Imager gave the board, as others in the house ask for it."""
COOKIE = Path("/run/phone.cookie")
FOUND = Path("/var/lib/millwright/found-wiring.toml")
PIECES = 18
MOVES_WITHIN_S = 0.3
"""The time between two moves of a hand."""
BEGINS_AT_ONCE_S = 3.0
"""The time within which a board that wants no touch begins."""
MUST_PASS = {"colours", "order", "silent contacts", "LED order"}
"""The checks of the doctor which need hands and eyes."""
OUTCOMES = ("setup.doctor.passed", "setup.doctor.warned", "setup.doctor.failed")
COLOURS = {
    (True, False, False): "red",
    (False, True, False): "green",
    (False, False, True): "blue",
    (True, True, True): "white",
    (): "none",
}
LOOK_KEYS = {"red": "r", "green": "g", "blue": "u", "white": "w", "none": "n", "other": "s"}
"""The keys of these answers in a set-up."""
Prompt = dict[str, Any]


class PersonAtBoard:
    """Somebody who does what the page asks for, and says what they see."""

    def __init__(self) -> None:
        self.board = WoodOfService()
        self.placements = 0

    def looks(self) -> str:
        """Return the one colour in which the strip shines."""
        seen = {tuple(level > BRIGHT for level in colour) for colour in self.board.bright().values()} or {()}
        return COLOURS.get(seen.pop(), "other") if len(seen) == 1 else "other"

    def put(self, name: str) -> None:
        """Set a piece down, unless one stands there."""
        if name not in self.board.standing:
            self.board.put(MORRIS[name])
            self.placements += 1

    def lift(self, *names: str) -> None:
        """Take pieces off, one after the other."""
        for name in names:
            self.board.lift(MORRIS[name])
            time.sleep(MOVES_WITHIN_S)

    def sets_up(self, asked: Prompt) -> str | None:
        """Do what a set-up asks for; return the answer, if it wants one."""
        _, move, *_ = asked["said"]["key"].split(".")
        name = asked["point"] or next(iter(self.board.bright()), "")
        if asked["said"]["key"] == "setup.form":
            return next(one["key"] for one in asked["answers"] if "recommended" in one["said"]["key"])
        if move in ("which-colour", "colour-now"):
            return LOOK_KEYS[self.looks()]
        if move == "put" and len(self.board.standing) == PIECES:
            return "n"
        if move == "put":
            return self.put(name)
        if move in ("lift", "either", "free") and name in self.board.standing:
            return self.lift(name)
        if move == "either":
            return self.put(name)
        if move == "clear":
            return self.lift(*self.board.standing)
        if move == "review":
            self.lift(*self.board.standing)
        return "" if "" in keys_of(asked) else None

    def is_examined(self, asked: Prompt) -> str | None:
        """Do what the doctor asks for; return the answer, if it wants one."""
        _, what, *more = asked["said"]["key"].split(".")
        if what == "put":
            self.lift(*self.board.standing)
            if self.board.lit() != {asked["point"]}:
                sys.exit(f"{asked['point']} should be lit, and {self.board.lit()} is")
            return self.put(asked["point"])
        if more[:1] == ["look"]:
            return self.looks()
        if more == ["dark"]:
            return "some" if self.board.lit() else "dark"
        return "" if "" in keys_of(asked) else None


def keys_of(asked: Prompt) -> set[str]:
    """Return the answers that are offered."""
    return {answer["key"] for answer in asked["answers"]}


def opens_by_name() -> None:
    """A phone joins the house's Wi-Fi, and finds the board by its name."""
    PHONE.radiate(HOUSE, SECRET)
    for command in (
        ("addr", "flush", "dev", PHONE.radio),
        ("addr", "add", f"{HOUSE_ADDRESSES}40/24", "dev", PHONE.radio),
        ("route", "add", "default", "dev", PHONE.radio),
    ):
        told("ip", "-n", PHONE.name, *command)
    found: list[str] = []

    def is_found() -> bool:
        with PHONE.inside():
            found.append(address_of(NAME))
        return found[-1] != ""

    until_seen(is_found, f"an answer to the name {NAME}")
    address, _ = the_page()
    answer = PHONE.ask("/", at=(address, PAGE_PORT), host=f"{NAME}:{PAGE_PORT}")
    if found[-1] != address or answer.status != 200:
        sys.exit(f"{NAME} is at {found[-1]} instead of {address}, and answers {answer}")
    if PHONE.ask("/", at=(address, PAGE_PORT), host=f"example.org:{PAGE_PORT}").status != 400:
        sys.exit("the page answers to names that aren't the board's")
    COOKIE.write_text(pair(PHONE, is_first=True))
    print(f"{NAME} is at {address}")  # noqa: T201


def page() -> PhoneConnection:
    """Return the board's page, opened on the phone by the board's name."""
    with PHONE.inside():
        return PhoneConnection(NAME, PAGE_PORT, COOKIE.read_text())


def enter(kind: str, condition: str) -> None:
    """Have the workshop begin; where the board was not just switched on, by touches."""
    until_up()
    with closing(page()) as opened:
        opened.ask({"do": "workshop", "kind": kind})
    time.sleep(BEGINS_AT_ONCE_S)
    if status().get("status") != condition:
        touch()
    until(lambda: status().get("status") == condition, f"the workshop's {condition}")


def guide(opened: PhoneConnection, does: Callable[[Prompt], str | None], *ends: str) -> Prompt:
    """Do what the page asks for until it says one of `ends`; return what goes with that."""
    before: object = None
    while (asked := opened.until("setup"))["said"]["key"] not in ends:
        now = asked["sentence"], asked["done"], keys_of(asked)
        if now == before:  # there is only another note
            continue
        before = now
        print(f"{asked['done']}/{asked['of']} {asked['sentence']}")  # noqa: T201
        if (answer := does(asked)) is not None:
            opened.send({"answer": answer})
            before = None
    return asked


def sets_up() -> None:
    """The page finds how the board is soldered, and the board plays with that."""
    if FOUND.exists():
        sys.exit("it is set up already")
    person = PersonAtBoard()
    enter("setup", "set-up")
    with closing(page()) as opened:
        guide(opened, person.sets_up, "setup.done.by-page")
    until(lambda: status().get("status") == "ready", "a board that plays again")
    check_found()
    print(f"all points were found with {person.placements} placements")  # noqa: T201


def check_found() -> None:
    """The wiring that was saved is the true one."""
    soldered, config = json.loads(SOLDERED.read_text()), load(FOUND)
    order, points = soldered["order"], soldered["points"]
    places = zip(MORRIS.points, led_positions(config.strip, MORRIS), strict=True)
    contacts = {name: own for name, (own,) in config.sensors.points.items()}
    leds = {point.name: own for point, own in places}
    true_contacts = {name: divmod(wire, 8) for wire, name in enumerate(points)}
    true_leds = {name: (led,) for led, name in enumerate(points)}
    if (contacts, leds, config.strip.order) != (true_contacts, true_leds, order):
        sys.exit(f"it found {contacts}, {leds}, {config.strip.order}")


def is_examined() -> None:
    """The doctor's walk over the board finds no fault, and its report can be taken along."""
    person = PersonAtBoard()
    enter("doctor", "examination")
    with closing(page()) as opened:
        asked = guide(opened, person.is_examined, *OUTCOMES)
        opened.ask({"report": True})
        person.lift(*person.board.standing)
        opened.send({"answer": ""})
    until(lambda: status().get("status") == "ready", "a board that plays again")
    for one in asked["findings"]:
        print(f"{one['verdict']} {one['check']}: {one['found']}")  # noqa: T201
    passed = {one["check"] for one in asked["findings"] if one["verdict"] == "pass"}
    faults = [one for one in asked["findings"] if one["verdict"] == "fault"]
    if faults or not passed >= MUST_PASS:
        sys.exit(f"{faults}; {MUST_PASS - passed} did not pass")


TRIALS = (opens_by_name, sets_up, is_examined)

if __name__ == "__main__":
    {trial.__name__: trial for trial in TRIALS}[sys.argv[1]]()
