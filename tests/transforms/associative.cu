// Sums whose order may be changed: of a function for all threads, of one for each, of a kernel.
#include <cmath>
#include <cstdio>

__device__ double magnitude(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * x[i];
    return sqrt(sum);
}

__device__ void moments(const double *x, int n, double *mean, double *spread)
{
    double first = 0.0, second = 0.0;
    for (int i = n - 1; i >= 0; --i) {
        double value = x[i];
        first += value;
        second += value * value;
    }
    *mean = first / n;
    *spread = second / n - *mean * *mean;
}

__global__ void normalize(double *__restrict__ out, const double *__restrict__ in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] / magnitude(in, n);
}

__global__ void rows(double *__restrict__ out, const double *__restrict__ in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double mean, spread, dot = 0.0;
    moments(in + i, n - i, &mean, &spread);
    for (int j = 0; j < n; ++j)
        dot += in[(i + j) % n] * in[j];
    out[i] = mean + spread + dot;
}

// Limits that are not signed, or no integers: as such they compare in another way.
__global__ void few(double *__restrict__ out, const double *__restrict__ in, unsigned n, double part)
{
    int i = threadIdx.x;
    double first = 0.0, second = 0.0;
    for (int j = n - 1; j >= -2; --j)
        first += in[i + j + 2];
    for (int j = part; j >= 0; --j)
        second += in[i + j];
    out[i] = first + 3 * second;
}

__global__ void blocks(double *out, const double *in, int n)
{
    __shared__ double s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0.0;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

int main()
{
    const int n = 1000;
    double *in, *out;
    cudaMallocManaged(&in, n * sizeof(double));
    cudaMallocManaged(&out, n * sizeof(double));
    for (int i = 0; i < n; ++i)
        in[i] = sin(0.1 * i) + 2;
    normalize<<<(n + 127) / 128, 128>>>(out, in, n);
    cudaDeviceSynchronize();
    printf("%.9f %.9f %.9f\n", out[0], out[500], out[n - 1]);
    rows<<<(n + 127) / 128, 128>>>(out, in, n);
    cudaDeviceSynchronize();
    printf("%.6f %.6f %.6f\n", out[0], out[500], out[n - 1]);
    few<<<1, 128>>>(out, in, 0, -0.5);
    cudaDeviceSynchronize();
    printf("%.9f %.9f %.9f\n", out[0], out[1], out[127]);
    blocks<<<(n + 127) / 128, 128>>>(out, in, n);
    cudaDeviceSynchronize();
    printf("%.9f %.9f\n", out[0], out[7]);
    return 0;
}
