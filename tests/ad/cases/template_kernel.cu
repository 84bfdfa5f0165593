// Templates over a type and over a number: adjoints stay templates.
// g2o-verify: scaled<double, 3><<<2, 32>>>(n = 40, x = [n], y = [n])
// g2o-verify: scaled<float, 2><<<2, 32>>>(n = 40, x = [n], y = [n])
// g2o-verify: between<double><<<2, 32>>>(n = 40, x = [n], y = [n])
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

template <typename T> __device__ T mixed(const T &a, const T &b, T part) { return a + part * (b - a); }

// Seeds whose type only the instance knows.
template <typename T> __global__ void between(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T low = x[i] * x[i];
    T high = mixed(low, x[(i + 1) % n], T(0.3));
    y[i] = mixed<T>(high, low, high);
}
