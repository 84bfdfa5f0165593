// Arguments of launches that convert to what the kernel takes: buffers that cannot be copied, that
// free their memory with every copy, and conversions that are not for const objects.
#include <cstdio>
#include <cuda_runtime.h>

struct Owned {
    float *p = nullptr;
    explicit Owned(int n) { cudaMalloc(&p, n * sizeof(float)); }
    Owned(const Owned &) = delete;
    ~Owned() { cudaFree(p); }
    operator float *() { return p; }
};

struct Careless { // a copy frees the memory of the original
    float *p = nullptr;
    explicit Careless(int n) { cudaMalloc(&p, n * sizeof(float)); }
    ~Careless() { cudaFree(p); }
    operator float *() const { return p; }
};

struct View {
    float *p;
    operator float *() { return p; }
};

__global__ void add(float *out, const float *x, float *unused, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !unused)
        out[i] += x[i];
}

int main() {
    const int n = 100;
    float host[n];
    for (int i = 0; i < n; ++i)
        host[i] = i;
    Owned sum(n);
    Careless x(n);
    cudaMemset(sum, 0, n * sizeof(float));
    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<4, 32>>>(sum, x, 0, n);
    add<<<4, 32>>>(sum, x, NULL, n);
    add<<<4, 32>>>(View{sum}, x, nullptr, n);
    View view{sum};
    add<<<4, 32>>>(view, x, 0, n);
    cudaMemcpy(host, sum, n * sizeof(float), cudaMemcpyDeviceToHost);
    float total = 0;
    for (float one : host)
        total += one;
    printf("%g\n", total);
    return 0;
}
// output: 19800
