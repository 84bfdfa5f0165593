// Objects that do something when they end, in the scopes of single threads.
#include <cstdio>
template <typename T> struct Sum { T *to; T sum; __device__ explicit Sum(T *p) : to(p), sum(0) {} __device__ ~Sum() { if (sum != 0) atomicAdd(to, sum); } __device__ void add(T v) { sum += v; } };
struct Vec3 { float x, y, z; __host__ __device__ Vec3() : x(0), y(0), z(0) {} __host__ __device__ Vec3(float a, float b, float c) : x(a), y(b), z(c) {}
  __host__ __device__ Vec3(const Vec3 &o) : x(o.x), y(o.y), z(o.z) {} __host__ __device__ Vec3 &operator=(const Vec3 &o) { if (this != &o) { x = o.x; y = o.y; z = o.z; } return *this; }
  __host__ __device__ ~Vec3() {} };
__global__ void k(const float *in, float *out, int n) {
    __shared__ float s[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Vec3 v(in[i], 1.0f, 2.0f);
    s[threadIdx.x] = v.x;
    __syncthreads();
    v = Vec3(s[63 - threadIdx.x], v.x, v.y);
    for (int r = 0; r < 3; ++r) {
        Sum<float> sum(out + 128 + r % 2);
        for (int j = r; j < 5; ++j) { if (j == 3) continue; sum.add(v.x + j); if (i > n) break; }
    }
    if (i < n) { Sum<float> own(out + 130); own.add(1); out[i] = v.x + v.y * v.z; }
}
int main() { float *a, *b; cudaMallocManaged(&a, 512); cudaMallocManaged(&b, 1024); for (int i = 0; i < 128; ++i) a[i] = i % 11, b[i] = 0; for (int i = 128; i < 140; ++i) b[i] = 0; k<<<2, 64>>>(a, b, 100); cudaDeviceSynchronize(); for (int i = 0; i < 132; ++i) printf("%g ", b[i]); }
