"""Races in templates: what counts is what the launches make of the parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.diagnostics.diagnostic import Diagnostic, Severity
from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

_TEXT = """
const int kThreads = 128;

template <typename T, int BLOCK> __global__ void total(const T *in, T *out)
{{
    __shared__ T warps[BLOCK / 32];
    int t = threadIdx.x;
    if (t % 32 == 0)
        warps[t / 32] = in[t / 32];
    __syncthreads();
    T mine = t < BLOCK / 32 ? warps[t % 32] : T(0);
    if (t == 0)
        warps[0] = mine;
    out[t] = mine;
}}

int main()
{{
    {launches}
}}
"""


def _races(tmp_path: Path, launches: str) -> list[Diagnostic]:
    path = tmp_path / "total.cu"
    path.write_text(_TEXT.format(launches=launches))
    project = Project.alone(path, (), path.with_suffix(".omp.cpp"))
    made = translate_file(path, TranslateOptions(), "total.cu", project)
    return [one for one in made.diagnostics if one.code == "G2O0308"]


@pytest.mark.parametrize(
    "launches",
    [
        "total<float, 128><<<1, 128>>>(nullptr, nullptr);",
        "total<float, kThreads><<<1, 128>>>(nullptr, nullptr);",
        "total<float, 128><<<1, 128>>>(nullptr, nullptr);\n"
        "    total<double, 128><<<2, 128>>>(nullptr, nullptr);",
    ],
)
def test_what_is_launched_does_not_race(tmp_path: Path, launches: str) -> None:
    assert not _races(tmp_path, launches)


def test_an_instance_that_races_is_found(tmp_path: Path) -> None:
    found = _races(tmp_path, "total<float, 2048><<<1, 128>>>(nullptr, nullptr);")
    assert [one.severity for one in found] == [Severity.WARNING]


_FLAGGED = """
template <typename T, bool SHARED> __global__ void flagged(T *out)
{{
    __shared__ T all[64];
    int t = threadIdx.x;
    if (SHARED)
        all[0] = t;
    if constexpr (SHARED)
        all[1] = t;
    __syncthreads();
    out[t] = all[t];
}}

int main()
{{
    flagged<float, {flag}><<<1, 64>>>(nullptr);
}}
"""


@pytest.mark.parametrize(("flag", "races"), [("false", 0), ("true", 2)])
def test_what_a_flag_leaves_out_does_not_race(tmp_path: Path, flag: str, races: int) -> None:
    path = tmp_path / "flagged.cu"
    path.write_text(_FLAGGED.format(flag=flag))
    project = Project.alone(path, (), path.with_suffix(".omp.cpp"))
    made = translate_file(path, TranslateOptions(), "flagged.cu", project)
    found = [one for one in made.diagnostics if one.code == "G2O0308"]
    assert len(found) == races
