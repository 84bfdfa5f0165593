// Objects that their class gives values, each time that the loop comes to their declaration.
#include <cstdio>
struct S { int a; __device__ S() { a = 3; } __device__ void push(int v) { a += v; } };
struct Q { int a = 3; int b[2] = {1, 2}; __device__ void push(int v) { a += v; b[v & 1] += a; } };
template <typename T> struct P { T a = 3; __device__ void push(T v) { a += v; } };
__global__ void k(int *y, int m)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t;
    int sum = 0;
    for (int j = 0; j < m; ++j) {
        S one;
        Q two, three[2];
        P<int> four;
        one.push(j);
        two.push(j);
        three[1].push(j + t);
        four.push(2 * j);
        __syncthreads();
        sum += one.a + two.a * 3 + s[31 - t] + three[1].a * 5 + three[1].b[0] + four.a * 7;
    }
    y[t] = sum;
}
template <typename T> __global__ void kt(T *y, int m)
{
    __shared__ T s[32];
    int t = threadIdx.x;
    s[t] = t;
    T sum = 0;
    for (int j = 0; j < m; ++j) {
        P<T> four;
        four.push(2 * j);
        __syncthreads();
        sum += s[31 - t] + four.a * 7;
    }
    y[t] = sum;
}
int main()
{
    int *y;
    cudaMallocManaged(&y, 32 * sizeof(int));
    k<<<1, 32>>>(y, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf("%d\n", y[i]);
    kt<<<1, 32>>>(y, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        printf("%d\n", y[i]);
}
