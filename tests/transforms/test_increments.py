"""How adjoints add to shadows: the cheap form where it is right, atomics where it is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from g2o.interop.translate import translate

_HEAD = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
_PARAMETERS = "const double *x, const double *w, double *y, double *z, const int *at, int n, int m"


def _grad(directory: Path, body: str, spec: str = "(y)/(x)", parameters: str = _PARAMETERS) -> str:
    """The adjoint of a kernel with that body, without line breaks."""
    path = directory / "k.cu"
    path.write_text(f"__global__ void k({parameters}) {{ {_HEAD} {body} }}\n")
    made = translate(path, grad=[f"k{spec}"])
    assert made.ok, made.diagnostics
    found = re.search(r"^void k_grad\(.*?^\}", made.code, re.MULTILINE | re.DOTALL)
    assert found is not None
    return re.sub(r"\s+", " ", found[0])


# -- plain -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = x[i] * x[i];",
        "y[i] = x[3 * i] * x[3 * i + 1] * x[3 * i + 2];",
        "y[n - 1 - i] = x[n - 1 - i] * x[n - 1 - i];",
        "int k = at[i]; y[k] = x[k] * x[k] * i;",  # two threads with one k would have a race
        "int k = at[i]; double v = y[k]; y[k] = 2.0 * v + x[k] * x[k];",  # here, too
    ],
)
def test_elements_of_one_thread_are_added_to_plainly(tmp_path: Path, body: str) -> None:
    assert "atomic" not in _grad(tmp_path, body)


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = x[at[i]] * x[at[i]];",
        "y[i] = x[i / 2] * x[i / 2];",
        "int k = at[i]; z[k] = n; y[i] = x[k] * x[k];",  # all store the same
        "int k = at[i]; z[k] = w[k] * 2.0; y[i] = x[k] * x[k];",
        "int k = at[i]; double f = w[k]; f *= 3.0; z[k] = f; y[i] = x[k] * x[k];",
        "int k = at[i]; if (w[i] > 0.5) z[k] = w[i]; y[i] = x[k] * x[k];",
        "for (int j = 0; j < m; ++j) z[at[i] + j] = w[i]; y[i] = x[at[i]] * x[at[i]];",
        "for (int j = 0; j < m; ++j) z[j * m + at[i]] = w[i] * i; "
        "for (int j = 0; j <= m; ++j) y[i] += x[j * m + at[i]] * x[j * m + at[i]];",  # one more
    ],
)
def test_elements_that_threads_may_share_are_not(tmp_path: Path, body: str) -> None:
    assert "g2o::atomic_add(&d_x[" in _grad(tmp_path, body)


_ROWS = """__global__ void k(const double *x, double *y, int n, int m)
{
    const double *row = x + blockIdx.x * n;
    double v = 0.0;
    for (int j = threadIdx.x; j < n; j += m)
        v += row[j] * row[j];
    for (int j = threadIdx.x; j < n; j += m)
        y[blockIdx.x * n + j] = row[j] * v * threadIdx.x;
}
"""


def test_elements_of_loops_are_those_of_threads_where_the_source_says_so(tmp_path: Path) -> None:
    """`m` may be less than there are threads, which would then write each other's elements."""
    path = tmp_path / "k.cu"
    path.write_text(_ROWS)
    assert "atomic" not in translate(path, grad="").code
    same = "x[blockIdx.x * n + j] * x[blockIdx.x * n + j]"  # all that may meet write the same
    path.write_text(_ROWS.replace("row[j] * v * threadIdx.x", same))
    assert "atomic" in translate(path, grad="").code


# -- sums of loops ---------------------------------------------------------------------------------


def test_a_loop_adds_its_sum_once(tmp_path: Path) -> None:
    body = "int k = at[i]; double s = 0; for (int j = 0; j < m; ++j) s += x[k] * w[j]; y[i] = s;"
    text = _grad(tmp_path, body, "(y)/(x, w)")
    assert "sum_x += w[j] * d_s;" in text
    assert "if (0 < m) {" in text


def test_a_sum_of_branches_goes_nowhere_unless_there_is_one(tmp_path: Path) -> None:
    body = (
        "int k = at[i]; double s = 0; for (int j = 0; j < m; ++j) if (k < j) s += x[k] * w[j];"
        " y[i] = s;"
    )
    assert "if (sum_x != 0.0)" in _grad(tmp_path, body)


def test_a_loop_that_reads_the_place_by_another_name_adds_at_once(tmp_path: Path) -> None:
    body = (
        "double *row = y + i * m; double *middle = row + 2;"
        " for (int j = 0; j < m; ++j) row[j] = row[j] * middle[0];"
    )
    text = _grad(tmp_path, body, "(y)/(y)")
    assert "sum_middle" not in text
    assert "d_middle[0]" in text


# -- gathering -------------------------------------------------------------------------------------


def test_neighbours_are_gathered(tmp_path: Path) -> None:
    text = _grad(tmp_path, "if (i > 0 && i < n - 1) y[i] = x[i - 1] * w[i] + x[i + 1];")
    assert "atomic" not in text
    assert "// Interior" in text


@pytest.mark.parametrize(
    "body",
    [
        "int c = w[i] * 5.0; y[i] = c * x[i - 1] + x[i + 1];",  # c is rounded
        "unsigned char c = i * 7; y[i] = c * x[i - 1] + x[i + 1];",
        "double c = w[i]; c *= 2.0; y[i] = c * x[i - 1] + x[i + 1];",
    ],
)
def test_what_is_no_sum_over_neighbours_is_added_in_turns(tmp_path: Path, body: str) -> None:
    text = _grad(tmp_path, body)
    assert "// Strips of neighbours take turns" in text
    assert "atomic" not in text


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = x[i - 1] * x[at[i]];",
        "y[i] = x[i - 1] * x[(i + 1) * m];",
    ],
)
def test_what_is_no_sum_over_neighbours_stays_atomic(tmp_path: Path, body: str) -> None:
    assert "g2o::atomic_add(&d_x[" in _grad(tmp_path, f"if (i > 0 && i < n - 1) {{ {body} }}")


def test_rows_longer_than_the_stride_are_not_gathered(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(const double *x, double *y, int n, int m) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    int j = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "    if (i > 0 && i < n && j < m)\n"
        "        y[j * 1000 + i] = x[j * n + i - 1] * x[j * n + i + 1];\n}\n"
    )
    made = translate(path, grad=["k"])
    assert "g2o::atomic_add(&d_x[" in made.code  # x[j * n + n] is the next row's x[0]


@pytest.mark.parametrize(
    ("read", "written"),
    [("m * n", "(m + 1) * n"), ("m * n", "(m - 1) * n"), ("(m + 1) * n", "m * n")],
)
def test_rows_of_a_history_are_gathered(read: str, written: str, tmp_path: Path) -> None:
    """Rows of other times are apart from those that are added to, though in the same array."""
    body = f"y[{written} + i] = sin(y[{read} + i - 1]) * y[{read} + i] + y[{read} + i + 1];"
    text = _grad(tmp_path, f"if (i > 0 && i < n - 1) {body}", "(y)/(y)")
    assert "atomic" not in text
    assert "// Interior" in text
    assert "old_y" not in text


@pytest.mark.parametrize(
    ("read", "written"),
    [("m * n", "(m + 1) * (n - 4)"), ("m * at[0]", "(m + 1) * at[0]"), ("m * n", "i * n")],
)
def test_rows_that_may_meet_are_not(read: str, written: str, tmp_path: Path) -> None:
    body = f"y[{written} + i] = y[{read} + i - 1] * y[{read} + i + 1];"
    assert "g2o::atomic_add(&d_y[" in _grad(tmp_path, f"if (i > 0 && i < n - 1) {body}", "(y)/(y)")


# -- sums of all threads ---------------------------------------------------------------------------


def test_all_threads_sum_for_one_place(tmp_path: Path) -> None:
    text = _grad(tmp_path, "y[i] = w[i] * x[0];")
    assert "reduction(+ : sum_x)" in text
    assert "atomic" not in text


def test_a_place_that_nobody_asks_for_is_left_alone(tmp_path: Path) -> None:
    text = _grad(tmp_path, "double s = w[i]; if (m < n) s *= x[m]; y[i] = s;")
    assert "if (sum_x != 0.0) d_x[m] += sum_x;" in text


def test_copies_for_all_threads(tmp_path: Path) -> None:
    body = "double s = 0; for (int j = 0; j < m; ++j) s += x[j] * w[i]; y[i] = s;"
    text = _grad(tmp_path, body, "(y)/(x, w)")
    assert "g2o::PrivateSums<double> sums_x(d_x, m);" in text
    assert "#pragma omp simd reduction(+ : sum_w) for (int j = 0; j < m; ++j)" in text


def test_copies_for_threads_that_go_by_strips(tmp_path: Path) -> None:
    body = "double s = 0; for (int j = 0; j < m; ++j) s += x[j] * w[j * n + i]; y[i] = s;"
    text = _grad(tmp_path, body, "(y)/(x, w)")
    assert "g2o::PrivateSums<double> sums_x(d_x, m);" in text
    assert "first < count; first += strip" in text


@pytest.mark.parametrize(
    "loop",
    [
        "for (int j = -m; j <= m; ++j) s += x[j * j] * w[i];",  # its range is not that of its ends
        "for (int j = 1; j * j < m; j *= 2) s += x[j] * w[i];",
        "for (int j = 0; j < m; ++j) s += x[at[j]] * w[i];",
    ],
)
def test_elements_of_unknown_range_stay_atomic(tmp_path: Path, loop: str) -> None:
    text = _grad(tmp_path, f"double s = 0; {loop} y[i] = s;")
    assert "PrivateSums" not in text
    assert "g2o::atomic_add(&d_x[" in text


def test_a_name_with_two_ranges_has_none(tmp_path: Path) -> None:
    body = (
        "double s = 0; for (int j = 0; j < m; ++j) s += w[j];"
        " for (int j = 0; j < n; ++j) s += x[j] * w[i]; y[i] = s;"
    )
    assert "PrivateSums<double> sums_x(d_x, m)" not in _grad(tmp_path, body)


def test_iterations_that_share_elements_are_no_vector_loop(tmp_path: Path) -> None:
    body = "double s = 0; for (int j = 0; j < m; ++j) s += x[j] * x[j + 1] * w[i]; y[i] = s;"
    text = _grad(tmp_path, body)
    reverse = text[text.index("d_y[i] = 0.0;") :]
    assert "omp simd" not in reverse


def test_rows_may_begin_at_any_place() -> None:
    """Blocks that add to the places from 1 to 8 of their eight reach into no others' rows."""
    path = Path(__file__).parents[1] / "ad/cases/rows_begin_at_one.cu"
    text = translate(path, grad=["rows_begin_at_one(partial)/(input)"]).code
    assert "d_input[bx * ROWS + ty + 1] += " in text
    assert "take turns" not in text
