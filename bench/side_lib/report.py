"""The table of ratios, hand-written / translated: above 1 the translation is faster."""

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import final

from bench.timing_lib.measuring import PairedTimes


@final
@dataclass(frozen=True, slots=True)
class SideTimes:
    """One row: times by number of threads, or `fault`: why there are none."""

    name: str
    times: Mapping[int, PairedTimes] = field(default_factory=dict[int, PairedTimes])
    fault: str = ""


def speed(times: PairedTimes) -> float:
    """Hand-written / translated, of the best of all rounds."""
    return min(times.written) / min(times.emitted)


def table(rows: Sequence[SideTimes], threads: Sequence[int]) -> str:
    """Milliseconds and ratios, slowest translation first; their geometric mean and minimum."""
    width = max([len(row.name) for row in rows], default=0)
    columns = [f"{'hand ms':>10}  {'g2o ms':>10}  {f'ratio({t})':>8}" for t in threads]
    lines = ["  ".join([f"{'program':<{width}}", *columns])]
    for row in sorted(rows, key=lambda row: _slowest(row)):
        if row.fault:
            lines.append(f"{row.name:<{width}}  {row.fault}")
            continue
        cells = [_cell(row.times[count]) for count in threads]
        lines.append("  ".join([f"{row.name:<{width}}", *cells]))
    for count in threads:
        ratios = [speed(row.times[count]) for row in rows if count in row.times and not row.fault]
        if ratios:
            mean = statistics.geometric_mean(ratios)
            what = f"{len(ratios)} programs, {count} thread{'s' if count > 1 else ''}"
            lines.append(f"{what}: geometric mean {mean:.3f}, minimum {min(ratios):.3f}")
    return "\n".join(lines)


def as_json(settings: Mapping[str, object], rows: Sequence[SideTimes]) -> str:
    """All measurements, every single run among them."""
    programs = [
        {
            "name": row.name,
            "fault": row.fault,
            "times": {str(count): asdict(times) for count, times in row.times.items()},
            "ratio": {str(count): speed(times) for count, times in row.times.items()},
        }
        for row in rows
    ]
    return json.dumps({"settings": dict(settings), "programs": programs}, indent=1) + "\n"


def _slowest(row: SideTimes) -> float:
    return min((speed(times) for times in row.times.values()), default=0.0)


def _cell(times: PairedTimes) -> str:
    return f"{min(times.written):10.2f}  {min(times.emitted):10.2f}  {speed(times):8.2f}"
