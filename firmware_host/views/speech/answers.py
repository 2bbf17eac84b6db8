"""The answers to what people ask a board: whose turn it is, what stands where, and how much time is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from firmware_host.games.drawn import beneath
from firmware_host.games.game import Player
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message
from firmware_host.play.asking.places import PLACES, places
from firmware_host.play.controller import Controller
from firmware_host.play.sound.speech import POINT, SAMPLE, SpokenQuestion
from firmware_host.views.reasons import stack_name
from firmware_host.views.snapshot import top_pieces
from firmware_host.views.speech.wording import choice, game_prompts, listed, minutes, seconds, turn_words

_SECOND = 1_000_000


def answer(controller: Controller, question: SpokenQuestion) -> tuple[Message, ...]:
    """Return the sentences that answer a question."""
    if question.what == POINT and question.point is not None:
        return tuple(_point(controller, question.point))
    return tuple(_ANSWERS[question.what](controller))


def report(controller: Controller) -> Iterator[Message]:
    """Yield the last turn of the game."""
    game = controller.accepted
    if not game.ply:
        yield Message("speech.no-turn")
        return
    player, turn = game.positions[game.last_turn].to_move, turn_words(game.steps[game.last_turn :])
    yield Message(f"speech.turn.{player}", {"turn": turn})


def _board(controller: Controller) -> Iterator[Message]:
    """Yield what stands on each area of the board, the outer one first."""
    piles = _piles(controller)
    for area, points in _areas(controller.session.game.rules.layout):
        standing = {
            pile: tuple(point.name for point in points if piles.get(point) == pile)
            for pile in dict.fromkeys(piles[point] for point in points if point in piles)
        }
        stacks = [
            Message("lay-out.stack", {"points": names, "piece": stack_name(pile)})
            for pile, names in standing.items()
        ]
        yield Message(f"speech.area.{area}", {"what": listed(stacks) if stacks else Message("point.empty")})


def _areas(layout: Layout) -> Iterator[tuple[str, Sequence[Point]]]:
    """Yield the areas of a board, with their points: where pieces are called rings, no area is."""
    at = places(layout)
    rings = {
        ring: [at[place] for place in PLACES if place.startswith(ring)]
        for ring in ("outer", "middle", "inner")
    }
    centre = [point for point in layout.points if point not in at.values()]
    if not centre:
        yield from rings.items()
        return
    outer, middle, inner = rings.values()
    yield "border", sorted((*outer, *middle), key=lambda point: point.index)
    yield "inside", inner
    yield "centre", centre


def _piles(controller: Controller) -> Mapping[Point, tuple[str, ...]]:
    """Return what stands on each point that is not empty, the lowest piece first."""
    session = controller.session
    layout, tops = session.game.rules.layout, top_pieces(session)
    lower = beneath(session.game.position, layout, tops)
    return {layout.by_name[name]: (*lower.get(name, ()), top) for name, top in tops.items()}


def _point(controller: Controller, point: Point) -> Iterator[Message]:
    pile = _piles(controller).get(point)
    what = Message("point.empty") if pile is None else stack_name(pile)
    yield Message("speech.choice", {"points": (point.name,), "what": what})
    asking = controller.asks.asking
    if asking is not None and point in asking.lit:
        yield choice(point, asking)


def _counts(controller: Controller) -> Iterator[Message]:
    position = controller.session.game.position
    for player in Player:
        standing = sum(piece.owner is player for stack in position.stacks for piece in stack)
        slots = {"count": position.in_hand(player), "number": standing}
        yield Message(f"speech.counts.{player}", slots)


def _clock(controller: Controller) -> Iterator[Message]:
    reading = controller.clocks.read(controller.now)
    if reading is None:
        yield Message("speech.no-clock")
        return
    for player, left in reading.left.items():
        yield time_left(player, left // _SECOND)


def time_left(player: Player, left_s: int) -> Message:
    """Return the time that a player has left, of whole seconds."""
    if left_s < 60:
        return Message(f"speech.seconds-left.{player}", {"seconds": seconds(left_s)})
    slots = {"minutes": minutes(left_s // 60), "seconds": seconds(left_s % 60)}
    return Message(f"speech.time.{player}", slots)


def _sample(controller: Controller) -> Iterator[Message]:
    speech = controller.speech.level
    yield Message("speech.sample", {"what": Message(f"speech-level.{speech}")})


_ANSWERS: Mapping[str, Callable[[Controller], Iterator[Message]]] = {
    "turn": lambda controller: iter(game_prompts(controller)),
    "last": report,
    "board": _board,
    "counts": _counts,
    "clock": _clock,
    SAMPLE: _sample,
}
