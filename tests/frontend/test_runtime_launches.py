"""Kernels that a function of the runtime launches have sizes like others."""

from __future__ import annotations

from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.launch_targets import kernels_used_as_values
from g2o.frontend.cuda.launches import LaunchSite
from g2o.frontend.cuda.runtime_launches import asked_about, runtime_launches

_UNKNOWN = (None, None, None)


def sites(body: str) -> tuple[LaunchSite, ...]:
    text = f"void run(int n, void **args) {{\n{body}\n}}\n"
    return runtime_launches(SourceFile("x.cu", text), frozenset())


def test_parts() -> None:
    (site,) = sites(
        "dim3 block(32, 4); int blocks;\n"
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, ns::k<float, 2>, 128, 0);\n"
        "cudaLaunchCooperativeKernel((void *)ns::k<float, 2>, blocks, block, args, 64, s);"
    )
    assert site.kernel == "k"
    assert [argument.text for argument in site.template_arguments] == ["float", "2"]
    assert site.block_dims == ("32", "4", "1")
    assert site.grid_dims == (None, "1", "1")
    assert site.shared is not None
    assert site.shared.text == "64"


def test_forms_of_the_kernel() -> None:
    for form in ("k", "&k", "(const void *)k", "(void *)&k", "reinterpret_cast<void *>(k)"):
        (site,) = sites(f"cudaLaunchKernel({form}, dim3(2), dim3(8), args, 0, 0);")
        assert (site.kernel, site.block_dims) == ("k", ("8", "1", "1")), form


def test_sizes_that_are_not_known() -> None:
    (site,) = sites("dim3 b(8); change(b); cudaLaunchKernel(k, dim3(2), b, args, 0, 0);")
    assert site.block_dims == _UNKNOWN
    assert sites("cudaLaunchKernel(table[n], dim3(2), dim3(8), args, 0, 0);") == ()


def test_asking_about_a_kernel_does_not_hide_it() -> None:
    source = SourceFile(
        "x.cu",
        "void run(void **args) {\n"
        "    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 9);\n"
        "    cudaLaunchKernel((void *)k, dim3(2), dim3(8), args, 0, 0);\n"
        "    keep(j);\n"
        "}\n",
    )
    kernels = frozenset("jk")
    assert kernels_used_as_values(source, kernels) == {"j", "k"}
    assert kernels_used_as_values(source, kernels, asked_about(source, kernels)) == {"j"}
