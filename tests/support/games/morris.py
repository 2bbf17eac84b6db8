"""Hypothesis strategies: rules of all kinds, and positions that play or a text can lead to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from random import Random

from hypothesis import strategies as st

from firmware_host.games.game import Game, Player
from firmware_host.games.morris.bitboard import bits, point
from firmware_host.games.morris.position import MorrisPosition, MorrisRules
from firmware_host.games.options import MorrisOptions
from firmware_host.games.rulesets import DEFAULT, MILL_SETS, rule_set

SETTINGS = {
    switch.name: [
        f"{switch.name}={('no', 'yes')[value] if isinstance(value, bool) else value}"
        for value in switch.metadata["values"]
    ]
    for switch in fields(MorrisOptions)
}
"""Every setting of every option."""


def fit(settings: list[str]) -> list[str]:
    """The settings, with as many pieces as fit the outer points, or as a handicap leaves enough of."""
    has_odds = any(one.startswith("odds=") and one != "odds=even" for one in settings)
    return [*settings, "pieces=6"] if has_odds or "points=outer" in settings else settings


def any_settings() -> st.SearchStrategy[list[str]]:
    some = st.lists(st.sampled_from([one for values in SETTINGS.values() for one in values]), max_size=6)
    return some.map(fit)


def any_rules() -> st.SearchStrategy[MorrisRules]:
    """Return a named rule set, or one with options changed."""
    named = st.sampled_from(sorted(MILL_SETS)).map(rule_set)
    freely = st.sampled_from(sorted(set(MILL_SETS) - {"six"}))
    return named | st.builds(rule_set, freely, any_settings())


luck = st.integers(0, 2**32 - 1).map(Random)
lengths = st.integers(0, 150)


def played(position: MorrisPosition, luck: Random, length: int) -> Game:
    """Return a game of at most `length` steps whose players close mills when they see it."""
    game = Game.begin(position.rules, position)
    while game.outcome is None and game.ply < length:
        steps = game.position.legal_steps()
        seen = luck.sample(steps, min(5, len(steps)))
        closing = [step for step in seen if game.position.play(step).closed != game.position.closed]
        game = game.play((closing or seen)[0])
    return game


@st.composite
def set_ups(draw: st.DrawFn, rules: st.SearchStrategy[MorrisRules] | None = None) -> MorrisPosition:
    """Draw a position of few or many pieces, mostly with none in hand, that a text can describe."""
    chosen_rules = draw(rules or any_rules())
    most = [chosen_rules.options.pieces_of(side) for side in (0, 1)]
    white, black = (draw(st.integers(3, pieces) | st.just(3)) for pieces in most)
    hands = draw(st.sampled_from([(0, 0), (0, 0), (0, 0), (1, 1), (0, 1), (2, 0)]))
    places = draw(st.permutations([point(one).index for one in bits(chosen_rules.mechanics.graph.usable)]))
    white_points, black_points = places[:white], places[white : white + black]
    side = draw(st.sampled_from("wb"))
    in_hand = min(hands[0], most[0] - white), min(hands[1], most[1] - black)
    quiet = draw(st.sampled_from([0, 0, 7, 98]))
    return set_up(chosen_rules, white_points, black_points, side, in_hand, quiet)


def set_up(
    rules: MorrisRules, white: list[int], black: list[int], side: str, hands: tuple[int, int], quiet: int
) -> MorrisPosition:
    """Return the position with these points, by index, occupied."""
    marks = ["O" if index in white else "@" if index in black else "*" for index in range(24)]
    rings = "/".join("".join(marks[start : start + 8]) for start in (0, 8, 16))
    phase, action = "p" if any(hands) else "m", "p" if hands["wb".index(side)] else "s"
    counts = f"{len(white)} {hands[0]} {len(black)} {hands[1]}"
    return rules.position(f"{rings} {side} {phase} {action} {counts} 0 0 0 0 0 0 0 {quiet} 20")


@st.composite
def starts(draw: st.DrawFn) -> MorrisPosition:
    rules = draw(any_rules())
    return rules.start(rules.first or draw(st.sampled_from(Player)))


def games() -> st.SearchStrategy[Game]:
    """A game from the start or from a set-up position, at any moment of it."""
    return st.builds(played, starts() | set_ups(), luck, lengths)


def positions() -> st.SearchStrategy[MorrisPosition]:
    return games().map(lambda game: game.position)


def at(
    white: str,
    black: str,
    name: str = "standard",
    *settings: str,
    side: str = "w",
    hands: tuple[int, int] = (0, 0),
    quiet: int = 0,
    moves: str = "",
) -> MorrisPosition:
    """Return the position with these points occupied, after these steps."""
    rules = rule_set(name, settings)
    indices = ([rules.layout[point_name].index for point_name in names.split()] for names in (white, black))
    position = set_up(rules, *indices, side, hands, quiet)
    return following(position, moves)


def after(moves: str, name: str = "standard", *settings: str) -> MorrisPosition:
    """Return the position after these steps from the start, White first."""
    return following(rule_set(name, settings).start(Player.WHITE), moves)


def following(position: MorrisPosition, moves: str) -> MorrisPosition:
    for text in moves.split():
        position = position.play(position.legal_step(text))
    return position


def texts(position: MorrisPosition) -> set[str]:
    """Return the texts of the legal steps."""
    return {step.text for step in position.legal_steps()}


def mill_rules(name: str = DEFAULT, settings: Iterable[str] = ()) -> MorrisRules:
    """Return the rules of a game of mills.

    Raises TypeError for another game.
    """
    rules = rule_set(name, settings)
    if not isinstance(rules, MorrisRules):
        raise TypeError(f"{name} is not a game of mills")
    return rules
