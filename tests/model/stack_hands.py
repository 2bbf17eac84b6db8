"""Hands at a board of stacks, judged by the plain rules of Mitsudomoe and by what truly lies on each square.

Only the public lines are used. What must hold:

1. The steps that are told are, in their order, the beginning of a legal turn of the plain rules; a turn
   comes when it is whole, an ending with the turn that brings it, and a state's position is the plain rules'.
2. On a board that was let rest, each point that stands wrong is told and no other; where none does, the
   board is ready, or all of it is in the midst of a legal turn.
3. A turn that hands do, in any order that stacks allow, counts; of what cannot be felt nothing counts before
   it is confirmed, and then as it was done. Whatever was done, the board is soon ready again where its lights
   are followed.

A sensor tells the uppermost three pieces of its stack. Each broken rule is an AssertionError.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from model import plain_mitsudomoe as plain
from model.plain_mitsudomoe import SQUARES, Board, Moment

TOLD = 3
REST_S = 1.6
"""Longer than every wait of a board on which pieces stand."""
PAUSES_S = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.2)

Feed = Callable[[str, int], list[str]]
Action = tuple[str, str, str]
"""What hands do at a square: `lift` or `put`, the square, and the piece as the plain rules write it."""


class StackHands:
    """One board from its start on, what truly lies there, and the game as its events tell it."""

    def __init__(self, feed: Feed, greeting: list[str]) -> None:
        """`feed` leads to a board of Mitsudomoe that has just said `greeting`, with its pieces standing."""
        self.script: list[str] = []
        self.heard = [line + "\n" for line in greeting]
        self.counts: Counter[str] = Counter()
        self.truth: Board = dict(plain.start("w").board)
        self.held: list[str] = []
        self.moments: list[Moment] = []
        """The position before each turn so far, the present one last."""
        self.steps: list[str] = []
        self.ends: list[int] = []
        """The ply after each whole turn."""
        self.declared = False
        self._feed = feed
        self._follow(greeting)

    # ---- what is sent, and what is told ------------------------------------------------------------------

    def do(self, **command: Any) -> list[dict[str, Any]]:
        """Send one command, which must be obeyed, and follow what is told."""
        line = json.dumps(command)
        self.script.append(line)
        answer = self._feed(line, len(self.script))
        self.heard += [one + "\n" for one in answer]
        return self._follow(answer)

    def _follow(self, lines: list[str]) -> list[dict[str, Any]]:
        said: list[dict[str, Any]] = [json.loads(line) for line in lines]
        for one in said:
            assert "error" not in one, f"{self.script[-1]}: {one}"
            if "event" in one:
                self.counts[f"event {one['event']}"] += 1
                self._take_in(one)
        return said

    def _take_in(self, event: dict[str, Any]) -> None:
        match event["event"]:
            case "game":
                self.moments, self.steps, self.ends = [plain.start(event["first"][0])], [], []
                self.declared = False
            case "step":
                assert event["by"] == plain.NAMES[self.now.to_move], event
                self.steps.append(event["text"])
                legal = plain.turns(self.now)
                assert any(turn.startswith(self.begun) for turn in legal), f"{self.begun} is not legal"
            case "turn":
                assert event["text"] == self.begun, f"{event}, but it was {self.begun}"
                self.moments.append(plain.play(self.now, self.begun))
                self.ends.append(len(self.steps))
            case "taken-back":
                assert not self.declared, event
                assert 0 <= event["ply"] < len(self.steps), event
                del self.steps[event["ply"] :]
                self.ends = [end for end in self.ends if end <= event["ply"]]
                del self.moments[len(self.ends) + 1 :]
            case "over":
                told = event["winner"], event["reason"]
                self.declared = self.now.outcome is None
                assert told == self.now.outcome or told[1] in ("abandoned", "resigned", "agreed"), event
                self.counts[f"games ended: {told[1]}"] += 1

    @property
    def now(self) -> Moment:
        """The position before the turn that is due or begun."""
        return self.moments[-1]

    @property
    def begun(self) -> str:
        """The steps of the turn that is begun, as one text."""
        steps = self.steps[self.ends[-1] if self.ends else 0 :]
        return " ".join(steps).replace(" /", "/")

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.declared or self.now.outcome is not None

    def look(self) -> dict[str, Any]:
        """The public state, whose position must be that of the events."""
        state: dict[str, Any] = self.do(show=True)[-1]["state"]
        self.counts[f"status {state['status']}"] += 1
        if not self.begun:
            assert state["position"] == plain.position_text(self.now), plain.position_text(self.now)
        assert (state["status"] == "over") == self.over, state["status"]
        return state

    def rest(self) -> dict[str, Any]:
        """Let the board rest, and check what it says of each point."""
        self.do(wait=REST_S)
        state = self.look()
        wrong = {s for s in SQUARES if told(self.truth[s]) != told(board_of(state["position"])[s])}
        listed = {point for kind in ("missing", "extra", "wrong") for point in state[kind]}
        match state["status"]:
            case "mismatch":
                assert listed == wrong, f"{listed} is told, but {wrong} stands wrong"
            case "lifted":
                assert wrong, "nothing is lifted"
            case "ready" if wrong:
                midst = {point for fit in state["moves"] for point in SQUARES if point in fit}
                assert wrong <= midst, f"ready, but {wrong} stands wrong"
        return state

    # ---- pieces ------------------------------------------------------------------------------------------

    def lift(self, square: str) -> str:
        """Take the uppermost piece of a square into the hand."""
        piece = plain.top(self.truth, square)
        self.do(lift=square)
        self.truth[square] = self.truth[square][:-1]
        self.held.append(piece)
        return piece

    def put(self, square: str, piece: str) -> None:
        """Set a piece down, from the hand or else from the box."""
        self.do(put=square, piece=name_of(piece))
        if piece in self.held:
            self.held.reverse()
            self.held.remove(piece)
            self.held.reverse()
        self.truth[square] += piece

    def box(self) -> None:
        """Lay aside what is in the hands."""
        if self.held:
            self.do(box=True)
            self.held.clear()

    def have(self, piece: str) -> bool:
        """Whether such a piece is in the hands or in the box."""
        all_of_them = 3 if piece.isupper() else 8
        return piece in self.held or "".join([*self.truth.values(), *self.held]).count(piece) < all_of_them

    def bring(self, board: Board) -> None:
        """Have each square hold exactly what `board` says, high or low."""
        different = [square for square in SQUARES if self.truth[square] != board[square]]
        keep = {square: _common(self.truth[square], board[square]) for square in different}
        for square in different:
            while len(self.truth[square]) > keep[square]:
                self.lift(square)
        for square in different:
            for piece in board[square][keep[square] :]:
                self.put(square, piece)
        self.box()

    # ---- what hands do -----------------------------------------------------------------------------------

    def turn(self, luck: Random) -> None:
        """Do what is left of a legal turn, in any order that stacks allow; it must count as it was done."""
        if self.over:
            self.again(luck)
            return
        state = self.look()
        if state["status"] != "ready" or self.truth != board_of(state["position"]):
            self.mend(luck)
            return
        turn, wanted = self._choose(luck)
        rest = turn[len(self.begun) :].split()
        self.counts["turns meant"] += 1
        played = len(self.ends) + 1
        for kind, square, piece in self._in_some_order(rest, luck):
            if kind == "lift":
                self.lift(square)
            else:
                self.put(square, piece)
            if luck.random() < 0.8:
                self.do(wait=luck.choice(PAUSES_S))
            if luck.random() < 0.06:
                self._touch(luck)
        assert self.truth == wanted, "these hands err"
        self._confirm(turn, played)
        assert len(self.ends) == played, f"{turn} was done, but {self.begun or 'nothing'} counts of it"
        assert self.now.board == wanted, f"{turn} was done, but {plain.position_text(self.now)} counts"

    def _choose(self, luck: Random) -> tuple[str, Board]:
        """A legal turn: more often than by chance one that builds high, or vaults, and ends nothing."""
        turns = {t: after for t, after in plain.turns(self.now).items() if t.startswith(self.begun)}
        vaults = [turn for turn in turns if "/" in turn]
        some = luck.sample(sorted(turns), min(len(turns), 12))
        if luck.random() < 0.7:
            turn = max(some, key=lambda text: max(map(len, turns[text].values())))
        else:
            turn = luck.choice(vaults if vaults and luck.random() < 0.7 else some)
        if plain.play(self.now, turn).outcome is not None and luck.random() < 0.8:
            turn = luck.choice(some)
        return turn, turns[turn]

    def _confirm(self, turn: str, played: int) -> None:
        """Let the board rest, and confirm what it asks for as long as that is what was done."""
        for _ in range(6):
            state = self.rest()
            left = turn[len(self.begun) :].strip() if len(self.ends) < played else ""
            asked = [text for text in state.get("confirm", ()) if left.startswith(text)]
            if not left or not asked:
                return
            self.counts["confirmed"] += 1
            self.do(do="confirm", turn=min(asked, key=len))

    def _in_some_order(self, steps: list[str], luck: Random) -> list[Action]:
        """The actions of these steps; at one square they keep their order, and a piece leaves first."""
        actions = [action for step in _single(steps) for action in self._actions(step)]
        if luck.random() < 0.5 or self._could_be_thought_over(steps):
            return actions
        done: list[Action] = []
        waiting = list(enumerate(actions))
        while waiting:
            free = [
                (n, action)
                for n, action in waiting
                if not any(m < n and (other[1] == action[1] or _same(other, action)) for m, other in waiting)
            ]
            chosen = luck.choice(free)
            waiting.remove(chosen)
            done.append(chosen[1])
        self.counts["turns in disorder"] += done != actions
        return done

    def _actions(self, step: str) -> list[Action]:
        if step.startswith("+"):
            return [("put", step[1:], self.now.to_move)]
        origin, target = step.lstrip("/")[:2], step[-2:]
        mover, other = self.now.to_move, plain.OTHER[self.now.to_move]
        piece = mover if ">" in step else other.upper() if step.startswith("/") else mover.upper()
        return [("lift", origin, piece), ("put", target, piece)]

    def _could_be_thought_over(self, steps: list[str]) -> bool:
        """Whether a vaulted ball moved first could be the last turn, done in another way."""
        before = self.moments[-2].board if len(self.moments) > 1 else self.now.board
        changed = {square for square in SQUARES if before[square] != self.now.board[square]}
        vaulted = {step[1:3] for step in _single(steps) if step.startswith("/")}
        return bool(changed & vaulted)

    def _touch(self, luck: Random) -> None:
        """Lift a piece and put it back at once."""
        square = luck.choice([square for square in SQUARES if self.truth[square]])
        piece = self.lift(square)
        self.do(wait=luck.choice((0.02, 0.05, 0.1)))
        self.put(square, piece)

    def mischief(self, luck: Random) -> None:
        """Some things without any thought; the board says what stands wrong, and is mended."""
        for _ in range(luck.randint(1, 3)):
            standing = [square for square in SQUARES if self.truth[square]]
            piece = luck.choice("wbWB")
            open_squares = [square for square in SQUARES if not plain.top(self.truth, square).isupper()]
            if luck.random() < 0.5:
                self.lift(luck.choice(standing))
            elif self.have(piece):
                self.put(luck.choice(open_squares), piece)
            if luck.random() < 0.7:
                self.do(wait=luck.choice(PAUSES_S))
        self.rest()
        self.mend(luck)

    def mend(self, luck: Random) -> None:
        """Do what the lights ask for until the board is ready, with nothing wrong that is not felt."""
        self.do(repair=True)
        self.counts["mended"] += 1
        for _ in range(12):
            state = self.rest()
            if self.over:
                return
            wanted = board_of(state["position"])
            if state["status"] == "ready" and self.truth == wanted:
                return
            self.bring(wanted)
        raise AssertionError(f"still {state['status']} after all that the lights asked for was done")

    def take_back(self, luck: Random) -> None:
        """Ask for the last turn back, and put the pieces where they were."""
        if self.over or not self.steps or self.look()["status"] != "ready":
            return
        whole = self.ends[-1] if self.begun else ([0, *self.ends])[-2]
        self.do(do="take-back")
        assert len(self.steps) == whole, f"taken back to {len(self.steps)}, not to {whole}"
        self.mend(luck)
        assert len(self.steps) == whole, "taken back, and then played on by itself"

    def move_back(self, luck: Random) -> None:
        """Put the pieces as they stood before an older turn; that counts, or all of it stands wrong."""
        if self.over or len(self.moments) < 2 or self.look()["status"] != "ready":
            return
        older = self.moments[-1 - min(len(self.moments) - 1, luck.choice((1, 1, 2, 3)))]
        self.bring(older.board)
        state = self.rest()
        self.counts["moved back, and it counts"] += state["position"] == plain.position_text(older)
        self.mend(luck)

    def cut_power(self, luck: Random) -> None:
        """Let the power go, maybe with a piece in the hand, and come back: the same game goes on."""
        steps = list(self.steps)
        if luck.random() < 0.3:
            self.lift(luck.choice([square for square in SQUARES if self.truth[square]]))
        self.do(power="off")
        self.do(wait=1.0)
        self.do(power="on")
        assert self.steps[: len(steps)] == steps[: len(self.steps)], "the game that goes on is another"
        self.mend(luck)

    def fault(self, luck: Random) -> None:
        """Break a sensor for a while; nothing may count meanwhile that hands did not do."""
        steps = list(self.steps)
        self.do(fault={"point": luck.choice(SQUARES), "kind": "stuck-off"})
        self.do(wait=luck.choice(PAUSES_S))
        self.do(repair=True)
        self.mend(luck)
        assert self.steps[: len(steps)] == steps, f"{steps} became {self.steps} as a sensor broke"

    def again(self, luck: Random) -> None:
        """Begin another game, with all pieces at their start."""
        self.do(do="new-game")
        self.bring(plain.start("w").board)
        state = self.rest()
        assert state["status"] == "ready", state["status"]


def told(stack: str) -> str:
    """What a sensor tells of a stack."""
    return stack[-TOLD:]


def name_of(piece: str) -> str:
    """What a piece is called in commands."""
    return f"{plain.NAMES[piece.lower()]}-{'ball' if piece.isupper() else 'ring'}"


def board_of(position: str) -> Board:
    """What lies on each square, from a position text."""
    ranks = [rank.split(",") for rank in position.split()[0].split("/")]
    stacks = [stack.replace("-", "") for rank in reversed(ranks) for stack in rank]
    return dict(zip(SQUARES, stacks, strict=True))


def _single(steps: list[str]) -> list[str]:
    """The ring step, the ball step and each relocation by itself."""
    return [
        f"/{part}" if number or not head else part
        for step in steps
        for head, *_ in [step.split("/")]
        for number, part in enumerate(step.split("/"))
        if part
    ]


def _same(one: Action, other: Action) -> bool:
    """Whether both are done to the same piece, as far as one has to leave before it lands."""
    return one[0] == "lift" and other[0] == "put" and one[2] == other[2]


def _common(one: str, other: str) -> int:
    """How many pieces two stacks have in common from the wood up."""
    alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in alike)
