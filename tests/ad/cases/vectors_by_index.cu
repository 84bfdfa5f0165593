// Vectors by index, and calls in the heads of loops.
__device__ float &vec_at(float4 &vec, int index) { return reinterpret_cast<float *>(&vec)[index]; }
__device__ float vec_at(const float4 &vec, int index) { return reinterpret_cast<const float *>(&vec)[index]; }
__device__ inline float4 add_float4(const float4 &a, const float4 &b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ inline float4 operator*(const float4 &a, const float4 &b)
{
    return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}
// g2o-verify: sums<<<2, 8>>>(x = [64], y = [64])
__global__ void sums(const float4 *x, float4 *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = x[i], out;
    for (int k = 0; k < 4; ++k)
        vec_at(out, k) = vec_at(v, k) * vec_at(v, (k + 1) % 4);
    y[i] = add_float4(out, v * v);
}
__host__ __device__ constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
template <class T> __host__ __device__ T ceil_of(T dividend, T divisor) { return (dividend + divisor - 1) / divisor; }
// g2o-verify: loops<<<2, 16>>>(x = [32 * n], y = [32], n = 9)
__global__ void loops(const float *x, float *y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < ceil_div(n, 4); ++i)
        s += x[t * n + 4 * i] * s + x[t * n + i];
    for (int i = ceil_of(n, 2); i < n; i += 1)
        s *= x[t * n + i];
    y[t] = s;
}
// g2o-verify: scales<<<2, 16>>>(x = [32 * 4 * n], y = [32], n = 3)
__global__ void scales(float *x, float *y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float4 *row = reinterpret_cast<float4 *>(x + t * 4 * n);
    float s = 0.0f;
    for (int i = 0; i < n; ++i) {
        float4 v = row[i];
        s += v.x * v.y + v.z * v.w;
        v.x *= s;
        row[i] = v;
    }
    y[t] = s;
}
struct Vec3 {
    float x, y, z;
    __device__ float &operator[](int k) { return (&x)[k]; }
};
// From the address of a member, an index leads to the others.
// g2o-verify: by_member<<<2, 8>>>(x = [16], y = [16], w = [16], z = [16])
__global__ void by_member(const float4 *x, float4 *y, const Vec3 *w, Vec3 *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = x[i], r;
    const float *p = &v.x;
    for (int k = 0; k < 4; ++k)
        (&r.x)[k] = p[k] * p[3 - k];
    y[i] = r;
    Vec3 u = w[i], s;
    for (int k = 0; k < 3; ++k)
        s[k] = u[k] * u[2 - k];
    for (int k = 0; k < 3; ++k)
        z[i][k] += s[k];
}
