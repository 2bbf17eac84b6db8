"""The page of a set-up in a real browser: on what a real board tells, on a simulated one, and in German."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.config.loader import Config
from firmware_host.i18n import Arg, Message, to_english, translate
from firmware_host.settings import Sensors
from firmware_host.web import access
from firmware_host.web.messages import setup_prompt
from tests.support.hardware.doctoring import examined
from tests.support.hardware.maker import Truth, Workbench
from tests.support.matrix import sampled
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, drag, draw, leave, middle, new_page
from tests.support.web.fake_board import FakeBoard
from tests.support.web.fake_setup import DONE, FORMS, START, FakeSetup, SettingsPage
from tests.support.web.spoken import CATALOGUES, LANGUAGES, SETUP_CATALOGUES, examples, said_by


@pytest.fixture
def setup() -> Iterator[FakeSetup]:
    setup = FakeSetup()
    yield setup
    setup.server.close()


@pytest.fixture
def opened(setup: FakeSetup, pages: OpenPage) -> OpenPage:
    """Opens the page of the set-up."""

    def opened(query: str = "", **context: Any) -> Page:
        page = pages(**{"viewport": {"width": 900, "height": 640}, **context})
        page.goto(f"{setup.server.address}setup.html{query}")
        return page

    return opened


def test_it_shows_the_sentence_the_point_and_what_is_known(setup, opened):
    page = opened()
    expect(page.locator("#sentence")).to_have_text(
        "Take the piece off a7, the upper left corner of the outer square."
    )
    expect(page.locator("[data-asked]")).to_have_attribute("data-asked", "a7")
    expect(page.locator("[data-known]")).to_have_count(2)
    expect(page.locator("#progress span")).to_have_text("20 of 48")
    expect(page.locator("#notes li")).to_have_text([to_english(note) for note in START.notes])
    setup.say(point=None, notes=(), known=("d7", "g7", "a7"))
    expect(page.locator("[data-asked]")).to_have_count(0)
    expect(page.locator("#notes")).to_be_hidden()
    expect(page.locator("[data-known]")).to_have_count(3)


def test_buttons_and_keys_answer(setup, opened):
    page = opened()
    page.click("#answers >> text=No piece there")
    page.locator("h1").click()
    page.keyboard.press("q")
    page.keyboard.press("z")
    page.keyboard.press("Enter")
    assert setup.answered(3) == ["", "q", ""]


def test_a_double_tap_answers_one_question(setup, opened):
    page = opened()
    page.dblclick("#answers >> text=No piece there")
    page.locator("h1").click()
    page.keyboard.press("q")
    assert setup.answered(2) == ["", "q"]


def test_the_page_of_play_leads_to_it(setup, pages):
    page = pages()
    page.goto(setup.server.address)
    expect(page).to_have_url(f"{setup.server.address}setup.html")


@pytest.mark.parametrize("language", sampled(reversed(LANGUAGES)))
def test_a_hardware_form_is_chosen_by_thumb(setup, opened, language):
    page = opened(f"?lang={language}", viewport={"width": 390, "height": 844}, has_touch=True)
    setup.say(**FORMS)
    expect(page.locator("#stage")).to_be_hidden()
    buttons = page.locator("#answers button")
    expect(page.locator("#answers .chain")).to_have_count(len(FORMS["answers"]) - 1)
    expect(buttons.first).to_have_class("due")
    expect(buttons.first).to_contain_text(translate(FORMS["answers"][0].label, language))
    expect(buttons.first.locator("text")).to_have_text(
        ["24 ×", translate(Message("setup.part.reed"), language), "3 ×", "74HC4051", "Pi"]
    )
    for button in buttons.all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["width"] >= 300
        for text in button.locator("text").all():
            drawn = text.bounding_box()
            assert drawn is not None
            assert drawn["x"] >= box["x"]
            assert drawn["x"] + drawn["width"] <= box["x"] + box["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    buttons.nth(2).tap()
    assert setup.answered(1) == [FORMS["answers"][2].key]
    setup.say()
    expect(page.locator("#stage")).to_be_visible()


def test_all_of_it_is_seen_on_a_phone(setup, opened):
    page = opened(viewport={"width": 360, "height": 740})
    expect(page.locator("#answers button").last).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_end_is_no_lost_connection(browser, setup):
    page = new_page(browser)
    with page.expect_websocket() as connected:
        page.goto(f"{setup.server.address}setup.html")
    setup.say(over=True, **DONE)
    expect(page.locator("#sentence")).to_have_text("Set-up is done.")
    with connected.value.expect_event("close"):
        setup.server.close()
    draw(page)
    expect(page.locator("#banner")).to_be_hidden()
    page.context.close()


def test_a_simulated_board_is_set_up_by_the_pointer(pages):
    with simulated_board("--setup", "--seed", "3") as address:
        page = pages()
        page.goto(address)
        page.click("#answers >> text=Rows and columns")
        answer_what_shines(page)
        done: list[str] = []
        for number in range(1, 4):
            expect(page.locator("#sentence")).to_have_text("Put a piece on the lit point.")
            lit = page.locator('#light [data-led]:not([data-led=""])')
            expect(lit).to_have_count(1)
            for before in done:  # its light may go out a moment after the sentence has changed
                expect(lit).not_to_have_attribute("data-point", before)
            done.append(lit.get_attribute("data-point") or "")
            seat = middle(lit.locator("circle").first.bounding_box())
            drag(page, middle(page.locator(".piece[data-from=box]").last.bounding_box()), seat)
            expect(page.locator("#progress span")).to_have_text(re.compile(f"^{number} of"))
        leave(page)


GERMAN = CATALOGUES["de"] | SETUP_CATALOGUES["de"]
IN_ENGLISH = [
    re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(text)))
    for key, text in (CATALOGUES["en"] | SETUP_CATALOGUES["en"]).items()
    if text != GERMAN[key] and re.sub(r"\{\w+\}|\W", "", text)
]


def in_german(said: Arg) -> str:
    if isinstance(said, tuple):
        return " und ".join(filter(None, (", ".join(said[:-1]), said[-1])))
    if not isinstance(said, Message):
        return str(said)
    return re.sub(r"\{(\w+)\}", lambda gap: in_german(said.args[gap[1]]), GERMAN[said.key])


@pytest.mark.parametrize("alphabet", sampled(["polarity", "presence"]))
def test_a_whole_set_up_is_asked_in_the_language_of_the_browser(setup, opened, tmp_path, alphabet):
    random, path = Random(1), tmp_path / "millwright.toml"
    sensors = Sensors()
    if alphabet == "polarity":
        sensors = Sensors(alphabet="polarity", signal=(23, 24, 25, 5, 6, 16))
    evening = Workbench(Truth.drawn(random, sensors), path, random, config=Config(sensors=sensors))
    page = opened(locale="de-DE")
    told: set[str] = set()
    for step in range(400):
        prompt = evening.run.prompt
        setup.server.publish(setup_prompt(evening.run.layout, evening.run.texts))
        expect(page.locator("#sentence")).to_have_text(in_german(prompt.sentence))
        keys = {prompt.sentence.key, *(note.key for note in prompt.notes)}
        if not keys <= told:  # the others ask for the next point in the same words
            told |= keys
            expect(page.locator("#notes li")).to_have_text([in_german(note) for note in prompt.notes])
            buttons = [in_german(one.label) + (one.key.upper() or "Enter") for one in prompt.answers]
            expect(page.locator("#answers button")).to_have_text(buttons)
            texts = page.locator("body").inner_text().splitlines()
            assert [text for text in texts if any(one.fullmatch(text) for one in IN_ENGLISH)] == []
        if evening.run.over or prompt.stage == "review":
            break
        if step == 9:
            evening.interrupt()
        else:
            evening.obey()
    assert prompt.stage == "review"
    assert {"setup.which-colour", "setup.resume", "setup.wired.sensors"} < told
    expect(page.locator("main [lang=en]:not(option)")).to_have_count(0)
    evening.run.close()


@pytest.mark.parametrize("language", sampled(reversed(LANGUAGES)))
def test_all_that_set_up_says_has_its_words(setup, opened, language):
    page = opened(f"?lang={language}")
    expect(page.locator("#sentence")).to_contain_text("a7")
    sayings = [*examples("setup")]
    for said, text in zip(sayings, said_by(page, sayings), strict=True):
        assert text not in (said.key, "")
        assert not re.search(r"undefined|\[object", text)
        if language == "en":
            assert text == to_english(said)


@pytest.mark.parametrize("language", sampled(reversed(LANGUAGES)))
def test_findings_are_worded_in_the_language_of_the_page(setup, opened, language):
    findings = examined({"leds": "unplugged"})
    page = opened(f"?lang={language}")
    setup.say(findings=findings)
    for finding in findings:
        text = f"{translate(finding.name, language)}: {translate(finding.evidence, language)}"
        expect(page.locator("#findings li").filter(has_text=text)).to_have_count(1)


def test_english_stands_in_for_what_the_words_of_set_up_lack(pages, setup):
    page = pages(locale="de-DE")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(f"{setup.server.address}setup.html")
    expect(page.locator("#sentence")).to_have_text(in_german(START.sentence))
    assert [name for name in asked if name.endswith(".json")] == ["de.json", "setup.de.json"]
    words = {key: text for key, text in SETUP_CATALOGUES["de"].items() if key != START.notes[0].key}
    page.route("**/words/setup.de.json", lambda route: route.fulfill(json=words))
    page.reload()
    expect(page.locator("#notes li")).to_have_text([to_english(note) for note in START.notes])
    expect(page.locator("#sentence")).to_have_text(in_german(START.sentence))


def answer_what_shines(page: Page) -> None:
    """Answer the two looks at a strip whose LEDs have no white part."""
    lit = page.locator('#light [data-led]:not([data-led=""])').first
    before = re.compile("^$")
    for sentence in ("Some lights are on. Which colour are they?", "Which colour are they now?"):
        expect(page.locator("#sentence")).to_have_text(sentence)
        expect(lit).not_to_have_attribute("data-led", before)
        colour = lit.get_attribute("data-led") or ""
        page.keyboard.press({"#780000": "r", "#007800": "g", "#000078": "u"}[colour])
        before = re.compile(f"^{colour}$")


def test_a_setting_is_changed_refused_and_reset_by_touch(browser, tmp_path):
    file = tmp_path / "millwright.toml"
    settings = SettingsPage(file)
    page = new_page(browser, viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto(f"{settings.server.address}setup.html")
    row = page.locator("[data-setting='timing.debounce_ms']")
    row.locator("input").fill("25")
    row.locator("input").press("Enter")
    expect(page.locator(".saved")).to_have_text("Saved. It counts when the board plays again.")
    row.locator("input").fill("900")
    row.locator("input").blur()
    expect(page.locator("#note")).to_contain_text("900 is out of range: it must be 0 to 200 ms")
    expect(row.locator("input")).to_have_value("25")
    assert file.read_text().count("debounce_ms = 25") == 1
    row.get_by_role("button", name="Back to 10 ms").tap()
    expect(row.locator("input")).to_have_value("10")
    expect(row.locator("button")).to_have_count(0)
    keep = page.locator("[data-setting='store.keep'] input")
    keep.tap()
    expect(page.locator("[data-setting='store.keep'] button")).to_be_visible()
    assert "keep = false" in file.read_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the log").tap()
    assert download.value.suggested_filename == "millwright-log.txt"
    page.get_by_role("button", name="Back to the game").tap()
    expect(page.locator("#sentence")).to_have_text("The board plays again in a moment, with these settings.")
    page.context.close()
    settings.server.close()


@pytest.mark.parametrize("size", [(390, 844), (1366, 768)], ids=["phone", "laptop"])
def test_a_real_board_is_set_up_from_its_settings(pages, size):
    board = FakeBoard()
    page = pages(viewport=dict(zip(("width", "height"), size, strict=True)), has_touch=size[0] < 500)
    page.goto(board.server.address)
    page.locator("#more").click()
    page.locator("#to-settings").click()
    page.get_by_text("Set up or examine the board").click()
    page.get_by_role("button", name="Set up sensors and lights").click()
    page.get_by_role("button", name="Keep playing").click()
    page.get_by_role("button", name="Set up sensors and lights").click()
    page.get_by_role("button", name="Set up", exact=True).click()
    requests = board.asked_until(lambda asked: any("do" in request for request in asked))
    assert [request for request in requests if "do" in request] == [{"do": "workshop", "kind": "setup"}]
    leave(page)
    board.server.close()


def test_a_page_that_only_looks_is_offered_nothing_it_may_not_do(browser, tmp_path, monkeypatch):
    monkeypatch.setattr(access, "is_here", lambda _: False)
    settings = SettingsPage(tmp_path / "millwright.toml")
    page = new_page(browser, viewport={"width": 390, "height": 844})
    page.goto(f"{settings.server.address}setup.html")
    expect(page.locator("#code")).to_contain_text("You're watching.")
    expect(page.locator("#settings [data-setting='rest.night']")).to_have_count(1)
    expect(page.locator("#settings")).to_be_hidden()
    expect(page.locator("#answers")).to_be_hidden()
    page.context.close()
    settings.server.close()
