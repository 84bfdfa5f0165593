// Threads whose own loops walk through memory in steps of whole rows, in all the forms that change
// places with the loop over threads, and some that may not.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define ROWS 40

// Guards without a sign, twice, and an index over two dimensions of the grid.
__global__ void nearest(const float *x, const float *centre, int *of, int n, int m, int clusters)
{
    const unsigned int block = gridDim.x * blockIdx.y + blockIdx.x;
    const unsigned int point = block * blockDim.x + threadIdx.x;
    int best = -1;
    if (point < n) {
        int c, j;
        float least = 1e30f;
        for (c = 0; c < clusters; c++) {
            float sum = 0.0f;
            for (j = 0; j < m; j++) {
                float d = x[point + j * n] - centre[c * m + j];
                sum += d * d;
            }
            if (sum < least) {
                least = sum;
                best = c;
            }
        }
    }
    // where it belongs
    if (point < n)
        of[point] = best;
}

// Marching in z with walkers and values that go from one plane to the next.
__global__ void march(const float *in, float *out, int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nx || j >= ny)
        return;
    const int plane = nx * ny;
    int c = j * nx + i;
    int west = i == 0 ? c : c - 1, east = i == nx - 1 ? c : c + 1;
    float below = in[c], here = in[c];
    for (int k = 0; k < nz - 1; ++k) {
        float above = in[c + plane];
        out[c] = 0.5f * here + 0.1f * (below + above + in[west] + in[east]);
        below = here;
        here = above;
        c += plane;
        west += plane;
        east += plane;
    }
    out[c] = here + below;
}

// Columns are changed in place, from the top and back; some threads have nothing to do.
__global__ void sweep(double *a, const int *active, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n || !active[t])
        return;
    double carry = a[t];
    for (int r = 1; r < ROWS; ++r) {
        carry = a[r * n + t] - 0.25 * carry;
        a[r * n + t] = carry;
    }
    for (int r = ROWS - 2; r >= 0; --r)
        a[r * n + t] += 0.5 * a[(r + 1) * n + t];
}

// How far a thread goes is its own business, and so is where it stops.
__global__ void ragged(const float *x, const int *length, float *y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float sum = 0.0f;
    for (int r = 0; r < length[t]; ++r)
        sum += x[r * n + t];
    for (int r = 0; r < ROWS; ++r) {
        if (sum > 30.0f)
            break;
        sum += x[r * n + t];
    }
    y[t] = sum;
}

// Blocks with a barrier; the loop stands under a condition that is the thread's.
__global__ void halves(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    float own[3] = {0.0f, 1.0f, 2.0f};
    if (t % 4 != 1) {
        int k = t / 4;
        for (int r = 0; r < ROWS; ++r) {
            if (r % 3 == 1)
                continue;
            own[r % 3] += x[r * n + i] * k;
        }
    }
    s[t] = own[0] + own[1] * own[2];
    __syncthreads();
    float sum = 0.0f;
    for (int r = 0; r < ROWS; ++r)
        sum += x[r * n + blockIdx.x * 64 + 63 - t] * s[63 - t];
    y[i] = sum;
}

// 64 bit indices, pointers that walk, and rows of 16 threads.
__global__ void walkers(const float *x, float *y, size_t n)
{
    size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    size_t j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < 4) {
        const float *p = x + j * n + i;
        float product = 1.0f;
        for (int r = 0; r < ROWS / 4; ++r, p += 4 * n)
            product *= *p;
        y[j * n + i] = product;
    }
}

// What a function does to memory is not known: a thread's own order has to stay.
template <typename F> __global__ void each(unsigned n, F function)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        function(i);
}

struct Chain {
    float *y;
    unsigned threads;
    __device__ void operator()(unsigned i) const
    {
        y[i % threads] = 0.5f * y[i % threads] + float(i % 11);
    }
};

// From below zero, with a sum of each thread; some have left before it.
__global__ void turns(const float *x, float *y, int from, int n, int out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 1.0f;
    for (int i = from + t; i < n; i += gridDim.x * blockDim.x) {
        if (i >= 0)
            sum = 0.25f * sum + x[i];
    }
    y[t] = sum;
    if (t % 3 == 1)
        return;
    for (int i = t; i < n; i += out)
        y[out + t] += x[i];
}

// More than an int holds, in steps that are no number of threads.
__global__ void far_apart(const float *x, float *y, unsigned n)
{
    __shared__ float s[64];
    float sum = 0.0f;
    for (unsigned i = threadIdx.x; i < n; i += 1u << 30)
        sum += x[(i >> 24) + (i & 63)];
    s[threadIdx.x] = sum;
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x];
    for (unsigned i = threadIdx.x; i < n; i += 1u << 30)
        y[64 + threadIdx.x] += x[i >> 24];
}

// Loops in functions: some change places with the threads, others leave early or are in a head.
__device__ float apart(const float *x, const float *from, int p, int n, int m)
{
    float sum = 0.0f;
    for (int d = 0; d < m; ++d) {
        float e = x[d * n + p] - from[d];
        if (sum > 2.0f)
            return sum + 0.5f;
        sum += e * e;
    }
    return sum;
}

struct Columns {
    const float *x;
    int n;
    __device__ float total(int p, int m) const
    {
        float sum = 0.0f;
        for (int d = 0; d < m; ++d)
            sum += x[d * n + p];
        return sum;
    }
};

__device__ void add_up(float *y, const float *x, int p, int n, int m)
{
    for (int d = 1; d < m; ++d)
        y[p] = 0.5f * y[p] + x[d * n + p];
}

__global__ void in_functions(const float *x, float *y, Columns columns, int n, int m)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n)
        return;
    float sum = 3.0f;
    for (int d = 0; d < int(apart(x, x, p, n, m)) % 3; ++d)
        sum += 1.0f;
    y[p] = columns.total(p, m - 1);
    y[p] += p % 2 && apart(x, x + n, p, n, m) > 1.0f ? sum : 0.25f * sum;
    add_up(y, x, p, n, m);
}

template <typename T> unsigned hash(const std::vector<T> &v)
{
    unsigned found = 1u;
    for (const T &one : v)
        found = found * 31u + unsigned(int(one * T(1000)));
    return found;
}

int main()
{
    const int n = 448, points = 401, m = 7, clusters = 5;
    std::vector<float> x(ROWS * n), centre(m * clusters), y(ROWS * n);
    std::vector<double> a(ROWS * n);
    std::vector<int> of(n), length(n), active(n);
    unsigned state = 7u;
    for (float &one : x)
        one = float((state = state * 1664525u + 1013904223u) >> 24) / 256.0f;
    for (float &one : centre)
        one = float((state = state * 1664525u + 1013904223u) >> 24) / 256.0f;
    for (size_t i = 0; i < a.size(); ++i)
        a[i] = x[i];
    for (int i = 0; i < n; ++i) {
        length[i] = (i * 7) % ROWS;
        active[i] = i % 5 != 2;
    }
    float *dx, *dc, *dy;
    double *da;
    int *dof, *dl, *dact;
    cudaMalloc(&dx, x.size() * 4);
    cudaMalloc(&dc, centre.size() * 4);
    cudaMalloc(&dy, y.size() * 4);
    cudaMalloc(&da, a.size() * 8);
    cudaMalloc(&dof, n * 4);
    cudaMalloc(&dl, n * 4);
    cudaMalloc(&dact, n * 4);
    cudaMemcpy(dx, x.data(), x.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, centre.data(), centre.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(da, a.data(), a.size() * 8, cudaMemcpyHostToDevice);
    cudaMemcpy(dl, length.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dact, active.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemset(dof, 0, n * 4);

    nearest<<<dim3(2, 2), 128>>>(dx, dc, dof, points, m, clusters);
    cudaMemcpy(of.data(), dof, n * 4, cudaMemcpyDeviceToHost);
    std::printf("nearest %08x\n", hash(of));

    cudaMemset(dy, 0, y.size() * 4);
    march<<<dim3(2, 4), dim3(32, 2)>>>(dx, dy, 61, 7, ROWS);
    cudaMemcpy(y.data(), dy, y.size() * 4, cudaMemcpyDeviceToHost);
    std::printf("march %08x\n", hash(y));

    sweep<<<4, 128>>>(da, dact, n);
    cudaMemcpy(a.data(), da, a.size() * 8, cudaMemcpyDeviceToHost);
    std::printf("sweep %08x\n", hash(a));

    cudaMemset(dy, 0, y.size() * 4);
    ragged<<<4, 128>>>(dx, dl, dy, n);
    cudaMemcpy(y.data(), dy, y.size() * 4, cudaMemcpyDeviceToHost);
    std::printf("ragged %08x\n", hash(y));

    cudaMemset(dy, 0, y.size() * 4);
    halves<<<7, 64>>>(dx, dy, n);
    cudaMemcpy(y.data(), dy, y.size() * 4, cudaMemcpyDeviceToHost);
    std::printf("halves %08x\n", hash(y));

    cudaMemset(dy, 0, y.size() * 4);
    walkers<<<dim3(28, 2), dim3(16, 2)>>>(dx, dy, n);
    cudaMemcpy(y.data(), dy, y.size() * 4, cudaMemcpyDeviceToHost);
    std::printf("walkers %08x\n", hash(y));

    cudaMemset(dy, 0, y.size() * 4);
    each<<<3, 100>>>(2011u, Chain{dy, 300u});
    turns<<<3, 128>>>(dx, dy + 300, -70, 3001, 384);
    far_apart<<<1, 64>>>(dx, dy + 1200, 3000000000u);
    cudaMemcpy(y.data(), dy, y.size() * 4, cudaMemcpyDeviceToHost);
    std::printf("turns %08x\n", hash(y));

    in_functions<<<4, 128>>>(dx, dy, Columns{dx, n}, n, 9);
    cudaMemcpy(y.data(), dy, y.size() * 4, cudaMemcpyDeviceToHost);
    std::printf("in functions %08x\n", hash(y));
    return 0;
}
