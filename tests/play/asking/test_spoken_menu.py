"""The menu of a board that speaks: its questions, how long it waits, and what a long touch asks."""

from __future__ import annotations

from typing import Any

from tests.support.hands_that_ask import AskingHands, Said

QUESTIONS = {"tell:turn", "tell:last", "tell:board", "tell:counts", "tell:clock"}


def texts(said: Said) -> list[str]:
    return [line["text"] for line in said if line.get("event") == "said"]


def opened(level: str = "turns", **options: Any) -> AskingHands:
    """Return hands at an open menu."""
    hands = AskingHands(sensors="polarity", **options)
    hands.ask("set", speech=level)
    hands.place("d6 d5")
    hands.ask("ask")
    return hands


def options(hands: AskingHands) -> dict[str, str]:
    asking = hands.asking
    return {} if asking is None else {does: point for point, does in asking["options"].items()}


def test_only_a_board_that_speaks_can_be_asked() -> None:
    assert options(opened()).keys() >= QUESTIONS
    assert not options(opened("off")).keys() & QUESTIONS


def test_a_question_is_answered_and_the_menu_stays() -> None:
    hands = opened()
    said = texts(hands.touch(options(hands)["tell:last"], 0.2))
    assert said == ["Black: d5."]
    assert hands.asking is not None


def test_whose_turn_it_is_is_told_while_the_menu_is_open() -> None:
    hands = opened()
    said = texts(hands.touch(options(hands)["tell:turn"], 0.2))
    assert said == ["White to play: place a piece on a free point (8 in hand)."]


def test_a_long_touch_tells_what_is_there_and_chooses_nothing() -> None:
    hands = opened()
    back = options(hands)["take-back"]
    assert back == "d5"  # where a piece stands
    hands.do(lift=back)
    hands.wait(1.2)
    said = texts(hands.do(put=back) + hands.wait(0.5))
    assert said == ["d5: black piece. d5: Take back."]
    assert "taken-back" not in str(hands.wait(1))


def test_a_touch_without_an_option_tells_what_is_there() -> None:
    hands = opened()
    assert "d6" not in options(hands).values()
    assert texts(hands.touch("d6")) == ["d6: white piece."]
    assert texts(hands.visit("a7", up=0.3)) == ["a7: empty."]


def test_a_short_touch_chooses() -> None:
    hands = opened()
    said = texts(hands.touch(options(hands)["take-back"]))
    assert any(text.startswith("Taken back: d5.") for text in said)


def test_without_speech_a_long_touch_chooses() -> None:
    hands = opened("off")
    assert "taken-back" in str(hands.touch(options(hands)["take-back"], 1.2))


def test_a_spoken_menu_waits_for_a_minute() -> None:
    hands = opened()
    hands.wait(55)
    assert hands.asking is not None
    hands.wait(8)
    assert hands.asking is None


def test_speech_and_its_language_are_chosen_by_touch() -> None:
    hands = opened()
    hands.touch(options(hands)["board"], 0.2)
    said = texts(hands.touch(options(hands)["language"], 0.2))
    assert said[0] == "Voz: Cada jugada."
    said = texts(hands.touch(options(hands)["speech"], 0.2))
    assert said[0] == "Voz: Todo."


def test_a_menu_names_each_option_with_its_point() -> None:
    hands = AskingHands(sensors="polarity")
    hands.ask("set", speech="answers")
    (said,) = texts(hands.ask("ask") + hands.wait(0.1))
    for does, point in options(hands).items():
        assert f"{point}: " in said, does
