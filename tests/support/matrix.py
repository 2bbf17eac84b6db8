"""Matrices: what is to hold for each language, each model, each sensor, each way to play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest


def sampled(cells: Iterable[Any], number: int = 1) -> list[Any]:
    """Return the cells of a matrix for `parametrize`: `make test` runs the first, `make test-long` all.

    Put a cell first that would show most mistakes; `number` is how many stay in `make test`.

    >>> [bool(cell.marks) for cell in sampled(["de", "en", "es"])]
    [False, True, True]
    """
    return list(_marked(cells, number))


def _marked(cells: Iterable[Any], number: int) -> Iterator[Any]:
    for at, cell in enumerate(cells):
        values = cell if isinstance(cell, tuple) else (cell,)
        yield pytest.param(*values, marks=[pytest.mark.long] if at >= number else [])
