"""Functions of device code, in the emulator and in the translation, which share no code.

The programs check themselves or print what is compared here with numpy.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from g2o.cli.main import run as run_g2o
from g2o.verify.build import BuildOptions, Executable, build_emulated
from g2o.verify.run import Run, RunOptions, run

_PROGRAMS = Path(__file__).parent / "device_functions"
_COMPILE = ("g++", "-std=c++17", "-O2", "-fopenmp", "-Wall", "-Wextra", "-Werror")


def _emulated(source: Path) -> str:
    program = build_emulated([source], source.parent, BuildOptions(optimization="-O1"))
    assert isinstance(program, Executable), program
    result = run(program, RunOptions(timeout=120))
    assert isinstance(result, Run), result
    return result.stdout


def _translated(source: Path) -> str:
    assert run_g2o(["translate", "-q", str(source)]) == 0
    binary = source.with_suffix("")
    built = subprocess.run(
        [*_COMPILE, str(source.with_suffix(".omp.cpp")), "-o", str(binary)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    ran = subprocess.run([str(binary)], capture_output=True, text=True, timeout=120, check=False)
    return ran.stdout


WAYS = pytest.mark.parametrize("way", [_emulated, _translated], ids=["emulator", "runtime"])


def _for_bfloat16(text: str) -> str:
    text = text.replace("MANTISSA = 10", "MANTISSA = 7").replace("BIAS = 15", "BIAS = 127")
    text = re.sub(r"\b__half\b", "__nv_bfloat16", text)
    return re.sub(r"half(?!_)|(?<=[2s])half|half(?=_as)", "bfloat16", text)


@WAYS
@pytest.mark.parametrize("number", ["half", pytest.param("bfloat16", marks=pytest.mark.slow)])
def test_roundings(way: Callable[[Path], str], number: str, tmp_path: Path) -> None:
    text = (_PROGRAMS / "half_roundings.cu").read_text()
    source = tmp_path / "program.cu"
    source.write_text(_for_bfloat16(text) if number == "bfloat16" else text)
    assert way(source) == "all: 0 wrong\n"


@WAYS
def test_special_values(way: Callable[[Path], str], tmp_path: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text((_PROGRAMS / "special_values.cu").read_text())
    assert way(source) == "84 checked, 0 wrong\n"


Halves = npt.NDArray[np.float16]


def _nan_larger(a: Halves, b: Halves) -> Halves:
    return np.where(np.isnan(a) | np.isnan(b), np.float16(np.nan), _larger(a, b))


def _larger(a: Halves, b: Halves) -> Halves:
    zero = np.where(np.signbit(a) & np.signbit(b), np.float16(-0.0), np.float16(0.0))
    return np.where((a == 0) & (b == 0), zero, np.fmax(a, b))


_VALUES: dict[str, Callable[[Halves, Halves], Halves]] = {
    "add": np.add,
    "add_rn": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": _larger,
    "min": lambda a, b: -_larger(-a, -b),
    "max_nan": _nan_larger,
    "neg": lambda a, _: -a,
    "abs": lambda a, _: np.abs(a),
    "sqrt": lambda a, _: np.sqrt(a),
    "floor": lambda a, _: np.floor(a),
    "ceil": lambda a, _: np.ceil(a),
    "trunc": lambda a, _: np.trunc(a),
    "rint": lambda a, _: np.rint(a),
    "equ": lambda a, b: ((a == b) | np.isnan(a) | np.isnan(b)).astype(np.float16),
    "lt": lambda a, b: (a < b).astype(np.float16),
}

_COMPARISONS: dict[str, Callable[[Halves, Halves], npt.NDArray[np.bool_]]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


def _rows(lines: list[str], name: str) -> npt.NDArray[np.int64]:
    return np.array(
        [line.split()[1:] for line in lines if line.startswith(name + " ")], dtype=np.int64
    )


def _halves(bits: npt.NDArray[np.int64]) -> Halves:
    return bits.astype(np.uint16).view(np.float16)


@WAYS
def test_operations_are_those_of_numpy(way: Callable[[Path], str], tmp_path: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text((_PROGRAMS / "half_operations.cu").read_text())
    lines = way(source).splitlines()
    assert lines[-1] == "others right"
    for name, function in _VALUES.items():
        rows = _rows(lines, name)
        assert len(rows) == 2000
        with np.errstate(all="ignore"):
            expected = function(_halves(rows[:, 0]), _halves(rows[:, 1]))
        found = _halves(rows[:, 2])
        np.testing.assert_array_equal(np.isnan(found), np.isnan(expected), name)
        numbers = ~np.isnan(expected)
        np.testing.assert_array_equal(
            rows[numbers, 2], expected[numbers].view(np.uint16).astype(np.int64), name
        )
    for name, comparison in _COMPARISONS.items():
        rows = _rows(lines, f"mask_{name}")
        a, b = _halves(rows[:, 0]), _halves(rows[:, 1])
        unordered = np.isnan(a) | np.isnan(b)
        np.testing.assert_array_equal(rows[:, 2], 0xFFFF * (comparison(a, b) & ~unordered), name)
        np.testing.assert_array_equal(rows[:, 3], 0xFFFF * (comparison(a, b) | unordered), name)
        ordered, either, both = _rows(lines, f"both_{name}").T
        all_ordered, all_either = ordered == 0xFFFFFFFF, either == 0xFFFFFFFF
        operator = all_either if name == "ne" else all_ordered
        np.testing.assert_array_equal(both, all_ordered + 2 * all_either + 4 * operator, name)
