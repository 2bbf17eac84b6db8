"""The results of an evening: standings, and who has yet to play whom.

Everybody plays everybody once (a round robin). Swiss pairings are left to programs for tournaments.

Invariants: a player is a board, whose name others may have as well. Nothing here depends on the order in
which results arrived, except for which of two games of the same players counts: the first one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from firmware_host.frozen import frozen
from firmware_host.games.game import Player


@frozen
class ClubResult:
    """The result of a game between two players, known by their boards."""

    white: str
    black: str
    winner: Player | None

    @property
    def players(self) -> frozenset[str]:
        """Both players."""
        return frozenset((self.white, self.black))

    def points_of(self, board: str) -> float:
        """Return the points of one of its players."""
        if self.winner is None:
            return 0.5
        return float(board == (self.white if self.winner is Player.WHITE else self.black))


@frozen
class KeptResult:
    """A result that was archived, and what its boards were called."""

    result: ClubResult
    names: tuple[str, str]
    """The names of White and Black."""


@frozen
class Standing:
    """The place of one player."""

    board: str
    played: int
    won: int
    points: float
    berger: float
    """The points of those who were beaten, and half of those who drew: it parts players of equal points."""


def counted(results: Iterable[ClubResult]) -> list[ClubResult]:
    """Return the results that count: the first of each pair of players."""
    first: dict[frozenset[str], ClubResult] = {}
    for result in results:
        first.setdefault(result.players, result)
    return list(first.values())


def standings(results: Iterable[ClubResult]) -> list[Standing]:
    """Return the places of all who have a result, the best first."""
    games: defaultdict[str, list[ClubResult]] = defaultdict(list)
    for game in counted(results):
        for board in game.players:
            games[board].append(game)
    points = {board: sum(game.points_of(board) for game in own) for board, own in games.items()}
    found = [_standing(board, own, points) for board, own in games.items()]
    return sorted(found, key=lambda one: (-one.points, -one.berger, -one.won, one.board))


def _standing(board: str, games: Sequence[ClubResult], points: dict[str, float]) -> Standing:
    won = sum(game.points_of(board) == 1 for game in games)
    berger = sum(
        game.points_of(board) * points[other] for game in games for other in game.players if other != board
    )
    return Standing(board, len(games), won, points[board], berger)


def rounds(boards: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """Yield the rounds in which everybody plays everybody once: one player stays, and the others turn.

    The first of each pair plays White where the roll doesn't decide it. With an odd number of players, one
    rests in each round.
    """
    circle: list[str | None] = [*boards, *([None] if len(boards) % 2 else [])]
    for number in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        yield [
            (second, first) if number % 2 and index == 0 else (first, second)
            for index, (first, second) in enumerate(pairs)
            if first is not None and second is not None
        ]
        circle = [circle[0], circle[-1], *circle[1:-1]]


def still_to_play(boards: Iterable[str], results: Iterable[ClubResult]) -> list[tuple[str, str]]:
    """Return the pairs who haven't met, of the first round in which there are any."""
    met = {result.players for result in results}
    for pairs in rounds(sorted(set(boards))):
        if left := [pair for pair in pairs if frozenset(pair) not in met]:
            return left
    return []
