"""Matrices: what is to hold for each language, each model, each sensor, each way to play."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

import pytest

CI = pytest.mark.ci("cases")


def sampled(
    cells: Iterable[Any], number: int = 1, others: pytest.MarkDecorator = pytest.mark.long
) -> list[Any]:
    """Return the cells of a matrix for `parametrize`: `make test` runs the first, `make test-long` all.

    Put a cell first that would show most mistakes; `number` is how many stay in `make test`. With
    `others=CI`, `make test-ci` runs all.

    >>> [bool(cell.marks) for cell in sampled(["de", "en", "es"])]
    [False, True, True]
    >>> [[mark.name for mark in cell.marks] for cell in sampled(["de", "en"], others=CI)]
    [[], ['ci']]
    """
    numbers = count()
    return _marked(cells, lambda _: next(numbers) >= number, others)


def left_to_ci(cells: Iterable[Any], is_costly: Callable[[Any], bool]) -> list[Any]:
    """Return the cells of a matrix for `parametrize`: `make test` skips those that cost much.

    >>> [bool(cell.marks) for cell in left_to_ci(["short", "very long"], lambda name: "long" in name)]
    [False, True]
    """
    return _marked(cells, is_costly, CI)


def _marked(cells: Iterable[Any], is_other: Callable[[Any], bool], mark: pytest.MarkDecorator) -> list[Any]:
    return [
        pytest.param(*(cell if isinstance(cell, tuple) else (cell,)), marks=[mark] if is_other(cell) else [])
        for cell in cells
    ]
