// More kernels without a race that look like those with one.
#define N 64

struct Particle {
    float mass;
    float charge;
};

__global__ void by_remainder(const float *in, float *out)
{
    __shared__ float s[N + 1];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t % 4 == 0)
        s[t + 1] = 2.0f * t;
    else if (t % 4 == 2)
        out[t] = s[t];
}

__global__ void rows_only(float *out)
{
    __shared__ float m[8][8];
    int t = threadIdx.x;
    for (int i = 0; i < 8; ++i)
        m[t][i] = float(t * i);
    for (int i = 0; i < 8; ++i)
        m[t][7 - i] += 1.0f;
    __syncthreads();
    out[t] = m[t][t];
}

__global__ void scan(float *data)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        float other = t >= d ? s[t - d] : 0.0f;
        __syncthreads();
        s[t] += other;
        __syncthreads();
    }
    data[t] = s[t];
}

__global__ void buffers(const float *in, float *out, int rounds)
{
    __shared__ float s[2][N];
    int t = threadIdx.x;
    s[0][t] = in[t];
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        float left = s[r & 1][(t + 1) % N];
        s[1 - (r & 1)][t] = left;
        __syncthreads();
        out[t] += s[1 - (r & 1)][(t + 1) % N];
    }
}

__global__ void other_member(Particle *out)
{
    __shared__ Particle p[N + 1];
    int t = threadIdx.x;
    p[t].mass = 1.0f;
    __syncthreads();
    p[t].charge = 2.0f;
    out[t].mass = p[N - 1 - t].mass;
}

__global__ void two_pointers(const float *in, float *out)
{
    __shared__ float s[2 * N];
    float *low = s;
    float *high = s + N;
    int t = threadIdx.x;
    low[t] = in[t];
    high[t] = in[t + N];
    __syncthreads();
    out[t] = low[N - 1 - t] + high[t];
}

__global__ void halo_of_tile(const float *in, float *out)
{
    __shared__ float tile[10][10];
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    tile[y][x] = in[y * 10 + x];
    if (x == 1)
        tile[y][0] = in[y * 10];
    __syncthreads();
    out[y * 10 + x] = tile[y][x - 1];
}

__global__ void padded_rows(float *out)
{
    __shared__ float s[9 * 8];
    int t = 9 * threadIdx.y + threadIdx.x;
    s[t] = float(t);
    if (threadIdx.x == 7)
        s[t + 1] = 0.5f;
    __syncthreads();
    out[t] = s[t];
}

__global__ void not_folded(int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[(t + 5) & (N - 1)] = t;
    __syncthreads();
    out[t] = s[t / 2];
}

__global__ void even_ones(int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t % 2 == 0)
        s[t >> 1] += t;
    __syncthreads();
    out[t] = s[t];
}

__global__ void clamped_reads(const int *in, int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = in[t] + t;
    __syncthreads();
    out[t] = s[min(t + 2, N - 1)] + s[max(t - 2, 0)];
}

__global__ void steps_apart(float *out)
{
    __shared__ float s[4 * N];
    int t = threadIdx.x;
    for (int i = 2; i >= 0; i -= 2)
        s[4 * t + i] = float(t);
    __syncthreads();
    out[t] = s[t];
}

__global__ void flag_waits(int *data)
{
    __shared__ int more;
    int t = threadIdx.x;
    for (int i = 0; i < 8; ++i) {
        if (t == 0)
            more = i;
        __syncthreads();
        data[t] += more;
        __syncthreads();
    }
}

__global__ void barriers_on_both_ways(const float *in, float *out, int n)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    if (n > 4) {
        s[t] = in[t];
        __syncthreads();
    } else {
        s[t] = 0.0f;
        __syncthreads();
    }
    out[t] = s[N - 1 - t];
}

__global__ void tile_then_reuse(const float *in, float *out, int tiles)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < tiles; ++i) {
        s[t] = in[i * N + t];
        __syncthreads();
        sum += s[N - 1 - t];
        __syncthreads();
    }
    s[t] = sum;
    __syncthreads();
    out[t] = s[t] + s[0];
}

// Without the barrier there is no next turn.
__global__ void not_after_the_last(const float *in, float *out, int tiles)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < tiles; ++i) {
        s[t] = in[i * N + t];
        __syncthreads();
        sum += s[N - 1 - t];
        if (i + 1 < tiles)
            __syncthreads();
    }
    out[t] = sum;
}

__global__ void halves(float *data)
{
    __shared__ float s[2 * N];
    int t = threadIdx.x;
    s[t] = data[t];
    if (t < N / 2)
        s[t + N] = 1.0f;
    __syncthreads();
    data[t] = s[t] + s[t + N / 2];
}

__global__ void odd_and_even(int *out)
{
    __shared__ int s[2 * N + 2];
    int t = threadIdx.x;
    s[2 * t] = t;
    s[2 * t + 1] = 2 * t;
    __syncthreads();
    out[t] = s[2 * t + 1];
}

__global__ void smooth_apart(float *out, const float *__restrict__ in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    out[i] = 0.5f * (in[i - 1] + in[i]);
}

__global__ void ring(float *data)
{
    __shared__ float s[N];
    unsigned t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    data[t] = s[(t - 1u) % N];
}

__global__ void one_layer(float *out)
{
    __shared__ float s[4][4];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    if (z == 2)
        s[y][x] = float(z);
    __syncthreads();
    out[16 * z + 4 * y + x] = s[x][y];
}

union Word
{
    float real[N];
    int number[N];
};

__global__ void arrays_in_members(const float *in, float *out)
{
    __shared__ Word s;
    __shared__ struct
    {
        float f[N];
        int last;
    } own;
    int t = threadIdx.x;
    s.real[t] = in[t];
    own.f[t] = in[t];
    if (t == 0)
        own.last = N - 1;
    __syncthreads();
    out[t] = float(s.number[own.last - t]) + own.f[N - 1 - t];
}

// Between 1 and 4, but never 3.
__global__ void halved_index(float *out)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = 0.0f;
    __syncthreads();
    if (t == 0)
        s[3] = 1.0f;
    float sum = 0.0f;
    for (int i = 4; i > 0; i /= 2)
        sum += s[i];
    for (int i = 5; i < N; i *= 2)
        sum += s[i];
    out[t] = sum;
}

// Every row of the block stores the same.
__global__ void same_in_all_rows(const float *__restrict__ in, float *out)
{
    __shared__ float s[8];
    const int column = threadIdx.x;
    s[column] = in[column + 1];
    __syncthreads();
    out[threadIdx.y * 8 + column] = s[7 - column];
}

// All lanes have the sum, and store it.
__global__ void sum_of_a_warp(const int *x, int *y)
{
    __shared__ int sums[4];
    int t = threadIdx.x;
    int sum = __reduce_add_sync(0xffffffff, x[t]);
    sums[t / 32] = sum;
    __syncthreads();
    y[t] = sums[0] + sums[1];
}

void launch(const float *in, float *out, int *numbers, Particle *particles, int n)
{
    same_in_all_rows<<<1, dim3(8, 4)>>>(in, out);
    by_remainder<<<1, N>>>(in, out);
    rows_only<<<1, 8>>>(out);
    scan<<<1, N>>>(out);
    buffers<<<1, N>>>(in, out, n);
    other_member<<<1, N>>>(particles);
    two_pointers<<<1, N>>>(in, out);
    halo_of_tile<<<1, dim3(8, 8)>>>(in, out);
    padded_rows<<<1, dim3(8, 8)>>>(out);
    not_folded<<<1, N>>>(numbers);
    even_ones<<<1, N>>>(numbers);
    clamped_reads<<<1, N>>>(numbers, numbers + N);
    steps_apart<<<1, N>>>(out);
    flag_waits<<<1, N>>>(numbers);
    barriers_on_both_ways<<<1, N>>>(in, out, n);
    tile_then_reuse<<<1, N>>>(in, out, n);
    not_after_the_last<<<1, N>>>(in, out, n);
    halves<<<1, N>>>(out);
    odd_and_even<<<1, N>>>(numbers);
    smooth_apart<<<4, N>>>(out, in);
    ring<<<1, N>>>(out);
    one_layer<<<1, dim3(4, 4, 4)>>>(out);
    arrays_in_members<<<1, N>>>(in, out);
    halved_index<<<1, N>>>(out);
    sum_of_a_warp<<<1, 128>>>(numbers, numbers + 128);
}

// All threads store the same, each iteration an element of its own.
__global__ void same_in_all(double *out, const double *__restrict__ in, int n)
{
    __shared__ double s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int q = 0; q < n; q++)
        for (int p = 0; p < 8; p++) {
            double sum = s[q] + s[p];
            sum *= in[p];
            out[8 * q + p] = sum;
        }
}

// The first look of a loop that compares and swaps only guesses.
__global__ void saturated(const int *in, int *out, int limit)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    int old = sum, assumed;
    do {
        assumed = old;
        old = atomicCAS(&sum, assumed, min(assumed + in[threadIdx.x], limit));
    } while (assumed != old);
    __syncthreads();
    out[threadIdx.x] = sum;
}
