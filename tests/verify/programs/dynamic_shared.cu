// Dynamic shared memory: inside a template, and declared once for the whole file.
#include <cstdio>

extern __shared__ float common[];
__shared__ int first, second[4];

__device__ float neighbour(int t) { return common[(t + 1) % blockDim.x]; }

__device__ int sum() { return first + second[1]; }

__global__ void rotate(float *x) {
    if (threadIdx.x == 3) {
        first = 5;
        second[1] = 37;
    }
    common[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = neighbour(threadIdx.x) + sum();
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
// output: f: 42 81 80 79 78
// output: d: 39 38 37 36 35
