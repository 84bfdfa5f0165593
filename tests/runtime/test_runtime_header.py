"""g2o_runtime.hpp: small programs that use it build without a warning and behave as CUDA does.

Each program in `programs/` checks what it can by itself and ends with a line that counts the
checks. Numbers it prints besides are compared here with references of Python and numpy.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
import pytest

from g2o.frontend.cuda import api
from g2o.runtime.headers import with_parts

_HEADER_FOLDER = Path(api.__file__).parents[2] / "runtime"
_PROGRAMS = Path(__file__).parent / "programs"
_WARNINGS = ["-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{_HEADER_FOLDER}"]
_COMPILERS = {
    "gcc": ["g++", "-O2", "-fopenmp"],
    "gcc-without-openmp": ["g++", "-O0", "-Wno-unknown-pragmas"],
    "clang": ["clang++-19", "-O1", "-fopenmp", "-Wl,-rpath,/usr/lib/llvm-19/lib"],
}
_SOURCES = {
    "host_api": ["host_api.cpp", "second_unit.cpp"],
    "lowered_kernels": ["lowered_kernels.cpp"],
    "device_functions": ["device_functions.cpp"],
    "textures_random_half": ["textures_random_half.cpp"],
    "private_sums": ["private_sums.cpp"],
    "thrust_algorithms": ["thrust_algorithms.cpp"],
}


def _run(command: list[str]) -> str:
    """Standard output of a command that must succeed; what it printed, if it fails."""
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_errors_are_those_of_the_emulator() -> None:
    entry = re.compile(r"\((\w+), (\d+),[\s\\\\]*(\"[^\"]*\")\)")
    emulator = _HEADER_FOLDER.parent / "verify" / "emulator" / "parts" / "errors.hpp"
    declared = Path(api.__file__).parent / "declarations" / "g2o" / "runtime_types.h"
    header = entry.findall((_HEADER_FOLDER / "g2o_runtime.hpp").read_text(encoding="utf-8"))
    errors = {found for found in header if found[0].startswith(("Error", "Success"))}
    assert (
        "ErrorPriorLaunchFailure",
        "53",
        '"unspecified launch failure in prior launch"',
    ) in errors
    assert errors == set(entry.findall(emulator.read_text(encoding="utf-8")))
    named = re.findall(r"cuda(Error\w+|Success) = (\d+)", declared.read_text(encoding="utf-8"))
    assert set(named) >= {(name, value) for name, value, _ in errors}


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], list[str]]:
    """`output(program, compiler)`: the lines a program prints, built once per compiler."""
    folder = tmp_path_factory.mktemp("runtime")
    known: dict[tuple[str, str], list[str]] = {}

    def build_and_run(program: str, compiler: str) -> list[str]:
        key = (program, compiler)
        if key not in known:
            command = _COMPILERS[compiler]
            if shutil.which(command[0]) is None:
                pytest.skip(f"{command[0]} is not installed")
            binary = folder / f"{program}-{compiler}"
            sources = [str(_PROGRAMS / source) for source in _SOURCES[program]]
            _run([command[0], *_WARNINGS, *sources, *command[1:], "-o", str(binary)])
            known[key] = _run([str(binary)]).splitlines()
        return known[key]

    return build_and_run


@pytest.mark.parametrize(
    ("program", "compiler"),
    [(program, "gcc") for program in _SOURCES]
    + [pytest.param(program, "clang", marks=pytest.mark.slow) for program in _SOURCES]
    + [(name, "gcc-without-openmp") for name in ("lowered_kernels", "thrust_algorithms")],
)
def test_checks_pass(output: Callable[[str, str], list[str]], program: str, compiler: str) -> None:
    counted = re.fullmatch(r"(\d+) checks, 0 failures", output(program, compiler)[-1])
    sources = "".join((_PROGRAMS / source).read_text() for source in _SOURCES[program])
    assert counted is not None
    assert int(counted[1]) >= 0.9 * sources.count("CHECK(")


def test_every_name_that_the_frontend_emits_exists(tmp_path: Path) -> None:
    tables = (
        api.RUNTIME_FUNCTIONS,
        api.TYPES,
        api.ENUMERATORS,
        api.MATH_CONSTANTS,
        api.DEVICE_FUNCTIONS,
        api.DEVICE_ONLY_FUNCTIONS,
        api.DEVICE_TYPES,
        api.HALF_FUNCTIONS,
    )
    emitted = {name for table in tables for name in table.values() if name.startswith("g2o::")}
    source = tmp_path / "names.cpp"
    declarations = "".join(f"using {name};\n" for name in sorted(emitted))
    code = f'#include "g2o_runtime.hpp"\nnamespace names {{\n{declarations}}}\n'
    source.write_text(with_parts(code))
    assert len(emitted) > 300
    _run(["g++", *_WARNINGS, "-fopenmp", "-fsyntax-only", str(source)])


# ------------------------------------------------------------------------------------- functions


def _bessel_i(order: int, x: float) -> float:
    """The power series of the modified Bessel function, in exact arithmetic."""
    half = Fraction(x) / 2
    term = half**order / math.factorial(order)
    total = Fraction(0)
    for k in range(1, 60 + 2 * int(abs(x))):
        total += term
        term = term * half * half / (k * (k + order))
        term = Fraction(int(term * 2**200), 2**200)
    return float(total)


def _erfcx(x: float) -> float:
    """The continued fraction of exp(x * x) * erfc(x), for x > 0; the definition near 0."""
    if x < 2:
        return math.exp(x * x) * math.erfc(x)
    value = x
    for k in range(200, 0, -1):
        value = x + k / 2 / value
    return 1 / (value * math.sqrt(math.pi))


def _sin_pi(x: float) -> float:
    return math.sin(math.pi * math.remainder(x, 2))


def _cos_pi(x: float) -> float:
    return math.cos(math.pi * math.remainder(x, 2))


_REFERENCES: dict[str, tuple[Callable[[list[float]], float], float]] = {
    "rsqrt": (lambda a: 1 / math.sqrt(a[0]), 1e-15),
    "rsqrtf": (lambda a: 1 / math.sqrt(a[0]), 2e-7),
    "rcbrt": (lambda a: a[0] ** (-1 / 3), 1e-14),
    "exp10": (lambda a: 10.0 ** a[0], 1e-14),
    "rhypot": (lambda a: 1 / math.hypot(*a), 1e-15),
    "norm3d": (lambda a: math.hypot(*a), 1e-15),
    "norm4d": (lambda a: math.hypot(*a), 1e-15),
    "rnorm3d": (lambda a: 1 / math.hypot(*a), 1e-15),
    "erfcx": (lambda a: _erfcx(a[0]), 1e-13),
    "cyl_bessel_i0": (lambda a: _bessel_i(0, a[0]), 1e-12),
    "cyl_bessel_i1": (lambda a: _bessel_i(1, a[0]), 1e-12),
    "saturatef": (lambda a: min(max(a[0], 0.0), 1.0), 0.0),
    "sinpi": (lambda a: _sin_pi(a[0]), 1e-15),
    "cospi": (lambda a: _cos_pi(a[0]), 1e-15),
    "tanpif": (lambda a: _sin_pi(a[0]) / _cos_pi(a[0]), 1e-6),
    "normcdf": (lambda a: math.erfc(-a[0] / math.sqrt(2)) / 2, 1e-15),
}
"""Function -> its reference and the error that is allowed, relative to 1 or to the value."""

_INVERSES: dict[str, tuple[Callable[[float], float], float]] = {
    "erfinv": (math.erf, 1e-14),
    "erfinvf": (math.erf, 1e-6),
    "erfcinv": (math.erfc, 1e-12),
    "normcdfinv": (lambda x: math.erfc(-x / math.sqrt(2)) / 2, 1e-12),
}
"""Function -> what it inverts and the relative error that is allowed there."""


def _calls(lines: list[str]) -> Iterator[tuple[str, list[float], float]]:
    """Name, arguments and result of each line `name argument... result`."""
    for line in lines[:-1]:
        name, *numbers = line.split()
        *arguments, result = numbers
        yield name, [_number(argument) for argument in arguments], _number(result)


def _number(text: str) -> float:
    return float.fromhex(text) if "x" in text or "n" in text else float(text)


def test_functions_agree_with_references(output: Callable[[str, str], list[str]]) -> None:
    compared: set[str] = set()
    for name, arguments, result in _calls(output("device_functions", "gcc")):
        if name in _REFERENCES:
            reference, tolerance = _REFERENCES[name]
            expected = reference(arguments)
            assert abs(result - expected) <= tolerance * max(1.0, abs(expected)), (name, arguments)
        elif name in _INVERSES:
            function, tolerance = _INVERSES[name]
            assert math.isclose(function(result), arguments[0], rel_tol=tolerance), (
                name,
                arguments,
            )
        else:
            continue
        compared.add(name)
    assert compared == {*_REFERENCES, *_INVERSES}


# ------------------------------------------------------------------------------------- roundings


_EXACT: dict[str, Callable[[list[Fraction]], Fraction]] = {
    "add": lambda a: a[0] + a[1],
    "sub": lambda a: a[0] - a[1],
    "mul": lambda a: a[0] * a[1],
    "div": lambda a: a[0] / a[1],
    "fma": lambda a: a[0] * a[1] + a[2],
}


def _rounded(exact: Fraction, mode: str, single: bool) -> float:
    """`exact` as a number of the format, by comparing it with the neighbours of the nearest one."""
    guess = float(exact)
    if single:
        low, middle, high = (float(x) for x in _neighbours(np.float32(guess), np.float32(np.inf)))
    else:
        low, middle, high = math.nextafter(guess, -math.inf), guess, math.nextafter(guess, math.inf)
    below = max(x for x in (low, middle, high) if Fraction(x) <= exact)
    above = min(x for x in (low, middle, high) if Fraction(x) >= exact)
    match mode:
        case "rd":
            return below
        case "ru":
            return above
        case "rz":
            return below if exact >= 0 else above
        case _:
            return min((below, above), key=lambda x: (abs(Fraction(x) - exact), _is_odd(x, single)))


def _neighbours(x: np.float32, infinity: np.float32) -> tuple[np.float32, np.float32, np.float32]:
    return np.nextafter(x, -infinity), x, np.nextafter(x, infinity)


def _is_odd(x: float, single: bool) -> bool:
    """Whether the last bit of the format's significand is set: ties go to the other number."""
    if single:
        return bool(np.float32(x).view(np.uint32) & 1)
    return bool(np.float64(x).view(np.uint64) & 1)


def test_roundings_are_exact(output: Callable[[str, str], list[str]]) -> None:
    compared = 0
    for line in output("device_functions", "gcc")[:-1]:
        name, *arguments, result = line.split()
        form = re.fullmatch(r"([a-z0-9]+)_(rn|rz|ru|rd)", name)
        if form is None:
            continue
        operands = [
            Fraction(float.fromhex(text)) if "x" in text else Fraction(text) for text in arguments
        ]
        stem, mode = form[1], form[2]
        if "2" in stem:
            exact, single = operands[0], stem.endswith("float")
        else:
            operation = stem if stem == "fma" else stem[1:]
            exact, single = _EXACT[operation](operands), stem[0] == "f" and stem != "fma"
        assert float.fromhex(result) == _rounded(exact, mode, single), line
        compared += 1
    assert compared > 300


# -------------------------------------------------------------------------------- random numbers


def _xorwow(count: int) -> list[int]:
    """The first numbers of the generator in Marsaglia's paper, from the state printed there."""
    x, y, z, w, v, d = 123456789, 362436069, 521288629, 88675123, 5783321, 6615241
    numbers: list[int] = []
    for _ in range(count):
        t = x ^ (x >> 2)
        x, y, z, w = y, z, w, v
        v = ((v ^ (v << 4)) ^ (t ^ (t << 1))) & 0xFFFFFFFF
        d = (d + 362437) & 0xFFFFFFFF
        numbers.append((d + v) & 0xFFFFFFFF)
    return numbers


def _rows(lines: list[str], name: str) -> list[list[str]]:
    return [line.split()[1:] for line in lines if line.startswith(name + " ")]


def test_xorwow_is_marsaglias(output: Callable[[str, str], list[str]]) -> None:
    printed = _rows(output("textures_random_half", "gcc"), "xorwow")
    assert [int(row[0]) for row in printed] == _xorwow(5)


@pytest.mark.parametrize("generator", ["sample_xorwow", "sample_philox"])
def test_distributions(output: Callable[[str, str], list[str]], generator: str) -> None:
    rows = _rows(output("textures_random_half", "gcc"), generator)
    samples = np.array(rows, dtype=np.float64)
    assert samples.shape == (64000, 5)
    count = len(samples)
    for column in (0, 1):
        assert samples[:, column].min() > 0
        assert samples[:, column].max() <= 1
        _assert_distribution(samples[:, column], lambda x: x)
    for column in (2, 3):
        _assert_distribution(samples[:, column], NormalDist().cdf)
    for start, rate in ((0, 50.0), (1, 3.0)):
        drawn = samples[start::2, 4]
        assert abs(drawn.mean() - rate) < 5 * math.sqrt(rate / (count / 2))
        assert math.isclose(drawn.var(), rate, rel_tol=0.05)
    streams = samples[:, 1].reshape(64, -1)
    correlations = np.corrcoef(streams) - np.eye(64)
    assert np.abs(correlations).max() < 0.16  # 5 sigma for 1000 draws of each stream


def _assert_distribution(values: npt.NDArray[np.float64], cdf: Callable[[float], float]) -> None:
    """Kolmogorov-Smirnov distance below its 1e-6 quantile; fixed seeds make this repeatable."""
    expected = np.array([cdf(float(x)) for x in np.sort(values)])
    empirical = np.arange(len(values)) / len(values)
    assert np.abs(expected - empirical).max() < 2.7 / math.sqrt(len(values))


# -------------------------------------------------------------------------------- half precision


def test_half_conversions_are_those_of_ieee(output: Callable[[str, str], list[str]]) -> None:
    lines = output("textures_random_half", "gcc")
    decoded = np.array(_rows(lines, "half"), dtype=np.float64)
    expected = decoded[:, 0].astype(np.uint16).view(np.float16).astype(np.float64)
    np.testing.assert_allclose(decoded[:, 1], expected, rtol=1e-8)

    decoded = np.array(_rows(lines, "bfloat16"), dtype=np.float64)
    words = decoded[:, 0].astype(np.uint32) << np.uint32(16)
    with np.errstate(invalid="ignore"):  # signalling NaNs are among them
        expected = words.view(np.float32).astype(np.float64)
    np.testing.assert_allclose(decoded[:, 1], expected, rtol=1e-8)

    encoded = np.array(_rows(lines, "to_half"), dtype=np.uint32)
    values = encoded[:, 0].copy().view(np.float32)
    numbers = ~np.isnan(values)
    with np.errstate(over="ignore"):
        halves = values[numbers].astype(np.float16).view(np.uint16)
    np.testing.assert_array_equal(encoded[numbers, 1], halves)
    nans = encoded[~numbers, 1].astype(np.uint16).view(np.float16)
    assert len(halves) > 9000
    assert np.isnan(nans).all()
