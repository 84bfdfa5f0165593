// Black-Scholes prices of European options, with their delta and vega.
//
// usage: black_scholes [options] [repeat]

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RISK_FREE 0.02f
#define THREADS 256

#define cudaCheck(status)                                                             \
    do {                                                                              \
        if ((status) != cudaSuccess) {                                                \
            fprintf(stderr, "CUDA error at line %d: %s\n", __LINE__,                  \
                    cudaGetErrorString(cudaGetLastError()));                          \
            exit(EXIT_FAILURE);                                                       \
        }                                                                             \
    } while (0)

// Density of the normal distribution.
__device__ inline float normal_density(float x)
{
    const float inverse_sqrt_2pi = 0.39894228040143267794f;
    return inverse_sqrt_2pi * __expf(-0.5f * x * x);
}

// Cumulative normal distribution, by a polynomial of fifth degree.
__device__ inline float normal_cdf(float x)
{
    const float a1 = 0.31938153f;
    const float a2 = -0.356563782f;
    const float a3 = 1.781477937f;
    const float a4 = -1.821255978f;
    const float a5 = 1.330274429f;

    float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(x));
    float tail = normal_density(x) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    return x > 0.0f ? 1.0f - tail : tail;
}

__global__ void black_scholes(const float *__restrict__ spot, const float *__restrict__ strike,
                              const float *__restrict__ years,
                              const float *__restrict__ volatility, float *__restrict__ call,
                              float *__restrict__ put, float2 *__restrict__ greeks, int n)
{
    const int opt = blockIdx.x * blockDim.x + threadIdx.x;
    if (opt >= n)
        return;

    const float s = spot[opt];
    const float x = strike[opt];
    const float t = years[opt];
    const float v = volatility[opt];

    const float sqrt_t = __fsqrt_rn(t);
    const float d1 = __fdividef(__logf(s / x) + (RISK_FREE + 0.5f * v * v) * t, v * sqrt_t);
    const float d2 = d1 - v * sqrt_t;
    const float cdf_d1 = normal_cdf(d1);
    const float cdf_d2 = normal_cdf(d2);

    // The put follows from the call by parity.
    const float discounted = x * __expf(-RISK_FREE * t);
    const float price = s * cdf_d1 - discounted * cdf_d2;
    call[opt] = price;
    put[opt] = price - s + discounted;

    // Delta of the call, and vega.
    greeks[opt] = make_float2(cdf_d1, s * normal_density(d1) * sqrt_t);
}

static unsigned int seed = 5347u;

static float random_between(float low, float high)
{
    seed = seed * 1103515245u + 12345u;
    const float t = (float)((seed >> 16) & 0x7fffu) / 32767.0f;
    return (1.0f - t) * low + t * high;
}

static double exact_cdf(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 5000;
    const int repeat = argc > 2 ? atoi(argv[2]) : 1;
    if (n < 1 || repeat < 1) {
        fprintf(stderr, "usage: %s [options] [repeat]\n", argv[0]);
        return 2;
    }

    // Host arrays: four inputs, two prices, and the pairs of greeks.
    const size_t bytes = n * sizeof(float);
    float *h_in[4], *h_call, *h_put;
    for (int k = 0; k < 4; k++)
        h_in[k] = (float *)malloc(bytes);
    h_call = (float *)malloc(bytes);
    h_put = (float *)malloc(bytes);
    float2 *h_greeks = (float2 *)malloc(n * sizeof(float2));
    for (int i = 0; i < n; i++) {
        h_in[0][i] = random_between(5.0f, 30.0f);
        h_in[1][i] = random_between(5.0f, 60.0f);
        h_in[2][i] = random_between(0.25f, 5.0f);
        h_in[3][i] = random_between(0.1f, 0.5f);
    }

    float *d_in[4], *d_call, *d_put;
    float2 *d_greeks;
    for (int k = 0; k < 4; k++) {
        cudaCheck(cudaMalloc((void **)&d_in[k], bytes));
        cudaCheck(cudaMemcpy(d_in[k], h_in[k], bytes, cudaMemcpyHostToDevice));
    }
    cudaCheck(cudaMalloc((void **)&d_call, bytes));
    cudaCheck(cudaMalloc((void **)&d_put, bytes));
    cudaCheck(cudaMalloc((void **)&d_greeks, n * sizeof(float2)));

    cudaEvent_t start, stop;
    cudaCheck(cudaEventCreate(&start));
    cudaCheck(cudaEventCreate(&stop));
    cudaCheck(cudaEventRecord(start, 0));
    for (int r = 0; r < repeat; r++)
        black_scholes<<<(n + THREADS - 1) / THREADS, THREADS>>>(
            d_in[0], d_in[1], d_in[2], d_in[3], d_call, d_put, d_greeks, n);
    cudaCheck(cudaGetLastError());
    cudaCheck(cudaEventRecord(stop, 0));
    cudaCheck(cudaEventSynchronize(stop));
    float ms;
    cudaCheck(cudaEventElapsedTime(&ms, start, stop));

    cudaCheck(cudaMemcpy(h_call, d_call, bytes, cudaMemcpyDeviceToHost));
    cudaCheck(cudaMemcpy(h_put, d_put, bytes, cudaMemcpyDeviceToHost));
    cudaCheck(cudaMemcpy(h_greeks, d_greeks, n * sizeof(float2), cudaMemcpyDeviceToHost));

    double worst = 0.0, calls = 0.0, puts = 0.0, vegas = 0.0;
    for (int i = 0; i < n; i++) {
        const double s = h_in[0][i], x = h_in[1][i], t = h_in[2][i], v = h_in[3][i];
        const double d1 = (log(s / x) + (RISK_FREE + 0.5 * v * v) * t) / (v * sqrt(t));
        const double d2 = d1 - v * sqrt(t);
        const double discounted = x * exp(-RISK_FREE * t);
        const double call = s * exact_cdf(d1) - discounted * exact_cdf(d2);
        worst = fmax(worst, fabs(h_call[i] - call));
        worst = fmax(worst, fabs(h_put[i] - (call - s + discounted)));
        worst = fmax(worst, fabs(h_greeks[i].x - exact_cdf(d1)));
        calls += h_call[i];
        puts += h_put[i];
        vegas += h_greeks[i].y;
    }

    const int pass = worst < 1e-3;
    printf("call %.4e\n", calls / n);
    printf("put  %.4e\n", puts / n);
    printf("vega %.4e\n", vegas / n);
    printf("%s\n", pass ? "PASS" : "FAIL");
    printf("time_ms %.3f\n", ms);

    cudaCheck(cudaEventDestroy(start));
    cudaCheck(cudaEventDestroy(stop));
    for (int k = 0; k < 4; k++) {
        cudaCheck(cudaFree(d_in[k]));
        free(h_in[k]);
    }
    cudaCheck(cudaFree(d_call));
    cudaCheck(cudaFree(d_put));
    cudaCheck(cudaFree(d_greeks));
    free(h_call);
    free(h_put);
    free(h_greeks);
    return pass ? 0 : 1;
}
