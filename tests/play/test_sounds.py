"""The sounds of a board: what is heard, at which level, and never two at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.config.loader import Config
from firmware_host.games.game import Game, Player, Reason
from firmware_host.games.rulesets import rule_set
from firmware_host.play import events as ev
from firmware_host.play.sounds import BUZZER, GAP, NEVER, SPEAKER, SPEAKER_LEASE, SoundTracker
from firmware_host.ports import SensorKind
from firmware_host.settings import SOUND_ALL, SOUND_FEW, SOUND_LEVELS, Rest
from firmware_host.sound import MAX_RHYTHM_MS, SOUNDS, SoundCue
from sim.assembly import Blueprint
from sim.world import SimulatedWorld
from tests.support.controller_bench import new_session

MS, SECOND = 1_000, 1_000_000
RULES = rule_set("standard")
GAME = Game.begin(RULES, RULES.start(Player.WHITE))
EVENTS = {
    SoundCue.OVER: ev.GameOver(None, Reason.AGREED, 3),
    SoundCue.LOW: ev.ClockChanged("low", Player.WHITE, 30),
    SoundCue.TURN: ev.TurnChosen("d6", Player.WHITE),
    SoundCue.REMOVED: ev.StepPlayed("xa1", Player.WHITE),
    SoundCue.PLACED: ev.StepPlayed("d6", Player.WHITE),
    SoundCue.ASK: ev.AskOpened("game"),
}


def heard(tracker: SoundTracker, *cues: SoundCue, now: int, night: bool = False) -> list[str]:
    events = tracker.begin_sound([EVENTS[cue] for cue in cues], GAME, now, is_night=night)
    return [event.as_dict()["what"] for event in events]


def tracker_at(level: str, *, buzzer: bool = True) -> SoundTracker:
    tracker = SoundTracker(new_session(), has_buzzer=buzzer)
    tracker.level = level
    return tracker


@pytest.mark.parametrize("night", [False, True])
@pytest.mark.parametrize("level", SOUND_LEVELS)
def test_a_level_plays_its_sounds_and_at_night_few(level: str, night: bool) -> None:
    at_night = SOUND_FEW if night and level == SOUND_ALL else level
    for cue in EVENTS:
        tracker = tracker_at(level)
        assert heard(tracker, cue, now=0, night=night) == ([str(cue)] if cue.is_played_at(at_night) else [])
        assert tracker.last is not None
        assert tracker.last.is_soft is night


def test_of_sounds_at_once_the_weightiest_is_heard() -> None:
    assert heard(tracker_at(SOUND_ALL), SoundCue.PLACED, SoundCue.OVER, SoundCue.LOW, now=0) == ["over"]


def test_a_lighter_sound_is_dropped_and_a_weightier_one_replaces() -> None:
    tracker = tracker_at(SOUND_ALL)
    assert heard(tracker, SoundCue.TURN, now=0) == ["turn"]
    assert heard(tracker, SoundCue.PLACED, now=50 * MS) == []
    assert heard(tracker, SoundCue.TURN, now=50 * MS) == []
    assert heard(tracker, SoundCue.OVER, now=50 * MS) == ["over"]
    assert not tracker.buzzes(50 * MS)
    assert tracker.next_edge(50 * MS) == 50 * MS + GAP
    assert tracker.buzzes(50 * MS + GAP)
    assert heard(tracker, SoundCue.PLACED, now=2 * SECOND) == ["placed"]


def test_a_game_that_was_left_or_a_declined_removal_is_not_heard() -> None:
    tracker = tracker_at(SOUND_ALL)
    silent = (ev.GameOver(None, Reason.ABANDONED, 3), ev.StepPlayed("x-", Player.WHITE), ev.Paused())
    assert tracker.begin_sound(silent, GAME, 0, is_night=False) == ()
    assert tracker.last is None


def test_pages_learn_of_a_sound_that_no_part_plays() -> None:
    tracker = tracker_at(SOUND_ALL, buzzer=False)
    assert heard(tracker, SoundCue.OVER, now=0) == []
    assert tracker.last is not None
    assert (tracker.last.number, tracker.last.cue, tracker.last.played_by) == (1, SoundCue.OVER, None)
    assert tracker.next_edge(0) == NEVER


def test_a_speaker_plays_instead_of_the_buzzer_until_it_is_gone() -> None:
    tracker = tracker_at(SOUND_ALL)
    tracker.lend_speaker(0, is_there=True)
    assert tracker.parts == (BUZZER, SPEAKER)
    assert tracker.deadline == SPEAKER_LEASE
    assert heard(tracker, SoundCue.OVER, now=0) == ["over"]
    assert not tracker.buzzes(0)
    tracker.lend_speaker(SECOND, is_there=False)
    assert [*tracker.parts, tracker.deadline] == [BUZZER, None]
    assert heard(tracker, SoundCue.OVER, now=2 * SECOND) == ["over"]
    assert tracker.buzzes(2 * SECOND)


@pytest.mark.ci("examples")
@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 1_500), st.sampled_from(sorted(EVENTS, key=str)), st.booleans())),
    st.sampled_from(SOUND_LEVELS),
)
def test_there_is_never_more_than_one_sound(happening: list[tuple[int, SoundCue, bool]], level: str) -> None:
    tracker = tracker_at(level)
    now = 0
    on_since: int | None = None
    levels: list[tuple[int, bool]] = []
    for wait_ms, cue, night in happening:
        levels += [(at, tracker.buzzes(at)) for at in range(now, now + wait_ms * MS, 5 * MS)]
        now += wait_ms * MS
        before = tracker.last
        if heard(tracker, cue, now=now, night=night) and before is not None and now < before.ends:
            assert cue.outweighs(before.cue)
            assert not tracker.buzzes(now)  # a silence between the two
    levels += [(at, tracker.buzzes(at)) for at in range(now, now + SECOND, 5 * MS)]
    for at, is_on in levels:
        if is_on:
            on_since = at if on_since is None else on_since
            assert at - on_since < MAX_RHYTHM_MS * MS
        else:
            on_since = None
    assert on_since is None
    longest = max(on for forms in SOUNDS.values() for on, _ in forms.rhythm.beats)
    assert longest < MAX_RHYTHM_MS


class BuzzerListener:
    """A simulated board with a buzzer, and the sounds and bursts that it reports."""

    def __init__(self, *, skip: bool = True, **options: Any) -> None:
        self.told: list[Mapping[str, Any]] = []
        self.world = SimulatedWorld(Blueprint(buzzer=True, **options), self._tell, skip=skip)
        self.world.begin()

    def _tell(self, event: Mapping[str, Any]) -> None:
        if event["event"] in ("sound", "buzz"):
            self.told.append(event)

    def do(self, *commands: Mapping[str, Any]) -> list[Any]:
        """Carry out commands, wait for two seconds after each, and return the sounds since the last call."""
        for command in commands:
            self.world.let_pass(self.world.do(command))
            self.world.let_pass(2 * SECOND)
        told, self.told = self.told, []
        return [event.get("what", event.get("ms")) for event in told]

    @property
    def level(self) -> str:
        return self.world.play.controller.preferences.effective.sound.level


@pytest.fixture
def listener() -> Iterator[BuzzerListener]:
    listener = BuzzerListener()
    yield listener
    listener.world.close()


WRONG = ["wrong", [[80, 60], [80, 0]]]


def test_hands_that_do_wrong_are_heard_once() -> None:
    listener = BuzzerListener(alphabet=SensorKind.POLARITY)
    assert listener.do({"put": "d6", "piece": "white"}) == []
    assert listener.do({"put": "a1", "piece": "white"}) == WRONG
    assert listener.do({"put": "g1", "piece": "white"}) == []
    assert listener.do({"lift": "g1"}, {"lift": "a1"}) == []
    assert listener.do({"put": "g1", "piece": "white"}) == WRONG
    listener.world.close()


def test_a_request_that_moves_the_game_is_no_wrong_of_hands(listener: BuzzerListener) -> None:
    listener.do({"put": "d6", "piece": "white"})
    assert listener.do({"do": "take-back"}) == []
    assert listener.do({"lift": "d6"}) == []


def test_a_level_is_heard_when_it_is_chosen(listener: BuzzerListener) -> None:
    assert listener.do({"do": "set", "sound": "all"})[0] == "mill"
    assert listener.do({"do": "set", "sound": "off"}) == []
    assert listener.do({"do": "set", "sound": "few"})[0] == "turn"
    assert listener.do({"do": "set", "sound": None}) == []


def test_the_menu_has_the_next_level(listener: BuzzerListener) -> None:
    listener.do({"do": "ask"})
    asked = listener.world.play.controller.asks.asking
    assert asked is not None
    (point,) = (point.name for point, option in asked.options.items() if option.does == "sound")
    assert listener.do({"do": "answer", "point": point})[0] == "mill"
    assert listener.level == "all"
    listener.do({"do": "answer", "point": point})
    assert listener.level == "off"


def test_a_line_that_is_not_free_is_a_fault_and_play_goes_on() -> None:
    listener = BuzzerListener()
    board = listener.world.play.board
    buzzer: Any = board._buzzer
    lines, buzzer._lines = buzzer._lines, None
    listener.do({"do": "set", "sound": "all"})
    assert listener.world.play.controller.faults.keys() == {ev.SOUND}
    buzzer._lines = lines
    assert listener.do({"put": "d6", "piece": "white"}) == ["placed", [[20, 0]]]
    assert not listener.world.play.controller.faults
    listener.world.close()
    assert not listener.world.play.electronics.buzzer.is_on


def test_frames_that_are_skipped_change_no_sound() -> None:
    told = []
    for skip in (True, False):
        listener = BuzzerListener(skip=skip)
        done: list[Mapping[str, Any]] = [{"do": "set", "sound": "all"}, {"put": "d6", "piece": "white"}]
        told.append([listener.do(*done), listener.do({"do": "ask"}, {"do": "resign"}), listener.world.now])
        listener.world.close()
    assert told[0] == told[1]
    assert told[0][1] == ["ask", [[20, 40], [20, 40], [20, 0]], "over", [[60, 60], [60, 60], [200, 0]]]


def test_the_plug_pulled_in_a_sound_leaves_the_line_low(listener: BuzzerListener) -> None:
    listener.world.let_pass(listener.world.do({"do": "set", "sound": "all"}))
    assert listener.world.play.electronics.buzzer.is_on
    told = listener.do({"power": "off"})
    assert told == ["mill", [[0, 0]]]
    assert not listener.world.play.electronics.buzzer.is_on


def test_at_night_few_sounds_are_played_and_for_half_as_long() -> None:
    listener = BuzzerListener(config=Config(rest=Rest(night="00:00-12:00")))
    listener.do({"do": "set", "sound": "all"})
    assert listener.do({"put": "d6", "piece": "white"}) == []
    assert listener.do({"do": "resign"}) == ["over", [[30, 90], [30, 90], [100, 0]]]
    listener.world.close()
