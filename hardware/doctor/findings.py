"""What was found out about a board: findings, each with its evidence and with what mends it.

Rules kept here: a finding is a value; what could not be looked at is told as well, with the reason; whatever
is said names wires by header pin and GPIO, and commands as they are typed.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any


class Verdict(enum.Enum):
    """What a check came to."""

    PASS = "pass"  # noqa: S105 - it is no password
    WARNING = "warning"
    FAULT = "fault"
    UNSEEN = "not looked at"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: the evidence in figures, and the command or the wire that mends it."""

    check: str
    verdict: Verdict
    found: str
    mend: str = ""


def passed(check: str, found: str) -> Finding:
    """All is well."""
    return Finding(check, Verdict.PASS, found)


def fault(check: str, found: str, mend: str) -> Finding:
    """Something does not work."""
    return Finding(check, Verdict.FAULT, found, mend)


def warning(check: str, found: str, mend: str) -> Finding:
    """Something works, and may not always."""
    return Finding(check, Verdict.WARNING, found, mend)


def unseen(check: str, why: str) -> Finding:
    """Something could not be looked at."""
    return Finding(check, Verdict.UNSEEN, f"because {why}")


def exit_status(findings: Iterable[Finding]) -> int:
    """0 where nothing is wrong, 1 where there are only warnings, 2 where there is a fault."""
    verdicts = {finding.verdict for finding in findings}
    return 2 if Verdict.FAULT in verdicts else 1 if Verdict.WARNING in verdicts else 0


def as_text(findings: Sequence[Finding]) -> str:
    """All findings, one after the other, and what they come to."""
    return "\n".join([*map(finding_text, findings), "", summary(findings)])


def finding_text(finding: Finding) -> str:
    """One finding in one line, and what mends it in another."""
    told = f"{finding.verdict.value:13}  {finding.check:15}  {finding.found}"
    return f"{told}\n{'':32}-> {finding.mend}" if finding.mend else told


def summary(findings: Iterable[Finding]) -> str:
    """How many there are of each verdict, in a sentence."""
    counts = dict.fromkeys(Verdict, 0)
    for finding in findings:
        counts[finding.verdict] += 1
    said = [
        f"{count} {word if count == 1 else plural}"
        for verdict, word, plural in _COUNTED
        if (count := counts[verdict])
    ]
    return f"{', '.join(said) or 'Nothing was looked at'}."


_COUNTED = (
    (Verdict.FAULT, "fault", "faults"),
    (Verdict.WARNING, "warning", "warnings"),
    (Verdict.PASS, "check passed", "checks passed"),
    (Verdict.UNSEEN, "not looked at", "not looked at"),
)


def as_dict(findings: Sequence[Finding]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "status": exit_status(findings),
        "findings": [
            {
                "check": finding.check,
                "verdict": finding.verdict.value,
                "found": finding.found,
                "mend": finding.mend,
            }
            for finding in findings
        ],
    }
