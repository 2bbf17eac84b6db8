"""A session on a live board, saved as a script: the headless board comes to the same end by it."""

from __future__ import annotations

import json
import shlex
from contextlib import nullcontext, suppress
from dataclasses import astuple
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.commands.sim import sim as command
from firmware_host.errors import HandsError, MillwrightError
from firmware_host.games.records import GameRecord, record_text
from firmware_host.runtime.engines.opponent import InlineEngine
from firmware_host.views import snapshot
from sim.assembly import Blueprint
from sim.headless import HeadlessBoard
from sim.live.board import LiveBoard
from sim.world import SimulatedWorld
from tests.support.examples import costly
from tests.support.matrix import CI, sampled

# Few points, so that hands meet pieces more often than not.
few = st.sampled_from(["d5", "d6", "d7", "a7", "g7", "f4"])
hands = st.one_of(
    st.builds(lambda p, k: {"put": p, "piece": k}, few, st.sampled_from(["white", "black"])),
    st.builds(lambda p: {"put": p}, few),
    st.builds(lambda p: {"lift": p}, few),
    st.builds(lambda *p: {"slide": [*p], "seconds": 0.4}, few, few, few),
    st.builds(lambda jumps: {"knock": jumps}, st.dictionaries(few, st.none() | few, min_size=1, max_size=3)),
    st.builds(lambda p, x, y: {"push": p, "to": [x, y]}, few, st.floats(0, 240), st.floats(0, 240)),
    st.builds(lambda p, x, y: {"flick": p, "speed": [x, y]}, few, st.floats(-999, 999), st.floats(-999, 999)),
    st.just({"box": True}),
    st.just({"sweep": True}),
)
faults = st.one_of(
    st.builds(
        lambda p, k: {"fault": {"point": p, "kind": k}},
        few,
        st.sampled_from(["stuck-on", "stuck-off", "chatter", "weak", "faint"]),
    ),
    st.sampled_from(
        [
            {"fault": {"mux": 0, "kind": "dead"}},
            {"fault": {"leds": "unplugged"}},
            {"fault": {"magnets": "field", "millitesla": 9}},
            {"fault": {"magnets": "field", "millitesla": 30}},
            {"fault": {"wood": "thickness", "mm": 9}},
            {"fault": {"contacts": "bounce", "ms": 70}},
            {"fault": {"disk": "full"}},
            {"fault": {"disk": "slow", "seconds": 0.5}},
            {"repair": {"disk": "slow", "seconds": 0.5}},
            {"fault": {"engine": "dead"}},
            {"fault": {"engine": "hangs"}},
            {"fault": {"engine": "lies"}},
            {"repair": {"engine": "dead"}},
            {"repair": {"point": "d6", "kind": "chatter"}},
            {"repair": True},
            {"repair": True},
            {"power": "off"},
            {"power": "on"},
        ]
    ),
)
requests = st.sampled_from(
    [
        {"do": "take-back"},
        {"do": "seats", "black": "engine:1"},
        {"do": "seats", "white": "engine:2", "black": "here"},
        {"do": "new-game", "rules": "six"},
        {"do": "new-game"},
        {"do": "pause"},
        {"do": "resume"},
        {"do": "resign"},
        {"do": "decline"},
        {"do": "set", "take_back": False, "brightness": 0.3},
        {"do": "set", "hint_white": "always", "hint_black": "on-request"},
        {"do": "set", "clock": "1+2", "clock_flag": "strict"},
        {"do": "set", "clock": "none"},
        {"do": "hint"},
        {"do": "hint", "on": False},
        {"do": "mask", "point": "d6"},
        {"do": "unmask", "point": "d6"},
    ]
)
waits = st.sampled_from([0, 1, 2, 9, 20, 50, 62, 140, 240, 700])
"""In frames of 5 ms."""
lives = st.lists(st.tuples(st.one_of(hands, hands, hands, faults, requests), waits), max_size=30)
CONFIGS = {
    "reeds": "",
    "linear sensors by polarity": '[sensors]\nkind = "mcp3008"\nalphabet = "polarity"',
    "a microcontroller": '[sensors]\nkind = "serial"\nalphabet = "polarity"',
}


class RecordedTable:
    """A live table, played in frames."""

    def __init__(self, blueprint: Blueprint, **words: Any) -> None:
        self.table = LiveBoard(blueprint, **words)

    def play(self, life: list[tuple[dict[str, Any], int]]) -> None:
        """Do what can be done of a life."""
        for deed, frames in life:
            with suppress(MillwrightError):  # a hand that reaches for nothing
                self.table.do(dict(deed))
            self.pass_frames(frames)

    def pass_frames(self, frames: int) -> None:
        for _ in range(frames):
            self.table.tick(0)
            self.table.publish_changes(lambda _message: None)

    def script(self) -> str:
        told = self.table.do({"script": True})
        assert told is not None
        return str(told["script"])


def end(life: SimulatedWorld) -> dict[str, Any]:
    """Everything that is the same in two boards that came to the same end."""
    play = life.play
    state = snapshot.take(play.controller, held=play.hands.held, leds=play.leds()).as_dict()
    session = play.controller.session
    table = play.electronics.table
    return {
        "now": life.now,
        "state": state,
        "record": record_text(GameRecord(session.game)),
        "accepted": play.controller.accepted.turn_texts(),
        "felt": session.frame,
        "flickers": dict(play.controller.debouncer.glitches),
        "faults": life.faults,
        "reported": play.controller.faults,
        "power": life.powered,
        "wood": sorted((piece.kind, astuple(track.at(life.now))) for piece, track in table.wood.items()),
        "box": sorted(piece.kind for piece in table.box),
    }


def replayed(script: str, folder: Path) -> dict[str, Any]:
    """Return the last state of a headless board that is started by the script's own command and fed its
    lines.

    Its new file of games has the name of the other one, since a fault of the disk names it.
    """
    lines = script.splitlines()
    call = json.loads(lines[0])["note"].partition("; to replay: ")[2]
    words = shlex.split(
        call.replace("NEW-FILE", str(folder / f"{len(list(folder.iterdir()))}" / "games.db")).removesuffix(
            " < FILE"
        )
    )
    assert words[:3] == ["millwright", "sim", "--headless"]
    context = command.make_context("sim", words[2:])
    known = ("rules", "switches", "sensors", "seed", "config", "store", "white", "black", "engine")
    board = {key: context.params[key] for key in known}
    out = StringIO()
    headless = HeadlessBoard(Blueprint.of(**board), out)
    try:
        for line in lines:
            headless.obey(line)
        return end(headless.life)
    finally:
        headless.close()


@pytest.mark.parametrize("name", sampled(CONFIGS, others=CI))
@costly(8)
@given(life=lives, seed=st.integers(0, 9), keep=st.booleans(), most=st.sampled_from([300, 4_000_000]))
def test_a_saved_session_is_replayed_to_the_same_end(
    tmp_path_factory: pytest.TempPathFactory, name: str, **drawn: Any
) -> None:
    replay(tmp_path_factory.mktemp("session"), CONFIGS[name], **drawn)


@pytest.mark.long
@pytest.mark.parametrize("name", CONFIGS)
@settings(max_examples=600, deadline=None)
@given(life=lives, seed=st.integers(0, 9), keep=st.booleans(), most=st.sampled_from([300, 4_000_000]))
def test_so_are_very_many_sessions(tmp_path_factory: pytest.TempPathFactory, name: str, **drawn: Any) -> None:
    replay(tmp_path_factory.mktemp("session"), CONFIGS[name], **drawn)


def replay(
    folder: Path, config: str, life: list[tuple[dict[str, Any], int]], seed: int, *, keep: bool, most: int
) -> None:
    """Play a life, and again from its script."""
    file = folder / "board.toml"
    file.write_text(config)
    blueprint = Blueprint.of(
        seed=seed, config=file if config else None, store=folder / "games.db" if keep else None
    )
    session = RecordedTable(blueprint, max_characters=most)
    session.play(life)
    ended = end(session.table.life)
    with suppress(HandsError) if most < 4_000_000 else nullcontext():  # too long to save
        assert replayed(session.script(), folder) == ended
    session.table.close()


def test_a_recording_begins_anew_when_it_is_long_and_the_board_rests() -> None:
    session = RecordedTable(Blueprint.of(seed=3), max_characters=200)
    for number, point in enumerate(["d6", "f4", "d2", "b4", "g7", "a1", "a7", "g1"]):
        session.play([({"put": point, "piece": ("white", "black")[number % 2]}, 200)])
    script = session.script()
    assert '"continue"' in script
    assert len(script.splitlines()) < 16
    assert replayed(script, Path()) == end(session.table.life)
    assert session.table.life.play.controller.session.game.ply == 8
    session.table.close()


def test_a_kept_game_stays_one_game_though_the_recording_begins_anew(tmp_path: Path) -> None:
    blueprint = Blueprint.of(seed=3, store=tmp_path / "games.db")
    session = RecordedTable(blueprint, max_characters=100)
    for number, point in enumerate(["d6", "f4", "d2", "b4", "g7", "a1"]):
        session.play([({"put": point, "piece": ("white", "black")[number % 2]}, 200)])
    assert session.script().count("put") < 6
    assert replayed(session.script(), tmp_path) == end(session.table.life)
    kept = session.table.read(lambda file: file.summaries(before=None, most=9))
    assert [one.turns for one in kept] == [6]
    session.table.close()


def test_what_never_rests_is_given_up_at_twice_the_length_until_it_does() -> None:
    session = RecordedTable(Blueprint(), max_characters=400)
    session.play([({"fault": {"point": "d6", "kind": "chatter"}}, 1)] * 20)
    with pytest.raises(HandsError, match="too long to save as a script"):
        session.script()
    session.play([({"repair": True}, 400)])
    session.play([({"put": "d6", "piece": "white"}, 100)])
    script = session.script()
    assert replayed(script, Path()) == end(session.table.life)
    assert "chatter" not in script
    session.table.close()


def test_a_slide_is_recorded_so_that_what_follows_may_happen_meanwhile() -> None:
    session = RecordedTable(Blueprint())
    session.play([({"put": "a1", "piece": "white"}, 100)])
    session.play([({"slide": ["a1", "a4"], "seconds": 0.5}, 20), ({"put": "g7", "piece": "black"}, 9)])
    script = session.script()
    assert '"meanwhile": true' in script
    assert replayed(script, Path()) == end(session.table.life)
    session.table.close()


def test_a_session_that_went_on_with_a_kept_game_begins_with_it(tmp_path: Path) -> None:
    blueprint = Blueprint.of(store=tmp_path / "games.db", rules="twelve")
    before = RecordedTable(blueprint)
    before.play([({"put": "d6", "piece": "white"}, 100), ({"put": "f4", "piece": "black"}, 100)])
    before.table.close()
    session = RecordedTable(blueprint)
    session.play([({"put": "d5", "piece": "white"}, 100), ({"power": "off"}, 10), ({"power": "on"}, 100)])
    ended = end(session.table.life)
    assert "f4 2. d5" in ended["record"]
    assert replayed(session.script(), tmp_path) == ended
    session.table.close()


def test_what_was_set_before_the_recording_began_is_set_again(tmp_path: Path) -> None:
    blueprint = Blueprint.of(store=tmp_path / "games.db")
    before = RecordedTable(blueprint)
    before.play([({"do": "set", "theme": "contrast", "take_back": False}, 9)])
    before.play([({"do": "mask", "point": "d6"}, 50), ({"do": "pause"}, 50)])
    before.table.close()
    session = RecordedTable(blueprint, max_characters=100)
    session.play([({"do": "resume"}, 60), ({"put": "f4", "piece": "white"}, 100)])
    ended = end(session.table.life)
    assert replayed(session.script(), tmp_path) == ended
    session.play([({"do": "unmask", "point": "d6"}, 600)])
    assert '"continue"' in session.script()
    assert '"theme": "contrast"' in session.script()
    assert replayed(session.script(), tmp_path) == end(session.table.life)
    session.table.close()


def test_a_full_disk_is_recorded_with_its_fault(tmp_path: Path) -> None:
    session = RecordedTable(Blueprint.of(store=tmp_path / "games.db"))
    session.play([({"fault": {"disk": "full"}}, 700), ({"put": "d7", "piece": "white"}, 240)])
    ended = end(session.table.life)
    assert "disk" in ended["reported"]
    assert replayed(session.script(), tmp_path) == ended
    session.table.close()


def test_what_could_not_be_done_is_not_recorded() -> None:
    session = RecordedTable(Blueprint())
    session.play([({"lift": "d6"}, 10), ({"wait": 3}, 10), ({"do": "take-back"}, 10)])
    notes = [json.loads(line) for line in session.script().splitlines()]
    assert [*map(list, notes)] == [["note"], ["wait"], ["show"]]
    assert notes[1] == {"wait": 0.15}
    session.table.close()


def test_a_script_can_be_made_without_power() -> None:
    session = RecordedTable(Blueprint())
    session.play([({"put": "d6", "piece": "white"}, 100), ({"power": "off"}, 100)])
    assert replayed(session.script(), Path()) == end(session.table.life)
    session.table.close()


def test_what_an_engine_chose_is_replayed_and_not_computed_again(tmp_path: Path) -> None:
    blueprint = Blueprint.of(black="engine:1", seed=4)
    session = RecordedTable(blueprint, engine=InlineEngine(99))
    try:
        session.play([({"put": "d6", "piece": "white"}, 300)])
        script, ended = session.script(), end(session.table.life)
    finally:
        session.table.close()
    assert '{"do": "choose", "turn": ' in script
    assert "--black engine:1 --no-engine" in script
    assert replayed(script, tmp_path) == ended
