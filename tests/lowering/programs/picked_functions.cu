// Functions that are chosen by the type of a coordinate, which is unsigned.
#include <algorithm>
#include <cstdio>

__device__ int kind(int) { return 1; }
__device__ int kind(unsigned) { return 2; }

template <class T>
__device__ T third(T x) {
    return x / 3;
}

template <class T>
__device__ int is_signed(const T &) {
    return T(-1) < T(0);
}

template <class T>
__device__ unsigned bumped(T &x) {
    return ++x;
}

struct Shape {
    int kind;
    __device__ Shape(int, int) : kind(3) {}
    __device__ Shape(unsigned, int) : kind(4) {}
    __device__ explicit Shape(int) : kind(5) {}
    __device__ explicit Shape(unsigned) : kind(6) {}
    __device__ int operator()(int) const { return 7; }
    __device__ int operator()(unsigned) const { return 8; }
    static __device__ int of(int, float) { return 9; }
    static __device__ int of(unsigned, float) { return 10; }
};

__device__ int operator<<(Shape, int) { return 11; }
__device__ int operator<<(Shape, unsigned) { return 12; }

template <class T>
__global__ void pick(unsigned *x, T n, int m) {
    unsigned *out = x + (blockIdx.x * blockDim.x + threadIdx.x) * 16;
    out[0] = kind(threadIdx.x) * 100 + kind(blockDim.x) * 10 + kind(threadIdx.y);
    out[1] = kind(blockIdx.x * blockDim.x + threadIdx.x) + 10 * kind(int(threadIdx.x) - 1);
    out[2] = third(threadIdx.x + m);
    out[3] = third(n + blockIdx.x);
    out[4] = is_signed(threadIdx.x) + 10 * is_signed(blockDim.x) + 100 * is_signed(m);
    Shape one(blockIdx.x);
    Shape two(threadIdx.x, 1);
    Shape three{threadIdx.y};
    out[5] = one.kind * 100 + two.kind * 10 + three.kind;
    out[6] = one(threadIdx.x) * 100 + one(gridDim.x) * 10 + one(m);
    out[7] = Shape::of(threadIdx.x, 1.0f) + Shape(threadIdx.x).kind * 100;
    out[8] = (one << blockIdx.x) + 100 * (one << m);
    decltype(threadIdx.x) own = threadIdx.x;
    out[10] = (own - 3) / 2;
    __shared__ unsigned own_element[8];
    own_element[threadIdx.x] = m;
    out[11] = bumped(own_element[threadIdx.x]); // a place, whatever its index
    out[9] = std::max(blockDim.x, 3u) - std::min(threadIdx.x, 2u);
}

int main() {
    unsigned *x;
    const int n = 2 * 8 * 16;
    cudaMallocManaged(&x, n * sizeof(unsigned));
    for (int i = 0; i < n; ++i)
        x[i] = 0;
    pick<int><<<2, 8>>>(x, -9, -5);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
        printf("%u%c", x[i], i % 16 == 15 ? '\n' : ' ');
    return 0;
}
