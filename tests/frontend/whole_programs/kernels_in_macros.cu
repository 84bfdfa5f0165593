// out: 2 3 4 0 1 2 12 9 5 5 2.5 6
// Kernels that macros define, one by one and from lists; sizes of launches as lists.
#include <cstdio>

#define ELEMENTWISE(name, op)                                                                      \
    __global__ void name(const int *a, int *out, int n) {                                          \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        if (i < n)                                                                                 \
            out[i] = a[i] op 1;                                                                    \
    }
ELEMENTWISE(increment, +)
ELEMENTWISE(decrement, -)

#define JOINED(a, b) a##_##b
#define NAME(a, b) JOINED(a, b)
#define MAXIMUM(a, b) ((a) > (b) ? (a) : (b))
#define REDUCTION(T, name, op)                                                                     \
    __global__ void NAME(name, T)(T * x) {                                                         \
        __shared__ T s[8];                                                                         \
        int t = threadIdx.x;                                                                       \
        s[t] = x[t];                                                                               \
        __syncthreads();                                                                           \
        for (int k = 4; k > 0; k /= 2) {                                                           \
            if (t < k) {                                                                           \
                s[t] = op(s[t], s[t + k]);                                                         \
            }                                                                                      \
            __syncthreads();                                                                       \
        }                                                                                          \
        if (t == 0)                                                                                \
            x[0] = s[0];                                                                           \
    }
REDUCTION(int, largest, MAXIMUM)
REDUCTION(float, largest, MAXIMUM);

#define SCALE(T)                                                                                   \
    __global__ void scale_##T(T *x) {                                                              \
        x[threadIdx.x] *= T(2.5);                                                                  \
    }                                                                                              \
    T scaled_##T(T *x) {                                                                           \
        scale_##T<<<1, {1}>>>(x);                                                                  \
        cudaDeviceSynchronize();                                                                   \
        return x[0];                                                                               \
    }
#define FOR_ALL_TYPES(X) X(int) X(float)
FOR_ALL_TYPES(SCALE)
#undef SCALE

template <class T> __global__ void fill(T *x, T value) { x[threadIdx.y * 2 + threadIdx.x] = value; }
#define INSTANTIATE(T) template __global__ void fill<T>(T *, T);
INSTANTIATE(int)
#define HEAD(name) __global__ void name(int *x)
HEAD(last) { x[1] += 1; }

int main() {
    int *a, *b;
    float *f;
    cudaMallocManaged(&a, 8 * sizeof(int));
    cudaMallocManaged(&b, 8 * sizeof(int));
    cudaMallocManaged(&f, 8 * sizeof(float));
    for (int i = 0; i < 8; ++i) {
        a[i] = i + 1;
        f[i] = i + 2;
    }
    increment<<<1, {32}>>>(a, b, 3);
    cudaDeviceSynchronize();
    printf("%d %d %d ", b[0], b[1], b[2]);
    decrement<<<{1, 1}, 32>>>(a, b, 3);
    cudaDeviceSynchronize();
    printf("%d %d %d ", b[0], b[1], b[2]);
    b[3] = 12;
    b[4] = b[5] = b[6] = b[7] = 0;
    largest_int<<<1, 8>>>(b);
    largest_float<<<1, 8>>>(f);
    cudaDeviceSynchronize();
    printf("%d %g ", b[0], f[0]);
    fill<<<1, {2, 2}>>>(b, 5);
    cudaDeviceSynchronize();
    printf("%d %d ", b[0], b[3]);
    f[0] = 1;
    printf("%g ", scaled_float(f));
    last<<<1, 1>>>(b);
    cudaDeviceSynchronize();
    printf("%d\n", b[1]);
}
