// What kernels of extensions of PyTorch call: expanded, as macros of the program are.
#pragma once
#define gpuAtomicAdd atomicAdd
#define gpuAtomicAddNoReturn atomicAdd
#define gpuAtomicMax atomicMax
#define gpuAtomicMin atomicMin

#define CUDA_KERNEL_LOOP_TYPE(i, n, index_type)                                                    \
    for (index_type i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
