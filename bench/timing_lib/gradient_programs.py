"""Kernels whose gradients are timed, and the program that times kernel and adjoint of one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from g2o.interop.translate import checked, translate
from g2o.verify.build import BuildFailure
from g2o.verify.gradients import CheckBuild, Driver, build_driver
from g2o.verify.gradients_driver import CheckedLaunch, CheckedTranslation, Effort
from g2o.verify.gradients_launch import parse_launch
from g2o.verify.gradients_signature import read_kernels

ROOT: Final = Path(__file__).resolve().parents[2]
OWN: Final = ROOT / "bench" / "gradients"
CASES: Final = ROOT / "tests" / "ad" / "cases"
_ATOMIC: Final = re.compile(r"omp atomic|g2o::atomic_\w+\(")


@final
@dataclass(frozen=True, slots=True)
class Program:
    """A kernel, the launches to time, and the ratio adjoint / kernel that is aimed at.

    `spec` is the request for the gradient: what has no shadow costs nothing. `small` is a launch
    with a sixteenth of the first one's work.
    """

    name: str
    source: Path
    spec: str
    launches: tuple[str, ...]
    limit: float
    small: str


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
        "forces<<<8, 128>>>(n = 1024, x = [n : -1 .. 1], y = [n : -1 .. 1], z = [n : -1 .. 1],"
        " mass = [n], fx = [n], fy = [n], fz = [n])",
    ),
    Program(
        "heat 2048^2",
        CASES / "heat_step.cu",
        "heat_step(v)/(u)",
        ("heat_step<<<(64, 128), (32, 16)>>>(n = 2048, u = [n * n], v = [n * n], k = 0.1)",),
        5.3,
        "heat_step<<<(16, 32), (32, 16)>>>(n = 512, u = [n * n], v = [n * n], k = 0.1)",
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
        "normalize<<<64, 256>>>(n = 16384, in = [n], out = [n])",
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
        "stream_collide<<<(4, 16), (32, 8)>>>(width = 128, height = 128, omega = 1.2,"
        " from = [9 * 16384], to = [9 * 16384])",
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
        "equation_of_state<<<256, 256>>>(n = 65536, e = [n], p = [n], q = [n], volume = [n],"
        " change = [n : -0.3 .. 0.3], work = [n], ss = [n])",
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
        "lookup<<<64, 128>>>(n = 8192, points = 1024, nuclides = 12,"
        " grid = [nuclides * points : (i % points) + uniform(0.1, 0.9)],"
        " sections = [nuclides * points * 2], energy = [n : 2 .. 1020], amount = [nuclides],"
        " macro = [n * 2])",
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
        "resonances<<<64, 128>>>(n = 8192, poles = 64, pole = [poles], residue = [poles],"
        " energy = [n : 1 .. 4], sigma = [n])",
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
        "dg_volume<<<1250, (5, 5)>>>(u = [31250], geometry = [62500], derivative = [25],"
        " r = [31250])",
    ),
)


class NotBuiltError(Exception):
    """A translation that does not compile or does not run."""


def timing_driver(
    program: Program, scratch: Path, build: CheckBuild, rounds: int, target: str = "cpu"
) -> tuple[Driver, int]:
    """The program that times, and how many atomic operations the adjoint's text has.

    Raises TranslationError or NotBuiltError.
    """
    made = checked(translate(program.source, grad=program.spec, jvp=program.spec, target=target))
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
    driver = build_driver([translation], scratch, build, Effort(rounds=rounds))
    if isinstance(driver, BuildFailure):
        raise NotBuiltError(driver.first_error)
    _, _, adjoint = made.code.partition(f"{source.kernels[0].name}_grad(")
    return driver, len(_ATOMIC.findall(adjoint))
