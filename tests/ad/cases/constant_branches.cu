// `if constexpr` stays one: other instances do not compile what they leave out.
// g2o-verify: powers<true><<<2, 16>>>(n = 30, x = [n], y = [n])
// g2o-verify: powers<false><<<2, 16>>>(n = 30, x = [n], y = [n])
template <bool SQUARE> __global__ void powers(int n, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double v = x[i];
        if constexpr (SQUARE)
            v = v * v;
        else
            v = v * v * v;
        y[i] = v;
    }
}

template <class T> __device__ T curved(T v)
{
    if constexpr (sizeof(T) == 8)
        return v * v;
    else
        return T(2) * v * v;
}

// g2o-verify: curves<double><<<2, 16>>>(n = 30, x = [n], y = [n])
template <class T> __global__ void curves(int n, const T *x, T *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = curved(x[i]);
}
