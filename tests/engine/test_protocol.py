"""The line protocol: requests, answers, and garbage."""

from __future__ import annotations

import random

import pytest

from firmware_host.engine.protocol import Conversation, Task

FEN = "OO*O****/********/@@**@*** w m s 3 0 3 0 0 0 0 0 0 0 0 0 9"


def after(*lines: str) -> Conversation:
    """Return the conversation after these lines, of which none is an error."""
    conversation = Conversation()
    for line in lines:
        assert conversation.receive(line).lines == ()
    return conversation


def task(conversation: Conversation, line: str) -> Task:
    answer = conversation.receive(line)
    assert answer.lines == ()
    assert answer.task is not None
    return answer.task


def test_uci_introduces_the_engine() -> None:
    lines = Conversation().receive("uci").lines
    assert lines[0].startswith("id name Millwright ")
    assert lines[-1] == "uciok"
    assert any(line.startswith("option name Level type spin default 8 min 1 max 8") for line in lines)


def test_go_at_a_level_answers_with_the_steps_of_a_turn() -> None:
    conversation = after(f"position fen {FEN}")
    assert task(conversation, "go level 3 movetime 1000").perform(None, lambda: False)[0] in {
        f"bestmove {turn} x{taken}" for turn in ("d5-e4", "e3-c5") for taken in ("d7", "g7", "d1")
    }


def test_go_reports_each_depth_before_its_answer() -> None:
    lines: list[str] = []
    begun = task(after("position startpos moves d6 f4"), "go depth 3")
    assert next(begun.stream(None, lambda: False, lines.append)).startswith("bestmove ")
    words = [line.split() for line in lines]
    assert [line[:3] for line in words] == [["info", "depth", str(depth)] for depth in (1, 2, 3)]
    assert all(line[3:5] == ["score", "cp"] and line[6] == "nodes" and line[8] == "pv" for line in words)
    assert [int(line[7]) for line in words] == sorted(int(line[7]) for line in words)


def test_go_that_wins_reports_turns_until_the_end() -> None:
    lines: list[str] = []
    list(task(after(f"position fen {FEN}"), "go level 3").stream(None, lambda: False, lines.append))
    assert lines[-1].startswith("info depth 1 score mate 1 nodes ")


@pytest.mark.parametrize("moves", ["d6 f4 d5 d2 d7 xf4", "d6 f4 d5 d2 d7xf4"])
def test_position_takes_moves_as_steps_or_turns(moves: str) -> None:
    game = task(after(f"position startpos moves {moves}"), "go").game
    assert game.turn_texts()[-1] == "d7xf4"
    assert game.ply == 6


def test_review_answers_for_each_turn_from_the_last_on() -> None:
    found = task(after("position startpos moves d6 f4 d5"), "review").stream(None, lambda: True)
    lines = list(found)
    assert [line.split()[0] for line in lines] == ["reviewed"] * 3 + ["reviewok"]
    assert all(line.startswith("reviewed before=unknown after=unknown estimate=") for line in lines[:3])


def test_go_continues_a_turn_that_has_begun() -> None:
    conversation = after("position startpos moves d6 f4 d5 d2 d7")
    assert task(conversation, "go level 2").perform(None, lambda: False)[0] in (
        "bestmove xf4",
        "bestmove xd2",
    )


def test_values_answers_with_a_line_for_each_turn() -> None:
    lines = task(after(f"position fen {FEN}"), "values").perform(None, lambda: False)
    assert lines[0] == "turn d5-e4xd7 win 1 exact"
    assert lines[-1] == "valuesok"
    assert "turn e3-a7 unknown" in lines


def test_values_of_mitsudomoe_writes_a_turn_as_one_word() -> None:
    conversation = after("setoption name Rules value mitsudomoe")
    lines = task(conversation, "values").perform(None, lambda: True)
    assert all(len(line.split()) == 3 for line in lines[:-1])
    assert "_" in lines[0]


def test_go_after_the_end_has_no_move() -> None:
    conversation = after("position fen O*O*****/********/@@*****O w o s 3 0 2 0 0 0 0 0 0 0 0 0 9")
    assert task(conversation, "go").perform(None, lambda: False) == ["bestmove (none)"]


def test_seed_makes_answers_repeat() -> None:
    first, second = (
        [task(conversation, "go level 1").perform(None, lambda: False) for _ in range(6)]
        for conversation in (after("setoption name Seed value 5") for _ in range(2))
    )
    assert first == second
    assert len({line for lines in first for line in lines}) > 1


def test_switches_change_the_rules() -> None:
    conversation = after(
        "setoption name Rules value six", "setoption name Switches value flying=own pieces=5"
    )
    assert task(conversation, "go").game.rules.describe() == "six pieces=5 flying=own"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("hello", "'hello' is not a request"),
        ("position", "position startpos or position fen"),
        ("position fen x", "17 fields"),
        ("position startpos moves d6 d6", "move 2: "),
        ("position startpos moves z9", "move 1: "),
        ("go level 9", "expected a whole number from 1 to 8"),
        ("go depth 61", "depth is '61', expected a whole number from 1 to 60"),
        ("go level 3 depth 3", "depth is '3', expected a whole number from 1 to 2"),
        ("go depth x", "depth is 'x'"),
        ("go movetime -1", "movetime is '-1'"),
        ("setoption Level 3", "setoption name NAME value VALUE"),
        ("setoption name Level value x", "Level is 'x'"),
        ("setoption name Hash value 3", "there is no option 'Hash'"),
        ("setoption name Rules value chess", "there is no rule set 'chess'"),
        ("setoption name Switches value flying=maybe", "flying cannot be 'maybe'"),
    ],
)
def test_wrong_request_is_answered_with_an_error(line: str, named: str) -> None:
    (answer,) = Conversation().receive(line).lines
    assert answer.startswith("error ")
    assert named in answer


def test_wrong_position_leaves_the_one_before() -> None:
    conversation = after("position startpos moves d6")
    assert conversation.receive("position startpos moves d6 d6").lines
    assert task(conversation, "go").game.ply == 1


def test_garbage_never_raises() -> None:
    rng = random.Random(1)
    words = ["go", "position", "fen", "startpos", "moves", "setoption", "name", "value", "Level", "Rules"]
    words += ["d6", "d6-d5", "xa1", "x-", "9", "-1", "movetime", "level", "stop", "values", "ucinewgame"]
    words += [FEN, "\0", "\x1b[31m", "é", "9" * 400, "isready", "", "*" * 90]
    conversation = Conversation()
    errors = 0
    for _ in range(3000):
        line = " ".join(rng.choice(words) for _ in range(rng.randrange(1, 8)))
        if rng.random() < 0.2:
            line = "".join(chr(rng.randrange(0x300)) for _ in range(rng.randrange(30)))
        answer = conversation.receive(line)
        assert all("\n" not in one for one in answer.lines)
        errors += any(one.startswith("error ") for one in answer.lines)
    assert errors > 1000
