// Objects that live across barriers and whose classes have no constructor without arguments.
#include <cstdio>

template <class T> struct Neighbours {
    T *s;
    __device__ explicit Neighbours(T *p) : s(p) {}
    __device__ T next(T value) {
        s[threadIdx.x] = value;
        __syncthreads();
        T found = s[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
        return found;
    }
};

class Pair {
    int whole_;
    float half_;

  public:
    __device__ Pair(int value) : whole_(value), half_(value * 0.5f) {}
    __device__ void increase() { ++whole_; }
    __device__ int whole() const { return whole_; }
    __device__ float half() const { return half_; }
};

__global__ void neighbours(const float *x, float *out) {
    __shared__ float s[64];
    Neighbours<float> around(s);
    out[threadIdx.x] = around.next(x[threadIdx.x]) + around.next(2.0f);
}

__global__ void pairs(const float *x, float *out) {
    __shared__ float s[32];
    Pair pair(static_cast<int>(x[threadIdx.x]));
    s[threadIdx.x] = pair.half();
    __syncthreads();
    pair.increase();
    out[threadIdx.x] = pair.whole() + s[31 - threadIdx.x];
}

int main() {
    float *x, *out;
    cudaMallocManaged(&x, 64 * sizeof(float));
    cudaMallocManaged(&out, 64 * sizeof(float));
    for (int i = 0; i < 64; ++i)
        x[i] = i * 7 % 13;
    neighbours<<<1, 64>>>(x, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf(" %g", out[i]);
    pairs<<<1, 32>>>(x, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf(" %g", out[i]);
    printf("\n");
}
