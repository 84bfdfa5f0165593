// Threads that march with small arrays of their own, and what they decide alike on the way
#include <cstdio>
#include <cuda_runtime.h>
#define at(i, j, k) ((i) + nx * ((j) + ny * (k)))
__global__ void sweep(const double *a, double *x, double *l, const int nx, const int ny, const int nz) {
    int i, j, k, m;
    double row[2][3], rhs[2], fac;
    i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    j = blockIdx.y * blockDim.y + threadIdx.y;
    if (j >= ny || i >= nx - 1) {
        return;
    }
    for (m = 0; m < 3; m++) row[0][m] = a[at(i, j, 0)] + m;
    rhs[0] = x[at(i, j, 0)];
    for (k = 0; k < nz - 1; k++) {
        if (k + 1 == nz - 1) {
            for (m = 0; m < 3; m++) row[1][m] = 1.0 + m;
        } else if (k == 2) {
            row[1][0] = 0.5, row[1][1] = a[at(i, j, k)];
            row[1][2] = row[0][1];
        } else {
            for (m = 0; m < 3; m++) row[1][m] = a[at(i - 1, j, k + 1)] * 0.25 + m;
            row[1][1] += 3.0;
        }
        fac = 1.0 / (2.0 + row[0][0]);
        rhs[1] = x[at(i, j, k + 1)];
        for (m = 0; m < 2; m++) rhs[m] -= fac * row[m][2];
        l[at(i, j, k)] = fac * row[0][1];
        x[at(i, j, k)] = rhs[0];
        for (m = 0; m < 3; m++) row[0][m] = row[1][m];
        rhs[0] = rhs[1];
    }
    k = nz - 2;
    x[at(i, j, k + 1)] = rhs[0];
    for (k = nz - 2; k >= 0; k--) x[at(i, j, k)] -= l[at(i, j, k)] * x[at(i, j, k + 1)];
}
__device__ double total(const double *v) { return v[0] + v[1]; }
__global__ void jumps(const double *a, double *x, int n, int nz, int last, int skip) {
    double own[2], sum = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x, k;
    own[0] = own[1] = i;
    if (i >= n) return;
    for (k = 0; k < nz; k++) {
        if (k == last) break;
        if (k % 3 == skip) { x[k * n + i] = own[0]; continue; }
        own[k & 1] += a[k * n + i];
        if (k > 1 && last > 4) {
            sum += own[0] * k;
            if (sum > 40) own[1] = a[k * n + i];
        }
        x[k * n + i] = total(own) + sum;
    }
    x[i] += k;
}
__global__ void nothing_kept(const float *a, float *x, int n, int nz) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    float window[3];
    if (i >= n) return;
    window[0] = a[i], window[1] = a[n + i];
    for (int k = 1; k + 1 < nz; k++) {
        window[2] = a[(k + 1) * n + i];
        if (k == 1) x[i] = window[0];
        x[k * n + i] = window[0] - 2 * window[1] + window[2];
        window[0] = window[1], window[1] = window[2];
    }
}
int main() {
    const int nx = 37, ny = 6, nz = 9, n = nx * ny * nz;
    double *a, *x, *l;
    float *f, *g;
    cudaMallocManaged(&a, n * sizeof(double)), cudaMallocManaged(&x, n * sizeof(double));
    cudaMallocManaged(&l, n * sizeof(double)), cudaMallocManaged(&f, n * sizeof(float));
    cudaMallocManaged(&g, n * sizeof(float));
    for (int i = 0; i < n; i++) a[i] = i % 11 * 0.125, x[i] = i % 7, l[i] = 0, f[i] = i % 13, g[i] = 0;
    sweep<<<dim3(2, 3), dim3(32, 2)>>>(a, x, l, nx, ny, nz);
    for (int last = 3; last < 9; last += 5)
        for (int skip = 0; skip < 4; skip++) jumps<<<5, 32>>>(a, x, 140, 8, last, skip);
    nothing_kept<<<3, 64>>>(f, g, 150, 8);
    nothing_kept<<<3, 64>>>(f, g, 0, 8);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) printf("%g %g %g\n", x[i], l[i], g[i]);
    return 0;
}
