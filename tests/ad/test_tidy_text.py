"""Adjoints say what they do in few words: small things that a reader would stumble over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from g2o.interop.translate import checked, translate

CASES = Path(__file__).parent / "cases"

_HEAD = "__global__ void k(const double *x, double *y, int n, double a)\n"
_INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i >= n)\n    return;\n"


def _adjoint(tmp_path: Path, body: str) -> str:
    source = tmp_path / "k.cu"
    source.write_text(f"{_HEAD}{{\n{_INDEX}{body}\n}}\n")
    made = translate(source, grad="k(y)/(x)")
    assert made.ok, made.diagnostics
    return made.code.partition("void k_grad(")[2]


def _adjoint_of_case(name: str) -> str:
    made = translate(CASES / f"{name}.cu", grad="")
    assert made.ok, made.diagnostics
    return made.code


@pytest.mark.parametrize(
    ("value", "derivative"),
    [
        ("x[i] * x[i] * x[i]", "3.0 * x[i] * x[i] * d_y[i]"),
        ("0.5 * x[i] * x[i]", "d_x[i] += x[i] * d_y[i]"),
        ("x[i] * 0.1 * x[i]", "0.2 * x[i] * d_y[i]"),
        ("a * x[i] * x[i]", "2.0 * a * x[i] * d_y[i]"),
        ("n * n * x[i] * x[i]", "2.0 * (n * n) * x[i] * d_y[i]"),
        ("pow(x[i], 2)", "d_x[i] += 2 * x[i] * d_y[i]"),
        ("pow(x[i], 3.0)", "d_x[i] += 3.0 * pow(x[i], 2.0) * d_y[i]"),
        ("pow(x[i], -0.5)", "pow(x[i], -1.5) * d_y[i]"),
        ("x[i] * sqrt(x[i])", "d_x[i] += 1.5 * sqrt_value * d_y[i]"),
        ("a * sqrt(x[i]) * x[i] * x[i]", "2.5 * a * x[i] * sqrt_value * d_y[i]"),
    ],
)
def test_powers_are_differentiated_at_once(tmp_path: Path, value: str, derivative: str) -> None:
    code = _adjoint(tmp_path, f"y[i] = {value};")
    assert derivative in code
    assert code.count("d_x[i] +=") == 1


@pytest.mark.parametrize(
    ("limit", "is_asked"), [("n - 1.0", False), ("0.5 * (2 - n)", False), ("a - 1.0", True)]
)
def test_whole_numbers_are_not_asked_whether_they_are_nan(
    tmp_path: Path, limit: str, is_asked: bool
) -> None:
    code = _adjoint(tmp_path, f"y[i] = min(x[i], {limit});")
    assert (" != " in code) is is_asked


def test_names_behind_digits_have_a_line_between(tmp_path: Path) -> None:
    code = _adjoint(tmp_path, "double r2 = x[i];\nr2 = sin(r2);\nr2 = sin(r2);\ny[i] = r2;")
    assert "r2_2 = sin(r2)" in code
    assert "r22" not in code


def test_what_is_added_one_after_the_other_is_added_at_once(tmp_path: Path) -> None:
    code = _adjoint(tmp_path, "double v = sin(x[i]);\ny[i] = v * v - a * v;")
    assert "const double d_v = 2.0 * v * d_y[i] - a * d_y[i];" in code


def test_values_that_read_the_shadow_are_not_joined(tmp_path: Path) -> None:
    code = _adjoint(
        tmp_path, "double v = x[i];\nfor (int k = 0; k < 3; ++k)\nv += sin(v);\ny[i] = v;"
    )
    assert "d_v += cos(old_v) * d_v" in code


def test_the_primal_keeps_its_statements(tmp_path: Path) -> None:
    code = _adjoint(tmp_path, "y[i] = x[i];\ny[i] += a;\ny[i] += x[i] * a;")
    assert "y[i] += a;" in code
    assert "y[i] += x[i] * a;" in code


def test_loops_for_nothing_and_sums_of_sums_go() -> None:
    code = _adjoint_of_case("early_mean")
    assert "{\n    }" not in code
    assert "d_in_mean2" not in code


def test_shadows_of_small_arrays_start_where_they_get_their_elements() -> None:
    code = _adjoint_of_case("elements_of_turns")
    started = [
        "double d_f[N] = {};" in part.partition("\n}\n")[0] for part in code.split("_grad(dim3")[1:]
    ]
    assert started == [False, True, True, True, True, False]


def test_elements_that_other_turns_leave_alone_are_not_taped() -> None:
    code = _adjoint_of_case("elements_of_turns")
    taped = ["kept_f" in part.partition("\n}\n")[0] for part in code.split("_grad(dim3")[1:]]
    assert taped == [False, False, False, False, False, True]


def test_parameters_that_nobody_names_are_marked(tmp_path: Path) -> None:
    code = _adjoint(tmp_path, "y[i] = x[i];\n").partition(")")[0]
    assert "[[maybe_unused]] double a" in code
    assert "[[maybe_unused]] int n" not in code


def test_rows_of_blocks_need_neither_tapes_nor_atomics() -> None:
    code = _adjoint_of_case("rows_by_blocks")
    _, _, adjoint = code.partition("void squares_grad(")
    adjoint, _, _ = adjoint.partition("\n}\n")
    assert "Tape" not in adjoint  # nobody changes a pointer that has no address
    assert "atomic" not in adjoint  # rows of other blocks are other ones
    assert "for (int j = 0; j < columns; ++j) {" in adjoint  # a loop of the block, not of threads
    assert "const double *row = x + bx * columns;\n        double *d_row = d_x" in adjoint


def test_blocks_whose_size_has_a_name_need_no_atomics() -> None:
    _, _, adjoint = _adjoint_of_case("block_sizes").partition("void smoothed_grad(")
    adjoint, _, _ = adjoint.partition("\n}\n")
    assert "assert(grid.y == 1 && grid.z == 1 && block.x == BLOCK && " in adjoint
    assert "d_x[i] += 0.5 * d_y[i - 1] + 0.25 *" in adjoint  # gathered
    assert "atomic" not in adjoint


def test_sums_of_a_block_are_no_sums_of_its_threads() -> None:
    _, _, adjoint = _adjoint_of_case("rows_by_blocks").partition("void less_mean_grad(")
    adjoint, _, _ = adjoint.partition("\n}\n")
    assert "thread_array" not in adjoint
    assert "d_mean += sin(row[j]) * d_y[bx * columns + j];" in adjoint
    assert "atomic" not in adjoint


def test_vectors_of_one_thread_alone_need_no_atomics() -> None:
    _, _, adjoint = _adjoint_of_case("other_views").partition("void turned_by_fours_grad(")
    adjoint, _, behind = adjoint.partition("\n}\n")
    assert "int i = thread * 4;" in adjoint
    assert "atomic" not in adjoint
    assert "atomic" in behind.partition("void neighbours_by_twos_grad(")[2]


def test_blocks_that_meet_add_atomically() -> None:
    _, _, adjoint = _adjoint_of_case("rows_by_blocks").partition("void windows_grad(")
    adjoint, _, _ = adjoint.partition("\n}\n")
    assert "// Atomic: several threads may add to one element of d_x." in adjoint


@pytest.mark.parametrize("name", ["pairs", "turned", "thirds"])
def test_iterations_that_share_elements_go_backwards(name: str) -> None:
    _, _, adjoint = _adjoint_of_case("rows_by_blocks").partition(f"void {name}_grad(")
    adjoint, _, _ = adjoint.partition("\n}\n")
    assert re.search(r"for \(int j = (n|columns) - 1; j >= [01]; --j\)", adjoint)


def test_seeds_of_places_that_are_overwritten_are_set_at_once(tmp_path: Path) -> None:
    code = _adjoint(tmp_path, "if (a > 0.0) {\n    y[i] = sin(y[i]);\n}\ny[i] = y[i] * x[i];")
    assert re.search(r"d_y\[i\] = cos\(\w+\) \* \w+;", code)


def test_loops_that_only_forget_seeds_go() -> None:
    code = _adjoint_of_case("attention_row").partition("void attention_row_grad(")[2]
    assert "d_mixed[c] = 0.0;" not in code


def test_members_of_what_a_pointer_shows_have_arrows() -> None:
    assert "d_camera->position.x +=" in _adjoint_of_case("vector_values")


def test_negative_constants_are_not_asked_whether_they_are_nan(tmp_path: Path) -> None:
    assert "!=" not in _adjoint(tmp_path, "y[i] = fmin(fmax(x[i], -0.8), 0.9);")


def test_numbers_of_arrays_that_are_known_choose(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    body = "double *p = x, *q = y; q[i] += p[i] * p[i]; double *t = p; p = q; q = t; q[i] *= p[i];"
    source.write_text(
        f"__global__ void k(double *x, double *y) {{ int i = threadIdx.x; {body} }}\n"
    )
    code = checked(translate(source, grad="k")).code
    assert "== 0" in code
    assert not re.search(r"\(?\b\d+\)? == \d", code)


def test_what_comes_back_as_it_went_in_is_not_assigned() -> None:
    assert "v = v;" not in _adjoint_of_case("device_returns")


def test_constant_memory_is_not_kept_and_few_elements_are_added_up_by_threads() -> None:
    code = _adjoint_of_case("constants").partition("void nine_of_each_grad(")[2]
    assert "g2o::PrivateSums<double> sums_c(d_c, 9);" in code
    assert "atomic" not in code
    assert "old_COEFFICIENTS" not in code


def test_one_record_holds_what_several_statements_ask_for(tmp_path: Path) -> None:
    body = """double v = x[i], h = a;
    while (v < 3.0) {
        double s = v + h * sin(v);
        double t = s + h * cos(s);
        v = t > 2.0 ? t : t + 0.1 * v * h * v;
        h *= x[i];
    }
    y[i] = v;"""
    made = _adjoint(tmp_path, body)
    assert made.count("kept_h.push(h)") == 1
    assert made.count("= kept_h.pop()") == 1
    assert made.count("Tape<double> kept_h") == 1


def test_one_variable_holds_a_member_until_it_changes(tmp_path: Path) -> None:
    body = """double3 p = make_double3(x[i], x[i] * a, x[i] + a);
    double s = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    p.x *= s;
    p.y *= s;
    p.z *= s;
    y[i] = p.x * p.y * p.z;"""
    made = _adjoint(tmp_path, body)
    assert re.findall(r"= (p\.\w);", made) == ["p.x", "p.y", "p.z"]


def test_shadows_that_stay_0_are_no_terms(tmp_path: Path) -> None:
    body = """double4 p = make_double4(x[i], x[i] * a, sin(x[i]), 1.0);
    double4 q = make_double4(p.x * p.w, p.y * p.x, p.w * p.z, p.z * p.x);
    y[i] = q.x + q.y * q.x;"""
    made = _adjoint(tmp_path, body)
    assert " = 0.0;" not in made.replace("d_y[i] = 0.0;", "")
    assert "d_q_w" not in made
    assert "d_q_z" not in made


def test_conditions_whose_first_branch_has_nothing_to_add_are_turned(tmp_path: Path) -> None:
    body = """double v;
    if (x[i] > a)
        v = 0.0;
    else
        v = x[i] * x[i];
    y[i] = v;"""
    made = _adjoint(tmp_path, body)
    assert not re.search(r"\{\s*\}\s*else", made)


def test_squares_by_methods_are_squares(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "struct V { double x, y;\n"
        "    __device__ double dot(const V &o) const { return x * o.x + y * o.y; }\n"
        "    __device__ double norm() const { return sqrt(dot(*this)); } };\n"
        "__global__ void k(const V *x, double *y)\n"
        "{\n    V v = x[threadIdx.x];\n    y[threadIdx.x] = v.dot(v) + v.norm();\n}\n"
    )
    made = translate(source, grad="k(y)/(x)").code.partition("void k_grad(")[2]
    assert "2.0 * v.x * d_y[i]" in made or "2.0 * v.x * d_y[t]" in made
    assert "*(&" not in made


@pytest.mark.parametrize("number", ["double", "T"])
def test_branches_add_to_the_sum_of_all_threads(tmp_path: Path, number: str) -> None:
    source = tmp_path / "k.cu"
    head = "template <typename T>\n" if number == "T" else ""
    source.write_text(
        f"{head}__global__ void k(const {number} *x, {number} lo, {number} hi, {number} *y)\n"
        "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    y[i] = x[i] < lo ? x[i] * hi * lo : x[i] * lo;\n}\n"
    )
    made = translate(source, grad="").code.partition("void k_grad(")[2]
    assert "reduction(+ : sum_hi, sum_lo)" in made or "reduction(+ : sum_lo, sum_hi)" in made
    assert "atomic" not in made
    assert made.count(f"{number} sum_lo = 0") == 1
    assert "sum_lo2" not in made


def test_two_loops_over_threads_have_sums_of_their_own(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "#include <cooperative_groups.h>\n"
        "__global__ void k(const double *x, double lo, double *y, double *z, int n)\n"
        "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n)\n        y[i] = x[i] < lo ? x[i] * lo * lo : lo * x[i];\n"
        "    cooperative_groups::this_grid().sync();\n"
        "    if (i < n)\n        z[i] = x[i] < lo ? y[i] * lo : y[i] + lo * lo;\n}\n"
    )
    made = translate(source, grad="").code.partition("void k_grad(")[2]
    names = re.findall(r"double (sum_lo\w*) = 0.0;", made)
    assert len(names) == len(set(names))
    assert "atomic" not in made


def test_constants_of_templates_have_the_type_of_the_others(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "template <typename T> __global__ void k(const T *x, T *y)\n"
        "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    y[i] = x[i] * x[i] * x[i] + sqrt(x[i]) + pow(x[i], T(1.5)) + tanh(x[i]);\n}\n"
    )
    made = translate(source, grad="", jvp="").code.partition("#include")[2]
    derivatives = re.sub(r"T\([0-9.]+\)", "", made)
    assert "T(3) * x[i] * x[i]" in made
    assert "pow(x[i], T(0.5))" in made
    assert not re.search(r"\d\.\d", derivatives)
