// Positions along axes that no launch uses add nothing; a thread that works alone needs no loop; all
// that leave together leave no trace.
__global__ void lane_sums(const float *x, float *sums, int n)
{
    __shared__ float part[128];
    int rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (n < 2)
        return;
    part[rank] = x[blockIdx.x * (blockDim.x * blockDim.y) + rank];
    __syncthreads();
    if (threadIdx.y * blockDim.x + threadIdx.x == 0)
        sums[blockIdx.x] = part[0] + part[127];
}

__global__ void search(const int *x, int *found, int n)
{
    if (threadIdx.x != 0)
        return;
    for (int i = blockIdx.y * 16; i < n; ++i) {
        if (x[i] < 0)
            continue;
        found[0] = i;
        break;
    }
}

// The only block is the one at 0.
__global__ void mirrored(const int *x, int *found, int n)
{
    __shared__ int own[64];
    int t = threadIdx.x;
    own[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    found[n * t + blockIdx.x * 64 + threadIdx.x] = own[63 - t] - (blockIdx.x + t);
    if (t == 0)
        found[n + blockIdx.x] = own[blockIdx.x + t];
}

void host(const float *x, float *sums, const int *y, int *found)
{
    lane_sums<<<4, 128>>>(x, sums, 512);
    search<<<1, 32>>>(y, found, 512);
    mirrored<<<1, 64>>>(y, found, 3);
}
