"""A whole game by somebody who hears the board, and keeps the position in mind from what it reports."""

from __future__ import annotations

from random import Random

from firmware_host.games.game import Game, Player, Step, legal_turns
from firmware_host.games.rulesets import rule_set
from tests.support.speech.listener import Understood
from tests.support.speech.player import BlindPlayer

_MIND_S = 2.0


class PlayerOfBothSides:
    """Both players of one game, whose mind holds the game as the board reports it."""

    def __init__(self, language: str, rules: str, seed: int = 1) -> None:
        self.hands = BlindPlayer(language, rules, seed=seed)
        self.listener = self.hands.listener
        self._random = Random(seed)
        self.mind = Game.begin(rule_set(rules), rule_set(rules).start(Player.WHITE))
        self.winner: str | None = None
        """The winner, once the board has said who it is."""
        self.heard_back = False

    # ---- what is heard ---------------------------------------------------------------------------------

    def listen(self) -> list[Understood]:
        """Take in the new sentences, and return it."""
        heard = self.hands.hear()
        for one in heard:
            if one.key.startswith("speech.turn."):
                for step in self.listener.steps(one.slots["turn"]):
                    self.mind = self.mind.play(self._step(step))
            elif one.key == "speech.back":
                self.mind = self.mind.back_to(self.mind.last_turn)
                self.heard_back = True
            elif one.key.startswith("over."):
                self.winner = one.key.removeprefix("over.")
        return heard

    def _step(self, heard: Understood) -> Step:
        """Return the legal step of the game in mind that was heard."""
        steps = self.mind.position.legal_steps()
        if heard.key == "speech.declines":
            return next(step for step in steps if not (step.origin or step.target))
        (point,) = heard.points()
        origin = heard.slots.get("origin")
        if heard.key == "speech.takes":
            origin, target = point, None
        else:
            target = point
        kind = None
        if "piece" in heard.slots:
            (kind,) = self.listener.kinds(heard.slots["piece"])
        found = [
            step
            for step in steps
            if (step.origin.name if step.origin else None, step.target.name if step.target else None)
            == (origin, target)
            and (kind is None or str(step.piece) == kind)
        ]
        assert len(found) == 1, (heard, [step.text for step in found])
        return found[0]

    # ---- what is done ----------------------------------------------------------------------------------

    def play_turn(self) -> None:
        """Play a turn of the game in mind: one that takes a piece if there is one."""
        turns = [turn.steps for turn in legal_turns(self.mind.position)]
        best = max(sum(step.target is None for step in steps) for steps in turns)
        chosen = self._random.choice(
            sorted(
                (steps for steps in turns if sum(step.target is None for step in steps) == best),
                key=lambda steps: [step.text for step in steps],
            )
        )
        before = self.mind
        for step in chosen:
            self._carry_out(step)
            self.hands.wait(_MIND_S)
        self.listen()
        assert self.mind.steps == (*before.steps, *chosen), "the board has reported another turn"

    def _carry_out(self, step: Step) -> None:
        if step.origin is not None and step.target is not None:
            assert self.hands.move(step.origin.name, step.target.name)
        elif step.target is not None:
            assert self.hands.put(step.target.name, str(step.piece))
        elif step.origin is not None:
            assert self.hands.box(step.origin.name)

    def err(self) -> None:
        """Put a piece of the other player on a free point, and do what the board says then."""
        free = [point.name for point in self.mind.rules.layout.points if not self._pile(point.index)]
        wrong = str(self.mind.position.to_move.other)
        kind = f"{wrong}-ring" if self.mind.rules.name == "mitsudomoe" else wrong
        if not self.hands.put(self._random.choice(free), kind):
            return
        self.hands.follow_until_it_matches()
        assert self.hands.matches
        self.listen()

    def _pile(self, index: int) -> tuple[object, ...]:
        return self.mind.position.stacks[index]

    # ---- the menu --------------------------------------------------------------------------------------

    def choose(self, *names: str) -> list[Understood]:
        """Open the menu by the button, and touch the points of the options that are called this."""
        self.listen()
        self.hands.do({"press": "button"})
        self.hands.wait(0.5)
        heard = self.listen()
        assert "speech.asking" in [one.key for one in heard]
        choices = self._choices(heard, {})
        for name in names:
            self._touch(choices[name])
            self.hands.wait(0.8)
            heard = self.listen()
            choices = self._choices(heard, choices)
        return heard

    def confirm(self, heard: list[Understood]) -> None:
        """Touch the point again that was asked for."""
        (sure,) = [one for one in heard if one.key == "asking.sure"]
        self._touch(sure.points()[0])
        self.hands.wait(1)
        self.listen()

    def leave(self) -> None:
        """Close the menu by the button."""
        self.hands.do({"press": "button"})
        self.hands.wait(0.5)
        self.listen()

    @staticmethod
    def _choices(heard: list[Understood], known: dict[str, str]) -> dict[str, str]:
        found = {one.slots["what"]: one.points()[0] for one in heard if one.key == "speech.choice"}
        return found or known

    def _touch(self, point: str) -> None:
        """Touch a point briefly: lift what stands there, or set down a piece of the box or of the board."""
        index = self.mind.rules.layout.by_name[point].index
        if self._pile(index):
            kind = self.hands.lift(point)
            self.hands.wait(0.6)
            assert kind is not None
            assert self.hands.put(point, kind)
            return
        kinds = [str(piece) for piece in self.mind.rules.box if not piece.magnet]
        if not any(self._tap(point, kind) for kind in kinds):
            self._tap_with_a_piece_of_the_board(point)

    def _tap(self, point: str, kind: str) -> bool:
        if not self.hands.put(point, kind):
            return False
        self.hands.wait(0.3)
        return self.hands.box(point)

    def _tap_with_a_piece_of_the_board(self, point: str) -> None:
        points = self.mind.rules.layout.points
        origin = next(other.name for other in points if self._pile(other.index))
        kind = self.hands.lift(origin)
        assert kind is not None
        self.hands.wait(0.5)
        assert self.hands.put(point, kind)
        self.hands.wait(0.3)
        self.hands.lift(point)
        self.hands.wait(0.3)
        assert self.hands.put(origin, kind)
