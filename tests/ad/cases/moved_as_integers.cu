// Memory of numbers that is moved as vectors of integers.
#include <cstring>
#include <type_traits>
// g2o-verify: moved<<<2, 8>>>(x = [64], y = [64])
__global__ void moved(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int4 bits = *reinterpret_cast<const int4 *>(x + 4 * i);
    float v[4];
    memcpy(v, &bits, sizeof(int4));
    for (int k = 0; k < 4; ++k)
        v[k] *= v[(k + 1) % 4];
    memcpy(&bits, v, 16);
    reinterpret_cast<int4 *>(y)[i] = bits;
}
// g2o-verify: pointed<<<2, 8>>>(x = [64], y = [64])
__global__ void pointed(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint4 *from = reinterpret_cast<const uint4 *>(x);
    uint4 *to = (uint4 *)y + i;
    uint4 raw = from[i];
    const float *f = reinterpret_cast<const float *>(&raw);
    float s = 0.0f;
    for (int k = 0; k < 4; ++k)
        s += f[k] * f[k];
    uint4 out = raw;
    reinterpret_cast<float *>(&out)[2] = s * f[1];
    *to = out;
}
// g2o-verify: doubles<<<2, 8>>>(x = [32], y = [32])
__global__ void doubles(const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int4 raw = __ldg(reinterpret_cast<const int4 *>(x) + i);
    double *d = reinterpret_cast<double *>(&raw);
    d[0] *= d[1];
    __stcs(reinterpret_cast<int4 *>(y) + i, raw);
}
// g2o-verify: pairs<<<2, 8>>>(x = [32], y = [32])
__global__ void pairs(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    *reinterpret_cast<int2 *>(y + 2 * i) = *reinterpret_cast<const int2 *>(x + 2 * i);
    y[2 * i] *= x[2 * i + 1];
}
// g2o-verify: tiles<<<2, 8>>>(x = [64], y = [64])
__global__ void tiles(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    reinterpret_cast<int4 *>(s)[t] = reinterpret_cast<const int4 *>(x + 32 * blockIdx.x)[t];
    __syncthreads();
    for (int k = 0; k < 4; ++k)
        y[32 * blockIdx.x + 4 * t + k] = s[(4 * t + k + 5) % 32] * s[4 * t + k];
}
// g2o-verify: shuffled<<<2, 8>>>(x = [64], y = [64])
__global__ void shuffled(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int4 raw = *reinterpret_cast<const int4 *>(x + 4 * i);
    int4 other;
    if (i % 3 == 0)
        other = *reinterpret_cast<const int4 *>(x + (4 * i + 4) % 64);
    else
        other = raw;
    *reinterpret_cast<int4 *>(y + 4 * i) = other;
    y[4 * i + 1] *= reinterpret_cast<float *>(&raw)[3];
}
// g2o-verify: into_shared_memory<<<2, 32>>>(x = [256], y = [64])
__global__ void into_shared_memory(const float *x, float *y)
{
    __shared__ __align__(16) float s[128];
    int t = threadIdx.x;
    reinterpret_cast<uint4 *>(s)[t] =
        reinterpret_cast<const uint4 *>(x)[blockIdx.x * 32 + t];
    __syncthreads();
    y[blockIdx.x * 32 + t] = s[4 * t] * s[(4 * t + 5) % 128];
}
typedef uint4 Bits;
// g2o-verify: named<<<2, 8>>>(x = [64], y = [64])
__global__ void named(const float *x, float *y)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    Bits from, to;
    from = *(Bits *)&x[i];
    for (int j = 0; j < 4; ++j) {
        float v = *((float *)(&from) + j);
        *((float *)(&to) + j) = v * v;
    }
    *(Bits *)&y[i] = to;
}
template <int bytes> struct OfSize;
template <> struct OfSize<16> {
    using Type = uint4;
};
template <> struct OfSize<8> {
    using Type = unsigned long long;
};
// g2o-verify: of_size<float, 4><<<2, 8>>>(x = [64], y = [64])
// g2o-verify: of_size<float, 2><<<2, 8>>>(x = [32], y = [32])
// g2o-verify: of_size<double, 1><<<2, 8>>>(x = [16], y = [16])
template <class T, int N> __global__ void of_size(const T *x, T *y)
{
    using Whole = typename OfSize<N * sizeof(T)>::Type;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T in[N], out[N];
    reinterpret_cast<Whole *>(in)[0] = *reinterpret_cast<const Whole *>(x + i * N);
    for (int j = 0; j < N; ++j)
        out[j] = in[j] * in[N - 1 - j];
    *reinterpret_cast<Whole *>(y + i * N) = reinterpret_cast<Whole *>(out)[0];
}
// g2o-verify: in_storage<float, 4><<<2, 4>>>(x = [64], y = [64], n = 64)
template <class T, int N> __global__ void in_storage(T *x, T *y, int n)
{
    typedef typename std::aligned_storage<N * sizeof(T), N * alignof(T)>::type Whole;
    T v[N];
    Whole *value = reinterpret_cast<Whole *>(&v);
    T r[N];
    Whole *result = reinterpret_cast<Whole *>(&r);
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i * N < n; i += blockDim.x * gridDim.x) {
        *value = reinterpret_cast<Whole *>(x)[i];
        for (int j = 0; j < N; ++j)
            r[j] = v[j] * v[j];
        reinterpret_cast<Whole *>(y)[i] = *result;
    }
}
struct FourWords {
    int words[4];
};
// g2o-verify: in_words<<<2, 8>>>(x = [64], y = [64])
__global__ void in_words(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    FourWords all = *(const FourWords *)(x + 4 * i);
    float v[4];
    *(FourWords *)v = all;
    for (int k = 0; k < 4; ++k)
        v[k] *= v[3 - k];
    *(FourWords *)(y + 4 * i) = *(FourWords *)v;
}
struct Pair {
    float first, second;
};
// g2o-verify: seen_as_pairs<<<2, 8>>>(x = [16], y = [16])
__global__ void seen_as_pairs(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[4];
    Pair *front = (Pair *)&v;
    Pair *back = (Pair *)&v[2];
    front->first = x[i];
    front->second = x[i] * x[i];
    back->first = front->first * front->second;
    v[3] = 2.0f;
    y[i] = v[0] * v[1] * v[2] * back->second;
}
void launched(float *x, float *y, double *u, double *v)
{
    of_size<float, 4><<<2, 8>>>(x, y);
    of_size<float, 2><<<2, 8>>>(x, y);
    of_size<double, 1><<<2, 8>>>(u, v);
    in_storage<float, 4><<<2, 4>>>(x, y, 64);
}
// g2o-verify: copied_as_an_integer<<<2, 8>>>(x = [16], y = [16], n = 15)
__global__ void copied_as_an_integer(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v;
    *(unsigned *)&v = *(const unsigned *)&x[i];
    y[i] = v * v;
}
