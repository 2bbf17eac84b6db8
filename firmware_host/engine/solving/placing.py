"""Building the tables of positions with pieces in hand, layer by layer back from the last placement.

A layer holds the sectors with equally many placements. Each turn leads to the next layer, and from the last
one to the sectors with nothing in hand, so a sector is built in one pass from one or two others. Draws by
repetition and by quiet steps don't matter here: no position occurs twice while stones are added, and each
placement begins the count of quiet steps again.

**Invariants:** a sector is built when those that it leads to are there and intact; finished ones are never
built again. Nothing begins for which memory or disk would not do.
"""

from __future__ import annotations

from functools import partial

from firmware_host.engine.certificate import certificate_id
from firmware_host.engine.solving import room
from firmware_host.engine.solving.builder import Listener, parts
from firmware_host.engine.solving.folder import TableFolder
from firmware_host.engine.solving.library import Space, Values, address, buffer, checked, open_space, watching
from firmware_host.engine.solving.loading import load
from firmware_host.engine.solving.promise import leaf_sectors
from firmware_host.engine.table_file import Compression, Header, Kind
from firmware_host.engine.table_rules import AnySector, PlacingSector
from firmware_host.errors import TableError
from firmware_host.games.options import MorrisOptions

_STONES_BEFORE_A_MILL = 2


def layers(options: MorrisOptions) -> list[list[PlacingSector]]:
    """Return the sectors of each layer, from the empty board to the last placement.

    Raises TableError for rules by which players do more than place pieces and capture one for a mill.
    """
    leaf_sectors(options)
    found, layer = [], [PlacingSector(0, 0, options.pieces, options.pieces)]
    while layer[0].my_hand:
        found.append(layer)
        layer = sorted({after for one in layer for after in _after(one)})
    return found


def _after(sector: PlacingSector) -> list[PlacingSector]:
    """Return the sectors that a turn may lead to, if the game goes on."""
    captures = sector.mine >= _STONES_BEFORE_A_MILL and sector.theirs > 0 and not sector.capture_wins
    return [sector.quiet, sector.captured] if captures else [sector.quiet]


def missing(folder: TableFolder) -> list[PlacingSector]:
    """Return the sectors that are still to be built, the damaged ones among them, in order."""
    wanted = (one for layer in reversed(layers(folder.options)) for one in layer)
    return [one for one in wanted if not _is_done(folder, one)]


def _is_done(folder: TableFolder, sector: PlacingSector) -> bool:
    try:
        return folder.open(sector) is not None
    except TableError:
        return False


def build(folder: TableFolder, listener: Listener, max_memory: int | None = None) -> None:
    """Build what is missing; raise TableError, or BuildStoppedError if it is stopped."""
    left = missing(folder)
    folder.begin(placing=True)
    if not left:
        return
    room.check_placing(folder.options, folder.placing, left, max_memory)
    with open_space(folder.options) as space:
        for sector in left:
            _build_one(space, folder, sector, listener)


def _build_one(space: Space, folder: TableFolder, sector: PlacingSector, listener: Listener) -> None:
    stones, size = (sector.mine, sector.theirs), space.size(sector.mine, sector.theirs)
    packed = buffer(-(-size // 4))
    quiet = load(folder.open, _known_as(sector.quiet))
    captured = load(folder.open, _known_as(sector.captured)) if len(_after(sector)) > 1 else None
    with watching(partial(listener.progress, sector)) as callback:
        checked(
            space.library.mw_build_placing(
                space.handle, *stones, quiet.values, captured.values if captured else Values(),
                sector.capture_wins, address(packed), callback,
            )
        )  # fmt: skip
    summary = space.summary_of_results(packed, size)
    header = Header(Kind.RESULTS, Compression.NONE, certificate_id(space.options), *stones, summary, 0, 0, 0,
                    sector.my_hand, sector.their_hand)  # fmt: skip
    folder.write(sector, parts(space, header, packed, -(-size // 4)))
    listener.finished(sector, summary)


def _known_as(sector: PlacingSector) -> AnySector:
    """Return the sector as tables have it: after the last placement without hands."""
    return sector if sector.my_hand else (sector.mine, sector.theirs)
