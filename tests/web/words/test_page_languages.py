"""The page in each language, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from firmware_host.i18n import Arg, Message, to_english, translate
from tests.support.matrix import sampled
from tests.support.web.browsing import Lender, OpenPage, choose, leave, new_page
from tests.support.web.fake_board import FakeBoard
from tests.support.web.keyboard import Keyboard
from tests.support.web.spoken import (
    CATALOGUES,
    FAULT_CATALOGUES,
    LANGUAGES,
    examples,
    said_by,
    said_in,
)

PHONE = {"width": 360, "height": 740}
REMOVAL = Message("may-remove.white.at", {"points": ("d6", "g7")})

SENTENCES = {
    "en-US": "White closed a mill at d6 and g7: take one of the lit black pieces off the board, or let Black "
    "play on.",
    "es-MX": "Las blancas han cerrado un molino en d6 y g7: retira del tablero una de las fichas negras "
    "iluminadas, o deja que las negras sigan jugando.",
    "pt-BR": "As brancas fecharam um moinho em d6 e g7: retire do tabuleiro uma das peças pretas iluminadas, "
    "ou deixe que as pretas continuem.",
    "de-DE": "Weiß hat auf d6 und g7 eine Mühle geschlossen: Nimm einen der beleuchteten schwarzen Steine "
    "vom Brett oder lass Schwarz weiterspielen.",
}
NEVER_FLYING = {
    "en-US": " · Flying with three pieces: never",
    "es-MX": " · Volar con tres fichas: nunca",
    "pt-BR": " · Voar quando restam três peças: nunca",
    "de-DE": " · Springen mit drei Steinen: nie",
}


@pytest.fixture(scope="module")
def board() -> Iterator[FakeBoard]:
    """A board whose page says that a removal is due."""
    board = FakeBoard()
    text = "no answer <b>at all</b>"
    board.submit({"put": "d6", "piece": "white"})
    board.say(
        said=REMOVAL.as_dict(),
        can=["take-back", "redo", "decline", "pause", "draw", "resign"],
        cues={"d6": ["mill"]},
        in_hand={"white": 8, "black": 0},
        rules="twelve flying=never",
        faults=[text],
        faults_said=[Message("fault.leds", {"text": text}).as_dict()],
    )
    yield board
    board.server.close()


@pytest.fixture(scope="module")
def spoken(lender: Lender, board: FakeBoard) -> Iterator[dict[str, Page]]:
    """The page in each language, for tests that only look at it."""
    with lender.lending() as lend:
        opened = {locale[:2]: lend(locale=locale, viewport=PHONE) for locale in SENTENCES}
        for page in opened.values():
            arrive(page, board)
        yield opened


def arrive(page: Page, board: FakeBoard, query: str = "") -> Page:
    page.goto(board.server.address + query)
    expect(page.locator("#players .to-move")).to_be_visible()
    return page


@pytest.mark.parametrize("locale", SENTENCES)
def test_the_page_speaks_the_language_of_the_browser(
    spoken: dict[str, Page], board: FakeBoard, locale: str
) -> None:
    page = spoken[locale[:2]]
    words = CATALOGUES[locale[:2]]
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    expect(page.locator("#sentence")).to_have_text(SENTENCES[locale])
    for button in ("decline", "clear"):
        expect(page.locator(f"#{button}")).to_have_text(words[f"page.{button}"])
    expect(page.locator("#begin")).to_have_text(words["page.new-game"])
    expect(page.locator("dt").last).to_have_text(words["page.black"])
    expect(page.locator("dd").first).to_have_text(words["page.in-hand"].replace("{count}", "8"))
    expect(page.locator("#faults li")).to_have_text(
        FAULT_CATALOGUES[locale[:2]]["fault.leds"].replace("{text}", board.state["faults"][0])
    )
    expect(page.locator("#rules")).to_have_text(words["rules.twelve"] + NEVER_FLYING[locale])
    expect(page.locator("#rule-set option")).to_have_text(
        [words[f"rules.{n}"] for n in ("standard", "lasker", "six")]
    )
    expect(page.locator("#stage")).to_have_attribute("aria-label", words["page.stage"])
    d6 = f"d6, {words['piece.white']}, {words['cue.mill']}"
    expect(page.locator("#hands [data-point=d6]")).to_have_attribute("aria-label", d6)


@pytest.mark.parametrize("locale", SENTENCES)
def test_nothing_is_cut_on_a_phone(spoken: dict[str, Page], locale: str) -> None:
    page = spoken[locale[:2]]
    expect(page.locator("#sentence")).to_have_text(SENTENCES[locale])
    too_wide = """() => [...document.querySelectorAll("body *:not(header)")]
        .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth && !part.closest("svg"))
        .map((part) => part.outerHTML)"""
    assert page.evaluate(too_wide) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_can_be_said_without_gaps(spoken: dict[str, Page], language: str) -> None:
    sayings = [said for said in examples() if "{" not in json.dumps(said.as_dict()["slots"].get("text", ""))]
    told = said_by(spoken[language], sayings)
    for said, text in zip(sayings, told, strict=True):
        assert "{" not in text, text
        assert text != said.key
        assert "undefined" not in text
        assert "[object" not in text


def test_browser_and_program_say_the_same_in_english(spoken: dict[str, Page]) -> None:
    sayings = [*examples(), Message("no such key", {"text": "x"})]
    assert said_by(spoken["en"], sayings) == [to_english(said) for said in sayings]


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_and_program_say_the_same_of_what_is_broken(spoken: dict[str, Page], language: str) -> None:
    page = spoken[language]
    page.evaluate("() => import('/words.js').then(({ learn }) => learn('faults')).then(() => null)")
    sayings = [Message(key, {slot: f"<{slot}>" for slot in slots}) for key, slots in said_in("fault").items()]
    assert said_by(page, sayings) == [translate(said, language) for said in sayings]


def test_a_line_that_two_parts_have_is_said_in_the_language_of_the_page(
    pages: OpenPage, board: FakeBoard
) -> None:
    page = arrive(pages(locale="de-DE"), board)
    first, second = Message("doctor.use.button"), Message("doctor.use.strip")
    both: dict[str, Arg] = {"gpio": 2, "first": first, "second": second}
    said = Message("fault.unfit", {"text": Message("doctor.gpio.both", both)})
    board.say(faults=[to_english(said)], faults_said=[said.as_dict()])
    expect(page.locator("#faults li")).to_have_text([translate(said, "de")])


@pytest.mark.parametrize(
    ("locale", "query", "language"),
    [
        ("ja-JP", "", "en"),
        ("de-AT", "?lang=PT-br", "pt"),
        ("de-DE", "?lang=constructor", "de"),
    ],
)
def test_the_address_may_ask_for_another_language(
    pages: OpenPage, board: FakeBoard, locale: str, query: str, language: str
) -> None:
    page = arrive(pages(locale=locale), board, query)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("#begin")).to_have_text(CATALOGUES[language]["page.new-game"])
    expect(page.locator("#language")).to_have_value(language)


def test_another_language_can_be_chosen_on_the_page(pages: OpenPage, board: FakeBoard) -> None:
    page = arrive(pages(locale="en-US"), board)
    choose(page, "to-settings")
    page.locator("#language").select_option("Deutsch")
    expect(page.locator("#sentence")).to_have_text(SENTENCES["de-DE"])


def test_what_only_the_board_knows_to_say_is_said_in_its_words(
    spoken: dict[str, Page], board: FakeBoard
) -> None:
    board.say(said={"key": "of-a-later-board", "slots": {}}, sentence="Something new.")
    expect(spoken["de"].locator("#sentence")).to_have_text("Something new.")
    board.say(said=REMOVAL.as_dict())
    for locale, sentence in SENTENCES.items():
        expect(spoken[locale[:2]].locator("#sentence")).to_have_text(sentence)


def test_english_stands_in_for_what_a_language_lacks(pages: OpenPage, board: FakeBoard) -> None:
    page = pages(locale="de-DE")
    words: dict[str, Any] = dict(CATALOGUES["de"])
    del words["page.new-game"]
    page.route("**/words/de.json", lambda route: route.fulfill(json=words))
    page.goto(board.server.address)
    expect(page.locator("#sentence")).to_have_text(SENTENCES["de-DE"])
    expect(page.locator("#begin")).to_have_text("Start the game")


def test_english_is_loaded_only_where_something_lacks(pages: OpenPage, board: FakeBoard) -> None:
    page = pages(locale="de-DE")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(board.server.address)
    expect(page.locator("#sentence")).to_have_text(SENTENCES["de-DE"])
    assert not any(url.endswith("/en.json") for url in asked)
    words: dict[str, Any] = {key: text for key, text in CATALOGUES["de"].items() if key != "page.in-hand"}
    page.route("**/words/de.json", lambda route: route.fulfill(json=words))
    page.reload()
    expect(page.locator("#players .to-move")).to_contain_text("in hand")
    assert any(url.endswith("/en.json") for url in asked)


@pytest.mark.parametrize("language", sampled(reversed(LANGUAGES)))
def test_the_page_is_light_in_every_language(pages: OpenPage, language: str) -> None:
    board = FakeBoard()
    board.say(
        said=REMOVAL.as_dict()
    )  # a text without a catalogue is shown in English, which is loaded for it
    page, loaded = pages(), list[Request]()

    def note(request: Request) -> None:
        loaded.append(request)

    page.on("requestfinished", note)
    arrive(page, board, f"?lang={language}")
    expect(page.locator("#begin")).to_have_text(CATALOGUES[language]["page.new-game"])
    page.wait_for_load_state("networkidle")
    page.remove_listener("requestfinished", note)
    # As they travel, compressed. The page's own list of what was loaded stays empty now and then.
    sizes = [request.sizes() for request in loaded]
    size = sum(of["responseBodySize"] + of["responseHeadersSize"] for of in sizes)
    assert 20_000 < size < 85_000
    leave(page)
    board.server.close()


def test_a_page_without_words_still_shows_the_board(browser: Browser, board: FakeBoard) -> None:
    page = new_page(browser, locale="de-DE")
    page.route("**/words/*.json", lambda route: route.abort())
    page.goto(board.server.address)
    expect(page.locator("#sentence")).to_have_text(board.state["sentence"])
    expect(page.locator("#begin")).to_have_text("Start the game")
    page.context.close()


def test_what_the_page_itself_finds_wrong_is_told_in_its_language(browser: Browser) -> None:
    board = FakeBoard()
    page = arrive(new_page(browser, locale="de-DE"), board)
    note = page.locator("#note")
    board.table.stock({"white": 0, "black": 9})
    Keyboard(page).go("d6")
    page.keyboard.press("w")
    expect(note).to_have_text(f"{CATALOGUES['de']['hands.none-left']}.")
    expect(note).to_have_attribute("lang", "de")
    page.context.close()
    board.server.close()


def test_what_cannot_be_asked_is_reported_once(browser: Browser) -> None:
    board = FakeBoard()
    page = arrive(new_page(browser, locale="de-DE"), board)
    Keyboard(page).go("d6")
    board.server.close()
    expect(page.locator("#banner")).to_have_text(CATALOGUES["de"]["page.unreachable"])
    page.keyboard.press("w")
    page.wait_for_timeout(300)  # the time in which a note would come
    assert page.locator("#note").is_hidden()
    page.context.close()
