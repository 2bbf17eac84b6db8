"""Sentences as espeak-ng makes them: whole, loud, without a wait, and as they are meant."""

from __future__ import annotations

import re
import subprocess

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.i18n import LANGUAGES
from firmware_host.maintenance.announcer import spelled
from tests.sound.speech_figures import ESPEAK, SENTENCES, figures

pytestmark = [
    pytest.mark.ci("programs"),
    pytest.mark.skipif(ESPEAK is None, reason="espeak-ng is missing: sudo apt install espeak-ng"),
]

LETTERS = {
    "en": ("eɪ", "bi", "si", "di", "i", "ef", "dʒi"),
    "es": ("a", "be", "θe", "de", "e", "efe", "xe"),
    "pt": ("a", "be", "se", "de", "e", "ef", "ʒe"),
    "de": ("ɑ", "be", "tse", "de", "e", "ef", "ɡe"),
}
"""The names of the letters of points in each language, as they sound; open and closed vowels are alike."""


def sounds(text: str, language: str) -> str:
    """Return what espeak-ng speaks, as phonemes without their stress and length."""
    voice = {"en": "en-gb", "pt": "pt-br"}.get(language, language)
    command = ("espeak-ng", "-v", voice, "-q", "--ipa", text)
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    return re.sub(r"[ˈˌː\s]|\([^)]*\)", "", done.stdout).replace("ɛ", "e")


def test_each_sentence_is_spoken_whole_loudly_and_at_once() -> None:
    found = list(figures())
    assert len(found) == len(SENTENCES) * len(LANGUAGES) >= 40
    for one in found:
        letters = len(one.text)
        assert 0.03 * letters < one.length_s < 0.2 * letters, one
        assert one.before_s < 0.1, one
        assert one.after_s < 0.2, one
        assert -24 < one.level_db < -14, one
        assert one.peak < 32_768, one


@pytest.mark.parametrize("language", LANGUAGES)
def test_points_are_spoken_as_people_name_them(language: str) -> None:
    names = dict(zip("abcdefg", LETTERS[language], strict=True))
    for point in MORRIS.points:
        letter, number = point.name[0], point.name[1]
        heard = sounds(spelled(point.name, language), language)
        assert heard.startswith(names[letter]), (point.name, heard)
        assert heard[-1] == sounds(number, language)[-1], (point.name, heard)
