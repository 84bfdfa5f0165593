// What methods read behind the pointers of their objects, and what functions refer to, counts: barriers
// stay, and values are kept.
#include <cstdio>
struct Window {
    double *cells;
    int first;
    __device__ double at(int k) const { return cells[(first + k + 8) % 8]; }
    __device__ void put(int k, double v) { cells[(first + k + 8) % 8] = v; }
    __device__ double *place(int k) { return cells + (first + k + 8) % 8; }
};
template <typename T> struct Tile {
    T *cells;
    __device__ T &operator[](int k) { return cells[k & 7]; }
    __device__ const T &operator[](int k) const { return cells[k & 7]; }
    __device__ T sum() const { T s = 0; for (int k = 0; k < 8; ++k) s += cells[k]; return s; }
};
__device__ double total(const Window &w) { return w.at(0) + w.at(1); }
__device__ double &pick(double *a, int k) { return a[k & 7]; }
__global__ void windows(const double *x, double *y)
{
    __shared__ double s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    Window w{s, t};
    w.put(0, x[i]);
    __syncthreads();
    double v = w.at(1) * w.at(-1) + *w.place(2);
    __syncthreads();
    w.put(0, w.at(0) * v);
    __syncthreads();
    double u = total(w);
    __syncthreads();
    *w.place(0) += u;
    __syncthreads();
    y[i] = w.at(3) * v + *w.place(-2);
}
template <typename T> __global__ void tiles(const T *x, T *y)
{
    __shared__ T s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    Tile<T> tile{s};
    tile[t] = x[i];
    __syncthreads();
    T v = tile[t + 1] * tile[t + 7];
    T all = tile.sum();
    __syncthreads();
    tile[t] += v;
    __syncthreads();
    const Tile<T> again = tile;
    y[i] = again[t + 3] * v + tile.sum() - all;
}
__global__ void picks(const double *x, double *y)
{
    __shared__ double s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    pick(s, t) = x[i];
    __syncthreads();
    double v = pick(s, t + 1) * pick(s, t + 7);
    const double &r = pick(s, t + 2);
    double w = r;
    __syncthreads();
    pick(s, t) *= v;
    __syncthreads();
    y[i] = pick(s, t + 3) * v + r * w;
}
int main()
{
    double *x, *y;
    cudaMallocManaged(&x, 16 * sizeof(double));
    cudaMallocManaged(&y, 16 * sizeof(double));
    for (int i = 0; i < 16; ++i)
        x[i] = 0.25 * i + 1;
    windows<<<2, 8>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        printf("%.6f\n", y[i]);
    tiles<<<2, 8>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        printf("%.6f\n", y[i]);
    picks<<<2, 8>>>(x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        printf("%.6f\n", y[i]);
    return 0;
}
