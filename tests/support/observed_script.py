"""Scripts of hands as observations and explanations, for tests of what each of these promises by itself.

The words are those of `tests.support.scripted_board`.
"""

from __future__ import annotations

from firmware_host.games.game import Game, Player
from firmware_host.games.layout import MORRIS
from firmware_host.games.morris.notation import parse_turn
from firmware_host.games.rulesets import rule_set
from firmware_host.ports import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE, Frame, Reading, SensorKind
from firmware_host.settings import Timing
from firmware_host.tracking.dwell import Dwell
from firmware_host.tracking.explanation import Explanation
from firmware_host.tracking.moves import Moves, Permission
from firmware_host.tracking.observation import Observation
from firmware_host.tracking.search import Search
from firmware_host.tracking.sensor_model import SensorModel
from firmware_host.tracking.weighing import BoardEvidence

PIECES = {"+": WHITE_PIECE, "@": BLACK_PIECE, "-": NOTHING}


def game_of(turns: str, rules: str = "standard", *switches: str) -> Game:
    """Return the game of these turns, begun by White."""
    set_of_rules = rule_set(rules, switches)
    game = Game.begin(set_of_rules, set_of_rules.start(Player.WHITE))
    for turn in turns.split():
        for step in parse_turn(turn):
            game = game.play(game.position.legal_step(step.text))
    return game


class ObservedScript:
    """A game, and the observation of what a script of hands does after it."""

    def __init__(
        self,
        game: Game,
        script: str,
        kind: SensorKind = SensorKind.PRESENCE,
        masked: frozenset[int] = frozenset(),
    ) -> None:
        """Watch the whole script, which begins one second after the game."""
        self.game = game
        self.sensors = SensorModel(kind, masked)
        self.own = self.sensors.expected(game.position)
        self.seen = Observation(len(game.rules.layout))
        self.seen.note(self.own, self.own, 0)
        self.now = 1_000_000
        for word in script.split():
            self._do(word)

    def _do(self, word: str) -> None:
        if word.isdigit():
            self.now += int(word) * 1000
            return
        frame = list(self.seen.frame)
        piece = PIECES[word[0]]
        frame[MORRIS[word[1:]].index] = self._visible(piece)
        self.seen.note(tuple(frame), self.own, self.now)

    def _visible(self, piece: Reading) -> Reading:
        presence = self.sensors.alphabet is SensorKind.PRESENCE
        return SOMETHING if presence and piece else piece

    def explanations(self, removed: dict[int, int] | None = None) -> list[Explanation]:
        """Return all explanations, from the last turn on."""
        self.seen.removed = removed or {}
        evidence = BoardEvidence(self.sensors, self.own, self.seen, Dwell(Timing()), has_objected=False)
        search = Search(Moves(self.sensors), evidence)
        return search.explain(self.game, self.game.last_turn, Permission())


def texts(explanation: Explanation) -> str:
    """Return the steps of an explanation as a text."""
    return " ".join(step.text for step in explanation.steps)


def frame_with(**pieces: Reading) -> Frame:
    """Return a frame of the mill board with these readings, and nothing elsewhere."""
    frame = [NOTHING] * len(MORRIS)
    for name, reading in pieces.items():
        frame[MORRIS[name].index] = reading
    return tuple(frame)
