"""The Debian package's papers: the licence of everything that is in it."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.systemd.files import FOLDER

MIT = "MIT License\n\nCopyright (c) 2020 Ann Other\n\nPermission is hereby granted.\n"


def load_papers() -> ModuleType:
    spec = spec_from_file_location("millwright_papers", FOLDER / "deb" / "papers.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


papers = load_papers()


def unpack(home: Path, name: str, *, licence: str = MIT, metadata: str = "License-Expression: MIT\n") -> None:
    """Lay a package of one module into a folder, as pip does."""
    folder = home / f"{name}-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{metadata}\nText")
    (home / f"{name}.py").write_text("# (C) 2001-2020 Chris <c@example.org>\n")
    (folder / "RECORD").write_text(f"../bin/{name},,\n{name}.py,sha256=0,1\n{folder.name}/METADATA,,\n")
    if licence:
        (folder / "LICENSE.txt").write_text(licence)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    unpack(tmp_path, "millwright_board")
    return tmp_path


def stanzas(home: Path) -> dict[str, str]:
    """The stanzas of the file, by what they say of files."""
    _, *found = papers.copyright_text(home).split("\nFiles: ")
    return {stanza.partition("\n")[0]: stanza for stanza in found}


def test_each_package_has_its_licence_in_full(home: Path) -> None:
    unpack(home, "alpha", metadata="License-Expression: MIT OR Apache-2.0\n")
    own, alpha = stanzas(home).items()
    assert own[0] == "*"
    assert alpha[0] == "usr/lib/millwright/alpha-1.0.dist-info/* usr/lib/millwright/alpha.py"
    assert (
        "Copyright: Copyright (c) 2020 Ann Other\nLicense: MIT or Apache-2.0\n MIT License\n .\n" in alpha[1]
    )
    assert " Permission is hereby granted.\n" in alpha[1]


def test_texts_that_a_licence_refers_to_are_in_full_too(home: Path) -> None:
    unpack(home, "mqtt", licence="Dual licensed: see epl-v20 and edl-v10.\n")
    folder = home / "mqtt-1.0.dist-info" / "licenses"
    folder.mkdir()
    (folder / "edl-v10").write_text("Copyright (c) 2007, Eclipse Foundation.\n\nRedistribution and use\n")
    stanza = list(stanzas(home).values())[1]
    assert " Dual licensed: see epl-v20 and edl-v10.\n .\n Copyright (c) 2007, Eclipse" in stanza
    assert " Redistribution and use\n" in stanza
    assert "Copyright: (C) 2001-2020 Chris <c@example.org>\n" in stanza


def test_holders_are_taken_from_the_sources_where_the_licence_names_none(home: Path) -> None:
    unpack(home, "beta", licence="Redistribution is permitted.\n")
    assert "Copyright: (C) 2001-2020 Chris <c@example.org>\n" in list(stanzas(home).values())[1]


def test_a_known_package_without_a_file_takes_the_text_of_another(home: Path) -> None:
    unpack(home, "colorzero", licence="Redistribution is permitted.\n", metadata="License: BSD-3-Clause\n")
    unpack(home, "pyserial", licence="", metadata="License: BSD\n")
    pyserial = list(stanzas(home).values())[-1]
    assert "License: BSD-3-Clause\n Redistribution is permitted.\n" in pyserial


@pytest.mark.parametrize(("licence", "metadata"), [("", "License: MIT\n"), (MIT, "")])
def test_a_package_without_a_licence_ends_the_build(home: Path, licence: str, metadata: str) -> None:
    unpack(home, "gamma", licence=licence, metadata=metadata)
    with pytest.raises(papers.PapersError, match="gamma has no licence that could be found"):
        papers.copyright_text(home)


def test_the_manual_page_names_every_command() -> None:
    page = papers.manual_page("1.2.3")
    assert '"Millwright 1.2.3"' in page
    for command in ("run", "setup", "doctor", "boot"):
        assert f"\n.TP\n.B {command}\n" in page
    assert not [line for line in page.splitlines() if line.startswith("'")]
