// Lambdas in kernel templates, which clang leaves open: by value, by reference.
// g2o-verify: mixed<2, double><<<1, 16>>>(out = [16], in = [16 : -1 .. 1], n = 3, m = 2)

template <int K, typename T>
__global__ void mixed(T *out, const T *in, int n, T m)
{
    __shared__ T s[16];
    const int t = threadIdx.x;
    T h = in[t], least = m;
    int calls = 0;
    s[t] = h;
    __syncthreads();
    if (m >= in[3]) {
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
    T v = step(m);
    for (int k = 0; k < n; ++k) {
        s[t] = v + step(T(k));
        __syncthreads();
        lower(least, s[bounded(t + k)]);
        v = 2 * v - s[(t + k) % 16];
        __syncthreads();
    }
    out[t] = step(v) + least + T(calls);
}
