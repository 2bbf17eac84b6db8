"""The replaying of turns by the rules of this program.

Invariants: a turn is exactly one whole turn, legal where it stands, and written as the rules write it. Turns
that were replayed before cost nothing again.
"""

from __future__ import annotations

from itertools import takewhile

from firmware_host.errors import FarError, IllegalStepError, NotationError
from firmware_host.far.record import SeatRecord
from firmware_host.games.game import Game, Player, Rules
from firmware_host.games.rulesets import parse_rules
from firmware_host.i18n import Message


def begun(rules: Rules) -> Game:
    """Return a game of two boards before its first turn."""
    return Game.begin(rules, rules.start(rules.first or Player.WHITE))


def with_turn(before: Game, turn: str) -> Game:
    """Return a game after one more turn; raise FarError if that isn't legal."""
    game = before
    try:
        for step in game.rules.parse_turn(turn):
            game = game.play(game.position.legal_step(step.text))
    except (NotationError, IllegalStepError) as error:
        raise FarError(Message("link.illegal", {"turn": turn})) from error
    is_one = len(game.turn_starts) == len(before.turn_starts) + 1 and not game.mid_turn
    if not is_one or game.turn_texts()[-1] != turn:
        raise FarError(Message("link.illegal", {"turn": turn}))
    return game


def common_turns(some: tuple[str, ...], others: tuple[str, ...]) -> int:
    """Return the number of turns with which both begin."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def replayed(record: SeatRecord, before: tuple[SeatRecord, Game] | None = None) -> Game:
    """Return the game of a record, with its end; raise FarError if the rules don't allow it.

    `before` is a record with its game, whose turns need not be replayed if this one begins with them.
    """
    game = _known_part(record, *before) if before is not None else None
    if game is None:
        try:
            game = begun(parse_rules(record.rules))
        except NotationError as error:
            raise FarError(f"the record's rules can't be played here: {error}") from error
    known = len(game.turn_starts) - 1
    for number, turn in enumerate(record.turns[known:], start=known + 1):
        if game.position.outcome is not None:
            raise FarError(f"the record goes on with turn {number}, {turn}, although the game was over")
        try:
            game = with_turn(game, turn)
        except FarError as error:
            raise FarError(f"turn {number} of the record, {turn}, isn't legal") from error
    if record.declared is None or game.position.outcome is not None:
        return game
    return game.declare(record.declared)


def _known_part(record: SeatRecord, before: SeatRecord, game: Game) -> Game | None:
    """Return the game up to the last turn that both records have; None if they have other rules."""
    if record.rules != before.rules:
        return None
    return game.back_to(game.turn_starts[common_turns(record.turns, before.turns)])
