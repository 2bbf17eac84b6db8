"""Measurements that go on after they were broken off: each part that was played is a line of a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
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

    Parts in the `journal` are not played again, and each that is played is added to it at once.
    """
    known = _read(journal)
    with ProcessPoolExecutor(jobs) as pool:
        due = {_key(part): pool.submit(play, part) for part in parts if _key(part) not in known}
        for key, future in due.items():
            future.add_done_callback(partial(_note, journal, key))
        try:
            for part in parts:
                yield part, known[_key(part)] if _key(part) in known else due[_key(part)].result()
        finally:
            pool.shutdown(cancel_futures=True)


def _key(part: DataclassInstance) -> str:
    return json.dumps(asdict(part), sort_keys=True)


def _note(journal: Path | None, key: str, played: Future[Any]) -> None:
    """Add a part to the journal, unless it failed or was never begun."""
    if journal is not None and not played.cancelled() and played.exception() is None:
        with journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"part": json.loads(key), "result": played.result()}) + "\n")


def _read(journal: Path | None) -> dict[str, Any]:
    if journal is None or not journal.exists():
        return {}
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    return {json.dumps(line["part"], sort_keys=True): line["result"] for line in lines}
