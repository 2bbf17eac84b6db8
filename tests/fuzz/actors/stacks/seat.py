"""Hands and their pieces at a board of stacks, and the checks of its lines; `hands` has the rules."""

from __future__ import annotations

import json

from tests.fuzz.actors.people import Feed, Object, PlayingPeople
from tests.fuzz.actors.standing import StackStanding
from tests.fuzz.oracle import plain_mitsudomoe as plain
from tests.fuzz.oracle.plain_mitsudomoe import SQUARES, Board, StackMoment
from tests.fuzz.oracle.stack_score import StackScore
from tests.fuzz.oracle.stack_table import StackTable
from tests.fuzz.oracle.stack_words import board_of, common, is_readable, is_surely_read, name_of, told

REST_S = 1.6
"""Longer than every wait of a board on which pieces stand."""
FAULTS = ("stuck-off", "stuck-off", "stuck-on", "chatter", "weak", "faint", "wrong-pole", "mux", "leds")


class StackSeat(PlayingPeople):
    """One board from its start on, its true pieces, and the game by its events."""

    faults = FAULTS
    hides = True

    def __init__(self, feed: Feed, greeting: list[str]) -> None:
        """`feed` leads to a board of Mitsudomoe that has just said `greeting`, with its pieces standing."""
        self.table = StackTable()
        super().__init__(feed, greeting, self.table)
        self.score = StackScore()
        self.standing: StackStanding = StackStanding(self.score)
        self.judge({}, list(map(json.loads, greeting)))

    # ---- the board's lines --------------------------------------------------------------------------------

    def judge(self, command: Object, said: list[Object]) -> None:
        """Rule 1."""
        refused = any("error" in one for one in said)
        for one in said:
            if "event" in one:
                self.counts[f"event {one['event']}"] += 1
                cleared = not self.table.places
                self.score.take_in(one, {} if refused else command, cleared=cleared)
                if one["event"] == "over":
                    self.counts[f"games ended: {one['reason']}"] += 1
            elif "state" in one:
                self._judge_state(one["state"])

    def _judge_state(self, state: Object) -> None:
        self.counts[f"status {state['status']}"] += 1
        self.standing.confirmable = tuple(state.get("confirm", ()))
        if not self.begun:
            assert state["position"] == plain.position_text(self.now), plain.position_text(self.now)
        assert (state["status"] == "over") == self.standing.over, state["status"]
        assert (state["status"] == "paused") == self.standing.paused, state["status"]

    @property
    def now(self) -> StackMoment:
        """The position before the turn that is due or begun."""
        return self.score.now

    @property
    def begun(self) -> str:
        """The steps of the turn that is begun, as one text."""
        return self.score.begun

    @property
    def truth(self) -> Board:
        """The pieces on each square."""
        return self.table.truth

    def may_begin(self, request: Object) -> bool | None:
        """Return whether there are such rules for stacks."""
        return bool(request.get("rules", "mitsudomoe") == "mitsudomoe")

    def rest(self) -> Object:
        """Let the board rest, and check what it says of each point (rule 2)."""
        if any(one.get("event") == "game" for one in self.do(wait=REST_S)):
            self.do(wait=REST_S)  # the board was cleared before: missing pieces are reported after a while
        state = self.show()
        wrong = {s for s in SQUARES if told(self.truth[s]) != told(board_of(state["position"])[s])}
        listed = {point for kind in ("missing", "extra", "wrong") for point in state[kind]}
        match state["status"]:
            case "mismatch":
                surely = {square for square in wrong if is_readable(self.truth[square])}
                misread = {square for square in listed - wrong if not is_surely_read(self.truth[square])}
                self.counts["not judged: a high stack told as wrong"] += bool(misread)
                assert surely <= listed <= wrong | misread, f"{listed} is told, but {wrong} stands wrong"
            case "lifted":
                assert wrong, "nothing is lifted"
            case "ready" if wrong:
                midst = {point for fit in state["moves"] for point in SQUARES if point in fit}
                assert wrong <= midst, f"ready, but {wrong} stands wrong"
            case "ready":
                legal = [turn for turn in plain.turns(self.now) if turn.startswith(self.begun)]
                moves = {turn[len(self.begun) :].strip() for turn in legal}
                assert set(state["moves"]) == moves, set(state["moves"]) ^ moves
            case "clear":
                stands = {square for square in SQUARES if self.truth[square]}
                assert set(state["cues"]) == stands, f"{state['cues']}, but {stands} must be cleared"
        return state

    # ---- pieces ------------------------------------------------------------------------------------------

    def lift(self, square: str) -> str:
        """Take the uppermost piece of a square into the hand."""
        piece = plain.top(self.truth, square)
        self.do(lift=square)
        return piece

    def put(self, square: str, piece: str) -> None:
        """Put a piece down, from the hand or otherwise from the box."""
        self.do(put=square, piece=name_of(piece))

    def box(self) -> None:
        """Lay aside what is in the hands."""
        if self.table.held:
            self.do(box=True)

    def bring(self, board: Board) -> None:
        """Have each square hold exactly what `board` says, high or low."""
        different = [square for square in SQUARES if self.truth[square] != board[square]]
        keep = {square: common(self.truth[square], board[square]) for square in different}
        for square in different:
            while len(self.truth[square]) > keep[square]:
                self.lift(square)
        self.do(wait=0.05)  # no hand exchanges pieces within a frame
        for square in different:
            for piece in board[square][keep[square] :]:
                self.put(square, piece)
        self.box()
