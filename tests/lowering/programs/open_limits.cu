// Guards by numbers whose type a template leaves open, which may be real, and by members of class
// templates, of which nobody says the type.
#include <cstdio>

template <typename T> struct View {
    T *data;
    T limit;
    int n;
    __device__ long size() const { return n; }
};

template <typename T> __global__ void below(int *x, T limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < limit)
        x[i] += 1;
}

template <typename T> __global__ void members(const View<const T> from, View<T> to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= from.size())
        return;
    if (i < from.limit)
        to.data[i] = from.data[i] + i;
}

int main()
{
    int *x;
    float *a, *b;
    cudaMallocManaged(&x, 64 * sizeof(int));
    cudaMallocManaged(&a, 64 * sizeof(float));
    cudaMallocManaged(&b, 64 * sizeof(float));
    for (int i = 0; i < 64; ++i) {
        x[i] = i;
        a[i] = 2 * i;
        b[i] = 0;
    }
    below<<<2, 32>>>(x, 2.5f);
    below<<<2, 32>>>(x, 7u);
    members<<<2, 32>>>(View<const float>{a, 11.25f, 50}, View<float>{b, 0.0f, 64});
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        printf("%d %g\n", x[i], b[i]);
}
