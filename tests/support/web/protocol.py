"""The protocol's schema, held against every message that tests see; and what a page makes of the messages.

A new message or member is added to firmware_host/web/protocol.schema.json, and to the README beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

import firmware_host.web

SCHEMA_PATH = Path(firmware_host.web.__file__).with_name("protocol.schema.json")
SCHEMA = json.loads(SCHEMA_PATH.read_text("utf-8"))
FROM_PAGE = [case["$ref"].rpartition("/")[2] for case in SCHEMA["$defs"]["from-page"]["oneOf"]]
FROM_BOARD = SCHEMA["$defs"]["from-board"]["properties"]["type"]["enum"]


def check_from_board(message: Mapping[str, Any]) -> None:
    """Fail unless the schema has this message of the board."""
    _check(message, message.get("type") if message.get("type") in FROM_BOARD else "from-board")


def check_from_page(request: Mapping[str, Any]) -> None:
    """Fail unless the schema has this request of a page, its `id` included."""
    verbs = [verb for verb in FROM_PAGE if verb in request]
    _check(request, "from-page")
    assert len(verbs) == 1


def _check(message: Mapping[str, Any], name: Any) -> None:
    error = best_match(_validator(name).iter_errors(message))
    if error is None:
        return
    where = ".".join(map(str, error.absolute_path)) or "the message"
    shown = json.dumps(message)
    raise AssertionError(
        f"{SCHEMA_PATH.name}, {name}: {where}: {error.message}. What is new is added there and in README.md. "
        f"It was {shown if len(shown) < 500 else shown[:500] + ' ...'}"
    )


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{name}"}]})


def merged(whole: dict[str, Any] | None, message: dict[str, Any]) -> dict[str, Any]:
    """Return a page's knowledge after `message`, complete or a change of `whole`; there must be no gap."""
    if message["type"] != "change":
        return message
    assert whole is not None, "a change came before everything was told"
    assert message["after"] == whole["seq"], "a change does not build on what was told last"
    after = {**whole, **{key: value for key, value in message.items() if key not in ("type", "after")}}
    for key in ("state", "table"):
        if message.get(key) and whole[key]:
            after[key] = {**whole[key], **message[key]}
    return after
