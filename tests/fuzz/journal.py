"""Measurements that go on after they were broken off: each part that was played is a line of a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    PartT = TypeVar("PartT", bound=DataclassInstance)
else:
    PartT = TypeVar("PartT")


def played(
    parts: Sequence[PartT], play: Callable[[PartT], Any], jobs: int, journal: Path | None
) -> Iterator[tuple[PartT, Any]]:
    """Yield each of the parts with its result, which JSON can express, in their order.

    Parts in the `journal` are not played again, and those that are played are added to it.
    """
    known = _read(journal)
    due = [part for part in parts if _key(part) not in known]
    with ProcessPoolExecutor(jobs) as pool:
        results = pool.map(play, due)
        for part in parts:
            if _key(part) not in known:
                known[_key(part)] = next(results)
                _note(journal, part, known[_key(part)])
            yield part, known[_key(part)]


def _key(part: DataclassInstance) -> str:
    return json.dumps(asdict(part), sort_keys=True)


def _note(journal: Path | None, part: DataclassInstance, result: object) -> None:
    if journal is not None:
        with journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"part": asdict(part), "result": result}) + "\n")


def _read(journal: Path | None) -> dict[str, Any]:
    if journal is None or not journal.exists():
        return {}
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    return {json.dumps(line["part"], sort_keys=True): line["result"] for line in lines}
