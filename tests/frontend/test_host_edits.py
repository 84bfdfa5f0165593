"""Edits of whole files: launches, names, includes; and what is reported instead."""

import pytest

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.host import HostEdits, KernelFact, UnitFacts, host_edits
from g2o.frontend.edits import EditedText

KERNELS = {"k": KernelFact("k", False), "s": KernelFact("s", True)}


def edits(text: str, facts: UnitFacts | None = None) -> HostEdits:
    return host_edits(SourceFile("x.cu", text), facts or UnitFacts(KERNELS))


def edited(text: str, facts: UnitFacts | None = None) -> str:
    """The file with its edits, without the include of the runtime header."""
    out = EditedText(text, edits(text, facts).edits).slice(0, len(text))
    for line in ('#include "g2o_runtime.hpp"\n\n', '#include "g2o_runtime.hpp"\n'):
        out = out.removeprefix(line)
    return out


def codes(text: str, facts: UnitFacts | None = None) -> list[str]:
    return [diagnostic.code for diagnostic in edits(text, facts).diagnostics]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("k<<<g, b>>>(x, y);", "k(g, b, x, y);"),
        ("k<<<g, b>>>();", "k(g, b);"),
        ("k <<< g, b >>> (x);", "k(g, b, x);"),
        ("void A::CUDART_CB f(cudaStream_t);", "void A::f(g2o::Stream);"),
        ("k << < g, b >> > (x);", "k(g, b, x);"),
        ("k<T, 4><<<g, b, 0, st>>>(x);", "k<T, 4>(g, b, x);"),
        ("ns::k<<<1, 2, n>>>(x);", "ns::k(1, 2, x);"),
        ("s<<<1, 2>>>(x);", "s(1, 2, 0, x);"),
        ("s<<<1, 2>>>();", "s(1, 2, 0);"),
        ("s<<<1, 2, n * 4, st[i]>>>(x);", "s(1, 2, n * 4, x);"),
        ("k<<<g,\n    b>>>(\n    x, y);", "k(g,\n    b,\n    x, y);"),
        (
            "for (;;) c ? k<<<1, 2>>>(x) : s<<<1, 2, 3>>>(x);",
            "for (;;) c ? k(1, 2, x) : s(1, 2, 3, x);",
        ),
        ("k<<<dim3(a, b), {1, 2}>>>(f(x, y));", "k(dim3(a, b), {1, 2}, f(x, y));"),
        ("(k<<<1, 2>>>(x), s<<<1, 2>>>(x));", "(k(1, 2, x), s(1, 2, 0, x));"),
        ("k<<<1, 2>>>(k2 <<y);", "k(1, 2, k2 <<y);"),
    ],
)
def test_launch(source: str, expected: str) -> None:
    assert edited(source) == expected


def test_effect_of_a_dropped_argument_is_kept() -> None:
    assert edited("k<<<1, n, 0, next()>>>(x);") == "k(1, (next(), n), x);"
    assert edited("s<<<1, n, m, pool[i++]>>>(x);") == "s(1, (pool[i++], n), m, x);"
    assert edited("k<<<1, n, sizeof(int) * n, p->st.get()>>>(x);") == "k(1, n, x);"


def test_launch_of_what_is_not_known() -> None:
    assert edited("(*f)<<<1, 2>>>(x);") == "g2o::launch((*f), 1, 2, 0, x);"
    assert edited("t[i]<<<g, b, n, st>>>();") == "g2o::launch(t[i], g, b, n);"
    only_plain = UnitFacts({"k": KERNELS["k"]})
    assert edited("(*f)<<<1, 2>>>(x);", only_plain) == "(*f)(1, 2, x);"


def test_launch_that_has_to_fail() -> None:
    assert edited("k<<<1, 2048>>>(x);") == "g2o::launch(k, 1, 2048, 0, x);"
    assert edited("k<<<0, 64>>>(x);") == "g2o::launch(k, 0, 64, 0, x);"
    large = "#define N 64\nvoid f() { dim3 b(N, N); "
    assert edited(large + "s<<<1, b, n>>>(x); }").endswith("g2o::launch(s, 1, b, n, x); }")
    assert edited("k<<<1, 1024>>>(x);") == "k(1, 1024, x);"
    template = UnitFacts({"k": KernelFact("k", False, is_plain=False)})
    assert edited("k<<<1, 2048>>>(x);", template) == "k(1, 2048, x);"


def test_launch_in_macros() -> None:
    body = "#define R(f, ...) f<<<g, b>>>(__VA_ARGS__)\n"
    assert edited(body + "R(k, 1);") == "#define R(f, ...) f(g, b, ##__VA_ARGS__)\nR(k, 1);"
    assert edited(body + "R(s, 1); R(s, 2);").startswith(
        "#define R(f, ...) f(g, b, 0, ##__VA_ARGS__)"
    )
    assert edited(body + "R(s, 1); R(k, 2);").startswith(
        "#define R(f, ...) g2o::launch(f, g, b, 0, ##__VA_ARGS__)"
    )
    pasted = "#define R(f) f##_kernel<<<1, 2>>>(x)\nR(a);"
    facts = UnitFacts({"a_kernel": KernelFact("a_kernel", True), "k": KERNELS["k"]})
    assert edited(pasted, facts).startswith("#define R(f) f##_kernel(1, 2, 0, x)")
    assert (
        edited("#define C(e) \\\n  e\nC((k<<<1, 2>>>(x)));")
        == "#define C(e) \\\n  e\nC((k(1, 2, x)));"
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("cudaLaunchKernel((void *)k, g, b, a, 0, 0);", "g2o::launch_kernel(k, g, b, a, 0, 0);"),
        (
            "cudaLaunchKernel(reinterpret_cast<const void *>(&k<T>), g, b, a);",
            "g2o::launch_kernel(&k<T>, g, b, a);",
        ),
        ("cudaFuncSetCacheConfig(k, x);", "g2o::func_set_cache_config(k, x);"),
        ("cudaFuncGetAttributes(&a, (const void*)k);", "g2o::func_get_attributes(&a, k);"),
    ],
)
def test_kernel_as_argument_of_the_runtime(source: str, expected: str) -> None:
    assert edited(source) == expected


def test_configuration_from_a_macro() -> None:
    assert edited("#define C g, b\nk<<<C>>>(x);") == "#define C g, b\nk(C, x);"
    assert codes("k<<<g>>>(x);") == ["G2O0201"]
    assert codes("#define L <<<1, 2>>>\n") == ["G2O0201"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("cudaMalloc(&p, n);", "g2o::malloc(&p, n);"),
        ("::cudaFree(p);", "::g2o::free(p);"),
        ("cudaError_t e = cudaSuccess;", "g2o::Error e = g2o::Success;"),
        ("cudaMemcpyKind::cudaMemcpyHostToDevice", "g2o::MemcpyKind::MemcpyHostToDevice"),
        ("struct cudaDeviceProp p;", "struct g2o::DeviceProp p;"),
        ("#define S CHECK(cudaDeviceSynchronize())", "#define S CHECK(g2o::device_synchronize())"),
        ('puts("cudaMalloc"); // cudaMalloc', 'puts("cudaMalloc"); // cudaMalloc'),
        ("#if 0\ncudaFree(p);\n#endif", "#if 0\ng2o::free(p);\n#endif"),
        ("x.cudaFree(p); y->cudaFree(p);", "x.cudaFree(p); y->cudaFree(p);"),
        ("mine::cudaFree(p);", "mine::cudaFree(p);"),
        ("atomicAdd(&x, 1);", "g2o::atomic_add(&x, 1);"),
        (
            "curandState s; curand_init(1, 2, 3, &s);",
            "g2o::curandState s; g2o::curand_init(1, 2, 3, &s);",
        ),
        ("int m = min(a, b);", "int m = min(a, b);"),
        (
            "#define M(a) (std::max(a, 1) + max(a, 2))",
            "#define M(a) (std::max(a, 1) + g2o::max(a, 2))",
        ),
    ],
)
def test_rename(source: str, expected: str) -> None:
    assert edited(source + "\n") == expected + "\n"


def test_what_the_compiler_knows_comes_first() -> None:
    text = "int m = min(a, b);"
    facts = UnitFacts({}, semantic_renames={text.index("min"): "g2o::min"})
    assert edited(text, facts) == "int m = g2o::min(a, b);"


def test_names_of_the_program_are_kept() -> None:
    facts = UnitFacts({}, user_declared=frozenset(("cudaCheck", "cudaFree", "max")))
    text = "cudaCheck(cudaFree(p));\n#define X max(1, 2)\n"
    assert edited(text, facts) == text
    assert codes(text, facts) == []
    assert codes("#define cudaCheck(e) e\ncudaCheck(x);") == []
    assert codes("status_t cudaStat, cudaStat2; cudaStat = cudaStat2;") == []


def test_cooperative_groups_declarations_go() -> None:
    text = "namespace cg = cooperative_groups;\nusing namespace cg;\nint a;\n"
    assert edited(text) == "int a;\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("cudaFancyNewThing(x);", ["G2O0211"]),
        ("cuCtxSynchronize();", ["G2O0201"]),
        ("cublasXtHandle_t h;", ["G2O0206"]),
        ("#include <cudnn.h>\n", ["G2O0206"]),
        ("#include <thrust/sort.h>\nthrust::sort(a, b);", []),
        ("#include <thrust/mr/pool.h>\n", ["G2O0206"]),
        ("surface<void, 2> s;", ["G2O0209"]),
        ("texture<float, 1> t;", []),
        ('asm volatile("suld.b.1d.b32 %0, [s, {x}];" : "=r"(x));', ["G2O0202"]),
        ('asm("rdtsc" : "=A"(x));', []),
        ("#define C(f) cuda##f()\n", ["G2O0201"]),
        ("#define K(n) __global__ void n() {}\n", ["G2O0201"]),
        ("// cudaFancyNewThing\n", []),
    ],
)
def test_report(source: str, expected: list[str]) -> None:
    assert codes(source) == expected


def test_nothing_is_reported_in_skipped_branches() -> None:
    text = "cudaOld(x);"
    assert codes(text, UnitFacts({}, inactive=((0, len(text)),))) == []
    assert codes("#if 0\ncudaOld(x);\n#else\n#endif\n") == []
    assert codes("#if 0\n#else\ncudaOld(x);\n#endif\n") == ["G2O0211"]


def test_several_uses_are_one_report() -> None:
    (diagnostic,) = edits("cudaNew(1); cudaNew(2); cudaNew(3);").diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.text == "cudaNew"
    assert diagnostic.notes[-1].message == "and 2 more uses in this file"


def test_no_cuda_no_edits() -> None:
    text = '#include <cstdio>\nint main() { std::printf("%d", 1 << 2); }\n'
    assert edits(text).edits == ()
    assert edits(text).diagnostics == ()


def test_guards_of_headers_that_nvcc_includes() -> None:
    text = "#ifdef __DRIVER_TYPES_H__\n#define OK cudaSuccess\n#endif\n"
    assert edited(text) == "#ifdef G2O\n#define OK g2o::Success\n#endif\n"


def test_types_that_another_compiler_gets_are_renamed_elsewhere() -> None:
    branch = "#ifdef OTHER\ntypedef other2 __nv_bfloat162;\n#endif\n"
    assert edited(f"{branch}struct S {{ __nv_bfloat162 x; }};\n") == (
        f"{branch}struct S {{ g2o::nv_bfloat162 x; }};\n"
    )


def test_sources_of_nvcc_have_the_header_that_it_includes() -> None:
    text = "int main() { return rand(); }\n"
    new = EditedText(text, edits(text).edits).slice(0, len(text))
    assert new.startswith('#include "g2o_runtime.hpp"\n')
    other = host_edits(SourceFile("x.cpp", text), UnitFacts(KERNELS))
    assert not other.edits
