"""Plain language: phrases the project avoids, and how its docstrings open.

CONTRIBUTING.md has the rules; these tests find the violations that a machine can find. Each group of files
is allowed a number of them, which only ever goes down: after cleaning up, lower the number. At 0 a group is
clean. Code, commands and quoted output in documents aren't prose, and aren't checked.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.paths import PROJECT, documents, syntax_tree

pytestmark = pytest.mark.style

FETCHED = "node_modules"
"""A folder of other people's files."""

PHRASES_ALLOWED = {
    "documents": 0,
    "English catalogue": 0,
    "firmware_host": 0,
    "hardware": 0,
    "sim": 0,
    "systemd": 0,
    "tests": 0,
}
OPENINGS_ALLOWED = {
    "firmware_host": 0,
    "hardware": 0,
    "sim": 0,
    "systemd": 0,
    "tests": 0,
}

PHRASES = {
    r"anew": "again",
    r"as ever": "as usual",
    r"all the same": "still, nevertheless",
    r"just so": "exactly, like this",
    r"so (?:many|long)(?! as| that)": "name the number or the time",
    r"soonest": "fastest, first",
    r"meanwhile": "in the meantime, at the same time",
    r"rules kept here": "Invariants:",
    r"is a duty": "is required",
    r"(?:has|have|had) (?:it|them|none of them) not": "lacks it",
    r"(?:un)?felt(?! on varnished)": "read, detected",
    r"(?:sensors?|boards?|contacts?|switch(?:es)?|points?) feels?": "reads, detects",
    r"mishears?": "shows the wrong colours",
    r"(?:un)?told(?! apart)": "reported, published, sent",
    r"(?:dis)?believe[sd]?": "accepted, debounced, stable",
    r"(?:is|are|was|were|be) said": "is reported, says",
    r"(?:is|are|was|were|be) looked at": "is checked, read",
    r"(?:un)?mend(?:s|ed|ing)?": "fix, repair, correct",
    r"who never": "name the person: a new player, an owner",
    r"(?:for|to|of|by) who(?=\s)": "for people who, for anyone who",
    r"heard (?:from|of)": "received",
    r"as it comes": "as it is, with the defaults",
    r"(?:this|that|it|which) is no(?! longer| more| less| better| different)": "is not a",
    r"(?:and|or) else|[.;] else": "otherwise",
    r"(?:does|do) not play now": "has stopped",
    r"[,;] too(?=[,.;:)]|$)": "also, as well",
}
"""Each phrase, as a regular expression over whole words in any case, and words to use instead."""

FREE_RELATIVE = re.compile(r"(?:^|(?<=[.:;] ))(?:Who|What)\b[^.?!:;]*\.(?: |$)")
"""A sentence whose subject has no name, such as "Who is new is led by the page."."""

QUESTION = re.compile(r"(?:What|Which|Whose|Whether|How|Who|Where|When|Why)\b")


NAMES = {
    "anew": "again",
    "believed": "stable",
    "felt": "read, detected",
    "heard": "received",
    "keeper": "store",
    "mend": "repair, fix",
    "mended": "repaired, fixed",
    "mends": "repairs, fixes",
    "said": "message, text",
    "shelf": "archive",
    "told": "reported, published, sent",
    "unfelt": "ambiguity",
    "whereabouts": "paths",
    "worded": "translate",
}
"""Words that no name of a class, function, argument or variable contains, and names to use instead."""


_BLOCKS = re.compile(r"/\*.*?\*/|(?<![:\w\"'`])//[^\n]*(?:\n[ \t]*//[^\n]*)*", re.DOTALL)
_HASHES = re.compile(r"(?:^|(?<=\s))#[^\n]*(?:\n[ \t]*#[^\n]*)*")
COMMENTS = {
    **dict.fromkeys((".js", ".css", ".c", ".h"), _BLOCKS),
    **dict.fromkeys((".sh", ".conf", ".rules", ".service", ".socket", ".toml"), _HASHES),
    ".html": re.compile(r"<!--.*?-->", re.DOTALL),
}
"""The comments in files with these endings."""


class Paragraph(NamedTuple):
    """A paragraph, and where it stands."""

    place: str
    words: str


def paragraphs(path: Path) -> Iterator[Paragraph]:
    """Yield the prose of a document: headings, paragraphs, list items and rows of tables."""
    gathered: list[str] = []
    began, fenced, code, previous = 1, False, False, ""
    for number, line in enumerate([*path.read_text("utf-8").splitlines(), ""], 1):
        bare = line.strip()
        fenced ^= bare.startswith("```")
        code = line.startswith("    ") and (code or not previous) and not bare.startswith(("|", "- "))
        ends = not bare or bare.startswith(("|", "- ", "#", "```")) or re.match(r"\d+\. ", bare) is not None
        if ends or fenced or code:
            if gathered:
                yield Paragraph(f"{_name(path)}:{began}", _prose(" ".join(gathered)))
            gathered, began = [], number
        if bare and not (fenced or code or bare.startswith("```")):
            gathered.append(bare)
        previous = bare


def _prose(markdown: str) -> str:
    """Return the words without code spans, targets of links and emphasis."""
    words = re.sub(r"`[^`]*`", "``", markdown)
    words = re.sub(r"\]\([^)]*\)", "]", words)
    return words.replace("*", "").removeprefix("- ").strip()


def catalogue() -> Iterator[Paragraph]:
    """Yield the English texts of the page, of set-up and of faults."""
    for path in sorted((PROJECT / "firmware_host" / "web" / "static" / "words").glob("*en.json")):
        for key, words in json.loads(path.read_text("utf-8")).items():
            yield Paragraph(f"{path.name}: {key}", words)


def docstrings(package: str) -> Iterator[Paragraph]:
    """Yield the docstrings of a package, those of its constants and attributes included."""
    for path in sorted((PROJECT / package).rglob("*.py")):
        for node in ast.walk(syntax_tree(path)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                value = node.value.value
                if isinstance(value, str):
                    yield Paragraph(f"{_name(path)}:{node.lineno}", _prose(" ".join(value.split())))


def comments(package: str) -> Iterator[Paragraph]:
    """Yield the comments of a package."""
    for path in sorted((PROJECT / package).rglob("*.py")):
        source = io.StringIO(path.read_text("utf-8"))
        for token in tokenize.generate_tokens(source.readline):
            if token.type == tokenize.COMMENT:
                yield Paragraph(f"{_name(path)}:{token.start[0]}", token.string.lstrip("# "))


def script_comments(folder: str) -> Iterator[Paragraph]:
    """Yield the comments of other languages than Python: the page's, the firmware's and the scripts'."""
    for path in sorted((PROJECT / folder).rglob("*")):
        marks = COMMENTS.get(path.suffix)
        if marks is None or not path.is_file() or FETCHED in path.parts:
            continue
        source = path.read_text("utf-8")
        for found in marks.finditer(source):
            words = re.sub(r"\n[ \t]*(?:\*(?!/)|//|#)?", " ", found[0]).strip("/*#<!-> ")
            yield Paragraph(f"{_name(path)}:{source.count(chr(10), 0, found.start()) + 1}", _prose(words))


def texts(group: str) -> Iterator[Paragraph]:
    """Yield the prose of one group of files."""
    if group == "documents":
        for path in documents():
            yield from paragraphs(path)
    elif group == "English catalogue":
        yield from catalogue()
    else:
        yield from docstrings(group)
        yield from comments(group)
        yield from script_comments(group)


def _name(path: Path) -> str:
    return str(path.relative_to(PROJECT))


def violations(text: Paragraph) -> Iterator[str]:
    """Yield what to change in a paragraph, one line each."""
    for phrase, instead in PHRASES.items():
        for found in re.finditer(rf"\b(?:{phrase})\b", text.words, re.IGNORECASE):
            yield f'{text.place}: "{found[0]}"; better: {instead}'
    for found in FREE_RELATIVE.finditer(text.words):
        yield f'{text.place}: "{found[0][:60].strip()}"; better: name the subject'


def assert_at_most(allowed: int, found: list[str]) -> None:
    """Fail with the violations if there are more than `allowed`."""
    if len(found) > allowed:
        pytest.fail("\n".join([f"{len(found)} found, {allowed} allowed:", *found]), pytrace=False)


@pytest.mark.parametrize("group", PHRASES_ALLOWED)
def test_phrases_that_puzzle_are_avoided(group: str) -> None:
    assert_at_most(PHRASES_ALLOWED[group], [one for text in texts(group) for one in violations(text)])


@pytest.mark.parametrize("package", OPENINGS_ALLOWED)
def test_docstrings_and_scripts_open_with_a_verb_or_noun(package: str) -> None:
    opened = [*docstrings(package), *script_comments(package)]
    found = [f"{place}: {words[:80]}" for place, words in opened if QUESTION.match(words)]
    assert_at_most(OPENINGS_ALLOWED[package], found)


def names(package: str) -> Iterator[tuple[str, str]]:
    """Yield each name that a package defines, with its place."""
    for path in sorted((PROJECT / package).rglob("*.py")):
        for node in ast.walk(syntax_tree(path)):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    yield f"{_name(path)}:{node.lineno}", name
                case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                    yield f"{_name(path)}:{node.lineno}", name
                case ast.Attribute(attr=name, ctx=ast.Store()):
                    yield f"{_name(path)}:{node.lineno}", name


@pytest.mark.parametrize("package", ["firmware_host", "hardware", "sim", "systemd"])
def test_names_are_the_terms_of_the_field(package: str) -> None:
    found = [
        f"{place}: {name}; better: {NAMES[word]}"
        for place, name in names(package)
        for word in re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())
        if word in NAMES
    ]
    assert_at_most(0, found)


@pytest.mark.parametrize(
    "words",
    [
        "It begins anew.",
        "Rules kept here: none.",
        "24 readings that were felt.",
        "After so many seconds it ends.",
        "The game is over. Who never played is led by the page.",
        "It is kept, too.",
        "It is kept, and else lost.",
        "A board that was never heard from.",
        "Set it; else it is read.",
        "This is no Raspberry Pi.",
    ],
)
def test_language_check_finds_a_phrase(words: str) -> None:
    assert list(violations(Paragraph("here", words)))


@pytest.mark.parametrize(
    "words",
    [
        "Who is to move?",
        "As long as it is on, so long as nothing fails.",
        "It is no longer used, and its size isn't too large.",
        "What it is made of",
        "Renewed and retold.",
    ],
)
def test_language_check_accepts_plain_words(words: str) -> None:
    assert not list(violations(Paragraph("here", words)))


def test_documents_are_checked_without_their_code(tmp_path: Path) -> None:
    path = PROJECT / "sim" / "README.md"
    words = " ".join(text.words for text in paragraphs(path))
    assert "Time is virtual" in words
    assert "meanwhile" in path.read_text("utf-8")
    assert "meanwhile" not in words
