"""Documents: README stays short, links lead somewhere, and commands exist."""

from __future__ import annotations

import re
import tomllib
from configparser import ConfigParser
from pathlib import Path

import pytest
from click import Command, Context, Group
from click.testing import CliRunner

from firmware_host import __version__
from firmware_host.cli import main
from tests.support.paths import PROJECT, documents

DOCUMENTS = {str(path.relative_to(PROJECT)): path for path in documents()}
EACH = pytest.mark.parametrize("name", DOCUMENTS)
MAKEFILES = (PROJECT / "Makefile", PROJECT / "hardware" / "firmware" / "Makefile")


def prose(path: Path) -> str:
    """Return a document without its blocks and spans of code."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("    ")]
    return re.sub(r"`[^`\n]*`", "", "\n".join(lines))


def code(path: Path) -> str:
    """Return the blocks and spans of code of a document, one a line."""
    text = path.read_text("utf-8")
    blocks = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    return "\n".join([*blocks, *re.findall(r"`([^`\n]+)`", text)])


def anchors(path: Path) -> set[str]:
    """Return the names that links into a document can end with."""
    text = path.read_text("utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    slugs = {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)">', text))


def test_readme_is_short() -> None:
    text = (PROJECT / "README.md").read_text("utf-8")
    assert len(text.split()) <= 900
    assert [line for line in text.splitlines() if len(line) > 100] == []


def test_changelog_says_what_the_program_is_and_has_this_version() -> None:
    about, *versions = re.split(r"^## ", (PROJECT / "CHANGELOG.md").read_text("utf-8"), flags=re.M)
    assert "Millwright is the program inside" in about
    names = [version.partition("\n")[0] for version in versions]
    assert names[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(__version__)} - 20\d\d-\d\d-\d\d", names[1])


def test_readme_and_support_name_the_python_that_is_required() -> None:
    with (PROJECT / "pyproject.toml").open("rb") as file:
        needed = tomllib.load(file)["project"]["requires-python"].removeprefix(">=")
    assert f"Python {needed} or later" in (PROJECT / "README.md").read_text("utf-8")
    assert f"| Python | {needed} and later |" in (PROJECT / "systemd/README.md").read_text("utf-8")


def test_editorconfig_agrees_with_the_formatter() -> None:
    written = ConfigParser()
    written.read_string("[top]\n" + (PROJECT / ".editorconfig").read_text("utf-8"))
    assert written["top"].getboolean("root")
    assert written["*"].getboolean("insert_final_newline")
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    assert int(written["*.{py,pyi}"]["max_line_length"]) == settings["tool"]["ruff"]["line-length"]
    assert written["Makefile"]["indent_style"] == "tab"


@EACH
def test_links_lead_somewhere(name: str) -> None:
    path = DOCUMENTS[name]
    text = prose(path)
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"^\[[^\]]+\]: (\S+)$", text, re.M)
    for link in links:
        if link.startswith("https://"):
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def command(words: list[str]) -> tuple[Command | None, list[str]]:
    """Return the command that the words after `millwright` name, and the words that are left."""
    found: Command | None = main
    while isinstance(found, Group) and words and not words[0].startswith("-"):
        found, words = found.get_command(Context(found), words[0]), words[1:]
    return found, words


@EACH
def test_commands_exist(name: str) -> None:
    for words in re.findall(r"\bmillwright ([a-z].*)", code(DOCUMENTS[name])):
        found, rest = command(words.split())
        assert found is not None, words
        known = {
            option for parameter in found.params for option in (*parameter.opts, *parameter.secondary_opts)
        }
        for option in re.findall(r"(?<!\S)(--[a-z-]+)", " ".join(rest).partition("#")[0]):
            assert option in known | {"--help"}, f"{words}: {option}"


@EACH
def test_make_targets_exist(name: str) -> None:
    targets = {
        target for file in MAKEFILES for target in re.findall(r"^([a-z-]+):", file.read_text("utf-8"), re.M)
    }
    for target in re.findall(r"^(?:sudo )?make ([a-z][a-z-]*)", code(DOCUMENTS[name]), re.M):
        assert target in targets, target


@pytest.mark.parametrize("words", [["games", "show", "3"], ["config", "check"]])
def test_command_is_found_behind_its_group(words: list[str]) -> None:
    found, rest = command(words)
    assert found is not None
    assert rest == words[2:]
    assert CliRunner().invoke(found, ["--help"]).exit_code == 0
