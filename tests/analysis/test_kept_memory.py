"""Why shared arrays stay memory is told, with the accesses that are the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.diagnostics.diagnostic import Diagnostic
from g2o.frontend.cuda.project import Project
from g2o.passes import TranslateOptions
from g2o.pipeline import translate_file

_SOURCE = """
__global__ void k(int *__restrict__ a, const int *__restrict__ b)
{{
    __shared__ int s[64];
    int t = threadIdx.x;
    {write};
    __syncthreads();
    a[t] = {read};
}}
void run(int *a, int *b) {{ k<<<1, 64>>>(a, b); }}
"""


def _kept(directory: Path, write: str, read: str) -> list[Diagnostic]:
    path = directory / "kept.cu"
    path.write_text(_SOURCE.format(write=write, read=read))
    project = Project.alone(path, (), directory / "kept.omp.cpp")
    translation = translate_file(path, TranslateOptions(), path.name, project)
    assert translation.ok, translation.diagnostics
    return [one for one in translation.remarks if one.code == "G2O0304"]


@pytest.mark.parametrize(
    ("write", "read", "counts", "reason", "lines"),
    [
        ("s[t] = b[t]", "s[63 - t]", "1 load and 1 store of 's'", "loaded elsewhere", [6, 8]),
        ("s[b[t]] = 1", "s[t]", "1 load and 1 store of 's'", "loaded elsewhere", [6, 8]),
        ("s[t / 2] = b[t]", "s[t / 2]", "1 load and 1 store of 's'", "alone uses", [6, 8]),
        ("atomicAdd(&s[0], b[t])", "s[0]", "1 load and 1 store of 's'", "together", [6]),
        ("s[t] = 1, s[0] = 2", "b[t]", "0 loads and 2 stores of 's'", "several elements", [6, 6]),
    ],
)
def test_it_is_told(
    tmp_path: Path, write: str, read: str, counts: str, reason: str, lines: list[int]
) -> None:
    (kept,) = _kept(tmp_path, write, read)
    assert f"missed: {counts} are kept: " in kept.message
    assert reason in kept.message
    assert [note.span.line for note in kept.notes if note.span is not None] == lines


def test_nothing_is_told_of_arrays_that_go(tmp_path: Path) -> None:
    assert not _kept(tmp_path, "s[t] = b[t]", "s[t]")
