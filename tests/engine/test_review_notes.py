"""Reviews written and read back: as objects, and as the comments of a record."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.engine.review import BetterTurn, LikelyTurn, Review, ReviewedTurn, finished_turns
from firmware_host.engine.review_notes import (
    comments_of,
    note_of,
    review_objects,
    review_of_comments,
    review_of_objects,
    reviewed_turn,
)
from firmware_host.errors import NotationError
from firmware_host.games.game import Game, Player
from firmware_host.games.record_reader import parse_records
from firmware_host.games.records import GameRecord, record_text
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import UNKNOWN, Result, Value

WIN = Value(Result.WIN, 12, exact=True)
DRAW = Value(Result.DRAW, None, exact=True)
LOSS = Value(Result.LOSS, 3, exact=True)


def game(*turns: str, rules: str = "standard") -> Game:
    chosen = rule_set(rules)
    found = Game.begin(chosen, chosen.start(Player.WHITE))
    for turn in turns:
        for step in chosen.parse_turn(turn):
            found = found.play(found.position.legal_step(step.text))
    return found


GAME = game("d6", "f4", "d5", "d2", "a1")
REVIEW: Review = (
    ReviewedTurn(0, Player.WHITE, "d6", UNKNOWN, UNKNOWN, 3, None),
    ReviewedTurn(1, Player.BLACK, "f4", UNKNOWN, UNKNOWN, -12, None, LikelyTurn("b4", -2)),
    ReviewedTurn(2, Player.WHITE, "d5", WIN, WIN, 0, None, is_only=True),
    ReviewedTurn(3, Player.BLACK, "d2", DRAW, LOSS, 0, BetterTurn("d7", DRAW)),
    ReviewedTurn(4, Player.WHITE, "a1", WIN, DRAW, 0, BetterTurn("d7xf4", WIN)),
)


def changed(**members: Any) -> list[dict[str, Any]]:
    """Return the objects of the review with those members of its fourth turn changed."""
    objects = review_objects(REVIEW)
    objects[3] |= members
    return objects


def test_review_is_read_back_from_objects() -> None:
    assert review_of_objects(GAME, json.loads(json.dumps(review_objects(REVIEW)))) == REVIEW


def test_review_of_an_older_version_is_read() -> None:
    described = review_objects(REVIEW)
    older = [{name: one[name] for name in one if name not in ("likely", "only")} for one in described]
    known = tuple(replace(one, likely=None, is_only=False) for one in REVIEW)
    assert review_of_objects(GAME, older) == known


def test_review_is_read_back_from_the_comments_of_a_record() -> None:
    text = record_text(GameRecord(GAME, comments=comments_of(REVIEW)))
    assert "Gave a win away: d7xf4." in " ".join(text.split())
    (record,) = parse_records(text)
    assert record.game == GAME
    assert review_of_comments(record.game, record.comments) == REVIEW


def test_review_of_a_game_with_spaces_in_its_turns_is_read_back() -> None:
    stacks = game("+c2 b1-c2", "+d3 e4-d3", rules="mitsudomoe")
    (ply, turn), (later, _) = finished_turns(stacks)
    better = BetterTurn("+b2 b1-b2", WIN)
    review = (
        ReviewedTurn(ply, Player.WHITE, turn, WIN, DRAW, 0, better),
        ReviewedTurn(later, Player.BLACK, "+d3 e4-d3", UNKNOWN, UNKNOWN, 7, None),
    )
    (record,) = parse_records(record_text(GameRecord(stacks, comments=comments_of(review))))
    assert review_of_comments(record.game, record.comments) == review


def test_note_is_read_back() -> None:
    for at, one in zip(finished_turns(GAME), REVIEW, strict=True):
        assert reviewed_turn(GAME, at, note_of(one)) == one


@pytest.mark.parametrize(
    "note",
    [
        "",
        "before=win after=draw",
        "before=won after=draw estimate=0",
        "before=win:-1 after=draw estimate=0",
        "before=win after=draw estimate=99999",
        "before=draw after=loss estimate=0 better=d6:draw",
        "before=draw after=draw estimate=0 better=d7:draw",
        "before=draw after=unknown estimate=0 better=d7:draw",
        "before=draw after=draw estimate=0 likely=d7:20",
        "before=draw after=loss estimate=0 better=d7:draw likely=d7:20",
        "before=unknown after=unknown estimate=0 likely=d6:20",
        "before=unknown after=unknown estimate=0 only",
        "before=draw after=loss estimate=0 better=d7:draw only",
    ],
)
def test_note_that_does_not_fit_is_refused(note: str) -> None:
    with pytest.raises(NotationError):
        reviewed_turn(GAME, finished_turns(GAME)[3], note)


@pytest.mark.parametrize(
    "objects",
    [
        None,
        {},
        review_objects(REVIEW)[:-1],
        changed(turn="d1"),
        changed(estimate=True),
        changed(estimate=10**6),
        changed(before={"result": "won", "distance": None}),
        changed(before={"result": "win", "distance": -1}),
        changed(after=None),
        changed(better={"turn": "d6", "result": "draw", "distance": None}),
        changed(better={"turn": "d7", "result": "loss", "distance": 3}),
        changed(better={"turn": "no turn", "result": "draw", "distance": None}),
        changed(likely={"turn": "d7", "estimate": 20}),
        changed(better=None, likely={"turn": "d7", "estimate": 10**6}),
        changed(better=None, likely="d7"),
        [1, 2, 3, 4, 5],
    ],
)
def test_objects_that_do_not_fit_are_refused(objects: object) -> None:
    with pytest.raises(NotationError):
        review_of_objects(GAME, objects)


def test_comments_of_others_are_no_review() -> None:
    assert review_of_comments(GAME, {}) is None
    assert review_of_comments(GAME, {0: "a good start"}) is None
    incomplete = {index: text for index, text in comments_of(REVIEW).items() if index != 2}
    assert review_of_comments(GAME, incomplete) is None


def test_comments_that_were_changed_are_no_review() -> None:
    spoilt = comments_of(REVIEW) | {3: "[%millwright before=draw after=loss estimate=0 better=d6:draw]"}
    assert review_of_comments(GAME, spoilt) is None


def test_a_review_of_another_game_is_refused() -> None:
    other = game("d6", "f4", "d5", "d2", "a4")
    with pytest.raises(NotationError, match="the turn is a4"):
        review_of_objects(other, review_objects(REVIEW))
    spoilt = tuple(replace(one, turn="a7") for one in REVIEW)
    assert note_of(spoilt[0]) == note_of(REVIEW[0])  # a note has no turn of its own
