// Objects of class templates in kernel templates: what their methods give leads to them only where
// these hand it out.
#include <cstdio>

template <class T> struct Scale {
    T by;
    bool twice;
    __host__ __device__ Scale(T by, bool twice) : by(by), twice(twice) {}
    __device__ T sum(T a, T b) const { return twice ? a + 2 * b * by : a + b * by; }
};

template <class T> struct Place {
    T &of;
};

template <class T> struct Names {
    using reference = T &;
};

template <class T> struct Cell {
    T v;
    __device__ typename Names<T>::reference named() { return v; }
    __device__ Place<T> listed() { return {v}; }
    __device__ Cell *me() { return this; }
    __device__ T *place() { return &v; }
    __device__ T &held() { return v; }
};

template <typename T> __global__ void reduce(T *y, const T *x, int n)
{
    using Op = Scale<T>;
    Op op = {/*by=*/2, false};
    __shared__ T s[64];
    T v = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        v = op.sum(v, x[j]);
    s[threadIdx.x] = v;
    __syncthreads();
    y[threadIdx.x] = op.sum(s[(threadIdx.x + 1) % blockDim.x], v);
}

template <typename T> __global__ void led(T *y, const T *x)
{
    __shared__ T s[64];
    Cell<T> one = {x[0]}, two = {x[1]}, three = {x[2]}, four = {x[3]}, five = {x[4]};
    Cell<T> *p = one.me();
    T *q = two.place();
    T &r = three.held();
    Place<T> w = four.listed();
    p->v += threadIdx.x;
    *q *= 2 + threadIdx.x;
    r = r - threadIdx.x;
    w.of += 3 * threadIdx.x;
    typename Names<T>::reference f = five.named();
    f += 5 * threadIdx.x;
    s[threadIdx.x] = one.v + two.v * three.v;
    __syncthreads();
    y[threadIdx.x] = one.v + s[63 - threadIdx.x] + two.v - three.v + four.v + five.v;
}

int main()
{
    double *x, *y;
    cudaMallocManaged(&x, 100 * sizeof(double));
    cudaMallocManaged(&y, 64 * sizeof(double));
    for (int i = 0; i < 100; ++i)
        x[i] = i % 7 + 1;
    reduce<double><<<1, 64>>>(y, x, 100);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%g ", y[i]);
    led<double><<<1, 64>>>(y, x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%g ", y[i]);
    printf("\n");
}
