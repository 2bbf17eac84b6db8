"""The order of the stages: what follows once findings have changed.

Invariants: every question of the plan is asked, or put off, before kinds are measured, these before button
and buzzer, and both before the review; each of them is asked for once, and only where it has a line; notes of
the last answer are shown with the next question, whichever that is.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.settings import NO_LINE
from hardware.setup.calibration import next_kind, place_to_measure
from hardware.setup.state import SetupContext, SetupState
from hardware.setup.transitions import other_side


def begin(context: SetupContext, state: SetupState) -> SetupState:
    """Return the state with the first question, given the pieces that stand now."""
    stable = context.sensing.stable
    found = state.found
    for number, seat in enumerate(found.seats):
        if stable and seat.piece_wire is not None and not stable[seat.piece_wire]:
            found = found.with_seat(number, stands=None)
    return next_question(context, state.enter("find", found, state.notes))


def next_question(context: SetupContext, state: SetupState) -> SetupState:
    """Return the state with what can be asked next."""
    found, plan = state.found, context.plan
    if found.half is not None:
        return state
    for side in (found.side, other_side(found.side)):
        if plan.can_ask(found, side):
            return replace(state, found=replace(found, side=side))
    half = plan.incomplete_seat(found)
    if half is not None:
        return replace(state, found=replace(found, half=half))
    longer = plan.with_longer_strip(found)
    if longer is not None:
        return next_question(context, replace(state, found=longer))
    if plan.point_to_free(found):
        # The question that needs the piece is the one to put off where no piece stands after all.
        side = found.side if plan.has_question(found, found.side) else other_side(found.side)
        return state.enter("free", replace(found, side=side), state.notes)
    return measure_or_review(context, state)


def measure_or_review(context: SetupContext, state: SetupState) -> SetupState:
    """Return the state in which the next kind of piece is measured, or what follows if none is left.

    Nothing can be measured on a board none of whose sensors has sensed a piece.
    """
    found = state.found
    if next_kind(found, context.plan.kinds) is not None:
        scale = place_to_measure(found) if found.scale is None else found.scale
        if scale is not None:
            measuring = state.enter("measure", replace(found, scale=scale), state.notes)
            return replace(measuring, seen_changes=scale_changes(context, measuring))
    return ask_controls(context, state)


def ask_controls(context: SetupContext, state: SetupState) -> SetupState:
    """Return the state in which the button or the buzzer is asked for, or the review if neither is left."""
    plan, found = context.plan, state.found
    if found.button is None and plan.button != NO_LINE:
        return state.enter("button", notes=state.notes)
    if found.buzzer is None and plan.buzzer != NO_LINE:
        return state.enter("buzzer", notes=state.notes)
    return state.enter("review", notes=state.notes)


def scale_changes(context: SetupContext, state: SetupState) -> int:
    """Return the number of changes so far of the wire where kinds are measured."""
    scale = state.found.scale
    return 0 if scale is None else context.sensing.changes(state.found.seats[scale].wires[0])
