"""`millwright sound`: its service, and the companion that plays the board's sounds."""

from __future__ import annotations

import io
import os
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware_host.commands import sound
from firmware_host.errors import SoundError
from firmware_host.maintenance import services
from firmware_host.maintenance.companion import CompanionConnection
from firmware_host.maintenance.speaker import (
    Playing,
    SoundFollower,
    Speaker,
    machine_speaker,
    play_sounds,
    wave_of,
)
from firmware_host.sound import SoundCue
from tests.support.systemd.systemctl import FakeSystemctl
from tests.support.web.fake_board import FakeBoard


class FakePlaying(Playing):
    """A sound that plays until it is stopped or its `status` is set."""

    def __init__(self, cue: str) -> None:
        self.cue = cue
        self.status: int | None = None

    def poll(self) -> int | None:
        return self.status

    def stop(self) -> None:
        self.status = -15

    def wait(self) -> None:
        self.status = self.status or 0


class SilentSpeaker:
    """A speaker that notes the sounds that were begun."""

    def __init__(self) -> None:
        self.played: list[FakePlaying] = []
        self.speaker = Speaker(self._start)
        self._names = {wave_of(cue): str(cue) for cue in SoundCue}

    def _start(self, data: bytes) -> FakePlaying:
        assert all(one.status is not None for one in self.played), "two at once"
        self.played.append(FakePlaying(self._names.get(data, "soft")))
        return self.played[-1]

    @property
    def names(self) -> list[str]:
        return [one.cue for one in self.played]


def sounding(number: int, what: str = "over", by: str | None = "speaker", *, soft: bool = False) -> Any:
    last = {"number": number, "what": what, "by": by, "soft": soft}
    return {"sound": {"level": "all", "can": ["speaker"], "last": last}}


def _program(folder: Path, name: str, script: str) -> Path:
    program = folder / "bin" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def test_the_service_is_installed_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "UNITS", tmp_path)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    FakeSystemctl(tmp_path, monkeypatch)
    assert "are played on this machine's loudspeaker" in CliRunner().invoke(sound.sound, ["--on"]).output
    assert "no longer" in CliRunner().invoke(sound.sound, ["--off"]).output


@pytest.mark.parametrize("cue", SoundCue)
def test_each_sound_is_a_file_that_aplay_reads(cue: SoundCue) -> None:
    def loudest(data: bytes) -> int:
        with wave.open(io.BytesIO(data)) as file:
            assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22_050)
            assert 0.05 < file.getnframes() / 22_050 < 1.5
            frames = memoryview(file.readframes(file.getnframes())).cast("h")
            return max(map(abs, frames))

    loud, soft = loudest(wave_of(cue)), loudest(wave_of(cue, soft=True))
    assert 5_000 < loud < 32_767
    assert abs(loud - 2 * soft) <= 2


def test_the_sounds_of_the_speaker_are_played_each_once() -> None:
    room = SilentSpeaker()
    follower = SoundFollower(room.speaker)
    follower.follow(sounding(3))  # played before this program began
    for number, what, by in ((4, "wrong", "speaker"), (4, "wrong", "speaker"), (5, "mill", None)):
        follower.follow(sounding(number, what, by))
    follower.follow({})
    follower.follow(sounding(1, "placed"))
    follower.follow(sounding(2, "over", soft=True))
    assert room.names == ["wrong", "placed", "soft"]


def test_a_new_sound_ends_the_one_that_plays() -> None:
    room = SilentSpeaker()
    room.speaker.play(SoundCue.TURN)
    room.speaker.play(SoundCue.OVER)
    assert room.played[0].status is not None


def test_a_sound_that_cannot_be_played_is_said() -> None:
    room = SilentSpeaker()
    follower = SoundFollower(room.speaker)
    room.speaker.play(SoundCue.TURN)
    room.played[0].status = 1
    with pytest.raises(SoundError, match="aplay couldn't play a sound"):
        follower.follow({})


@pytest.fixture
def board() -> Iterator[FakeBoard]:
    board = FakeBoard()
    yield board
    board.server.close()


def connected(board: FakeBoard, clock: Callable[[], float]) -> tuple[Callable[[], None], SilentSpeaker]:
    port = int(board.server.address.rpartition(":")[2].strip("/"))
    room = SilentSpeaker()
    return lambda: play_sounds("127.0.0.1", port, room.speaker, now=clock), room


def test_the_board_learns_that_the_speaker_is_there_and_that_it_fails(board: FakeBoard) -> None:
    times = iter(range(0, 10_000, 3))
    run, room = connected(board, lambda: float(next(times)))
    room.speaker.play(SoundCue.TURN)
    room.played[0].status = 1
    with pytest.raises(SoundError):
        run()
    assert board.asked(2) == [{"do": "speaker"}, {"do": "speaker", "on": False}]


def test_a_state_comes_again_while_the_board_is_quiet(board: FakeBoard) -> None:
    port = int(board.server.address.rpartition(":")[2].strip("/"))
    with CompanionConnection("127.0.0.1", port) as connection:
        states = connection.states(0.01)
        assert next(states) == next(states)


def test_a_machine_without_player_or_device_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(SoundError, match="sudo apt install alsa-utils"):
        machine_speaker()
    _program(tmp_path, "aplay", 'echo "aplay: no soundcards found..." >&2; exit 1')
    with pytest.raises(SoundError, match="no sound device"):
        machine_speaker()


@pytest.mark.ci("programs")
def test_one_sound_is_played_by_aplay_from_its_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = tmp_path / "heard.wav"
    script = f'[ "$1" = -l ] && echo "card 0: Headphones" && exit\necho "$*" >{tmp_path}/how\ncat >{heard}'
    _program(tmp_path, "aplay", script)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert CliRunner().invoke(sound.sound, ["--play", "over"]).exit_code == 0
    assert heard.read_bytes() == wave_of(SoundCue.OVER)
    assert (tmp_path / "how").read_text() == "-q -\n"
