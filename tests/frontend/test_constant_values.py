"""Which names of a program are known to be which numbers."""

from __future__ import annotations

import pytest

from g2o.frontend.cuda.constant_values import integer_constants


def test_constants_are_made_of_constants() -> None:
    text = """
#define WARP 32  // lanes
#define BLOCK (WARP * 8)
constexpr unsigned TILE = BLOCK / 4u << 1;
const int N = 1 << 20;
"""
    expected = {"WARP": 32, "BLOCK": 256, "TILE": 128, "N": 1 << 20}
    assert integer_constants([text]) == expected


@pytest.mark.parametrize(
    "text",
    [
        "#if WIDE\n#define B (4 * 4)\n#else\n#define B PICK(2, 3)\n#endif\n",
        "#define B (4 * 4)\n#undef B\n#define B sizes[0]\n",
        "void f() { const int B = 8 * 8; }\nvoid g() { const int B = pick(n, 2); }\n",
        "void f() { const int B = 64; }\nvoid g() { const int B = pick(n, 2); }\n",
        "#define B 2 + 3\n",  # another number where more stands beside it
        "#ifndef B\n#define B (4 * 4)\n#endif\n",
        "#define B (1 - 2)\n",
        "#define B (1 / 0)\n",
    ],
)
def test_names_that_may_mean_something_else_are_not_known(text: str) -> None:
    assert "B" not in integer_constants([text])
