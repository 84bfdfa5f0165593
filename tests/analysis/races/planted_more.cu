// More kernels with a race each, of other shapes. The two accesses that race stand on the lines
// marked `race`; an access that races with itself is the only one marked.
#define N 64

struct Particle {
    float mass;
    float charge;
};

// Every fourth thread writes where its neighbour on the right reads.
__global__ void by_remainder(const float *in, float *out)
{
    __shared__ float s[N + 1];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t % 4 == 0)
        s[t + 1] = 2.0f * t; // race
    else if (t % 4 == 1)
        out[t] = s[t]; // race
}

// Row and column meet on the diagonal's neighbours.
__global__ void row_and_column(float *out)
{
    __shared__ float m[N][N];
    int t = threadIdx.x;
    for (int i = 0; i < N; ++i)
        m[t][i] = float(t * i); // race
    for (int i = 0; i < N; ++i)
        m[i][t] = 1.0f; // race
    __syncthreads();
    out[t] = m[t][t];
}

// A scan step that reads and writes in one interval.
__global__ void scan_in_place(float *data)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        if (t >= d)
            s[t] += s[t - d]; // race
        __syncthreads();
    }
    data[t] = s[t];
}

// The buffers are swapped, but the barrier is at the wrong end of a step.
__global__ void one_buffer_late(const float *in, float *out, int rounds)
{
    __shared__ float s[2][N];
    int t = threadIdx.x;
    s[0][t] = in[t];
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        float left = s[r % 2][(t + 1) % N];
        s[1 - r % 2][t] = left; // race
        out[t] += s[1 - r % 2][(t + 1) % N]; // race
        __syncthreads();
    }
}

// Members of one name of neighbouring structures.
__global__ void members(Particle *out)
{
    __shared__ Particle p[N + 1];
    int t = threadIdx.x;
    p[t].mass = 1.0f; // race
    p[t].charge = 2.0f;
    out[t].mass = p[t].charge;
    out[t].charge = p[N - 1 - t].mass; // race
}

// Two pointers into one array, half an array apart; the second one is a little too early.
__global__ void two_pointers(const float *in, float *out)
{
    __shared__ float s[2 * N];
    float *low = s;
    float *high = s + N - 1;
    int t = threadIdx.x;
    low[t] = in[t]; // race
    high[t] = in[t + N]; // race
    __syncthreads();
    out[t] = low[t] + high[t];
}

// Tiles of two dimensions: the halo is read before it is there.
__global__ void halo_of_tile(const float *in, float *out)
{
    __shared__ float tile[4][42];
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    tile[y][x] = in[y * 42 + x]; // race
    out[y * 42 + x] = tile[y][x - 1]; // race
}

// The last thread of a row writes the first of the next one.
__global__ void flat_rows(float *out)
{
    __shared__ float s[65];
    int t = 8 * threadIdx.y + threadIdx.x;
    s[t] = float(t); // race
    if (threadIdx.x == 7)
        s[t + 1] = 0.5f; // race
    __syncthreads();
    out[t] = s[t];
}

// Masked indices fold the block onto half of the array.
__global__ void folded(int *out)
{
    __shared__ int s[N / 2];
    int t = threadIdx.x;
    s[t & (N / 2 - 1)] = t; // race
    __syncthreads();
    out[t] = s[t / 2];
}

// Shifted indices: pairs of threads share an element.
__global__ void shifted(int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    s[t >> 1] += t; // race
    __syncthreads();
    out[t] = s[t];
}

// A clamped index is the same for all threads at the end.
__global__ void clamped(const int *in, int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[min(t + 2, N - 1)] = in[t] + t; // race
    __syncthreads();
    out[t] = s[max(t, 2)];
}

// Counting down by two, next to the following thread's element.
__global__ void steps_overlap(float *out)
{
    __shared__ float s[4 * N];
    int t = threadIdx.x;
    for (int i = 4; i >= 0; i -= 2)
        s[2 * t + i] = float(t); // race
    __syncthreads();
    out[t] = s[t];
}

// The flag of the loop is reset while others still look at it.
__global__ void flag_reset(int *data)
{
    __shared__ int more;
    int t = threadIdx.x;
    for (int i = 0; i < 8; ++i) {
        if (t == 0)
            more = i; // race
        __syncthreads();
        data[t] += more; // race
    }
}

// A barrier inside an else: the other way has none.
__global__ void barrier_on_one_way(const float *in, float *out, int n)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    if (n > 4) {
        s[t] = in[t]; // race
    } else {
        s[t] = 0.0f;
        __syncthreads();
    }
    out[t] = s[N - 1 - t]; // race
}

// The first tile is read behind the loop without waiting for its last turn.
__global__ void tile_then_reuse(const float *in, float *out, int tiles)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < tiles; ++i) {
        s[t] = in[i * N + t];
        __syncthreads();
        sum += s[N - 1 - t]; // race
        if (i + 1 < tiles)
            __syncthreads();
    }
    s[t] = sum; // race
    __syncthreads();
    out[t] = s[t] + s[0];
}

// Half the block writes for the other half, with an update.
__global__ void halves(float *data)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = data[t]; // race
    if (t < N / 2)
        s[t + N / 2] += 1.0f; // race
    __syncthreads();
    data[t] = s[t];
}

// Elements of four bytes written as pairs by one thread.
__global__ void pairs(int *out)
{
    __shared__ int s[2 * N + 2];
    int t = threadIdx.x;
    s[2 * t] = t; // race
    s[2 * t + 2] = 2 * t; // race
    __syncthreads();
    out[t] = s[2 * t];
}

// Global memory, several blocks of rows: neighbours of one block.
__global__ void smooth_in_place(float *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    data[i] = 0.5f * (data[i - 1] + data[i]); // race
}

// An element that an unsigned difference wraps to.
__global__ void ring(float *data)
{
    __shared__ float s[N];
    unsigned t = threadIdx.x;
    s[t] = data[t]; // race
    data[t] = s[(t - 1u) % N]; // race
}

// Three dimensions of threads, two of the array.
__global__ void flattened(float *out)
{
    __shared__ float s[4][4];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    s[y][x] = float(z); // race
    __syncthreads();
    out[16 * z + 4 * y + x] = s[x][y];
}

__global__ void halved_index(float *out)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = 0.0f;
    __syncthreads();
    if (t == 0)
        s[2] = 1.0f; // race
    float sum = 0.0f;
    for (int i = 4; i > 0; i /= 2)
        sum += s[i]; // race
    out[t] = sum;
}

__global__ void another_in_all_rows(const float *__restrict__ in, float *out)
{
    __shared__ float s[8];
    const int column = threadIdx.x;
    s[column] = in[column + threadIdx.y]; // race
    __syncthreads();
    out[threadIdx.y * 8 + column] = s[7 - column];
}

// Two warps store their sums to one element.
__global__ void sum_of_another_warp(const int *x, int *y)
{
    __shared__ int sums[4];
    int t = threadIdx.x;
    int sum = __reduce_add_sync(0xffffffff, x[t]);
    sums[t / 64] = sum;  // race
    __syncthreads();
    y[t] = sums[0] + sums[1];
}

void launch(const float *in, float *out, int *numbers, Particle *particles, int n)
{
    by_remainder<<<1, N>>>(in, out);
    row_and_column<<<1, N>>>(out);
    another_in_all_rows<<<1, dim3(8, 4)>>>(in, out);
    scan_in_place<<<1, N>>>(out);
    one_buffer_late<<<1, N>>>(in, out, n);
    members<<<1, N>>>(particles);
    two_pointers<<<1, N>>>(in, out);
    halo_of_tile<<<1, dim3(40, 2)>>>(in, out);
    flat_rows<<<1, dim3(8, 8)>>>(out);
    folded<<<1, N>>>(numbers);
    shifted<<<1, N>>>(numbers);
    clamped<<<1, N>>>(numbers, numbers + N);
    steps_overlap<<<1, N>>>(out);
    flag_reset<<<1, N>>>(numbers);
    barrier_on_one_way<<<1, N>>>(in, out, n);
    tile_then_reuse<<<1, N>>>(in, out, n);
    halves<<<1, N>>>(out);
    pairs<<<1, N>>>(numbers);
    smooth_in_place<<<4, N>>>(out);
    ring<<<1, N>>>(out);
    flattened<<<1, dim3(4, 4, 4)>>>(out);
    halved_index<<<1, N>>>(out);
    sum_of_another_warp<<<1, 128>>>(numbers, numbers + 128);
}

// The threads may be in different iterations of the inner loop.
__global__ void other_iterations(int *out, const int *__restrict__ in, int n)
{
    out[n + threadIdx.x] = 1;
    for (int q = 0; q < 8; q++)
        for (int p = 0; p < 8; p++)
            out[q] = in[p]; // race
}

__global__ void seen_beside_a_swap(int *out)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    int seen = s; // race
    atomicCAS(&s, 0, (int)threadIdx.x + 1); // race
    out[threadIdx.x] = seen;
}
