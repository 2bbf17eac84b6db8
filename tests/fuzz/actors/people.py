"""The actions of people at any board, in any game: wait, press buttons, clear it, try the impossible.

`PlayingPeople` sends one command after the other; every choice is drawn from the luck that an action is
given, so that Hypothesis can shrink it and a seed repeats it. All lines sent are kept in `script`, which is
enough to repeat the run. The players of a game are a class of its own (`Hands`, `StackHands`) that also
judges the board's lines.

Checked with each command: an action that hands cannot do, an unreadable line and a request that is impossible
now are answered with one error, and nothing else is; an error changes nothing. The table decides what hands
can do; the state of the game decides which requests are possible.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol

from tests.fuzz.actors.asking import Asks
from tests.fuzz.actors.standing import GameStanding
from tests.fuzz.oracle.wishes import THEMES, Wishes

Feed = Callable[[str, int], list[str]]
"""A board's public interface: a line in and its number, the lines out that answer it."""
Object = dict[str, Any]

REQUESTS = (
    *["take-back"] * 4,
    *["redo"] * 3,
    *["decline"] * 3,
    *["pause", "resume"] * 2,
    *["set"] * 2,
    "choose",
    "resign",
    "draw",
)
WAITS = (0.005, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0, 1.2, 2.0, 5.0)
CLEARED_S = 3.2
"""Longer than an empty board takes to end a game."""
MOST_AT_ONCE = 2
"""The number of pieces that two hands lift at once: three of one chip in one frame would be an outage."""
APART_S = 0.02
"""The least time from there to the next piece."""


class PeopleTable(Protocol):
    """A table and what is on it, as far as all games have it."""

    def do(self, command: Mapping[str, Any]) -> bool:
        """Follow a command; False, with nothing changed, where hands cannot do it."""

    @property
    def places(self) -> list[str]:
        """The places of pieces: each point once for each piece on it."""


class PlayingPeople(ABC):
    """Hands at one board from its start on; what is broken is an AssertionError."""

    faults: tuple[str, ...]
    """All that can break."""
    requests = REQUESTS
    """All that can be asked for."""
    standing: GameStanding
    """The state of the game."""
    hides = False
    """True if hands can do something that the sensors cannot detect."""

    def __init__(self, feed: Feed, greeting: list[str], table: PeopleTable) -> None:
        """`feed` leads to a board that has just said `greeting`."""
        self.script: list[str] = []
        self.heard = [line + "\n" for line in greeting]
        self.counts: Counter[str] = Counter()
        self.wishes = Wishes()
        self._feed = feed
        self._wood = table
        self._asks = Asks(self.counts)
        self._lifted_at_once = 0

    @property
    def tally(self) -> Counter[str]:
        """The numbers of all actions and events."""
        return self.counts

    # ---- how the game stands, and what is made of the answers --------------------------------------------

    @abstractmethod
    def judge(self, command: Object, said: list[Object]) -> None:
        """Check the lines that follow `command`, which is empty for the greeting."""

    # ---- what is sent ------------------------------------------------------------------------------------

    def do(self, **command: Any) -> list[Object]:
        """Send one command, and judge the answer; more pieces than hands can are not lifted at once."""
        if "lift" in command and self._lifted_at_once == MOST_AT_ONCE:
            self.do(wait=APART_S)
        if command.get("wait") or "slide" in command:
            self._lifted_at_once = 0
        self._lifted_at_once += "lift" in command
        line = json.dumps(command)
        self.script.append(line)
        can = self._may_ask(command) if "do" in command else self._wood.do(command)
        answer = self._feed(line, len(self.script))
        self.heard += [one + "\n" for one in answer]
        said: list[Object] = [json.loads(one) for one in answer]
        refused = any("error" in one for one in said)
        assert can is None or refused != can, f"{command}: {said}"
        assert not refused or len(said) == 1, f"{command}: {said}"
        if command.get("do") == "set" and not refused:
            self.wishes.follow(command)
        self.counts["actions"] += "show" not in command
        self.counts["refused"] += refused
        said = self._asks.take_out(said)
        self.judge(command, said)
        if self._asks.closes and not refused:
            self.do(do="ask")
        return said

    def show(self) -> Object:
        """The public state now."""
        state: Object = self.do(show=True)[-1]["state"]
        return state

    def wait(self, seconds: float) -> None:
        """Let time pass, then look."""
        self.do(wait=round(seconds, 3))
        self.show()

    def _may_ask(self, request: Object) -> bool | None:
        """Return whether the request is possible; None if that is not known."""
        match request["do"]:
            case "ask":
                return None  # it is refused without light, and then closes by itself
            case "resume":
                return self.standing.paused
            case "take-back" if not self.wishes.take_back:
                return None if self.hides else False
            case "take-back":
                return self.standing.ply > 0 and not self.standing.declared
            case "redo":
                return self.standing.may_redo
            case "new-game":
                return self.may_begin(request)
            case "set":
                return self.wishes.can_follow(request)
            case "resign" | "draw" | "pause" | "decline" | "choose" | "confirm" if self.standing.over:
                return False
            case "pause":
                return not self.standing.paused
            case "decline":
                return self.standing.may_decline
            case "choose":
                return "turn" not in request
            case "confirm":
                return request["turn"] in self.standing.confirmable
            case "resign" | "draw":
                return True
        return False

    @abstractmethod
    def may_begin(self, request: Object) -> bool | None:
        """Return whether a new game by such rules can begin; None if that is not known."""

    # ---- what people do ----------------------------------------------------------------------------------

    @abstractmethod
    def turn(self, luck: Random) -> None:
        """Play a turn as people do."""

    @abstractmethod
    def mend(self, luck: Random) -> None:
        """Do what the lights ask for until play goes on, which must be soon."""

    @abstractmethod
    def mischief(self, luck: Random) -> None:
        """Do something without any thought."""

    @abstractmethod
    def move_back(self, luck: Random) -> None:
        """Put the pieces as they stood before."""

    @abstractmethod
    def move_forward(self, luck: Random) -> None:
        """Put the pieces as they stood before, and then forward again."""

    @abstractmethod
    def fault(self, luck: Random, kind: str = "") -> None:
        """Break something (one of `faults`)."""

    @abstractmethod
    def cut_power(self, luck: Random) -> None:
        """Let the power go and come back: the same game goes on."""

    @abstractmethod
    def impossible_here(self, luck: Random) -> list[Object]:
        """Return actions that hands cannot do in this position, or requests that this game refuses."""

    @abstractmethod
    def some_rules(self, luck: Random) -> Object:
        """Return further members of a request for a new game."""

    def pause(self, luck: Random) -> None:
        """Hesitate, mostly."""
        if luck.random() < 0.8:
            self.wait(luck.choice(WAITS) if luck.random() < 0.3 else luck.uniform(0.01, 0.45))

    def linger(self, luck: Random) -> None:
        """Do nothing."""
        self.wait(luck.choice(WAITS) if luck.random() < 0.9 else 70.0)

    def request(self, luck: Random, name: str = "") -> None:
        """Make a request of the buttons or the page (one of REQUESTS); one that is impossible now is an
        error."""
        name = name or luck.choice(REQUESTS)
        request: Object = {"do": name}
        if name == "resign" and luck.random() < 0.5:
            request["player"] = luck.choice(["white", "black"])
        elif name == "set":
            request |= self.wishes.another(luck)
        self.do(**request)
        self.show()
        self.pause(luck)

    def new_game(self, luck: Random) -> None:
        """Ask for another game, mostly by other rules; switches that do not go together are an error."""
        self.do(do="new-game", **(self.some_rules(luck) if luck.random() < 0.8 else {}))
        self.show()
        self.pause(luck)

    def clear(self, luck: Random) -> None:
        """Take all pieces off, at some pace, and leave the board for some time."""
        places = self._wood.places
        for point in luck.sample(places, len(places)):
            self.do(lift=point)
            self.wait(luck.choice([0.05, 0.2, 0.5, 1.1]) if luck.random() < 0.3 else APART_S)
        self.do(box=True)
        self.wait(luck.choice([0.5, 2.9, CLEARED_S, CLEARED_S, CLEARED_S]))

    def impossible(self, luck: Random) -> None:
        """Do something impossible, or send an unreadable line; the board reports it and stays as it was."""
        wrongs: list[Object] = [
            {"do": "dance"},
            {"do": "set"},
            {"do": "set", "theme": THEMES[0], "brightness": 7},
            {"do": "choose", "turn": "nonsense"},
            {"do": "confirm", "turn": "nonsense"},
            {"do": "mask", "point": "z9"},
            {"do": "new-game", "rules": "nonsense"},
            {"sing": True},
            {"wait": -1},
            {"lift": "z9"},
            {"put": "z9"},
        ]
        before = self.show()
        self.do(**luck.choice([*wrongs, *self.impossible_here(luck) * 3]))
        assert self.show() == before, "an error changed something"
