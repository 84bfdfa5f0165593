// Kernels without a race that look as if they had one.
#define N 64

__global__ void mirrored(const float *in, float *out)
{
    __shared__ float s[2 * N];
    int t = threadIdx.x;
    s[t] = in[t];
    s[2 * N - 1 - t] = in[t];
    __syncthreads();
    out[t] = s[t + 1] + s[2 * N - 2 - t];
}

__global__ void even_and_odd(const float *in, float *out)
{
    __shared__ float s[2 * N];
    int t = threadIdx.x;
    s[2 * t] = in[t];
    s[2 * t + 1] = in[t + N];
    __syncthreads();
    if (t % 2 == 0)
        s[t] += s[t + 1];
    __syncthreads();
    out[t] = s[t];
}

__global__ void double_buffer(const float *in, float *out, int rounds)
{
    __shared__ float s[2][N];
    int t = threadIdx.x;
    s[0][t] = in[t];
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        int from = r % 2;
        s[1 - from][t] = s[from][t] + s[from][(t + 1) % N];
        __syncthreads();
    }
    out[t] = s[rounds % 2][t];
}

__global__ void halving(const float *in, float *out)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int half = N / 2; half > 0; half >>= 1) {
        __syncthreads();
        if (t < half)
            s[t] += s[t + half];
    }
    if (t == 0)
        out[0] = s[0];
}

__global__ void tree(int *data)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = data[t];
    int offset = 1;
    for (int d = N / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    __syncthreads();
    data[t] = s[t];
}

__global__ void same_value(int *flag, const int *in)
{
    __shared__ int any;
    int t = threadIdx.x;
    if (t == 0)
        any = 0;
    __syncthreads();
    if (in[t] > 0)
        any = 1;
    __syncthreads();
    if (t == 0)
        flag[0] = any;
}

__global__ void counted(const int *in, int *out)
{
    __shared__ int bins[N];
    int t = threadIdx.x;
    bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[t] % N], 1);
    __syncthreads();
    out[t] = bins[t];
}

__global__ void rows(const float *in, float *out, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width) {
        out[y * width + x] = in[y * width + x];
        out[y * width + x] += 1.0f;
    }
}

__global__ void strided(float *data, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[i] = 2.0f * data[i];
}

__global__ void in_step(volatile float *out, const float *in)
{
    __shared__ volatile float s[2 * N];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
    }
    if (t == 0)
        out[0] = s[0];
}

__global__ void by_components(float4 *out)
{
    __shared__ float4 s[N];
    int t = threadIdx.x;
    s[t].x = 1.0f * t;
    __syncthreads();
    s[t].y = s[N - 1 - t].x;
    __syncthreads();
    out[t] = s[t];
}

void launch(const float *in, float *out, int *numbers, float4 *vectors, int n)
{
    mirrored<<<1, N>>>(in, out);
    even_and_odd<<<1, N>>>(in, out);
    double_buffer<<<1, N>>>(in, out, n);
    halving<<<1, N>>>(in, out);
    tree<<<1, N>>>(numbers);
    same_value<<<1, N>>>(numbers, numbers);
    counted<<<1, N>>>(numbers, numbers + N);
    rows<<<dim3(4, 4), dim3(16, 16)>>>(in, out, n);
    strided<<<1, N>>>(out, n);
    in_step<<<1, N>>>(out, in);
    by_components<<<1, N>>>(vectors);
}

// For some strides the arrays would overlap; those are not what it is launched with.
__global__ void fields(float *data, int stride)
{
    __shared__ float unused[N];
    int t = threadIdx.x;
    unused[t] = 0.0f;
    data[t] = 1.0f;
    data[t + stride] = 2.0f;
    data[t + 2 * stride] = unused[t];
}

void launch_fields(float *out, int n)
{
    fields<<<1, N>>>(out, n);
}
