// Values of functions of template parameters have names of these types.
// g2o-verify: product<float, 2><<<2, 32>>>(n = 60, x = [120], y = [60])
// g2o-verify: product<double, 3><<<2, 32>>>(n = 60, x = [180], y = [60])
template <typename T> __device__ T damped(T a, T b)
{
    T c = a * b;
    if (c > T(1))
        c = sqrt(c) + exp(-c);
    return c + a;
}

template <typename T, int N> __global__ void product(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T s = 1;
    for (int j = 0; j < N; ++j)
        s *= x[i * N + j] + T(j);
    if (N == 3)
        s = s * s;
    y[i] = damped(s, x[i]);
}
