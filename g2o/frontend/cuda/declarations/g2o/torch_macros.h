// What kernels of extensions of PyTorch call: expanded, as macros of the program are.
#pragma once
#define gpuAtomicAdd atomicAdd
#define gpuAtomicAddNoReturn atomicAdd
#define gpuAtomicMax atomicMax
#define gpuAtomicMin atomicMin
#define G2O_OF_FOUR(a, b, c, d, name, ...) name
#define G2O_SHUFFLE_2(kind, value, lane) __shfl##kind##_sync(0xffffffff, value, lane)
#define G2O_SHUFFLE_3(kind, value, lane, width) __shfl##kind##_sync(0xffffffff, value, lane, width)
#define G2O_SHUFFLE_4(kind, value, lane, width, mask) __shfl##kind##_sync(mask, value, lane, width)
#define G2O_SHUFFLE(kind, ...)                                                                     \
    G2O_OF_FOUR(__VA_ARGS__, G2O_SHUFFLE_4, G2O_SHUFFLE_3, G2O_SHUFFLE_2, )(kind, __VA_ARGS__)
#define WARP_SHFL(...) G2O_SHUFFLE(, __VA_ARGS__)
#define WARP_SHFL_UP(...) G2O_SHUFFLE(_up, __VA_ARGS__)
#define WARP_SHFL_DOWN(...) G2O_SHUFFLE(_down, __VA_ARGS__)
#define WARP_SHFL_XOR(...) G2O_SHUFFLE(_xor, __VA_ARGS__)

#define CUDA_KERNEL_LOOP_TYPE(i, n, index_type)                                                    \
    for (index_type i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
