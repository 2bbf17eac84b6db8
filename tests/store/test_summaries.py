"""Summaries in their public form: read back as they were, and refused where no program of ours wrote them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware_host.errors import NotationError
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.store.summaries import MAX_SHOWN, Summary, parse_summary

SUMMARY = Summary(
    row=7,
    rules="standard",
    began_ms=1_795_262_400_123,
    outcome=Outcome(Reason.RESIGNED, Player.BLACK),
    tags={"White": "Ada", "Black": ""},
    turns=12,
    on_disk=False,
)


def test_summary_from_public_form_is_the_same_summary() -> None:
    assert parse_summary(SUMMARY.as_dict()) == SUMMARY


@pytest.mark.parametrize("field", ["game", "began_ms", "turns"])
@pytest.mark.parametrize("number", [0, 1])
def test_summary_from_small_counts_are_accepted(field: str, number: int) -> None:
    assert parse_summary({**SUMMARY.as_dict(), field: number}).as_dict()[field] == number


def test_summary_of_any_imported_game_is_read_back() -> None:
    tags = {"White": "An\u202ena\n" + "x" * 1000, "Black": "J\u00a0R"}
    one = replace(SUMMARY, began_ms=-3_000_000_000_000, tags=tags)
    found = parse_summary(one.as_dict())
    assert found.began_ms == one.began_ms
    assert found.tags["Black"] == "J R"
    assert found.tags["White"].startswith("An na xxx")
    assert len(found.tags["White"]) == MAX_SHOWN


@pytest.mark.parametrize("field", ["game", "turns"])
@pytest.mark.parametrize("number", [-1, True, False, 1.5, "3", None])
def test_summary_from_other_than_a_count_is_refused(field: str, number: Any) -> None:
    with pytest.raises(NotationError, match="counts nothing"):
        parse_summary({**SUMMARY.as_dict(), field: number})


@pytest.mark.parametrize("number", [True, 1.5, "3", None])
def test_summary_from_other_than_a_time_is_refused(number: Any) -> None:
    with pytest.raises(NotationError, match="not a time"):
        parse_summary({**SUMMARY.as_dict(), "began_ms": number})


@pytest.mark.parametrize("text", ["two\nlines", 7, None])
def test_summary_from_rules_of_no_line_are_refused(text: Any) -> None:
    with pytest.raises(NotationError):
        parse_summary({**SUMMARY.as_dict(), "rules": text})
