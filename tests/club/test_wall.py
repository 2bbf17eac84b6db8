"""The wall: which boards of a broker it shows, in which places, and whose results count."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from time import process_time
from typing import Any

import pytest

from firmware_host.club.standings import ClubResult, KeptResult, Standing, standings
from firmware_host.club.wall import MAX_BOARDS, MAX_PLAYERS, RESTS_AFTER, Wall
from firmware_host.errors import FarError
from firmware_host.far.sealing import sealed
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.link.topics import INFO, RECORD
from tests.club.hostile import sent
from tests.club.rooms import KEY, given_up, match, named, presence

A, B, C, D = (named(number, 16) for number in range(4))


def told(wall: Wall, messages: Iterable[tuple[str, bytes]], now: int = 0) -> None:
    for topic, message in messages:
        wall.receive(topic, message, now)


def titled(name: str) -> bytes:
    return json.dumps({"v": 1, "board": A, "name": name}).encode()


def rooms(picture: dict[str, Any]) -> list[str]:
    return [board["room"] for board in picture["boards"]]


def test_a_game_is_drawn_once_both_boards_publish_it() -> None:
    wall, game = Wall("Tuesday"), match(1, (A, B), 4)
    one, other = game.messages()
    told(wall, [one])
    assert wall.picture(0)["boards"] == [], "a board alone may claim anything of others"
    told(wall, [other])
    picture = wall.picture(0)
    (board,) = picture["boards"]
    assert picture["title"] == "Tuesday"
    assert (board["after"], board["outcome"], board["agreed"], board["trouble"]) == (4, None, False, False)
    assert board["turn"] == game.one.turns[-1]
    assert sorted(board["standing"]) == sorted(turn for turn in game.one.turns)
    assert picture["looks"]["standard"]["layout"]["name"] == "morris"
    assert picture["standings"] == []


def test_boards_have_names_presence_and_a_title() -> None:
    wall, game = Wall(), match(1, (A, B), 1)
    told(wall, [*presence(A, "Kitchen"), *presence(B, "Attic", on=False), *game.messages()])
    told(wall, [(INFO.at(room=game.room, board=A), titled("Table 3"))])
    (board,) = wall.picture(0)["boards"]
    white, black = board["players"]["white"], board["players"]["black"]
    assert {(one["name"], one["here"]) for one in (white, black)} == {("Kitchen", True), ("Attic", False)}
    told(wall, presence(B, "Loft"))
    (board,) = wall.picture(0)["boards"]
    assert {one["name"] for one in board["players"].values()} == {"Kitchen", "Loft"}


def test_a_room_without_a_game_is_not_shown() -> None:
    wall = Wall()
    told(wall, [(INFO.at(room="ROOMROOM22", board=A), titled("Table 3"))])
    assert wall.picture(0)["boards"] == []


def test_a_result_counts_once_both_boards_agree() -> None:
    wall, game = Wall(), given_up(match(1, (A, B), 4))
    one, other = game.messages()
    told(wall, [one])
    assert wall.picture(0)["standings"] == []
    told(wall, [other, one, other])
    picture = wall.picture(0)
    loser, winner = named(0, 16), named(1, 16)
    assert [(row["name"], row["points"]) for row in picture["standings"]] == [(winner, 1.0), (loser, 0.0)]
    assert picture["boards"][0]["agreed"] is True


def test_results_stay_when_the_next_game_begins_in_their_room() -> None:
    wall, first = Wall(), given_up(match(1, (A, B), 2))
    told(wall, [*first.messages(), *given_up(match(2, (C, D), 2)).messages()])
    assert [row["played"] for row in wall.picture(0)["standings"]] == [1, 1, 1, 1]
    again = first.one.ready("11" * 16)
    told(wall, [(RECORD.at(room=first.room, board=A), sealed(again.record.as_dict(), KEY))])
    assert [row["played"] for row in wall.picture(0)["standings"]] == [1, 1, 1, 1]
    assert len(wall.picture(0)["to_play"]) == 2


def test_boards_keep_their_places_while_they_are_played_on() -> None:
    wall, games = (
        Wall(),
        [match(number, (named(number, 16), named(number + 9, 16)), 3) for number in range(3)],
    )
    for at, game in enumerate(games):
        told(wall, game.messages(), at)
    order = [game.room for game in games]
    assert rooms(wall.picture(3)) == order
    longer = match(2, (named(2, 16), named(11, 16)), 5)
    told(wall, longer.messages(), 10)
    assert rooms(wall.picture(11)) == order
    told(wall, given_up(match(0, (named(0, 16), named(9, 16)), 3)).messages(), 20)
    assert rooms(wall.picture(21)) == [order[1], order[2], order[0]], "over"
    assert rooms(wall.picture(9 + RESTS_AFTER)) == order[::-1], "resting"


@pytest.mark.ci("examples")
def test_at_most_64_boards_are_shown() -> None:
    wall = Wall()
    for number in range(MAX_BOARDS + 3):
        told(wall, match(number, (named(2 * number, 16), named(2 * number + 1, 16)), 1).messages(), number)
    assert len(wall.picture(100)["boards"]) == MAX_BOARDS


def test_boards_that_disagree_are_marked() -> None:
    wall, game = Wall(), match(1, (A, B), 4)
    lost = Outcome(Reason.RESIGNED, Player.BLACK)
    won = Outcome(Reason.RESIGNED, Player.WHITE)
    for seat, end in ((game.one, lost), (game.other, won)):
        record = sealed(seat.declare(end).record.as_dict(), KEY)
        wall.receive(RECORD.at(room=game.room, board=seat.board), record, 0)
    (board,) = wall.picture(0)["boards"]
    assert (board["trouble"], board["outcome"]) == (True, None)
    assert wall.picture(0)["standings"] == []


def test_a_third_board_can_claim_no_game_of_others() -> None:
    wall, game = Wall(), match(1, (A, B), 4)
    told(wall, game.messages())
    before = wall.picture(0)
    claimed = replace(game.one.record, board=C, round=9, refused="all of it").as_dict()
    wall.receive(RECORD.at(room=game.room, board=C), sealed(claimed, KEY), 1)
    own = match(1, (C, D), 9).one.record.as_dict()
    wall.receive(RECORD.at(room=game.room, board=C), sealed(own, KEY), 1)
    assert wall.picture(0) == before


def test_hostile_messages_are_refused_and_change_nothing() -> None:
    wall, game = Wall(), match(1, (A, B), 4)
    told(wall, game.messages())
    before = wall.picture(0)
    wall.receive(RECORD.at(room=game.room, board=A), b"", 1)
    for message in (b"x", b"[" * 50, b"{}" * 9000):
        with pytest.raises(FarError):
            wall.receive(RECORD.at(room=game.room, board=A), message, 1)
    with pytest.raises(FarError):
        wall.receive(INFO.at(room=game.room, board=A), b'{"board": "%b", "name": 5}' % A.encode(), 1)
    assert wall.picture(0) == before


@pytest.mark.ci("examples")
def test_thousands_of_hostile_messages_are_taken_over_or_refused() -> None:
    wall = Wall()
    refused = sent(wall, 3000)
    assert 0 < refused < 3000
    assert 0 < len(wall.picture(3000)["boards"]) <= MAX_BOARDS


def test_boards_of_one_name_are_players_of_their_own() -> None:
    wall, game = Wall(), given_up(match(1, (A, B), 4))
    told(wall, [*presence(A, "raspberrypi"), *presence(B, "raspberrypi"), *game.messages()])
    table = wall.picture(0)["standings"]
    assert [(row["played"], row["points"]) for row in table] == [(1, 1.0), (1, 0.0)]
    assert len({row["name"] for row in table}) == 2


def test_liars_named_as_others_do_not_undo_their_game() -> None:
    wall = Wall()
    told(wall, [*presence(A, "Anna"), *presence(B, "Ben"), *presence(C, "Anna"), *presence(D, "Ben")])
    told(wall, [*given_up(match(1, (D, C), 2)).messages(), *given_up(match(2, (A, B), 2)).messages()])
    assert {row["played"] for row in wall.picture(0)["standings"]} == {1}
    assert len(wall.picture(0)["standings"]) == 4


def test_two_boards_have_one_result_whatever_they_publish() -> None:
    wall = Wall()
    told(wall, given_up(match(1, (A, B), 2)).messages())
    for number in range(2, 40):
        told(wall, given_up(match(number, (C, D), 2)).messages())
    table = wall.picture(0)["standings"]
    assert sorted(row["played"] for row in table) == [1, 1, 1, 1]


def test_further_players_displace_no_result(caplog: pytest.LogCaptureFixture) -> None:
    boards = [named(number, 16) for number in range(MAX_PLAYERS + 2)]
    pairs = zip(boards[::2], boards[1::2], strict=True)
    known = [KeptResult(ClubResult(white, black, None), (white, black)) for white, black in pairs]
    wall = Wall()
    wall.add_results(known)
    names = {row["name"] for row in wall.picture(0)["standings"]}
    assert names == {*boards[:MAX_PLAYERS]}
    assert "players at most" in caplog.text


def test_standings_are_worked_out_once_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    def counting(results: list[ClubResult]) -> list[Standing]:
        counted.append(len(results))
        return standings(results)

    monkeypatch.setattr("firmware_host.club.wall.standings", counting)
    wall, game = Wall(), match(1, (A, B), 4)
    told(wall, given_up(match(2, (C, D), 2)).messages())
    for now in range(20):
        wall.picture(now)
        told(wall, presence(A, f"Name {now}"))
    assert counted == [1]
    told(wall, given_up(game).messages())
    wall.picture(20)
    wall.picture(21)
    assert counted == [1, 2]


def test_standings_of_the_largest_evening_take_a_moment() -> None:
    boards = [named(number, 16) for number in range(MAX_PLAYERS)]
    results = [ClubResult(white, black, Player.WHITE) for white, black in combinations(boards, 2)]
    began = process_time()
    assert standings(results)[0].points == MAX_PLAYERS - 1
    assert process_time() - began < 2, "one pass over 20,000 results, where each player was one"
