"""The page that a browser gets for an error: one sentence, in the language that it asks for.

Invariants: the page loads nothing, since whatever it asks for may be refused as well. A program, which does
not ask for HTML, gets the sentence alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from firmware_host.i18n import ENGLISH, LANGUAGES, Message, translate

_WISH = re.compile(r"\s*([a-zA-Z]{1,8})(?:-[a-zA-Z0-9]{1,8})*\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?))?\s*")
_LONGEST = 500
_PAGE = """<!DOCTYPE html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Millwright</title>
<main>
<h1>Millwright</h1>
<p>{sentence}</p>
<p><a href="{address}">{link}</a></p>
</main>
</html>
"""
_NO_HEADERS: Mapping[str, str] = {}


def error_response(
    asked: Headers,
    message: Message,
    status: int,
    *,
    address: str = "/",
    headers: Mapping[str, str] = _NO_HEADERS,
) -> Response:
    """Return the response to a request with the headers `asked`, with a link to the board's `address`."""
    language = language_of(asked.get("accept-language", ""))
    sentence = translate(message, language)
    headers = {**headers, "Content-Language": language, "Vary": "Accept, Accept-Language"}
    if "text/html" not in asked.get("accept", ""):
        return PlainTextResponse(f"{sentence}\n", status, headers)
    link = translate(Message("http.to-board"), language)
    parts = {"sentence": sentence, "address": address, "link": link}
    page = _PAGE.format(language=language, **{name: escape(text) for name, text in parts.items()})
    return HTMLResponse(page, status, headers)


def language_of(accepted: str) -> str:
    """Return the first of LANGUAGES in an Accept-Language header (RFC 9110, 12.5.4), else English."""
    wishes = [wish for part in accepted[:_LONGEST].split(",") if (wish := _WISH.fullmatch(part))]
    wishes.sort(key=lambda wish: -float(wish[2] or 1))
    known = (wish[1].lower() for wish in wishes if float(wish[2] or 1))
    return next((language for language in known if language in LANGUAGES), ENGLISH)
