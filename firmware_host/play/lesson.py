"""The first game without a screen: the lesson of the page, led by the board's own lights.

Each turn is chosen for the learner, White's and Black's alike, so that light leads hands to it and nothing
else counts. The page says the same in words, and so does the card.

Invariants: it waits for hands only, and follows them back where they take turns back. It ends with its game,
with another one, and with a turn that is none of its own. A power cut ends it, as that of the page.
"""

from __future__ import annotations

from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.games.rulesets import LESSON, rule_set
from firmware_host.i18n import Message
from firmware_host.play.controls import GameControls
from firmware_host.play.part import PlayPart
from firmware_host.play.session import Session
from firmware_host.settings import Microseconds
from firmware_host.tracking.verdict import Mismatch, Settled


@frozen
class LessonTurn:
    """A turn of the lesson, with the text about it."""

    turn: str
    says: Message
    repair: Message | None = None
    """The text after a mistake that the learner is asked to make; None if none is wanted."""


def _places(point: str) -> LessonTurn:
    return LessonTurn(point, Message("lesson.black-places", {"points": (point,)}))


COURSE = (
    LessonTurn("d7", Message("lesson.place", {"points": ("d7",)})),
    _places("d2"),
    LessonTurn("a7", Message("lesson.three", {"points": ("a7",)})),
    _places("f2"),
    LessonTurn("g7xd2", Message("lesson.close", {"points": ("g7",)})),
    _places("b2"),
    LessonTurn("d2", Message("lesson.block", {"points": ("d2",)})),
    _places("e4"),
    LessonTurn(
        "g7-g4",
        Message("lesson.mistake", {"from": ("g7",), "points": ("c4",)}),
        Message("lesson.repair", {"points": ("g4",)}),
    ),
    LessonTurn("e4-c3", Message("lesson.fly", {"from": ("e4",), "points": ("c3",)})),
    LessonTurn("g4-g7xc3", Message("lesson.again", {"from": ("g4",), "points": ("g7",)})),
)
"""The turns of the lesson, which the page plays as well."""


class Lesson(PlayPart):
    """The lesson of one board: begun on request, and led from frame to frame while it lasts."""

    def __init__(self, session: Session, controls: GameControls) -> None:
        self._session = session
        self._controls = controls
        self._start: object = None
        self._mistaken_at = -1

    @property
    def is_on(self) -> bool:
        """True while the game is the lesson, and no other turn was played in it."""
        return self._start is not None

    def begin_lesson(self) -> None:
        """Leave the game for the lesson."""
        session = self._session
        self._controls.new_game(rule_set(LESSON))
        self._start = session.game.positions[0]
        self._mistaken_at = -1

    def on_frame(self, _now: Microseconds) -> None:
        """Choose the turn that is due, or end if another game or turn is played."""
        if self._start is None:
            return
        session = self._session
        at = self._done
        if at is None or session.game.positions[0] is not self._start:
            self._start = None
            return
        if session.game.outcome is not None or session.must_clear or session.paused:
            return
        if COURSE[at].repair and isinstance(session.verdict, Mismatch):
            self._mistaken_at = at
        is_at_rest = session.verdict == Settled()
        if is_at_rest and session.chosen is None and not session.game.mid_turn:
            self._controls.choose(COURSE[at].turn)

    def sentence(self) -> Message | None:
        """Return the text for the learner; None where the board's own sentence is enough."""
        at = self._done
        if not self.is_on or at is None or self._session.must_clear or self._session.paused:
            return None
        if at >= len(COURSE) or self._session.game.outcome is not None:
            return Message("lesson.end") if at >= len(COURSE) else None
        turn = COURSE[at]
        if turn.repair and self._mistaken_at == at:
            return turn.repair
        if self._session.verdict != Settled():
            return None
        return Message("lesson.remove") if self._session.game.mid_turn else turn.says

    @property
    def _done(self) -> int | None:
        """The number of turns of the course that were played; None if another one was."""
        return turns_done(self._session.game)


def turns_done(game: Game) -> int | None:
    """Return how many turns of the course a game has whole; None if it has another."""
    turns = game.turn_texts()
    whole = turns[:-1] if game.mid_turn else turns
    if any(text != turn.turn for text, turn in zip(whole, COURSE, strict=False)) or len(whole) > len(COURSE):
        return None
    is_own = not game.mid_turn or COURSE[len(whole)].turn.startswith(turns[-1])
    return len(whole) if is_own else None
