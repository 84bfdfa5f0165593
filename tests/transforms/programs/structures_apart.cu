// Structures of numbers that loops add up in: neighbours go through these loops together
#include <cstdio>

__device__ float3 attracted(float4 me, float4 other, float3 sum)
{
    float3 r;
    r.x = other.x - me.x;
    r.y = other.y - me.y;
    r.z = other.z - me.z;
    const float squared = r.x * r.x + r.y * r.y + r.z * r.z + 0.25f;
    const float s = other.w / (squared * squared);
    sum.x += r.x * s;
    sum.y += r.y * s;
    sum.z += r.z * s;
    return sum;
}

__global__ void forces(const float4 *x, float4 *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float4 me = x[i];
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; ++j)
        sum = attracted(me, x[j], sum);
    y[i] = make_float4(sum.x, sum.y, sum.z, me.w);
}

// By tiles: the sums are kept over barriers.
__global__ void forces_by_tiles(const float4 *x, float4 *y, int n)
{
    __shared__ float4 tile[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = x[i];
    float3 sum = {0.0f, 0.0f, 0.0f};
    for (int first = 0; first < n; first += 32) {
        tile[threadIdx.x] = x[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum = attracted(me, tile[j], sum);
        __syncthreads();
    }
    y[i] = make_float4(sum.x, sum.y, sum.z, 0.0f);
}

struct Complex {
    double re, im;
};

__device__ Complex times(Complex a, Complex b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

__device__ Complex plus(Complex a, Complex b)
{
    Complex c;
    c.re = a.re + b.re;
    c.im = a.im + b.im;
    return c;
}

// Both members of the old value are needed for those of the new one.
__global__ void series(const Complex *z, Complex *y, int n, int terms)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Complex power = {1.0, 0.0}, sum = {};
    for (int k = 0; k < terms; ++k) {
        sum = plus(sum, power);
        power = times(power, z[i]);
        power = {power.im, power.re};
    }
    y[i] = sum;
}

__device__ void add_to(float2 &sum, float2 more)
{
    sum.x += more.x;
    sum.y -= more.y;
}

// What is referred to, and what is led to by an address.
__global__ void referred(const float2 *x, float2 *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 sum = make_float2(0.0f, 1.0f), other = x[i];
    float *member = &other.x;
    for (int k = 0; k < 5; ++k) {
        add_to(sum, x[(i + k) % n]);
        member[k % 2] += sum.y;
        other.y *= 0.5f;
    }
    y[i] = make_float2(sum.x + other.x, sum.y - other.y);
}

int main()
{
    const int n = 96;
    float4 *x, *y;
    Complex *z, *w;
    float2 *p, *q;
    cudaMallocManaged(&x, n * sizeof(float4));
    cudaMallocManaged(&y, n * sizeof(float4));
    cudaMallocManaged(&z, n * sizeof(Complex));
    cudaMallocManaged(&w, n * sizeof(Complex));
    cudaMallocManaged(&p, n * sizeof(float2));
    cudaMallocManaged(&q, n * sizeof(float2));
    for (int i = 0; i < n; ++i) {
        x[i] = make_float4(i * 37 % 101 * 0.25f, i * 53 % 97 * 0.25f, i * 29 % 89 * 0.5f, 1.0f + i % 3);
        z[i] = {(i % 7) * 0.125, (i % 5) * 0.25 - 0.5};
        p[i] = make_float2(i % 11 * 0.5f, i % 13 * 0.25f);
    }
    forces<<<3, 40>>>(x, y, n - 5);
    cudaDeviceSynchronize();
    for (int i = 0; i < n - 5; i += 9)
        printf("%g %g %g %g\n", y[i].x, y[i].y, y[i].z, y[i].w);
    forces_by_tiles<<<3, 32>>>(x, y, n);
    series<<<3, 40>>>(z, w, n, 9);
    referred<<<3, 40>>>(p, q, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i += 9)
        printf("%g %g %g %g %g %g %g\n", y[i].x, y[i].y, y[i].z, w[i].re, w[i].im, q[i].x, q[i].y);
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    cudaFree(w);
    cudaFree(p);
    cudaFree(q);
    return 0;
}
