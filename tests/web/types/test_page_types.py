"""Generated files are those of the table of settings, the page's messages and its markup."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.types.generate import elements, generated, protocol

SCHEMA = {
    "$defs": {
        "point": {"type": "string", "pattern": "^[a-z]+[0-9]+$"},
        "members": {"properties": {"at": {"$ref": "#/$defs/point"}, "count": {"type": ["integer", "null"]}}},
        "whole": {"$ref": "#/$defs/members", "required": ["at", "count"]},
        "placed": {"$ref": "#/$defs/members", "required": ["at"]},
        "either": {
            "properties": {"ok": {"const": True}, "error": {"type": "string"}},
            "oneOf": [
                {"required": ["ok"], "properties": {"error": False}},
                {"required": ["error"], "properties": {"ok": False}},
            ],
        },
        "pairs": {"type": "array", "items": {"type": "array", "items": {}, "minItems": 2, "maxItems": 2}},
    }
}
TYPESCRIPT = """
declare namespace Protocol {
  type Point = string;

  type Members = {
    at?: Point;
    count?: number | null;
  };

  type Whole = Required<Members>;

  type Placed = Members & Required<Pick<Members, "at">>;

  type Either = {
    ok: true;
    error?: undefined;
  } | {
    ok?: undefined;
    error: string;
  };

  type Pairs = ([unknown, unknown])[];
}
"""


@pytest.mark.parametrize("path", generated(), ids=lambda path: path.name)
def test_generated_files_are_up_to_date(path: Path) -> None:
    assert path.read_text("utf-8") == generated()[path], "run: make generated"


def test_protocol_keeps_names_and_optionality() -> None:
    assert protocol(SCHEMA).partition("\n")[2] == TYPESCRIPT


def test_protocol_refuses_an_unknown_keyword() -> None:
    with pytest.raises(ValueError, match="no translation"):
        protocol({"$defs": {"odd": {"not": {"type": "string"}}}})


def test_elements_refuses_an_id_of_two_tags() -> None:
    with pytest.raises(ValueError, match=r'id="note" is both <p> and <div>'):
        elements(['<p id="note"></p>', '<div id="note"></div>'])
