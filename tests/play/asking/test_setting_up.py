"""A position that hands set up, from the first piece to the game that begins with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from firmware_host.games.game import Game, Piece, Player, Position
from firmware_host.games.record_reader import parse_records
from firmware_host.games.records import GameRecord, record_text
from firmware_host.games.rulesets import MILL_SETS, RULE_SETS, rule_set
from firmware_host.i18n import Message
from firmware_host.lights.cues import Cue
from firmware_host.play.asking.options import places
from firmware_host.play.asking.setting_up import SettingUp
from firmware_host.ports import NOTHING, Frame, Reading, SensorKind
from firmware_host.tracking.sensor_model import SensorModel, reading_of
from firmware_host.views.instructions import game_advice, instruction
from tests.support.games.random_games import begun, one_step
from tests.support.hands_that_ask import AskingHands, board_with_store, named
from tests.support.matrix import sampled

ROUNDS = 1000


def begin(hands: AskingHands) -> None:
    """Ask for a position to set up, by hands."""
    hands.knock("c3")
    hands.touch("b6")
    hands.touch("b6")


def put(hands: AskingHands, kind: str, points: str) -> None:
    for point in points.split():
        hands.do(put=point, piece=kind)
        hands.wait(0.3)
    hands.wait(4)


@pytest.fixture
def hands() -> Iterator[AskingHands]:
    hands = AskingHands()
    yield hands
    hands.close()


# ---- by presence -------------------------------------------------------------------------------------------


def test_white_is_set_up_first_and_then_black(hands: AskingHands) -> None:
    begin(hands)
    assert hands.state["asking"]["question"] == "set-up-white"
    put(hands, "white", "a1 a4 a7 d6")
    assert hands.state["cues"] == {
        "a1": ["white"],
        "a4": ["white"],
        "a7": ["white"],
        "d6": ["white"],
        "d5": ["ask"],
    }
    assert named(hands.touch("d5")) == ["answer white-stands", "ask set-up-black"]
    put(hands, "black", "g1 g4 f4")
    assert hands.state["cues"]["g1"] == ["black"]
    assert named(hands.touch("d5")) == ["answer pieces-stand", "ask to-move"]
    assert hands.state["asking"]["options"] == {"c4": "white-moves", "e4": "black-moves", "d2": "back"}
    assert hands.state["cues"] == {"c4": ["white"], "e4": ["black"], "d2": ["ask"]}
    assert named(hands.touch("e4")) == ["answer black-moves", "ask phase-black"]
    assert hands.state["asking"]["options"] == {"d5": "placing", "d3": "moving", "d2": "back"}
    said = hands.touch("d3")
    assert named(said) == ["answer moving", "ask-closed", "game", "set-up"]
    text = "********/O*@*****/****@@OO b m s 4 0 3 0 0 0 0 0 0 0 0 0 1"
    assert hands.state["position"] != ""
    assert [one["position"] for one in said if one.get("event") == "set-up"] == [hands.state["position"]]
    assert hands.state["position"].split()[1:8] == text.split()[1:8]
    assert hands.state["status"] == "ready"
    hands.do(lift="g4")
    hands.wait(0.4)
    hands.do(put="g7")
    assert "turn g4-g7" in named(hands.wait(2))


@pytest.mark.parametrize("white", ["a1 d5 a7", "a1 a7 d5"])
def test_done_is_touched_where_a_piece_stands(white: str, hands: AskingHands) -> None:
    begin(hands)
    put(hands, "white", white)
    assert named(hands.touch("d5"), "answer") == ["answer white-stands"]
    put(hands, "black", "g1 g4 f4")
    assert named(hands.touch("d5"), "answer") == ["answer pieces-stand"]
    hands.touch("c4")
    hands.touch("d5")
    board, to_move, phase, *_ = hands.state["position"].split()
    assert (board[0], to_move, phase) == ("O", "w", "p")


def test_a_piece_that_is_put_down_at_the_point_and_left_is_no_touch(hands: AskingHands) -> None:
    begin(hands)
    hands.do(put="d5", piece="white")
    hands.wait(3.5)
    hands.do(lift="d5")
    assert named(hands.wait(1), "answer") == []


def test_one_of_whites_pieces_may_be_lifted_for_a_moment(hands: AskingHands) -> None:
    begin(hands)
    put(hands, "white", "a1 a4 a7")
    hands.touch("d5")
    hands.do(lift="a1")
    hands.wait(2)
    hands.do(put="a1")
    hands.wait(1)
    assert hands.state["cues"]["a1"] == ["white"]
    hands.do(lift="a1")
    hands.wait(4)
    hands.do(put="a1")
    hands.wait(1)
    assert hands.state["cues"]["a1"] == ["black"]


def test_a_player_without_three_pieces_is_still_placing(hands: AskingHands) -> None:
    begin(hands)
    put(hands, "white", "a1 a4")
    hands.touch("d5")
    put(hands, "black", "g1 g4 f4")
    hands.touch("d5")
    assert named(hands.touch("c4"), "answer", "set-up") == ["answer white-moves", "set-up"]
    assert hands.state["position"].split()[2:8] == ["p", "p", "2", "7", "3", "6"]


# ---- by polarity and stacks --------------------------------------------------------------------------------


def test_sensors_that_tell_owners_take_all_pieces_at_once() -> None:
    hands = AskingHands(sensors="polarity")
    begin(hands)
    assert hands.state["asking"]["question"] == "set-up"
    put(hands, "white", "a1 a4 a7")
    put(hands, "black", "g1 g4 f4")
    assert hands.state["cues"]["f4"] == ["black"]
    hands.touch("d5")
    hands.touch("c4")
    hands.touch("d3")
    assert hands.state["position"].split()[1:8] == ["w", "m", "s", "3", "0", "3", "0"]
    hands.close()


def test_stacks_are_set_up_until_all_balls_are_there() -> None:
    hands = AskingHands("mitsudomoe")
    hands.do(sweep=True)
    hands.wait(4)
    hands.ask("set-up")
    for point in ("a1", "b1", "c3"):
        hands.do(put=point, piece="white-ring")
        hands.wait(0.3)
        hands.do(put=point, piece="white-ball")
        hands.wait(0.3)
    for point in ("e5", "d5"):
        hands.do(put=point, piece="black-ring")
        hands.wait(0.3)
        hands.do(put=point, piece="black-ball")
        hands.wait(0.3)
    hands.wait(4)
    assert hands.state["asking"]["options"] == {}
    hands.do(put="d4", piece="black-ring")
    hands.wait(0.3)
    hands.do(put="d4", piece="black-ball")
    hands.wait(4)
    ((point, does),) = hands.state["asking"]["options"].items()
    assert does == "pieces-stand"
    hands.ask("answer", point=point)
    (white,) = (at for at, does in hands.state["asking"]["options"].items() if does == "white-moves")
    hands.ask("answer", point=white)
    assert hands.state["position"] == "-,-,-,bB,bB/-,-,-,bB,-/-,-,wW,-,-/-,-,-,-,-/wW,wW,-,-,- w ring 1"
    assert hands.state["status"] == "ready"
    hands.close()


def frames(position: Position, kind: SensorKind, owner: Player | None = None) -> Frame:
    """Return the readings of a position, or of one player's pieces in it."""
    return tuple(
        reading_of(stack, kind) if stack and owner in (None, stack[-1].owner) else NOTHING
        for stack in position.stacks
    )


def set_up_by_frames(setting_up: SettingUp, position: Position, kind: SensorKind) -> None:
    if kind is SensorKind.PRESENCE:
        setting_up.read(frames(position, kind, Player.WHITE), 1_000_000)
        setting_up.take_answer("white-stands")
    if kind is SensorKind.PIECES:
        for height in range(1, max(map(len, position.stacks), default=0)):
            setting_up.read(tuple(part(stack[:height]) for stack in position.stacks), height)
    setting_up.read(frames(position, kind), 2_000_000)


def part(stack: Sequence[Piece]) -> Reading:
    return reading_of(tuple(stack), SensorKind.PIECES)


@pytest.mark.ci("games")
@pytest.mark.parametrize("kind", sampled([SensorKind.POLARITY, SensorKind.PRESENCE, SensorKind.PIECES]))
def test_positions_of_random_games_round_trip(kind: SensorKind) -> None:
    """As far as hands can say them: whose pieces are where, who moves, and whether pieces are placed."""
    luck = Random(11)
    names = sorted(MILL_SETS) if kind is not SensorKind.PIECES else sorted(RULE_SETS)
    done = 0
    while done < ROUNDS:
        game = begun(luck, luck.choice(names))
        while game.outcome is None and done < ROUNDS:
            done += round_trips(game, kind)
            for _ in range(luck.randint(1, 6)):
                game = one_step(luck, game)


def round_trips(game: Game, kind: SensorKind) -> bool:
    position, rules = game.position, game.rules
    blind = any(
        a == b == c == d for s in position.stacks for a, b, c, d in zip(s, s[1:], s[2:], s[3:], strict=False)
    )
    if position.removal_due or game.mid_turn or blind:
        return False  # what is due, and rings under three of their like, can't be set up by hands
    setting_up = SettingUp(rules, SensorModel(kind), places(rules.layout), 3_000_000)
    set_up_by_frames(setting_up, position, kind)
    assert setting_up.fault is None
    starts = setting_up.draft.result.starts[position.to_move]
    placing = len(rules.box) == 2 and any(position.in_hand(player) for player in Player)
    start = starts[placing]
    assert start.stacks == position.stacks
    assert start.to_move is position.to_move
    if not placing:
        assert str(start).split()[:3] == str(position).split()[:3]
        assert {step.text for step in start.legal_steps()} == {step.text for step in position.legal_steps()}
    return True


# ---- faults ------------------------------------------------------------------------------------------------


def test_what_breaks_the_rules_is_lit_and_said_in_words() -> None:
    hands = AskingHands("six", sensors="polarity")
    hands.ask("set-up")
    put(hands, "white", "d5 a1")
    state = hands.state
    assert state["cues"] == {"d5": [str(Cue.WRONG)]}
    said = instruction(hands.board.life.play.controller)
    assert said == Message("set-up.unused", {"points": ("d5",)})
    assert state["asking"]["options"] == {}
    hands.do(lift="d5")
    hands.wait(4)
    assert "pieces-stand" in hands.state["asking"]["options"].values()
    hands.close()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nothing", "17 fields"),
        ("********/********/O******* w m s 1 0 0 0 0 0 0 0 0 0 0 0 1", "the game is over"),
        ("********/********/******** x p p 0 9 0 9 0 0 0 0 0 0 0 0 1", "the side to move"),
        ("OOOOOOOO/OO******/******** w p p 10 0 0 9 0 0 0 0 0 0 0 0 1", "at most 9"),
        ("********/********/O******* w p p 2 8 0 9 0 0 0 0 0 0 0 0 1", "1, as the board shows"),
    ],
)
def test_a_sent_position_is_refused_by_its_kind_of_fault(hands: AskingHands, text: str, why: str) -> None:
    hands.place("a1 g7")
    before = hands.state
    assert why in hands.refusal("set-up", position=text)
    assert hands.state == before


# ---- by request --------------------------------------------------------------------------------------------

MOVING = "********/@*O*****/OO*@@**O w m s 4 0 3 0 0 0 0 0 0 0 0 0 1"
"""White a7 d7 g7 f4; Black g1 d1 d6, in the order of the text."""


def stand(hands: AskingHands) -> None:
    """Set the pieces down that the board misses."""
    rules = rule_set(hands.state["rules"])
    pieces = rules.position(hands.state["position"]).standing
    for point in hands.state["missing"] or [p.name for p in rules.layout.points if pieces[p.index]]:
        piece = pieces[rules.layout[point].index]
        assert piece is not None
        hands.do(put=point, piece=str(piece))
        hands.wait(0.3)
    hands.wait(1)


def test_light_leads_hands_to_a_sent_position(hands: AskingHands) -> None:
    said = hands.ask("set-up", position=MOVING)
    assert named(said) == ["game", "set-up"]
    hands.wait(5)
    assert hands.state["status"] == "mismatch"
    assert len(hands.state["missing"]) == 7
    stand(hands)
    assert hands.state["status"] == "ready"
    assert hands.state["position"] == MOVING


def test_pieces_that_stand_elsewhere_are_cleared_for_a_position(hands: AskingHands) -> None:
    hands.place("d5 d3")
    hands.ask("set-up", position=MOVING)
    controller = hands.board.life.play.controller
    assert instruction(controller).key == "wrong.set"
    hands.wait(3)
    advice = game_advice(controller)
    assert (instruction(controller).key, advice and advice.key) == ("wrong.set", "wrong.set-then")
    hands.do(sweep=True)
    hands.wait(60)
    assert (instruction(controller).key, game_advice(controller)) == ("lay-out", None)
    stand(hands)
    assert (hands.state["status"], hands.state["position"]) == ("ready", MOVING)


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_position_waits_until_one_of_its_pieces_has_stood(tmp_path: Path, is_cut: bool) -> None:
    """A piece that is set down wrongly, or was there already, and is then taken off, is no game cleared."""
    hands = board_with_store(tmp_path)
    hands.place("a7 d3")
    hands.ask("set-up", position=MOVING)
    hands.do(put="e4", piece="white")
    hands.wait(2)
    if is_cut:
        hands.do(power="off")
        hands.do(power="on")
    for point in ("e4", "d3", "a7"):
        hands.do(lift=point)
        hands.wait(1)
    hands.wait(60)
    hands.do(box=True)
    assert instruction(hands.board.life.play.controller).key == "lay-out"
    stand(hands)
    assert (hands.state["status"], hands.state["position"]) == ("ready", MOVING)
    hands.do(sweep=True)
    hands.wait(4)
    assert hands.state["position"].split()[4:8] == ["0", "9", "0", "9"]
    hands.close()


def test_a_position_is_asked_for_as_calmly_after_a_power_cut(tmp_path: Path) -> None:
    hands = board_with_store(tmp_path)
    hands.place("d5 d3")
    hands.ask("set-up", position=MOVING)
    hands.wait(1)
    hands.do(power="off")
    hands.do(power="on")
    hands.wait(3)
    assert instruction(hands.board.life.play.controller).key == "wrong.set"
    hands.close()


@pytest.mark.parametrize("other", [{"do": "undo"}, {"do": "set-up", "position": MOVING}])
def test_setting_up_gives_way_to_another_game(hands: AskingHands, other: dict[str, str]) -> None:
    """Its pieces needn't be cleared first."""
    hands.place("a1 g7")
    hands.ask("set-up")
    put(hands, "white", "d6 f2")
    hands.do(**other)
    hands.wait(2)
    assert hands.state["status"] != "clear"


def test_a_position_of_which_a_part_stands_is_asked_for_once(hands: AskingHands) -> None:
    hands.place("d5 d3")
    hands.ask("set-up", position=MOVING)
    hands.do(sweep=True)
    hands.do(put=hands.state["missing"][0], piece="white")
    hands.wait(60)
    controller = hands.board.life.play.controller
    assert (instruction(controller).key, game_advice(controller)) == ("lay-out", None)


def test_take_backs_end_at_the_position(hands: AskingHands) -> None:
    hands.ask("set-up", position=MOVING)
    stand(hands)
    turn = hands.state["moves"][0]
    origin, target = turn.split("x")[0].split("-")
    hands.do(lift=origin)
    hands.wait(0.4)
    hands.do(put=target)
    hands.wait(2)
    assert hands.state["position"] != MOVING
    hands.ask("take-back")
    assert hands.state["position"] == MOVING
    assert hands.refusal("take-back")


def test_a_game_is_left_for_a_position_and_gone_on_with(hands: AskingHands) -> None:
    hands.place("a1 g7")
    left = named(hands.ask("set-up", position=MOVING))
    assert left == ["over abandoned", "game", "set-up", "mismatch"]
    hands.ask("undo")
    assert hands.state["position"].split()[4:8] == ["1", "8", "1", "8"]


def test_a_position_that_is_cleared_is_followed_by_a_usual_game(hands: AskingHands) -> None:
    hands.ask("set-up", position=MOVING)
    stand(hands)
    hands.do(sweep=True)
    assert named(hands.wait(4), "over", "ask") == []
    assert hands.state["position"].split()[4:8] == ["0", "9", "0", "9"]
    assert hands.state["status"] == "ready"


def test_a_position_by_other_rules(hands: AskingHands) -> None:
    text = "********/********/O@****** w p p 1 5 1 5 0 0 0 0 0 0 0 0 1"
    assert named(hands.ask("set-up", rules="six", position=text)) == ["game", "set-up"]
    assert hands.state["rules"] == "six"
    assert hands.state["position"] == text


# ---- leaving -----------------------------------------------------------------------------------------------


def test_setting_up_ends_with_a_cleared_board(hands: AskingHands) -> None:
    begin(hands)
    put(hands, "white", "a1 a4")
    hands.do(lift="a1")
    hands.do(lift="a4")
    assert named(hands.wait(4), "ask-closed") == ["ask-closed"]
    assert hands.state["status"] == "ready"


def test_setting_up_goes_on_after_old_pieces_were_cleared_for_it(hands: AskingHands) -> None:
    put(hands, "white", "d6")
    put(hands, "black", "f4")
    hands.do(sweep=True)
    hands.ask("set-up")
    assert named(hands.wait(10), "ask-closed") == []
    assert hands.state["status"] == "asking"


def test_setting_up_ends_when_nothing_happens(hands: AskingHands) -> None:
    begin(hands)
    put(hands, "white", "a1 a4")
    assert named(hands.wait(290), "ask-closed") == []
    assert named(hands.wait(20), "ask-closed") == ["ask-closed"]
    assert hands.state["status"] == "clear"


def test_hands_go_on_setting_up_where_they_were_asked_who_moves(hands: AskingHands) -> None:
    begin(hands)
    put(hands, "white", "a1 a4 a7")
    hands.touch("d5")
    put(hands, "black", "g1 g4 f4")
    hands.touch("d5")
    hands.do(put="g7", piece="black")
    hands.wait(4)
    assert hands.state["asking"]["question"] == "set-up-black"
    assert hands.state["cues"]["g7"] == ["black"]


# ---- records and power cuts --------------------------------------------------------------------------------


def test_the_record_has_the_position() -> None:
    rules = rule_set()
    game = Game.begin(rules, rules.position(MOVING))
    game = game.play(game.position.legal_steps()[0])
    text = record_text(GameRecord(game))
    assert '[SetUp "1"]' in text
    assert f'[FEN "{MOVING}"]' in text
    assert parse_records(text)[0].game.positions[0] == game.positions[0]


def test_a_position_and_its_game_hold_over_a_power_cut(tmp_path: Path) -> None:
    hands = board_with_store(tmp_path)
    hands.ask("set-up", position=MOVING)
    hands.wait(1)
    cut(hands)
    assert hands.state["position"] == MOVING
    stand(hands)
    assert hands.state["status"] == "ready"
    cut(hands)
    assert hands.state["status"] == "ready"
    assert hands.state["position"] == MOVING
    hands.close()


def test_setting_up_goes_on_after_a_power_cut(tmp_path: Path) -> None:
    hands = board_with_store(tmp_path)
    begin(hands)
    put(hands, "white", "a1 a4 a7")
    hands.touch("d5")
    put(hands, "black", "g1")
    cut(hands)
    assert hands.state["asking"]["question"] == "set-up-black"
    put(hands, "black", "g4 f4")
    assert [hands.state["cues"][point] for point in ("a1", "g1", "f4")] == [["white"], ["black"], ["black"]]
    hands.touch("d5")
    hands.touch("c4")
    hands.touch("d3")
    assert hands.state["position"].split()[1:8] == ["w", "m", "s", "3", "0", "3", "0"]
    cut(hands)
    assert hands.asking is None
    assert hands.state["status"] == "ready"
    hands.close()


def cut(hands: AskingHands) -> None:
    hands.wait(1)
    hands.do(power="off")
    hands.wait(1)
    hands.do(power="on")
    hands.wait(1)
