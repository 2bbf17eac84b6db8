"""Games of the highest level from positions that tables do not give lost, against the worst replies.

    python -m tests.engine.measuring.holding --games 8

Positions are drawn from each sector of which there is a table, with up to 90 quiet steps, if they are not
lost without these: others cannot arise from a game that the level has played from the start. The other
player makes the turn that is answered by the fewest turns that hold, as tables tell. With `--placing` the
games begin with an empty board, and while pieces are placed the other player draws lots. A line is printed
for each sector, and each game that was lost after all.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Collection, Sequence

from firmware_host.engine.choosing import choose
from firmware_host.engine.searching.candidates import mill_candidates
from firmware_host.engine.solving.folder import sector_name
from firmware_host.engine.table_file import SectorTable
from firmware_host.engine.tables import Tables, index_of
from firmware_host.games.game import Game, Player
from firmware_host.games.morris.position import MorrisPosition, MorrisRules
from firmware_host.games.morris.rules import MorrisState
from firmware_host.games.rulesets import DEFAULT, LEVELS, rule_set
from firmware_host.games.values import Result
from tests.engine.measuring.ladder import TABLES

MAX_TURNS = 1000
_MAX_TRIED = 8
_MAX_QUIET_SHARE = 0.9


def sampled(
    rules: MorrisRules,
    tables: Tables,
    table: SectorTable,
    rng: random.Random,
    results: Collection[Result] = (Result.WIN, Result.DRAW),
) -> Game | None:
    """Return a game at a position of a sector with one of these results; None if lots find none."""
    index, header = index_of(rules.mechanics), table.header
    for _ in range(200):
        at = rng.randrange(header.summary.positions)
        mine, theirs = index.position(at, header.mine, header.theirs, table.representatives)
        quiet = rng.choice((0, rng.randrange(int(_MAX_QUIET_SHARE * rules.options.quiet) or 1)))
        state = MorrisState(mine << index.shift, theirs << index.shift, 0, 0, 0, 0, quiet)
        position = rules.reached(state, Player.WHITE)
        known = tables.probe(rules, state._replace(quiet=0))
        if position.outcome is None and known is not None and known.result in results:
            return Game.begin(rules, position)
    return None


def worst_reply(position: MorrisPosition, tables: Tables, rng: random.Random) -> str:
    """Return the turn that loses for the other player, else one that leaves fewest turns that hold."""
    found = mill_candidates(position)
    placing = any((position.state.my_hand, position.state.their_hand))
    tried = found if placing or len(found) <= _MAX_TRIED else rng.sample(found, _MAX_TRIED)
    if placing:
        return rng.choice(tried).text
    winning = [one for one in found if _result(one.after, tables) in (Result.LOSS, None)]
    if winning:
        return rng.choice(winning).text
    return min(tried, key=lambda one: _holding(one.after, tables)).text


def _result(position: MorrisPosition, tables: Tables) -> Result | None:
    """Return the result for the player to move; None if the game has ended with the turn before."""
    if position.outcome is not None:
        return Result.DRAW if position.outcome.winner is None else None
    known = tables.probe(position.rules, position.state)
    return Result.UNKNOWN if known is None else known.result


def _holding(position: MorrisPosition, tables: Tables) -> int:
    """Return the number of turns that do not lose."""
    results = (_result(one.after, tables) for one in mill_candidates(position))
    return sum(result is not Result.WIN for result in results)


def play(game: Game, own: Player, tables: Tables, truth: Tables, rng: random.Random) -> Game:
    """Return the game that the highest level plays on as `own`; `truth` advises the other player."""
    while game.outcome is None and len(game.turn_starts) <= MAX_TURNS:
        position = game.position
        assert isinstance(position, MorrisPosition)
        if position.to_move is own:
            text = choose(game, LEVELS[-1], rng=rng, tables=tables, stop=lambda: True)
        else:
            text = worst_reply(position, truth, rng)
        for step in game.rules.parse_turn(text):
            game = game.play(game.position.legal_step(step.text))
    return game


def score(game: Game, own: Player) -> int:
    """Return 1 for a win of `own`, 0 for a draw, -1 for a loss."""
    winner = None if game.outcome is None else game.outcome.winner
    return 0 if winner is None else 1 if winner is own else -1


def _report(name: str, games: Sequence[tuple[Game, Player]]) -> None:
    results = [score(game, own) for game, own in games]
    sys.stdout.write(f"{name}: +{results.count(1)} ={results.count(0)} -{results.count(-1)}\n")
    for (game, own), result in zip(games, results, strict=True):
        if result < 0:
            sys.stdout.write(f"  {own} lost from {game.positions[0]}: {' '.join(game.turn_texts())}\n")
    sys.stdout.flush()


def main() -> None:
    """Play, and print a line for each sector."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=8, help="for each sector, or in all while placing")
    parser.add_argument("--stones", type=int, default=0, help="only sectors of at least this many stones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--placing", action="store_true", help="begin with an empty board")
    given = parser.parse_args()
    rules, rng = rule_set(DEFAULT), random.Random(given.seed)
    assert isinstance(rules, MorrisRules)
    if given.placing:
        players = [tuple(Player)[number % 2] for number in range(given.games)]
        empty = Game.begin(rules, rules.start(Player.WHITE))
        _report("from the start", [(play(empty, own, TABLES, TABLES, rng), own) for own in players])
        return
    for table in (
        one for one in TABLES.sectors(rules) if one.header.mine + one.header.theirs >= given.stones
    ):
        found = [sampled(rules, TABLES, table, rng) for _ in range(given.games)]
        games = [(play(one, Player.WHITE, TABLES, TABLES, rng), Player.WHITE) for one in found if one]
        _report(sector_name((table.header.mine, table.header.theirs)), games)


if __name__ == "__main__":
    main()
