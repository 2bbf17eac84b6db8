"""The lights that must be on, as pairs of a point and a meaning, from the position and the frame alone."""

from __future__ import annotations

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import Way, gone_from, ways
from tests.fuzz.oracle.score import MillScore
from tests.fuzz.oracle.table import Frame

Cues = set[tuple[str, str]]

DIFFERENCES = ("missing", "extra", "wrong")
HINTS = ("movable", "destination")
"""Cues that are lit only if hints are on: where pieces may go."""


def at_the_end(score: MillScore) -> Cues:
    """The last turn's landings and the winner's pieces."""
    ending = score.ending
    winner = ending and ending["winner"]
    return {(p, "winner") for p, owner in score.now.board.items() if owner == winner} | of_the_last_turn(
        score
    )


def on_a_board_that_stands_right(score: MillScore) -> Cues:
    """The last turn's landings, the mill that was closed, and each step that is legal."""
    steps = plain.legal_steps(score.now) - {"x-"}
    cues = {(step[1:], "removable") for step in steps if step[0] == "x"}
    cues |= {(step[:2], "movable") for step in steps if "-" in step}
    cues |= {(step, "destination") for step in steps if len(step) == 2}
    return cues | of_the_last_turn(score) | of_the_mill(score)


def of_the_last_turn(score: MillScore) -> Cues:
    """Return the points where its pieces landed."""
    return {(step[-2:], "last-move") for step in score.last_turn if step[0] != "x"}


def of_the_mill(score: MillScore) -> Cues:
    """The mills that the last turn closed, while a removal is due or where they earned none."""
    if not score.now.due and any(step[0] == "x" for step in score.last_turn):
        return set()
    landed = {point for point, _ in of_the_last_turn(score)}
    mills = [line for p in landed for line in plain.mills_through(score.now.rules, score.now.board, p)]
    return {(point, "mill") for line in mills for point in line}


def next_in(found: list[Way]) -> Cues:
    """Return the points to touch next in turns that have begun."""
    return {cue for way in found if (cue := way.next_cue())}


def on_begun_turns(score: MillScore, wanted: Frame, frame: Frame, found: list[Way]) -> Cues:
    """All that may be lit where hands are in the midst of the turns `found`."""
    cues = {(point, "lifted") for point in gone_from(wanted, frame)}
    cues |= {(point, "destination") for way in found for point in way.landed()}
    return cues | next_in(found) | of_the_mill(score)


def at_any_time(score: MillScore, thought_over: list[plain.MillMoment], colours: bool) -> Cues:
    """Return all cues that may be lit during a game while the frame is uncertain, except differences.

    Hands may also be in the midst of a turn from the positions `thought_over`.
    """
    cues = on_a_board_that_stands_right(score) | {(point, "lifted") for point in score.now.board}
    for moment in [score.now, *thought_over]:
        for found in ways(moment, colours).values():
            cues |= next_in(found) | {(point, "destination") for way in found for point in way.landed()}
    return cues


def told_differences(cues: Cues) -> dict[str, str]:
    """The points that are lit as standing wrong, and how."""
    return {point: meaning for point, meaning in cues if meaning in DIFFERENCES}


def difference(wanted: str, reading: str) -> str | None:
    """Return the name of the difference at a point, if there is one."""
    if wanted == reading:
        return None
    if not reading:
        return "missing"
    return "wrong" if wanted else "extra"
