#!/usr/bin/env python3
"""Offload translations against the CUDA programs they come from, on a machine with an NVIDIA GPU.

    python bench/offload.py build DIR [--programs a,b] [--arch sm_90]
    python bench/offload.py run DIR [--rounds N]

`build` translates programs of the corpus, builds the translations with clang++-19 and the CUDA
sources with nvcc, and puts all that running takes below DIR. It needs no GPU. `run` measures what
it finds in DIR, with nothing but Python and the GPU's driver: DIR may come from another machine.
Times are the `time_ms` that programs print.
"""

import argparse
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

ROOT: Final = Path(__file__).resolve().parents[1]
PROGRAMS: Final = (
    "black_scholes block_sum conv2d_constant floyd_warshall heat2d histogram jacobi3d matmul_tiled "
    "nbody reduce_shfl saxpy scan_warp softmax_rows spmv_warp stencil1d_shared transpose_shared"
)
_LLVM: Final = Path("/usr/lib/llvm-19/lib")
_LIBRARIES: Final = ("libomp.so.5", "libomptarget.so.19.1")
_TIME: Final = re.compile(r"^time_ms\s+([0-9.eE+-]+)\s*$", re.MULTILINE)
_SECONDS: Final = 300
_PLAN: Final = "programs.json"


def main(arguments: list[str] | None = None) -> int:
    """0, or 1 where something could not be built or run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True)
    builder = commands.add_parser("build")
    builder.add_argument("directory", type=Path)
    builder.add_argument("--programs", default=PROGRAMS.replace(" ", ","), metavar="NAME,...")
    builder.add_argument("--arch", default="sm_90")
    runner = commands.add_parser("run")
    runner.add_argument("directory", type=Path)
    runner.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    if options.command == "build":
        return build_all(options.directory, options.programs.split(","), options.arch)
    return run_all(options.directory, options.rounds)


def build_all(directory: Path, names: Sequence[str], arch: str) -> int:
    """Build both forms of every program; a fault is told, and the others are built."""
    directory.mkdir(parents=True, exist_ok=True)
    libraries = directory / "lib"
    libraries.mkdir(exist_ok=True)
    for name in _LIBRARIES:
        if (_LLVM / name).exists():
            shutil.copyfile(_LLVM / name, libraries / name)
    plan: dict[str, list[str]] = {}
    faults = 0
    for name in names:
        fault = _build(ROOT / "corpus" / name, directory, arch)
        if fault:
            print(f"{name}: {fault}", file=sys.stderr)
            faults += 1
            continue
        meta = tomllib.loads((ROOT / "corpus" / name / "meta.toml").read_text())
        plan[name] = cast("list[str]", meta["bench_args"])
    (directory / _PLAN).write_text(json.dumps(plan, indent=1) + "\n")
    return 1 if faults else 0


def _build(folder: Path, directory: Path, arch: str) -> str:
    """What went wrong, in a line; empty where both forms are built."""
    inputs = sorted(str(p) for p in folder.iterdir() if p.suffix in (".cu", ".cuh"))
    output = directory / "translated" / folder.name
    places = ["--in-root", str(folder), "--out-root", str(output)]
    g2o = [sys.executable, "-m", "g2o.cli.main", "translate", "-q", "--target", "offload"]
    fault = _step([*g2o, *inputs, *places])
    if fault:
        return f"translate: {fault}"
    emitted = directory / f"{folder.name}.offload"
    runtime = _LLVM / f"libomptarget-nvptx-{arch}.bc"
    clang = ["clang++-19", "-std=c++17", "-O3", "-fopenmp", f"--offload-arch={arch}"]
    clang += ["-fopenmp-targets=nvptx64-nvidia-cuda", f"--libomptarget-nvptx-bc-path={runtime}"]
    sources = sorted(str(path) for path in output.glob("*.cpp"))
    fault = _step([*clang, *sources, "-o", str(emitted), "-Wl,-rpath,$ORIGIN/lib"])
    if fault:
        return f"clang++-19: {fault}"
    original = directory / f"{folder.name}.cuda"
    cuda = [path for path in inputs if path.endswith(".cu")]
    fault = _step(["nvcc", "-std=c++17", "-O3", f"-arch={arch}", *cuda, "-o", str(original)])
    return f"nvcc: {fault}" if fault else ""


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


def run_all(directory: Path, rounds: int) -> int:
    """Measure every pair, in turn; prints the table."""
    plan = cast("dict[str, list[str]]", json.loads((directory / _PLAN).read_text()))
    print("| program | CUDA (ms) | OpenMP (ms) | ratio |", "|---|---|---|---|", sep="\n")
    ratios: list[float] = []
    faults = 0
    for name, arguments in plan.items():
        times: dict[str, list[float]] = {"cuda": [], "offload": []}
        fault = ""
        for _ in range(rounds):
            for form, found in times.items():
                measured = _milliseconds(directory.resolve() / f"{name}.{form}", arguments)
                if isinstance(measured, str):
                    fault = f"{form}: {measured}"
                else:
                    found.append(measured)
            if fault:
                break
        if fault:
            print(f"| {name} | {fault} | | |", flush=True)
            faults += 1
            continue
        cuda, offload = (statistics.median(times[form]) for form in ("cuda", "offload"))
        ratios.append(offload / cuda)
        print(f"| {name} | {cuda:.3f} | {offload:.3f} | {offload / cuda:.2f} |", flush=True)
    if ratios:
        mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
        print(f"| geometric mean | | | {mean:.2f} |")
    return 1 if faults else 0


def _milliseconds(executable: Path, arguments: Sequence[str]) -> float | str:
    """`time_ms` of one run, or what is wrong with it."""
    variables = {**os.environ, "OMP_TARGET_OFFLOAD": "MANDATORY"}
    libraries = str(executable.parent / "lib")
    variables["LD_LIBRARY_PATH"] = f"{libraries}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    try:
        done = subprocess.run(
            [str(executable), *arguments],
            env=variables,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (FileNotFoundError, subprocess.TimeoutExpired) as fault:
        return type(fault).__name__
    if done.returncode != 0:
        return f"exit code {done.returncode}"
    found = _TIME.search(done.stdout)
    return float(found[1]) if found else "no line `time_ms NUMBER`"


if __name__ == "__main__":
    sys.exit(main())
