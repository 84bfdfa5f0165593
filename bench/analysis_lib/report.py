"""Tables of what the analysis came to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import final

from g2o.analysis.figures import KernelFigures


@final
@dataclass(frozen=True, slots=True)
class ProgramFigures:
    """`note` says why there is nothing; run times in seconds at -O0 and -O2."""

    name: str
    kernels: tuple[KernelFigures, ...]
    note: str = ""
    times: tuple[float, float] | None = None


def table(programs: Iterable[ProgramFigures], by_kernel: bool) -> str:
    """A Markdown table: a line for every kernel with a barrier or with memory gone, or for every
    program; the last line is for all of them."""
    lines = [
        "| program | kernels | barriers | removed | loads, stores | median s | max s | O0/O2 |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    rows = list(programs)
    for program in rows:
        if by_kernel:
            lines += [
                _row(f"{program.name} {one.name}", (one,))
                for one in program.kernels
                if one.barriers or one.memory
            ]
        elif program.kernels or program.note:
            lines.append(_row(program.name, program.kernels, program.times, program.note))
    lines.append(_row("**all**", [one for program in rows for one in program.kernels]))
    return "\n".join(lines)


def _row(
    name: str,
    kernels: Sequence[KernelFigures],
    times: tuple[float, float] | None = None,
    note: str = "",
) -> str:
    if not kernels:
        return f"| {name} | {note or 'no kernel'} | | | | | | |"
    seconds = [one.seconds for one in kernels]
    cells = (
        name,
        str(len(kernels)),
        str(sum(one.barriers for one in kernels)),
        str(sum(one.removed for one in kernels)),
        str(sum(one.memory for one in kernels)),
        f"{median(seconds):.3f}",
        f"{max(seconds):.2f}",
        "" if times is None else f"{times[0]:.2f}/{times[1]:.2f} = {times[0] / times[1]:.2f}",
    )
    return f"| {' | '.join(cells)} |"


def summary(programs: Iterable[ProgramFigures]) -> str:
    """The figures that are demanded, in words."""
    rows = list(programs)
    kernels = [one for program in rows for one in program.kernels]
    failed: Mapping[str, str] = {program.name: program.note for program in rows if program.note}
    if not kernels:
        return "no kernels"
    synchronised = [one for one in kernels if one.barriers]
    times = [program.times for program in rows if program.times is not None]
    text = (
        f"{len(rows)} programs, {len(kernels)} kernels, {len(synchronised)} of them with barriers: "
        f"{sum(one.removed for one in kernels)} of {sum(one.barriers for one in kernels)} barriers "
        f"and {sum(one.memory for one in kernels)} stores or arrays go.\n"
        f"Analysis: median {median(one.seconds for one in kernels):.4f} s a kernel "
        f"({median([one.seconds for one in synchronised] or [0.0]):.4f} s of those with barriers), "
        f"at most {max(one.seconds for one in kernels):.2f} s."
    )
    if times:
        product = 1.0
        for slow, fast in times:
            product *= slow / fast
        mean = product ** (1 / len(times))
        text += f"\nRun time -O0 / -O2, geometric mean of {len(times)} programs: {mean:.2f}."
    if failed:
        text += "\nNot analysed: " + "; ".join(f"{name} ({note})" for name, note in failed.items())
    return text
