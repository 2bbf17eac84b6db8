"""The order of sentences: they wait for sounds, and newer ones replace those that no longer hold."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from threading import Thread
from typing import Any

from firmware_host.errors import SoundError
from firmware_host.i18n import Message
from firmware_host.maintenance.announcer import Announcer, Cache, Voices, samples_of, wave_file
from firmware_host.maintenance.speaker import Playing, Speaker
from firmware_host.sound import SoundCue

LOUD, SOFT = 2000, 1000


class KnownVoices(Voices):
    """Voices whose sound of a text is its number."""

    def __init__(self) -> None:
        super().__init__({}, Cache(None))
        self.made: list[str] = []

    def wave(self, text: str, language: str) -> bytes:
        assert language == "de"
        if text == "unspeakable":
            raise SoundError(Message("fault.speech.no-voice"))
        self.made.append(text)
        return wave_file(22_050, array("h", [len(self.made) * 2, LOUD]))


class QuietRoom:
    """A room in which one announcer is heard; each thing that is played ends when it is waited for."""

    def __init__(self, vocabulary: Iterable[str] = ()) -> None:
        self.heard: list[str] = []
        """All that has begun, with `!` for what was stopped, and in brackets if it was soft."""
        self.meanwhile: list[Callable[[], object]] = []
        """The functions that are called while the next things play, one after the other."""
        self.voices = KnownVoices()
        self.speaker = Speaker(self._start)
        self.announcer = Announcer(self.speaker, self.voices, lambda _: vocabulary)
        self._number = 0
        self.announcer.follow(self.state())

    def _start(self, data: bytes) -> PlayedData:
        _, samples = samples_of(data)
        is_speech = len(samples) == 2
        index = samples[0] // (2 if samples[-1] == LOUD else 1) - 1
        name = self.voices.made[index] if is_speech else "sound"
        self.heard.append(f"({name})" if is_speech and samples[-1] == SOFT else name)
        return PlayedData(self, len(self.heard) - 1)

    def state(self, *utterances: dict[str, Any]) -> dict[str, Any]:
        return {"settings": {"language": "de", "speech": "all"}, "speech": list(utterances)}

    def utterance(self, reports: str = "", prompts: str = "", **marks: Any) -> dict[str, Any]:
        self._number += 1
        parts = {"reports": reports, "prompts": prompts}
        sentences = {name: [{"text": text} for text in texts.split()] for name, texts in parts.items()}
        return {"number": self._number, "aloud": True, "soft": False, **sentences, **marks}

    def say(self, reports: str = "", prompts: str = "", **marks: Any) -> None:
        self.announcer.follow(self.state(self.utterance(reports, prompts, **marks)))

    def speak(self) -> list[str]:
        """Speak all that is due, and return what was heard."""
        while (sentence := self.announcer.due) is not None:
            self.announcer.speak(sentence)
        return self.heard


class PlayedData(Playing):
    """A sound that plays until it is waited for, unless it is stopped."""

    def __init__(self, room: QuietRoom, index: int) -> None:
        self._room, self._index = room, index
        self._status: int | None = None

    def poll(self) -> int | None:
        return self._status

    def stop(self) -> None:
        self._status = -15
        self._room.heard[self._index] += "!"

    def wait(self) -> None:
        if self._status is None and self._room.meanwhile:
            self._room.meanwhile.pop(0)()
        if self._status is None:
            self._status = 0


def test_reports_and_prompts_are_spoken_in_order() -> None:
    room = QuietRoom()
    room.say("turn1 turn2", "place", soft=False)
    assert room.speak() == ["turn1", "turn2", "place"]


def test_what_was_said_before_the_program_began_is_not_spoken() -> None:
    room = QuietRoom()
    announcer = Announcer(room.speaker, room.voices)
    announcer.follow(room.state(room.utterance("old"), room.utterance("older")))
    assert announcer.due is None


def test_each_utterance_is_spoken_once() -> None:
    room = QuietRoom()
    first, second = room.utterance("one"), room.utterance("two")
    room.announcer.follow(room.state(first))
    room.announcer.follow(room.state(first, second))
    room.announcer.follow(room.state(first, second))
    assert room.speak() == ["one", "two"]


def test_a_restarted_board_is_heard_from_its_first_utterance() -> None:
    room = QuietRoom()
    room.announcer.follow(room.state(room.utterance("late", number=7)))
    room.speak()
    room.announcer.follow(room.state(room.utterance("early", number=1)))
    assert room.speak() == ["late", "early"]


def test_a_newer_utterance_replaces_prompts_and_no_reports() -> None:
    room = QuietRoom()
    room.say("turn1", "place1 advice1")
    room.say("turn2", "place2")
    assert room.speak() == ["turn1", "turn2", "place2"]


def test_a_newer_utterance_ends_the_prompt_that_is_spoken() -> None:
    room = QuietRoom()
    room.say("", "place1 advice1")
    room.meanwhile = [lambda: room.say("turn", "place2")]
    assert room.speak() == ["place1!", "turn", "place2"]


def test_a_report_that_is_spoken_is_spoken_to_its_end() -> None:
    room = QuietRoom()
    room.say("turn1", "place1")
    room.meanwhile = [lambda: room.say("turn2", "place2")]
    assert room.speak() == ["turn1", "turn2", "place2"]


def test_a_sentence_waits_for_the_sound_that_plays() -> None:
    room = QuietRoom()
    room.speaker.play(SoundCue.OVER)
    room.say("turn")
    assert room.speak() == ["sound", "turn"]


def test_a_sound_interrupts_a_sentence_which_begins_again() -> None:
    room = QuietRoom()
    room.say("turn", "place")
    room.meanwhile = [lambda: room.speaker.play(SoundCue.LOW)]
    assert room.speak() == ["turn!", "sound", "turn", "place"]


def test_at_night_speech_is_soft() -> None:
    room = QuietRoom()
    room.say("turn", soft=True)
    assert room.speak() == ["(turn)"]


def test_what_is_not_aloud_is_not_spoken_and_replaces_nothing() -> None:
    room = QuietRoom()
    room.say("turn", "place")
    room.say("answer", "other", aloud=False)
    assert room.speak() == ["turn", "place"]


def test_a_sentence_that_no_voice_can_speak_holds_up_nothing() -> None:
    room = QuietRoom()
    room.say("unspeakable turn")
    assert room.speak() == ["turn"]


def test_the_vocabulary_is_made_while_there_is_nothing_to_say() -> None:
    room = QuietRoom(["place", "move"])
    thread = Thread(target=room.announcer.run)
    thread.start()
    room.announcer.finish()
    thread.join()
    assert room.voices.made == ["place", "move"]
    assert room.heard == []


def test_a_state_without_speech_is_that_of_an_older_board() -> None:
    room = QuietRoom()
    room.announcer.follow({})
    assert room.announcer.due is None
