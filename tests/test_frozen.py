"""Values: how they compare, and that mypy lets nobody set their fields."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy import api

from firmware_host.frozen import frozen
from tests.support.paths import PROJECT

SETS_A_FIELD = """
from firmware_host.frozen import frozen

@frozen
class Pair:
    one: int
    other: int = 0

Pair(1).one = 2
"""


@frozen
class Pair:
    """Two numbers."""

    one: int
    other: int = 0


@frozen(eq=False, kw_only=True, slots=False)
class Thing:
    """A thing that is like no other."""

    size: int


def test_frozen_equal_fields_make_equal_values() -> None:
    assert Pair(1) == Pair(1, 0)
    assert Pair(1) != Pair(0, 1)
    assert len({Pair(1), Pair(1, 0), Pair(2)}) == 2


def test_frozen_value_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError):
        setattr(Pair(1), "third", 3)  # noqa: B010 - mypy sees it otherwise


def test_frozen_without_eq_equals_nothing_but_itself() -> None:
    thing = Thing(size=1)
    assert thing != Thing(size=1)
    assert len({thing, thing, Thing(size=1)}) == 2
    assert vars(thing) == {"size": 1}


@pytest.mark.ci
def test_frozen_field_that_is_set_is_found_by_mypy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    (tmp_path / "sets_a_field.py").write_text(SETS_A_FIELD, "ascii")
    options = ["--strict", "--config-file=", f"--cache-dir={tmp_path}", str(tmp_path / "sets_a_field.py")]
    out, _errors, status = api.run(options)
    assert (status, out.count("error:")) == (1, 1)
    assert 'Property "one" defined in "Pair" is read-only' in out
