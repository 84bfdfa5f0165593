// Variables that are made by constructors with arguments, and live across barriers.
#include <cstdio>

struct Pair {
    int a;
    float b;
    __host__ __device__ Pair() : a(0), b(0) {}
    __host__ __device__ Pair(int x, float y) : a(x), b(y) {}
};

template <typename T>
struct Scaled {
    T value;
    __host__ __device__ Scaled() : value(0) {}
    __host__ __device__ Scaled(T x, T factor) : value(x * factor) {}
};

__device__ int low_bits(float *s, int t, float x) {
    unsigned char low((unsigned char)(t * 77));  // no list in parentheses: a cast
    __syncthreads();
    s[t] = x;
    __syncthreads();
    return low + int(s[t ^ 1]);
}

struct Numbered {
    int number;
    __device__ explicit Numbered(int n) : number(n) {}
};

struct Marked : Numbered {
    Numbered mark[2];
    __device__ Marked(int n, int m) : Numbered(n), mark{Numbered(m), Numbered(n)} {}
};

__global__ void construct_parts(float *x) {
    __shared__ float s[64];
    int t = threadIdx.x;
    Marked marked(t, 3);
    s[t] = marked.number++ + x[t];
    __syncthreads();
    marked.mark[1].number += s[63 - t];
    __syncthreads();
    x[t] = marked.number + marked.mark[0].number * marked.mark[1].number;
}

__global__ void construct(float *x) {
    __shared__ float s[64];
    int t = threadIdx.x;
    dim3 place(t + 1, t + 2, 3);
    Pair pair(t, 2.0f);
    Pair other{t * 2, 3.0f};
    Scaled<float> scaled((x[t]), (2.0f) * (1.5f));
    s[t] = x[t];
    __syncthreads();
    place.x += 1;
    pair.a += 1;
    other.a += place.z;
    x[t] = s[63 - t] + place.x;
    __syncthreads();
    x[t] += pair.a + place.y + pair.b + other.a * other.b + scaled.value;
    for (int i = 0; i < 2; ++i) {
        x[t] += low_bits(s, t, x[t]);
    }
}

template <typename T>
__global__ void construct_dependent(T *x) {
    __shared__ T s[64];
    int t = threadIdx.x;
    Scaled<T> scaled(x[t], T(3));
    s[t] = x[t];
    __syncthreads();
    scaled.value += s[63 - t];
    __syncthreads();
    x[t] += scaled.value;
}

int main() {
    float *x;
    cudaMallocManaged(&x, 64 * sizeof(float));
    for (int i = 0; i < 64; ++i)
        x[i] = i;
    construct<<<1, 64>>>(x);
    construct_parts<<<1, 64>>>(x);
    construct_dependent<float><<<1, 64>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%g\n", x[i]);
    cudaFree(x);
    return 0;
}
