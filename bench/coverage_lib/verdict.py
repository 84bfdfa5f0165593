"""What a program's own output says of its results.

A line fails the program when it has one of `FAIL_PATTERNS`, unless what it says is that there was
no failure (`ACQUITTALS`). A program passes when no line fails it and some line has one of
`PASS_PATTERNS`. A program with neither says nothing of itself.
"""

import re
from dataclasses import dataclass
from typing import final

from .results import Outcome

FAIL_PATTERNS = (
    r"\bfail(?:ed|s|ure|ures)?\b",
    r"\bmis-?match(?:es|ed)?\b",
    r"\b(?:in|not )correct\b",
    r"\bwrong\b",
    r"\bERROR\b",
    r"\b[Ee]rror ?[:!]",
    r"\bdo(?:es)? not match\b",
    r"\b(?:segmentation fault|assertion|aborted)\b",
)
PASS_PATTERNS = (
    r"(?<!to be )(?<!forward )(?<!backward )\bpass(?:ed|es)?\b(?! to\b)",
    r"\bcorrect(?:ly)?\b",
    r"\bsuccess(?:ful|fully)?\b",
    r"\bvalid(?:ated)?\b",
    r"\bverified\b",
    r"(?<!to be )\bmatch(?:es|ed)?\b",
    r"\bok\b",
)
ACQUITTALS = (
    r"\b(?:no|0|zero|without) (?:errors?|failures?|mismatch(?:es)?|failed)\b",
    r"\b(?:errors?|failures?|mismatch(?:es)?|failed)\b[^:=]*[:=] *[-+]?[0-9.]",
)

_IGNORE_CASE = tuple(re.compile(p, re.IGNORECASE) for p in FAIL_PATTERNS if "ERROR" not in p)
_EXACT_CASE = tuple(re.compile(p) for p in FAIL_PATTERNS if "ERROR" in p)
_PASS = tuple(re.compile(p, re.IGNORECASE) for p in PASS_PATTERNS)
_ACQUITTALS = tuple(re.compile(p, re.IGNORECASE) for p in ACQUITTALS)


@final
@dataclass(frozen=True, slots=True)
class Verdict:
    """OK, FAILED or UNKNOWN, and the line that decided."""

    outcome: Outcome
    line: str = ""


def judge(output: str, pass_pattern: str | None) -> Verdict:
    """The verdict of `output`; with `pass_pattern`, that must be in it."""
    passed = ""
    for line in output.splitlines():
        if _fails(line):
            return Verdict(Outcome.FAILED, line.strip()[:200])
        if not passed and any(pattern.search(line) for pattern in _PASS):
            passed = line.strip()[:200]
    if pass_pattern is not None:
        found = re.search(pass_pattern, output)
        if found is None:
            return Verdict(Outcome.FAILED, f"no '{pass_pattern}' in the output")
        return Verdict(Outcome.OK, found[0][:200])
    return Verdict(Outcome.OK, passed) if passed else Verdict(Outcome.UNKNOWN, "no verdict printed")


def _fails(line: str) -> bool:
    if any(pattern.search(line) for pattern in _ACQUITTALS):
        return False
    return any(pattern.search(line) for pattern in (*_IGNORE_CASE, *_EXACT_CASE))
