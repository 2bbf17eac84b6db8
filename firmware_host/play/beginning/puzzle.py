"""The puzzles on the board: set up by light, solved by hand.

A puzzle is a game that begins in its position. The right turn counts as in any game, and play may go on from
there. Any other turn is taken back by the board, whose light leads the pieces home, and after three of
those it leads to the right one.

Invariants: a puzzle ends with its game, and with a power cut. The next one is kept.
"""

from __future__ import annotations

from firmware_host.games.morris.puzzles import Puzzle, puzzles
from firmware_host.games.rulesets import PUZZLE, rule_set
from firmware_host.i18n import Message
from firmware_host.play.controls import GameControls
from firmware_host.play.session import Session, lead_pieces
from firmware_host.tracking.verdict import Mismatch, Settled

TRIES = 3
"""The wrong turns after which the light shows the right one."""


class PuzzleSeries:
    """The puzzles of one board, one after the other: the one that is on, and the next."""

    def __init__(self, session: Session, controls: GameControls) -> None:
        self._session = session
        self._controls = controls
        self._next = 0
        self._on: tuple[int, Puzzle] | None = None
        self._start: object = None
        self._wrong: list[str] = []

    @property
    def kept(self) -> int | None:
        """The index of the next puzzle, to be saved; None for the first."""
        return self._next or None

    def go_on_from(self, kept: object) -> None:
        """Continue with the puzzle that was `kept`; with the first if that is damaged."""
        self._next = kept if isinstance(kept, int) and kept >= 0 else 0

    @property
    def is_solved(self) -> bool:
        """True from the right turn on, as long as its game lasts."""
        return self._on is not None and self._session.game.turn_texts()[:1] == (self._on[1].turn,)

    def begin(self) -> None:
        """Leave the game for the next puzzle; one that isn't solved is passed over.

        Raises RequestError if the board can't play it.
        """
        session = self._session
        skips = self._on is not None and not self.is_solved
        number = (self._next + skips) % len(puzzles())
        puzzle, rules = puzzles()[number], rule_set(PUZZLE)
        self._controls.new_game(rules, at=rules.position(puzzle.position))
        self._next, self._on, self._wrong = number, (number, puzzle), []
        self._start = session.game.positions[0]

    def lead(self) -> None:
        """Take back a wrong turn, go on to the next puzzle after the right one, and end with the game."""
        if self._on is None:
            return
        session, (number, puzzle) = self._session, self._on
        game = session.game
        if game.positions[0] is not self._start:
            self._on = None
        elif self.is_solved:
            self._next = number + 1
        elif game.ply and not game.mid_turn:
            self._wrong.append(game.turn_texts()[0])
            session.timeline.go_back(0, forgets=True)
            lead_pieces(session)
        elif len(self._wrong) >= TRIES and session.verdict == Settled() and session.chosen is None:
            self._controls.choose(puzzle.turn)

    def sentence(self) -> Message | None:
        """Return the task, or how it went; None where the board's own sentence is enough."""
        session = self._session
        is_over = session.game.outcome is not None and not self.is_solved
        if self._on is None or is_over or session.must_clear or session.paused:
            return None
        number, puzzle = self._on
        if self._wrong and not session.game.ply and isinstance(session.verdict, Mismatch):
            return Message(f"puzzle.wrong.{puzzle.result}", {"turn": self._wrong[-1]})
        stands = session.stable == session.expected_frame()
        if session.verdict != Settled() or session.game.mid_turn or not stands:
            return None
        if session.game.ply:
            is_last = self.is_solved and len(session.game.turn_texts()) == 1
            return Message(f"puzzle.right.{puzzle.motif}") if is_last else None
        if len(self._wrong) >= TRIES:
            return Message("puzzle.shown", {"turn": puzzle.turn})
        return Message(f"puzzle.{puzzle.result}", {"count": number + 1, "of": len(puzzles())})
