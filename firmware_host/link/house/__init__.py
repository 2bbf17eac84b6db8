"""The board in Home Assistant: its description, its states and events, and the commands of its house."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from firmware_host.far.address import BrokerAddress
from firmware_host.games.rulesets import RULE_SETS
from firmware_host.link.house.leaving import HOUSE_PART, HouseMemory, leave_houses
from firmware_host.link.identity import Identity, board_name
from firmware_host.link.packets import require_paho
from firmware_host.settings import THEME_NAMES, Link


def house_of(
    settings: Link,
    own: Identity,
    page: tuple[str, int],
    goes_on: Callable[[], bool],
    memory: HouseMemory,
    contested: Callable[[], object] = lambda: None,
) -> list[Thread]:
    """Return the threads that keep the house of the board with this `page` informed, if it has one.

    One of them leaves the houses before, which are in the `memory`. They call `contested` when another
    program connects as this board. Raises LinkError without the library.
    """
    require_paho()
    current = BrokerAddress.parse(settings.house_broker, settings.ca) if settings.house_broker else None
    leaving = (memory, "" if current is None else str(current), own, settings.ca, goes_on)
    threads = [Thread(target=leave_houses, args=leaving, name="leaving", daemon=True)]
    if current is not None:
        from firmware_host.link.house.entities import HouseBoard
        from firmware_host.link.house.program import HouseProgram

        board = HouseBoard(own.board, board_name(settings), list(RULE_SETS), THEME_NAMES, settings.house)
        program = HouseProgram(
            current, own.login(current, HOUSE_PART), board, contested, lambda: memory.note(str(current))
        )
        options = {"goes_on": goes_on}
        threads.append(Thread(target=program.run, args=page, kwargs=options, name="house", daemon=True))
    return threads
