"""The live table: the requests of pages, and the messages to them, with their times."""

from __future__ import annotations

import json
import os
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config.loader import Config
from firmware_host.errors import HandsError, MillwrightError, RequestError
from firmware_host.i18n import Message
from firmware_host.ports import SensorKind
from firmware_host.runtime.page import PageAddress
from firmware_host.settings import Timing
from sim.assembly import Blueprint
from sim.clock import VirtualClock
from sim.live.board import LiveBoard
from sim.live.run import run
from sim.world import is_settled
from tests.support.web.page_client import PageClient

TOLD = 5
"""The frames without news after which the next is published at once."""


class PassingTable:
    """A live table whose time passes only when the test says so."""

    def __init__(self, blueprint: Blueprint | None = None, **words: Any) -> None:
        self.table = LiveBoard(blueprint or Blueprint(), **words)
        self.told: list[dict[str, Any]] = []

    def frames(self, count: int) -> list[dict[str, Any]]:
        """Pass `count` frames, and return the messages published."""
        self.told = []
        for _ in range(count):
            self.table.tick(0)
            self.table.publish_changes(lambda message: self.told.append(json.loads(json.dumps(message))))
        return self.told


def test_table_nobody_touches_ticks_less_often_until_a_request() -> None:
    table = PassingTable().table
    slept = 0
    while slept < 11_000_000:
        table.tick(0)
        slept += max(5000, table.min_period)
    assert table.min_period == 15_000
    assert 0 <= slept - table.life.now <= 15_000, "its time passes as fast as before"
    table.do({"do": "set", "hints": False})
    table.tick(0)
    assert table.min_period == 0


@pytest.fixture
def played() -> PassingTable:
    return PassingTable()


def test_the_first_pass_tells_all_and_a_board_at_rest_tells_nothing(played: PassingTable) -> None:
    (first,) = played.frames(1)
    assert first["type"] == "snapshot"
    assert first["state"]["sentence"].startswith("White to play")
    assert first["state"]["said"] == {"key": "places.white", "slots": {"count": 9}}
    assert first["state"]["in_hand"] == {"white": 9, "black": 9}
    assert first["table"]["box"] == {"white": 9, "black": 9}
    assert "standard" in first["rule_sets"]
    assert played.frames(100) == []


def test_a_piece_set_down_is_told_at_once_and_its_turn_when_it_counts(played: PassingTable) -> None:
    played.frames(TOLD)
    played.table.do({"put": "d6", "piece": "white"})
    put, *_, confirmed = [message for message in played.frames(60) if message["type"] == "snapshot"]
    assert put["table"]["pieces"] == [{"id": 1, "piece": "white", "at": "d6"}]
    assert put["state"]["turns"] == []
    assert confirmed["state"]["turns"] == ["d6"]
    assert confirmed["state"]["to_move"] == "black"


@pytest.mark.parametrize("debounce_ms", [10, 150])
@pytest.mark.parametrize(
    "deeds", [[{"put": "d6", "piece": "white"}], [{"put": "d6", "piece": "white"}, {"lift": "d6"}]]
)
def test_board_does_not_rest_before_its_sensors_show_what_was_done(
    deeds: list[dict[str, Any]], debounce_ms: int
) -> None:
    config = Config(timing=Timing(debounce_ms=debounce_ms))
    played = PassingTable(Blueprint(config=config))
    played.frames(TOLD)
    for deed in deeds:
        frame = played.table.life.play.controller.session.frame
        played.table.do(deed)
        told = [one["state"] for one in played.frames(TOLD) if one["type"] == "snapshot"]
        while played.table.life.play.controller.session.frame == frame:
            assert [one["rests"] for one in told] == [False] * len(told)
            told = [one["state"] for one in played.frames(1) if one["type"] == "snapshot"]
    told = [one["state"] for one in played.frames(400) if one["type"] == "snapshot"]
    assert told[-1]["rests"]


@pytest.mark.parametrize("game", ["standard", "mitsudomoe"])
def test_turns_that_a_busy_machine_comes_to_all_at_once_are_felt_one_after_the_other(game: str) -> None:
    quick = {
        "standard": [{"put": "d6", "piece": "white"}, {"put": "f4", "piece": "black"}],
        "mitsudomoe": [
            *({"put": "b2", "piece": "white-ring"}, {"lift": "a1"}, {"put": "b2"}),
            *({"put": "c5", "piece": "black-ring"}, {"lift": "e5"}, {"put": "c5"}),
        ],
    }
    played = PassingTable(Blueprint.of(rules=game))
    played.frames(20)
    for request in quick[game]:
        played.table.do(request)
    last = last_snapshot(played.frames(300))  # two turns of stacks at once have to rest for a second
    wanted = {"standard": ["d6", "f4"], "mitsudomoe": ["+b2 a1-b2", "+c5 e5^c5"]}
    assert last["state"]["turns"] == wanted[game]
    assert last["state"]["status"] == "ready"


def test_what_is_refused_tells_nothing_anew(played: PassingTable) -> None:
    """Else whoever asks for nonsense has everything put together for all pages each time."""
    played.frames(TOLD)
    for nonsense in ({"lift": "z9"}, {"put": "d6", "piece": "red"}, {"do": "dance"}, {"power": 3}, {}):
        with pytest.raises(MillwrightError):
            played.table.do(nonsense)
        assert played.frames(1) == []


def test_a_piece_keeps_its_number_from_hand_to_hand(played: PassingTable) -> None:
    played.frames(TOLD)
    played.table.do({"put": "d6", "piece": "white"})
    played.table.do({"put": "f4", "piece": "black"})
    played.table.do({"lift": "d6"})
    (told,) = played.frames(1)
    assert told["table"]["pieces"] == [{"id": 2, "piece": "black", "at": "f4"}]
    assert told["table"]["held"] == [{"id": 1, "piece": "white"}]
    assert told["state"]["held"] == ["white"]


def test_however_much_is_asked_for_all_is_told_fifty_times_a_second_and_last_what_came_last(
    played: PassingTable,
) -> None:
    played.frames(TOLD)
    told = []
    for n in range(200):
        played.table.do({"do": "set", "brightness": 0.1 + n / 400})
        told += [message for message in played.frames(1) if message["type"] == "snapshot"]
    assert 45 <= len(told) <= 51  # in a second
    assert told[0]["state"]["settings"]["brightness"] == 0.1
    last = last_snapshot(played.frames(TOLD))
    assert last["state"]["settings"]["brightness"] == 0.1 + 199 / 400
    assert played.frames(100) == []


def test_a_slide_is_told_on_its_way(played: PassingTable) -> None:
    played.frames(TOLD)
    played.table.do({"put": "a1", "piece": "white"})
    played.frames(100)
    played.table.do({"slide": ["a1", "a4"], "seconds": 0.5})
    told = played.frames(110)
    places = [message["table"]["pieces"][0] for message in told if message["type"] == "table"]
    ways = [place["y"] for place in places if "y" in place]
    assert len(ways) > 20
    assert ways == sorted(ways)
    assert places[-1] == {"id": 1, "piece": "white", "at": "a4"}


def test_while_pieces_are_dragged_only_their_places_are_told_at_an_eyes_pace(played: PassingTable) -> None:
    played.frames(TOLD)
    played.table.do({"put": "a1", "piece": "white"})
    played.frames(200)
    told = []
    for n in range(20):
        played.table.do({"push": 1, "to": [n / 4, 0], "seconds": 0.005})
        told += [message for message in played.frames(1) if message["type"] != "leds"]
    assert {message["type"] for message in told} == {"table"}
    assert 3 <= len(told) <= 6
    played.table.do({"push": 1, "to": [0, 15], "seconds": 0})
    last = [message for message in played.frames(20) if message["type"] == "table"][-1]
    assert last["table"]["pieces"] == [{"id": 1, "piece": "white", "x": 0.0, "y": 15.0}]


def test_a_piece_that_is_flicked_off_the_board_is_told_of_in_the_box(played: PassingTable) -> None:
    played.frames(TOLD)
    played.table.do({"put": "a1", "piece": "white"})
    played.table.do({"flick": "a1", "speed": [-900, 0]})
    (first, *_) = played.frames(1)
    assert first["table"]["pieces"][0]["turned"] is True
    last = [message for message in played.frames(40) if "table" in message][-1]
    assert (last["table"]["pieces"], last["table"]["box"]["white"]) == ([], 9)


def test_a_light_that_pulses_is_told_without_the_rest(played: PassingTable) -> None:
    played.frames(TOLD)
    played.table.do({"put": "d6", "piece": "white"})
    played.frames(200)
    told = played.frames(400)
    assert told
    assert {message["type"] for message in told} == {"leds"}


def test_a_new_game_by_other_rules_fills_the_box_anew(played: PassingTable) -> None:
    played.frames(TOLD)
    played.table.do({"do": "new-game", "rules": "twelve"})
    told = played.frames(1)
    assert told[-1]["state"]["rules"] == "twelve"
    assert told[-1]["table"]["box"] == {"white": 12, "black": 12}


def test_what_cannot_be_done_is_raised_for_the_reply_and_changes_nothing(played: PassingTable) -> None:
    played.frames(TOLD)
    with pytest.raises(HandsError, match="no piece on d6 to lift"):
        played.table.do({"lift": "d6"})
    with pytest.raises(RequestError, match="no turn to take back"):
        played.table.do({"do": "take-back"})
    assert played.frames(1) == []


def test_the_board_plays_while_a_browser_is_opened_and_a_signal_ends_it() -> None:
    said: list[str] = []

    def browse(address: str) -> None:
        with closing(PageClient(address)) as page:
            said.append(page.until("snapshot")["state"]["status"])
        os.kill(os.getpid(), signal.SIGINT)

    run(Blueprint(), page=PageAddress(port=0), browse=browse, say=said.append)
    assert said[0].startswith("The board is at http://127.0.0.1:")
    assert said[1:] == ["ready"]


def test_a_board_goes_dark_without_a_word_though_its_strip_is_unplugged(caplog: Any) -> None:
    play = Blueprint().build(VirtualClock())
    play.board.tick(0)
    play.electronics.inject({"leds": "unplugged"})
    play.close()
    assert play.leds() == {}
    assert not caplog.records


def last_snapshot(told: list[dict[str, Any]]) -> dict[str, Any]:
    return [message for message in told if message["type"] == "snapshot"][-1]


def test_what_is_broken_is_told_until_it_is_repaired(played: PassingTable) -> None:
    first = last_snapshot(played.frames(TOLD))["simulated"]
    assert first["power"] is True
    assert first["faults"] == []
    stuck, unplugged = {"point": "d6", "kind": "stuck-on"}, {"leds": "unplugged"}
    played.table.do({"fault": stuck})
    played.table.do({"fault": unplugged})
    assert last_snapshot(played.frames(1))["simulated"]["faults"] == [stuck, unplugged]
    told = last_snapshot(played.frames(400))["state"]
    assert told["turns"] == ["d6"]  # a piece seems to stand there
    assert [said["key"] for said in told["faults_said"]] == ["fault.leds"]
    played.table.do({"repair": stuck})
    told = last_snapshot(played.frames(400))
    assert told["simulated"]["faults"] == [unplugged]
    assert told["state"]["turns"] == []  # and was taken away again
    played.table.do({"repair": True})
    told = last_snapshot(played.frames(400))
    assert told["simulated"]["faults"] == told["state"]["faults"] == []


def test_without_power_the_page_is_told_so_and_hands_may_go_on(played: PassingTable) -> None:
    played.frames(TOLD)
    played.table.do({"put": "d6", "piece": "white"})
    played.frames(100)
    played.table.do({"power": "off"})
    played.table.do({"put": "f4", "piece": "black"})
    told = last_snapshot(played.frames(100))
    assert told["simulated"]["power"] is False
    assert (told["state"]["status"], told["state"]["leds"], told["state"]["can"]) == ("off", {}, [])
    assert told["state"]["said"] == {"key": "no-power", "slots": {}}
    assert [piece["at"] for piece in told["table"]["pieces"]] == ["d6", "f4"]
    with pytest.raises(HandsError, match="the board has no power") as refused:
        played.table.do({"do": "new-game"})
    assert refused.value.message == Message("refused.no-power")
    played.table.do({"power": "on"})
    told = last_snapshot(played.frames(100))
    assert told["simulated"]["power"] is True
    assert told["state"]["status"] == "clear"


def test_disks_fail_only_where_games_are_kept(tmp_path: Path) -> None:
    without = PassingTable()
    assert last_snapshot(without.frames(1))["simulated"]["disk"] is False
    with pytest.raises(HandsError, match="doesn't save games"):
        without.table.do({"fault": {"disk": "full"}})
    kept = PassingTable(Blueprint(store=tmp_path / "games.db"))
    assert last_snapshot(kept.frames(1))["simulated"]["disk"] is True
    kept.table.do({"fault": {"disk": "full"}})
    kept.table.do({"put": "d6", "piece": "white"})
    told = last_snapshot(kept.frames(100))
    assert told["simulated"]["faults"] == [{"disk": "full"}]
    assert told["state"]["faults_said"][0]["key"] == "fault.disk"
    kept.table.do({"repair": {"disk": "full"}})
    assert last_snapshot(kept.frames(100))["state"]["faults"] == []
    kept.table.close()


def test_time_passes_by_frames_however_long_they_take(played: PassingTable) -> None:
    played.frames(TOLD)
    played.table.do({"put": "d6", "piece": "white"})
    played.table.tick(3_600_000_000)
    assert played.table.game.ply == 0


def alphabet(played: PassingTable) -> str:
    (last,) = [message for message in played.frames(1) if message["type"] == "snapshot"]
    found: str = last["simulated"]["alphabet"]
    return found


def test_other_sensors_take_over_the_game_and_its_pieces() -> None:
    played = PassingTable(Blueprint(alphabet=SensorKind.POLARITY))
    played.frames(TOLD)
    played.table.do({"put": "d6", "piece": "white"})
    played.frames(400)
    played.table.do({"rebuild": "presence"})
    assert alphabet(played) == "presence"
    played.frames(TOLD)
    session = played.table.life.play.controller.session
    assert session.game.turn_texts() == ("d6",)
    assert is_settled(session)
    played.table.do({"put": "f4", "piece": "white"})
    played.frames(400)
    assert played.table.game.turn_texts() == ("d6", "f4"), "it can't tell that Black's piece is white"


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ({"rebuild": "pieces", "and": 1}, None),
        ({"rebuild": "colours"}, None),
        ({"rebuild": "presence"}, "refused.unsettled"),
    ],
)
def test_sensors_are_not_changed_in_the_middle_of_a_turn(
    request_: dict[str, Any], reason: str | None
) -> None:
    played = PassingTable(Blueprint(alphabet=SensorKind.POLARITY))
    played.frames(TOLD)
    played.table.do({"put": "d6", "piece": "black"})
    played.frames(400)
    with pytest.raises(HandsError) as caught:
        played.table.do(request_)
    assert reason is None or caught.value.message == Message(reason)


def test_sensors_that_cannot_tell_stacks_are_not_for_a_game_of_stacks() -> None:
    played = PassingTable(Blueprint.of(rules="mitsudomoe"))
    played.frames(TOLD)
    with pytest.raises(HandsError) as caught:
        played.table.do({"rebuild": "presence"})
    assert caught.value.message.key == "refused.stacks"
