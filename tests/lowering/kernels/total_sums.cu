// Trees that add up integers, of which only the total is used, are sums.
#define N 128

__global__ void halves(const int *in, int *out, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x, i = blockIdx.x * N + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    // Half of the threads add, then a quarter ...
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// Neighbours first, as unsigned numbers; all threads use the total.
__global__ void neighbours(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[2 * N];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + N] = in[t + N];
    for (int d = 1; d < 2 * N; d *= 2) {
        __syncthreads();
        if (t % d == 0)
            s[2 * t] += s[2 * t + d];
    }
    __syncthreads();
    out[t] = in[t] * s[0];
}

// Step by step, and only the first half of the array.
__global__ void unrolled(const int *in, int *out)
{
    __shared__ int s[2 * N];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) s[t] += s[t + 32];
    __syncthreads();
    for (int d = 16; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, s[0]);
}

// Other elements are used as well.
__global__ void parts(const int *in, int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    out[t] = s[t];
}

// Some elements count twice.
__global__ void twice(const int *in, int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        s[0] += s[1];
    __syncthreads();
    if (t == 0)
        out[0] = s[0];
}

// Real numbers keep the order of the source.
__global__ void reals(const float *in, float *out)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = N / 2; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[0] = s[0];
}

void run(const int *in, int *out, const float *x, float *y, int n)
{
    halves<<<8, N>>>(in, out, n);
    neighbours<<<1, N>>>((const unsigned *)in, (unsigned *)out);
    unrolled<<<4, N>>>(in, out);
    parts<<<1, N>>>(in, out);
    twice<<<1, N>>>(in, out);
    reals<<<1, N>>>(x, y);
}
