// Arrays that are loaded and stored as vectors.
// g2o-verify: copied<<<2, 32>>>(x = [4 * n], y = [4 * n], n = 40)
// g2o-verify: by_members<<<2, 32>>>(x = [4 * n], y = [4 * n], n = 40)
// g2o-verify: pairs<<<2, 32>>>(x = [2 * n], y = [2 * n], n = 40)
// g2o-verify: turned<<<2, 32>>>(x = [4 * n], n = 40)
// g2o-verify: added<<<2, 32>>>(x = [4 * n], y = [4 * n], n = 40)
// g2o-verify: in_tiles<<<2, 32>>>(x = [4 * n], y = [n], n = 64)
// g2o-verify: through_pointers<<<2, 32>>>(x = [4 * n], y = [4 * n], n = 40)
// g2o-verify: triples<<<2, 32>>>(x = [4 * n], y = [3 * n], n = 40)
// g2o-verify: if_there<<<2, 32>>>(x = [4 * n], y = [4 * n], n = 40)

__global__ void copied(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    *reinterpret_cast<float4 *>(&y[4 * i]) = *reinterpret_cast<const float4 *>(&x[4 * i]);
    y[4 * i + 1] *= y[4 * i + 2];
}

__global__ void by_members(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float w = ((const float4 *)x)[i].w;
    float4 four = ((const float4 *)x)[i];
    four.y *= w;
    ((float4 *)y)[i].x = four.x * four.y;
    ((float4 *)y)[i].y = four.y;
    reinterpret_cast<float4 *>(y + 4 * i)->z = four.z * w;
    y[4 * i + 3] = w * w;
}

__global__ void pairs(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double2 p = reinterpret_cast<const double2 *>(x)[i];
    double2 q;
    q = *reinterpret_cast<const double2 *>(x + 2 * i);
    reinterpret_cast<double2 *>(y)[i] = make_double2(p.x * q.y, sin(p.y) + q.x);
}

// In place: all four numbers are loaded before one is stored.
__global__ void turned(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    *reinterpret_cast<float4 *>(&x[4 * i]) =
        make_float4(x[4 * i + 3], x[4 * i + 2] * x[4 * i], x[4 * i + 1], x[4 * i]);
}

__device__ float4 operator+(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void added(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 a = *(const float4 *)(x + 4 * i);
    float4 b = *(const float4 *)(x + 4 * ((i + 1) % n));
    *(float4 *)(y + 4 * i) = a + b;
}

__global__ void in_tiles(const float *x, float *y, int n)
{
    __shared__ float tile[32][4];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    *reinterpret_cast<float4 *>(&tile[t][0]) = *reinterpret_cast<const float4 *>(&x[4 * i]);
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k)
        sum += tile[(t + 1) % 32][k] * tile[t][3 - k];
    y[i] = sum;
}

__global__ void through_pointers(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float4 *from = reinterpret_cast<const float4 *>(x);
    float4 *to = reinterpret_cast<float4 *>(y);
    float4 v = from[i];
    v.x = v.x * v.w;
    to[i] = v;
}

__global__ void if_there(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 four = make_float4(1.0f, 1.0f, 1.0f, 1.0f);
    if (i < n)
        four = *reinterpret_cast<const float4 *>(&x[4 * i]);
    if (i < n)
        *reinterpret_cast<float4 *>(&y[4 * i]) = four;
    else
        return;
    for (int k = 0; k < 2; ++k)
        *reinterpret_cast<float2 *>(&y[4 * i + 2 * k]) = make_float2(four.x * k, four.y);
}

__global__ void triples(float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float3 three = *reinterpret_cast<const float3 *>(&x[4 * i + 1]);
    *reinterpret_cast<float3 *>(&x[4 * i]) = three;
    *reinterpret_cast<float3 *>(&y[3 * i]) = *reinterpret_cast<const float3 *>(&x[4 * i]);
    y[3 * i + 1] *= x[4 * i + 3];
}
