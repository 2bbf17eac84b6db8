"""Stores that are closed when the test is over, however it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.store.store import SqliteStore
from tests.support.store import NOON_MS, OpenStore


@pytest.fixture
def open_store() -> Iterator[OpenStore]:
    """Return a function that opens a store."""
    with ExitStack() as stores:

        def opened(path: Path, **options: Any) -> SqliteStore:
            store = SqliteStore(path, **{"wall_ms": lambda: NOON_MS, **options})
            return stores.enter_context(closing(store))

        yield opened
