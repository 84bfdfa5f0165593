"""Which named constants are unsigned: loops over threads compare their indices with them."""

from __future__ import annotations

from g2o.frontend.cuda.constant_values import unsigned_constants

SOURCE = """\
static constexpr unsigned kBlock = 256;
const std::size_t kBytes = 16;
constexpr int kWarps = 8;
unsigned changes = 2;
#define THREADS 128u
#define TILE 16
"""


def test_unsigned_constants_are_known() -> None:
    assert unsigned_constants([SOURCE]) == {"kBlock", "kBytes", "THREADS"}
