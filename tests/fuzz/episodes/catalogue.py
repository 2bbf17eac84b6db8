"""All habits by their names, and the boards that they need."""

from __future__ import annotations

from tests.fuzz.actors import habits, mishaps, overlaps
from tests.fuzz.actors.deeds import Habit
from tests.fuzz.actors.incidents import (
    corrections,
    failures,
    helpers,
    menus,
    next_game,
    regret,
    solo,
    two_hands,
)
from tests.fuzz.actors.seat import STACKS
from tests.fuzz.actors.stacks import failures as stack_failures
from tests.fuzz.actors.stacks import habits as stack_habits
from tests.fuzz.actors.stacks.habits import StackHabit
from tests.fuzz.oracle.plain_rules import RULE_SETS, WHITE

SLOPPY: dict[str, Habit] = {
    "plain": habits.plain_turn,
    "slide": habits.slide,
    "drag": habits.drag,
    "second-thought": habits.second_thought,
    "other-point": habits.other_point,
    "capture-any-order": habits.capture_any_order,
    "capture-back": habits.capture_back,
    "brush": habits.brush,
    "brush-slow": habits.brush_slow,
    "straighten": habits.straighten,
    "straighten-slow": habits.straighten_slow,
    "bounce": habits.bounce,
    "reply-5ms": overlaps.reply_at_once,
    "reply": overlaps.reply_soon,
    "reply-onto-captured": overlaps.reply_onto_captured,
    "lift-before": overlaps.lift_before,
    "land-before": overlaps.land_before,
    "lift-before-capture": overlaps.lift_before_capture,
    "land-before-capture": overlaps.land_before_capture,
    "rim": mishaps.rim,
    "jolt": mishaps.jolt,
    "swapped-colours": mishaps.swapped_colours,
    "chip": mishaps.chip,
}
INCIDENTS: dict[str, Habit] = {
    "regret": regret.other_capture,
    "regret-lifted-first": regret.other_capture_first,
    "regret-replied": regret.other_capture_replied,
    "regret-withdrawn": regret.capture_withdrawn,
    "second-piece": helpers.second_piece,
    "illegal-reply": helpers.illegal_reply,
    "early-lift": helpers.early_lift,
    "next-game-resigned": next_game.after_resignation,
    "next-game-drawn": next_game.after_draw,
    "next-game-won": next_game.after_win,
    "two-hands-landing": two_hands.straighten_while_landing,
    "two-hands-lifting": two_hands.straighten_while_lifting,
    "corrected-capture": corrections.corrected_capture,
    "corrected-reply": corrections.corrected_reply,
    "asking": menus.while_asking,
    "asking-replied": menus.while_asking_replied,
    "weighed": menus.weighed,
    "paused": menus.while_paused,
    "paused-replied": menus.while_paused_replied,
    "chip-landing": failures.chip_while_landing,
    "magnets-landing": failures.magnets_while_landing,
    "power-turn": failures.power_within_turn,
    "power-reply": failures.power_before_reply,
    "solo": solo.plain_round,
    "solo-straighten": solo.straighten_own,
    "solo-wrong-piece": solo.wrong_piece,
    "solo-wrong-landing": solo.wrong_landing,
    "solo-wrong-capture": solo.wrong_capture,
    "solo-early": solo.before_shown,
}
HABITS = SLOPPY | INCIDENTS
STACK_HABITS: dict[str, StackHabit] = {
    "plain": stack_habits.plain_turn,
    "straighten": stack_habits.straighten,
    "straighten-slow": stack_habits.straighten_slow,
    "bounce": stack_habits.bounce,
    "reply-5ms": stack_habits.reply_at_once,
    "reply": stack_habits.reply_soon,
    "lift-before": stack_habits.lift_before,
    "power-turn": stack_failures.power_within_turn,
}
NOT_READ = {"swapped-colours"}
"""Habits that no legal turns explain at any time, so that the oracle is not asked: the position stays."""
COLOURS_ONLY = {"swapped-colours"}
"""Habits that presence cannot see."""
SOLO = {name for name in INCIDENTS if name.startswith("solo")}
"""Habits of a person who plays alone against the board."""
POWER_CUTS = {"power-turn", "power-reply"}
"""Habits that cut the power, so that games have to be kept."""
NEAR_THE_END = {"next-game-won"}
"""Habits that need a turn which wins."""
NEXT_GAME = {name for name in INCIDENTS if name.startswith("next-game")}
"""Habits of people who know that White begins the next game."""


def can_be_played(habit: str, sensors: str, rules: str) -> bool:
    """Return whether a habit exists on such sensors and in such a game."""
    if rules == STACKS:
        return habit in STACK_HABITS and sensors == "pieces"
    if sensors == "pieces" or (habit in COLOURS_ONLY and sensors == "presence"):
        return False
    chosen = RULE_SETS[rules]
    return not ((habit in NEXT_GAME and chosen.first != WHITE) or (habit in SOLO and chosen.removal == "may"))
