// Classes of vectors and matrices with operators, elements and columns.
template <typename T> struct tvec3 {
    T x, y, z;
    __host__ __device__ tvec3() : x(0), y(0), z(0) {}
    __host__ __device__ explicit tvec3(T s) : x(s), y(s), z(s) {}
    __host__ __device__ tvec3(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}
    __host__ __device__ T &operator[](int i) { return (&x)[i]; }
    __host__ __device__ const T &operator[](int i) const { return (&x)[i]; }
    __host__ __device__ tvec3 &operator+=(const tvec3 &o) { x += o.x; y += o.y; z += o.z; return *this; }
    __host__ __device__ tvec3 &operator*=(T s) { x *= s; y *= s; z *= s; return *this; }
};
template <typename T> __host__ __device__ tvec3<T> operator+(const tvec3<T> &a, const tvec3<T> &b) { return tvec3<T>(a.x + b.x, a.y + b.y, a.z + b.z); }
template <typename T> __host__ __device__ tvec3<T> operator-(const tvec3<T> &a, const tvec3<T> &b) { return tvec3<T>(a.x - b.x, a.y - b.y, a.z - b.z); }
template <typename T> __host__ __device__ tvec3<T> operator*(const tvec3<T> &a, T s) { return tvec3<T>(a.x * s, a.y * s, a.z * s); }
template <typename T> __host__ __device__ tvec3<T> operator*(T s, const tvec3<T> &a) { return a * s; }
template <typename T> __host__ __device__ T dot(const tvec3<T> &a, const tvec3<T> &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <typename T> __host__ __device__ tvec3<T> cross(const tvec3<T> &a, const tvec3<T> &b) { return tvec3<T>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
template <typename T> __host__ __device__ T length(const tvec3<T> &a) { return sqrt(dot(a, a)); }
template <typename T> __host__ __device__ tvec3<T> normalize(const tvec3<T> &a) { return a * (T(1) / length(a)); }
template <typename T> struct tmat3 {
    tvec3<T> value[3];
    __host__ __device__ tmat3() {}
    __host__ __device__ explicit tmat3(T s) { value[0] = tvec3<T>(s, 0, 0); value[1] = tvec3<T>(0, s, 0); value[2] = tvec3<T>(0, 0, s); }
    __host__ __device__ tmat3(T a, T b, T c, T d, T e, T f, T g, T h, T i)
    {
        value[0] = tvec3<T>(a, b, c);
        value[1] = tvec3<T>(d, e, f);
        value[2] = tvec3<T>(g, h, i);
    }
    __host__ __device__ tvec3<T> &operator[](int i) { return value[i]; }
    __host__ __device__ const tvec3<T> &operator[](int i) const { return value[i]; }
};
template <typename T> __host__ __device__ tvec3<T> operator*(const tmat3<T> &m, const tvec3<T> &v)
{
    return m[0] * v.x + m[1] * v.y + m[2] * v.z;
}
template <typename T> __host__ __device__ tmat3<T> operator*(const tmat3<T> &a, const tmat3<T> &b)
{
    tmat3<T> r;
    for (int i = 0; i < 3; ++i)
        r[i] = a * b[i];
    return r;
}
template <typename T> __host__ __device__ tmat3<T> transpose(const tmat3<T> &m)
{
    tmat3<T> r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            r[i][j] = m[j][i];
    return r;
}
typedef tvec3<float> vec3;
typedef tmat3<float> mat3;
// g2o-verify: rays<<<2, 8>>>(p = [48], q = [48], y = [16])
__global__ void rays(const float *p, const float *q, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    vec3 a(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
    vec3 b(q[3 * i], q[3 * i + 1], q[3 * i + 2]);
    vec3 n = normalize(cross(a, b) + 2.0f * a);
    n += b;
    y[i] = dot(n, a) + length(a - b);
}
// g2o-verify: covariance<<<2, 8>>>(s = [48], q = [64], c = [96])
__global__ void covariance(const vec3 *s, const float4 *q, float *c)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    mat3 S = mat3(1.0f);
    vec3 scale = s[idx];
    S[0][0] = scale.x;
    S[1][1] = scale.y;
    S[2][2] = scale.z;
    float4 rot = q[idx];
    float r = rot.x, x = rot.y, y = rot.z, z = rot.w;
    mat3 R = mat3(1.f - 2.f * (y * y + z * z), 2.f * (x * y - r * z), 2.f * (x * z + r * y),
                  2.f * (x * y + r * z), 1.f - 2.f * (x * x + z * z), 2.f * (y * z - r * x),
                  2.f * (x * z - r * y), 2.f * (y * z + r * x), 1.f - 2.f * (x * x + y * y));
    mat3 M = S * R;
    mat3 Sigma = transpose(M) * M;
    c[6 * idx + 0] = Sigma[0][0];
    c[6 * idx + 1] = Sigma[0][1];
    c[6 * idx + 2] = Sigma[0][2];
    c[6 * idx + 3] = Sigma[1][1];
    c[6 * idx + 4] = Sigma[1][2];
    c[6 * idx + 5] = Sigma[2][2];
}
