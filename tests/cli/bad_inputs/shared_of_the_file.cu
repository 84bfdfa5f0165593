// Shared memory that no function declares, named by a kernel and by a device function.
__shared__ int row[32];

__device__ int next(int i) { return row[(i + 1) % 32]; }

__global__ void rotate(int *out)
{
    row[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = next(threadIdx.x);
}

__global__ void copy(int *out) { out[threadIdx.x] = next(threadIdx.x); }
