// Calls of lambdas in kernel templates: what they take by value stays what it is.

#include <cstdio>

template <int K, typename T>
__global__ void mixed(T *out, const T *in, int n, T m)
{
    __shared__ T s[16];
    const int t = threadIdx.x;
    T h = in[t], least = m;
    int calls = 0;
    s[t] = h;
    __syncthreads();
    if (m >= s[3]) {
        __syncthreads();
        h += s[(t + 1) % 16];
        __syncthreads();
    }
    auto step = [&](T z) {
        h = h * T(K) + z;
        ++calls;
        return h;
    };
    const auto bounded = [=](int i) { return i < n ? i : n - 1; };
    auto lower = [&](T &place, const T &value) {
        if (value < place)
            place = value;
    };
    auto twice = [](auto v) { return v + v; };
    T v = step(m);
    for (int k = 0; k < n; ++k) {
        s[t] = v + step(T(k));
        __syncthreads();
        lower(least, s[bounded(t + k)]);
        v = twice(v) - s[(t + k) % 16];
        __syncthreads();
    }
    out[t] = step(v) + least + T(calls);
}

// Lambdas that name positions stay where they are, also in heads of loops.
template <typename T> __global__ void placed(T *out, const T *in, int n)
{
    __shared__ T s[16];
    int t = threadIdx.x;
    T h = in[t];
    s[t] = h;
    __syncthreads();
    auto mixed_bits = [&](unsigned q) { return q ^ unsigned(s[threadIdx.x] < T(2) ? 31 : 7); };
    auto scaled = [&](T v) { return v * s[(threadIdx.x + 1) % 16]; };
    if (n > 3)
        h += mixed_bits(t) % 5u + scaled(h);
    else if (n > 1)
        h -= scaled(T(2));
    for (int i = 0; i < int(mixed_bits(3) % 3u); ++i)
        h += scaled(T(i));
    out[t] += h;
}

int main()
{
    unsigned *in, *out;
    float *x, *y;
    cudaMallocManaged(&in, 16 * sizeof(unsigned));
    cudaMallocManaged(&out, 16 * sizeof(unsigned));
    cudaMallocManaged(&x, 16 * sizeof(float));
    cudaMallocManaged(&y, 16 * sizeof(float));
    for (int i = 0; i < 16; ++i) {
        in[i] = i * 7 % 13;
        x[i] = in[i] * 0.5f;
    }
    mixed<3><<<1, 16>>>(out, in, 5, 9u);
    mixed<2><<<1, 16>>>(y, x, 3, 0.25f);
    placed<<<1, 16>>>(out, in, 5);
    placed<<<1, 16>>>(y, x, 2);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        printf("%u %g\n", out[i], y[i]);
}
