"""The board at one moment as a value that others may keep: for the page, the headless board, a log.

Rules kept here: a snapshot never changes and shares nothing that does; texts and sorting are those of the
public interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host.games.game import Game, Position, Step, legal_turns
from firmware_host.games.layout import Layout
from firmware_host.play.controller import STOPPING, Controller
from firmware_host.play.session import Session
from firmware_host.ports import NOTHING, LedFrame
from firmware_host.tracking.verdict import Lifted, Mismatch


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What can be seen of a board; points, players and steps are their texts."""

    rules: str
    position: str
    to_move: str
    status: str
    moves: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    wrong: tuple[str, ...]
    cues: dict[str, tuple[str, ...]]
    outcome: dict[str, str | None] | None
    masked: tuple[str, ...] = ()
    confirm: tuple[str, ...] = ()

    def as_dict(self, *, held: list[str], leds: dict[str, str]) -> dict[str, Any]:
        """The public form; `held` is what is in the hands, `leds` the lit points with their colours.

        Of masked sensors and what is to be confirmed it speaks only where there are any.
        """
        masked = {"masked": list(self.masked)} if self.masked else {}
        confirm = {"confirm": list(self.confirm)} if self.masked or self.confirm else {}
        return {
            "rules": self.rules,
            "position": self.position,
            "to_move": self.to_move,
            "status": self.status,
            "held": held,
            "moves": list(self.moves),
            "missing": list(self.missing),
            "extra": list(self.extra),
            "wrong": list(self.wrong),
            "cues": {point: list(cues) for point, cues in self.cues.items()},
            "leds": leds,
            "outcome": self.outcome,
            **masked,
            **confirm,
        }


def shining(layout: Layout, frame: LedFrame) -> dict[str, str]:
    """The points that shine with their colours, as `#rrggbb`, sorted by name."""
    lit = zip(layout.points, frame, strict=True)
    return dict(sorted((point.name, "#" + bytes(colour).hex()) for point, colour in lit if any(colour)))


def standing(session: Session) -> dict[str, str]:
    """What stands where, as sensors and game know it together: the kind of each piece that is felt, by point.

    Whose piece it is, the sensors say, or else the game; what the game knows nothing of is taken to be of who
    is to move. A sensor that is masked has the game speak for it.
    """
    game, sight = session.game, session.sight
    found: dict[str, str] = {}
    readings = session.frame or (NOTHING,) * len(game.rules.layout)
    for point, stack, reading in zip(game.rules.layout.points, game.position.stacks, readings, strict=True):
        piece = stack[-1] if stack else None
        if point.index in sight.masked:
            kind = str(piece) if piece else None
        elif reading == NOTHING:
            kind = None
        elif piece and sight.reading(stack, point.index) == reading:
            kind = str(piece)
        else:
            kind = str(sight.visible(reading, game.rules.box) or game.position.to_move)
        if kind:
            found[point.name] = kind
    return dict(sorted(found.items()))


def beneath(
    position: Position, layout: Layout, felt: Mapping[str, str] | None = None
) -> dict[str, list[str]]:
    """What lies under the uppermost pieces, the lowest first: the kinds, by point, where there are any.

    Where hands have changed what is `felt`, uppermost by point, the position does not say it.
    """
    return {
        point.name: [str(piece) for piece in stack[:-1]]
        for point, stack in zip(layout.points, position.stacks, strict=True)
        if len(stack) > 1 and (felt is None or felt.get(point.name) == str(stack[-1]))
    }


def taken(game: Game) -> list[str]:
    """The points from which the last turn took pieces off the board."""
    steps = game.steps[game.last_turn :]
    return sorted(str(step.origin) for step in steps if step.origin is not None and step.target is None)


def take(controller: Controller) -> Snapshot:
    """The snapshot of a board now."""
    session = controller.session
    status, outcome = _status(controller), session.game.outcome
    verdict = session.verdict
    wrong = verdict if isinstance(verdict, Mismatch) and status == "mismatch" else _NO_MISMATCH
    return Snapshot(
        rules=session.game.rules.describe(),
        position=str(session.game.position),
        to_move=str(session.game.position.to_move),
        status=status,
        moves=_moves(session),
        missing=_names(wrong.missing),
        extra=_names(wrong.extra),
        wrong=_names(wrong.wrong),
        cues={
            point.name: tuple(sorted(map(str, cues)))
            for point, cues in sorted(controller.scene.cues.items(), key=lambda item: item[0].name)
        },
        outcome=None if outcome is None else outcome.as_dict(),
        masked=_names(session.masked),
        confirm=tuple(sorted(session.confirmable | session.overlooked)),
    )


_NO_MISMATCH = Mismatch(frozenset(), frozenset(), frozenset())


def _status(controller: Controller) -> str:
    """The first of the public statuses that applies."""
    session = controller.session
    verdict = session.verdict
    checks = {
        "fault": STOPPING in controller.faults,
        "over": session.game.outcome is not None,
        "paused": session.paused,
        "clear": session.must_clear,
        "mismatch": isinstance(verdict, Mismatch),
        "lifted": isinstance(verdict, Lifted) and bool(verdict.points),
        "remove": session.game.position.removal_due,
    }
    return next((status for status, applies in checks.items() if applies), "ready")


def _moves(session: Session) -> tuple[str, ...]:
    """What may be done now, as texts: whole turns, or steps while a removal is due."""
    game, verdict = session.game, session.verdict
    if game.outcome is not None:
        return ()
    if isinstance(verdict, Lifted) and verdict.fits:
        turns = [fit.turn.steps for fit in verdict.fits]
    elif session.chosen is not None:
        turns = [session.chosen]
    else:
        turns = [turn.steps for turn in legal_turns(game.position)]
    return tuple(sorted({_move_text(game, steps) for steps in turns}))


def _move_text(game: Game, steps: tuple[Step, ...]) -> str:
    first, *others = steps
    if game.position.removal_due and first.target is None:
        return first.text
    declined = first.origin is None and first.target is None
    return game.rules.turn_text(tuple(others) if declined and others else steps)


def _names(points: frozenset[Any]) -> tuple[str, ...]:
    return tuple(sorted(map(str, points)))
