"""The findings on a board, each with its evidence and its fix.

Invariants: a finding is a value. Skipped checks are reported as well, with the reason. All texts name wires
by header pin and GPIO, and commands as they are typed.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import Any

from firmware_host.frozen import frozen


class Verdict(enum.Enum):
    """The outcome of a check."""

    PASS = "pass"  # noqa: S105 - not a password
    WARNING = "warning"
    FAULT = "fault"
    SKIPPED = "skipped"


@frozen
class Finding:
    """The result of a check: the evidence in figures, and the command or the wire that fixes it."""

    check: str
    verdict: Verdict
    found: str
    fix: str = ""


def passed(check: str, found: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(check, Verdict.PASS, found)


def fault(check: str, found: str, fix: str) -> Finding:
    """Return a finding that something does not work."""
    return Finding(check, Verdict.FAULT, found, fix)


def warning(check: str, found: str, fix: str) -> Finding:
    """Return a finding that something works now, but may fail at times."""
    return Finding(check, Verdict.WARNING, found, fix)


def skipped(check: str, why: str) -> Finding:
    """Return a finding that a check was skipped, with the reason."""
    return Finding(check, Verdict.SKIPPED, f"because {why}")


def exit_status(findings: Iterable[Finding]) -> int:
    """Return the exit status: 0 if all is well, 1 if there are only warnings, 2 if there is a fault."""
    verdicts = {finding.verdict for finding in findings}
    return 2 if Verdict.FAULT in verdicts else 1 if Verdict.WARNING in verdicts else 0


def as_text(findings: Sequence[Finding]) -> str:
    """Return all findings, one after another, and their summary."""
    return "\n".join([*map(finding_text, findings), "", summary(findings)])


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
    return {
        "status": exit_status(findings),
        "findings": [
            {
                "check": finding.check,
                "verdict": finding.verdict.value,
                "found": finding.found,
                "mend": finding.fix,
            }
            for finding in findings
        ],
    }
