// Loops whose iterations wait for each other, with neighbours that go through them together.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int N = 1000, M = 37;

struct Point {
    float x, y;
};

__device__ float logistic(float x, float r)
{
    float y = 1.0f - x;
    return r * x * y;
}

__global__ void polynomials(float *y, const float *x, const float *c, int n, int degree)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0, v = x[i];
    for (int k = 0; k < degree; ++k)
        sum = sum * v + c[k];
    y[i] = sum;
}

// The number of steps is a thread's own: everyone goes alone.
__global__ void own_lengths(float *y, const int *lengths, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = 0.3f;
    for (int k = 0; k < lengths[i]; ++k)
        x = logistic(x, 3.7f);
    y[i] = x;
}

__global__ void maps(float *y, int n, int steps, float r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || steps < 0)
        return;
    float x = 0.1f + i * (0.8f / n);
    for (int k = 0; k < steps; ++k) {
        if (k % 5 == 3)
            continue;
        x = logistic(x, r);
        if (k > 20)
            break;
    }
    y[i] = x;
}

__global__ void hashes(unsigned *out, const unsigned *key, unsigned n, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = i;
    unsigned char low = i;
    long long wide = -1 - (long long)i;
    for (int r = 0; r < rounds; ++r) {
        a = (a << 7) | (a >> 25);
        a ^= key[r];
        low = low * 5 + 3;
        wide = wide / 2 - 3 * low;
    }
    out[i] = a ^ low ^ unsigned(wide);
}

// The least of all, and where it is: ties go to the first.
__global__ void nearest(int *at, float *least, const Point *p, const Point *centre, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = 1e30f;
    int found = -1;
    for (int c = 0; c < m; ++c) {
        float dx = p[i].x - centre[c].x, dy = p[i].y - centre[c].y;
        float d = dx * dx + dy * dy;
        if (d < best) {
            best = d;
            found = c;
        }
    }
    at[i] = found;
    least[i] = best;
}

// A structure that is added up, square roots, and a tile that all wait for.
__global__ void pulls(float4 *out, const float4 *body, int n)
{
    __shared__ float4 tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < n ? body[i] : make_float4(0, 0, 0, 0);
    float3 pull = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += 64) {
        if (first + threadIdx.x < n)
            tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < min(64, n - first); ++j) {
            float4 other = tile[j];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float s = other.w / sqrtf(dx * dx + dy * dy + dz * dz + 0.5f);
            pull.x += s * dx;
            pull.y += s * dy;
            pull.z += s * dz;
        }
        __syncthreads();
    }
    if (i < n)
        out[i] = make_float4(pull.x, pull.y, pull.z, me.w);
}

// Two loops, one after the other and one in the other; a window that every thread keeps.
__global__ void windows(float *y, const float *x, const float *w, int rows, int cols, int turns)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols)
        return;
    float last[4] = {1, 2, 3, 4};
    float sum = 0;
    for (int k = 0; k < turns; ++k)
        sum = 0.5f * sum + w[k];
    for (int k = 0; k < turns; ++k) {
        float next = x[r * cols + c] * last[0] - 0.25f * last[3];
        for (int j = 3; j > 0; --j)
            last[j] = last[j - 1];
        last[0] = next * 0.125f;
        for (int j = 0; j < turns - k; ++j)
            sum = sum * 0.75f + w[j] * last[2];
    }
    y[r * cols + c] = sum + last[1];
}

// What is read is what is written, and the value before counts.
__global__ void in_place(float *y, const float *c, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < m; ++k)
        y[i] = y[i] * c[k] + 0.5f * y[i];
    float before = y[i], now = before;
    for (int k = 0; k < m; ++k) {
        float next = 1.9f * now - 0.95f * before;
        before = now;
        now = next;
    }
    y[i] = now - before;
}

// An array of each thread, filled first; one that is too large to be kept for many.
__global__ void filters(float *y, const float *c, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float taps[24];
    for (int k = 0; k < 24; ++k)
        taps[k] = c[k % 8] * 0.5f + i % 3;
    float sum = 0;
    for (int r = 0; r < turns; ++r)
        for (int k = 0; k < 24; ++k) {
            sum = 0.375f * sum + taps[k];
            taps[k] = sum * 0.25f;
        }
    y[i] = sum;
}

__global__ void long_filters(float *y, const float *c, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float taps[2000];
    for (int k = 0; k < 2000; ++k)
        taps[k] = c[k % 8] * 0.5f + i % 3;
    float sum = 0;
    for (int r = 0; r < turns; ++r)
        for (int k = 0; k < 2000; ++k) {
            sum = 0.375f * sum + taps[k];
            taps[k] = sum * 0.25f;
        }
    y[i] = sum;
}

template <typename T> void print(const char *name, const T *values, int n)
{
    double sum = 0, odd = 0;
    for (int i = 0; i < n; ++i) {
        sum += values[i];
        odd += values[i] * double(i % 7);
    }
    std::printf("%s %.9g %.9g\n", name, sum, odd);
}

int main()
{
    float *x, *y, *c;
    unsigned *key, *out;
    int *at;
    Point *p, *centre;
    float4 *body, *pull;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    cudaMallocManaged(&c, N * sizeof(float));
    cudaMallocManaged(&key, N * sizeof(unsigned));
    cudaMallocManaged(&out, N * sizeof(unsigned));
    cudaMallocManaged(&at, N * sizeof(int));
    cudaMallocManaged(&p, N * sizeof(Point));
    cudaMallocManaged(&centre, N * sizeof(Point));
    cudaMallocManaged(&body, N * sizeof(float4));
    cudaMallocManaged(&pull, N * sizeof(float4));
    for (int i = 0; i < N; ++i) {
        x[i] = 0.25f + (i % 13) * 0.0625f;
        c[i] = 0.5f - (i % 5) * 0.125f;
        key[i] = i * 2654435761u;
        at[i] = i % 11;
        p[i] = {float(i % 17), float(i % 19)};
        centre[i] = {float(i * 3 % 16), float(i * 5 % 16)};
        body[i] = make_float4(i % 7, i % 11, i % 3, 0.25f);
    }
    const int blocks = (N + 63) / 64;
    for (int m : {0, 1, M}) {
        polynomials<<<blocks, 64>>>(y, x, c, N - 3, m);
        cudaDeviceSynchronize();
        print("polynomials", y, N - 3);
        own_lengths<<<blocks, 64>>>(y, at, N);
        cudaDeviceSynchronize();
        print("own lengths", y, N);
        maps<<<blocks, 64>>>(y, N, m, 3.25f);
        cudaDeviceSynchronize();
        print("maps", y, N);
        hashes<<<blocks, 64>>>(out, key, N - 1, m);
        cudaDeviceSynchronize();
        print("hashes", out, N - 1);
        nearest<<<blocks, 64>>>(at, y, p, centre, N, m);
        cudaDeviceSynchronize();
        print("nearest", at, N);
        print("least", y, N);
        pulls<<<(m + 63) / 64 + 1, 64>>>(pull, body, m);
        cudaDeviceSynchronize();
        double sum = 0;
        for (int i = 0; i < m; ++i)
            sum += pull[i].x + 2 * pull[i].y + 3 * pull[i].z + 4 * pull[i].w;
        std::printf("pulls %.5g\n", sum);
        windows<<<dim3(2, 20), dim3(16, 2)>>>(y, x, c, 33, 30, m);
        cudaDeviceSynchronize();
        print("windows", y, 33 * 30);
        filters<<<blocks, 64>>>(y, c, N - 5, m);
        cudaDeviceSynchronize();
        print("filters", y, N - 5);
        long_filters<<<1, 64>>>(y, c, 60, m % 3);
        cudaDeviceSynchronize();
        print("long filters", y, 60);
        in_place<<<blocks, 64>>>(x, c, N, m % 4);
        cudaDeviceSynchronize();
        print("in place", x, N);
        for (int i = 0; i < N; ++i)
            at[i] = i % 11;
    }
}
