// Memory of real numbers behind pointers of other types: rows of a pitch, vectors, bytes.
// g2o-verify: mirror_rows<<<3, 8>>>(image = [3 * 16], pitch = 64, width = 9, height = 3)
// g2o-verify: four_at_once<<<2, 4>>>(x = [n], w = [2], y = [n], n = 28)
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
