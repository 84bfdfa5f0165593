// Runs CUDA programs on the CPU as the execution model says, one CUDA thread at a time.
//
// It is the reference that translations are compared with, so it shares nothing with them: the
// source is compiled as plain C++17 after `rewrite.py` has turned launches and shared variables
// into calls of what is declared here.
//
// Environment:  G2O_SEED           order of blocks, warps and lanes; 0 (default): in order
//               G2O_POISON         byte that fresh memory is filled with (default 0xCB); -1: none
//               G2O_STACK_KB       stack of a CUDA thread (default 256)
//               G2O_IDLE_SECONDS   how long all threads may spin without effect (default 20)
//               G2O_RELAXED_WARPS  1: warp operations do not wait for lanes that never come
//               G2O_LOCKSTEP       0: lanes do not step together in code over volatile memory
// Exit codes:   86 stack overflow of a CUDA thread, 87 deadlock or livelock, 88 something that the
//               emulator does not support, 89 undefined behaviour that was noticed
#pragma once

#ifndef __cplusplus
#include "parts/c_api.h"
#else

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Only in CUDA sources: host sources that include these headers do not have a CUDA compiler.
// `__CUDA_ARCH__` is never defined: of functions for both sides, the host's side is compiled. Those
// for devices alone ask for G2O_CUDA_ARCH.
#ifdef G2O_EMULATED_SOURCE
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define G2O_CUDA_ARCH 800
#endif
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define CUDART_CB
#define CUDART_VERSION 12000
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#ifndef __restrict
#define __restrict __restrict__
#endif

#include "parts/vector_types.hpp"

#include "parts/atomics.hpp"
#include "parts/device_api.hpp"
#include "parts/device_math.hpp"
#include "parts/integers.hpp"
#include "parts/packed.hpp"
#include "parts/errors.hpp"
#include "parts/execution.hpp"
#include "parts/graphs.hpp"
#include "parts/launch.hpp"
#include "parts/memory.hpp"
#include "parts/memory_pools.hpp"
#include "parts/special_functions.hpp"
#include "parts/texture.hpp"
#include "parts/warp.hpp"

#endif // __cplusplus
