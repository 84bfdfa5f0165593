// Kernels with a race each. The two accesses that race stand on the lines marked `race`; an access
// that races with itself is the only one marked.
#define N 64

// The barrier between write and read is missing.
__global__ void missing_barrier(const float *in, float *out)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = in[t];           // race
    out[t] = s[N - 1 - t];  // race
}

// A thread in the middle also fills the element of its neighbour.
__global__ void halo_off_by_one(const float *in, float *out)
{
    __shared__ float s[N + 2];
    int t = threadIdx.x;
    s[t + 1] = in[t]; // race
    if (t == N / 2 - 1)
        s[t + 2] = in[t + 1]; // race
    __syncthreads();
    out[t] = s[t] + s[t + 2];
}

// Two neighbours write the same element.
__global__ void write_write(float *out)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t / 2] = float(t); // race
    __syncthreads();
    out[t] = s[t / 2];
}

// The tile is filled again while others still read it.
__global__ void loop_carried(const float *in, float *out, int rounds)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int r = 0; r < rounds; ++r) {
        s[t] = in[r * N + t]; // race
        __syncthreads();
        sum += s[N - 1 - t]; // race
    }
    out[t] = sum;
}

// One arm writes what the other reads.
__global__ void between_arms(const float *in, float *out)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = 0.0f;
    __syncthreads();
    if (t < N / 2)
        s[t] = in[t]; // race
    else
        out[t] = s[t - N / 2]; // race
}

// A tree reduction without a barrier between its steps.
__global__ void reduction_without_barrier(const float *in, float *out)
{
    __shared__ float s[4 * N];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int half = 2 * N; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half]; // race
    }
    if (t == 0)
        out[0] = s[0];
}

// Of two arrays in a loop one is used without waiting for it.
__global__ void second_array(const float *a, const float *b, float *out, int rounds)
{
    __shared__ float s[N];
    __shared__ float w[N];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int r = 0; r < rounds; ++r) {
        s[t] = a[r * N + t];
        __syncthreads();
        w[t] = b[r * N + t] * s[(t + 1) % N]; // race
        sum += w[(t + 3) % N]; // race
        __syncthreads();
    }
    out[t] = sum;
}

// Rows are read as columns before everybody has written.
__global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[8][8];
    int x = threadIdx.x;
    int y = threadIdx.y;
    tile[y][x] = in[y * 8 + x]; // race
    out[y * 8 + x] = tile[x][y]; // race
}

// In place: a neighbour's old value may be gone.
__global__ void in_place_shift(float *data)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    if (t > 0)
        s[t] = s[t - 1]; // race
    __syncthreads();
    data[t] = s[t];
}

// The first thread publishes a value that the others take at once.
__global__ void published_too_late(const float *in, float *out)
{
    __shared__ float mean;
    int t = threadIdx.x;
    if (t == 0)
        mean = in[0]; // race
    out[t] = in[t] - mean; // race
}

// Every thread writes its own number to one place.
__global__ void last_one_wins(int *out)
{
    __shared__ int last;
    int t = threadIdx.x;
    last = t; // race
    __syncthreads();
    out[t] = last;
}

// Strided writes overlap with the next thread's.
__global__ void overlapping_strides(float *out)
{
    __shared__ float s[2 * N];
    int t = threadIdx.x;
    for (int i = 0; i < 3; ++i)
        s[2 * t + i] = float(i * t); // race
    __syncthreads();
    out[t] = s[2 * t];
}

// Global memory races like shared memory.
__global__ void in_global_memory(float *data)
{
    int t = threadIdx.x;
    data[t] = 1.0f * t;    // race
    data[t + 8] = 2.0f * t; // race
}

// The barrier stands in one branch of a uniform condition only.
__global__ void barrier_in_one_branch(const float *in, float *out, int n)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = in[t]; // race
    if (n > 100)
        __syncthreads();
    out[t] = s[t ^ 1] + s[N - 1 - t]; // race
}

// The last iteration's values are read without waiting.
__global__ void after_the_loop(const float *in, float *out, int rounds)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    for (int r = 0; r < rounds; ++r) {
        __syncthreads();
        s[t] = in[r * N + t]; // race
    }
    out[t] = s[N - 1 - t]; // race
}

// Components of one vector are apart, those of the same name are not.
__global__ void components(float4 *out)
{
    __shared__ float4 s[N];
    int t = threadIdx.x;
    s[t].x = 1.0f * t; // race
    s[t].y = 2.0f * t;
    out[t].x = s[N - 1 - t].x; // race
}

void launch(const float *in, float *out, int *numbers, float4 *vectors, int n)
{
    missing_barrier<<<1, N>>>(in, out);
    halo_off_by_one<<<1, N>>>(in, out);
    write_write<<<1, N>>>(out);
    loop_carried<<<1, N>>>(in, out, n);
    between_arms<<<1, N>>>(in, out);
    reduction_without_barrier<<<1, 4 * N>>>(in, out);
    second_array<<<1, N>>>(in, in, out, n);
    transpose<<<1, dim3(8, 8)>>>(in, out);
    in_place_shift<<<1, N>>>(out);
    published_too_late<<<1, N>>>(in, out);
    last_one_wins<<<1, N>>>(numbers);
    overlapping_strides<<<1, N>>>(out);
    in_global_memory<<<1, N>>>(out);
    barrier_in_one_branch<<<1, N>>>(in, out, n);
    after_the_loop<<<1, N>>>(in, out, n);
    components<<<1, N>>>(vectors);
}
