// Elements that an operator of a class template gives, of objects of one of its instances.
// g2o-verify: packed<<<2, 8>>>(x = [4 * n], y = [4 * n], n = 14)
template <class T> struct Pack {
    __device__ T &operator[](int index) { return numbers[index]; }
    __device__ const T &operator[](int index) const { return numbers[index]; }
    static constexpr int size = 4;
    T numbers[size];
};

__global__ void packed(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pack<double> in, out;
    for (int k = 0; k < Pack<double>::size; ++k)
        in[k] = x[4 * i + k];
    for (int k = 0; k < in.size; ++k)
        out[k] = in[k] * in[(k + 1) % 4];
    for (int k = 0; k < out.size; ++k)
        y[4 * i + k] = out[k];
}
