"""The doctor's findings in the languages of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from firmware_host.i18n import ENGLISH, LANGUAGES, Message, catalogue, translate
from hardware.doctor.findings import Finding
from tests.support.hardware.doctoring import SENSORS, examined
from tests.support.matrix import CI, sampled

FAULTS = (
    {},
    {"point": "d6", "kind": "stuck-off"},
    {"point": "d6", "kind": "chatter"},
    {"mux": 1, "kind": "dead"},
    {"select": [0, 1], "kind": "swapped"},
    {"wiring": "mirrored"},
    {"wiring": ["d6", "f6"]},
    {"magnets": "strong"},
    {"leds": "unplugged"},
    {"leds": "broken", "led": 8},
    {"leds": "colours", "order": "RGB"},
    {"supply": "sags"},
)


def texts(finding: Finding) -> Iterator[Message]:
    yield from filter(None, (finding.name, finding.evidence, finding.remedy))


def keys(message: Message) -> Iterator[str]:
    yield message.key
    for arg in message.args.values():
        if isinstance(arg, Message):
            yield from keys(arg)


@pytest.mark.parametrize("fault", sampled(FAULTS, 4, others=CI), ids=str)
@pytest.mark.parametrize("hands", [True, False], ids=["hands", "no hands"])
def test_findings_are_worded_in_each_language(fault, hands):
    for text in [text for finding in examined(fault, hands=hands) for text in texts(finding)]:
        for language in LANGUAGES:
            assert set(keys(text)) <= catalogue(language).keys()
            assert not re.search(r"\{|doctor\.", translate(text, language))


@pytest.mark.parametrize("kind", sampled(SENSORS, others=CI))
def test_names_of_parts_are_worded_in_each_language(kind):
    for finding in examined({"point": "d6", "kind": "stuck-off"}, SENSORS[kind]):
        assert len({translate(finding.evidence, language) for language in LANGUAGES}) == len(LANGUAGES)


def test_english_is_that_of_terminals_and_reports():
    for finding in examined({"mux": 1, "kind": "dead"}):
        english = [translate(text, ENGLISH) for text in texts(finding)]
        assert [finding.check, finding.found, *filter(None, [finding.fix])] == english
