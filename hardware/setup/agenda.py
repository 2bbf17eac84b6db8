"""The order of the stages: what follows once findings have changed.

Invariants: every question of the plan is asked, or put off, before kinds are measured, and these before the
review; notes of the last answer are shown with the next question, whichever that is.
"""

from __future__ import annotations

from dataclasses import replace

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
    """Return the state in which the next kind of piece is measured, or the review if none is left.

    Nothing can be measured on a board none of whose sensors has sensed a piece.
    """
    found = state.found
    if next_kind(found, context.plan.kinds) is not None:
        scale = place_to_measure(found) if found.scale is None else found.scale
        if scale is not None:
            measuring = state.enter("measure", replace(found, scale=scale), state.notes)
            return replace(measuring, seen_changes=scale_changes(context, measuring))
    return state.enter("review", notes=state.notes)


def scale_changes(context: SetupContext, state: SetupState) -> int:
    """Return the number of changes so far of the wire where kinds are measured."""
    scale = state.found.scale
    return 0 if scale is None else context.sensing.changes(state.found.seats[scale].wires[0])
