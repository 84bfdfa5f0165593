"""The declaration headers: CUDA C++ is parsed without a toolkit, and no more is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2o.frontend.cuda.api import REPLACED_INCLUDES
from g2o.frontend.cuda.clang_api import Cursor
from g2o.frontend.cuda.clang_unit import TranslationUnit
from g2o.frontend.cuda.libraries import LIBRARY_DECLARATIONS
from g2o.frontend.cuda.unit import DECLARATIONS, compiler_includes

FLAGS = [
    *("-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent"),
    *("-Xclang", "-target-sdk-version=12.0", "-Xclang", "-fcuda-allow-variadic-functions"),
    *("-ferror-limit=0", "-std=c++17", f"-I{DECLARATIONS}", f"-I{LIBRARY_DECLARATIONS}"),
    *compiler_includes(),
    *("-include", "g2o_cuda.h"),
]


def parse(text: str) -> TranslationUnit:
    return TranslationUnit("program.cu", FLAGS, {"program.cu": text.encode()})


def errors(text: str) -> list[str]:
    return [message.text for message in parse(text).messages if message.severity >= 3]


def all_cursors(text: str) -> list[Cursor]:
    """Every node that the program itself spells."""
    unit = parse(text)
    own = (cursor for cursor in unit.top_level if cursor.file == "program.cu")
    return [node for cursor in own for node in cursor.walk()]


HOST_HEADERS = """
    algorithm array atomic bitset cassert chrono cmath complex cstdint cstdio cstdlib cstring
    filesystem fstream functional immintrin.h iomanip iostream limits malloc.h map math.h memory
    mutex numeric omp.h optional random set sstream stdio.h stdlib.h string string.h sys/time.h
    thread time.h tuple unistd.h unordered_map utility variant vector x86intrin.h
""".strip().split()  # fmt: skip


@pytest.mark.parametrize("order", [1, -1])
def test_host_headers_parse_in_any_order(order: int) -> None:
    text = "".join(f"#include <{name}>\n" for name in HOST_HEADERS[::order])
    assert errors(text) == []


@pytest.mark.slow
@pytest.mark.parametrize("header", sorted(REPLACED_INCLUDES))
def test_every_cuda_header_stands_alone(header: str) -> None:
    assert any((folder / header).is_file() for folder in (DECLARATIONS, LIBRARY_DECLARATIONS))
    assert errors(f"#include <{header}>\n#include <{header}>\n") == []


def test_no_header_mentions_a_path_or_a_toolkit() -> None:
    for header in DECLARATIONS.rglob("*.h*"):
        text = header.read_text()
        assert "/usr/" not in text, header
        assert max(len(line) for line in text.splitlines()) <= 100, header


ACCEPTED = {
    "qualifiers": """
        __constant__ float coefficients[4];
        __device__ int counter;
        __managed__ int shared_with_host;
        __device__ __forceinline__ int f(int x) { return x + counter; }
        __host__ __device__ __noinline__ int g(const int *__restrict__ x) { return x[0]; }
        struct __align__(16) Pair { float a, b; };
        template <int N> __global__ void __launch_bounds__(N, 2) k(int *x)
        {
            extern __shared__ float dynamic[];
            __shared__ double fixed[N][N + 1];
            fixed[0][0] = dynamic[0] + coefficients[1];
            x[0] = f(x[1]) + g(x);
        }
        void run(int *x) { k<64><<<1, 64, 4096>>>(x); }
    """,
    "vectors": """
        __global__ void k(float4 *v, int2 *i, dim3 d, uchar4 c)
        {
            v[0] = make_float4(1, 2, 3, v[1].w);
            i[0] = make_int2(threadIdx.x + blockIdx.y * blockDim.z, gridDim.x % warpSize);
            __shared__ float3 s[32];
            s[d.x].y = c.w;
            constexpr dim3 one(1), two{1, 2};
            static_assert(one.y == 1 && two.y == 2 && sizeof(float3) == 12 && alignof(int4) == 16);
        }
    """,
    "c library in device code": """
        #include <cassert>
        #include <cmath>
        #include <cstdio>
        #include <limits>
        #include <utility>
        __global__ void k(float *x, double *y, int n)
        {
            assert(n > 0);
            printf("%d\\n", n);
            memcpy(x, x + 1, n);
            memset(y, 0, 8);
            float *p = static_cast<float *>(malloc(16));
            float *q = new float[4];
            new (p) float(1.0f);
            free(p);
            delete[] q;
            x[0] = sinf(x[0]) + sin(x[1]) + std::sin(x[2]) + fabs(x[3]) + abs(x[4]) + powf(2, 3);
            y[0] = pow(y[0], 2) + sqrt(y[1]) + std::abs(y[2]) + std::max(y[3], y[4]) + floor(y[5]);
            x[1] = isnan(x[1]) + isinf(y[1]) + std::numeric_limits<float>::max() + INFINITY;
            x[2] = fmaxf(x[2], INT_MAX) + clock();
        }
    """,
    "mathematics": """
        __device__ float k(float f, double d, int i, unsigned u, long long l, size_t n)
        {
            float s, c;
            sincosf(f, &s, &c);
            __sincosf(f, &s, &c);
            sincospif(f, &s, &c);
            float sum = min(i, 3) + max(u, i) + min(f, d) + max(f, 0.0f) + min(n, n) + max(l, l);
            sum += rsqrtf(f) + rsqrt(d) + rsqrt(f) + norm3df(f, f, f) + __expf(f) + __powf(f, f);
            sum += __fmaf_rn(f, f, f) + __dadd_rd(d, d) + __fdividef(f, f);
            sum += normcdff(f) + erfinv(d) + __hiloint2double(i, i);
            sum += __float2int_rz(f) + __int_as_float(i) + __double2hiint(d);
            return sum + __popc(u) + __clz(i) + __ffsll(n) + __brev(u) + __umulhi(u, u) + s * c;
        }
    """,
    "atomics": """
        __global__ void k(float *f, double *d, int *i, unsigned *u, unsigned long long *l)
        {
            atomicAdd(f, 1);
            atomicAdd(d, 2.0f);
            atomicAdd_block(i, 1);
            atomicAdd(l, 1);
            atomicMax(i, 3);
            atomicInc(u, 7);
            if (atomicCAS(l, 0, __double_as_longlong(*d)) == 0ull) atomicExch(f, 1.0f);
            atomicOr_system(u, 1u);
        }
    """,
    "atomics that a program defines for old devices": """
        __device__ double atomicAdd(double *address, double value) { return *address += value; }
        __device__ float atomicMax(float *address, float value) { return *address; }
        __global__ void k(double *d, float *f) { atomicAdd(d, 1.0); atomicMax(f, 2.0f); }
    """,
    "warps and barriers": """
        __global__ void k(float *f, int *i)
        {
            unsigned mask = __activemask();
            for (int d = 16; d > 0; d /= 2) f[0] += __shfl_down_sync(0xffffffff, f[0], d);
            i[0] = __shfl_xor_sync(mask, i[0], 1, 16) + __shfl(i[1], 0);
            i[3] = __any_sync(mask, i[2] > 0);
            i[1] = __popc(__ballot_sync(~0u, threadIdx.x % 2)) + __reduce_add_sync(mask, i[1]);
            i[2] = __syncthreads_count(i[1] > 2) + __match_any_sync(mask, i[2]) + __ldg(&i[3]);
            __syncwarp();
            __threadfence_block();
            __syncthreads();
        }
    """,
    "memory": """
        __device__ float symbol[4];
        void run(size_t n)
        {
            float *p, *q;
            size_t pitch;
            cudaMalloc(&p, n);
            cudaMalloc((void **)&p, n);
            cudaMallocManaged(&q, n);
            cudaMallocPitch(&p, &pitch, n, n);
            cudaHostAlloc(&q, n, cudaHostAllocMapped | cudaHostAllocPortable);
            cudaMallocHost((void **)&q, n);
            cudaMemcpy(p, q, n, cudaMemcpyHostToDevice);
            cudaMemcpy2D(p, pitch, q, n, n, n, cudaMemcpyDefault);
            cudaMemcpyToSymbol(symbol, q, n);
            cudaMemcpyFromSymbol(q, symbol, n, 4);
            cudaGetSymbolAddress((void **)&p, symbol);
            cudaMemPrefetchAsync(p, n, cudaCpuDeviceId);
            cudaMemcpy3DParms parameters = {0};
            parameters.extent = make_cudaExtent(1, 2, 3);
            parameters.srcPtr = make_cudaPitchedPtr(p, n, n, n);
            cudaMemcpy3D(&parameters);
            if (cudaFree(p) != cudaSuccess) puts(cudaGetErrorString(cudaGetLastError()));
        }
    """,
    "streams, events and kernels by address": """
        __global__ void k(int *x);
        template <typename T> __global__ void t(T *x);
        void run(int *x)
        {
            cudaStream_t stream;
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
            cudaEvent_t start, stop;
            cudaEventCreate(&start);
            cudaEventCreate(&stop, cudaEventDisableTiming);
            cudaEventRecord(start);
            k<<<1, dim3(8, 8), 0, stream>>>(x);
            t<<<dim3(1), 2>>>(x);
            t<int><<<1, 2, 16, cudaStreamPerThread>>>(x);
            void *arguments[] = {&x};
            cudaLaunchKernel((void *)k, dim3(1), dim3(2), arguments, 0, stream);
            cudaLaunchKernel(k, 1, 2, arguments);
            cudaLaunchCooperativeKernel((const void *)k, 1, 2, arguments, 0, 0);
            int blocks;
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 128, 0);
            cudaOccupancyMaxPotentialBlockSize(&blocks, &blocks, t<float>, 0, 0);
            cudaFuncSetAttribute(t<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
            cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);
            float milliseconds;
            cudaEventElapsedTime(&milliseconds, start, stop);
        }
    """,
    "lambdas": """
        template <typename F> __global__ void each(F f) { f(threadIdx.x); }
        void run(int *x)
        {
            each<<<1, 2>>>([=] __device__(int i) { x[i] = rsqrtf(i); });
            auto both = [=] __host__ __device__(int i) { return x[i]; };
            each<<<1, 2>>>(both);
        }
    """,
    "textures": """
        texture<float, 2, cudaReadModeElementType> reference;
        __global__ void k(cudaTextureObject_t object, float *x)
        {
            x[0] = tex1Dfetch<float>(object, 1) + tex2D<float4>(object, 1, 2).x;
            x[1] = tex2D(reference, 0.5f, 0.5f);
        }
        void run(float *x, cudaArray_t array)
        {
            cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
            cudaResourceDesc resource = {};
            resource.resType = cudaResourceTypeLinear;
            resource.res.linear.devPtr = x;
            resource.res.linear.desc = desc;
            cudaTextureDesc texture = {};
            texture.readMode = cudaReadModeElementType;
            cudaTextureObject_t object;
            cudaCreateTextureObject(&object, &resource, &texture, nullptr);
            reference.addressMode[0] = cudaAddressModeClamp;
            cudaBindTextureToArray(reference, array, desc);
        }
    """,
    "cooperative groups": """
        #include <cooperative_groups.h>
        #include <cooperative_groups/reduce.h>
        namespace cg = cooperative_groups;
        __global__ void k(float *x)
        {
            cg::thread_block block = cg::this_thread_block();
            auto warp = cg::tiled_partition<32>(block);
            cg::thread_block_tile<16> half = cg::tiled_partition<16>(block);
            static_assert(warp.size() == 32);
            x[0] = cg::reduce(warp, x[block.thread_rank()], cg::plus<float>());
            x[1] = half.shfl_xor(x[1], 1) + warp.any(x[2] > 0) + cg::coalesced_threads().size();
            cg::sync(block);
            cg::this_grid().sync();
        }
    """,
    "random numbers": """
        #include <curand_kernel.h>
        __global__ void k(curandState *states, float *x)
        {
            curand_init(1234, threadIdx.x, 0, &states[threadIdx.x]);
            curandStatePhilox4_32_10_t philox;
            curand_init(1ULL, 2, 3, &philox);
            x[0] = curand_uniform(states) + curand_normal(&philox) + curand_uniform4(&philox).w;
        }
    """,
    "half precision": """
        #include <cuda_bf16.h>
        #include <cuda_fp16.h>
        __global__ void k(half *h, __half2 *h2, __nv_bfloat16 *b)
        {
            h[0] = __float2half(1.0f) * h[1] + __hadd(h[2], h[3]);
            h2[0] = __hfma2(h2[1], h2[2], __floats2half2_rn(1.0f, 2.0f));
            float sum = __half2float(h[0]) + __low2float(h2[0]) + (float)b[0];
            b[0] = __float2bfloat16(sum) + b[1];
            if (h[0] < h[1]) h[0] = __shfl_down_sync(0xffffffff, h[1], 1);
        }
    """,
}


@pytest.mark.parametrize("program", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepts(program: str) -> None:
    assert errors(program) == []


REJECTED = {
    "host function in a kernel": (
        "void host(); __global__ void k() { host(); }",
        "no matching function for call to 'host'",
    ),
    "unknown name": (
        "void f() { cudaMalloced(0); }",
        "use of undeclared identifier 'cudaMalloced'",
    ),
    "wrong argument": (
        "__global__ void k(float *x) { __shfl_sync(1u, x, 2); }",
        "no matching function for call to '__shfl_sync'",
    ),
    "write to a builtin variable": (
        "__global__ void k() { threadIdx.x = 1; }",
        "cannot assign to variable 'threadIdx' with const-qualified type 'const uint3'",
    ),
    "kernel that returns a value": (
        "__global__ int k() { return 1; }",
        "kernel function type 'int ()' must have void return type",
    ),
}


@pytest.mark.parametrize(("program", "expected"), REJECTED.values(), ids=REJECTED.keys())
def test_rejects(program: str, expected: str) -> None:
    assert expected in errors(program)


def test_builtin_variables_are_members_of_plain_objects() -> None:
    nodes = all_cursors("__global__ void k(int *x) { x[0] = threadIdx.x + blockDim.y; }")
    members = [node for node in nodes if node.kind == "MEMBER_REF_EXPR"]
    assert [node.spelling for node in members] == ["x", "y"]
    bases = [node.children[0] for node in members]
    assert [(base.kind, base.spelling) for base in bases] == [
        ("DECL_REF_EXPR", "threadIdx"),
        ("DECL_REF_EXPR", "blockDim"),
    ]


def test_a_launch_is_a_call_with_its_configuration() -> None:
    nodes = all_cursors("__global__ void k(int x); void f() { k<<<1, 2, 3>>>(4); }")
    launch = next(node for node in nodes if node.kind == "CALL_EXPR")
    assert launch.spelling == "k"
    assert launch.children[1].kind == "CALL_EXPR"
    assert launch.children[1].spelling == "__cudaPushCallConfiguration"


def test_only_attributes_of_the_source_are_seen() -> None:
    nodes = all_cursors("__device__ int f() { return 1; } int g() { return 2; } __managed__ int m;")
    found = {
        node.spelling: [child.kind for child in node.children if child.is_attribute]
        for node in nodes
        if node.kind in ("FUNCTION_DECL", "VAR_DECL")
    }
    assert found == {
        "f": ["CUDADEVICE_ATTR"],
        "g": [],
        "m": ["CUDADEVICE_ATTR", "ANNOTATE_ATTR"],
    }


def test_the_header_brings_no_heavy_header_with_it() -> None:
    files = {Path(cursor.file).name for cursor in parse("").top_level}
    assert {"math_functions.h", "stdlib.h", "runtime_functions.h"} <= files
    assert not files & {"algorithm", "iostream", "vector", "x86_intrinsics.h", "narrow_floats.h"}
