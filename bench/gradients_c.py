#!/usr/bin/env python3
"""What gradients of OpenMP C cost: milliseconds of functions and of their adjoints, side by side.

    python bench/gradients_c.py [--programs a,b] [--rounds N] [--threads 1,2] [--compiler clang-19]

Function and adjoint run one after the other in every round; medians are shown, the ratio, and the
one that the same kernel has in CUDA (`gradients.py`). How long anything takes never fails. Threads
are bound: OMP_PROC_BIND=spread OMP_PLACES=cores.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from g2o.diagnostics.diagnostic import Refusal
from g2o.openmp_c import translate_c
from g2o.passes import TranslateOptions
from g2o.runtime.headers import RUNTIME

_OWN: Final = Path(__file__).resolve().parent / "gradients"
_FLAGS: Final = ("-std=gnu11", "-O3", "-march=native", "-fno-math-errno", "-fopenmp", "-DNDEBUG")


@final
@dataclass(frozen=True, slots=True)
class CProgram:
    """A C file with a function, its call with `arrays` of `size` numbers, and the ratio adjoint /
    function that is aimed at. `from` and `to` are the arrays that have shadows."""

    name: str
    file: str
    function: str
    front: str
    size: str
    arrays: tuple[str, ...]
    limit: float


PROGRAMS: Final = (
    CProgram(
        "nbody 4096",
        "nbody.c",
        "forces",
        "4096",
        "4096",
        ("x", "y", "z", "mass", "fx", "fy", "fz"),
        1.9,
    ),
    CProgram("heat 2048^2", "heat.c", "heat_step", "2048, 0.1", "2048 * 2048", ("u", "v"), 2.5),
)


def _driver(program: CProgram, code: Path, rounds: int) -> str:
    """A C program that prints the medians, and the sum of all shadows."""
    count = len(program.arrays)
    arrays = [f"at[{k}]" for k in range(2 * count)]
    primal = ", ".join([program.front, *arrays[:count]])
    adjoint = ", ".join([program.front, *arrays])
    return f"""\
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include "{code}"
static double *at[{2 * count}];
static int is_less(const void *one, const void *other)
{{
    return (*(const double *)one > *(const double *)other) * 2 - 1;
}}
static double median(double *times)
{{
    qsort(times, {rounds}, sizeof *times, is_less);
    return times[{rounds} / 2];
}}
int main(void)
{{
    const long size = {program.size};
    double primal[{rounds}], adjoint[{rounds}], ratio[{rounds}], sum = 0.0;
    for (int k = 0; k < {2 * count}; ++k) {{
        at[k] = malloc(size * sizeof(double));
#pragma omp parallel for
        for (long i = 0; i < size; ++i)
            at[k][i] = 0.5 + (double)((i * (k + 7) * 2654435761u) % 1000003u) / 1000003.0;
    }}
    for (int round = -1; round < {rounds}; ++round) {{
        const double start = omp_get_wtime();
        {program.function}({primal});
        const double middle = omp_get_wtime();
        {program.function}_grad({adjoint});
        const double end = omp_get_wtime();
        if (round < 0)
            continue;
        primal[round] = 1e3 * (middle - start);
        adjoint[round] = 1e3 * (end - middle);
        ratio[round] = (end - middle) / (middle - start);
    }}
    for (int k = {count}; k < {2 * count}; ++k)
        sum += at[k][size / 3];
    printf("%.3f %.3f %.3f %g\\n", median(primal), median(adjoint), median(ratio), sum);
    return 0;
}}
"""


def _measure(program: CProgram, options: argparse.Namespace, folder: Path) -> None:
    """Print a line for each number of threads. Raises Refusal or CalledProcessError."""
    source = _OWN / program.file
    made = translate_c(source, TranslateOptions(), source.name)
    if not made.ok:
        raise Refusal(*made.diagnostics)
    code = folder / "code.g2o.c"
    code.write_text(made.code, "latin-1")
    (folder / "driver.c").write_text(_driver(program, code, options.rounds))
    target = str(folder / "driver")
    command = [options.compiler, *_FLAGS, "-I", str(RUNTIME), str(folder / "driver.c")]
    subprocess.run([*command, "-o", target, "-lm"], check=True)
    _, _, adjoint = made.code.partition(f"{program.function}_grad(")
    for threads in options.threads:
        environment = os.environ | {
            "OMP_NUM_THREADS": str(threads),
            "OMP_PROC_BIND": "spread",
            "OMP_PLACES": "cores",
            "OMP_WAIT_POLICY": "active",
        }
        done = subprocess.run([target], env=environment, capture_output=True, text=True, check=True)
        primal, reverse, ratio, _ = map(float, done.stdout.split())
        print(
            f"{program.name:<14} {threads:>7} {primal:>11.2f} {reverse:>10.2f} {ratio:>6.2f} "
            f"{program.limit:>5.1f}  {adjoint.count('omp atomic')}",
            flush=True,
        )


def main(arguments: list[str] | None = None) -> int:
    """Measure what the command line asks for; 0, or 1 for what is not built."""
    options = _parser().parse_args(arguments)
    chosen = [p for p in PROGRAMS if not options.programs or p.name.split()[0] in options.programs]
    print(
        f"{'':<14} {'threads':>7} {'function ms':>11} {'adjoint ms':>10} {'ratio':>6} "
        f"{'CUDA':>5}  atomics"
    )
    faults = 0
    for program in chosen:
        with tempfile.TemporaryDirectory(prefix="g2o-bench-") as directory:
            try:
                _measure(program, options, Path(directory))
            except (Refusal, subprocess.CalledProcessError) as fault:
                print(f"{program.name:<14} {fault}")
                faults += 1
    return 1 if faults else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--programs", type=_names, default=(), metavar="NAME,...")
    parser.add_argument("--rounds", type=int, default=9, metavar="N")
    parser.add_argument("--threads", type=_numbers, default=(1, 2), metavar="N,...")
    parser.add_argument("--compiler", default="gcc")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _numbers(text: str) -> Sequence[int]:
    return tuple(max(1, int(word)) for word in text.split(","))


if __name__ == "__main__":
    sys.exit(main())
