// Prefix sums that a block, or a warp, works out together: one loop. What is no prefix of all
// values, or is not all that is used of the code, stays.
#include <climits>
#include <cstdio>

#define T 128
#define WARPS (T / 32)

// Shuffles in warps, then the sums of warps by the first one.
__global__ void by_warps(const int *in, int *out, int *sums, int n)
{
    __shared__ int part[WARPS];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5, i = blockIdx.x * T + t;
    int v = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d <<= 1) {
        int other = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += other;
    }
    if (lane == 31)
        part[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int w = lane < WARPS ? part[lane] : 0;
        for (int d = 1; d < WARPS; d <<= 1) {
            int other = __shfl_up_sync(0xffffffff, w, d);
            if (lane >= d)
                w += other;
        }
        if (lane < WARPS)
            part[lane] = w;
    }
    __syncthreads();
    if (warp > 0)
        v += part[warp - 1];
    if (i < n)
        out[i] = v;
    if (t == T - 1)
        sums[blockIdx.x] = v;
}

// Each warp its own; the value of the lane itself is taken off again.
__global__ void in_warps(const unsigned *in, unsigned *out)
{
    int t = threadIdx.x, lane = t % 32;
    unsigned own = in[blockIdx.x * T + t], v = own;
    for (int d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(0xffffffff, v, d);
        v += lane >= d ? other : 0;
    }
    out[blockIdx.x * T + t] = v * 3 - own;
}

// Two buffers that change places; seven times, so that the last is not the first.
__global__ void two_buffers(const int *in, int *out)
{
    __shared__ int s[2 * T];
    int from = 0, to = 1, t = threadIdx.x;
    s[from * T + t] = in[blockIdx.x * T + t];
    __syncthreads();
    for (int d = 1; d < T; d *= 2) {
        if (t >= d)
            s[to * T + t] = s[from * T + t] + s[from * T + t - d];
        else
            s[to * T + t] = s[from * T + t];
        __syncthreads();
        to = 1 - to;
        from = 1 - from;
    }
    out[blockIdx.x * T + t] = s[from * T + t];
}

// One buffer, a barrier between reading and writing; the neighbour's prefix is read as well.
__global__ void one_buffer(const int *in, int *out)
{
    __shared__ int s[T];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * T + t];
    for (int d = 1; d < T; d *= 2) {
        __syncthreads();
        int add = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += add;
    }
    __syncthreads();
    out[blockIdx.x * T + t] = s[t] * 2 + (t > 0 ? s[t - 1] : -1) + s[T - 1 - t];
}

// A tree up and down again; the total goes out in between, if anybody wants it.
__global__ void tree(const int *in, int *out, int *totals)
{
    __shared__ int s[2 * T];
    int t = threadIdx.x, offset = 1;
    s[2 * t] = in[blockIdx.x * 2 * T + 2 * t];
    s[2 * t + 1] = in[blockIdx.x * 2 * T + 2 * t + 1];
    for (int d = T; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            s[b] += s[a];
        }
        offset *= 2;
    }
    if (t == 0) {
        if (totals != nullptr)
            totals[blockIdx.x] = s[2 * T - 1];
        s[2 * T - 1] = 0;
    }
    for (int d = 1; d < 2 * T; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            int left = s[a];
            s[a] = s[b];
            s[b] += left;
        }
    }
    __syncthreads();
    out[blockIdx.x * 2 * T + 2 * t] = s[2 * t] + offset;
    out[blockIdx.x * 2 * T + 2 * t + 1] = s[2 * t + 1];
}

// The greatest so far.
__global__ void running_maximum(const int *in, int *out)
{
    __shared__ int s[T];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * T + t];
    for (int d = 1; d < T; d *= 2) {
        __syncthreads();
        int other = t >= d ? s[t - d] : s[t];
        __syncthreads();
        s[t] = max(s[t], other);
    }
    out[blockIdx.x * T + t] = s[t];
}

// Places for what is kept, block after block in a loop; the total moves the next ones on.
__global__ void compact(const int *in, int *out, int *count, int n)
{
    __shared__ int s[T];
    int t = threadIdx.x, done = 0;
    for (int first = 0; first < n; first += T) {
        int x = first + t < n ? in[first + t] : -1, keep = x >= 50;
        int place = keep;
        s[t] = place;
        __syncthreads();
        for (int d = 1; d < T; d *= 2) {
            int add = t >= d ? s[t - d] : 0;
            __syncthreads();
            place += add;
            s[t] = place;
            __syncthreads();
        }
        if (keep)
            out[done + place - 1] = x;
        done += s[T - 1];
        __syncthreads();
    }
    if (t == 0)
        *count = done;
}

// Real numbers: the order that they are added in counts.
__global__ void reals(const float *in, float *out)
{
    __shared__ float s[T];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int d = 1; d < T; d *= 2) {
        __syncthreads();
        float add = t >= d ? s[t - d] : 0.0f;
        __syncthreads();
        s[t] += add;
    }
    out[t] = s[t];
}

// Not the prefix: the first element is left out, and a neighbour is added twice.
__global__ void no_prefix(const int *in, int *out)
{
    __shared__ int s[T];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int d = 1; d < T; d *= 2) {
        __syncthreads();
        int add = t > d ? s[t - d] : 0;
        __syncthreads();
        s[t] += add;
    }
    __syncthreads();
    out[t] = s[t];
}

// What is left in the other buffer is looked at, too.
__global__ void other_buffer(const int *in, int *out)
{
    __shared__ int s[2 * T];
    int from = 0, to = 1, t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < T; d *= 2) {
        s[to * T + t] = s[from * T + t] + (t >= d ? s[from * T + t - d] : 0);
        __syncthreads();
        to = 1 - to;
        from = 1 - from;
    }
    out[t] = s[t] * 5 + s[T + t];
}

// The sums of the warps are looked at behind.
__global__ void sums_of_warps(const int *in, int *out, int *sums)
{
    __shared__ int part[WARPS];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    int v = in[t];
    for (int d = 1; d < 32; d <<= 1) {
        int other = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += other;
    }
    if (lane == 31)
        part[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; ++w)
        v += part[w];
    out[t] = v;
    if (t < WARPS)
        sums[t] = part[t];
}

// The value itself is used beside its prefix; it changes behind.
__global__ void with_values(const int *in, int *out)
{
    __shared__ int s[T];
    int t = threadIdx.x, v = in[t];
    s[t] = v;
    for (int d = 1; d < T; d *= 2) {
        __syncthreads();
        int add = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += add;
    }
    __syncthreads();
    int before = s[t] - v;
    s[t] = 0;
    v += before * 2;
    __syncthreads();
    out[t] = v + s[(t + 1) % T];
}

int main()
{
    const int n = 1000, room = 8 * 2 * T;
    int *in, *out, *sums;
    float *x, *y;
    cudaMallocManaged(&in, room * sizeof(int));
    cudaMallocManaged(&out, room * sizeof(int));
    cudaMallocManaged(&sums, room * sizeof(int));
    cudaMallocManaged(&x, room * sizeof(float));
    cudaMallocManaged(&y, room * sizeof(float));
    for (int i = 0; i < room; ++i) {
        in[i] = (i * 37 + 11) % 101;
        out[i] = sums[i] = -1;
        x[i] = 0.1f * (i * 37 % 101);
    }
    auto show = [&](const char *name, int count) {
        cudaDeviceSynchronize();
        unsigned hash = 0;
        for (int i = 0; i < count; ++i) {
            hash = hash * 31 + unsigned(out[i]) + 7 * unsigned(sums[i]);
            out[i] = sums[i] = -1;
        }
        std::printf("%s %u\n", name, hash);
    };
    by_warps<<<8, T>>>(in, out, sums, n);
    show("by_warps", room);
    in_warps<<<8, T>>>((unsigned *)in, (unsigned *)out);
    show("in_warps", room);
    two_buffers<<<8, T>>>(in, out);
    show("two_buffers", room);
    one_buffer<<<8, T>>>(in, out);
    show("one_buffer", room);
    tree<<<8, T>>>(in, out, sums);
    show("tree", room);
    tree<<<8, T>>>(in, out, nullptr);
    show("tree without totals", room);
    running_maximum<<<8, T>>>(in, out);
    show("running_maximum", room);
    compact<<<1, T>>>(in, out, sums, n);
    show("compact", room);
    no_prefix<<<1, T>>>(in, out);
    show("no_prefix", room);
    other_buffer<<<1, T>>>(in, out);
    show("other_buffer", room);
    sums_of_warps<<<1, T>>>(in, out, sums);
    show("sums_of_warps", room);
    with_values<<<1, T>>>(in, out);
    show("with_values", room);
    reals<<<1, T>>>(x, y);
    cudaDeviceSynchronize();
    std::printf("%.9g %.9g\n", y[T / 2], y[T - 1]);
}
