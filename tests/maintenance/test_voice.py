"""The voices of a board: which one speaks, what it reads, and what is kept."""

from __future__ import annotations

import os
from array import array
from pathlib import Path

import pytest

from firmware_host.errors import SoundError
from firmware_host.maintenance.announcer import (
    Cache,
    Voice,
    machine_voices,
    samples_of,
    softened,
    spelled,
    wave_file,
)

TONE = wave_file(22_050, array("h", [0, 9000, -9000, 3]))
"""A sound that ends within the pause after a sentence."""


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of programs beside which there are only the system's usual ones."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (tmp_path / "tone.wav").write_bytes(TONE)
    monkeypatch.setenv("PATH", f"{folder}:/bin")
    monkeypatch.setattr("firmware_host.maintenance.announcer.shutil.which", lambda name: _in(folder, name))
    return folder


def _in(folder: Path, name: str) -> str | None:
    return str(folder / name) if (folder / name).exists() else None


def speaking(folder: Path, name: str) -> None:
    program(folder, name, f'echo "$*" >>{folder}/how\ncat >>{folder}/read\ncat {folder.parent}/tone.wav')


def test_a_sentence_is_made_once_and_then_read(bin_folder: Path, tmp_path: Path) -> None:
    speaking(bin_folder, "espeak-ng")
    voices = machine_voices(tmp_path, ())
    assert voices.wave("Weiß: d6.", "de") == voices.wave("Weiß: d6.", "de") == TONE
    assert (bin_folder / "how").read_text() == "-v de -s 160 --stdin --stdout\n"
    assert (bin_folder / "read").read_text() == "Weiß: d6."


def test_a_language_with_a_model_is_spoken_by_piper(bin_folder: Path, tmp_path: Path) -> None:
    for name in ("espeak-ng", "piper"):
        speaking(bin_folder, name)
    model = tmp_path / "de_DE-thorsten-medium.onnx"
    model.touch()
    voices = machine_voices(None, (tmp_path / "missing", tmp_path))
    voices.wave("Weiß: d6.", "de")
    voices.wave("White: d6.", "en")
    piper, espeak = (bin_folder / "how").read_text().splitlines()
    assert piper == f"--model {model} --output_file -"
    assert espeak.startswith("-v en-gb")


def test_a_machine_without_a_voice_says_what_to_install(bin_folder: Path) -> None:
    assert bin_folder.exists()
    with pytest.raises(SoundError, match="sudo apt install espeak-ng"):
        machine_voices(None, ()).wave("White: d6.", "en")


@pytest.mark.parametrize("script", ["exit 3", "echo no sound", "true"])
def test_a_voice_that_fails_is_an_error(bin_folder: Path, script: str) -> None:
    program(bin_folder, "espeak-ng", f"cat >/dev/null\n{script}")
    with pytest.raises(SoundError, match="can't be spoken"):
        machine_voices(None, ()).wave("White: d6.", "en")


def test_a_damaged_file_is_made_again(bin_folder: Path, tmp_path: Path) -> None:
    speaking(bin_folder, "espeak-ng")
    voices = machine_voices(tmp_path / "cache", ())
    (tmp_path / "cache").mkdir()
    voices.wave("White: d6.", "en")
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_bytes(TONE[:20])
    assert voices.wave("White: d6.", "en") == TONE
    assert kept.read_bytes() == TONE


def test_a_folder_that_is_not_there_costs_only_time(bin_folder: Path, tmp_path: Path) -> None:
    speaking(bin_folder, "espeak-ng")
    voices = machine_voices(tmp_path / "missing", ())
    assert voices.wave("White: d6.", "en") == voices.wave("White: d6.", "en") == TONE
    assert len((bin_folder / "how").read_text().splitlines()) == 2


def test_the_cache_keeps_what_was_spoken_last(tmp_path: Path) -> None:
    english = Voice("en", ("espeak-ng",))
    cache = Cache(tmp_path, max_bytes=2 * len(TONE))
    for number, text in enumerate(("one", "two")):
        cache.write(english, text, TONE)
        for path in tmp_path.glob("*.wav"):
            os.utime(path, (number, number)) if path.stat().st_mtime > 10 else None
    assert cache.read(english, "one") == TONE  # which is now the newest
    cache.write(english, "three", TONE)
    assert [cache.read(english, text) is not None for text in ("one", "two", "three")] == [True, False, True]


def test_silence_at_the_end_is_cut_to_a_pause(bin_folder: Path, tmp_path: Path) -> None:
    speaking(bin_folder, "espeak-ng")
    (tmp_path / "tone.wav").write_bytes(wave_file(1000, array("h", [9000] * 50 + [0] * 350)))
    _, samples = samples_of(machine_voices(None, ()).wave("White: d6.", "en"))
    assert list(samples) == [9000] * 50 + [0] * 119


def test_a_sound_that_is_silent_is_an_error(bin_folder: Path, tmp_path: Path) -> None:
    speaking(bin_folder, "espeak-ng")
    (tmp_path / "tone.wav").write_bytes(wave_file(1000, array("h", [0] * 350)))
    with pytest.raises(SoundError, match="it is silent"):
        machine_voices(None, ()).wave("White: d6.", "en")


def test_soft_speech_is_half_as_loud() -> None:
    rate, samples = samples_of(softened(TONE))
    assert (rate, list(samples)) == (22_050, [0, 4500, -4500, 1])


def test_a_letter_that_would_be_a_word_is_spelled() -> None:
    assert spelled("Mova de e4 para a4.", "pt") == "Mova de é4 para a4."
    assert spelled("e4 nach a4", "de") == "e4 nach a4"
