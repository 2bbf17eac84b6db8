"""Random messages to boards and imports: some of each kind, and that a fault would be found."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from firmware_host.web import app
from sim.live.board import LiveBoard
from tests.fuzz import messages
from tests.fuzz.messages import BATCH, IMPORT, KINDS, PLAYER, VIEWER, main, run_batch

pytestmark = pytest.mark.ci("examples")


@pytest.fixture(autouse=True)
def without_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_REQUESTS_A_SECOND", "_RARE_REQUESTS_A_SECOND", "_RARE_REQUESTS_AT_ONCE"):
        monkeypatch.setattr(app, name, 10**9)


@pytest.mark.parametrize(
    ("seeds", "count"), [(range(3), 60), pytest.param(range(60), BATCH, marks=pytest.mark.long)]
)
def test_random_messages_break_nothing(seeds: range, count: int) -> None:
    batches = [run_batch(seed, count) for seed in seeds]
    assert [batch.broken for batch in batches if batch.broken] == []
    for kind in KINDS:
        sent = sum(batch.counts.get(kind, 0) for batch in batches)
        assert sent == count * len(seeds) / len(KINDS)
    assert sum(batch.counts.get(f"{PLAYER}: done", 0) for batch in batches) > count / 20


def test_a_watching_page_that_changes_the_board_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "_submit_query", lambda submit, request: submit(request))
    assert "may only watch did" in run_batch(KINDS.index(VIEWER), 60).broken


def test_an_error_that_nobody_foresaw_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    done = LiveBoard.do

    def fails(board: LiveBoard, request: dict[str, Any]) -> Any:
        if "lift" in request:
            raise IndexError("no such piece")
        return done(board, request)

    monkeypatch.setattr(LiveBoard, "do", fails)
    assert "no such piece" in run_batch(KINDS.index(PLAYER), 500).broken
    monkeypatch.setattr(messages, "games_of", lambda _: [][1])
    assert "IndexError" in run_batch(KINDS.index(IMPORT), 1).broken


def test_a_message_without_a_reply_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_PATIENCE_S", 0.2)
    monkeypatch.setattr(messages.FuzzedBoard, "submit", lambda *_: Future())
    assert "no reply to" in run_batch(KINDS.index(PLAYER), 500).broken


def test_a_run_goes_on_where_it_was_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(messages, "unlimited_rates", lambda: None)
    monkeypatch.setattr(
        messages, "run_batch", lambda seed: messages.FuzzedMessages(seed, {KINDS[seed % len(KINDS)]: BATCH})
    )
    journal = tmp_path / "journal.jsonl"
    for wanted in (BATCH, 3 * BATCH):
        assert main(["--messages", str(wanted), "--journal", str(journal)]) == 0
    assert len(journal.read_text().splitlines()) == 3
    assert f"{BATCH} {VIEWER}" in capsys.readouterr().out
    with journal.open("a") as file:
        file.write('{"seed": 3, "broken": "something"}\n')
    assert main(["--messages", "1", "--journal", str(journal)]) == 1
    assert "seed 3: something" in capsys.readouterr().out
