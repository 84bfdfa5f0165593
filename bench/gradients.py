#!/usr/bin/env python3
"""What gradients cost: milliseconds of kernels and of their adjoints, side by side.

    python bench/gradients.py [--programs a,b] [--rounds N] [--threads 1,2] [--compiler clang++-19]

Kernel and adjoint run one after the other in every round; medians are shown, and the ratio that is
aimed at. The exit code is 1 where something could not be translated or built; how long anything
takes never fails. Threads are bound: OMP_PROC_BIND=spread OMP_PLACES=cores.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from g2o.interop.translate import TranslationError, checked, translate
from g2o.verify.build import BuildFailure
from g2o.verify.gradients import CheckBuild, Driver, build_driver, run_checks
from g2o.verify.gradients_driver import CheckedLaunch, CheckedTranslation, Effort
from g2o.verify.gradients_launch import parse_launch
from g2o.verify.gradients_signature import read_kernels
from g2o.verify.run import RunOptions

ROOT: Final = Path(__file__).resolve().parents[1]
OWN: Final = ROOT / "bench" / "gradients"
CASES: Final = ROOT / "tests" / "ad" / "cases"
_ATOMIC: Final = re.compile(r"omp atomic|g2o::atomic_\w+\(")


@final
@dataclass(frozen=True, slots=True)
class Program:
    """A kernel, the launches to time, and the ratio adjoint / kernel that is aimed at.

    `spec` is the request for the gradient: what has no shadow costs nothing.
    """

    name: str
    source: Path
    spec: str
    launches: tuple[str, ...]
    limit: float


PROGRAMS: Final = (
    Program(
        "nbody 4096",
        OWN / "nbody.cu",
        "forces(fx, fy, fz)/(x, y, z, mass)",
        (
            "forces<<<32, 128>>>(n = 4096, x = [n : -1 .. 1], y = [n : -1 .. 1], z = [n : -1 .. 1],"
            " mass = [n], fx = [n], fy = [n], fz = [n])",
        ),
        2.2,
    ),
    Program(
        "heat 2048^2",
        CASES / "heat_step.cu",
        "heat_step(v)/(u)",
        ("heat_step<<<(64, 128), (32, 16)>>>(n = 2048, u = [n * n], v = [n * n], k = 0.1)",),
        5.3,
    ),
    Program(
        "normalize",
        CASES / "normalize.cu",
        "normalize(out)/(in)",
        (
            "normalize<<<1024, 256>>>(n = 262144, in = [n], out = [n])",
            "normalize<<<4096, 256>>>(n = 1048576, in = [n], out = [n])",
        ),
        5.0,
    ),
    Program(
        "lbm 512^2",
        CASES / "lbm_stream_collide.cu",
        "stream_collide(to)/(from)",
        (
            "stream_collide<<<(16, 64), (32, 8)>>>(width = 512, height = 512, omega = 1.2,"
            " from = [9 * 262144], to = [9 * 262144])",
        ),
        4.0,
    ),
    Program(
        "eos 1M",
        CASES / "equation_of_state.cu",
        "equation_of_state",
        (
            "equation_of_state<<<4096, 256>>>(n = 1048576, e = [n], p = [n], q = [n], volume = [n],"
            " change = [n : -0.3 .. 0.3], work = [n], ss = [n])",
        ),
        4.0,
    ),
    Program(
        "xs look-up",
        CASES / "cross_sections.cu",
        "lookup(macro)/(grid, sections, energy, amount)",
        (
            "lookup<<<1024, 128>>>(n = 131072, points = 1024, nuclides = 12,"
            " grid = [nuclides * points : (i % points) + uniform(0.1, 0.9)],"
            " sections = [nuclides * points * 2], energy = [n : 2 .. 1020], amount = [nuclides],"
            " macro = [n * 2])",
        ),
        4.0,
    ),
    Program(
        "rs look-up",
        CASES / "resonance_poles.cu",
        "resonances(sigma)/(pole, residue, energy)",
        (
            "resonances<<<1024, 128>>>(n = 131072, poles = 64, pole = [poles], residue = [poles],"
            " energy = [n : 1 .. 4], sigma = [n])",
        ),
        4.0,
    ),
    Program(
        "dg volume",
        CASES / "dg_volume.cu",
        "dg_volume(r)/(u, geometry)",
        (
            "dg_volume<<<20000, (5, 5)>>>(u = [500000], geometry = [1000000], derivative = [25],"
            " r = [500000])",
        ),
        4.0,
    ),
)


def main(arguments: list[str] | None = None) -> int:
    """Measure what the command line asks for; 0, 1 for faults, 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    chosen = [p for p in PROGRAMS if not options.programs or p.name.split()[0] in options.programs]
    print(
        f"{'':<14} {'threads':>7} {'kernel ms':>10} {'adjoint ms':>10} {'ratio':>6} "
        f"{'aim':>5}  atomics"
    )
    faults = 0
    for program in chosen:
        with tempfile.TemporaryDirectory(prefix="g2o-bench-") as directory:
            try:
                _measure(program, options, Path(directory))
            except (TranslationError, _NotBuiltError) as fault:
                print(f"{program.name:<14} {fault}")
                faults += 1
    return 1 if faults else 0


class _NotBuiltError(Exception):
    """A translation that does not compile or does not run."""


def _measure(program: Program, options: argparse.Namespace, scratch: Path) -> None:
    driver, atomics = _driver(program, options, scratch)
    firsts: dict[str, float] = {}
    for threads in options.threads:
        variables = {
            "OMP_NUM_THREADS": str(threads),
            "OMP_PROC_BIND": "spread",
            "OMP_PLACES": "cores",
            "OMP_WAIT_POLICY": "active",
        }
        done = run_checks(driver, 0, RunOptions(timeout=300, environment=variables))
        if done.fault:
            raise _NotBuiltError(done.fault)
        for finding in done.findings:
            kernel, adjoint = map(float, finding.where.split())
            first = firsts.setdefault(finding.kernel, adjoint)
            gain = "" if first == adjoint else f"  {first / adjoint:.2f}x faster"
            print(
                f"{program.name:<14} {threads:>7} {kernel:>10.2f} {adjoint:>10.2f} "
                f"{finding.worst:>6.2f} {program.limit:>5.1f}  {atomics}{gain}",
                flush=True,
            )


def _driver(program: Program, options: argparse.Namespace, scratch: Path) -> tuple[Driver, int]:
    """The program that times, and how many atomic operations the adjoint's text has."""
    made = checked(translate(program.source, grad=program.spec, jvp=program.spec))
    code = scratch / "kernel.omp.cpp"
    code.write_text(made.code)
    source = read_kernels(program.source)
    named = program.spec.partition("(")[2]
    active = frozenset(re.findall(r"\w+", named)) if named else None
    launches = tuple(
        CheckedLaunch(parse_launch(launch), source.kernels[0], active)
        for launch in program.launches
    )
    translation = CheckedTranslation(code, source.records, launches)
    build = CheckBuild(
        options.compiler,
        optimization="-O3",
        # CUDA's functions do not set errno; a square root that does is not vectorised.
        flags=("-march=native", "-fno-math-errno", "-DNDEBUG"),
        include_directories=(ROOT / "g2o" / "runtime",),
    )
    driver = build_driver([translation], scratch, build, Effort(rounds=options.rounds))
    if isinstance(driver, BuildFailure):
        raise _NotBuiltError(driver.first_error)
    _, _, adjoint = made.code.partition(f"{source.kernels[0].name}_grad(")
    return driver, len(_ATOMIC.findall(adjoint))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--programs", type=_names, default=(), metavar="NAME,...")
    parser.add_argument("--rounds", type=int, default=9, metavar="N")
    parser.add_argument("--threads", type=_numbers, default=(1, 2), metavar="N,...")
    parser.add_argument("--compiler", default="g++")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _numbers(text: str) -> Sequence[int]:
    return tuple(max(1, int(word)) for word in text.split(","))


if __name__ == "__main__":
    sys.exit(main())
