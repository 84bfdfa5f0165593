// CUB: for the whole device the header of translations, with the emulator's API for the runtime's.
#pragma once
#include "../cuda_emulator.hpp"
#include "../include/cuda_bf16.h"
#include "../include/cuda_fp16.h"

#define G2O_RUNTIME_HPP
namespace g2o {
using Error = cudaError_t;
using Stream = cudaStream_t;
constexpr Error Success = cudaSuccess;
inline Error malloc(void **pointer, std::size_t bytes) { return cudaMalloc(pointer, bytes); }
inline Error free(void *pointer) { return cudaFree(pointer); }
} // namespace g2o
#include "../../../runtime/g2o_cub.hpp"
#include "../parts/cub.hpp"
