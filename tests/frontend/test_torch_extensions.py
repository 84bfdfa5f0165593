"""Extensions of PyTorch: its headers as a library's, its devices, its accessors.

The headers here are as much of PyTorch's as the sources need; `tests/interop` has the real ones.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from g2o.cli.main import run as run_g2o
from g2o.diagnostics.source import SourceFile
from g2o.frontend.cuda.host import UnitFacts, host_edits
from g2o.frontend.cuda.precompiled import may_mention, precompiled
from g2o.frontend.cuda.torch_headers import torch_flags, torch_headers
from g2o.frontend.cuda.unit import compiler_includes
from g2o.frontend.edits import EditedText

_HEADERS = Path(__file__).parent / "torch_headers" / "torch" / "include"
_EXTENSION = r"""
#include <torch/extension.h>
#define CUDA_NUM_THREADS 32
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/DeviceUtils.cuh>
#include <ATen/cuda/detail/IndexUtils.cuh>
#include <ATen/cuda/detail/KernelUtils.h>
#include <ATen/cuda/detail/TensorInfo.cuh>
#include <c10/cuda/CUDAGuard.h>

#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")

template <typename T, int N>
using Accessor = torch::PackedTensorAccessor32<T, N, torch::RestrictPtrTraits>;

template <typename scalar_t>
__global__ void scale_kernel(const Accessor<scalar_t, 2> x, const Accessor<scalar_t, 1> w,
                             Accessor<scalar_t, 2> y)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= x.size(1))
        return;
    auto row = x[blockIdx.y];
    y[blockIdx.y][j] = w[j] * row[j] * x[blockIdx.y][j];
}

template <typename scalar_t>
__global__ void add_up_kernel(const scalar_t *__restrict__ y, scalar_t *__restrict__ sums, int n)
{
    CUDA_KERNEL_LOOP(i, n) { gpuAtomicAdd(&sums[i / 4], y[i]); }
}

__device__ at::Half __shfl_down_sync(unsigned mask, at::Half value, unsigned by)
{
    return __shfl_down_sync(mask, value.operator __half(), by);
}

template <typename T> __host__ __device__ __forceinline__ T THCCeilDiv(T a, T b)
{
    return (a + b - 1) / b;
}

template <typename scalar_t>
__global__ void first_sum_kernel(const at::cuda::detail::TensorInfo<scalar_t, int> y, scalar_t *sum)
{
    using Place = at::cuda::detail::IndexToOffset<scalar_t, int, -1>;
    scalar_t part = y.data[Place::get(threadIdx.x, y)];
    for (int distance = 16; distance > 0; distance /= 2)
        part += WARP_SHFL_DOWN(part, distance);
    if (threadIdx.x == 0)
        *sum = part;
}

template <typename scalar_t>
__global__ void blend_kernel(const scalar_t *x, const scalar_t *w, scalar_t *y, int n)
{
    const int i = threadIdx.x;
    if (i >= n)
        return;
    scalar_t v = x[i] * w[0];
    v += x[i];
    const float twice = static_cast<float>(v) * 2.0f;
    y[i] = v * static_cast<scalar_t>(twice) + (i == 3 ? v : x[i]);
}

void blend(const at::Half *x, const at::Half *w, at::Half *y, int n)
{
    blend_kernel<at::Half><<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(x, w, y, n);
}

torch::Tensor scale(torch::Tensor x, torch::Tensor w)
{
    CHECK_CUDA(x);
    TORCH_CHECK(w.device().is_cuda() && w.device().type() == at::DeviceType::CUDA, "w");
    const at::cuda::CUDAGuard guard(x.device());
    auto y = torch::zeros({x.size(0), x.size(1)}, x.options().device(torch::kCUDA));
    const dim3 blocks((x.size(1) + 127) / 128, x.size(0));
    cudaStream_t stream = at::cuda::getCurrentCUDAStream();
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale", ([&] {
        scale_kernel<scalar_t><<<blocks, 128, 0, stream>>>(
            x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
            w.packed_accessor32<scalar_t, 1, torch::RestrictPtrTraits>(),
            y.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>());
    }));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}

torch::Tensor add_up(torch::Tensor y)
{
    auto sums = torch::zeros({y.numel() / 4}, y.options().device(torch::kCUDA, y.get_device()));
    AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "add_up", ([&] {
        add_up_kernel<scalar_t><<<THCCeilDiv(64, 32), CUDA_NUM_THREADS>>>(
            y.data_ptr<scalar_t>(), sums.data_ptr<scalar_t>(), y.numel());
    }));
    AT_CUDA_CHECK(cudaGetLastError());
    return sums;
}

float first_sum(torch::Tensor y)
{
    auto sum = torch::zeros({1}, y.options());
    const auto info = at::cuda::detail::getTensorInfo<float, int>(y);
    first_sum_kernel<float><<<1, 32>>>(info, sum.data_ptr<float>());
    return *sum.data_ptr<float>();
}
"""
_MAIN = r"""
#include "extension.omp.cpp"
#include <cstdio>

template <int N> auto all_of(const torch::Tensor &x)
{
    return x.packed_accessor32<float, N, torch::RestrictPtrTraits>();
}

int main()
{
    const torch::TensorOptions options;
    auto x = torch::zeros({2, 32}, options), w = torch::zeros({32}, options);
    auto d_x = torch::zeros({2, 32}, options), d_w = torch::zeros({32}, options);
    auto d_y = torch::zeros({2, 32}, options);
    for (int i = 0; i < 64; ++i) {
        x.data_ptr<float>()[i] = static_cast<float>(i % 5);
        w.data_ptr<float>()[i % 32] = static_cast<float>(i % 32 % 3);
        d_y.data_ptr<float>()[i] = static_cast<float>(i % 2 + 1);
    }
    auto y = scale(x, w);
    float wrong = 0;
    scale_kernel_grad<float>(dim3(1, 2), 128, all_of<2>(x), all_of<1>(w), all_of<2>(y),
                             all_of<2>(d_x), all_of<1>(d_w), all_of<2>(d_y));
    for (int j = 0; j < 32; ++j) {
        float of_w = 0;
        for (int i = j; i < 64; i += 32) {
            const float at = x.data_ptr<float>()[i], seed = static_cast<float>(i % 2 + 1);
            wrong += std::abs(y.data_ptr<float>()[i] - w.data_ptr<float>()[j] * at * at);
            wrong += std::abs(d_x.data_ptr<float>()[i] - 2 * w.data_ptr<float>()[j] * at * seed);
            of_w += at * at * seed;
        }
        wrong += std::abs(d_w.data_ptr<float>()[j] - of_w);
    }
    auto sums = add_up(y);
    float all = 0;
    for (int i = 0; i < 8; ++i)
        all += sums.data_ptr<float>()[i];
    std::printf("%g %g\n", double(wrong), double(all - first_sum(y)));
    const at::Half halves[] = {1, 2, 3, 4}, weights[] = {2};
    at::Half blended[4], seeds[] = {1, 2, 1, 3}, d_halves[4], d_weights[1];
    blend_kernel_grad<at::Half>(1, 32, halves, weights, blended, 4, d_halves, d_weights, seeds);
    for (int i = 0; i < 4; ++i)
        std::printf("%g %g ", double(blended[i]), double(d_halves[i]));
    std::printf("%g\n", double(d_weights[0]));
}
"""


def test_an_extension_runs_on_the_cpu_with_its_gradient(tmp_path: Path) -> None:
    source = tmp_path / "extension.cu"
    source.write_text(_EXTENSION)
    grad = "scale_kernel(y)/(x, w)"
    grads = ["--grad", grad, "--grad", "blend_kernel"]
    assert run_g2o(["translate", "-q", str(source), *grads, "-I", str(_HEADERS)]) == 0
    code = (tmp_path / "extension.omp.cpp").read_text()
    assert "is_cuda" not in code
    assert "kCUDA" not in code
    assert "blend_kernel<at::Half>(1, 32, x, w, y, n);" in code
    main = tmp_path / "main.cpp"
    main.write_text(_MAIN)
    command = ["g++", "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror", str(main)]
    program = tmp_path / "main"
    subprocess.run([*command, "-isystem", str(_HEADERS), "-o", str(program)], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    blended = [(18 + 1, 36 + 1), (72 + 2, 2 * (72 + 1)), (162 + 3, 108 + 1), (288 + 12, 3 * 147)]
    of_weight = 12 * 1 + 2 * 24 * 2 + 36 * 3 + 3 * (48 + 1) * 4
    lines = "".join(f"{value} {gradient} " for value, gradient in blended)
    assert done.stdout == f"0 0\n{lines}{of_weight}\n"


def test_functions_of_headers_that_are_not_included_are_the_programs(tmp_path: Path) -> None:
    """`WARP_SHFL_XOR` is in DeviceUtils.cuh; others may include only what declares it by now."""
    source = tmp_path / "extension.cu"
    source.write_text("""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/detail/KernelUtils.h>
#include <cuda_fp16.h>
using namespace at::cuda::detail;
template <typename T>
__device__ T WARP_SHFL_XOR(T value, int lanes, int width = warpSize, unsigned mask = 0xffffffff)
{
    return __shfl_xor_sync(mask, value, lanes, width);
}
template <typename T>
C10_LAUNCH_BOUNDS_1(1024)
__global__ void fill(float *x, T *y)
{
    __shared__ __half kept[32];
    kept[threadIdx.x] = y[threadIdx.x];
    x[threadIdx.x] = WARP_SHFL_XOR(x[threadIdx.x], 1) + FLT_MAX + __half2float(kept[threadIdx.x]);
}
void fill_all(float *x, at::Half *y, int n)
{
    fill<<<GET_BLOCKS(n), CUDA_NUM_THREADS>>>(x, y);
}
""")
    assert run_g2o(["translate", "-q", str(source), "-I", str(_HEADERS)]) == 0
    code = (tmp_path / "extension.omp.cpp").read_text()
    assert "FLT_MAX" in code
    assert "C10_LAUNCH" not in code
    assert "fill(GET_BLOCKS(n), CUDA_NUM_THREADS, x, y);" in code


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("bool b = x.is_cuda();", "bool b = x.is_cpu();"),
        ("bool b = x.type().is_cuda();", "bool b = x.is_cpu();"),
        ("bool b = is_cuda(x);", "bool b = is_cuda(x);"),
        ("#define CHECK(x) TORCH_CHECK(x->is_cuda())", "#define CHECK(x) TORCH_CHECK(x->is_cpu())"),
        ("auto y = x.to(at::kCUDA);", "auto y = x.to(at::kCPU);"),
        ("at::checkAllSameGPU(c, {x, y});", "at::checkAllSameCPU(c, {x, y});"),
        ("auto y = x.cuda();", "auto y = x.cpu();"),
        ("auto d = c10::DeviceType::CUDA;", "auto d = c10::DeviceType::CPU;"),
        ('torch::Device d("cuda:0");', 'torch::Device d("cpu");'),
        ('auto d = torch::Device("cuda:0");', 'auto d = torch::Device("cpu");'),
        ("TORCH_LIBRARY_IMPL(ops, CUDA, m) {}", "TORCH_LIBRARY_IMPL(ops, CPU, m) {}"),
    ],
)
def test_the_device_is_the_cpu(said: str, meant: str) -> None:
    found = host_edits(SourceFile("x.cpp", said), UnitFacts({}, reads_torch=True))
    edited = EditedText(said, found.edits).slice(0, len(said))
    assert edited.removeprefix('#include "g2o_runtime.hpp"').lstrip() == meant
    assert not host_edits(SourceFile("x.cpp", said), UnitFacts({})).edits


@pytest.mark.parametrize("header", ["<torch/extension.h>", '"utils.h"'])
def test_what_pytorch_has_for_cuda_alone_is_included(header: str) -> None:
    text = f"#include {header}\n#include <cuda.h>\nusing torch::RestrictPtrTraits;\n"
    found = host_edits(SourceFile("x.cu", text), UnitFacts({}, reads_torch=True))
    edited = EditedText(text, found.edits).slice(0, len(text))
    assert f'#include {header}\n#include "g2o_torch.hpp"\n#include "g2o_runtime.hpp"\n' in edited


def test_pytorchs_directories_are_a_librarys() -> None:
    flags = torch_flags(("-I", str(_HEADERS), "-DN=1", "-Isrc"))
    assert flags[:2] == ("-DN=1", "-Isrc")
    assert flags[2:4] == ("-isystem", str(_HEADERS))
    header, places = torch_headers(flags)
    assert header is not None
    assert places == flags[2:]


def test_the_standard_is_what_pytorchs_headers_ask_for(tmp_path: Path) -> None:
    header = tmp_path / "ATen" / "ATen.h"
    header.parent.mkdir()
    header.write_text("#if !defined(_MSC_VER) && __cplusplus < 202002L\n#error later\n#endif\n")
    assert "-std=c++20" in torch_flags(("-I", str(tmp_path)))
    assert "-std=c++20" not in torch_flags(("-std=c++23", "-I", str(tmp_path)))
    assert not any(word.startswith("-std") for word in torch_flags(("-I", str(_HEADERS))))


def test_definitions_that_no_header_asks_for_are_told_apart() -> None:
    header = _HEADERS / "ATen" / "ATen.h"
    arguments = ("-x", "c++-header", "-std=c++17", *compiler_includes())
    assert precompiled(header, arguments) is not None
    assert may_mention(header, arguments, "__CUDACC__")
    assert not may_mention(header, arguments, "TORCH_EXTENSION_NAME")


def test_traits_of_the_program_are_no_part_of_torch(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "#include <cstddef>\n"
        "template <typename T> struct RestrictPtrTraits { typedef T *__restrict__ PtrType; };\n"
        "template <typename T, template <typename U> class Traits> struct View {\n"
        "    typename Traits<T>::PtrType data;\n    int n;\n};\n"
        "template <typename T> __global__ void twice(View<T, RestrictPtrTraits> v)\n"
        "{\n    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < v.n)\n        v.data[i] *= 2;\n}\n"
    )
    assert run_g2o(["translate", "-q", str(source)]) == 0
    assert "torch" not in (tmp_path / "k.omp.cpp").read_text()
