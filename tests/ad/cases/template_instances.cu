// Templates whose derivative is another one for every instance: chosen by types, by functors that
// are specialised, with integers in the place of real numbers.
// g2o-verify: activate<float, 0><<<2, 32>>>(n = 60)
// g2o-verify: activate<double, 1><<<2, 32>>>(n = 60)
// g2o-verify: scale<float><<<2, 32>>>(n = 60)
// g2o-verify: scale<int><<<2, 32>>>(n = 60)
// g2o-verify: quantised<int><<<2, 32>>>(n = 60)
// g2o-verify: quantised<double><<<2, 32>>>(n = 60)
// g2o-verify: combine<double, Product><<<2, 32>>>(n = 60)
// g2o-verify: combine<float, Product><<<2, 32>>>(n = 60)
// g2o-verify: block_total<float><<<2, 32>>>(n = 60)
// g2o-verify: block_total<double><<<2, 32>>>(n = 60)
#include <type_traits>

enum class Mode { Plain, Scaled };

template <typename T> __device__ T curve(T v) { return v * v; }
template <> __device__ float curve<float>(float v) { return v * v * v; }

template <typename T, int ACT> __global__ void activate(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T v = x[i];
    if constexpr (std::is_same<T, float>::value) {
        float half = 0.5f * v;
        y[i] = half * curve(half);
    } else if constexpr (ACT == 1)
        y[i] = sin(v);
    else
        y[i] = v;
}

// An integer has no shadow; a real number has one.
template <typename T> __global__ void scale(const T *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (float)x[i] * w[i];
}

// What goes through an integer has no derivative.
template <typename T> __global__ void quantised(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        T level = static_cast<T>(x[i] + 0.01);
        y[i] = level * x[i];
    }
}

template <typename T> struct Product {
    __device__ T operator()(T a, T b) const { return a * b; }
};
template <> struct Product<float> {
    __device__ float operator()(float a, float b) const { return a * b * b; }
};

template <typename T, template <typename> class F>
__global__ void combine(const T *x, const T *w, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    F<T> together;
    if (i < n)
        y[i] = together(x[i], w[i]);
}

// A host template launches it.
template <typename T> __global__ void block_total(const T *x, T *y, int n)
{
    __shared__ T part[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    part[t] = T(0);
    if (i < n)
        part[t] = curve(x[i]);
    __syncthreads();
    for (int s = 16; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = part[0];
}

template <typename T> void total(const T *x, T *y, int n)
{
    block_total<<<(n + 31) / 32, 32>>>(x, y, n);
}

void launch_all(float *f, double *d, int *k, int n)
{
    activate<float, 0><<<n, 32>>>(f, f, n);
    activate<double, 1><<<n, 32>>>(d, d, n);
    scale<<<n, 32>>>(f, f, f, n);
    scale<<<n, 32>>>(k, f, f, n);
    quantised<int><<<n, 32>>>(d, d, n);
    quantised<double><<<n, 32>>>(d, d, n);
    combine<double, Product><<<n, 32>>>(d, d, d, n);
    combine<float, Product><<<n, 32>>>(f, f, f, n);
    total(f, f, n);
    total(d, d, n);
}
