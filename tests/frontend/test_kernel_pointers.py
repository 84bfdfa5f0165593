"""Pointers to kernels: whose type changes, and where the type is spelled."""

from pathlib import Path

import pytest

from g2o.frontend.cuda.host import HostEdits, KernelFact, UnitFacts
from g2o.frontend.cuda.kernel_pointers import kernel_pointer_edits
from g2o.frontend.cuda.unit import parse_unit
from g2o.frontend.edits import EditedText

KERNELS = """\
__global__ void k(float *x, int n) {}
__global__ void s(float *x, int n) { extern __shared__ float b[]; }
__global__ void none() {}
template <class T> __global__ void t(T *x) {}
void host(float *, int);
"""
FACTS = UnitFacts({name: KernelFact(name, name == "s") for name in ("k", "s", "none", "t")})


def found(tmp_path: Path, text: str) -> HostEdits:
    path = tmp_path / "x.cu"
    path.write_text(KERNELS + text)
    unit, faults = parse_unit(path, (), "x.cu")
    assert faults == ()
    return kernel_pointer_edits(unit.translation_unit, str(path), unit.main, FACTS)


def edited(tmp_path: Path, text: str) -> str:
    whole = KERNELS + text
    out = EditedText(whole, found(tmp_path, text).edits).slice(0, len(whole))
    assert out.startswith(KERNELS)
    return out.removeprefix(KERNELS)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("void (*f)(float *, int) = k;", "void (*f)(dim3, dim3, float *, int) = k;"),
        ("void (*f)(float *, int) = &s;", "void (*f)(dim3, dim3, std::size_t, float *, int) = &s;"),
        ("void (*f)() = none;", "void (*f)(dim3, dim3) = none;"),
        ("void (*f)(void) = none;", "void (*f)(dim3, dim3) = none;"),
        ("void (*f)(float *) = t<float>;", "void (*f)(dim3, dim3, float *) = t<float>;"),
        ("void (*f)(float *, int) = host;", "void (*f)(float *, int) = host;"),
        ("auto f = k;", "auto f = k;"),
        (
            "auto f = static_cast<void (*)(float *, int)>(k), g = (void (*)(float *, int))s;",
            "auto f = static_cast<void (*)(dim3, dim3, float *, int)>(k), "
            "g = (void (*)(dim3, dim3, std::size_t, float *, int))s;",
        ),
        (
            "typedef void (*F)();\nauto f = F(none), h = (F)(void *)host;",
            "typedef void (*F)(dim3, dim3);\nauto f = F(none), h = (F)(void *)host;",
        ),
        (
            "void run(float *x) { static_cast<void (*)(float *)>(t)<<<1, 1>>>(x); }",
            "void run(float *x) { static_cast<void (*)(dim3, dim3, float *)>(t)<<<1, 1>>>(x); }",
        ),
        (
            "void (*a[])(float *, int) = {k, k}, (*h)(float *, int) = host;",
            "void (*a[])(dim3, dim3, float *, int) = {k, k}, (*h)(float *, int) = host;",
        ),
        (
            "typedef void (*F)(float *, int);\nF f = k;",
            "typedef void (*F)(dim3, dim3, float *, int);\nF f = k;",
        ),
        (
            "template <class T> using F = void (*)(T *);\nF<float> f = t<float>;",
            "template <class T> using F = void (*)(dim3, dim3, T *);\nF<float> f = t<float>;",
        ),
        (
            "typedef void (*F)(float *, int);\nvoid h(F g, float *x) { g(x, 1); }\nF f = k;",
            "typedef void (*F)(float *, int);\ntypedef void (*FKernel)(dim3, dim3, float *, int);\n"
            "void h(F g, float *x) { g(x, 1); }\nFKernel f = k;",
        ),
        (
            "template <class T> using F = void (*)(T *);\nvoid r(F<float> f) { f<<<1, 2>>>(0); }\n"
            "template <class T> void h(F<T> g, T *x) { g(x); }",
            "template <class T> using F = void (*)(T *);\n"
            "template <class T> using FKernel = void (*)(dim3, dim3, T *);\n"
            "void r(FKernel<float> f) { f<<<1, 2>>>(0); }\n"
            "template <class T> void h(F<T> g, T *x) { g(x); }",
        ),
        (
            "using F = void(float *, int);\nF *f = k;",
            "using F = void(dim3, dim3, float *, int);\nF *f = k;",
        ),
        (
            "struct P { int i; void (*f)(float *, int); };\nP p[] = {{1, k}};",
            "struct P { int i; void (*f)(dim3, dim3, float *, int); };\nP p[] = {{1, k}};",
        ),
        (
            "void r(void (*f)(float *, int)) { f<<<1, 2>>>(0, 1); }",
            "void r(void (*f)(dim3, dim3, float *, int)) { f<<<1, 2>>>(0, 1); }",
        ),
        (
            "void r(void (*f)(float *, int));\nvoid c() { r(k); }",
            "void r(void (*f)(dim3, dim3, float *, int));\nvoid c() { r(k); }",
        ),
        (
            "void c() { void (*f)(float *, int); void (*g)(float *, int); f = k; g = f; }",
            "void c() { void (*f)(dim3, dim3, float *, int); "
            "void (*g)(dim3, dim3, float *, int); f = k; g = f; }",
        ),
        (
            "typedef void (*F)(float *, int);\nF c(bool b) { return b ? k : 0; }",
            "typedef void (*F)(dim3, dim3, float *, int);\nF c(bool b) { return b ? k : 0; }",
        ),
    ],
)
def test_type_of_a_pointer(tmp_path: Path, source: str, expected: str) -> None:
    assert edited(tmp_path, source + "\n") == expected + "\n"


def test_pointer_in_a_container(tmp_path: Path) -> None:
    text = "#include <vector>\ntypedef void (*F)(float *, int);\nstd::vector<F> v;\n"
    use = "void c() { v.push_back(k); v[0]<<<1, 2>>>(0, 1); }\n"
    assert "typedef void (*F)(dim3, dim3, float *, int);" in edited(tmp_path, text + use)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("b ? k : s", "b ? g2o::with_shared_bytes<k> : s"),
        ("b ? &s : &k", "b ? &s : g2o::with_shared_bytes<k>"),
    ],
)
def test_kernels_that_differ_in_one_pointer(tmp_path: Path, value: str, expected: str) -> None:
    text = "void c(bool b) {{ void (*f)({}float *, int) = {}; }}\n"
    with_bytes = text.format("dim3, dim3, std::size_t, ", expected)
    assert edited(tmp_path, text.format("", value)) == with_bytes


def test_kernels_that_differ_in_a_container_are_refused(tmp_path: Path) -> None:
    text = "#include <vector>\ntypedef void (*F)(float *, int);\nstd::vector<F> v;\n"
    use = "void c() { v.push_back(k); v.push_back(s); v[0]<<<1, 2>>>(0, 1); }\n"
    (diagnostic,) = found(tmp_path, text + use).diagnostics
    assert diagnostic.code == "G2O0201"


def test_kernels_handed_to_the_runtime_stay_apart(tmp_path: Path) -> None:
    text = (
        "void c(void **a) { cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);\n"
        "cudaFuncSetCacheConfig(s, cudaFuncCachePreferL1); void (*f)(float *, int) = k;\n"
        "cudaLaunchKernel((void *)f, dim3(1), dim3(2), a, 0, 0); }\n"
    )
    assert "void (*f)(dim3, dim3, float *, int) = k;" in edited(tmp_path, text)
