"""The recipes of CONTRIBUTING.md name every file that their examples need."""

from __future__ import annotations

import re

import pytest

from tests.support.paths import PROJECT
from tests.web.types import generate

RECIPES = {
    "Add a cue": r"going-off|GOING_OFF",
    "Add a sentence": r"fault\.pace\.slow",
    "Add a setting": r"clock[_-]flag|clock-strict",
    "Add a part of a board": r"\bPuzzleSeries\b|\bPUZZLE_KEY\b",
    "Add a sound": r"\bSoundCue\.REMOVED|\bREMOVED = ",
    "Add a sensor chip": r"(?i)mcp3008|\bADC_MAX\b",
    "Add a request": r"\"redo\"",
    "Add a rule set": r"\"twelve\"|\brules\.twelve",
    "Add a language": r"[\"']de[\"']|lang=\"de\"|\bde: \"",
}
"""Each recipe, and the spellings of its example."""

PARTS = ("firmware_host", "hardware", "sim", "systemd")
KINDS = {".py", ".js", ".json", ".md", ".toml", ".html", ".css"}


def steps(recipe: str) -> list[str]:
    """Return the paths that the recipe names; one that ends in a slash stands for all files below."""
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = re.split(r"\n##+ ", text.split(f"\n### {recipe}\n")[1])[0]
    found: list[str] = re.findall(r"`([^`\s]+/[^`\s]*)`", section)
    return found


def files_with(pattern: str) -> set[str]:
    """Return the program's files that contain the pattern, by their paths from the top."""
    return {
        str(path.relative_to(PROJECT))
        for part in PARTS
        for path in (PROJECT / part).rglob("*")
        if path.suffix in KINDS and re.search(pattern, path.read_text(encoding="utf-8"))
    }


def is_step(path: str, step: str) -> bool:
    return (
        path.startswith(step) if step.endswith("/") else bool(re.fullmatch(step.replace("*", "[^/]*"), path))
    )


@pytest.mark.parametrize("recipe", RECIPES)
def test_recipe_lists_every_file_that_names_its_example(recipe: str) -> None:
    named = steps(recipe)
    needed = files_with(RECIPES[recipe])
    assert {path for path in needed if not any(is_step(path, step) for step in named)} == set()


def test_setting_is_written_by_hand_in_five_files() -> None:
    generated = {str(path.relative_to(PROJECT)) for path in generate.generated()}
    by_hand = {step for step in steps("Add a setting") if step not in generated}
    assert len(by_hand) <= 5


@pytest.mark.parametrize("recipe", [*RECIPES, "A sensor that sticks: who decides what"])
def test_recipe_names_only_files_that_exist(recipe: str) -> None:
    assert [step for step in steps(recipe) if not list(PROJECT.glob(step.rstrip("/")))] == []
