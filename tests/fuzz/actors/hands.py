"""Hands at a board of the mill games: players who mean to play, players who fumble, and children.

`FuzzedHands` holds a table and its referee; what all people do, whatever they play, is in `people`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from random import Random

from tests.fuzz.actors.people import WAITS, Feed, Object, PlayingPeople
from tests.fuzz.actors.standing import MillStanding
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import ends
from tests.fuzz.oracle.judging.referee import Referee
from tests.fuzz.oracle.plain_rules import BLACK, WHITE
from tests.fuzz.oracle.table import NOTHING, POINTS, OracleTable

CARRIED = 0.05
"""No hand carries a piece to another point in less."""
FAULTS = ("stuck-on", "stuck-off", "chatter", "weak", "weak", "mux", "leds")


class FuzzedHands(PlayingPeople):
    """One board from its start on, and all that hands do to it."""

    faults = FAULTS

    def __init__(self, feed: Feed, greeting: list[str], rules: plain.Switches, sensors: str) -> None:
        """`feed` leads to a board that has just said `greeting`."""
        self.table = OracleTable(sensors, rules.pieces)
        super().__init__(feed, greeting, self.table)
        self.referee = Referee(self.table, self.wishes, colours=sensors == "polarity")
        self.standing = MillStanding(self.referee)
        self.judge({}, list(map(json.loads, greeting)))
        self.show()

    def judge(self, command: Object, said: list[Object]) -> None:
        """Have the referee do so."""
        self.referee.judge(command, said)

    def may_begin(self, request: Object) -> bool | None:
        """Return whether there are such rules; options that exclude each other are not known here."""
        if request.get("rules", "standard") not in plain.RULE_SETS:
            return False
        return None if request.get("set") else True

    @property
    def tally(self) -> Counter[str]:
        """The numbers of all actions and events."""
        return self.counts + self.referee.counts

    # ---- playing -----------------------------------------------------------------------------------------

    def turn(self, luck: Random) -> None:
        """Play a turn as people do: mostly in order, sometimes not, at any pace, with fumbling."""
        if not self._may_play():
            return
        turn = self._choose(luck)
        self.counts["turns meant"] += 1
        actions = _in_some_order(turn, luck)
        for kind, step in actions:
            if luck.random() < 0.1:
                self._fumble(luck)
            if not self._act(kind, step, luck):
                return
            self.pause(luck)
            if kind == "lift":
                self.do(wait=CARRIED)
        if luck.random() < 0.5:
            self.do(box=True)
        if luck.random() < 0.7:
            self.wait(luck.choice([0.3, 0.35, 0.5, 0.8, 1.2]))

    def _may_play(self) -> bool:
        return not self.referee.over and not self.referee.paused

    def _choose(self, luck: Random) -> tuple[str, ...]:
        turns = plain.whole_turns(self.referee.score.now)
        taking = [turn for turn in turns if turn[-1][0] == "x" and turn[-1] != "x-"]
        return luck.choice(taking if taking and luck.random() < 0.8 else turns)

    def _act(self, kind: str, step: str, luck: Random) -> bool:
        """Do one action of a step; False where hands cannot."""
        origin, target = ends(step)
        mover = self.referee.score.now.to_move
        if kind == "lift":
            if origin not in self.table.standing:
                return False
            self.do(lift=origin)
        elif kind == "slide":
            way = self._way(origin, target, luck)
            if way is None:
                return self._act("lift", step, luck) and self._act("put", step, luck)
            self.do(slide=way, seconds=luck.choice([0.05, 0.1, 0.2, 0.4, 0.6, 1.0, 1.5]))
        else:
            if target in self.table.standing or not self._have(mover):
                return False
            self.do(put=target, piece=mover)
        self.show()
        return True

    def _have(self, colour: str) -> bool:
        return colour in self.table.held or self.table.box[colour] > 0

    def _way(self, origin: str | None, target: str | None, luck: Random) -> list[str] | None:
        """A way along the lines over empty points, the shortest or a longer one."""
        if origin not in self.table.standing:
            return None
        ways = [[origin]]
        for _ in range(60):
            if not ways:
                return None
            way = ways.pop(0 if luck.random() < 0.7 else -1)
            if way[-1] == target:
                return way
            near = [p for line in plain.LINES for p in _neighbours(line, way[-1])]
            ways += [[*way, p] for p in near if p not in way and p not in self.table.standing]
        return None

    def _fumble(self, luck: Random) -> None:
        """Do something in passing: touch another piece, brush over a point, bump a piece away and back."""
        standing, empty = sorted(self.table.standing), self._empty()
        match luck.choice(["touch", "brush", "bump"]):
            case "touch" if standing:
                point = luck.choice(standing)
                colour = self.table.standing[point]
                self.do(lift=point)
                self.pause(luck)
                self.do(put=point, piece=colour)
            case "brush" if self.table.held and empty:
                point = luck.choice(empty)
                self.do(put=point)
                self.wait(luck.uniform(0.01, 0.15))
                self.do(lift=point)
            case "bump" if standing and empty:
                there, away = luck.choice(standing), luck.choice(empty)
                self.do(knock={there: away})
                self.pause(luck)
                self.do(knock={away: there})
        self.pause(luck)

    def _empty(self) -> list[str]:
        return [point for point in POINTS if point not in self.table.standing]

    # ---- other things people do --------------------------------------------------------------------------

    def mischief(self, luck: Random) -> None:
        """One thing without any thought."""
        self._disturb(luck)
        self.pause(luck)
        self.show()

    def _disturb(self, luck: Random) -> None:
        standing, empty = sorted(self.table.standing), self._empty()
        match luck.choice(["lift", "put", "slide", "knock", "box", "wrong colour"]):
            case "lift" if standing:
                self.do(lift=luck.choice(standing))
            case "put" if empty:
                colour = luck.choice([WHITE, BLACK])
                if self._have(colour):
                    self.do(put=luck.choice(empty), piece=colour)
            case "slide" if standing and empty:
                way = self._way(luck.choice(standing), luck.choice(empty), luck)
                if way is not None and len(way) > 1:
                    self.do(slide=way, seconds=round(luck.uniform(0.05, 1.5), 2))
            case "knock" if standing:
                jolted = luck.sample(standing, min(len(standing), luck.randint(1, 4)))
                there = [None, *luck.sample(empty, min(len(empty), len(jolted)))]
                luck.shuffle(there)
                self.do(knock=dict(zip(jolted, there, strict=False)))
            case "box":
                self.do(box=True)
            case "wrong colour" if standing:
                point = luck.choice(standing)
                colour = plain.OTHER[self.table.standing[point]]
                if self._have(colour):
                    self.do(lift=point)
                    self.do(wait=luck.choice(WAITS))
                    self.do(put=point, piece=colour)

    def impossible_here(self, luck: Random) -> list[Object]:
        """Return actions that hands cannot do in this position, or requests that this game refuses."""
        standing, empty = sorted(self.table.standing), self._empty()
        wrongs: list[Object] = [{"do": "new-game", "rules": "mitsudomoe"}]
        if standing:
            wrongs.append({"put": luck.choice(standing), "piece": luck.choice([WHITE, BLACK])})
        if empty:
            wrongs.append({"lift": luck.choice(empty)})
        return wrongs

    def fault(self, luck: Random, kind: str = "") -> None:
        """Break something (one of FAULTS), for a while or until it is repaired."""
        kind = kind or luck.choice(FAULTS)
        if kind == "mux":
            self.do(fault={"mux": luck.randrange(3), "kind": "dead"})
        elif kind == "leds":
            self.do(fault={"leds": "unplugged"})
        else:
            self.do(fault={"point": luck.choice(POINTS), "kind": kind})
        self.pause(luck)
        if luck.random() < 0.6:
            self.do(repair=True)
            self.pause(luck)

    def cut_power(self, luck: Random) -> None:
        """Cut the power, maybe touch something in the meantime, and restore it: the same game continues.

        A game without a step need not, nor one that is over once the board is empty.
        """
        paused, over, ply = self.standing.paused, self.standing.over, self.standing.ply
        self.do(power="off")
        if luck.random() < 0.5:
            self._disturb(luck)
        self.do(wait=luck.choice(WAITS))
        said = self.do(power="on")
        if any(one.get("event") == "game" for one in said):
            now = self.table.now
            may_be_empty = all(NOTHING in self.table.possible(point, now, now) for point in POINTS)
            assert not ply or (over and may_be_empty), "the game does not go on"
        else:
            assert (self.standing.paused, self.standing.over) == (paused, over), (
                f"they were {(paused, over)} before"
            )
        self.wait(0.05)  # the first finding counts, even if it is repaired afterwards
        self.mend(luck)

    def some_rules(self, luck: Random) -> Object:
        """Any rules of the mill family, with switches that need not go together."""
        switches = luck.sample(sorted(plain.VALUES), luck.choice([0, 0, 1, 2, 3]))
        return {
            "rules": luck.choice(sorted(plain.RULE_SETS)),
            "set": {switch: luck.choice(plain.VALUES[switch]) for switch in switches},
        }

    def move_back(self, luck: Random) -> None:
        """Put the pieces as they stood a step or more ago, and wait or not."""
        record = self.referee.score.record
        ply = max(0, len(record) - 1 - luck.choice([1, 1, 1, 2, 2, 3, 5]))
        self.bring(record[ply].board, luck)
        self.wait(luck.choice([0.1, 0.4, 1.2, 1.5]))

    def move_forward(self, luck: Random) -> None:
        """Move turns back, and forward again to one of the later positions, in any order."""
        self.move_back(luck)
        self.wait(1.5)
        later = self.referee.score.later
        if not later or self.referee.over or self.referee.paused:
            return
        self.bring(luck.choice(later).board, luck if luck.random() < 0.7 else None)
        self.wait(luck.choice([0.1, 0.4, 1.2]))

    def bring(self, board: Mapping[str, str], luck: Random | None = None) -> None:
        """Have the pieces stand as `board` says, as far as the sensors can tell and the box allows."""
        feel = self.table.feel
        for point in POINTS:
            if point in self.table.standing and feel(board.get(point)) != feel(self.table.standing[point]):
                self.do(lift=point)
                if luck is not None:
                    self.pause(luck)
        for point in POINTS if luck is None else luck.sample(POINTS, len(POINTS)):
            if point in board and point not in self.table.standing:
                self.set_down(point, board[point])
                if luck is not None:
                    self.pause(luck)

    def set_down(self, point: str, colour: str) -> None:
        """Put a piece of `colour` down; if the sensors don't distinguish colours, any piece will do."""
        fits = [colour] if self._have(colour) or self.referee.colours else [plain.OTHER[colour]]
        self.do(put=point, piece=fits[0])

    def do_step(self, step: str, mover: str, pause: float = CARRIED) -> None:
        """Do a step as it is written, with a pause between lifting and setting down."""
        origin, target = ends(step)
        if origin is not None:
            self.do(lift=origin)
            self.do(wait=pause)
        if target is None:
            self.do(box=True)
        else:
            self.set_down(target, mover)


def _in_some_order(turn: tuple[str, ...], luck: Random) -> list[tuple[str, str]]:
    """The actions of a turn as (kind, step): each step's in their order, the steps mostly in theirs."""
    runs = []
    for step in turn:
        origin, target = ends(step)
        if origin and target:
            runs.append([("slide", step)] if luck.random() < 0.35 else [("lift", step), ("put", step)])
        elif origin or target:
            runs.append([("put" if target else "lift", step)])
    if luck.random() < 0.65:
        return [action for run in runs for action in run]
    actions = []
    while runs:
        run = luck.choice(runs)
        actions.append(run.pop(0))
        runs = [left for left in runs if left]
    return actions


def _neighbours(line: list[str], point: str) -> list[str]:
    return [p for p in line if point in line and abs(line.index(p) - line.index(point)) == 1]
