// What a function template gives is kept by the type that the template calls it.
template <int K, typename T> __device__ T power(T value)
{
    T result = 1;
    for (int k = 0; k < K; ++k)
        result *= value;
    return result;
}

// g2o-verify: powers<double><<<2, 8>>>(n = 14, m = 3, x = [n], y = [n])
template <typename T> __global__ void powers(const T *x, T *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T v = x[i];
    for (int j = 0; j < m; ++j)
        v = power<2, T>(sin(v)) * v;
    y[i] = v;
}

void launch(const double *x, double *y, int n)
{
    powers<double><<<2, 8>>>(x, y, n, 3);
}
