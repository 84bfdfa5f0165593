"""Parameters and variables that only the configuration of launches reads."""

from __future__ import annotations

import pytest

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.host import KernelFact, UnitFacts, host_edits
from g2o.frontend.edits import EditedText

_LAUNCH = "{ k<<<1, 32, 0, s>>>(x); }"


@pytest.mark.parametrize(
    ("head", "is_marked"),
    [
        ("void run(float *x, cudaStream_t s) " + _LAUNCH, True),
        ("void run(float *x, Queue s) " + _LAUNCH, True),
        ("void run(float *x, const lib::Queue<int, 2> &s) " + _LAUNCH, True),
        ("void run(Queue s, float *x) { k<<<1, 32, 0, s.stream>>>(x); }", True),
        ("void run(float *x, Queue s) { k<<<1, 32, 0, s>>>(x); s.wait(); }", False),
        ("void run(float *x, Queue (*s)()) { k<<<1, 32, 0, s()>>>(x); }", False),
        ("void run(float *x, Queue s) { k<<<1, 32>>>(x); }", False),
    ],
)
def test_parameters(head: str, is_marked: bool) -> None:
    facts = UnitFacts({"k": KernelFact("k", takes_shared_bytes=False)})
    edits = host_edits(SourceFile("x.cu", head), facts).edits
    assert ("[[maybe_unused]]" in EditedText(head, edits).slice(0, len(head))) is is_marked
