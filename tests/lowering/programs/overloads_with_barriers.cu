// Overloads with barriers that only the kind of one argument, or the number of template arguments,
// tells apart.
#include <cstdio>
template <int n, class T> inline __device__ void put(T *a, T *s, int d, int sync = 0xf)
{
    for (int i = 0; i < n; ++i) s[i * d] = a[i];
    if (sync & 1) __syncthreads();
}
template <int n, class T> inline __device__ void put(T *a, T *s, int *d, int sync = 0xf)
{
    for (int i = 0; i < n; ++i) s[d[i]] = a[i];
    if (sync & 1) __syncthreads();
}
template <class T, int X, int Y> __device__ void turn(T &value, T *s)
{
    s[threadIdx.x] = value;
    __syncthreads();
    value = s[(threadIdx.x * X + Y) % 32];
    __syncthreads();
}
template <class T> __device__ void turn(T &value, T *s)
{
    turn<T, 1, 31>(value, s);
    value += s[0];
}
template <class T> __global__ void k(T *x)
{
    __shared__ T s[128];
    T a[4];
    int where[4];
    for (int i = 0; i < 4; ++i) { a[i] = x[threadIdx.x * 4 + i]; where[i] = threadIdx.x + (3 - i) * 32; }
    put<4, T>(a, &s[threadIdx.x], 32);
    for (int i = 0; i < 4; ++i) a[i] = s[threadIdx.x * 4 + i];
    __syncthreads();
    put<4, T>(a, s, where, 1);
    for (int i = 0; i < 4; ++i) x[threadIdx.x * 4 + i] = s[threadIdx.x * 4 + i];
    __syncthreads();
    turn<T, 3, 5>(a[1], s);
    turn<T>(a[1], s);
    x[threadIdx.x] += a[1];
}
int main()
{
    float *x; cudaMallocManaged(&x, 512);
    for (int i = 0; i < 128; ++i) x[i] = i * i % 37;
    k<float><<<1, 32>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; ++i) printf("%g ", x[i]);
    printf("\n");
}
