"""The measurements as tables for people and as JSON for programs."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import final

from bench.timing_lib.measuring import PairedTimes
from bench.timing_lib.programs import Group
from bench.timing_lib.translation import TranslationTime


@final
@dataclass(frozen=True, slots=True)
class ProgramTimes:
    """The times of one program, or `fault`: why there are none."""

    name: str
    times: PairedTimes | None
    fault: str = ""
    group: Group = "corpus"


def geometric_mean(rows: Sequence[ProgramTimes]) -> float | None:
    """Of the ratios of those programs that could be measured; None without any. Programs with
    options (`name --option`) do not count."""
    return _mean([row for row in rows if " " not in row.name])


def _mean(rows: Sequence[ProgramTimes]) -> float | None:
    ratios = [row.times.ratio for row in rows if row.times is not None]
    return statistics.geometric_mean(ratios) if ratios else None


def _with_options(rows: Sequence[ProgramTimes]) -> list[ProgramTimes]:
    """The programs, those with options in place of themselves without."""
    chosen = {row.name.split()[0] for row in rows if " " in row.name and row.times is not None}
    return [row for row in rows if " " in row.name or row.name not in chosen]


def groups(rows: Sequence[ProgramTimes]) -> dict[Group, list[ProgramTimes]]:
    """The programs that are compared with each other and have a mean of their own."""
    grouped: dict[Group, list[ProgramTimes]] = {}
    for row in rows:
        grouped.setdefault(row.group, []).append(row)
    return grouped


def program_tables(rows: Sequence[ProgramTimes]) -> str:
    """A table for each group."""
    return "\n\n".join(f"{name}\n{program_table(each)}" for name, each in groups(rows).items())


def program_table(rows: Sequence[ProgramTimes]) -> str:
    """Medians in milliseconds and the median ratio, slowest translation first."""
    width = max([len(row.name) for row in rows], default=0)
    lines = [f"{'program':<{width}}  {'emitted ms':>10}  {'written ms':>10}  {'ratio':>6}"]
    ordered = sorted(rows, key=lambda row: -(row.times.ratio if row.times else 0.0))
    for row in ordered:
        if row.times is None:
            lines.append(f"{row.name:<{width}}  {row.fault}")
            continue
        emitted, written = map(statistics.median, (row.times.emitted, row.times.written))
        lines.append(
            f"{row.name:<{width}}  {emitted:10.2f}  {written:10.2f}  {row.times.ratio:6.2f}"
        )
    plain = [row for row in rows if " " not in row.name]
    lines += _summary(plain, "")
    if len(plain) < len(rows):
        lines += _summary(_with_options(rows), ", with the options that are shown")
    return "\n".join(lines)


def _summary(rows: Sequence[ProgramTimes], what: str) -> list[str]:
    mean = _mean(rows)
    if mean is None:
        return []
    highest = max(row.times.ratio for row in rows if row.times is not None)
    return [f"geometric mean {mean:.3f}, maximum {highest:.2f}{what}"]


def translation_table(rows: Sequence[TranslationTime]) -> str:
    """Seconds for one command each."""
    width = max([len(row.name) for row in rows], default=0)
    lines = [f"{'translating':<{width}}  {'lines':>6}  {'seconds':>7}"]
    for row in rows:
        shown = row.fault if row.seconds is None else f"{row.seconds:7.2f}"
        lines.append(f"{row.name:<{width}}  {row.lines:6d}  {shown}")
    return "\n".join(lines)


def as_json(
    settings: dict[str, str | int], rows: Sequence[ProgramTimes], times: Sequence[TranslationTime]
) -> str:
    """All measurements, every single run among them."""
    programs = [{**asdict(row), "ratio": row.times.ratio if row.times else None} for row in rows]
    document = {
        "settings": settings,
        "programs": programs,
        "geometric_mean": {name: geometric_mean(each) for name, each in groups(rows).items()},
        "translation": [asdict(each) for each in times],
    }
    return json.dumps(document, indent=2) + "\n"
