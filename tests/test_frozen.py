"""Values: how they compare, and that mypy lets nobody set their fields."""

from __future__ import annotations

from dataclasses import field, replace
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


@frozen
class Noted:
    """A number with a remark."""

    one: int
    remark: str = field(default="", compare=False, repr=False)


@frozen
class Nothing:
    """A value without fields."""


@frozen
class Own:
    """A value with methods of its own."""

    one: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return "own"


@frozen(eq=False, kw_only=True, slots=False)
class Thing:
    """A thing that is like no other."""

    size: int


def test_frozen_equal_fields_make_equal_values() -> None:
    assert Pair(1) == Pair(1, 0)
    assert Pair(1) != Pair(0, 1)
    assert len({Pair(1), Pair(1, 0), Pair(2)}) == 2


def test_frozen_field_left_out_of_comparisons_makes_no_difference() -> None:
    assert Noted(1, "a") == Noted(1, "b")
    assert Noted(1) != Noted(2)
    assert len({Noted(1, "a"), Noted(1, "b")}) == 1


def test_frozen_values_of_different_classes_differ() -> None:
    values: list[object] = [Pair(1), Noted(1), Nothing(), Nothing()]
    assert len(set(values)) == 3
    assert values[0] != values[1]
    assert values[0] != values[2] == values[3]


def test_frozen_value_is_shown_with_its_fields() -> None:
    assert repr(Pair(1)) == "Pair(one=1, other=0)"
    assert repr(Noted(2, "x")) == "Noted(one=2)"
    assert repr(Thing(size=3)) == "Thing(size=3)"


def test_frozen_keeps_the_methods_of_its_class() -> None:
    assert (repr(Own(1)), Own(1) == Own(2), hash(Own(1))) == ("own", True, 7)


def test_frozen_replace_gives_a_value_with_other_fields() -> None:
    assert replace(Pair(1, 2), one=3) == Pair(3, 2)


def test_frozen_value_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError):
        setattr(Pair(1), "third", 3)  # noqa: B010 - mypy sees it otherwise


def test_frozen_without_eq_equals_nothing_but_itself() -> None:
    thing = Thing(size=1)
    assert thing != Thing(size=1)
    assert len({thing, thing, Thing(size=1)}) == 2
    assert vars(thing) == {"size": 1}


@pytest.mark.ci("programs")
def test_frozen_field_that_is_set_is_found_by_mypy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    (tmp_path / "sets_a_field.py").write_text(SETS_A_FIELD, "ascii")
    options = ["--strict", "--config-file=", f"--cache-dir={tmp_path}", str(tmp_path / "sets_a_field.py")]
    out, _errors, status = api.run(options)
    assert (status, out.count("error:")) == (1, 1)
    assert 'Property "one" defined in "Pair" is read-only' in out
