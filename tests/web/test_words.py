"""Each catalogue says all that program and page can say, and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spoken import CATALOGUES, LANGUAGES, SAID, SETUP_CATALOGUES, SETUP_SAID, STATIC

from firmware_host.english import english
from firmware_host.said import Said
from firmware_host.words import catalogue

BOTH = pytest.mark.parametrize(
    ("catalogues", "said"),
    [(CATALOGUES, SAID), (SETUP_CATALOGUES, SETUP_SAID)],
    ids=["play", "set-up"],
)
EVERYTHING = {language: {**CATALOGUES[language], **SETUP_CATALOGUES[language]} for language in LANGUAGES}


def gaps(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\{(\w*)\}", text))


def test_there_is_a_catalogue_for_each_language() -> None:
    assert sorted(CATALOGUES) == sorted(SETUP_CATALOGUES) == sorted(LANGUAGES)
    offered = re.search(r"const LANGUAGES = \{(.*?)\};", (STATIC / "words.js").read_text("utf-8"))
    assert offered is not None
    assert re.findall(r"(\w+): \"", offered[1]) == list(LANGUAGES)


def test_much_is_said() -> None:
    assert {"places.white", "why.blocked.black", "cue.mill", "rules.six", "page.in-hand"} <= set(SAID)
    assert {"setup.put.white.lit", "setup.either.any.at", "setup.corner.lower.left"} <= set(SETUP_SAID)
    assert {"setup.progress", "setup.title", "setup.not-saved", "setup.wired.leds"} <= set(SETUP_SAID)


@BOTH
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_says_all_and_nothing_else(catalogues, said, language: str) -> None:
    assert sorted(catalogues[language]) == sorted(said)


@BOTH
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_text_has_gaps_for_what_is_given(catalogues, said, language: str) -> None:
    assert {key: gaps(text) for key, text in catalogues[language].items()} == said


def test_only_the_page_of_set_up_says_what_is_in_its_catalogues() -> None:
    """What others said of it, the page of play could not put into words."""
    for path in [*STATIC.glob("*.js"), *STATIC.glob("*.html")]:
        page = path.read_text("utf-8")
        if path.stem != "setup":
            assert not re.search(r"[\"'`]setup\.(?!html)", page), path.name
            assert "data-words" not in page or path.suffix == ".js", path.name
    assert 'data-words="setup"' in (STATIC / "setup.html").read_text("utf-8")


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_sentences_are_translated(language: str) -> None:
    """Only names, of rules and of a key, are the same as in English, and what is nothing but a gap."""
    english_words = EVERYTHING["en"]
    same = {key for key, text in EVERYTHING[language].items() if text == english_words[key]}
    assert all(key.startswith("rules.") for key in same - {"setup.enter", "setup.place"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_clean(language: str) -> None:
    for key, text in EVERYTHING[language].items():
        assert text == " ".join(text.split()), key
        assert not re.search(r"[<>]|\.\.|''", text), key


def test_markup_has_the_english_words_until_the_catalogue_is_there() -> None:
    for path in STATIC.glob("*.html"):
        page = path.read_text("utf-8")
        for key, text in re.findall(r'data-say="([^"]+)"[^>]*>([^<]*)<', page):
            assert text == EVERYTHING["en"][key]
        for key, text in re.findall(r'data-say-label="([^"]+)" aria-label="([^"]*)"', page):
            assert text == EVERYTHING["en"][key]
        for language in LANGUAGES:
            assert f'<p lang="{language}">{CATALOGUES[language]["page.no-scripts"]}</p>' in page


def test_english_is_that_of_the_page() -> None:
    assert catalogue("en") == EVERYTHING["en"]


def test_what_a_driver_wrote_is_never_filled_again() -> None:
    assert english(Said("cannot-feel", {"text": "{text} {points}"})) == (
        "The board cannot feel its pieces: {text} {points}."
    )


@given(st.text(), st.text())
def test_anything_can_be_said(key: str, text: str) -> None:
    assert english(Said(key, {"text": text})) is not None
    assert text in english(Said("cannot-feel", {"text": text}))
