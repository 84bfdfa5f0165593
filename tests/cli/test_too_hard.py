"""What the analysis gives up because it costs too much is told, and counts as needed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from g2o.polyhedral import solver as solvers
from tests.cli.conftest import G2o

_SOURCE = """
__global__ void k(float *__restrict__ a, const float *__restrict__ b, int n)
{
    __shared__ float s[64];
    s[threadIdx.x] = b[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x / 2 * 2 + threadIdx.x % 2];
}
void run(float *a, float *b, int n) { k<<<1, 64>>>(a, b, n); }
"""
_CODE = "G2O0317"


@pytest.fixture
def source(in_tmp: Path) -> str:
    (in_tmp / "hard.cu").write_text(_SOURCE)
    return "hard.cu"


@pytest.fixture
def no_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "UNDECIDED_LIMIT", 0)


def test_nothing_is_told_where_all_is_decided(g2o: G2o, source: str) -> None:
    said = g2o("analyze", source).out
    assert _CODE not in said
    assert "barrier removed" in said


@pytest.mark.usefixtures("no_budget")
def test_it_is_told_in_text(g2o: G2o, source: str) -> None:
    said = g2o("analyze", source).out
    assert "barrier kept" in said
    assert "barrier removed" not in said
    told = [line for line in said.splitlines() if _CODE in line]
    assert all("hard.cu:2:17: remark: analysis: " in line for line in told)
    assert all("questions about 'k' were too hard" in line for line in told)
    assert "may have been kept without need" in told[0]
    assert "may be reported as possible that cannot happen" in told[1]


@pytest.mark.usefixtures("no_budget")
def test_it_is_told_in_json_and_html(g2o: G2o, source: str) -> None:
    said = g2o("analyze", source, "--diagnostics-format", "json", "--report", "hard.html")
    assert _CODE in {one["code"] for one in json.loads(said.out or said.err)["diagnostics"]}
    page = Path("hard.html").read_text()
    assert _CODE in page
    assert "too hard" in page


@pytest.mark.usefixtures("no_budget")
def test_it_is_a_remark_of_translate(g2o: G2o, source: str) -> None:
    assert _CODE not in g2o("translate", source).err
    assert _CODE in g2o("translate", source, "--remarks").err
