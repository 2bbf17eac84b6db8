"""The Debian package's papers: licences, changelog and manual page, made from what the package contains.

Invariants: `copyright` has the licence of each bundled package in full, as Debian's policy asks, in the
machine-readable format; a package whose licence can't be found ends the build. The manual page lists the
commands that the packaged program has.

usage: papers.py HOME DOC MAN VERSION MAINTAINER DATE    the folder of the modules, and those to write to
"""

from __future__ import annotations

import gzip
import re
import sys
from email.message import Message
from email.parser import Parser
from pathlib import Path

OWN = "millwright_board"
FORMAT = "https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"

LICENCE_OF = {"pyserial": ("BSD-3-Clause", "colorzero"), "segno": ("BSD-3-Clause", "segno")}
"""Packages that do not name their licence, or have no file of it: its name, and a package with its text."""

_HOLDER = re.compile(
    r"^[\s#*]*((?:Copyright\s.*|\([cC]\)\s+)\d{4}.*|Copyright\s*\(c\)\s+[A-Z].*)$", re.MULTILINE
)
_LICENCE_FILE = re.compile(r"(LICEN[CS]E|COPYING)[^/]*$")


class PapersError(Exception):
    """A paper that can't be made. The message says why."""


def copyright_text(home: Path) -> str:
    """Return the file `copyright`. Raises PapersError for a package without a licence."""
    folders = sorted(
        home.glob("*.dist-info"), key=lambda folder: (not folder.name.startswith(OWN), folder.name)
    )
    head = f"Format: {FORMAT}\nUpstream-Name: Millwright\n"
    return "\n".join([head, *(_stanza(home, folder) for folder in folders)])


def _stanza(home: Path, folder: Path) -> str:
    metadata = Parser().parsestr((folder / "METADATA").read_text("utf-8"))
    name = str(metadata["Name"])
    licence, texts = _licence(home, folder, metadata)
    files = "*" if folder.name.startswith(OWN) else _patterns(home, folder)
    holders = "\n ".join(_holders(home, folder, texts[0])) or str(
        metadata["Author"] or metadata["Author-email"]
    )
    if holders == "None":
        raise PapersError(f"{name} names nobody who holds its copyright.")
    indented = "\n".join(f" {line}" if line.strip() else " ." for line in "\n\n".join(texts).splitlines())
    return f"Files: {files}\nCopyright: {holders}\nLicense: {licence}\n{indented}\n"


def _licence(home: Path, folder: Path, metadata: Message) -> tuple[str, list[str]]:
    """Return the short name and the texts of a package's licence, first the one that names its holders."""
    name = str(metadata["Name"])
    if name in LICENCE_OF:
        short, other = LICENCE_OF[name]
        (folder,) = home.glob(f"{other}-*.dist-info")
    else:
        short = str(metadata["License-Expression"] or metadata["License"] or "").replace(" OR ", " or ")
    texts = [path.read_text("utf-8").strip() for path in _licence_files(folder)]
    if not short or not texts:
        raise PapersError(
            f"{name} has no licence that could be found. Look for it, and name it in LICENCE_OF."
        )
    return short, texts


def _licence_files(folder: Path) -> list[Path]:
    """Return the files with a package's licence, first those named so, then the others beside them."""
    named = sorted(path for path in folder.rglob("*") if path.is_file() and _LICENCE_FILE.search(str(path)))
    beside = sorted(path for path in (folder / "licenses").glob("*") if path.is_file() and path not in named)
    return [*named, *beside]


def _holders(home: Path, folder: Path, text: str) -> list[str]:
    """Return the copyright lines of a licence, or of all sources of its package if the licence has none.

    The lines of a text that the licence refers to, as of the Eclipse Foundation's, name its own holder.
    """
    sources = [text]
    if not _HOLDER.search(text):
        names = [path for path in _files(folder) if path.endswith(".py")]
        sources = [(home / name).read_text("utf-8", errors="replace") for name in names]
    return sorted({line.strip() for source in sources for line in _HOLDER.findall(source)})


def _files(folder: Path) -> list[str]:
    lines = (folder / "RECORD").read_text("utf-8").splitlines()
    return [line.split(",")[0] for line in lines if not line.startswith("..")]


def _patterns(home: Path, folder: Path) -> str:
    tops = {name.partition("/")[0] for name in _files(folder)}
    where = [f"{top}/*" if (home / top).is_dir() else top for top in sorted(tops)]
    return " ".join(f"usr/lib/millwright/{name}" for name in where)


def changelog(version: str, maintainer: str, date: str) -> str:
    """Return Debian's changelog, which refers to the project's own."""
    return (
        f"millwright ({version}) unstable; urgency=medium\n\n  * The changes are in CHANGELOG.md.\n\n"
        f" -- {maintainer}  {date}\n"
    )


def manual_page(version: str) -> str:
    """Return the manual page of the command `millwright`, with its commands as they describe themselves."""
    import click

    from firmware_host.cli import main

    with click.Context(main, info_name="millwright") as context:
        commands = {name: main.get_command(context, name) for name in main.list_commands(context)}
    entries = "".join(
        f".TP\n.B {name}\n{_roff(command.get_short_help_str(limit=200))}\n"
        for name, command in commands.items()
        if command is not None
    )
    return (
        f'.TH MILLWRIGHT 1 "" "Millwright {version}"\n.SH NAME\n'
        f"millwright \\- {_roff('the program inside a wooden board for mill games or Mitsudomoe')}\n"
        ".SH SYNOPSIS\n.B millwright\n.I COMMAND\n[\\fIARGUMENT\\fR]...\n.SH DESCRIPTION\n"
        f"{_roff(main.help or '')}\n.SH COMMANDS\n{entries}"
        ".PP\n.B millwright\n.I COMMAND\n.B \\-\\-help\ndescribes a command.\n"
        ".SH FILES\n.I /etc/millwright/millwright.toml\n.br\n.I /var/lib/millwright\n"
        ".br\n.I /var/cache/millwright\n"
    )


def _roff(text: str) -> str:
    line = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line.startswith((".", "'")) else line


def _write_gzip(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))


def write(home: Path, doc: Path, man: Path, version: str, maintainer: str, date: str) -> None:
    """Write all papers; `date` is in the format of RFC 2822."""
    sys.path.insert(0, str(home))
    doc.mkdir(parents=True, exist_ok=True)
    (doc / "copyright").write_text(copyright_text(home), "utf-8")
    _write_gzip(doc / "changelog.gz", changelog(version, maintainer, date))
    _write_gzip(man / "millwright.1.gz", manual_page(version))


if __name__ == "__main__":
    try:
        write(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), *sys.argv[4:])
    except PapersError as error:
        sys.exit(str(error))
