"""The events of successive verdicts: lifted pieces and mismatches, each reported once."""

from __future__ import annotations

import pytest

from firmware_host.games.game import Player
from firmware_host.games.layout import MORRIS, Point
from firmware_host.games.rulesets import rule_set
from firmware_host.play.timeline import GameTimeline, VerdictReporter
from firmware_host.ports import NOTHING, SOMETHING
from firmware_host.tracking.verdict import (
    InProgress,
    Mismatch,
    Settled,
    TakingBack,
    Unchanged,
    Undecided,
)
from tests.support.scripted_board import event_text


def points(*names: str) -> frozenset[Point]:
    return frozenset(MORRIS[name] for name in names)


SETTLED = Settled()
LIFTED = InProgress(points("d6"), ())
UNDECIDED = Undecided(points("d2", "g7"), points("d6"))
TAKING_BACK = TakingBack(2, points("d6", "f4"))
MISMATCH = Mismatch(points("d6"), points("b2"), frozenset())


def reported(*verdicts: Unchanged) -> list[str]:
    """The events of `verdicts` on a board whose points are all filled, except those that stand open."""
    timeline = GameTimeline()
    timeline.begin(rule_set("standard"), Player.WHITE)
    timeline.take_events()
    reporter = VerdictReporter(timeline)
    for verdict in verdicts:
        open_points = verdict.points if isinstance(verdict, InProgress) else frozenset()
        stable = [NOTHING if point in open_points else SOMETHING for point in MORRIS.points]
        reporter.report(verdict, tuple(stable))
    return [event_text(event) for event in timeline.take_events()]


@pytest.mark.parametrize(
    ("verdicts", "events"),
    [
        ((UNDECIDED, UNDECIDED), ["lifted d6"]),
        ((LIFTED, UNDECIDED, LIFTED), ["lifted d6"]),
        ((UNDECIDED, SETTLED), ["lifted d6", "put-back d6"]),
        ((MISMATCH, UNDECIDED), ["mismatch d6 b2", "restored", "lifted d6"]),
        ((UNDECIDED, MISMATCH), ["lifted d6", "mismatch d6 b2"]),
    ],
)
def test_undecided_reports_the_points_that_stand_open(
    verdicts: tuple[Unchanged, ...], events: list[str]
) -> None:
    assert reported(*verdicts) == events


@pytest.mark.parametrize(
    "before", [(), (SETTLED,), (LIFTED,), (MISMATCH,)], ids=["nothing", "settled", "lifted", "mismatch"]
)
@pytest.mark.parametrize("after", [SETTLED, MISMATCH, LIFTED], ids=["settled", "mismatch", "lifted"])
def test_taking_back_changes_no_event(before: tuple[Unchanged, ...], after: Unchanged) -> None:
    assert reported(*before, TAKING_BACK, after) == reported(*before, after)
    assert reported(*before, TAKING_BACK) == reported(*before)
