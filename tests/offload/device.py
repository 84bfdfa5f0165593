"""Building and running offload translations on the devices that any machine has.

Clang's x86-64 plugin gives devices with memory and variables of their own, and
OMP_TARGET_OFFLOAD=MANDATORY makes it an error to fall back to the host. GCC runs the same code on
the host.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

import pytest

from g2o.verify.build import Executable
from g2o.verify.compare import Agreement, compare_runs
from g2o.verify.run import Run, RunOptions, run
from tests.corpus.execution import Toolchain, build
from tests.corpus.programs import PROGRAMS

_LLVM: Final = Path("/usr/lib/llvm-19/lib")
_WARNINGS: Final = ("-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror")
_CLANG: Final = (*_WARNINGS, "-Wno-deprecated-declarations")
X86_DEVICE: Final = Toolchain(
    "clang++ for the x86-64 device",
    "clang++-19",
    ("-O1", *_CLANG, "-fopenmp-targets=x86_64-pc-linux-gnu"),
    str(_LLVM),
)
PORTABLE_ON_DEVICE: Final = replace(
    X86_DEVICE, name="clang++ with G2O_OFFLOAD", flags=(*X86_DEVICE.flags, "-DG2O_OFFLOAD")
)
PORTABLE_ON_CPU: Final = Toolchain("clang++ on the CPU", "clang++-19", ("-O1", *_CLANG), str(_LLVM))
HOST_FALLBACK: Final = Toolchain("g++ on the host", "g++", ("-O1", *_WARNINGS, "-foffload=disable"))
NVPTX: Final = Toolchain(
    "clang++ for nvptx64",
    "clang++-19",
    (
        *("-O2", *_CLANG, "-fopenmp-targets=nvptx64-nvidia-cuda", "--offload-arch=sm_90"),
        f"--libomptarget-nvptx-bc-path={_LLVM / 'libomptarget-nvptx-sm_90.bc'}",
    ),
)
AMDGCN: Final = Toolchain(
    "clang++ for amdgcn",
    "clang++-19",
    (
        *("-O2", *_CLANG, "-fopenmp-targets=amdgcn-amd-amdhsa", "--offload-arch=gfx90a"),
        *("-nogpulib", "-c"),  # linking takes ROCm
    ),
)

ON_DEVICES: Final = [case for case in PROGRAMS if case.id != "particle_cells"]
"""All programs of the corpus but the one with Thrust, whose algorithms run on the host."""

needs_clang: Final = pytest.mark.skipif(
    not all(map(shutil.which, ("clang++-19", "clang-offload-packager-19")))
    or not (_LLVM / "libomptarget.so").exists(),
    reason="clang++-19 with clang-tools-19 and libomptarget is not installed",
)
needs_ptxas: Final = pytest.mark.skipif(
    shutil.which("ptxas") is None or not (_LLVM / "libomptarget-nvptx-sm_90.bc").exists(),
    reason="ptxas or clang's runtime for nvptx is not installed",
)


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """How many teams work at a time, and threads in each."""

    teams: int
    threads: int

    @property
    def environment(self) -> dict[str, str]:
        return {
            "OMP_TARGET_OFFLOAD": "MANDATORY",
            "OMP_NUM_TEAMS": str(self.teams),
            "KMP_TEAMS_THREAD_LIMIT": str(self.teams * self.threads),
        }


SHAPES: Final = (Shape(1, 1), Shape(2, 2), Shape(1, 4))


def assert_device_agrees(
    sources: Sequence[Path],
    target: Path,
    references: Iterable[Run],
    arguments: tuple[str, ...] = (),
    shapes: Sequence[Shape] = SHAPES,
    toolchain: Toolchain = X86_DEVICE,
) -> None:
    """Build for the x86-64 device; every shape of teams has to do as the references."""
    built = build(sources, target, toolchain)
    references = tuple(references)
    for shape in shapes:
        options = RunOptions(
            arguments, target.parent, threads=shape.threads, environment=shape.environment
        )
        _assert_agreement(built, options, references, str(shape))


def assert_host_agrees(
    sources: Sequence[Path],
    target: Path,
    references: Iterable[Run],
    arguments: tuple[str, ...] = (),
) -> None:
    """The same with GCC, on the host."""
    built = build(sources, target, HOST_FALLBACK)
    options = RunOptions(arguments, target.parent, threads=2)
    _assert_agreement(built, options, tuple(references), HOST_FALLBACK.name)


def _assert_agreement(
    built: Executable, options: RunOptions, references: tuple[Run, ...], label: str
) -> None:
    finished = run(built, options)
    for reference in references:
        verdict = compare_runs(reference, finished)
        if not isinstance(verdict, Agreement):
            shown = f"{finished.stdout}\n{finished.stderr}"
            pytest.fail(f"{label}: {verdict.reason}\n{shown[:4000]}")
        assert verdict.numbers > 0, "the program prints no number to compare"
