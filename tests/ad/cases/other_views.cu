// Memory of real numbers behind pointers of other types: rows of a pitch, vectors, bytes.
// g2o-verify: mirror_rows<<<3, 8>>>(image = [3 * 16], pitch = 64, width = 9, height = 3)
// g2o-verify: four_at_once<<<2, 4>>>(x = [n], w = [2], y = [n], n = 28)
// g2o-verify: turned_by_fours<<<2, 4>>>(x = [n], w = [n / 2], n = 28)
// g2o-verify: neighbours_by_twos<<<2, 8>>>(x = [n + 2], y = [n], n = 28)
// g2o-verify: typed_bytes<<<2, 8, 64>>>(x = [n], y = [n], n = 15)
template <typename T> __device__ T *row_of(T *image, size_t pitch, int y)
{
    return (T *)((char *)image + y * pitch);
}

__global__ void mirror_rows(float *image, size_t pitch, int width, int height)
{
    int y = blockIdx.x;
    if (y >= height)
        return;
    float *row = row_of(image, pitch, y);
    for (int x = threadIdx.x; x < width / 2; x += blockDim.x) {
        float left = row[x];
        row[x] = row[width - 1 - x] * left;
        row[width - 1 - x] = left;
    }
}

// Reads an element as a part of a vector and by itself: other threads may meet it there.
__global__ void four_at_once(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 v = reinterpret_cast<const float4 *>(x)[i];
        float4 r;
        r.x = v.x * w[0];
        r.y = v.y * w[1];
        r.z = v.z * x[i];
        r.w = v.w * v.x;
        reinterpret_cast<float4 *>(y)[i] = r;
    }
}

__global__ void typed_bytes(const double *x, double *y, int n)
{
    extern __shared__ unsigned char memory[];
    double *s = reinterpret_cast<double *>(memory);
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] * x[i] : 0.0;
    __syncthreads();
    if (i < n)
        y[i] = s[(t * 3) % blockDim.x] * x[i];
}
// Two kinds of numbers in the memory of a block, the one behind the other.
// g2o-verify: carved<<<2, 8, 8 * 8 + 8 * 4>>>(n = 8, x = [16], z = [16], y = [16])
__global__ void carved(const double *x, const float *z, double *y, int n)
{
    extern __shared__ char bytes[];
    double *a = (double *)bytes;
    float *b = (float *)(a + n);
    int t = threadIdx.x, i = blockIdx.x * n + t;
    a[t] = x[i];
    b[t] = z[i] * 2.0f;
    __syncthreads();
    y[i] = a[n - 1 - t] * b[(t + 1) % n] + a[t];
    __syncthreads();
    a[t] *= b[n - 1 - t];
    __syncthreads();
    y[i] *= a[(t + 3) % n];
}
// The one after the other, in the same place.
// g2o-verify: used_again<<<2, 8>>>(n = 8, x = [16], z = [16], y = [16])
__global__ void used_again(const double *x, const float *z, double *y, int n)
{
    __shared__ double a[8];
    float *b = (float *)a;
    int t = threadIdx.x, i = blockIdx.x * n + t;
    a[t] = x[i] * y[i];
    __syncthreads();
    double v = a[(t + 1) % n] * a[t];
    __syncthreads();
    b[t] = z[i] * 2.0f + (float)v;
    b[t + n] = z[i] * z[i];
    __syncthreads();
    v += b[(t + 3) % n] * b[n + t];
    __syncthreads();
    a[t] = v;
    __syncthreads();
    y[i] = a[(t + 3) % n];
}

// A vector somewhere in an array of numbers: each thread has its own, however it is spelled.
__global__ void turned_by_fours(float *x, const float *w, int n)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i >= n)
        return;
    float4 v = *reinterpret_cast<float4 *>(&x[i]);
    float2 a = *(const float2 *)(w + i / 4 * 2);
    float4 turned = reinterpret_cast<float4 *>(x)[i / 4];
    v.x = v.x * a.x - turned.y * a.y;
    v.z = turned.x * a.y + v.z * v.w;
    *(float4 *)(x + i) = v;
}

// These are not: what one thread reads as its second vector is the first one of another.
__global__ void neighbours_by_twos(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i >= n)
        return;
    float2 own = *(const float2 *)(x + 2 * i);
    float2 next = *(const float2 *)(x + 2 * i + 2);
    *(float2 *)(y + 2 * i) = make_float2(own.x * next.y, own.y * next.x);
}
// g2o-verify: windows<<<2, 8>>>(x = [16], y = [16])
struct Window {
    double *cells;
    int first;
    __device__ double &operator()(int k) const { return cells[(first + k + 8) % 8]; }
};
__global__ void windows(const double *x, double *y)
{
    __shared__ double s[8];
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    Window w{s, t};
    w(0) = x[i];
    __syncthreads();
    double v = w(1) * w(-1);
    __syncthreads();
    w(0) *= v;
    const Window other = w;
    __syncthreads();
    y[i] = other(3) * v + w(-2);
}
// Memory that is declared as integers, for integers and for numbers of the template's type.
// g2o-verify: typed_integers<float><<<2, 8, 8 * 4 + 8 * 4>>>(x = [16], keys = [16], y = [16])
// g2o-verify: typed_integers<double><<<2, 8, 8 * 4 + 8 * 8>>>(x = [16], keys = [16], y = [16])
template <typename T> __global__ void typed_integers(const T *x, const int *keys, T *y)
{
    extern __shared__ int words[];
    T *values = reinterpret_cast<T *>(words + 8);
    int t = threadIdx.x, i = blockIdx.x * 8 + t;
    words[t] = (keys[i] & 7) + 1;
    values[t] = x[i] * x[i];
    __syncthreads();
    T v = values[words[t] & 7] * x[i];
    __syncthreads();
    words[t] = t;
    values[t] = v;
    __syncthreads();
    y[i] = values[7 - words[t]] * x[i];
}
