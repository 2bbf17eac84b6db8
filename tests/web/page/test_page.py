"""The page in a real browser: on a table without rules, and on the simulated board."""

import random
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from firmware_host.errors import RequestError, SensorError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.web.messages import snapshot
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import (
    OpenPage,
    begin,
    choose,
    choose_rules,
    drag,
    draw,
    middle,
    new_page,
    pieces_at,
    play,
    point,
    until,
)
from tests.support.web.fake_board import KINDS, START, FakeBoard
from tests.support.web.keyboard import Keyboard
from tests.support.web.page_client import PageClient
from tests.support.web.protocol import merged

KEEP_KINDS_OF_MESSAGES = """
  window.messages = [];
  window.WebSocket = class extends WebSocket {
    constructor(address) {
      super(address);
      this.addEventListener("message", ({ data }) => messages.push(JSON.parse(data).type));
    }
  };
"""


@pytest.mark.smoke
def test_it_shows_the_board_the_pieces_and_what_is_to_be_done(page: Page) -> None:
    expect(page.locator("#light [data-point]")).to_have_count(24)
    expect(pieces_at(page, "box")).to_have_count(18)
    expect(page.locator("#players .to-move")).to_contain_text("White")
    expect(page.locator("#begin")).to_be_visible()


def test_a_piece_from_the_box_is_set_down_where_it_is_let_go(board: FakeBoard, page: Page) -> None:
    black = page.locator(".piece[data-piece=black]").last.bounding_box()
    drag(page, middle(black), point(page, "d6"))
    expect(pieces_at(page, "d6")).to_have_attribute("data-piece", "black")
    expect(page.locator(".piece[data-piece=black][data-from=box]")).to_have_count(8)
    assert board.asked(1) == [{"put": "d6", "piece": "black"}]


@pytest.mark.smoke
def test_the_board_can_be_played_by_keyboard(board: FakeBoard, page: Page) -> None:
    d6 = page.locator("#hands [data-point=d6]")
    board.say(moves=["d6"])
    Keyboard(page).go("d6")
    page.keyboard.press("Enter")
    expect(d6).to_have_attribute("aria-label", "d6, white piece")
    page.keyboard.press("Enter")
    expect(d6).to_have_attribute("aria-label", "d6, empty")
    page.keyboard.press("Escape")
    expect(pieces_at(page, "box")).to_have_count(18)
    assert board.asked(3) == [{"put": "d6", "piece": "white"}, {"lift": 1}, {"box": True}]


@pytest.mark.smoke
def test_points_say_what_their_light_means(board: FakeBoard, page: Page) -> None:
    board.say(cues={"d6": ["destination"]})
    expect(page.locator("#hands [data-point=d6]")).to_have_attribute("aria-label", "d6, empty, can go here")


def test_leds_show_the_colours_that_left_for_the_strip(board: FakeBoard, page: Page) -> None:
    d6, a1 = (page.locator(f"#light [data-point={name}]") for name in ("d6", "a1"))
    board.say(leds={"d6": "#0a3c00"})
    expect(d6).to_have_attribute("data-led", "#0a3c00")
    expect(d6.locator("stop").first).to_have_attribute("stop-color", "rgb(113 255 0)")
    board.light(a1="#ff0000")
    expect(a1).to_have_attribute("data-led", "#ff0000")
    expect(d6).to_have_attribute("data-led", "")
    expect(d6.locator("circle").first).to_have_attribute("opacity", "0.000")


def test_turns_and_hands_are_written(board: FakeBoard, page: Page) -> None:
    board.say(turns=["d6", "f4", "d7xa1"], to_move="black", in_hand={"white": 7, "black": 8})
    expect(page.locator("#turns li")).to_have_text(["d6f4", "d7xa1"])
    expect(page.locator("#players .to-move")).to_have_text("Black8 in hand")
    board.say(outcome={"winner": "white", "reason": "blocked"})
    expect(page.locator("#players .to-move")).to_have_text("Whitewins")


def test_long_turns_are_written_below_each_other_step_by_step(board: FakeBoard, page: Page) -> None:
    board.say(turns=["e5>d4 b2^d4/c3-e5", "a2>e1 e5^c3/d4-b1/d5-c1"])
    turns = page.locator("#turns button")
    expect(turns).to_have_text(["e5>d4 b2^d4/c3-e5", "a2>e1 e5^c3/d4-b1/d5-c1"])
    for turn in turns.all():
        lines = turn.evaluate("""(turn) => [...turn.childNodes].filter((part) => part.data).map((part) => {
            const range = document.createRange();
            range.selectNodeContents(part);
            return range.getClientRects().length;
        })""")
        assert set(lines) == {1}


def test_captured_pieces_lie_with_the_captor_once_the_game_has_them(board: FakeBoard, page: Page) -> None:
    captured = page.locator(".piece.captured")
    board.submit({"put": "d6", "piece": "white"})
    board.say(in_hand={"white": 7, "black": 8}, sentence="A broken sensor counts as a placement.")
    expect(page.locator("#sentence")).to_have_text("A broken sensor counts as a placement.")
    draw(page)
    expect(captured).to_have_count(0)
    board.say(status="lifted", moves=["xg1"])
    expect(captured).to_have_count(1)  # one that was lifted lies there before the removal counts
    board.say(status="ready", moves=[], captured={"white": 1, "black": 1})
    expect(captured).to_have_count(2)


def test_a_piece_glides_out_of_its_box_and_to_the_player_who_captures_it(
    board: FakeBoard, page: Page
) -> None:
    board.submit({"put": "d6", "piece": "white"})
    expect(pieces_at(page, "d6")).to_be_visible()
    # The next one to leave its box; the order of the others in the document depends on what was drawn before.
    waiting = page.locator(".piece[data-from=box][data-id=box-black-8]")
    waiting.evaluate("(piece) => (piece.dataset.seen = '')")
    board.submit({"put": "a1", "piece": "black"})
    seen = page.locator(".piece[data-seen]")
    expect(seen).to_have_attribute("data-from", "a1")
    expect(seen).to_have_attribute("data-number", "2")
    board.say(in_hand={"white": 8, "black": 8}, status="lifted", moves=["xa1"])
    board.submit({"lift": 2})
    board.submit({"box": True})
    expect(page.locator(".piece.captured")).to_have_count(1)
    expect(page.locator(".piece.captured[data-seen]:not([data-number])")).to_have_count(1)


@pytest.mark.smoke
def test_what_is_broken_is_listed_until_it_is_mended(board: FakeBoard, page: Page) -> None:
    expect(page.locator("#faults")).to_be_hidden()
    board.say(faults=["millwright.toml:3 play.rules: is wrong", "<b>the strip</b> is gone"])
    expect(page.locator("#faults li")).to_have_text(
        ["millwright.toml:3 play.rules: is wrong", "<b>the strip</b> is gone"]
    )
    board.say(faults=[])
    expect(page.locator("#faults")).to_be_hidden()


@pytest.mark.smoke
def test_words_of_the_board_are_never_taken_for_markup(board: FakeBoard, page: Page) -> None:
    board.say(sentence="<img src=x onerror=alert(1)>", turns=["<b>d6</b>"])
    expect(page.locator("#sentence")).to_have_text("<img src=x onerror=alert(1)>")
    expect(page.locator("#turns")).to_contain_text("<b>d6</b>")


@pytest.mark.smoke
def test_a_new_game_is_begun_on_a_cleared_board(board: FakeBoard, page: Page) -> None:
    board.submit({"put": "d6", "piece": "white"})
    expect(pieces_at(page, "d6")).to_be_visible()
    choose_rules(page, "lasker")
    page.locator("#begin").click()
    assert board.asked(3)[1:] == [{"sweep": True}, {"do": "new-game", "rules": "lasker"}]


def test_the_board_can_be_cleared(board: FakeBoard, page: Page) -> None:
    expect(page.locator("#clear")).to_have_attribute("aria-disabled", "true")
    board.submit({"put": "d6", "piece": "white"})
    board.submit({"put": "d7", "piece": "black"})
    board.submit({"lift": "d7"})
    choose(page, "clear")
    expect(page.locator("#clear")).to_have_attribute("aria-disabled", "true")
    assert board.asked(4)[3:] == [{"sweep": True}]


def test_a_removal_can_be_declined_where_the_rules_let_one(board: FakeBoard, page: Page) -> None:
    expect(page.locator("#decline")).to_be_hidden()
    board.say(can=["decline"])
    page.locator("#decline").click()
    assert board.asked(1) == [{"do": "decline"}]


@pytest.mark.parametrize("name", ["take-back", "redo"])
def test_a_tool_rests_at_its_place_until_the_board_can_do_it(board: FakeBoard, page: Page, name: str) -> None:
    button = page.locator(f"#{name}")
    expect(button).to_be_disabled()
    where = button.bounding_box()
    button.click(force=True)
    board.say(can=[name])
    expect(button).to_be_enabled()
    assert button.bounding_box() == where
    button.click()
    assert board.asked(1) == [{"do": name}]
    board.say(can=[])
    expect(button).to_be_disabled()


def test_a_paused_game_offers_to_go_on_first(board: FakeBoard, page: Page) -> None:
    board.say(can=["pause"])
    choose(page, "pause")
    board.say(can=["resume"], status="paused")
    page.locator("#resume").click()
    assert board.asked(2) == [{"do": "pause"}, {"do": "resume"}]


def test_a_draw_is_asked_for_only_if_it_is_meant(board: FakeBoard, page: Page) -> None:
    board.say(can=["draw"])
    choose(page, "draw")
    page.get_by_role("button", name="Keep playing").click()
    choose(page, "draw")
    page.keyboard.press("Escape")
    choose(page, "draw")
    page.get_by_role("button", name="Yes, a draw").click()
    assert board.asked(1) == [{"do": "draw"}]


def test_either_player_can_give_up(board: FakeBoard, page: Page) -> None:
    board.say(can=["resign"])
    choose(page, "resign")
    page.get_by_role("button", name="Black gives up").click()
    assert board.asked(1) == [{"do": "resign", "player": "black"}]


def test_only_people_at_the_board_are_asked_to_give_up(board: FakeBoard, page: Page) -> None:
    board.say(can=["resign"], seats={"white": "here", "black": "engine:3"})
    choose(page, "resign")
    expect(page.locator("#question button")).to_have_text(["Give up", "Keep playing"])
    page.locator("#question").get_by_role("button", name="Give up").click()
    assert board.asked(1) == [{"do": "resign", "player": "white"}]


def test_a_declared_end_can_be_undone_first_of_all(board: FakeBoard, page: Page) -> None:
    board.say(turns=["d6"], can=["resign"])
    expect(page.locator("#turns li")).to_have_text(["d6"])
    choose(page, "resign")
    page.get_by_role("button", name="Black gives up").click()
    board.say(status="over", outcome={"winner": "white", "reason": "resigned"}, can=["undo"])
    expect(page.locator("#slot > :visible")).to_have_text(["Play again", "Undo giving up"])
    page.locator("#undo").click()
    # Once the game is over, the page also asks for its analysis.
    deeds = [request for request in board.asked(3) if "do" in request]
    assert deeds == [{"do": "resign", "player": "black"}, {"do": "undo"}]
    board.say(status="ready", outcome=None, can=[])
    expect(page.locator("#undo")).to_be_hidden()


def test_an_end_that_a_page_has_not_seen_is_not_undone_on_it(board: FakeBoard, open_page: OpenPage) -> None:
    board.say(status="over", outcome={"winner": "white", "reason": "resigned"}, can=["undo"])
    expect(open_page().locator("#slot > :visible")).to_have_text(["Play again", "Share"])


def test_whoever_chooses_the_next_game_is_offered_its_start(board: FakeBoard, open_page: OpenPage) -> None:
    page = open_page()  # one of its own, since it keeps the choice
    board.say(turns=["d6"], can=["resign"])
    expect(page.locator("#turns li")).to_have_text(["d6"])
    board.say(turns=[], can=["undo"])
    expect(page.locator("#slot > :visible")).to_have_text(["Start the game", "Back to the last game"])
    page.mouse.click(*middle(page.get_by_text("Against the board").bounding_box()))
    expect(page.locator("#slot > :visible")).to_have_text(["Start the game"])


def test_a_refusal_is_told_in_the_language_of_the_page(board: FakeBoard, open_page: OpenPage) -> None:
    page = open_page(locale="de-DE")
    board.say(can=["pause"])
    board.refuses = RequestError(Message("refused.paused"))
    choose(page, "pause")
    expect(page.locator("#note")).to_have_text("Das Spiel ist schon angehalten.")
    expect(page.locator("#note")).to_have_attribute("lang", "de")


def test_what_a_driver_finds_wrong_is_told_in_the_language_of_the_page(
    board: FakeBoard, open_page: OpenPage
) -> None:
    page = open_page(locale="pt-BR")
    error = SensorError(Message("fault.unread", {"why": Message("fault.adc.silent")}))
    said = Message("fault.sensors", {"text": error.message})
    board.say(faults=[str(error)], faults_said=[said.as_dict()])
    expect(page.locator("#faults li")).to_have_text(
        "Sensores: não é possível ler os sensores: nenhum MCP3008 responde: "
        "ele tem alimentação, e os seus DOUT, DIN, CLK e CS estão ligados?"
    )


@pytest.mark.smoke
def test_of_a_real_board_the_page_shows_what_it_feels_and_moves_nothing(board: FakeBoard, page: Page) -> None:
    felt = {"standing": {"d6": "white", "f4": "black"}, "in_hand": {"white": 8, "black": 8}}
    state = {**board.state, **felt}
    board.server.publish(snapshot(MORRIS, state, table=None, rule_sets=["standard"], kinds=KINDS))
    expect(pieces_at(page, "d6")).to_have_attribute("data-piece", "white")
    expect(pieces_at(page, "box")).to_have_count(16)
    expect(page.locator("#hands [data-point=f4]")).to_have_attribute("aria-label", "f4, black piece")
    drag(page, point(page, "d6"), point(page, "d7"))
    Keyboard(page).go("d6")
    page.keyboard.press("Enter")
    expect(page.locator("#clear")).to_be_hidden()
    begin(page)
    assert board.asked(1) == [{"do": "new-game", "rules": "standard"}]


def test_a_lost_board_is_told_and_found_again(browser: Browser) -> None:
    board = FakeBoard()
    page = new_page(browser)
    page.goto(board.server.address)
    expect(page.locator("#sentence")).to_have_text(board.state["sentence"])
    board.server.close()
    expect(page.locator("#banner")).to_be_visible()
    board = FakeBoard(port=urlsplit(board.server.address).port or 0)
    board.say(sentence="Here again.")
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator("#sentence")).to_have_text("Here again.")
    page.context.close()
    board.server.close()


def test_a_page_that_missed_a_change_has_everything_told_anew(browser: Browser, board: FakeBoard) -> None:
    def lose_one(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: None if "Missed." in text else socket.send(text))

    page = new_page(browser)
    page.route_web_socket("**/ws", lose_one)
    page.goto(board.server.address)
    expect(page.locator("#sentence")).to_have_text(board.state["sentence"])
    told = PageClient(board.server.address)
    told.until("snapshot")
    board.say(sentence="Missed.", turns=["d6", "f4"])
    assert told.until("snapshot")["state"]["sentence"] == "Missed."
    told.close()
    board.say(sentence="Found.")
    expect(page.locator("#sentence")).to_have_text("Found.")
    expect(page.locator("#turns li")).to_have_text(["d6f4"])
    page.context.close()


def test_the_board_fits_the_window_from_a_phone_to_a_wall(board: FakeBoard, open_page: OpenPage) -> None:
    page = open_page()
    board.say(in_hand={"white": 0, "black": 10})
    expect(page.locator("#players")).to_contain_text("0 on board")
    for width, height in ((360, 640), (640, 360), (820, 1180), (1280, 800), (3840, 2160)):
        size = f"{width} by {height}"
        page.set_viewport_size({"width": width, "height": height})
        draw(page)
        for part in ("document.documentElement", "document.querySelector('#panel')"):
            assert page.evaluate(f"{part}.scrollWidth <= {part}.clientWidth"), size
        stage = page.locator("#stage").bounding_box()
        assert stage is not None
        assert stage["x"] >= 0, size
        assert stage["x"] + stage["width"] <= width, size
        assert stage["width"] >= 300, size
        if height >= 640:
            assert stage["y"] + stage["height"] <= height, size


def test_board_and_legend_are_in_sight_beside_the_bars_of_a_phones_browser(
    board: FakeBoard, open_page: OpenPage
) -> None:
    page = open_page()
    board.say(cues={"d6": ["missing"], "f4": ["wrong"]})
    expect(page.locator("#legend li")).to_have_count(2)
    for width, height, least in (
        (320, 568, 270),
        (360, 616, 310),
        (375, 548, 264),
        (390, 664, 340),
        (412, 732, 396),
        (430, 745, 410),
    ):
        page.set_viewport_size({"width": width, "height": height})
        draw(page)
        size = f"{width} by {height}"
        stage, dock = page.locator("#stage").bounding_box(), page.locator("#dock").bounding_box()
        legend = page.locator("#legend").bounding_box()
        assert stage is not None
        assert legend is not None
        assert dock is not None
        assert stage["width"] >= least, size
        assert legend["y"] >= stage["y"] + stage["height"], size
        assert legend["y"] + legend["height"] <= dock["y"], size


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("name", "least_width"),
    [("Eva", 320), ("Tablero (3)", 390), ("Bartholomew Featherstonehaugh", 1000)],
)
def test_name_stays_on_one_line_of_its_plaque_unless_it_is_long(
    board: FakeBoard, page: Page, name: str, least_width: int
) -> None:
    board.say(names={"white": name})
    plaque = page.locator("#players dt").first
    expect(plaque).to_have_text(name)
    lines = "Math.round(part.scrollHeight / parseFloat(getComputedStyle(part).lineHeight))"
    ends = "getComputedStyle(part).textOverflow === 'ellipsis'"  # a word that is wider than its plaque
    wide = "part.scrollWidth > part.clientWidth"
    fits = f"([part, whole]) => whole ? {lines} === 1 && !({wide}) : {wide} ? {ends} : {lines} > 1"
    for width, height in ((390, 664), (320, 568), (768, 1024), (430, 745)):
        page.set_viewport_size({"width": width, "height": height})
        until(page, fits, [plaque.element_handle(), width >= least_width])


@pytest.mark.smoke
def test_pieces_glide_but_not_where_motion_is_not_wanted(board: FakeBoard, page: Page) -> None:
    moving = "[...document.querySelectorAll('.piece, .piece *')].map((one) => getComputedStyle(one))"
    durations = f"{moving}.map((style) => [style.transitionDuration, style.animationName])"
    assert {tuple(one) for one in page.evaluate(durations)} == {("0s", "none")}
    page.emulate_media(reduced_motion="no-preference")
    assert "0.16s" in {duration for duration, _ in page.evaluate(durations)}
    page.emulate_media(reduced_motion="reduce")


@pytest.mark.smoke
def test_words_and_board_are_asked_for_before_the_modules_come(pages: OpenPage, board: FakeBoard) -> None:
    """And what the board says before they are there isn't lost."""
    page = pages()
    held: list[Route] = []
    page.route("**/index.js", lambda route: held.append(route))
    page.add_init_script(KEEP_KINDS_OF_MESSAGES)
    page.goto(board.server.address, wait_until="commit")
    until(page, "() => window.begun && begun.catalogue.then((words) => words.size > 0)")
    until(page, "() => messages.includes('snapshot')")
    (script,) = held
    script.continue_()
    expect(page.locator("#sentence")).to_have_text(board.state["sentence"])


@pytest.mark.smoke
def test_the_page_comes_from_the_board_alone(pages: OpenPage, board: FakeBoard) -> None:
    page = pages()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(board.server.address)
    expect(page.locator("#sentence")).to_have_text(board.state["sentence"])
    assert len(asked) >= 5
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(board.server.address).netloc}


@pytest.mark.long
def test_a_whole_game_and_the_beginning_of_the_next_are_played_with_the_mouse(browser: Browser) -> None:
    chance = random.Random(1)
    with simulated_board() as address:
        page, told = new_page(browser), PageClient(address)
        page.goto(address)
        whole = told.until("snapshot")
        state = whole["state"]
        while state["outcome"] is None:
            play(page, some_turn(state, chance), state["to_move"])
            turns = len(state["turns"]) + 1
            while state["outcome"] is None and (len(state["turns"]) < turns or state["status"] != "ready"):
                whole = merged(whole, told.receive())
                state = whole["state"]
        expect(page.locator("#sentence")).to_contain_text("Clear the board for the next game.")
        choose(page, "clear")
        expect(page.locator("#sentence")).to_have_text(START["sentence"])
        expect(page.locator(".piece[data-from=box]")).to_have_count(18)
        told.close()
        page.context.close()


def some_turn(state: dict[str, Any], chance: random.Random) -> str:
    """A turn that may be played now, a capture if there is one; none onto a point that was just emptied.

    A removed piece that is back within a second was put back, and this hand is faster than that.
    """
    emptied = state["turns"][-1].split("x")[1:] if state["turns"] else []
    turns = [turn for turn in state["moves"] if not turn.split("x")[0].endswith(tuple(emptied))]
    return chance.choice([turn for turn in turns if "x" in turn] or turns)


def test_choice_stays_closed_until_the_new_game_is_stored(board: FakeBoard, open_page: OpenPage) -> None:
    page = open_page()
    board.say(turns=["d6"])
    choose(page, "new")
    page.locator("#begin").click()
    board.asked(1)
    board.say(sentence="The last game is still shown.")
    expect(page.locator("#sentence")).to_have_text("The last game is still shown.")
    board.say(turns=[], sentence="The new game is there.")
    expect(page.locator("#sentence")).to_have_text("The new game is there.")
    expect(page.locator("#begin")).to_be_hidden()
