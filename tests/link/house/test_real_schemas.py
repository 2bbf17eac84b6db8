"""The description of a board, held against the schemas of the newest Home Assistant that installs here."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from firmware_host.games.rulesets import RULE_SETS
from firmware_host.lights.themes import THEMES
from firmware_host.link.house.entities import HouseBoard, description
from tests.support.paths import PROJECT

PYTHON = PROJECT / "build" / "homeassistant" / "bin" / "python"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not PYTHON.exists(), reason="Home Assistant is missing; `make test-long` fetches it"),
]


def messages() -> list[dict[str, Any]]:
    return [
        description(HouseBoard("ABCDEFGHIJKLMNOP", "Kitchen", list(RULE_SETS), list(THEMES), takes))
        for takes in (False, True)
    ]


def faults(payloads: list[dict[str, Any]]) -> list[str]:
    """Return what Home Assistant refuses."""
    program = Path(__file__).with_name("real_schemas.py")
    done = subprocess.run(  # noqa: S603 - our own program
        [PYTHON, program], input=json.dumps(payloads), capture_output=True, text=True, check=True
    )
    return list(json.loads(done.stdout)["faults"])


def test_real_schemas_accept_every_discovery_message() -> None:
    assert faults(messages()) == []


def test_real_schemas_refuse_a_wrong_component() -> None:
    wrong = messages()
    wrong[1]["cmps"]["far"]["device_class"] = "friendship"
    (fault,) = faults(wrong)
    assert fault.startswith("far: ")
