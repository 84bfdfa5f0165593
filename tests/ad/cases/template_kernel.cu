// Templates over a type and over a number: adjoints stay templates.
// g2o-verify: scaled<double, 3><<<2, 32>>>(n = 40, x = [n], y = [n])
// g2o-verify: scaled<float, 2><<<2, 32>>>(n = 40, x = [n], y = [n])
template <typename T, int Power> __device__ T power(T x)
{
    T result = 1;
    for (int k = 0; k < Power; ++k)
        result *= x;
    return result;
}

template <typename T, int Power> __global__ void scaled(const T *x, T *y, T factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += factor * power<T, Power>(x[i]);
}
