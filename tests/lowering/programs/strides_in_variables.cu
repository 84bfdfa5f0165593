// Threads share out ranges by a stride that a variable keeps, and leave turns of it by `continue`.
#include <cstdio>

__global__ void rows(int n, int m, const float *x, float *y) {
    const int tid = threadIdx.x, threads = blockDim.x;
    for (int r = blockIdx.x; r < m; r += gridDim.x)
        for (int i = tid; i < n; i += threads)
            y[r * n + i] = 2 * x[r * n + i] + threads;
}

__global__ void centred(int n, const float *x, float *y) {
    __shared__ float s[64];
    int threads = blockDim.x, t = threadIdx.x;
    float v = 0;
    for (int i = t; i < n; i += threads)
        v += x[blockIdx.x * n + i];
    s[t] = v;
    __syncthreads();
    for (int k = threads / 2; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    float mean = s[0] / n;
    unsigned int stride = blockDim.x;
    for (unsigned int i = t; i < n; i += stride)
        y[blockIdx.x * n + i] = x[blockIdx.x * n + i] - mean;
}

// A stride that changes is none of the launch.
__global__ void changing(int n, int *y) {
    int stride = blockDim.x;
    for (int i = threadIdx.x; i < n; i += stride) {
        y[threadIdx.x] += i;
        if (i == threadIdx.x)
            stride *= 2;
    }
}

/** Farthest points: no two threads have an element of `least` in common, as each has one of `far`. */
template <unsigned int threads>
__global__ void farthest(int n, int m, const float *__restrict__ x, float *__restrict__ least,
                         int *__restrict__ chosen) {
    __shared__ float far[threads];
    __shared__ int far_i[threads];
    int tid = threadIdx.x;
    const int stride = threads;
    int old = 0;
    for (int j = 1; j < m; j++) {
        int besti = 0;
        float best = -1, x1 = x[old];
        for (int k = tid; k < n; k += stride) {
            float x2 = x[k];
            if (x2 * x2 <= 1e-3)
                continue;
            float d = min((x2 - x1) * (x2 - x1), least[k]);
            least[k] = d;
            besti = d > best ? k : besti;
            best = d > best ? d : best;
        }
        far[tid] = best;
        far_i[tid] = besti;
        __syncthreads();
        for (int d = threads / 2; d > 0; d /= 2) {
            if (tid < d && far[tid + d] > far[tid]) {
                far[tid] = far[tid + d];
                far_i[tid] = far_i[tid + d];
            }
            __syncthreads();
        }
        old = far_i[0];
        if (tid == 0)
            chosen[j] = old;
        __syncthreads();
    }
}

void choose(int n, int m, unsigned count, const float *x, float *least, int *chosen) {
    switch (count) {
    case 16: farthest<16><<<1, count>>>(n, m, x, least, chosen); break;
    case 32: farthest<32><<<1, count>>>(n, m, x, least, chosen); break;
    default: farthest<64><<<1, count>>>(n, m, x, least, chosen); break;
    }
}

int main() {
    const int n = 100;
    float *x, *y;
    int *z;
    cudaMallocManaged(&x, 4 * n * sizeof(float));
    cudaMallocManaged(&y, 4 * n * sizeof(float));
    cudaMallocManaged(&z, 64 * sizeof(int));
    for (int i = 0; i < 4 * n; ++i)
        x[i] = i * 37 % 101 * 0.25f - 9;
    for (int i = 0; i < 64; ++i)
        z[i] = i;
    rows<<<2, 24>>>(n, 4, x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4 * n; i += 23)
        printf("%g\n", y[i]);
    centred<<<3, 32>>>(n, x, y);
    changing<<<1, 16>>>(200, z);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3 * n; i += 23)
        printf("%.3f\n", y[i]);
    for (int i = 0; i < 16; ++i)
        printf("%d ", z[i]);
    for (unsigned count = 16; count <= 64; count *= 2) {
        for (int i = 0; i < n; ++i)
            y[i] = 1e10f;
        choose(n, 12, count, x, y, z);
        cudaDeviceSynchronize();
        for (int j = 1; j < 12; ++j)
            printf("%d%c", z[j], j == 11 ? '\n' : ' ');
    }
}
