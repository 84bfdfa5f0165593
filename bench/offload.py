#!/usr/bin/env python3
"""Builds what compares offload translations with their CUDA programs on a machine with a GPU.

    python bench/offload.py DIR [--programs a,b] [--arch sm_90] [--cuda-path CUDA] [--pack X.tar.xz]
                                                                     here, without a GPU
    python DIR/measure.py [--rounds N]                               there

Programs of the corpus are translated, the translations built with clang++-19 and the CUDA sources
with nvcc; so are programs that time kernels and their adjoints. All that running takes, LLVM's
libraries included, is put below DIR, which may be taken to another machine: there it wants Python
and the GPU's driver alone. `--pack` makes one file of it, a fraction of the size.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.timing_lib.gradient_programs import PROGRAMS as GRADIENTS
from bench.timing_lib.gradient_programs import NotBuiltError, Program, timing_driver
from g2o.interop.translate import TranslationError
from g2o.verify.gradients import CheckBuild

ROOT: Final = Path(__file__).resolve().parents[1]
PROGRAMS: Final = (
    "black_scholes block_sum conv2d_constant floyd_warshall heat2d histogram jacobi3d matmul_tiled "
    "nbody reduce_shfl saxpy scan_warp softmax_rows spmv_warp stencil1d_shared transpose_shared"
)
_LLVM: Final = Path("/usr/lib/llvm-19/lib")
_LIBRARIES: Final = ("libomp.so.5", "libomptarget.so.19.1")
_NEEDED: Final = re.compile(r"^\s*(\S+) => (/\S+)", re.MULTILINE)  # in what ldd prints
_OF_THE_SYSTEM: Final = re.compile(r"ld-linux|lib(?:c|m|dl|rt|pthread)\.so")
_SECONDS: Final = 300
_PLAN: Final = "programs.json"
_MEASURE: Final = ROOT / "bench" / "measure_offload.py"
_ROUNDS: Final = 9  # of kernel and adjoint, in one program


def main(arguments: list[str] | None = None) -> int:
    """0, or 1 where something could not be built."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--programs", default=PROGRAMS.replace(" ", ","), metavar="NAME,...")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--cuda-path", help="a CUDA 12 for clang: LLVM 19 cannot run what 13 links")
    parser.add_argument("--pack", type=Path, metavar="FILE.tar.xz")
    options = parser.parse_args(arguments)
    device = Device(options.arch, options.cuda_path)
    exit_code = build_all(options.directory, options.programs.split(","), device)
    if options.pack is not None:
        pack(options.directory, options.pack)
    return exit_code


@final
@dataclass(frozen=True, slots=True)
class Device:
    """What to build for, and with which of CUDA's tools."""

    arch: str
    cuda_path: str | None

    @property
    def flags(self) -> tuple[str, ...]:
        """Those of clang."""
        runtime = _LLVM / f"libomptarget-nvptx-{self.arch}.bc"
        cuda = () if self.cuda_path is None else (f"--cuda-path={self.cuda_path}",)
        return (
            *("-fopenmp-targets=nvptx64-nvidia-cuda", f"--offload-arch={self.arch}", *cuda),
            f"--libomptarget-nvptx-bc-path={runtime}",
            "-fopenmp-optimistic-collapse",  # indices of nests in 32 bits, as in the CUDA sources
            "-Wl,-rpath,$ORIGIN/lib:$ORIGIN/../../lib",
        )


def pack(directory: Path, archive: Path) -> None:
    """One file of what running takes: programs, libraries, the plan and the script."""

    def wanted(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
        sources = "/translated" in entry.name or entry.name.endswith((".cpp", ".hpp", ".cu"))
        return None if sources else entry

    with tarfile.open(archive, "w:xz") as out:
        out.add(directory, arcname=directory.name, filter=wanted)


def copy_libraries(libraries: Path) -> None:
    """LLVM's OpenMP runtime and what it needs itself, but for the C library."""
    libraries.mkdir(exist_ok=True)
    for name in _LIBRARIES:
        if not (_LLVM / name).exists():
            continue
        shutil.copyfile(_LLVM / name, libraries / name)
        listed = subprocess.run(
            ["ldd", str(_LLVM / name)], capture_output=True, text=True, check=False
        )
        for needed, path in _NEEDED.findall(listed.stdout):
            if not _OF_THE_SYSTEM.match(needed) and not (libraries / needed).exists():
                shutil.copyfile(path, libraries / needed)


def build_all(directory: Path, names: Sequence[str], device: Device) -> int:
    """Build both forms of every program; a fault is told, and the others are built."""
    directory = directory.resolve()
    directory.mkdir(parents=True, exist_ok=True)
    copy_libraries(directory / "lib")
    plan: dict[str, list[str]] = {}
    faults = 0
    for name in names:
        fault = _build(ROOT / "corpus" / name, directory, device)
        if fault:
            print(f"{name}: {fault}", file=sys.stderr)
            faults += 1
            continue
        meta = tomllib.loads((ROOT / "corpus" / name / "meta.toml").read_text())
        plan[name] = cast("list[str]", meta["bench_args"])
    for program in GRADIENTS:
        fault = _build_gradient(program, directory, device)
        if fault:
            print(f"{program.name}: {fault}", file=sys.stderr)
            faults += 1
    shutil.copyfile(_MEASURE, directory / "measure.py")
    (directory / _PLAN).write_text(json.dumps(plan, indent=1) + "\n")
    return 1 if faults else 0


def _build(folder: Path, directory: Path, device: Device) -> str:
    """What went wrong, in a line; empty where both forms are built."""
    inputs = sorted(str(p) for p in folder.iterdir() if p.suffix in (".cu", ".cuh"))
    output = directory / "translated" / folder.name
    places = ["--in-root", str(folder), "--out-root", str(output)]
    g2o = [sys.executable, "-m", "g2o.cli.main", "translate", "-q", "--target", "offload"]
    fault = _step([*g2o, *inputs, *places])
    if fault:
        return f"translate: {fault}"
    emitted = directory / f"{folder.name}.offload"
    clang = ["clang++-19", "-std=c++17", "-O3", "-fopenmp", *device.flags]
    sources = sorted(str(path) for path in output.glob("*.cpp"))
    fault = _step([*clang, *sources, "-o", str(emitted)])
    if fault:
        return f"clang++-19: {fault}"
    original = directory / f"{folder.name}.cuda"
    cuda = [path for path in inputs if path.endswith(".cu")]
    fault = _step(["nvcc", "-std=c++17", "-O3", f"-arch={device.arch}", *cuda, "-o", str(original)])
    return f"nvcc: {fault}" if fault else ""


def _build_gradient(program: Program, directory: Path, device: Device) -> str:
    """What went wrong, in a line; empty where the program that times a kernel is built."""
    scratch = directory / "gradients" / program.name.replace(" ", "_")
    scratch.mkdir(parents=True, exist_ok=True)
    build = CheckBuild(
        "clang++-19",
        optimization="-O3",
        flags=(*device.flags, "-DG2O_OFFLOAD", "-DNDEBUG", "-fno-math-errno"),
        include_directories=(ROOT / "g2o" / "runtime",),
        timeout=_SECONDS,
    )
    try:
        timing_driver(program, scratch, build, _ROUNDS, "offload")
    except (TranslationError, NotBuiltError) as fault:
        return str(fault)
    return ""


def _step(command: Sequence[str]) -> str:
    """The first error of `command`; empty where there is none."""
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except FileNotFoundError:
        return f"there is no '{command[0]}'"
    except subprocess.TimeoutExpired:
        return f"no end within {_SECONDS} s"
    if done.returncode == 0:
        return ""
    lines = (done.stderr or done.stdout).strip().splitlines()
    return next((line for line in lines if "error" in line), lines[0] if lines else "failed")


if __name__ == "__main__":
    sys.exit(main())
