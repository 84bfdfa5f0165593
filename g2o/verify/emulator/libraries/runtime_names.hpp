// What the headers of libraries call of the runtime, as the emulator has it.
#pragma once
#include "../cuda_emulator.hpp"
#include "../include/cuComplex.h"
#include "../include/cuda_bf16.h"
#include "../include/cuda_fp16.h"
#include "../include/cuda_fp8.h"

#define G2O_RUNTIME_HPP
#define G2O_COMPLEX_HPP
#define G2O_HALF_HPP
namespace g2o {
using Error = cudaError_t;
using Stream = cudaStream_t;
using FloatComplex = cuFloatComplex;
using DoubleComplex = cuDoubleComplex;
using half = __half;
using nv_bfloat16 = __nv_bfloat16;
using fp8_e4m3 = __nv_fp8_e4m3;
using fp8_e5m2 = __nv_fp8_e5m2;
constexpr Error Success = cudaSuccess;
inline Error malloc(void **pointer, std::size_t bytes) { return cudaMalloc(pointer, bytes); }
inline Error free(void *pointer) { return cudaFree(pointer); }
namespace detail {
template <typename Operation> Error enqueue(Stream stream, Operation operation) {
    return g2o_emulator::in_stream(stream, cudaGraphNodeTypeKernel, std::move(operation));
}
} // namespace detail
} // namespace g2o
