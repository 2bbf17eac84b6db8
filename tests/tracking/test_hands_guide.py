"""The tables of HANDS.md say what the code does."""

from __future__ import annotations

import re

from firmware_host.settings import Timing
from firmware_host.tracking import explanation
from firmware_host.tracking.dwell import Dwell
from firmware_host.tracking.observation import PACE, PUSHED
from tests.support.paths import PROJECT

GUIDE = (PROJECT / "firmware_host/HANDS.md").read_text(encoding="utf-8")
TEXT = " ".join(GUIDE.split())
DWELL = Dwell(Timing())
PRICES = {
    "a piece was away for a second": explanation.IDLE,
    "a turn lands, or is lifted, before": explanation.OUT_OF_ORDER,
    "a piece lands within 20 ms": explanation.HASTE,
    "a turn is taken back": explanation.HALF_REVISED,
    "a turn is thought over": explanation.LATE_THOUGHT,
    "a piece that seemed captured": explanation.OWNERS_LIFT,
    "something that no sensor shows": explanation.UNSEEN,
    "a point that was empty": explanation.UNLIKELY,
}
WAITS_US = {
    "a piece put down on the only point": DWELL.landing,
    "a piece put down that could also go elsewhere": DWELL.sliding,
    "a piece taken away after a mill": DWELL.removal,
    "the last turn played differently": DWELL.sliding,
    "the last turn undone": DWELL.put_back,
    "a step that another piece would change": DWELL.put_back,
    "a board at rest": DWELL.put_back,
    "several turns undone at once": DWELL.rest,
    "an error": DWELL.illegal,
    "every other error": DWELL.mismatch,
}


def rows(heading: str) -> dict[str, str]:
    """Return the rows of the table under a heading, by their first cell."""
    table = GUIDE.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0]
    return dict(re.findall(r"^\| (.+) \| (.+) \|$", table, re.MULTILINE))


def microseconds(text: str) -> int:
    """Return the time with which a text begins."""
    found = re.match(r"(\d+) (ms|s)\b", text)
    assert found is not None, text
    return int(found[1]) * {"ms": 1000, "s": 1_000_000}[found[2]]


def test_guide_lists_every_price_as_it_is() -> None:
    listed = rows("unusual | price")
    assert len(listed) == len(PRICES)
    for words, price in listed.items():
        (expected,) = (value for start, value in PRICES.items() if words.startswith(start))
        assert int(price) == expected, words


def test_guide_names_the_thresholds_of_prices() -> None:
    assert f"anything with a price of {explanation.DOUBTFUL} or more" in TEXT
    assert f"only at a price of {explanation.UNLIKELY}" in TEXT


def test_guide_lists_waits_as_they_are() -> None:
    listed = rows("what | counts after")
    for start, wait in WAITS_US.items():
        (found,) = (value for words, value in listed.items() if words.startswith(start))
        assert microseconds(found) == wait, start


def test_guide_names_the_pace_of_hands() -> None:
    assert f"at least {PACE // 1000} ms apart" in TEXT
    assert f"lands within {PUSHED // 1000} ms of its lift" in TEXT
