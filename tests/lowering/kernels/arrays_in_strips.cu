// Small arrays of a thread are kept for a strip of neighbours where that makes vectors, or saves
// whole lines of memory.
#include <cstdio>

struct Phasor {
    double re, im;
    __host__ __device__ Phasor() : re(0), im(0) {}
    __host__ __device__ Phasor(double a, double b) : re(a), im(b) {}
};
__host__ __device__ inline Phasor operator*(const Phasor &a, const Phasor &b)
{
    return Phasor(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

// Three sums of each thread over a row that the threads share out.
__global__ void moments(int rows, int n, const double *weight, const double *a, double *out)
{
    double sum[3];
    for (int k = 0; k < 3; ++k)
        sum[k] = 0;
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        double w = weight[r];
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            for (int k = 0; k < 3; ++k)
                sum[k] += w * a[r * n + i] * (k + 1);
    }
    for (int k = 0; k < 3; ++k)
        atomicAdd(&out[k], sum[k]);
}

// No compiler is asked for vectors of what constructors do, but memory comes line by line.
__global__ void phases(int rows, int n, const Phasor *weight, const Phasor *a, double *out)
{
    double sum[2];
    for (int k = 0; k < 2; ++k)
        sum[k] = 0;
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            Phasor turned = weight[r] * a[r * n + i];
            for (int k = 0; k < 2; ++k)
                sum[k] += k == 0 ? turned.re : turned.im;
        }
    }
    for (int k = 0; k < 2; ++k)
        atomicAdd(&out[k], sum[k]);
}

// Too much is kept for what memory costs.
__global__ void many(int rows, int n, const Phasor *weight, const Phasor *a, double *out)
{
    double sum[12];
    for (int k = 0; k < 12; ++k)
        sum[k] = 0;
    for (int r = blockIdx.x; r < rows; r += gridDim.x)
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            Phasor turned = weight[r] * a[r * n + i];
            for (int k = 0; k < 12; ++k)
                sum[k] += turned.re * k - turned.im;
        }
    for (int k = 0; k < 12; ++k)
        atomicAdd(&out[k], sum[k]);
}

// Which element a thread adds to depends on the thread.
__global__ void classes(int rows, int n, const int *kind, const double *a, double *out)
{
    double sum[4];
    for (int k = 0; k < 4; ++k)
        sum[k] = 0;
    for (int r = blockIdx.x; r < rows; r += gridDim.x)
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            sum[kind[i] & 3] += a[r * n + i];
    for (int k = 0; k < 4; ++k)
        atomicAdd(&out[k], sum[k]);
}

int main()
{
    const int rows = 5, n = 150;
    double *weight, *a, *out;
    Phasor *turns, *points;
    int *kind;
    cudaMallocManaged(&weight, rows * sizeof(double));
    cudaMallocManaged(&a, rows * n * sizeof(double));
    cudaMallocManaged(&out, 24 * sizeof(double));
    cudaMallocManaged(&turns, rows * sizeof(Phasor));
    cudaMallocManaged(&points, rows * n * sizeof(Phasor));
    cudaMallocManaged(&kind, n * sizeof(int));
    for (int r = 0; r < rows; ++r) {
        weight[r] = 1 + r;
        turns[r] = Phasor(r, 2 - r);
    }
    for (int i = 0; i < rows * n; ++i) {
        a[i] = i % 7 - 2;
        points[i] = Phasor(i % 5, i % 3);
    }
    for (int i = 0; i < n; ++i)
        kind[i] = i * i;
    for (int i = 0; i < 24; ++i)
        out[i] = 0;
    moments<<<2, 64>>>(rows, n, weight, a, out);
    phases<<<2, 64>>>(rows, n, turns, points, out + 3);
    many<<<2, 64>>>(rows, n, turns, points, out + 5);
    classes<<<2, 64>>>(rows, n, kind, a, out + 17);
    cudaDeviceSynchronize();
    for (int i = 0; i < 21; ++i)
        std::printf("%g\n", out[i]);
}
