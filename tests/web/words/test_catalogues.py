"""Each catalogue says all that program and page can say, and nothing else."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import (
    DamagedStoreError,
    NoGameError,
    RequestError,
    SensorError,
    StoreError,
    StripError,
)
from firmware_host.i18n import LANGUAGES as WORDED
from firmware_host.i18n import Message, catalogue, to_english, translate
from tests.support.web.spoken import (
    CARD_CATALOGUES,
    CATALOGUES,
    CONFIG_CATALOGUES,
    DOCTOR_CATALOGUES,
    DRAWER_CATALOGUES,
    DRIVERS,
    FAULT_CATALOGUES,
    HTTP_CATALOGUES,
    LANGUAGES,
    LINK_CATALOGUES,
    MITSUDOMOE_CATALOGUES,
    PROGRAM,
    PUZZLE_CATALOGUES,
    ROOMS_CATALOGUES,
    SETUP_CATALOGUES,
    SIMULATION,
    SPEECH_CATALOGUES,
    STATIC,
    STUDY_CATALOGUES,
    UPDATE_CATALOGUES,
    WALL_CATALOGUES,
    WIFI_CATALOGUES,
    WORKSHOP_CATALOGUES,
    said_in,
)

EACH = pytest.mark.parametrize(
    ("catalogues", "own"),
    [
        (CATALOGUES, ""),
        (SETUP_CATALOGUES, "setup"),
        (DRAWER_CATALOGUES, "drawer"),
        (FAULT_CATALOGUES, "fault"),
        (HTTP_CATALOGUES, "http"),
        (CARD_CATALOGUES, "card"),
        (LINK_CATALOGUES, "link"),
        (WALL_CATALOGUES, "wall"),
        (ROOMS_CATALOGUES, "rooms"),
        (SPEECH_CATALOGUES, "speech"),
        (MITSUDOMOE_CATALOGUES, "mitsudomoe"),
        (STUDY_CATALOGUES, "study"),
        (PUZZLE_CATALOGUES, "puzzle"),
        (UPDATE_CATALOGUES, "update"),
        (WIFI_CATALOGUES, "wifi"),
        (WORKSHOP_CATALOGUES, "workshop"),
        (CONFIG_CATALOGUES, "config"),
        (DOCTOR_CATALOGUES, "doctor"),
    ],
    ids=[
        "play",
        "set-up",
        "drawer",
        "faults",
        "http",
        "card",
        "link",
        "wall",
        "rooms",
        "speech",
        "mitsudomoe",
        "study",
        "puzzle",
        "update",
        "wifi",
        "workshop",
        "settings",
        "findings",
    ],
)
ALL_CATALOGUES = (
    *(CATALOGUES, SETUP_CATALOGUES, DRAWER_CATALOGUES),
    *(FAULT_CATALOGUES, HTTP_CATALOGUES, LINK_CATALOGUES, WALL_CATALOGUES, ROOMS_CATALOGUES),
    *(SPEECH_CATALOGUES, MITSUDOMOE_CATALOGUES, STUDY_CATALOGUES, CARD_CATALOGUES, PUZZLE_CATALOGUES),
    *(UPDATE_CATALOGUES, WIFI_CATALOGUES, WORKSHOP_CATALOGUES, CONFIG_CATALOGUES, DOCTOR_CATALOGUES),
)
EVERYTHING = {
    language: {key: text for catalogues in ALL_CATALOGUES for key, text in catalogues[language].items()}
    for language in LANGUAGES
}


def gaps(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\{(\w*)\}", text))


def test_there_is_a_catalogue_for_each_language() -> None:
    for catalogues in ALL_CATALOGUES:
        assert sorted(catalogues) == sorted(LANGUAGES)
    offered = re.search(r"const LANGUAGES = \{(.*?)\};", (STATIC / "begin.js").read_text("utf-8"))
    assert offered is not None
    assert re.findall(r"(\w+): \"", offered[1]) == list(LANGUAGES)


def test_much_is_said() -> None:
    assert {"places.white", "why.blocked.black", "cue.mill", "rules.six", "page.in-hand"} <= set(said_in())
    assert {"setup.put.white.lit", "setup.either.any.at", "setup.corner.lower.left"} <= set(said_in("setup"))
    assert {"setup.progress", "setup.title", "setup.not-saved", "setup.wired.leds"} <= set(said_in("setup"))


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_says_all_and_nothing_else(catalogues, own, language: str) -> None:
    assert sorted(catalogues[language]) == sorted(said_in(own))


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_text_has_gaps_for_what_is_given(catalogues, own, language: str) -> None:
    assert {key: gaps(text) for key, text in catalogues[language].items()} == said_in(own)


def test_only_the_page_of_set_up_says_what_is_in_its_catalogues() -> None:
    """If others used these texts, the page of play could not translate them."""
    for path in [*STATIC.glob("*.js"), *STATIC.glob("*.html")]:
        page = path.read_text("utf-8")
        if path.stem not in ("setup", "findings", "logs", "chain"):
            assert not re.search(r"[\"'`]setup\.(?!html)", page), path.name
            assert 'data-words="setup"' not in page or path.suffix == ".js", path.name
    assert 'data-words="setup"' in (STATIC / "setup.html").read_text("utf-8")


def test_only_what_learns_the_words_of_the_drawer_says_them() -> None:
    for path in [*STATIC.glob("*.js"), *STATIC.glob("*.html")]:
        if re.search(r"[\"'`]drawer\.(?!js|css)", path.read_text("utf-8")):
            assert path.name in {"drawer.js", "watching.js", "breakable.js", "stories.js"}
    for name in ("drawer.js", "watching.js"):
        assert re.search(r'^await .*\blearn\("drawer"\)', (STATIC / name).read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_sentences_are_translated(language: str) -> None:
    """Only names, of rules, parts and a key, a code, and what is nothing but a gap are the same."""
    english_words = EVERYTHING["en"]
    same = {key for key, text in EVERYTHING[language].items() if text == english_words[key]}
    gaps = {"setup.enter", "fault.store.file", "repair.comma", "hint.shown", "hint.then", "hint.besides"}
    gaps |= {"clock.minutes", "clock.fischer", "code.label", "fault.file.both", "rooms.says"} | {
        "speech.choice",
        "speech.chosen",
        "speech.fault",
        "drawer.now.named",
        "drawer.now.as-broken",
    }
    gaps |= {
        "doctor.quoted",
        "doctor.comma",
        "doctor.also",
        "doctor.wire",
        "doctor.select.seen",
        "doctor.led-order.led",
    }
    names = (
        "rules.",
        "setup.part.",
        "doctor.check.",
        "doctor.count.",
        "doctor.chip",
        "doctor.plug",
        "doctor.pin",
    )
    assert all(key.startswith(names) for key in same - gaps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_clean(language: str) -> None:
    for key, text in EVERYTHING[language].items():
        assert text == " ".join(text.split()), key
        assert not re.search(r"[<>]|\.\.|''", text), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_end_without_a_period(language: str) -> None:
    """A reason stands within a sentence, which has a period of its own: "It can't be downloaded: {why}."."""
    reasons = re.compile(r"(refused|why|fault|hands)\.")
    assert [
        key for key, text in EVERYTHING[language].items() if reasons.match(key) and text.endswith(".")
    ] == []


def test_markup_has_the_english_words_until_the_catalogue_is_there() -> None:
    for path in STATIC.glob("*.html"):
        page = path.read_text("utf-8")
        for key, text in re.findall(r'data-say="([^"]+)"[^>]*>([^<]*)<', page):
            assert text == EVERYTHING["en"][key]
        for key, text in re.findall(r'data-say-label="([^"]+)" aria-label="([^"]*)"', page):
            assert text == EVERYTHING["en"][key]
        for language in LANGUAGES:
            assert f'<p lang="{language}">{CATALOGUES[language]["page.no-scripts"]}</p>' in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_those_of_the_page(language: str) -> None:
    assert catalogue(language) == EVERYTHING[language]
    assert language in WORDED


def test_what_is_said_is_said_in_each_language() -> None:
    said = Message("takes.white.many", {"points": ("d6", "f4", "g1")})
    assert translate(said, "de").startswith("Weiß schlägt die Steine von d6, f4 und g1:")
    assert translate(Message("repair", {"what": Message("repair.take-away", {"points": ("d6",)})}), "es") == (
        "El tablero no coincide con la partida: retira lo que hay en d6."
    )


def test_the_text_of_an_error_is_what_it_says_in_english() -> None:
    error = RequestError(Message("refused.no-point", {"text": "z9"}))
    assert str(error) == "this board has no point z9"
    assert error.message == Message("refused.no-point", {"text": "z9"})


def test_what_a_driver_wrote_is_never_filled_again() -> None:
    assert to_english(Message("cannot-feel", {"text": "{text} {points}"})) == (
        "The board has stopped: {text} {points}."
    )


SHOWN = {"SensorError", "StripError", "StoreError", "DamagedStoreError", "NoGameError"}
"""The errors whose words pages show as they come."""


@pytest.mark.parametrize("folder", [PROGRAM, DRIVERS, SIMULATION], ids=lambda path: path.name)
def test_what_fails_is_never_a_text_that_only_english_has(folder: Path) -> None:
    for path in folder.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in SHOWN:
                what = ast.unparse(call.args[0]) if call.args else "nothing"
                assert len(call.args) == 1, f"{path.name}:{call.lineno} says {what} twice"
                assert not isinstance(call.args[0], ast.Constant | ast.JoinedStr), f"{path.name}: {what}"


@pytest.mark.parametrize("kind", [SensorError, StripError, StoreError, DamagedStoreError, NoGameError])
def test_what_fails_cannot_be_told_without_a_key(kind: type[Exception]) -> None:
    assert vars(kind(Message("fault.adc.silent")))["message"] == Message("fault.adc.silent")
    assert str(kind(Message("fault.adc.silent"))).startswith("no MCP3008 answers")
    with pytest.raises(TypeError):
        kind()


@given(st.text(), st.text())
def test_anything_can_be_said(key: str, text: str) -> None:
    assert to_english(Message(key, {"text": text})) is not None
    assert text in to_english(Message("cannot-feel", {"text": text}))
