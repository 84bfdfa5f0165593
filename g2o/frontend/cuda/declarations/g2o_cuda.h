// What the frontend includes in front of every CUDA file, so that libclang parses CUDA C++ without
// a CUDA toolkit. Everything here is declared for reading only: nothing is ever compiled or linked.
//
// Flags that work with the libclang 18.1.1 wheel and the C++ headers of g++ 12 (see api.py for the
// names these declarations are translated to):
//
//   -x cuda --cuda-host-only -nocudainc -nocudalib --cuda-path=/nonexistent
//   -Xclang -target-sdk-version=12.0 -std=c++17
//   -I <this folder> -isystem $(gcc -print-file-name=include) -include g2o_cuda.h
//
//   * clang looks for a toolkit even so, and what it finds decides which function a launch calls:
//     with the path and the version stated, a launch is read alike on every machine.
//   * The wheel has no resource directory, so stddef.h, stdarg.h, float.h and limits.h are the
//     compiler's. Its omp.h and x86 intrinsics use builtins that only GCC has: <this folder> has
//     its own omp.h and immintrin.h and must come first.
//   * In CUDA mode a call of a host function in device code is an error. The pragma below makes
//     every function between begin and end callable from both, the C library's among them;
//     constexpr functions of the C++ library are callable from both anyway. It ends with this
//     header, so that calls of the program's own host functions are still found to be wrong.
//   * __CUDA_ARCH__ is not defined: what is read is the host side of `#ifdef __CUDA_ARCH__`.
#pragma once

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#define G2O_CUDA_ARCH 800

// The guards of headers that nvcc includes by itself: others ask for them.
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

// The C library's headers, without the C++ library's wrappers around them: those mix with the rest
// of the C++ library, which must all be read with or all without the pragma.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <stdio.h>
#pragma clang force_cuda_host_device begin
#include <assert.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#pragma clang force_cuda_host_device end
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS

// Overloads of abs for long integers are functions of the host alone without this.
#include <cstddef>
#if __has_include(<bits/std_abs.h>)
#pragma clang force_cuda_host_device begin
#include <bits/std_abs.h>
#pragma clang force_cuda_host_device end
#endif

// Pairs are handed around on the device, and so are tuples (see tuple).
#pragma clang force_cuda_host_device begin
#include <utility>
#pragma clang force_cuda_host_device end

// What every CUDA file may use without an include; overloads for float among it.
#include <math.h>
#include <new>
#include <stdlib.h>

// Macros of these names, which a command line may define, are not meant for what follows.
#pragma push_macro("C")
#undef C
#pragma push_macro("F")
#undef F
#pragma push_macro("P")
#undef P
#pragma push_macro("S")
#undef S
#pragma push_macro("T")
#undef T
#pragma push_macro("V")
#undef V

#pragma clang force_cuda_host_device begin
#include "g2o/attributes.h"
#include "g2o/vector_types.h"

#include "g2o/runtime_types.h"

#include "g2o/runtime_functions.h"

#include "g2o/device_functions.h"

#include "g2o/math_functions.h"

#ifdef G2O_OWN_TEXTURES  // the program has something of its own called so, as CUDA 12 allows
#define texture g2o_texture
#define surface g2o_surface
#endif
#include "g2o/textures.h"
#ifdef G2O_OWN_TEXTURES
#undef texture
#undef surface
#endif

#pragma clang force_cuda_host_device end

#pragma pop_macro("C")
#pragma pop_macro("F")
#pragma pop_macro("P")
#pragma pop_macro("S")
#pragma pop_macro("T")
#pragma pop_macro("V")

// A builtin that clang declares for device code only; the same declaration must be repeated.
// Functions for both sides call one of their own, where only devices come.
__device__ void __syncthreads();
__host__ void __syncthreads();

// Of stdio.h, whose variadic functions are not allowed in device code.
extern "C" __device__ int printf(const char *format, ...);

// Placement new of <new> is a host function, and must not be declared again as both.
__device__ void *operator new(size_t bytes, void *place) noexcept;
__device__ void *operator new[](size_t bytes, void *place) noexcept;
