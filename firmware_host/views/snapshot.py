"""The board at one moment, as a value: for the page, the headless board and the status.

A snapshot names points, players and steps by their texts, in the order of the public interface.

Invariants: a snapshot never changes, and shares nothing that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player, Step, legal_turns
from firmware_host.games.layout import Layout
from firmware_host.play.controller import Controller
from firmware_host.play.faults import STOPPING_PART
from firmware_host.play.session import Session, shown_end
from firmware_host.play.sounds import SoundTracker
from firmware_host.ports import NOTHING, LedFrame
from firmware_host.tracking.verdict import InProgress, Mismatch, TakingBack, Undecided
from firmware_host.views.far import far_dict
from firmware_host.views.hints import NO_HINTS, hint_dict


@frozen
class Snapshot:
    """The state of a board that every front end shows."""

    rules: str
    position: str
    to_move: str
    status: str
    moves: tuple[str, ...]
    """The turns that may be done now, or the steps while a removal is due."""
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    wrong: tuple[str, ...]
    cues: Mapping[str, tuple[str, ...]]
    outcome: Mapping[str, str | None] | None
    masked: tuple[str, ...] = ()
    """The points whose sensor is masked."""
    confirm: tuple[str, ...] = ()
    """The turns that may have been done unnoticed by the sensors."""
    redo: tuple[str, ...] = ()
    """The turns that were taken back and can be redone, the next one first."""
    seats: Mapping[str, str] = field(default_factory=dict)
    """The players of both sides: `here`, or `engine:4`."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of both players; empty for one without."""
    thinking: bool = False
    """True while an engine has been thinking for long enough to be noticed."""
    far: Mapping[str, Any] | None = None
    """The status of the other board; None if none plays."""
    asking: Mapping[str, Any] | None = None
    """The question that is asked by light, its options by point, the one to confirm, and the seconds left."""
    clock: Mapping[str, Any] | None = None
    """The clocks of the players; None if there are none."""
    off: str | None = None
    """The stage on the way to switch the machine off, `counting` or `wanted`; None if it stays on."""
    wifi: str | None = None
    """The stage of the board's own Wi-Fi, `wanted` or `open`; None if it is closed."""
    hint: Mapping[str, str | None] = field(default_factory=lambda: dict(NO_HINTS))
    """The hints of both players, and the state of the present one (`now`)."""
    sound: Mapping[str, Any] = field(default_factory=dict)
    """The level, the parts that can play sounds, and the last one."""
    held: tuple[str, ...] = ()
    """The kinds of the pieces in the players' hands, where a simulation knows them."""
    leds: Mapping[str, str] = field(default_factory=dict)
    """The colours of the lit points, as `#rrggbb`."""

    def as_dict(self) -> dict[str, Any]:
        """Return the headless board's state object.

        It mentions masked sensors, turns to confirm or to redo, an ask and clocks only where there are any,
        the seats only where others than people at the board play, hints only while one is wanted, names only
        where somebody has one, and sounds only where something can play them.
        """
        masked = {"masked": list(self.masked)} if self.masked else {}
        confirm = {"confirm": list(self.confirm)} if self.masked or self.confirm else {}
        others = any(seat != "here" for seat in self.seats.values())
        seats = {"seats": dict(self.seats), "thinking": self.thinking} if others else {}
        return {
            "rules": self.rules,
            "position": self.position,
            "to_move": self.to_move,
            "status": self.status,
            "held": list(self.held),
            "moves": list(self.moves),
            "missing": list(self.missing),
            "extra": list(self.extra),
            "wrong": list(self.wrong),
            "cues": {point: list(cues) for point, cues in self.cues.items()},
            "leds": dict(self.leds),
            "outcome": self.outcome,
            **masked,
            **confirm,
            **({"redo": list(self.redo)} if self.redo else {}),
            **seats,
            **({} if self.far is None else {"far": dict(self.far)}),
            **({} if self.asking is None else {"asking": self.asking}),
            **({} if self.clock is None else {"clock": dict(self.clock)}),
            **({} if self.off is None else {"off": self.off}),
            **({} if self.wifi is None else {"wifi": self.wifi}),
            **({"hint": dict(self.hint)} if self.hint.get("now") else {}),
            **({"names": dict(self.names)} if any(self.names.values()) else {}),
            **({"sound": self._sounds} if self.sound.get("can") else {}),
        }

    @property
    def _sounds(self) -> dict[str, Any]:
        """The sounds without the last one, whose number depends on when the board was switched on."""
        return {key: value for key, value in self.sound.items() if key != "last"}


def take(
    controller: Controller, *, held: Iterable[str] = (), leds: Mapping[str, str] | None = None
) -> Snapshot:
    """Return the snapshot of a board now, with the `held` pieces and the lit `leds` that the caller knows."""
    session = controller.session
    status, outcome = public_status(controller), session.game.outcome
    verdict = session.verdict
    mismatch = verdict if isinstance(verdict, Mismatch) and status == "mismatch" else _NO_MISMATCH
    return Snapshot(
        rules=session.game.rules.describe(),
        position=str(session.game.position),
        to_move=str(session.game.position.to_move),
        status=status,
        moves=_moves(session),
        missing=_names(mismatch.missing),
        extra=_names(mismatch.extra),
        wrong=_names(mismatch.wrong),
        cues={
            point.name: tuple(sorted(map(str, cues)))
            for point, cues in sorted(controller.scene.cues.items(), key=lambda item: item[0].name)
        },
        outcome=None if outcome is None else outcome.as_dict(),
        masked=_names(session.masking.points),
        confirm=tuple(sorted(session.confirmable | session.overlooked)),
        redo=session.timeline.undone_turns,
        seats=session.seats.under(session.game.rules).as_dict(),
        names=session.sides.names.as_dict(),
        thinking=controller.engine_turns.is_thinking,
        far=far_dict(controller),
        asking=_asking(controller),
        clock=_clock(controller),
        off=controller.off.stage.value if controller.off.holds_game else None,
        wifi=controller.wifi.stage,
        hint=hint_dict(controller),
        sound=_sound(controller.sounds),
        held=tuple(held),
        leds={} if leds is None else leds,
    )


def lit_points(layout: Layout, frame: LedFrame) -> dict[str, str]:
    """Return the colours of the lit points as `#rrggbb`, sorted by name, and of the LEDs of the side bars."""
    points = zip(map(str, layout.points), frame, strict=False)
    bars = frame[len(layout) :]
    length = len(bars) // 2
    names = (f"{player}-bar-{number}" for player in Player for number in range(1, length + 1))
    lit = (*sorted(points), *zip(names, bars, strict=True))
    return {name: "#" + bytes(colour).hex() for name, colour in lit if any(colour)}


def top_pieces(session: Session) -> dict[str, str]:
    """Return the kind of the top piece on each occupied point, from sensors and game together.

    The sensors decide whether a point is occupied, except where they are masked. Where they can't tell the
    owner, the game does; a piece that the game doesn't expect is taken to be the moving player's.
    """
    game, sensor_model = session.game, session.sensor_model
    found: dict[str, str] = {}
    readings = session.frame or (NOTHING,) * len(game.rules.layout)
    for point, stack, reading in zip(game.rules.layout.points, game.position.stacks, readings, strict=True):
        piece = stack[-1] if stack else None
        if point.index in sensor_model.masked:
            kind = str(piece) if piece else None
        elif reading == NOTHING:
            kind = None
        elif piece and sensor_model.reading(stack, point.index) == reading:
            kind = str(piece)
        else:
            kind = str(sensor_model.visible(reading, game.rules.box) or game.position.to_move)
        if kind:
            found[point.name] = kind
    return dict(sorted(found.items()))


def taken(game: Game) -> list[str]:
    """Return the points from which the last turn took pieces off the board."""
    steps = game.steps[game.last_turn :]
    return sorted(str(step.origin) for step in steps if step.origin is not None and step.target is None)


_NO_MISMATCH = Mismatch(frozenset(), frozenset(), frozenset())


def public_status(controller: Controller) -> str:
    """Return the first of the public statuses that applies."""
    session = controller.session
    verdict = session.verdict
    checks = {
        "fault": STOPPING_PART in controller.faults,
        "over": shown_end(session) is not None,
        "paused": session.paused,
        "asking": controller.asks.holds_game,
        "clear": session.must_clear,
        "mismatch": isinstance(verdict, Mismatch),
        "undecided": isinstance(verdict, Undecided),
        "taking-back": isinstance(verdict, TakingBack),
        "lifted": isinstance(verdict, InProgress) and bool(verdict.points),
        "remove": session.game.position.removal_due,
    }
    return next((status for status, applies in checks.items() if applies), "ready")


def _asking(controller: Controller) -> dict[str, Any] | None:
    """Return the public form of the ask that is open; None if none is."""
    asking = controller.asks.asking
    if asking is None:
        return None
    lit = sorted((point.name, option.does) for point, option in asking.lit.items())
    return {
        "question": asking.question,
        "options": dict(lit),
        "sure": None if asking.sure is None else asking.sure.name,
        "seconds": round(max(0, asking.until - controller.now) / 1_000_000, 1),
    }


def _clock(controller: Controller) -> dict[str, Any] | None:
    """Return the public form of the clocks now; None if there are none.

    It names the time control, the seconds left of each player (None for one without a clock), the player
    whose time runs, the one whose time is up, whether that loses the game, and the LEDs of each side bar.
    """
    reading = controller.clocks.read(controller.now)
    if reading is None:
        return None
    left = (reading.left.get(player) for player in Player)
    white_s, black_s = (None if time is None else round(time / 1_000_000, 1) for time in left)
    return {
        "control": str(reading.controls),
        "white_s": white_s,
        "black_s": black_s,
        "running": None if reading.running is None else str(reading.running),
        "flag": None if reading.flag is None else str(reading.flag),
        "strict": reading.is_strict,
        "bar_leds": controller.clocks.bar_leds,
    }


def _sound(sounds: SoundTracker) -> dict[str, Any]:
    """Return the public form of the sounds; `last` is new if its number is."""
    known = {"level": sounds.level, "can": list(sounds.parts)}
    if (last := sounds.last) is None:
        return {**known, "last": None}
    sound = {"number": last.number, "what": str(last.cue), "by": last.played_by, "soft": last.is_soft}
    return {**known, "last": sound}


def _moves(session: Session) -> tuple[str, ...]:
    game, verdict = session.game, session.verdict
    if game.outcome is not None:
        return ()
    if isinstance(verdict, InProgress) and verdict.fits:
        turns = [steps for fit in verdict.fits for steps in fit.whole_turns()]
    elif session.reconciler.is_bound:
        turns = []
    elif session.chosen is not None:
        turns = [session.chosen]
    else:
        turns = [turn.steps for turn in legal_turns(game.position)]
    return tuple(sorted({_move_text(game, steps) for steps in turns}))


def _move_text(game: Game, steps: tuple[Step, ...]) -> str:
    first, *others = steps
    if game.position.removal_due and first.target is None:
        return first.text
    # The opponent's next turn begins with declining the removal, which its text leaves out.
    declines = first.origin is None and first.target is None
    return game.rules.turn_text(tuple(others) if declines and others else steps)


def _names(points: frozenset[Any]) -> tuple[str, ...]:
    return tuple(sorted(map(str, points)))
