"""Which loops have constant turns, and what their counters are in them."""

from __future__ import annotations

from pathlib import Path

from g2o.analysis.constant_turns import constant_turns
from g2o.ir.statements import For
from g2o.ir.traverse import walk
from tests.analysis.kernels import read_kernel

_TURNS: dict[str, list[int] | None] = {
    "int q = 0; q < 3; ++q": [0, 1, 2],
    "int q = 2; q >= 0; --q": [2, 1, 0],
    "int q = 0; q <= 8; q += 4": [0, 4, 8],
    "int q = 8; q > 0; q /= 2": [8, 4, 2, 1],
    "int q = 8; q; q >>= 1": [8, 4, 2, 1],
    "unsigned q = 1; q < 9; q <<= 1": [1, 2, 4, 8],
    "size_t q = 1; q != 27; q = q * 3": [1, 3, 9],
    "int q = 8; q >= 0; q /= 2": None,  # 0, 0, ...
    "unsigned q = 1; q; q *= 2": None,  # wraps round
    "int q = 1; q != 5; q *= 2": None,
    "int q = 1; q < n; q *= 2": None,
    "int q = 1; q < 8; q *= n": None,
    "unsigned q = 0; q < -1; ++q": None,  # a large number
    "int q = -1; q < 5u; ++q": None,
    "int q = 3; q >= 0u; --q": None,  # always
    "unsigned char q = 1; q < 300; q *= 2": None,
}


def test_turns(tmp_path: Path) -> None:
    loops = "".join(f"    for ({head})\n        a[q] = 0;\n" for head in _TURNS)
    text = f"__global__ void k(int *a, int n)\n{{\n{loops}}}\n"
    found = [
        node for node in walk(read_kernel(tmp_path, text).function.body) if isinstance(node, For)
    ]
    made = [constant_turns(one) for one in found]
    turns = [None if one is None else list(one.values) for one in made]
    assert dict(zip(_TURNS, turns, strict=True)) == _TURNS
