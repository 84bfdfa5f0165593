// A short loop that all threads of a block leave together, and one that each leaves for itself
#include <cstdio>

#define DEPTH 8

__global__ void potential(const float4 *atoms, int bins, float cutoff, float *out, int n)
{
    __shared__ float near[4 * DEPTH * 4];
    int t = threadIdx.y * 8 + threadIdx.x;
    float x = 0.5f * (blockIdx.x * 8 + threadIdx.x), y = 0.25f * threadIdx.y;
    float energy = 0.0f;
    for (int b = 0; b < bins; b += 4) {
        int num = min(4, bins - b);
        if (t < num * DEPTH) {
            float4 f = atoms[b * DEPTH + t];
            near[4 * t] = f.x;
            near[4 * t + 1] = f.y;
            near[4 * t + 2] = f.z;
            near[4 * t + 3] = f.w;
        }
        __syncthreads();
        for (int k = 0; k < num; k++) {
            for (int i = 0; i < DEPTH; i++) {
                float aq = near[(k * DEPTH + i) * 4 + 3];
                if (0.0f == aq)
                    break;
                float dx = near[(k * DEPTH + i) * 4] - x;
                float dy = near[(k * DEPTH + i) * 4 + 1] - y;
                float r2 = dx * dx + dy * dy + 0.01f;
                if (r2 < cutoff) {
                    float s = 1.0f - r2 / cutoff;
                    energy += aq * rsqrtf(r2) * s * s;
                }
            }
        }
        __syncthreads();
    }
    out[blockIdx.x * 32 + t] = energy;
}

__global__ void until(const float *x, const float *limit, float *y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float sum = 0.0f;
    for (int i = 0; i < DEPTH; i++) {
        if (sum > limit[t])
            break;
        sum += x[i * n + t];
        if (sum < 0.0f)
            continue;
        sum *= 0.75f;
    }
    y[t] = sum;
}

int main()
{
    const int bins = 10, blocks = 3, n = 200;
    float4 *atoms;
    float *out, *x, *limit, *y;
    cudaMallocManaged(&atoms, bins * DEPTH * sizeof(float4));
    cudaMallocManaged(&out, blocks * 32 * sizeof(float));
    cudaMallocManaged(&x, DEPTH * n * sizeof(float));
    cudaMallocManaged(&limit, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    for (int i = 0; i < bins * DEPTH; ++i) {
        bool there = i % DEPTH < i / DEPTH * 5 % (DEPTH + 1);
        atoms[i] = make_float4(i * 7 % 25 * 0.5f, i * 3 % 11 * 0.125f, 0.0f,
                               there ? 0.25f * (1 + i % 5) : 0.0f);
    }
    for (int i = 0; i < DEPTH * n; ++i)
        x[i] = (i * 37 % 101) * 0.25f - 5.0f;
    for (int i = 0; i < n; ++i)
        limit[i] = i % 40;
    potential<<<blocks, dim3(8, 4)>>>(atoms, bins, 20.0f, out, n);
    until<<<4, 64>>>(x, limit, y, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < blocks * 32; i += 5)
        printf("%g\n", out[i]);
    for (int i = 0; i < n; i += 7)
        printf("%g\n", y[i]);
    cudaFree(atoms);
    cudaFree(out);
    cudaFree(x);
    cudaFree(limit);
    cudaFree(y);
    return 0;
}
