"""Hands at a board of stacks, judged by the plain rules of Mitsudomoe and by the true pieces on each square.

Only the public lines are used; the actions of people in any game are in `people`. Checked:

1. Events follow the plain rules (`stack_score`): steps are, in their order, the beginning of a legal turn; an
   ending comes with the turn that brings it, or with the request that ends the game; nothing that hands do
   counts while the game is paused. A state's position is the plain rules' own.
2. On a board that was left to rest, each point that differs is reported and no other. If none does, the board
   is ready and has the plain rules' moves, or is in the middle of a legal turn.
3. A turn that hands do, in any order that stacks allow, counts. Not judged, and counted as such, are turns
   on a stack so high that its sensor may take it for another one, and those about which the board asks, since
   the player who vaulted a ball may have put it elsewhere. Undetected actions count only once they are
   confirmed, and then as they were done. Whatever was done, a board whose lights are followed is soon ready
   again. A board that was cleared begins a new game.

Each broken rule is an AssertionError.
"""

from __future__ import annotations

import json
from random import Random

from tests.fuzz.actors.people import CLEARED_S, Object
from tests.fuzz.actors.stacks.seat import FAULTS, REST_S, StackSeat
from tests.fuzz.oracle import plain_mitsudomoe as plain
from tests.fuzz.oracle.plain_mitsudomoe import SQUARES, Board
from tests.fuzz.oracle.stack_orders import could_be_thought_over, exchanges, in_some_order
from tests.fuzz.oracle.stack_words import TOLD, Action, actions_of, board_of, is_surely_read, single

PACE_S = 0.1
"""The least time from a piece that was set down to another one: what moves sooner beside it was pushed."""
PAUSES_S = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.2)


class StackHands(StackSeat):
    """The hands of people at a board of stacks."""

    # ---- what hands do -----------------------------------------------------------------------------------

    def turn(self, luck: Random) -> None:
        """Do what is left of a legal turn, in any order that stacks allow; it must count as it was done."""
        if self.standing.over:
            self.again(luck)
            return
        state = self.show()
        if state["status"] != "ready" or self.truth != board_of(state["position"]):
            self.mend(luck)
            return
        turn, wanted = self._choose(luck)
        rest = turn[len(self.begun) :].split()
        self.counts["turns meant"] += 1
        played = len(self.score.ends) + 1
        vaulted = self._just_vaulted()
        actions = self._in_some_order(rest, luck)
        others = sorted({s for s in SQUARES if self.truth[s]} - {square for _, square, _ in actions})
        for action in actions:
            self._act(action)
            if luck.random() < 0.8:
                self.do(wait=luck.choice(PAUSES_S))
            if others and luck.random() < 0.06:
                self._touch(luck.choice(others), luck)
        assert self.truth == wanted, "these hands err"
        self._confirm(turn, played)
        if len(self.score.ends) < played and self._may_be_misread():
            self.counts["not judged: a turn on a high stack"] += 1
            self.mend(luck)
            return
        moves_vaulted = any(step.partition("-")[0] in vaulted for step in rest)
        if len(self.score.ends) < played and moves_vaulted and self.show()["status"] == "undecided":
            self.counts["not judged: a ball that was just vaulted"] += 1
            self.mend(luck)
            return
        assert len(self.score.ends) == played, f"{turn} was done, but {self.begun or 'nothing'} counts of it"
        assert self.now.board == wanted, f"{turn} was done, but {plain.position_text(self.now)} counts"

    def _just_vaulted(self) -> set[str]:
        """Return where the last turn put balls that it vaulted."""
        end = self.score.ends[-1] if self.score.ends else 0
        steps = self.score.steps[self.score.last_turn : end]
        return {step.partition("-")[2] for step in steps if step.startswith("/")}

    def _may_be_misread(self) -> bool:
        """Return whether nothing stands wrong but stacks that are higher than sensors reckon with."""
        wrong = self.show()["wrong"]
        return bool(wrong) and not any(is_surely_read(self.truth[square]) for square in wrong)

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
            left = turn[len(self.begun) :].strip() if len(self.score.ends) < played else ""
            asked = [text for text in state.get("confirm", ()) if left.startswith(text)]
            if not left or not asked:
                return
            self.counts["confirmed"] += 1
            self.do(do="confirm", turn=min(asked, key=len))

    def _in_some_order(self, steps: list[str], luck: Random) -> list[Action]:
        """The actions of these steps, in disorder where that is not the last turn, done in another way."""
        actions = [action for step in single(steps) for action in actions_of(step, self.now.to_move)]
        if luck.random() < 0.5:
            return actions
        done = in_some_order(actions, luck)
        before = None if self.begun else next(iter(self.score.moments[-2:-1]), None)
        if exchanges(done) or (before and could_be_thought_over(before, self.now.board, done)):
            return actions
        self.counts["turns in disorder"] += done != actions
        return done

    def _act(self, action: Action) -> None:
        kind, square, piece = action
        if kind == "lift":
            self.lift(square)
            return
        before = self.script[-1]
        if any('"lift"' in line for line in self.script[-2:]):
            self.do(wait=0.05)  # no hand carries or exchanges pieces within a frame
        elif '"put"' in before and len(self.truth[square]) >= TOLD:
            self.do(wait=0.05)  # on a high stack, two pieces at once can read like the upper one
        self.put(square, piece)

    def _touch(self, square: str, luck: Random) -> None:
        """Lift a piece that the turn leaves alone, and put it back at once."""
        self.do(wait=PACE_S)
        piece = self.lift(square)
        self.do(wait=luck.choice((0.02, 0.05, 0.1)))
        self.put(square, piece)

    def mischief(self, luck: Random) -> None:
        """Do some things without any thought; the board reports the differences, and is corrected."""
        for _ in range(luck.randint(1, 3)):
            standing = [square for square in SQUARES if self.truth[square]]
            piece = luck.choice("wbWB")
            open_squares = [square for square in SQUARES if not plain.top(self.truth, square).isupper()]
            if standing and luck.random() < 0.5:
                self.lift(luck.choice(standing))
            elif self.table.have(piece):
                self.put(luck.choice(open_squares), piece)
            if luck.random() < 0.7:
                self.do(wait=luck.choice(PAUSES_S))
        self.rest()
        self.mend(luck)

    def mend(self, luck: Random) -> None:
        """Follow the lights until the board is ready, without a difference that sensors cannot detect."""
        self.do(repair=True)
        self.counts["mended"] += 1
        for _ in range(12):
            state = self.rest()
            if self.standing.over:
                return
            if self.standing.paused:
                self.do(do="resume")
                continue
            wanted = board_of(state["position"])
            if state["status"] == "ready" and self.truth == wanted:
                return
            if self.truth == wanted and self._may_be_misread():
                self.counts["not judged: a high stack that stays misread"] += 1
                self.do(do="new-game")
                continue
            self.bring(wanted)
        raise AssertionError(f"still {state['status']} after all that the lights asked for was done")

    def request(self, luck: Random, name: str = "") -> None:
        """Ask for something; what is taken back by that is not played again by itself."""
        taken_back = self.counts["event taken-back"]
        super().request(luck, name)
        if self.counts["event taken-back"] > taken_back and not self.standing.over:
            ply = self.standing.ply
            self.mend(luck)
            assert self.standing.ply <= ply, "taken back, and then played on by itself"

    def some_rules(self, luck: Random) -> Object:
        """The rules of stacks, with any switches."""
        switches: dict[str, list[str | int]] = {"first": ["white", "black", "lot"], "repetition": [0, 3]}
        some = luck.sample(sorted(switches), luck.choice([0, 1, 2]))
        return {"rules": "mitsudomoe", "set": {switch: luck.choice(switches[switch]) for switch in some}}

    def impossible_here(self, luck: Random) -> list[Object]:
        """Return actions that hands cannot do in this position, or requests that this game refuses."""
        wrongs: list[Object] = [
            {"do": "new-game", "rules": "standard"},
            {"do": "decline"},
            {"put": luck.choice(SQUARES), "piece": "white"},
        ]
        wrongs += [{"put": s, "piece": "white-ring"} for s in SQUARES if plain.top(self.truth, s).isupper()]
        wrongs += [{"lift": square} for square in SQUARES if not self.truth[square]]
        return luck.sample(wrongs, 3)

    def clear(self, luck: Random) -> None:
        """Take all pieces off; where the board stays empty for long, what was played is over."""
        super().clear(luck)
        rested = self.script[-2] == json.dumps({"wait": CLEARED_S})
        if rested and not self.standing.paused:
            assert not self.standing.over, "the board was cleared, and the game that is over goes on"
            assert not self.standing.ply, "the board was cleared, and the game goes on"

    def move_back(self, luck: Random) -> None:
        """Put the pieces as they stood before an older turn; that counts, or all of it stands wrong."""
        if self.standing.over or len(self.score.moments) < 2 or self.show()["status"] != "ready":
            return
        older = self.score.moments[-1 - min(len(self.score.moments) - 1, luck.choice((1, 1, 2, 3)))]
        self.bring(older.board)
        state = self.rest()
        self.counts["moved back, and it counts"] += state["position"] == plain.position_text(older)
        self.mend(luck)

    def move_forward(self, luck: Random) -> None:
        """Move turns back, and forward again: that counts as they did, or all of it stands wrong."""
        latest = self.now
        self.move_back(luck)
        if self.score.undone and not self.standing.over:
            self.bring(latest.board)
            state = self.rest()
            self.counts["moved forward, and it counts"] += state["position"] == plain.position_text(latest)
            self.mend(luck)

    def cut_power(self, luck: Random) -> None:
        """Let the power go, maybe with a piece in the hand, and come back: the same game goes on."""
        steps, paused = list(self.score.steps), self.standing.paused
        if luck.random() < 0.3 and self.table.places:
            self.lift(luck.choice(sorted(set(self.table.places))))
        self.do(power="off")
        self.do(wait=1.0)
        self.do(power="on")
        alike = min(len(steps), self.standing.ply)
        assert self.score.steps[:alike] == steps[:alike], "the game that goes on is another"
        assert self.standing.paused == paused, f"paused was {paused} before the power was cut"
        self.mend(luck)

    def fault(self, luck: Random, kind: str = "") -> None:
        """Break something for a while (one of FAULTS).

        Nothing may count for an undetected piece that hands did not do; a phantom piece can belong to a turn,
        and an empty board still counts as cleared.
        """
        steps, kind = list(self.score.steps), kind or luck.choice(FAULTS)
        cleared = not self.table.places
        if kind == "mux":
            self.do(fault={"mux": luck.randrange(2), "kind": "dead"})
        elif kind == "leds":
            self.do(fault={"leds": "unplugged"})
        else:
            self.do(fault={"point": luck.choice(SQUARES), "kind": kind})
        self.do(wait=luck.choice(PAUSES_S))
        self.do(repair=True)
        if kind == "mux":
            self._set_down_anew()
        self.mend(luck)
        if not cleared and kind not in ("stuck-on", "chatter", "wrong-pole", "mux"):
            assert self.score.steps[: len(steps)] == steps, f"{steps} became {self.score.steps}"

    def _set_down_anew(self) -> None:
        """Lift the pieces that are reported as wrong, and put them back.

        A silent converter says of all its squares what it said of one, and a level may come back so near to
        that of another stack that the reading holds until something is changed there.
        """
        self.do(wait=REST_S)
        state = self.show()
        for square in sorted({*state["missing"], *state["extra"], *state["wrong"]}):
            if self.truth[square]:
                piece = self.lift(square)
                self.do(wait=0.05)
                self.put(square, piece)

    def again(self, luck: Random) -> None:
        """Begin another game, with all pieces at their start: by the button, or by clearing the board."""
        if luck.random() < 0.5:
            self.do(do="new-game")
        else:
            self.clear(luck)
        if self.standing.over:
            return
        self.bring(plain.start("w").board)
        state = self.rest()
        assert state["status"] == "ready", state["status"]
