"""Folders of the checkout that tests read."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).parents[2]
SCENARIOS = PROJECT / "tests" / "scenarios"
DATA = PROJECT / "tests" / "data"
