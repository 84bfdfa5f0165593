"""What is said of SPECs that ask for what cannot be: each message says what to ask for instead."""

from pathlib import Path

import pytest

from g2o.diagnostics.diagnostic import Severity
from g2o.interop.translate import checked, translate

_SOURCE = """__global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""


@pytest.mark.parametrize(
    ("specs", "message", "note"),
    [
        (["saxy(y)/(x)"], "no kernel 'saxy'", "saxpy"),
        (["saxpy(y)/(z)"], "no parameter 'z'", "a, x, y"),
        (["saxpy(y)/(n)"], "nothing to differentiate", "a, x, y"),
        (["saxpy()/()"], "names no parameter", "a, x, y"),
        (["saxpy(y)(x)"], "is no request", ""),
        (["saxpy(y)/(x)", "saxpy(y)/(a)"], "several requests for 'saxpy'", "one request"),
    ],
)
def test_a_request_that_cannot_be(
    tmp_path: Path, specs: list[str], message: str, note: str
) -> None:
    path = tmp_path / "saxpy.cu"
    path.write_text(_SOURCE)
    made = translate(path, grad=specs)
    errors = [one for one in made.diagnostics if one.severity is Severity.ERROR]
    assert not made.ok
    assert len(errors) == 1
    assert message in errors[0].message
    assert not note or note in errors[0].notes[0].message


def test_a_pragma_that_is_no_request(tmp_path: Path) -> None:
    path = tmp_path / "saxpy.cu"
    path.write_text(f"#pragma g2o grad (y)(x)\n{_SOURCE}")
    made = translate(path)
    assert not made.ok
    assert any("is no request" in one.message for one in made.diagnostics)


def test_the_same_request_twice(tmp_path: Path) -> None:
    path = tmp_path / "saxpy.cu"
    path.write_text(_SOURCE)
    made = translate(path, grad=["saxpy(y)/(x)", "saxpy(x)/(y)"])
    assert made.ok
    assert made.code.count("void saxpy_grad(") == 1


def test_a_kernel_of_another_file_of_the_command(tmp_path: Path) -> None:
    path, other = tmp_path / "saxpy.cu", tmp_path / "other.cu"
    path.write_text(_SOURCE)
    other.write_text(_SOURCE.replace("saxpy", "other"))
    assert translate(other, grad="saxpy(y)/(x)", others=[path]).ok


def test_steps_of_pointers_to_integers_are_no_results(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "__global__ void count(int m, const int *mask, int *found) {\n"
        "    found += threadIdx.x * m;\n"
        "    for (int k = 0; k < m; k++)\n"
        "        if (mask[k] != -1) found[k]++;\n"
        "}\n"
    )
    assert "void count_grad(" in checked(translate(source, grad="count")).code
