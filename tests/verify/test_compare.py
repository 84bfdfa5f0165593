"""Comparison of outputs: what counts as equal and what does not."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from g2o.verify.compare import (
    Agreement,
    Comparison,
    Disagreement,
    OracleFailed,
    Tolerance,
    compare_files,
    compare_runs,
    compare_text,
    numbers_agree,
)
from g2o.verify.run import Run, TimedOut


@pytest.mark.parametrize(
    ("expected", "actual", "agree"),
    [
        ("12", "12", True),
        ("12", "13", False),
        ("0x1f", "31", True),
        ("1.0", "1.00001", True),
        ("1.0", "1.001", False),
        ("1e-9", "2e-9", True),  # below the absolute tolerance
        ("nan", "nan", True),
        ("nan", "1.0", False),
        ("inf", "-inf", False),
        ("3", "3.0", True),
        ("100000000", "100000001", False),
        ("123.4", "123.5", True),  # one unit in the last printed place
        ("1.4", "1.5", False),
    ],
)
def test_numbers(expected: str, actual: str, agree: bool) -> None:
    assert numbers_agree(expected, actual, Tolerance()) is agree


def test_ulps() -> None:
    tolerance = Tolerance(relative=0, absolute=0, ulps=2, last_place=False)
    assert numbers_agree("1.0", "1.0000001", tolerance)
    assert not numbers_agree("1.0", "1.000001", tolerance)


def test_text_between_numbers_must_agree() -> None:
    verdict = compare_text("max = 1.5 at 7\n", "min = 1.5 at 7\n")
    assert isinstance(verdict, Disagreement)
    assert verdict.line == 1


def test_wrong_line_is_named() -> None:
    verdict = compare_text("a\nsum 3\n", "a\nsum 4\n")
    assert isinstance(verdict, Disagreement)
    assert verdict.line == 2
    assert "4 instead of 3" in verdict.reason


def test_missing_and_additional_lines() -> None:
    assert isinstance(compare_text("a\nb\n", "a\n"), Disagreement)
    assert isinstance(compare_text("a\n", "a\nb\n"), Disagreement)


def test_measurements_and_machines() -> None:
    expected = "Device name: emulated\nKernel time: 3.1 (ms)\nBandwidth 7 GB/s\nsum 2\n"
    actual = "Device name: host\nKernel time: 0.2 (ms)\nBandwidth 90 GB/s\nsum 2\n"
    assert compare_text(expected, actual) == Agreement(lines=3, numbers=1)
    strict = Comparison(measurements=(), machines=())
    assert isinstance(compare_text(expected, actual, strict), Disagreement)


@pytest.mark.parametrize(
    "line", ["GPU: {}", "device sum = {}", "s = {}", "sum in shared memory: {}"]
)
def test_results_are_not_taken_for_measurements(line: str) -> None:
    verdict = compare_text(line.format(3), line.format(4))
    assert isinstance(verdict, Disagreement)


@pytest.mark.parametrize("line", ["took {} s", "{} us", "t (ms) {}", "speedup {}", "total_time {}"])
def test_measurements_may_differ(line: str) -> None:
    assert isinstance(compare_text(line.format(3), line.format(4)), Agreement)


@pytest.mark.parametrize(
    "line",
    [
        "Warp size {}",
        "Number of Multi processors - {}",
        "Total global memory: {} KB",
        "GPU name {}",
    ],
)
def test_properties_of_devices_may_differ(line: str) -> None:
    assert isinstance(compare_text(line.format(3), line.format(4)), Agreement)


def test_any_device_name_agrees_with_the_emulated_one() -> None:
    expected = "on g2o emulated device ok"
    assert isinstance(compare_text(expected, "on Some CPU 3 ok"), Agreement)
    assert isinstance(compare_text(expected, "on Some CPU 3 bad"), Disagreement)


def test_measurements_need_the_same_text() -> None:
    assert isinstance(compare_text("time 3 s\n", "no time 3 s\n"), Disagreement)


def test_unordered() -> None:
    assert isinstance(compare_text("t 1\nt 2\n", "t 2\nt 1\n"), Disagreement)
    assert isinstance(
        compare_text("t 1\nt 2\n", "t 2\nt 1\n", Comparison(unordered=True)), Agreement
    )


def test_runs(tmp_path: Path) -> None:
    good = Run(0, "x 1\n", "", 0.1)
    assert isinstance(compare_runs(good, good), Agreement)
    assert isinstance(compare_runs(good, Run(1, "x 1\n", "", 0.1)), Disagreement)
    assert isinstance(compare_runs(good, TimedOut(1.0, "", "")), Disagreement)
    assert isinstance(compare_runs(TimedOut(1.0, "", ""), good), OracleFailed)
    fault = Run(87, "", "g2o emulator: deadlock in kernel 'k'", 0.1)
    assert isinstance(compare_runs(fault, fault), OracleFailed)
    here, there = tmp_path / "a", tmp_path / "b"
    for directory, value in ((here, "1.0"), (there, "2.0")):
        directory.mkdir()
        (directory / "out.txt").write_text(f"{value}\n")
    files = Comparison(output_files=(Path("out.txt"),))
    assert isinstance(compare_runs(good, good, files, here, here), Agreement)
    assert isinstance(compare_runs(good, good, files, here, there), Disagreement)
    (here / "out.txt").unlink()
    assert isinstance(compare_runs(good, good, files, here, there), OracleFailed)


def test_where_files_of_numbers_differ(tmp_path: Path) -> None:
    wanted, got = tmp_path / "wanted", tmp_path / "got"
    wanted.write_bytes(struct.pack("<4i", 1, 2, 3, 4))
    got.write_bytes(struct.pack("<4i", 1, 2, 5, 4))
    verdict = compare_files(wanted, got, Comparison())
    assert isinstance(verdict, Disagreement)
    assert "differs in 1 of its 16 bytes, first in byte 8\n  as int [2]: 5 instead of 3" in (
        verdict.reason
    )
    got.write_bytes(b"\0")
    verdict = compare_files(wanted, got, Comparison())
    assert isinstance(verdict, Disagreement)
    assert verdict.reason == "'got' has 1 bytes instead of 16"


def test_how_many_lines_differ() -> None:
    verdict = compare_text("x 1 2\ny 3 4\nz 5\n", "x 1 3\ny 3 4\nz 6\n")
    assert isinstance(verdict, Disagreement)
    assert verdict.line == 1
    assert verdict.reason.endswith("where:    number 2 of 2 in the line; 2 of 3 lines differ")
