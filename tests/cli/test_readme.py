"""What the README shows is what g2o does."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cli.conftest import G2o

ROOT = Path(__file__).parents[2]


def blocks(language: str) -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return [code for word, code in found if word == language]


def test_example_is_what_comes_out(g2o: G2o) -> None:
    """The parts of both blocks, between lines of dots, stand in the corpus program's files."""
    source = ROOT / "corpus" / "saxpy" / "saxpy.cu"
    done = g2o("translate", source, "-o", "-")
    assert done.exit_code == 0
    (before,), (after, _) = blocks("cuda"), blocks("cpp")
    for block, text in ((before, source.read_text()), (after, done.out)):
        parts = [part.strip("\n") for part in block.split("...\n")]
        assert len(parts) == 2
        assert all(part in text for part in parts)


def test_gradient_is_what_comes_out(g2o: G2o) -> None:
    done = g2o("translate", ROOT / "corpus" / "saxpy" / "saxpy.cu", "--grad", "saxpy", "-o", "-")
    assert blocks("cpp")[1].strip() in done.out


def test_documented_diagnostic_is_rendered_so(g2o: G2o) -> None:
    Path("reduce.cu").write_text(
        "\n" * 36
        + "__global__ void reduce(float *x, int s)\n{\n    int tid = threadIdx.x;\n\n"
        + "    if (tid < s) __syncthreads();\n}\n"
    )
    (expected,) = (block for block in blocks("") if block.startswith("reduce.cu"))
    assert g2o("translate", "reduce.cu").err == f"{expected}1 error.\n"
