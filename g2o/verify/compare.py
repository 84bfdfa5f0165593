"""Compares what two runs wrote, numbers as numbers.

Lines correspond one to one. Of two lines, the text between numbers must be equal, integers must be
equal, and floating numbers (written with a point, an exponent, or as nan/inf, on either side) may
differ within a `Tolerance`. Two kinds of lines are special, and both lists are data that a caller
can replace:

* `MEASUREMENTS`: lines about time, rates and dates. Their text must agree, their numbers need not.
* `MACHINES`: lines that describe the device or its properties. They are not compared.

The name of the emulated device stands for any device name.
"""

from __future__ import annotations

import math
import re
import signal
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import final

from g2o.verify.run import Run, TimedOut

MEASUREMENTS: tuple[str, ...] = (
    r"\b(?:time[sd]?|timing|timer|elapsed|duration|clocks?|cycles|took)\b",
    r"\b(?:seconds?|secs?|[mnuμ]secs?|milliseconds?|microseconds?|nanoseconds?|minutes?)\b",
    r"[\d.]\s*[mnuμ]?s\b|\([mnuμ]?s\)|\[[mnuμ]?s\]|\bin [mnuμ]s\b",
    r"\b[kmgt]?(?:i?b|bytes|bits|flops?|updates|cells|pairs|interactions|iops|pixels)\s*/\s*s",
    r"\b[kmgt](?:flops?|lups|ips|bps)\b",
    r"\b(?:bandwidth|throughput|speed-?ups?|performance|overhead|fps|rate)\b",
    r"\bexecution\s*[:=]",
    r"\b\d{4}-\d\d-\d\d\b|\b\d\d:\d\d:\d\d\b",
    r"[a-z_](?:time|timer|_ms|_us|_ns)\b",
)
MACHINES: tuple[str, ...] = (
    r"\b(?:device|gpu)\s*(?:name|id|number|#?\d+)?\s*(?:[:=]\s*\"|is\b|has\b)",
    r"\b(?:device|gpu|processor|platform|host)\s*name\b",
    r"\b(?:using|running on|found|select(?:ed|ing)?|set)\b.*\b(?:devices?|gpus?)\b",
    r"\b(?:compute capability|driver version|sm count|warp size|clock rate|memory pitch)\b",
    r"\bnumber of (?:multi[- ]?processors?|sms)\b|\bmulti[- ]?processors?\b.*[:=-]\s*\d",
    r"\b(?:global|shared|constant) memory\b.*\b(?:bytes|[kmg]i?b)\b",
    r"\b(?:registers|threads|blocks) per (?:thread )?(?:block|multi[- ]?processor|sm)\b.*[:=-]",
    r"\bmax(?:imum)? (?:threads?|grid|block) ?(?:dim\w*|size)\b|\btexture alignment\b",
)
EMULATED_DEVICE = "g2o emulated device"

_NUMBER = re.compile(
    r"(?<![A-Za-z_\d.])[-+]?"
    r"(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|(?:nan|inf(?:inity)?)(?![A-Za-z_\d]))",
    re.IGNORECASE,
)


@final
@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far two floating numbers may be apart: any one of the rules suffices.

    `ulps` counts units in the last place of the type with `ulp_bits` (32 or 64).
    `last_place` accepts one unit in the last printed decimal, if four digits were printed.
    """

    relative: float = 2e-5
    absolute: float = 1e-6
    ulps: int = 0
    ulp_bits: int = 32
    last_place: bool = True


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """What to compare and how. `unordered`: lines as a multiset, for `printf` in kernels.

    `output_files` are paths below the directories the two runs were made in.
    """

    tolerance: Tolerance = Tolerance()
    measurements: tuple[str, ...] = MEASUREMENTS
    machines: tuple[str, ...] = MACHINES
    ignored_lines: tuple[str, ...] = ()
    unordered: bool = False
    output_files: tuple[Path, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Agreement:
    """Everything agreed; how much that was tells an empty success from a real one."""

    lines: int
    numbers: int


@final
@dataclass(frozen=True, slots=True)
class Disagreement:
    """`line` is the 1-based line of the expected text where it shows, None for other reasons."""

    reason: str
    line: int | None = None


@final
@dataclass(frozen=True, slots=True)
class OracleFailed:
    """The reference run itself gave no result, so nothing can be said."""

    reason: str


Verdict = Agreement | Disagreement | OracleFailed


def compare_runs(
    expected: Run | TimedOut,
    actual: Run | TimedOut,
    comparison: Comparison | None = None,
    expected_directory: Path | None = None,
    actual_directory: Path | None = None,
) -> Verdict:
    """`expected` is the oracle's run. Compares exit codes, standard output and output files."""
    comparison = comparison or Comparison()
    if isinstance(expected, TimedOut):
        return OracleFailed(f"the reference did not end within {expected.seconds:g} s")
    if expected.fault is not None:
        return OracleFailed(f"{expected.fault.name}: {expected.stderr.strip()}")
    if expected.exit_code < 0:
        return OracleFailed(f"the reference was killed by signal {-expected.exit_code}")
    if isinstance(actual, TimedOut):
        return Disagreement(f"no end within {actual.seconds:g} s")
    verdict = compare_text(expected.stdout, actual.stdout, comparison)
    if expected.exit_code != actual.exit_code:
        return _other_end(expected, actual, verdict)
    for name in comparison.output_files:
        if not isinstance(verdict, Agreement):
            return verdict
        here = (expected_directory or Path()) / name
        there = (actual_directory or Path()) / name
        verdict = _join(verdict, compare_files(here, there, comparison))
    return verdict


def _other_end(expected: Run, actual: Run, printed: Verdict) -> Disagreement:
    """Why a program ended differently: by its last words, and by where its output differs."""
    parts = [f"{_end(actual)} instead of {_end(expected)}: {actual.stderr.strip()[:500]}"]
    match printed:
        case Disagreement(reason, line):
            where = "" if line is None else f"line {line}: "
            parts.append(f"  output:   {where}{reason}")
        case _:
            parts.append("  output:   the same")
    return Disagreement("\n".join(parts))


def _end(finished: Run) -> str:
    if finished.exit_code >= 0:
        return f"exit code {finished.exit_code}"
    return f"signal {-finished.exit_code} ({signal.strsignal(-finished.exit_code)})"


def _join(first: Agreement, second: Verdict) -> Verdict:
    if isinstance(second, Agreement):
        return Agreement(first.lines + second.lines, first.numbers + second.numbers)
    return second


def compare_files(expected: Path, actual: Path, comparison: Comparison) -> Verdict:
    """Files of text as text, others byte by byte."""
    if not expected.is_file():
        return OracleFailed(f"the reference did not write '{expected.name}'")
    if not actual.is_file():
        return Disagreement(f"'{actual.name}' was not written")
    wanted, got = expected.read_bytes(), actual.read_bytes()
    if wanted == got:
        return Agreement(wanted.count(b"\n"), 0)
    if b"\0" in wanted or b"\0" in got:
        return Disagreement(f"'{actual.name}' {_difference_of_bytes(wanted, got)}")
    verdict = compare_text(
        wanted.decode("utf-8", "replace"), got.decode("utf-8", "replace"), comparison
    )
    if isinstance(verdict, Disagreement):
        return Disagreement(f"'{actual.name}': {verdict.reason}", verdict.line)
    return verdict


def _difference_of_bytes(wanted: bytes, got: bytes) -> str:
    """Where files of numbers differ first, and what stands there."""
    if len(wanted) != len(got):
        return f"has {len(got)} bytes instead of {len(wanted)}"
    differing = [place for place, (a, b) in enumerate(zip(wanted, got, strict=True)) if a != b]
    first = differing[0]
    lines = [f"differs in {len(differing)} of its {len(wanted)} bytes, first in byte {first}"]
    for code, name in (("i", "int"), ("f", "float"), ("d", "double")):
        index = first // struct.calcsize(code)
        place = index * struct.calcsize(code)
        if place + struct.calcsize(code) <= len(wanted):
            want, have = (struct.unpack_from(f"<{code}", data, place)[0] for data in (wanted, got))
            lines.append(f"  as {name} [{index}]: {have!r} instead of {want!r}")
    return "\n".join(lines)


def compare_text(expected: str, actual: str, comparison: Comparison | None = None) -> Verdict:
    """Compare two outputs line by line."""
    comparison = comparison or Comparison()
    wanted = _numbered_lines(expected, comparison)
    got = _numbered_lines(actual, comparison)
    numbers = differing = 0
    first: tuple[int, str, str, _Difference] | None = None
    for (line, text), (_, found) in zip(wanted, got, strict=False):
        result = _compare_line(text, found, comparison)
        if isinstance(result, int):
            numbers += result
            continue
        differing += 1
        if first is None:
            first = line, text, found, result
    if first is not None:
        line, text, found, difference = first
        shown = f"{difference.reason}\n  expected: {text}\n  found:    {found}"
        return Disagreement(shown + difference.where(differing, len(wanted)), line)
    if len(got) > len(wanted):
        extra = got[len(wanted)][1]
        return Disagreement(f"a line too many: {extra!r}" if extra else "a line too many")
    if len(got) < len(wanted):
        line, text = wanted[len(got)]
        return Disagreement(f"the output ends before {text!r}", line)
    return Agreement(len(wanted), numbers)


def _numbered_lines(text: str, comparison: Comparison) -> list[tuple[int, str]]:
    skipped = (*comparison.machines, *comparison.ignored_lines)
    skip = re.compile("|".join(skipped), re.IGNORECASE) if skipped else None
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not (skip and skip.search(line))
    ]
    return sorted(lines, key=lambda line: line[1]) if comparison.unordered else lines


@final
@dataclass(frozen=True, slots=True)
class _Difference:
    """What is wrong in a line, and with which of its numbers."""

    reason: str
    number: int = 0
    numbers: int = 0

    def where(self, lines: int, of_lines: int) -> str:
        """A line that says so, if there is more than one of anything."""
        parts = [f"number {self.number} of {self.numbers} in the line"] if self.numbers > 1 else []
        parts += [f"{lines} of {of_lines} lines differ"] if of_lines > 1 else []
        return f"\n  where:    {'; '.join(parts)}" if parts else ""


def _compare_line(expected: str, actual: str, comparison: Comparison) -> int | _Difference:
    """How many numbers were compared, or what is wrong."""
    if expected == actual:
        return len(_NUMBER.findall(expected))
    if EMULATED_DEVICE in expected:
        before, _, behind = expected.partition(EMULATED_DEVICE)
        same = actual.startswith(before) and actual.endswith(behind)
        return 0 if same else _Difference("the text around the device's name differs")
    if _text_between(expected) != _text_between(actual):
        return _Difference("the text differs")
    if comparison.measurements and re.search(
        "|".join(comparison.measurements), expected, re.IGNORECASE
    ):
        return 0
    wanted, got = _NUMBER.findall(expected), _NUMBER.findall(actual)
    for number, (want, have) in enumerate(zip(wanted, got, strict=True), start=1):
        if not numbers_agree(want, have, comparison.tolerance):
            return _Difference(f"{have} instead of {want}", number, len(wanted))
    return len(wanted)


def _text_between(line: str) -> list[str]:
    return " ".join(_NUMBER.sub("\0", line).split()).split("\0")


def numbers_agree(expected: str, actual: str, tolerance: Tolerance) -> bool:
    """Whether two printed numbers are the same within `tolerance`; integers must be equal."""
    if expected == actual:
        return True
    if _is_integer(expected) and _is_integer(actual):
        return int(expected, 0 if "x" in expected.lower() else 10) == int(
            actual, 0 if "x" in actual.lower() else 10
        )
    want, have = _value(expected), _value(actual)
    if math.isnan(want) or math.isnan(have):
        return math.isnan(want) and math.isnan(have)
    if math.isinf(want) or math.isinf(have):
        return want == have
    gap = abs(want - have)
    if gap <= tolerance.absolute or gap <= tolerance.relative * max(abs(want), abs(have)):
        return True
    if tolerance.ulps and _ulps_apart(want, have, tolerance.ulp_bits) <= tolerance.ulps:
        return True
    return tolerance.last_place and _one_last_place_apart(expected, actual, gap)


def _is_integer(text: str) -> bool:
    return text.lstrip("+-").isdigit() or text.lstrip("+-").lower().startswith("0x")


def _value(text: str) -> float:
    return float(int(text, 16)) if "x" in text.lower() else float(text)


def _ulps_apart(a: float, b: float, bits: int) -> int:
    code, integer = ("<f", "<i") if bits == 32 else ("<d", "<q")

    def ordered(x: float) -> int:
        raw: int = struct.unpack(integer, struct.pack(code, x))[0]
        return raw if raw >= 0 else -(raw & (2 ** (bits - 1) - 1))

    return abs(ordered(a) - ordered(b))


def _one_last_place_apart(expected: str, actual: str, gap: float) -> bool:
    mantissa, _, exponent = expected.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    digits = len(mantissa.strip("+-").replace(".", "").lstrip("0"))
    if digits < 4 or len(actual.lower().partition("e")[0].partition(".")[2]) != decimals:
        return False
    return gap <= 1.01 * 10.0 ** (int(exponent or 0) - decimals)
