"""The page's view of rooms, with a link whose parts a test writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.support.paths import PROJECT
from tests.support.web.browsing import draw
from tests.support.web.fake_board import FakeBoard
from tests.support.web.page_client import PageClient

AXE = PROJECT / "tests" / "web" / "node_modules" / "axe-core" / "axe.min.js"
LOOK = (
    "axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations.map(({ id }) => id))"
)
HOSTILE = '<img src=x onerror="document.title=1">'
IN_ROOM = {
    "stage": "playing",
    "question": None,
    "may_claim": False,
    "done": 0,
    "refused": None,
    "trouble": None,
    "message": None,
}
HERE = {"name": "Kitchen", "broker": "broker.example:8883", "club": "mill-club", "connected": True}
ROOM = {
    "room": "AAAAAAAAAA",
    "title": f"Sunday {HOSTILE}",
    "invitation": "MW1:broker.example:8883/AAAAAAAAAA#" + "A" * 26,
    "public": False,
    "rules": "standard",
    "other": {"name": f"Attic {HOSTILE}", "here": True, "ready": False},
    "full": False,
    "roll": {"round": 1, "white": False, "mine": "a1b2", "theirs": "c3d4"},
    "declined": [],
    "offered": None,
    "differs": None,
}
CHAT = {"free": True, "muted": False, "phrases": ["good-game", "wait", "your-turn", "again", "thanks", "bye"]}


class FakeLink:
    """A link at the table of a test."""

    def __init__(self, board: FakeBoard) -> None:
        self._board = board
        self._client = PageClient(board.server.address)
        self._number = 0
        self.send({"do": "serve"})

    def send(self, request: dict[str, Any]) -> None:
        self._number += 1
        assert self._client.ask({"id": self._number, "link": request}).get("ok")

    def show(self, **parts: Any) -> None:
        for name, value in parts.items():
            self.send({"do": "show", "part": name.replace("_", ":"), "value": value})

    def report(self, **changes: Any) -> None:
        """Have the board report the room as it reports it for a link."""
        self._board.say(far={"status": "arrived", "room": {**IN_ROOM, **changes}, "wish": None})

    def wish(self) -> dict[str, Any]:
        """Return the next wish of the page, which is granted."""
        message = self._client.until("wished")
        self.send({"do": "answer", "number": message["number"], "refused": None})
        wish: dict[str, Any] = message["wish"]
        return wish

    def close(self) -> None:
        self._client.close()


@pytest.fixture
def link(board: FakeBoard) -> Iterator[FakeLink]:
    found = FakeLink(board)
    found.show(here=HERE)
    yield found
    found.close()


@pytest.fixture
def rooms(page: Page, link: FakeLink) -> Iterator[Callable[..., Page]]:
    """Opens the view of rooms while the board reports a stage."""

    def rooms(**changes: Any) -> Page:
        link.report(**changes)
        page.locator("#more").click()
        page.locator("#to-rooms").click()
        expect(page.locator("#view-rooms")).to_be_visible()
        return page

    yield rooms
    if page.locator("#done").is_visible():
        page.locator("#done").click()


def test_without_a_link_nothing_of_rooms_is_offered(page: Page, board: FakeBoard) -> None:
    board.say(far=None)
    page.locator("#more").click()
    expect(page.locator("#to-rooms")).to_be_hidden()
    page.locator("#done").click()


def test_rooms_are_listed_to_join_and_to_watch(rooms: Callable[..., Page], link: FakeLink) -> None:
    row = {"name": f"Table {HOSTILE}", "rules": "lasker", "players": [HOSTILE], "here": True, "stage": "free"}
    link.show(lobby_AAAAAAAAAA=row, lobby_BBBBBBBBBB={**row, "name": "Other", "stage": "playing"})
    page = rooms(stage="outside")
    expect(page.locator(".rooms b").first).to_have_text(f"Table {HOSTILE}")
    page.get_by_role("button", name="Watch Other").click()
    assert link.wish() == {"do": "watch", "host": "BBBBBBBBBB"}
    page.get_by_role("button", name="Join Table").click()
    assert link.wish() == {"do": "enter", "host": "AAAAAAAAAA"}
    link.show(lobby_AAAAAAAAAA=None, lobby_BBBBBBBBBB=None)
    expect(page.locator("#view-rooms")).to_contain_text("No rooms are open.")


def test_an_invitation_in_a_link_is_filled_in_and_not_obeyed(
    rooms: Callable[..., Page], link: FakeLink
) -> None:
    page = rooms(stage="outside")
    page.goto(f"{page.url}#join={quote(str(ROOM['invitation']))}")
    field = page.get_by_role("textbox", name="Invitation")
    expect(field).to_have_value(str(ROOM["invitation"]))
    assert "#" not in page.url
    page.locator("#view-rooms").get_by_role("button", name="Join", exact=True).click()
    assert link.wish() == {"do": "join", "invitation": ROOM["invitation"]}


def test_texts_of_another_board_are_nothing_but_text(rooms: Callable[..., Page], link: FakeLink) -> None:
    link.show(room=ROOM, chat=CHAT, message_1={"mine": False, "text": HOSTILE, "phrase": ""})
    page = rooms()
    expect(page.locator("#chat li")).to_contain_text(HOSTILE)
    expect(page.locator("#room")).to_contain_text(f"gave White to Attic {HOSTILE}")
    assert page.locator("#view-rooms img").count() == 0
    assert page.title() != "1"
    link.show(message_1=None, room=None, chat=None)


def test_a_message_is_sent_and_a_command_is_done(
    rooms: Callable[..., Page], link: FakeLink, board: FakeBoard
) -> None:
    link.show(room=ROOM, chat=CHAT)
    page = rooms()
    message = page.get_by_role("textbox", name="Message")
    message.click()
    page.keyboard.type("hello")
    page.keyboard.press("Enter")
    assert link.wish() == {"do": "say", "text": "hello"}
    expect(message).to_have_value("")
    page.keyboard.type("/draw")
    page.keyboard.press("Enter")
    board.asked_until(lambda requests: {"do": "wish", "wish": "draw"} in requests)
    page.get_by_role("button", name="Thank you!").click()
    assert link.wish() == {"do": "say", "phrase": "thanks"}
    page.get_by_label("Show nothing from the other player").check()
    assert link.wish() == {"do": "mute", "on": True}


def test_an_absence_can_be_claimed(rooms: Callable[..., Page], link: FakeLink, board: FakeBoard) -> None:
    link.show(room={**ROOM, "other": {"name": "Attic", "here": False, "ready": False}}, chat=CHAT)
    page = rooms(may_claim=True)
    expect(page.locator("#room")).to_contain_text("Attic isn't connected. Attic has been away")
    page.locator("#room").get_by_role("button", name="Claim a draw").click()
    board.asked_until(lambda requests: {"do": "wish", "wish": "claim-draw"} in requests)


def test_both_games_are_shown_while_the_boards_disagree(rooms: Callable[..., Page], link: FakeLink) -> None:
    link.show(room={**ROOM, "differs": {"from": 4, "mine": ["d6", "f4"], "theirs": [HOSTILE]}}, chat=CHAT)
    page = rooms(trouble={"key": "link.differs", "slots": {"number": 4}})
    expect(page.locator("#room .differs")).to_contain_text("Here: 4. d6 5. f4")
    expect(page.locator("#room .differs")).to_contain_text(f"There: 4. {HOSTILE}")
    expect(page.locator("#room").get_by_role("button", name="Take over the other game")).to_be_visible()


def test_a_refused_wish_is_explained_in_words(rooms: Callable[..., Page], link: FakeLink) -> None:
    link.show(room=ROOM, chat=CHAT)
    page = rooms(done=3)
    link.report(done=4, refused={"key": "link.no-offer", "slots": {}})
    expect(page.locator("body")).to_contain_text("You can't offer that now.")


def test_a_room_that_was_left_leaves_nothing_on_the_page(rooms: Callable[..., Page], link: FakeLink) -> None:
    link.show(
        room={**ROOM, "other": None}, chat=CHAT, message_1={"mine": False, "text": "secret", "phrase": ""}
    )
    page = rooms()
    field = page.locator("#room").get_by_role("textbox", name="Invitation", exact=True)
    expect(field).to_have_value(str(ROOM["invitation"]))
    link.show(room=None, chat=None, message_1=None)
    link.report(stage="outside")
    expect(page.locator("#room")).to_be_hidden()
    inputs = "[...document.querySelectorAll('input')].map(({ value }) => value).join()"
    left = page.content() + page.evaluate(inputs)
    assert [text for text in ("secret", str(ROOM["invitation"]), "Sunday") if text in left] == []


def test_the_chat_of_another_room_is_new(rooms: Callable[..., Page], link: FakeLink) -> None:
    link.show(room=ROOM, chat=CHAT, message_1={"mine": False, "text": "old", "phrase": ""})
    page = rooms()
    expect(page.locator("#chat li")).to_contain_text("old")
    page.locator("#done").click()
    link.show(room={**ROOM, "room": "BBBBBBBBBB"}, message_1={"mine": False, "text": "new", "phrase": ""})
    expect(page.locator("#room-bar")).to_contain_text("(1 new)")


def test_a_message_is_read_on_the_board(rooms: Callable[..., Page], link: FakeLink) -> None:
    link.show(room={**ROOM, "other": {"name": "Attic", "here": True, "ready": False}}, chat=CHAT)
    page = rooms()
    page.locator("#done").click()
    news = page.locator("#room-bar .news")
    expect(news).to_have_attribute("role", "status")
    expect(news).to_be_empty()
    link.show(message_1={"mine": False, "text": HOSTILE, "phrase": ""})
    expect(news).to_have_text(f"Attic: {HOSTILE}")
    link.show(message_2={"mine": False, "text": "", "phrase": "your-turn"})
    expect(news).to_have_text("Attic: It's your turn.")
    page.locator("#room-bar").get_by_role("button", name="Room and chat").click()
    page.locator("#done").click()
    expect(news).to_be_empty()


def test_what_the_other_player_answered_and_wants_is_said(rooms: Callable[..., Page], link: FakeLink) -> None:
    link.show(room={**ROOM, "declined": ["draw"]}, chat=CHAT)
    page = rooms()
    expect(page.locator("#room")).to_contain_text("Your offer was declined.")
    expect(page.locator("#room").get_by_role("button", name="Offer a draw")).to_have_count(0)
    expect(page.locator("#room").get_by_role("button", name="Ask to take back")).to_be_visible()
    link.show(room={**ROOM, "other": {"name": "Attic", "here": True, "ready": True}})
    link.report(stage="over")
    expect(page.locator("#room")).to_contain_text("Attic is ready to play.")


@pytest.mark.parametrize(
    ("reported", "answers"),
    [
        ({"stage": "waiting"}, ["I'm ready"]),
        ({"stage": "over"}, ["Ready for another game"]),
        ({"question": "draw"}, ["Accept", "Decline"]),
        ({"may_claim": True}, ["Claim the win", "Claim a draw"]),
    ],
)
def test_what_the_room_waits_for_is_answered_in_the_dock(
    rooms: Callable[..., Page], link: FakeLink, reported: dict[str, Any], answers: list[str]
) -> None:
    link.show(room=ROOM, chat=CHAT)
    page = rooms()
    page.locator("#done").click()
    expect(page.locator("#room-answers")).to_be_hidden()
    link.report(**reported)
    expect(page.locator("#slot > :not([hidden])")).to_have_id("room-answers")
    expect(page.locator("#room-answers button")).to_have_text(answers)
    link.show(room=None, chat=None)
    link.report(stage="outside")
    expect(page.locator("#room-answers")).to_be_hidden()
    expect(page.locator("#room-answers")).to_be_empty()


def test_a_message_comes_into_sight_on_a_phone(rooms: Callable[..., Page], link: FakeLink) -> None:
    link.show(room=ROOM, chat=CHAT)
    page = rooms()
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#done").click()
    link.show(message_1={"mine": False, "text": "hello", "phrase": ""})
    expect(page.locator("#room-bar .news")).to_contain_text("hello")
    below = "document.querySelector('#dock').getBoundingClientRect().top"
    page.wait_for_function(f"document.querySelector('#room-bar').getBoundingClientRect().bottom <= {below}")
    page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.parametrize(("white", "says"), [("here", "You are White."), ("far", "You are Black.")])
def test_the_board_is_there_once_both_are_ready(
    rooms: Callable[..., Page], link: FakeLink, board: FakeBoard, white: str, says: str
) -> None:
    link.show(room=ROOM, chat=CHAT)
    page = rooms(stage="ready")
    board.say(
        seats={"white": white, "black": "far" if white == "here" else "here"},
        names={"white": "", "black": ""} | {"black" if white == "here" else "white": "Attic"},
    )
    plaques = ["Kitchen", "Attic"] if white == "here" else ["Attic", "Kitchen"]
    expect(page.locator("#players dt")).to_have_text(plaques)
    expect(page.locator("#view-rooms")).to_be_visible()
    link.report(stage="playing")
    expect(page.locator("#view-rooms")).to_be_hidden()
    expect(page.locator("#room-bar")).to_contain_text(says)
    page.locator("#room-bar").get_by_role("button", name="Room and chat").click()
    expect(page.locator("#view-rooms")).to_be_visible()
    expect(page.locator("#room .roll p")).to_be_hidden()
    page.get_by_text("How White was drawn").click()
    expect(page.locator("#room .roll p")).to_contain_text("The roll (a1b2 and c3d4)")


@pytest.mark.parametrize("broker", ["localhost", "127.0.0.1", "[::1]"])
def test_an_invitation_that_others_cannot_use_says_so(
    rooms: Callable[..., Page], link: FakeLink, broker: str
) -> None:
    invitation = str(ROOM["invitation"]).replace("broker.example", broker)
    link.show(room={**ROOM, "other": None, "invitation": invitation}, chat=CHAT)
    page = rooms(stage="alone")
    expect(page.locator("#room .alarm")).to_contain_text(
        ["only boards on it can join", "send the invitation and not the link"]
    )
    link.show(room={**ROOM, "other": None}, chat=CHAT)
    expect(page.locator("#room .alarm")).to_contain_text(["send the invitation and not the link"])


def test_a_link_that_stops_takes_its_room_with_it(rooms: Callable[..., Page], link: FakeLink) -> None:
    link.show(room=ROOM, chat=CHAT)
    page = rooms()
    expect(page.locator("#room")).to_be_visible()
    link.close()
    expect(page.locator("#room")).to_be_hidden()
    expect(page.locator("#view-rooms")).to_contain_text("The link to other boards has stopped.")


def test_files_that_were_set_aside_are_named(rooms: Callable[..., Page], link: FakeLink) -> None:
    slots = {"path": "board.json", "aside": "board.json.damaged-1", "why": "it is not an object"}
    notices = [{"key": "fault.file.aside", "slots": slots}, {"key": "link.contested", "slots": {}}]
    link.show(here=HERE, notices=notices)
    page = rooms(stage="outside")
    expect(page.locator("#view-rooms .alarm").first).to_contain_text("set aside as board.json.damaged-1")
    expect(page.locator("#view-rooms")).to_contain_text("sudo millwright link board --new")
    link.show(notices=[])
    expect(page.locator("#view-rooms")).not_to_contain_text("sudo millwright")


@pytest.mark.parametrize(
    ("width", "height", "scheme"), [(1280, 800, "dark"), (360, 740, "light")], ids=["wide", "a phone"]
)
def test_axe_finds_nothing_in_a_room(
    rooms: Callable[..., Page], link: FakeLink, width: int, height: int, scheme: Any
) -> None:
    if not AXE.exists():
        pytest.skip("there is no axe-core to look at the page with (npm ci --prefix tests/web)")
    other = {**ROOM, "other": None, "title": "Sunday"}
    link.show(room=other, chat=CHAT, message_1={"mine": True, "text": "", "phrase": "wait"})
    page = rooms(stage="alone")
    before = page.viewport_size or {"width": 800, "height": 600}
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": height})
    draw(page)
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(LOOK) == []
    link.show(room=ROOM)
    expect(page.locator("#chat")).to_be_visible()
    assert page.evaluate(LOOK) == []
    page.set_viewport_size(before)
    page.emulate_media(color_scheme="light")
