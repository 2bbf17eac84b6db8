"""The reasons for which a test may wait for CI: the mark `ci` names one of them."""

from __future__ import annotations

import pytest

REASONS = {
    "browser": "opens pages in a browser, and isn't marked `smoke`",
    "cases": "is one of many cases, and others of them run at each change",
    "devices": "emulates a microcontroller, or the electronics of a board in each of its states",
    "engine": "has positions searched or solved, or compiles what does it",
    "examples": "tries very many examples, states or messages",
    "games": "plays whole games, or minutes to weeks of play",
    "programs": "starts other programs, and waits for them",
}


def require_reason(item: pytest.Item) -> None:
    """Raise `CollectError` if a mark `ci` of a test gives no reason, or an unknown one."""
    for mark in item.iter_markers("ci"):
        if mark.args not in {(reason,) for reason in REASONS}:
            raise pytest.Collector.CollectError(f"{item.name}: its mark ci needs one of {', '.join(REASONS)}")
