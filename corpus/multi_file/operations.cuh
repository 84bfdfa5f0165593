// Kernels shared by the files of the program, and the ways to ask for them.
#ifndef OPERATIONS_CUH
#define OPERATIONS_CUH

#include <cuda_runtime.h>

#include <cstddef>

// What the kernels can do with an element.
enum Operation { OP_NEGATE, OP_HALVE_OR_TRIPLE, OP_DIGIT_SUM, OP_STEPS_TO_ONE, OP_COUNT };

// Kernels from and to integers, all of the same form.
typedef void (*IntKernel)(const int *in, int *out, int n);

__global__ void difference_to_left(const int *in, int *out, int n);
__global__ void distance_to_block_max(const int *in, int *out, int n);
__global__ void apply_operation(const int *in, int *out, int n, Operation operation);

// How many elements apply_operation has handled since the program started.
unsigned long long handled_elements();

// Steps of the 3n + 1 sequence from `value` down to 1.
__host__ __device__ inline int steps_to_one(int value)
{
    if (value < 1)
        return 0;
    long long v = value;
    int steps = 0;
    do {
        if (v == 1)
            return steps;
        v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        ++steps;
    } while (steps < 1000);
    return steps;
}

// Sets every element; a template has to live in the header.
template <typename T>
__global__ void fill(T *data, T value, std::size_t n)
{
    std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = value;
}

#endif
