// C symbols of the runtime API, for programs that have C sources. In C++ sources the functions are
// inline ones of the headers and need none.
#pragma once

#include "../cuda_emulator.hpp"

#define G2O_EMULATOR_C(name, parameters, arguments)                                                \
    cudaError_t c_##name parameters asm(#name);                                                    \
    cudaError_t c_##name parameters { return name arguments; }

G2O_EMULATOR_C(cudaSetDevice, (int device), (device))
G2O_EMULATOR_C(cudaGetDevice, (int *device), (device))
G2O_EMULATOR_C(cudaGetDeviceCount, (int *count), (count))
G2O_EMULATOR_C(cudaDeviceSynchronize, (), ())
G2O_EMULATOR_C(cudaThreadSynchronize, (), ())
G2O_EMULATOR_C(cudaDeviceReset, (), ())
G2O_EMULATOR_C(cudaMalloc, (void **pointer, std::size_t bytes), (pointer, bytes))
G2O_EMULATOR_C(cudaMallocHost, (void **pointer, std::size_t bytes), (pointer, bytes))
G2O_EMULATOR_C(cudaFree, (void *pointer), (pointer))
G2O_EMULATOR_C(cudaFreeHost, (void *pointer), (pointer))
G2O_EMULATOR_C(cudaMemset, (void *to, int value, std::size_t bytes), (to, value, bytes))
G2O_EMULATOR_C(cudaMemcpy, (void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind),
               (to, from, bytes, kind))
G2O_EMULATOR_C(cudaMemcpyAsync,
               (void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind,
                cudaStream_t stream),
               (to, from, bytes, kind, stream))
G2O_EMULATOR_C(cudaGetLastError, (), ())

const char *c_cudaGetErrorString(cudaError_t error) asm("cudaGetErrorString");
const char *c_cudaGetErrorString(cudaError_t error) { return cudaGetErrorString(error); }
