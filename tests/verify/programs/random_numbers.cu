// Device random numbers: known answers of Philox4x32-10 (Salmon et al.), streams that are
// reproducible and distinct, moments of the distributions.
#include <cstdio>
#include <curand_kernel.h>

__global__ void setup(curandState *states, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, i, 0, &states[i]);
}
__global__ void draw(curandState *states, float *mean, double *normal, unsigned *poisson) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState local = states[i];
    float u = 0;
    double n = 0;
    unsigned p = 0;
    for (int k = 0; k < 500; ++k) {
        u += curand_uniform(&local);
        n += curand_normal(&local);
        p += curand_poisson(&local, 3.0);
    }
    atomicAdd(mean, u / 500);
    atomicAdd(normal, n / 500);
    atomicAdd(poisson, p);
    states[i] = local;
}
__global__ void philox(unsigned *out) {
    curandStatePhilox4_32_10_t state;
    curand_init(0ULL, 0ULL, 0ULL, &state);
    uint4 first = curand4(&state);
    curand_init(0ULL, 0ULL, 2ULL, &state);
    out[0] = first.x;
    out[1] = first.y;
    out[2] = curand(&state) == first.z && curand(&state) == first.w;
    curand_init(7ULL, 1ULL, 0ULL, &state);
    out[3] = curand(&state) != first.x;
}

int main() {
    curandState *states;
    float *mean;
    double *normal;
    unsigned *out;
    cudaMalloc(&states, 64 * sizeof *states);
    cudaMallocManaged(&mean, sizeof *mean);
    cudaMallocManaged(&normal, sizeof *normal);
    cudaMallocManaged(&out, 5 * sizeof *out);
    *mean = *normal = out[4] = 0;
    setup<<<2, 32>>>(states, 1234ULL);
    draw<<<2, 32>>>(states, mean, normal, out + 4);
    philox<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%.2f %d %.2f\n", *mean / 64, fabs(*normal / 64) < 0.02, out[4] / 32000.0);
    printf("%08x %08x %u %u\n", out[0], out[1], out[2], out[3]);
}
// output: 0.50 1 3.00
// output: 6627e8d5 e169c58d 1 1
