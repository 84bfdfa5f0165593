// Reductions by shuffles in the ways that people write them.
__inline__ __device__ float warp_sum(float val)
{
    for (int offset = warpSize / 2; offset; offset >>= 1)
        val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}

__inline__ __device__ float block_sum(float val)
{
    static __shared__ float shared[32];
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;
    val = warp_sum(val);
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();
    val = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0.0f;
    if (wid == 0)
        val = warp_sum(val);
    return val;
}

__global__ void sum(const float *in, float *out, int n)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

__global__ void unrolled(const float *in, float *out)
{
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    v += __shfl_down_sync(0xffffffff, v, 16);
    v += __shfl_down_sync(0xffffffff, v, 8);
    v += __shfl_down_sync(0xffffffff, v, 4);
    v += __shfl_down_sync(0xffffffff, v, 2);
    v += __shfl_down_sync(0xffffffff, v, 1);
    if ((threadIdx.x & 31) == 0)
        out[blockIdx.x * (blockDim.x / 32) + (threadIdx.x >> 5)] = v;
}

// The other lanes are asked as well: all steps stay.
__global__ void unrolled_for_all(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    v += __shfl_down_sync(0xffffffff, v, 2);
    v += __shfl_down_sync(0xffffffff, v, 1);
    out[i] = v;
}

__global__ void unsigned_steps(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    for (unsigned int o = 16; o >= 1; o /= 2)
        v = max(v, __shfl_xor_sync(0xffffffffu, v, o));
    out[i] = in[i] - v;
}

template <typename T>
__global__ void totals(const T *in, T *out)
{
    T value = in[blockIdx.x * 64 + threadIdx.x];
    for (int o = 16; o > 0; o /= 2)
        value += __shfl_down_sync(0xffffffff, value, o);
    if (threadIdx.x % 32 == 0)
        out[2 * blockIdx.x + threadIdx.x / 32] = value;
    value = out[threadIdx.x];
    for (int o = 8; o > 0; o /= 2)
        value += __shfl_down_sync(0xffffffff, value, o);
    if (threadIdx.x == 0)
        out[128 + blockIdx.x] = value;
}

void launch(const float *in, float *out, const int *numbers, int *largest, int n)
{
    sum<<<4, 128>>>(in, out, n);
    unrolled<<<4, 128>>>(in, out);
    unrolled_for_all<<<4, 128>>>(in, out);
    unsigned_steps<<<4, 128>>>(numbers, largest);
    totals<double><<<1, 64>>>(nullptr, nullptr);
}
