"""The promise that the highest level cannot lose: whether the files at hand prove it, and where it holds.

The certificates hold the draw while pieces are placed. Afterwards the tables do: a turn that keeps a draw or
a win is known in every position that has one. Where the draw by quiet steps cuts wins short, the player who
would lose has to choose the longest way, so distances are needed there. A win may still become a draw.

**Invariants:** nothing is promised unless all sectors and both certificates are there and the check found
nothing wrong in exactly these files; the seal stands for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from firmware_host.engine.certificate import PLAYERS, Certificate, can_be_certified
from firmware_host.engine.solving.folder import TableFolder, open_tables, sector_name, tables_path
from firmware_host.engine.table_file import Kind, SectorTable
from firmware_host.engine.table_rules import MIN_STONES, Sector, are_wins_cut
from firmware_host.engine.tables import Tables
from firmware_host.errors import TableError
from firmware_host.games.game import Game, Player, Rules
from firmware_host.games.morris.position import MorrisPosition, MorrisRules
from firmware_host.games.morris.rules import MorrisState
from firmware_host.games.options import MorrisOptions
from firmware_host.games.values import Result

_Signature = tuple[tuple[str, int, int], ...]


def leaf_sectors(options: MorrisOptions) -> list[Sector]:
    """Return the sectors that the last placement can lead to; raise TableError if there is no certificate."""
    if not can_be_certified(options):
        raise TableError(
            "there are no certificates under these rules: both players must place all their pieces before "
            "one moves, and each mill must capture one"
        )
    stones = range(MIN_STONES, options.pieces + 1)
    return [(mine, theirs) for mine in stones for theirs in stones]


def tables_in_use(rules: MorrisRules, folder: TableFolder, known: Tables) -> dict[Sector, SectorTable]:
    """Return the known tables by sector, those in the folder before the shipped ones; raise TableError."""
    found = {(one.header.mine, one.header.theirs): one for one in known.sectors(rules)}
    for sector in found:
        own = folder.open(sector)
        if own is not None and own.header.kind >= found[sector].header.kind:
            found[sector] = own
    return found


def obstacle(rules: MorrisRules, folder: TableFolder, found: Mapping[Sector, SectorTable]) -> str | None:
    """Return why it isn't proved that the highest level cannot lose, None if it is."""
    options = rules.options
    if not can_be_certified(options):
        return "there are no certificates under these rules"
    tables = _needed(options, found)
    if len(tables) < len(leaf_sectors(options)):
        return "the tables are not whole; run `millwright tables build --all`"
    if reason := _lacks_distances(options, tables):
        return reason
    try:
        certificates = [one for one in folder.certificates() if one.is_whole]
    except TableError as error:
        return str(error)
    if len(certificates) < len(PLAYERS):
        return "there is no certificate for both players; run `millwright tables certificate`"
    if folder.seal != seal_of(options, found, certificates):
        return "these files were not checked; run `millwright tables verify --certificate`"
    return None


def _lacks_distances(options: MorrisOptions, tables: Sequence[SectorTable]) -> str | None:
    """Return which sectors hold draws that only distances tell how to keep."""
    cut = [
        sector_name((one.header.mine, one.header.theirs))
        for one in tables
        if one.header.kind is Kind.RESULTS and are_wins_cut(options, one.header.summary.depth)
    ]
    if not cut:
        return None
    return (
        f"sectors {', '.join(cut)} have wins that the draw by quiet steps cuts short, and no distances; "
        "run `millwright tables build --all`"
    )


def _needed(options: MorrisOptions, found: Mapping[Sector, SectorTable]) -> list[SectorTable]:
    """Return the tables that the game can lead to, in order."""
    return [found[sector] for sector in leaf_sectors(options) if sector in found]


def seal_of(
    options: MorrisOptions, found: Mapping[Sector, SectorTable], certificates: Sequence[Certificate]
) -> str:
    """Return the digest that stands for exactly these files."""
    sums = sha256()
    for one in _needed(options, found):
        sums.update(one.identity)
    for each in sorted(certificates, key=lambda certificate: certificate.player):
        sums.update(each.identity)
    return sums.hexdigest()


def holds(tables: Tables, game: Game, player: Player) -> bool:
    """Return whether `player` cannot lose from here by the replies and values in `tables`.

    A turn that was begun counts as if it were still to be chosen.
    """
    position = game.positions[game.turn_starts[-1]] if game.mid_turn else game.position
    if not isinstance(position, MorrisPosition):
        return False
    if game.outcome is not None:
        return game.outcome.winner in (player, None)
    rules, state = position.rules, position.state
    if position.to_move is player:
        return _is_held(tables, rules, state)
    if not (state.my_hand or state.their_hand):
        known = tables.probe(rules, state)
        return known is not None and known.result in (Result.LOSS, Result.DRAW)
    return all(_is_held(tables, rules, after) for after in rules.mechanics.after_turns(state))


def _is_held(tables: Tables, rules: MorrisRules, state: MorrisState) -> bool:
    """Return whether the player to move cannot lose."""
    if state.my_hand:
        return tables.reply(rules, state) is not None
    known = tables.probe(rules, state)
    return known is not None and known.result in (Result.WIN, Result.DRAW)


@dataclass
class Promise:
    """The promise for the tables in the folder `base`, which are opened again only if files have changed."""

    base: Path = field(default_factory=tables_path)
    _read: tuple[Rules, _Signature] | None = None
    _tables: Tables | None = None

    def from_the_start(self, rules: Rules) -> bool:
        """Return whether the highest level cannot lose a game by `rules`."""
        return self._proved(rules) is not None

    def players(self, game: Game) -> list[Player]:
        """Return the players as whom the highest level cannot lose from here on."""
        tables = self._proved(game.rules)
        return [] if tables is None else [one for one in Player if holds(tables, game, one)]

    def _proved(self, rules: Rules) -> Tables | None:
        """Return all tables if they prove that nobody has to lose, else None."""
        if not isinstance(rules, MorrisRules):
            return None
        folder = TableFolder.of(rules.options, self.base)
        now = rules, _signature(folder.path)
        if self._read != now:
            tables = open_tables(self.base)
            try:
                reason = obstacle(rules, folder, tables_in_use(rules, folder, tables))
            except TableError as error:
                reason = str(error)
            self._read, self._tables = now, tables if reason is None else None
        return self._tables


def _signature(path: Path) -> _Signature:
    """Return the files of a folder with their times and sizes; none if it cannot be read."""
    try:
        found = [(one.name, one.stat()) for one in sorted(path.iterdir())]
    except OSError:
        return ()
    return tuple((name, status.st_mtime_ns, status.st_size) for name, status in found)
