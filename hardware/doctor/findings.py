"""The findings on a board, each with its evidence and its fix.

Invariants: a finding is a value without words of a language: pages show it in theirs, and terminals, reports
and programs in English, from the same catalogues. Skipped checks are reported as well, with the reason. All
texts name wires by header pin and GPIO, and commands as they are typed.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from firmware_host.frozen import frozen
from firmware_host.i18n import Message, to_english

Check = Literal[
    "button",
    "buzzer",
    "chips",
    "colours",
    "columns",
    "core-clock",
    "diodes",
    "first-led",
    "free-lines",
    "header",
    "led-order",
    "levels",
    "light",
    "lines",
    "neighbours",
    "open-channels",
    "open-contacts",
    "order",
    "permissions",
    "poles",
    "quiet-contacts",
    "resting-pieces",
    "rest",
    "rows",
    "select-lines",
    "sensors",
    "settings",
    "settling",
    "side-bars",
    "signal-lines",
    "silent-contacts",
    "sound",
    "strip",
    "supply",
    "system",
    "usb",
    "walk",
]
"""The checks, by the last word of the key of their names."""


class Verdict(enum.Enum):
    """The outcome of a check."""

    PASS = "pass"  # noqa: S105 - not a password
    WARNING = "warning"
    FAULT = "fault"
    SKIPPED = "skipped"


@frozen
class Finding:
    """The result of a check: the evidence in figures, and the command or the wire that fixes it, if known."""

    name: Message
    verdict: Verdict
    evidence: Message
    remedy: Message | None = None

    @property
    def check(self) -> str:
        """The name of the check, in English."""
        return to_english(self.name)

    @property
    def found(self) -> str:
        """The evidence, in English."""
        return to_english(self.evidence)

    @property
    def fix(self) -> str:
        """The remedy, in English; empty if there is none."""
        return to_english(self.remedy or "")

    def as_dict(self) -> dict[str, Any]:
        """Return the finding for programs."""
        return {"check": self.check, "verdict": self.verdict.value, "found": self.found, "mend": self.fix}


def passed(check: Check, found: Message) -> Finding:
    """Return a finding that all is well."""
    return Finding(_name(check), Verdict.PASS, found)


def fault(check: Check, found: Message, fix: Message | None) -> Finding:
    """Return a finding that something does not work."""
    return Finding(_name(check), Verdict.FAULT, found, fix)


def warning(check: Check, found: Message, fix: Message) -> Finding:
    """Return a finding that something works now, but may fail at times."""
    return Finding(_name(check), Verdict.WARNING, found, fix)


def skipped(check: Check, why: Message) -> Finding:
    """Return a finding that a check was skipped, with the reason."""
    return Finding(_name(check), Verdict.SKIPPED, why)


def quoted(text: Message | str) -> Message:
    """Return the message that consists of an error's own words."""
    return Message("doctor.quoted", {"text": text})


def _name(check: Check) -> Message:
    return Message(f"doctor.check.{check}")


def exit_status(findings: Iterable[Finding]) -> int:
    """Return the exit status: 0 if all is well, 1 if there are only warnings, 2 if there is a fault."""
    verdicts = {finding.verdict for finding in findings}
    return 2 if Verdict.FAULT in verdicts else 1 if Verdict.WARNING in verdicts else 0


def finding_text(finding: Finding) -> str:
    """Return a finding in one line, and its fix in another."""
    text = f"{finding.verdict.value:13}  {finding.check:15}  {finding.found}"
    return f"{text}\n{'':32}-> {finding.fix}" if finding.fix else text


def summary(findings: Iterable[Finding]) -> str:
    """Return the number of findings of each verdict, in a sentence."""
    counts = dict.fromkeys(Verdict, 0)
    for finding in findings:
        counts[finding.verdict] += 1
    counted = [
        f"{count} {word if count == 1 else plural}"
        for verdict, word, plural in _COUNTED
        if (count := counts[verdict])
    ]
    return f"{', '.join(counted) or 'Nothing was checked'}."


_COUNTED = (
    (Verdict.FAULT, "fault", "faults"),
    (Verdict.WARNING, "warning", "warnings"),
    (Verdict.PASS, "check passed", "checks passed"),
    (Verdict.SKIPPED, "skipped", "skipped"),
)


def as_dict(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the findings for programs."""
    return {"status": exit_status(findings), "findings": [finding.as_dict() for finding in findings]}
