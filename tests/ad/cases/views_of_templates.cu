// Views whose elements are a template's parameter: of what is only read, too.
// g2o-verify: square<double><<<2, 16>>>(x.data = [n], y.data = [n], n = 30)
// g2o-verify: smooth<float><<<2, 16>>>(x.data = [n], x.size = n, y = [n], w.data = [n], n = 30)
template <typename T> struct View {
    T *data;
    int size;
    __device__ T &operator[](long i) const { return data[i]; }
    __device__ T at(int i) const { return data[i < 0 ? 0 : i >= size ? size - 1 : i]; }
};
template <typename T> __global__ void square(const View<T> x, View<T> y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}
template <typename T> __global__ void smooth(View<const T> x, T *y, View<T> w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T left = x.at(i - 1), right = x.at(i + 1);
    y[i] = w[i] * (left - 2 * x[i] + right);
    w[i] *= T(0.5);
}
void run(View<double> a, View<double> b, View<const float> c, View<float> d, float *e)
{
    square<double><<<2, 16>>>(a, b, 30);
    smooth<float><<<2, 16>>>(c, e, d, 30);
}
