"""Seats: whose turns hands complete, the turn that is wanted of an engine, and what is kept of both."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.play.engine_turns import ANSWER_AFTER, STAND_IN_LEVEL, THINKING_SHOWN_AFTER, EngineTurns
from firmware_host.play.seats import HERE, SeatHolder, Seats, kept_choice, last_own_turn, rest_of_chosen
from firmware_host.ports import NOTHING, SensorKind
from firmware_host.settings import Play
from tests.support.controller_bench import new_session
from tests.support.matrix import CI, sampled
from tests.support.scripted_board import ScriptedBoard, after

BLACK_FOUR = Seats(black=SeatHolder(4))
BOTH = Seats(SeatHolder(1), SeatHolder(2))
FOUR = ("standard", "pieces=4", "flying=never")
MILL_DUE = "d6 f4 d7 a1 a7 g1 g4 c4"
EACH_ALPHABET = pytest.mark.parametrize("alphabet", [SensorKind.PRESENCE, SensorKind.POLARITY])


def game_of(turns: str, *rules: str) -> Game:
    return after(turns, *rules).session.game


def test_a_seat_is_named_as_in_the_configuration() -> None:
    assert SeatHolder.named("here") == HERE
    assert SeatHolder.named("engine:8") == SeatHolder(8)
    assert SeatHolder.named("external") == SeatHolder(external=True)
    assert [str(seat) for seat in (HERE, SeatHolder(8), SeatHolder(external=True))] == [
        "here",
        "engine:8",
        "external",
    ]


@pytest.mark.parametrize("name", ["engine:9", "engine:0", "engine", "", "Here"])
def test_a_seat_of_nobody_is_refused(name: str) -> None:
    with pytest.raises(RequestError, match="can play"):
        SeatHolder.named(name)


# ---- what hands may complete -------------------------------------------------------------------------


@EACH_ALPHABET
def test_hands_play_nothing_for_an_engine_that_has_not_chosen(alphabet: SensorKind) -> None:
    board = ScriptedBoard(seats=BLACK_FOUR, alphabet=alphabet)
    board.turns("d6")
    assert board.hands("@f4 3000") == ["mismatch f4"]
    assert board.texts == "d6"
    assert board.hands("-f4 1000") == ["restored"]


@EACH_ALPHABET
def test_only_the_chosen_turn_counts_for_an_engine(alphabet: SensorKind) -> None:
    board = ScriptedBoard(seats=BLACK_FOUR, alphabet=alphabet)
    board.turns("d6")
    assert board.ask("choose", "f4") == ["chosen f4 black"]
    assert board.hands("@f2 3000") == ["mismatch f2"]
    assert board.hands("-f2 1000 @f4 1000") == ["restored", "step f4 black", "turn f4 black"]
    board.turns("d7")
    assert board.texts == "d6 f4 d7"


@EACH_ALPHABET
def test_the_own_last_turn_may_be_changed_while_an_engine_thinks(alphabet: SensorKind) -> None:
    board = ScriptedBoard(seats=BLACK_FOUR, alphabet=alphabet)
    board.turns("d6")
    assert board.hands("-d6 500 +b6 1500")[-1] == "turn b6 white"
    assert board.texts == "b6"


@EACH_ALPHABET
def test_the_own_last_turn_may_be_changed_until_the_choice_is_played(alphabet: SensorKind) -> None:
    board = ScriptedBoard(seats=BLACK_FOUR, alphabet=alphabet)
    board.turns("d6")
    board.ask("choose", "f4")
    assert board.hands("-d6 500 +b6 1500")[-1] == "turn b6 white"
    assert board.texts == "b6"
    assert board.session.chosen is None
    assert board.session.reconciler.is_bound


@EACH_ALPHABET
def test_an_own_turn_begun_while_carrying_out_counts_after_it(alphabet: SensorKind) -> None:
    board = after(MILL_DUE, *FOUR, alphabet=alphabet, seats=None)
    board.session.take_seats(Seats(white=SeatHolder(3)))
    board.ask("choose", "d6-d5")
    assert "turn d6-d5 white" not in board.hands("-f4 100 -d6 300")
    board.hands("+d5 300 @f2 1500")
    assert board.texts == f"{MILL_DUE} d6-d5 f4-f2"


def test_a_capture_is_part_of_the_chosen_turn() -> None:
    board = after(MILL_DUE, *FOUR)
    board.session.take_seats(Seats(white=SeatHolder(3)))
    board.ask("choose", "g4-g7xa1")
    board.hands("-g4 +g7 1000 -c4 3000")
    assert board.texts == f"{MILL_DUE} g4-g7"
    board.hands("+c4 1000 -a1 1000")
    assert board.texts == f"{MILL_DUE} g4-g7xa1"


def test_a_declined_removal_of_an_engine_needs_no_hands() -> None:
    board = after(MILL_DUE, *FOUR, "removal=may")
    board.session.take_seats(Seats(white=SeatHolder(3)))
    turn = next(text for text in _texts(board) if text.startswith("g4-g7") and "xa1" not in text)
    board.ask("choose", turn)
    assert board.hands("-g4 +g7 1000")[-1].startswith("turn g4-g7")
    assert board.session.game.position.to_move is Player.BLACK


def _texts(board: ScriptedBoard) -> list[str]:
    game = board.session.game
    return sorted((game.rules.turn_text(run) for run in game.position.legal_runs()), key=len)


def test_two_engines_are_carried_out_in_turn() -> None:
    board = ScriptedBoard(seats=BOTH)
    for turn in ("d6", "f4", "d7"):
        board.ask("choose", turn)
        board.turns(turn)
    assert board.texts == "d6 f4 d7"
    assert board.session.reconciler.is_bound


def test_a_lesson_is_played_by_hands_alone() -> None:
    board = ScriptedBoard("lesson", seats=BOTH)
    board.turns("d6 f4")
    assert board.texts == "d6 f4"


# ---- requests ----------------------------------------------------------------------------------------


def test_a_take_back_goes_back_to_the_last_own_turn() -> None:
    board = ScriptedBoard(seats=BLACK_FOUR)
    board.turns("d6")
    board.ask("choose", "f4")
    board.turns("f4")
    assert board.ask("take_back")[0] == "taken-back 0"
    board.hands("-d6 -f4 2000")
    assert board.ask("redo")[:2] == ["redone 1", "redone 2"]


def test_a_take_back_gives_up_what_was_chosen() -> None:
    board = ScriptedBoard(seats=BLACK_FOUR)
    board.turns("d6")
    board.ask("choose", "f4")
    board.ask("take_back")
    assert board.session.chosen is None
    board.hands("-d6 1000 +d7 1000")
    assert board.texts == "d7"
    assert board.session.reconciler.is_bound


def test_a_side_that_is_taken_over_is_played_by_hands() -> None:
    board = ScriptedBoard(seats=BLACK_FOUR)
    board.turns("d6")
    board.ask("choose", "f4")
    assert board.ask("take_seats", {Player.BLACK: HERE}) == ["seats here here"]
    board.turns("g7")
    assert board.texts == "d6 g7"


def test_seats_that_stay_are_no_event() -> None:
    board = after("d6", seats=BLACK_FOUR)
    assert board.ask("take_seats", {Player.BLACK: SeatHolder(4)}) == []


def test_a_new_game_may_seat_others() -> None:
    board = ScriptedBoard()
    board.ask("new_game", rule_set("six"), {Player.WHITE: SeatHolder(2)})
    assert board.session.seats == Seats(white=SeatHolder(2))
    assert board.session.reconciler.is_bound


@pytest.mark.parametrize("request_", ["draw", "decline"])
def test_an_engine_is_not_decided_for(request_: str) -> None:
    board = after(f"{MILL_DUE} g4-g7", *FOUR, "removal=may")
    board.session.take_seats(Seats(white=SeatHolder(3)))
    assert board.controls.unavailable_reason(request_) is not None
    board.session.take_seats(Seats())
    assert board.controls.unavailable_reason(request_) is None


def test_who_resigns_against_an_engine_is_the_one_who_is_here() -> None:
    board = ScriptedBoard(seats=BLACK_FOUR)
    board.turns("d6")
    assert board.ask("resign", None) == ["over black resigned 1"]


def test_the_last_own_turn_skips_those_of_engines() -> None:
    game = game_of("d6 f4 d7 f2")
    assert last_own_turn(game, frozenset()) == 3
    assert last_own_turn(game, frozenset({Player.BLACK})) == 2
    assert last_own_turn(game, frozenset({Player.WHITE})) == 3
    assert last_own_turn(game, frozenset(Player)) == 3
    assert last_own_turn(game_of("d6"), frozenset({Player.WHITE})) == 0


# ---- the turn that is wanted -------------------------------------------------------------------------


def test_a_turn_is_wanted_once_for_each_position() -> None:
    turns, game = EngineTurns(new_session()), game_of("d6")
    turns.want_turn(game, SeatHolder(4), 1_000_000)
    wanted = turns.wanted
    assert wanted is not None
    assert (wanted.level, wanted.due) == (4, 1_000_000 + ANSWER_AFTER)
    turns.want_turn(game, SeatHolder(4), 1_500_000)
    assert turns.wanted is wanted
    turns.want_turn(game, SeatHolder(5), 1_500_000)
    assert turns.wanted is not wanted
    turns.want_turn(game, None, 1_600_000)
    assert turns.wanted is None
    turns.want_turn(game, SeatHolder(4), 1_700_000)
    assert turns.wanted is not wanted


def test_a_turn_of_another_program_is_wanted_as_such() -> None:
    turns, game = EngineTurns(new_session()), game_of("d6")
    turns.want_turn(game, SeatHolder(external=True), 0)
    first = turns.wanted
    assert first is not None
    assert (first.external, first.level) == (True, STAND_IN_LEVEL)
    turns.want_turn(game, SeatHolder(external=True), 5)
    assert turns.wanted is first
    turns.want_turn(game, SeatHolder(STAND_IN_LEVEL), 6)
    assert turns.wanted is not first
    assert turns.wanted is not None
    assert not turns.wanted.external


def test_another_program_takes_a_seat_only_if_there_is_one() -> None:
    board, other = after("d6"), {Player.BLACK: SeatHolder(external=True)}
    with pytest.raises(RequestError, match="no other program is configured"):
        board.ask("take_seats", other)
    with pytest.raises(RequestError, match="no other program is configured"):
        board.ask("new_game", rule_set(), other)
    assert board.session.game.ply == 1
    board.session.program = "Sanmill"
    board.ask("take_seats", other)
    assert board.session.seats == Seats(black=SeatHolder(external=True))


def test_kept_seats_of_a_program_that_is_gone_are_those_of_the_configuration() -> None:
    with_program = Play(external=("/opt/sanmill",))
    kept = Seats(black=SeatHolder(external=True)).kept_over(Seats.of(with_program))
    assert Seats.of(with_program, kept) == Seats(black=SeatHolder(external=True))
    assert Seats.of(Play(), kept) == Seats()


def test_thinking_is_noticed_after_a_while() -> None:
    turns, game = EngineTurns(new_session()), game_of("d6")
    turns.want_turn(game, SeatHolder(4), 0)
    assert not turns.is_thinking
    assert turns.deadline == THINKING_SHOWN_AFTER
    turns.want_turn(game, SeatHolder(4), THINKING_SHOWN_AFTER)
    assert turns.is_thinking
    assert turns.deadline == ANSWER_AFTER
    turns.want_turn(game, SeatHolder(4), ANSWER_AFTER)
    assert turns.is_thinking
    assert turns.deadline is None
    turns.want_turn(game, None, ANSWER_AFTER)
    assert not turns.is_thinking


# ---- what is kept ------------------------------------------------------------------------------------


def test_kept_seats_hold_until_the_configuration_changes() -> None:
    play = Play(black="engine:2")
    kept = BLACK_FOUR.kept_over(Seats.of(play))
    assert Seats.of(play, kept) == BLACK_FOUR
    assert Seats.of(Play(), kept) == Seats()
    assert Seats.of(play).kept_over(Seats.of(play)) is None


@pytest.mark.parametrize(
    "kept", [None, 7, "here", {}, {"white": "here", "configured": {"white": "here", "black": "here"}}]
)
def test_damaged_seats_are_those_of_the_configuration(kept: object) -> None:
    assert Seats.of(Play(), kept) == Seats()


def test_a_kept_choice_is_restored_with_what_is_left_of_it() -> None:
    board = after(MILL_DUE, *FOUR)
    game = board.session.game
    rest = next(run for run in game.position.legal_runs() if game.rules.turn_text(run) == "g4-g7xa1")
    kept = kept_choice(game, rest)
    assert rest_of_chosen(game, kept) == rest
    begun = game.play(rest[0])
    assert kept_choice(begun, rest[1:]) == kept
    assert rest_of_chosen(begun, kept) == rest[1:]
    assert rest_of_chosen(game.play(*rest), kept) is None
    assert rest_of_chosen(game.back_to(game.ply - 1), kept) is None


@pytest.mark.parametrize("kept", [None, [], {"ply": 0, "turn": "z9"}, {"ply": 0}])
def test_a_damaged_choice_is_none(kept: object) -> None:
    assert rest_of_chosen(game_of("d6").back_to(0), kept) is None


# ---- whatever hands do -------------------------------------------------------------------------------


class MeddlingHands:
    """Hands that play, meddle and change their minds, beside an engine that chooses at random."""

    def __init__(self, luck: Random, seats: Seats, alphabet: SensorKind) -> None:
        self.board = ScriptedBoard("standard", "pieces=5", seats=seats, alphabet=alphabet)
        self._bound = seats.bound(self.board.rules)
        self._luck = luck
        self._chosen = dict.fromkeys(map(str, Player), "")
        self.carried_out = 0

    def act(self) -> None:
        """Do one thing, and check that of a bound side nothing but the chosen turn was completed."""
        self._note(self._luck.choice((self._play, self._play, self._meddle, self._ask, self._restore))())

    def _note(self, events: list[str]) -> None:
        for event in events:
            name, *words = event.split()
            if name == "chosen":
                self._chosen[words[1]] = words[0]
            if name == "turn" and Player(words[1]) in self._bound:
                self.carried_out += 1
                assert words[0] == self._chosen[words[1]]

    def _play(self) -> list[str]:
        """Play a legal turn of whoever is to move, or of a bound side usually the chosen one."""
        session = self.board.session
        events: list[str] = []
        if session.game.outcome is not None or session.must_clear:
            return self.board.hands("5000")
        turns = list(session.game.position.legal_runs())
        if session.reconciler.is_bound and self._luck.random() < 0.9:
            events += self.board.ask("choose", session.game.rules.turn_text(self._luck.choice(turns)))
        elif session.chosen is not None and self._luck.random() < 0.8:
            turns = [session.chosen]
        white = session.game.position.to_move is Player.WHITE
        for step in self._luck.choice(turns):
            words = [f"-{step.origin}"] if step.origin else []
            words += [f"{'+' if white else '@'}{step.target}"] if step.target else []
            events += self.board.hands(" 100 ".join(words) + f" {self._luck.choice((50, 400, 1500))}")
        return events

    def _meddle(self) -> list[str]:
        """Lift a piece, or set one down, anywhere, and undo that now and then."""
        point = self._luck.choice(self.board.rules.layout.points)
        stands = self.board.frame[point.index] != NOTHING
        colour = self._luck.choice("+@")
        script = f"-{point} 700 {colour}{point} 700" if stands else f"{colour}{point} 700 -{point} 1500"
        return self.board.hands(script if self._luck.random() < 0.8 else f"{script.split()[0]} 1500")

    def _restore(self) -> list[str]:
        """Set the board right, point by point, as the lights ask for."""
        session = self.board.session
        events = self.board.ask("resume") if session.paused else []
        wanted = zip(self.board.rules.layout.points, session.expected_frame(), strict=True)
        for point, reading in wanted:
            if self.board.frame[point.index] != reading:
                events += self.board.hands(f"-{point} 300 {'-+@'[reading]}{point} 300")
        return events + self.board.hands("1500")

    def _ask(self) -> list[str]:
        request = self._luck.choice(("take_back", "redo", "pause", "resume"))
        try:
            return self.board.ask(request)
        except RequestError:
            return []


@pytest.mark.ci("examples")
@pytest.mark.parametrize("alphabet", sampled([SensorKind.PRESENCE, SensorKind.POLARITY], others=CI))
@given(seed=st.integers(0, 10**6), seats=st.sampled_from([BLACK_FOUR, Seats(white=SeatHolder(1)), BOTH]))
@settings(max_examples=25, deadline=None)
def test_hands_complete_no_turn_but_the_chosen_one(alphabet: SensorKind, seed: int, seats: Seats) -> None:
    hands = MeddlingHands(Random(seed), seats, alphabet)
    for _ in range(25):
        hands.act()


def test_random_hands_do_carry_out_what_is_chosen() -> None:
    hands = MeddlingHands(Random(2), BLACK_FOUR, SensorKind.POLARITY)
    for _ in range(120):
        hands.act()
    assert hands.carried_out > 3
