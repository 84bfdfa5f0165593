// Shared memory of a namespace, whose name may mean others too, and of a type without a name.
namespace rows {
__shared__ int row[32];
}
__shared__ struct {
    int low, high;
} range;

__global__ void copy(int *out)
{
    rows::row[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = rows::row[31 - threadIdx.x];
}

__global__ void bounds(int *out)
{
    range.low = 1;
    out[threadIdx.x] = range.low;
}
