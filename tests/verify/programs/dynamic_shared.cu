// Dynamic shared memory: inside a template, and declared once for the whole file.
#include <cstdio>

extern __shared__ float common[];

__device__ float neighbour(int t) { return common[(t + 1) % blockDim.x]; }

__global__ void rotate(float *x) {
    common[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = neighbour(threadIdx.x);
}

template <typename T> __global__ void reverse(T *x, int n) {
    extern __shared__ __align__(sizeof(double)) unsigned char bytes[];
    T *s = reinterpret_cast<T *>(bytes);
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[n - 1 - threadIdx.x];
}

template <class T> void show(const char *name, T *x, int n) {
    printf("%s:", name);
    for (int i = 0; i < n; ++i)
        printf(" %g", (double)x[i]);
    printf("\n");
}

int main() {
    const int n = 40;
    float *f;
    double *d;
    cudaMallocManaged(&f, n * sizeof *f);
    cudaMallocManaged(&d, n * sizeof *d);
    for (int i = 0; i < n; ++i)
        f[i] = d[i] = i;
    rotate<<<1, n, n * sizeof(float)>>>(f);
    reverse<<<1, n, n * sizeof(double), 0>>>(d, n);
    reverse<float><<<1, n, n * sizeof(float)>>>(f, n);
    cudaDeviceSynchronize();
    show("f", f, 5);
    show("d", d, 5);
}
// output: f: 0 39 38 37 36
// output: d: 39 38 37 36 35
