"""Public states of boards, as a link gets them from the page."""

from __future__ import annotations

from typing import Any

from firmware_host.views.page_state import page_state
from tests.support.scripted_board import ScriptedBoard, after, controller_of


def public(board: ScriptedBoard) -> dict[str, Any]:
    """Return the public state of a board now."""
    controller = controller_of(board)
    controller.step(board.frame, board.now)
    return page_state(controller, held=(), leds={}).as_dict()


def played(turns: str = "") -> dict[str, Any]:
    """Return the public state after turns by the standard rules."""
    return public(after(turns, "standard") if turns else ScriptedBoard())
