// Weighted moving average of a signal. Each block stages its piece of the signal, with a halo of
// RADIUS samples on both sides, in shared memory.
//
// usage: stencil1d_shared [samples [repetitions]]

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

#define RADIUS 4
#define BLOCK_SIZE 128

inline void gpuAssert(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "gpuAssert: %s %s %d\n", cudaGetErrorString(code), file, line);
        exit(code);
    }
}
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }

// Triangular weight of the sample at the given distance; the weights sum to one.
__host__ __device__ inline float weight(int offset)
{
    int distance = offset < 0 ? -offset : offset;
    return (float)(RADIUS + 1 - distance) / (float)((RADIUS + 1) * (RADIUS + 1));
}

__global__ void smooth(const float *in, float *out, int n)
{
    __shared__ float window[BLOCK_SIZE + 2 * RADIUS];
    int gindex = blockIdx.x * blockDim.x + threadIdx.x;
    int lindex = threadIdx.x + RADIUS;

    // The signal is taken as zero outside of [0, n).
    window[lindex] = gindex < n ? in[gindex] : 0.0f;
    if (threadIdx.x < RADIUS) {
        int left = gindex - RADIUS;
        int right = gindex + BLOCK_SIZE;
        window[lindex - RADIUS] = left >= 0 && left < n ? in[left] : 0.0f;
        window[lindex + BLOCK_SIZE] = right < n ? in[right] : 0.0f;
    }

    // Neighbours need what this thread has loaded.
    __syncthreads();

    if (gindex < n) {
        float sum = 0.0f;
#pragma unroll
        for (int offset = -RADIUS; offset <= RADIUS; offset++)
            sum += weight(offset) * window[lindex + offset];
        out[gindex] = sum;
    }
}

static void smooth_reference(const float *in, float *out, int n)
{
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int offset = -RADIUS; offset <= RADIUS; offset++) {
            if (i + offset >= 0 && i + offset < n)
                sum += weight(offset) * in[i + offset];
        }
        out[i] = sum;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 5000;
    int repetitions = argc > 2 ? atoi(argv[2]) : 2;
    size_t size = n * sizeof(float);

    float *in = (float *)malloc(size);
    float *out = (float *)malloc(size);
    float *expected = (float *)malloc(size);
    unsigned int seed = 99;
    for (int i = 0; i < n; i++) {
        seed = seed * 69069u + 1u;
        in[i] = (float)(seed >> 16) / 65536.0f;
    }

    float *d_in, *d_out;
    gpuErrchk(cudaMalloc((void **)&d_in, size));
    gpuErrchk(cudaMalloc((void **)&d_out, size));
    gpuErrchk(cudaMemcpy(d_in, in, size, cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    gpuErrchk(cudaEventCreate(&start));
    gpuErrchk(cudaEventCreate(&stop));
    gpuErrchk(cudaEventRecord(start, 0));
    for (int r = 0; r < repetitions; r++) {
        // Repetitions smooth what the one before has smoothed.
        if (r > 0)
            gpuErrchk(cudaMemcpy(d_in, d_out, size, cudaMemcpyDeviceToDevice));
        smooth<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_in, d_out, n);
        gpuErrchk(cudaPeekAtLastError());
    }
    gpuErrchk(cudaEventRecord(stop, 0));
    gpuErrchk(cudaEventSynchronize(stop));
    float ms = 0;
    gpuErrchk(cudaEventElapsedTime(&ms, start, stop));
    gpuErrchk(cudaMemcpy(out, d_out, size, cudaMemcpyDeviceToHost));

    for (int r = 0; r < repetitions; r++) {
        smooth_reference(in, expected, n);
        for (int i = 0; i < n; i++)
            in[i] = expected[i];
    }
    float worst = 0.0f;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        worst = fmaxf(worst, fabsf(out[i] - expected[i]));
        sum += out[i];
    }
    int pass = worst < 1e-5f;

    printf("time_ms %.3f\n", ms);
    printf("sum %.5e\n", sum);
    printf("ends %.4f %.4f\n", out[0], out[n - 1]);
    printf(pass ? "PASS\n" : "FAIL\n");

    gpuErrchk(cudaEventDestroy(start));
    gpuErrchk(cudaEventDestroy(stop));
    gpuErrchk(cudaFree(d_in));
    gpuErrchk(cudaFree(d_out));
    free(in);
    free(out);
    free(expected);
    return pass ? 0 : 1;
}
