"""The page's state object: its members are exactly those that the protocol's schema describes."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest

from firmware_host.games.game import Outcome, Reason
from firmware_host.i18n import Message
from firmware_host.play.faults import PartFault
from firmware_host.settings import PREFERENCES
from firmware_host.views.page_state import BUTTONS, PageState, page_state
from firmware_host.views.snapshot import Snapshot
from tests.support.scripted_board import ScriptedBoard, after, controller_of
from tests.support.web.protocol import SCHEMA

MEMBERS = SCHEMA["$defs"]["state-members"]["properties"]
REQUIRED = SCHEMA["$defs"]["snapshot"]["properties"]["state"]["required"]
ALIASES = {
    "instruction": ("sentence", "said"),
    "advice": ("advice", "advice_said"),
    "buttons": ("can",),
    "preferences": ("settings",),
}
"""The members of a field whose name differs from theirs."""


def state_of(board: ScriptedBoard) -> PageState:
    controller = controller_of(board)
    controller.step(board.frame, board.now)
    return page_state(controller, held=(), leds={})


def test_fields_and_schema_have_the_same_members() -> None:
    own = [field.name for field in fields(PageState) if field.name != "board"]
    names = [*(field.name for field in fields(Snapshot)), *own, "faults_said"]
    members = [member for name in names for member in ALIASES.get(name, (name,))]
    assert sorted(members) == sorted(MEMBERS)


@pytest.mark.parametrize("board", [ScriptedBoard(), after("d6 f4 d7 a1", "standard")], ids=["new", "played"])
def test_public_form_has_every_required_member(board: ScriptedBoard) -> None:
    assert sorted(state_of(board).as_dict()) == sorted(REQUIRED) == sorted(MEMBERS)


def test_only_fields_that_may_be_none_are_null_in_schema() -> None:
    hints = get_type_hints(Snapshot) | get_type_hints(PageState)
    may_be_none = {name for name, hint in hints.items() if type(None) in get_args(hint)}
    nulls = {name for name, member in MEMBERS.items() if _allows_null(member)}
    assert {ALIASES.get(name, (name,))[-1] for name in may_be_none} == nulls


def test_nested_objects_and_schema_have_the_same_members() -> None:
    settings = SCHEMA["$defs"]["settings"]
    names = {*PREFERENCES, "themes", "set", "external"}
    assert set(settings["properties"]) == set(settings["required"]) == names
    assert set(state_of(ScriptedBoard()).as_dict()["settings"]) == names
    outcome = SCHEMA["$defs"]["outcome"]
    assert set(Outcome(Reason.AGREED, None).as_dict()) == set(outcome["required"])
    assert set(outcome["properties"]) == set(outcome["required"])


def test_buttons_are_in_schema() -> None:
    assert set(BUTTONS) <= set(MEMBERS["can"]["items"]["enum"])


def test_fault_names_its_part() -> None:
    fault = PartFault("leds", Message("no-power"))
    assert fault.message == Message("fault.leds", {"text": Message("no-power")})


def _allows_null(member: dict[str, Any]) -> bool:
    return any(form.get("type") == "null" for form in member.get("oneOf", ()))
