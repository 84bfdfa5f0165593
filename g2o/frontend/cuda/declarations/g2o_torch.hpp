// ATen/cuda, c10/cuda and THC for reading: what g2o_torch.hpp of the runtime has, and what only
// kernels call.
#pragma once
#include "g2o_cuda.h"

namespace g2o {
using Stream = cudaStream_t;
using Error = cudaError_t;
using DeviceProp = cudaDeviceProp;
inline Error get_last_error() { return cudaGetLastError(); }
inline const char *get_error_string(Error error) { return cudaGetErrorString(error); }
inline Error get_device_properties(DeviceProp *properties, int device)
{
    return cudaGetDeviceProperties(properties, device);
}
} // namespace g2o

#define G2O_RUNTIME_HPP
#define G2O_DEVICES_HPP
#include "../../../runtime/g2o_torch.hpp"
#undef G2O_RUNTIME_HPP
#undef G2O_DEVICES_HPP

template <typename = void> __device__ at::Half atomicAdd(at::Half *address, at::Half value);
template <typename = void> __device__ at::BFloat16 atomicAdd(at::BFloat16 *, at::BFloat16 value);
template <typename = void> __device__ void atomicAdd(std::uint8_t *address, std::uint8_t value);
template <typename = void> __device__ void atomicAdd(std::int8_t *address, std::int8_t value);
template <typename = void> __device__ void atomicAdd(std::int16_t *address, std::int16_t value);
template <typename = void> __device__ void atomicAdd(std::int64_t *address, std::int64_t value);
template <typename = void> __device__ void atomicAdd(bool *address, bool value);

#include "g2o/torch_macros.h"
