"""Options with optional values, and what follows `--`."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.cli.arguments import is_well_formed_spec, normalise


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["k.cu"], ["k.cu"]),
        (["k.cu", "--grad"], ["k.cu", "--grad="]),
        (["--grad", "k.cu"], ["--grad=", "k.cu"]),
        (["--grad", "k.cuh"], ["--grad=", "k.cuh"]),
        (["--grad", "saxpy", "k.cu"], ["--grad=saxpy", "k.cu"]),
        (["--grad", "f(y)/(x)", "k.cu"], ["--grad=f(y)/(x)", "k.cu"]),
        (["--grad=f(y)/(x)", "k.cu"], ["--grad=f(y)/(x)", "k.cu"]),
        (["--grad=", "k.cu"], ["--grad=", "k.cu"]),
        (["--grad", "-O1", "k.cu"], ["--grad=", "-O1", "k.cu"]),
        (["--grad", "--jvp", "k.cu"], ["--grad=", "--jvp=", "k.cu"]),
        (["--hvp", "k(y)/(x)", "k.cu"], ["--hvp=k(y)/(x)", "k.cu"]),
        (["--grad", "f", "--grad", "g", "k.cu"], ["--grad=f", "--grad=g", "k.cu"]),
        (["k.cu", "--"], ["k.cu"]),
        (["k.cu", "--", "-w", "--grad"], ["k.cu", "--clang-flag=-w", "--clang-flag=--grad"]),
        (["k.cu", "--grad", "--", "f"], ["k.cu", "--grad=", "--clang-flag=f"]),
        (["k.cu", "--", "--", "-y"], ["k.cu", "--clang-flag=--", "--clang-flag=-y"]),
    ],
)
def test_normalise(words: list[str], expected: list[str]) -> None:
    assert normalise(words) == expected


def test_a_word_that_names_a_file_is_no_spec(in_tmp: Path) -> None:
    (in_tmp / "kernels").write_text("")
    assert normalise(["--grad", "kernels"]) == ["--grad=", "kernels"]
    assert normalise(["--grad", "other"]) == ["--grad=other"]


@pytest.mark.parametrize(
    "spec",
    ["", "k", "a::b::k", "k(y)/(x)", "k(y, z)/(x,a)", " k ( y ) / ( x ) ", "k()/(x)", "_k9"],
)
def test_well_formed_specs(spec: str) -> None:
    assert is_well_formed_spec(spec)


@pytest.mark.parametrize(
    "spec", ["k(", "k(y)", "k(y)/", "k(y)/x", "(y)/(x)", "k(y,)/(x)", "9k", "k y", "k(y)(x)", "k-1"]
)
def test_malformed_specs(spec: str) -> None:
    assert not is_well_formed_spec(spec)
