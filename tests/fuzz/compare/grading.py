"""Grades of what a board made of a hand, from right to broken, so that two builds can be compared."""

from __future__ import annotations

from tests.fuzz.actors.lines import LATE_S
from tests.fuzz.episodes.episode import EpisodeResult

GRADES = (
    "right",
    "late",
    "asked",
    "wrong for a while",
    "to be corrected",
    "to be corrected, no sentence",
    "stuck",
    "lost",
    "wrong",
    "broken",
)
"""The grades, the best first."""
BETTER, WORSE, AMBIGUOUS, SAME = "better", "worse", "ambiguous", "same"


def grade(result: EpisodeResult) -> str | None:
    """Return the grade of a result; None where the habit did not apply."""
    if result.broken or result.refused:
        return "broken"
    found = result.judgement
    if found is None:
        return None
    if found["wrong"]:
        return "right" if found["conventional"] else "wrong"
    if found["lost"]:
        return "lost"
    if result.stuck:
        return "stuck"
    if found["status"] == "undecided":
        return "right" if result.ambiguous else "asked"
    if found["mended"]:
        is_silent = found["status"] == "mismatch" and not found["why"]
        return "to be corrected, no sentence" if is_silent else "to be corrected"
    if found["wrong_s"] > 0:
        return "wrong for a while"
    return "late" if found["late_s"] > LATE_S else "right"


def compared(one: EpisodeResult, other: EpisodeResult) -> tuple[str, str | None, str | None]:
    """Return how the second result differs from the first, and the grades of both."""
    grades = grade(one), grade(other)
    if grades[0] == grades[1]:
        return (SAME, *grades)
    if one.ambiguous or other.ambiguous or None in grades:
        return (AMBIGUOUS, *grades)
    first, second = (GRADES.index(str(found)) for found in grades)
    return (BETTER if second < first else WORSE, *grades)
