// Loops that threads leave one after another, with barriers inside.
#include <cstdio>
__global__ void rounds(const float *x, float *y, int n) {
    __shared__ float s[64];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        s[threadIdx.x] = x[i];
        __syncthreads();
        y[i] = s[threadIdx.x ^ 1] * 2;
        __syncthreads();
    }
}
// What is the same for all, and a variable that stays from round to round of an outer loop.
__global__ void carried(const float *x, float *y, int n, int turns) {
    __shared__ float s[64];
    int m, count = 0, other;
    float kept = threadIdx.x;
    for (int k = 0; k < turns; k++) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            m = n - (i - threadIdx.x);
            if (m > blockDim.x) m = blockDim.x;
            s[threadIdx.x] = x[i] + count;
            count += 1;
            float v = x[i] * k + count;
            __syncthreads();
            y[i] += s[(threadIdx.x + 1) % m] + v + kept;
            kept += 1;
            __syncthreads();
        }
        if (k == 1) kept = count;
    }
    other = threadIdx.x;
    for (int i = other; i < n; i += blockDim.x) {
        y[i] += other;
        other = 5;
        __syncthreads();
    }
    y[n + threadIdx.x] = kept + count;
}
// Loops in loops, unsigned counters, other ends, a while.
__global__ void nested(const float *x, float *y, unsigned n, int w) {
    __shared__ float s[8][8];
    for (unsigned r = threadIdx.y; r < n; r += blockDim.y)
        for (int c = 2 * threadIdx.x + 1; c <= w; c += 2 * blockDim.x) {
            s[threadIdx.y][threadIdx.x] = x[(r * w + c) % 190];
            __syncthreads();
            if (w > 3) {
                if (threadIdx.x == 0) y[r] += s[threadIdx.y][0];
                __syncthreads();
            }
            y[r] += threadIdx.x == 0 ? s[threadIdx.y][0] : 0;
            __syncthreads();
        }
    int i = threadIdx.x + blockDim.x * threadIdx.y;
    const int step = blockDim.x * blockDim.y - 1;
    while (i < w * 3) {
        int t = threadIdx.y * blockDim.x + threadIdx.x;
        (&s[0][0])[t] = x[i];
        __syncthreads();
        for (int k = 0; k < 3; ++k) {
            float v = (&s[0][0])[t] + k;
            __syncthreads();
            (&s[0][0])[t] = v;
            __syncthreads();
        }
        if (t < step) y[i + 20] = (&s[0][0])[t];
        __syncthreads();
        i += step;
    }
}
int main() {
    float *x, *y; cudaMallocManaged(&x, 4 * 300); cudaMallocManaged(&y, 4 * 300);
    for (int i = 0; i < 300; i++) x[i] = i * i % 17, y[i] = 0;
    rounds<<<1, 32>>>(x, y, 198); cudaDeviceSynchronize();
    for (int i = 0; i < 300; i++) printf("%g\n", y[i]), y[i] = 0;
    int t = 32 + (int)x[0];
    carried<<<1, t>>>(x, y, 192, 4); cudaDeviceSynchronize();
    for (int i = 0; i < 300; i++) printf("%g\n", y[i]), y[i] = 0;
    nested<<<1, dim3(1, 6)>>>(x, y, 18, 37); cudaDeviceSynchronize();
    for (int i = 0; i < 300; i++) printf("%g\n", y[i]), y[i] = 0;
    nested<<<1, dim3(5, 1)>>>(x, y, 3, 40); cudaDeviceSynchronize();
    for (int i = 0; i < 300; i++) printf("%g\n", y[i]), y[i] = 0;
}
