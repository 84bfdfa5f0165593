// Registers that hand elements of an array on from iteration to iteration, and some that don't
#include <cstdio>
#include <cuda_runtime.h>
#define TX 8
#define TY 4
#define BOTH (below + above)
__global__ void planes(const float *in, float *out, int nx, int ny, int nz) {
    __shared__ float s[TY + 2][TX + 2];
    int tx = threadIdx.x, ty = threadIdx.y;
    int i = blockIdx.x * TX + tx + 1, j = blockIdx.y * TY + ty + 1;
    int plane = nx * ny, p = j * nx + i;
    float below = in[p], here = in[p + plane];
    for (int k = 1; k < nz - 1; k++) {
        p += plane;
        float above = in[p + plane];
        __syncthreads();
        s[ty + 1][tx + 1] = here;
        if (tx == 0) s[ty + 1][0] = in[p - 1];
        if (tx == TX - 1) s[ty + 1][TX + 1] = in[p + 1];
        if (ty == 0) s[0][tx + 1] = in[p - nx];
        if (ty == TY - 1) s[TY + 1][tx + 1] = in[p + nx];
        __syncthreads();
        out[p] = 0.5f * here + BOTH + s[ty + 1][tx] + s[ty + 1][tx + 2] + s[ty][tx + 1] +
                 s[ty + 2][tx + 1];
        below = here; // what was here
        here = above;
    }
}
__global__ void columns(const float *in, float *out, int nx, int ny, int nz) {
    int i = blockIdx.x * TX + threadIdx.x, j = blockIdx.y * TY + threadIdx.y;
    int p = j * nx + i, layer = nx * ny;
    float below, here = in[p], above = in[p + layer];
    for (int k = 1; k <= nz - 2; ++k) {
        below = here;
        here = above;
        above = in[((k + 1) * ny + j) * nx + i];
        p += layer;
        out[p] = below - 2.0f * here + above;
    }
}
__global__ void around_the_step(const float *in, float *out, int n, int m) {
    int p = (blockIdx.x * blockDim.x + threadIdx.x) * 3 * m;
    float before = in[p], now = in[p + 3];
    for (int k = 0; k < m - 2; ++k) {
        out[k * n + blockIdx.x * blockDim.x + threadIdx.x] = before * 0.5f + now;
        p = p + 3;
        float next = in[p + 3] + (now - before) * 0.0f;
        out[k * n + blockIdx.x * blockDim.x + threadIdx.x] += next;
        before = now;
        now = in[p + 3];
    }
}
__global__ void in_place(const float *in, float *out, int n, int m) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    float before = in[p], now = in[p + n];
    for (int k = 1; k < m - 1; ++k) {
        p += n;
        float next = in[p + n];
        out[p] = before + now + next;
        before = now;
        now = next;
    }
}
__global__ void kept(const float *in, float *out, int n, int m) {
    int p = blockIdx.x * blockDim.x + threadIdx.x, first = p;
    float before = in[p + 1], now = in[p], seen = in[p], last = in[p];
    const float &same = seen;
    for (int k = 1; k < m; ++k) {
        out[p] = before + 2.0f * now + 3.0f * same + 4.0f * last; // `before` starts elsewhere
        before = now;
        p += n;
        now = in[p];
        seen = in[k * n + first];
        last = in[p];
    }
    out[p] = last;
}
__global__ void by_some(const float *in, float *out, int n, int m) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, p = t;
    float now = in[p];
    for (int k = 0; k < m - 1; ++k) {
        out[k * n + t] = now;
        if (k % 3 != t % 3) p += n;
        now = in[p];
    }
    unsigned q = t;
    float other = in[q];
    for (int k = 0; k < m - 1; ++k) {
        out[k * n + t] += other;
        q += n;
        other = in[q];
    }
}
__global__ void asked_behind(const float *in, float *out, int n, int m) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float below = in[c], here = in[c], above = in[c + n];
    for (int k = 1; k < m - 1; ++k) {
        c += n;
        below = here;
        here = above;
        above = in[c + n];
        out[c] = below - 2.0f * here + above;
    }
    c += n;
    below = here;
    here = above;
    out[c] = below - 2.0f * here;
}
int main() {
    const int nx = 18, ny = 10, nz = 7, n = nx * ny * nz;
    static float a[n];
    float *x, *y;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    dim3 grid(2, 2), block(TX, TY);
    for (int which = 0; which < 8; ++which) {
        for (int i = 0; i < n; ++i) a[i] = (i * 37 % 101) / 32.0f;
        cudaMemcpy(x, a, sizeof(a), cudaMemcpyHostToDevice);
        cudaMemset(y, 0, sizeof(a));
        if (which == 0) planes<<<grid, block>>>(x, y, nx, ny, nz);
        if (which == 1) columns<<<grid, block>>>(x, y, nx, ny, nz);
        if (which == 2) around_the_step<<<2, 8>>>(x, y, 16, 9);
        if (which == 3) in_place<<<2, 8>>>(y, y, 16, 9);
        if (which == 3) in_place<<<2, 8>>>(x, x, 16, 9);
        if (which == 4) kept<<<2, 8>>>(x, y, 16, 9);
        if (which == 5) by_some<<<2, 8>>>(x, y, 16, 9);
        if (which == 6) asked_behind<<<2, 8>>>(x, y, 16, 9);
        if (which == 7) asked_behind<<<2, 8>>>(x, y, 16, 2);
        cudaMemcpy(a, which == 3 ? x : y, sizeof(a), cudaMemcpyDeviceToHost);
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += a[i] * (i % 29 + 1);
        std::printf("%d %.5f\n", which, sum);
    }
    cudaFree(x);
    cudaFree(y);
}
