// Loads and stores that say how they go through the caches.
// g2o-verify: scaled<<<3, 8>>>(x = [n], a = [n], y = [n], n = 21)
// g2o-verify: in_place<<<3, 8>>>(x = [n], at = [n : 0 .. 1], n = 21)
template <typename T> __device__ void keep(T *place, T value)
{
    __stcg(place, value);
}

__global__ void scaled(const double *x, const double *__restrict__ a, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = __ldcs(x + i) * __ldg(&a[i]);
    __stcs(y + i, v * v);
    if (i % 2 == 0)
        __stwt(&y[i], __ldcg(y + i) * v);
    else
        keep(&y[i], sin(v));
}

__global__ void in_place(double *x, const int *at, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        __stwb(x + i, __ldlu(x + i) * __ldca(x + i) + __ldg(at + i));
}
