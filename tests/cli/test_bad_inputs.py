"""What g2o says about programs it does not translate: exact stderr, exit code, files untouched.

A file `bad_inputs/NAME.cu` is the input of the golden `bad_inputs/NAME.stderr`. Inputs that an
editor would spoil, or that are long, are made by `MADE`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import G2o
from tests.golden import orphans

FOLDER: Final = Path(__file__).parent / "bad_inputs"

_GOOD: Final = "__global__ void k(float *x)\n{\n    x[threadIdx.x] = 1.0f;\n}\n"
_BROKEN: Final = _GOOD.replace("1.0f", "nothing")
_LONG: Final = "".join(
    f"__device__ float f{i}(float x)\n{{\n    return x + {i}.0f;\n}}\n\n" for i in range(300)
)


def _nested(depth: int) -> bytes:
    """A kernel with `depth` parentheses around an expression."""
    return _GOOD.replace("1.0f", "(" * depth + "1.0f" + ")" * depth).encode()


# Inputs that fail, and those that only look as if they might.
MADE: Final[dict[str, bytes]] = {
    "binary": b"\x7fELF\x02\x01\x01\x00\x00",
    "crlf_error": _BROKEN.replace("\n", "\r\n").encode(),
    "byte_order_mark_error": b"\xef\xbb\xbf" + _BROKEN.encode(),
    "latin1_error": b"// gr\xf6\xdfe\n" + _BROKEN.replace("[", "/*\xb5*/[").encode("latin-1"),
    "nested_3000": _nested(3000),
    "long_error": (_LONG + _BROKEN).encode(),
}
FINE: Final[dict[str, bytes]] = {
    "crlf": _GOOD.replace("\n", "\r\n").encode(),
    "byte_order_mark": b"\xef\xbb\xbf" + _GOOD.encode(),
    "latin1": b"// gr\xf6\xdfe\n" + _GOOD.encode(),
    "nested_300": _nested(300),
    "nested_1000": _nested(1000),
    "signs_2000": _GOOD.replace("1.0f", "- " * 2000 + "1.0f").encode(),
    "long": (_LONG + _GOOD).encode(),
    "recursion": b"__device__ int f(int n) { return n > 1 ? n * f(n - 1) : 1; }\n"
    b"__global__ void k(int *x)\n{\n    x[threadIdx.x] = f(threadIdx.x);\n}\n",
    "no_line_end": _GOOD.rstrip().encode(),
    "only_comment": b"// nothing here\n",
}


def names() -> list[str]:
    return sorted({path.stem for path in FOLDER.glob("*.cu")} | set(MADE))


@pytest.mark.parametrize("name", names())
def test_bad_input(name: str, g2o: G2o, golden: Callable[[Path, str], None]) -> None:
    Path(f"{name}.cu").write_bytes(MADE.get(name) or (FOLDER / f"{name}.cu").read_bytes())
    Path(f"{name}.omp.cpp").write_text("as it was")
    done = g2o("translate", f"{name}.cu")
    assert (done.exit_code, done.out) == (1, "")
    assert "Traceback" not in done.err
    assert "internal error" not in done.err
    golden(FOLDER / f"{name}.stderr", done.err.encode().decode("latin-1"))
    assert sorted(path.name for path in Path().iterdir()) == [f"{name}.cu", f"{name}.omp.cpp"]
    assert Path(f"{name}.omp.cpp").read_text() == "as it was"


@pytest.mark.parametrize("name", sorted(FINE))
def test_unusual_input(name: str, g2o: G2o) -> None:
    Path(f"{name}.cu").write_bytes(FINE[name])
    done = g2o("translate", f"{name}.cu")
    kernels = FINE[name].count(b"__global__")
    assert done.err == f"wrote {name}.omp.cpp ({kernels} kernel{'s' * (kernels != 1)})\n"
    assert (done.exit_code, done.out) == (0, "")
    output = Path(f"{name}.omp.cpp").read_bytes()
    assert b"__global__" not in output
    assert output.startswith(b"\xef\xbb\xbf") == FINE[name].startswith(b"\xef\xbb\xbf")
    assert (b"\r\n" in output) == (b"\r\n" in FINE[name])
    assert (b"gr\xf6\xdfe" in output) == (b"gr\xf6\xdfe" in FINE[name])
    assert g2o("check", f"{name}.cu").exit_code == 0


def test_no_golden_is_orphaned() -> None:
    assert not orphans(FOLDER, "*.stderr", [FOLDER / f"{name}.stderr" for name in names()])
