// Gravitational n-body simulation, all pairs, with positions staged through shared memory.
//
// A body is a float4: position in x, y, z and mass in w. The block loads as many bodies as
// it has threads, everybody interacts with all of them, and the next tile follows.
//
// usage: nbody [bodies] [steps]

#include <cuda_runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 128
#define SOFTENING 1e-3f

#define CUDA_SAFE(call)                                                             \
    do {                                                                            \
        const cudaError_t rc = (call);                                              \
        if (rc != cudaSuccess) {                                                    \
            fprintf(stderr, "%s (line %d): %s\n", #call, __LINE__,                  \
                    cudaGetErrorString(rc));                                        \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

// Adds to `acc` what body `other` does to a body at `self`. A body does nothing to itself:
// the distance vector is zero.
__device__ float3 interact(float4 self, float4 other, float3 acc)
{
    float3 r;
    r.x = other.x - self.x;
    r.y = other.y - self.y;
    r.z = other.z - self.z;

    float distance2 = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
    float inverse = rsqrtf(distance2);
    float pull = other.w * inverse * inverse * inverse;

    acc.x += r.x * pull;
    acc.y += r.y * pull;
    acc.z += r.z * pull;
    return acc;
}

__global__ void body_force(const float4 *body, float3 *acceleration, int n)
{
    __shared__ float4 tile[BLOCK];

    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK + tid;
    float4 self = i < n ? body[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float3 acc = make_float3(0.0f, 0.0f, 0.0f);

    for (int base = 0; base < n; base += BLOCK) {
        // The last tile is filled up with bodies of no mass.
        int j = base + tid;
        tile[tid] = j < n ? body[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();

        #pragma unroll 8
        for (int k = 0; k < BLOCK; k++)
            acc = interact(self, tile[k], acc);
        __syncthreads(); // before the tile is overwritten
    }

    if (i < n)
        acceleration[i] = acc;
}

// Semi-implicit Euler step.
__global__ void integrate(float4 *body, float3 *velocity, const float3 *acceleration, float dt,
                          int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    float3 v = velocity[i];
    v.x += acceleration[i].x * dt;
    v.y += acceleration[i].y * dt;
    v.z += acceleration[i].z * dt;
    velocity[i] = v;

    // The mass stays as it is.
    body[i].x += v.x * dt;
    body[i].y += v.y * dt;
    body[i].z += v.z * dt;
}

static float uniform(unsigned int *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / 16777216.0f;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 300;
    const int steps = argc > 2 ? atoi(argv[2]) : 2;
    const float dt = 1e-3f;
    if (n < 1 || steps < 1) {
        fprintf(stderr, "usage: %s [bodies] [steps]\n", argv[0]);
        return 2;
    }

    float4 *body = (float4 *)malloc(n * sizeof(float4));
    float3 *velocity = (float3 *)malloc(n * sizeof(float3));
    float3 *acceleration = (float3 *)malloc(n * sizeof(float3));
    unsigned int state = 1u;
    for (int i = 0; i < n; i++) {
        body[i].x = 2.0f * uniform(&state) - 1.0f;
        body[i].y = 2.0f * uniform(&state) - 1.0f;
        body[i].z = 2.0f * uniform(&state) - 1.0f;
        body[i].w = (0.5f + uniform(&state)) / n;
    }
    memset(velocity, 0, n * sizeof(float3));

    float4 *d_body;
    float3 *d_velocity, *d_acceleration;
    CUDA_SAFE(cudaMalloc((void **)&d_body, n * sizeof(float4)));
    CUDA_SAFE(cudaMalloc((void **)&d_velocity, n * sizeof(float3)));
    CUDA_SAFE(cudaMalloc((void **)&d_acceleration, n * sizeof(float3)));
    CUDA_SAFE(cudaMemcpy(d_body, body, n * sizeof(float4), cudaMemcpyHostToDevice));
    CUDA_SAFE(cudaMemcpy(d_velocity, velocity, n * sizeof(float3), cudaMemcpyHostToDevice));

    cudaEvent_t begin, end;
    CUDA_SAFE(cudaEventCreate(&begin));
    CUDA_SAFE(cudaEventCreate(&end));
    const int blocks = (n + BLOCK - 1) / BLOCK;
    CUDA_SAFE(cudaEventRecord(begin));
    for (int step = 0; step < steps; step++) {
        body_force<<<blocks, BLOCK>>>(d_body, d_acceleration, n);
        integrate<<<blocks, BLOCK>>>(d_body, d_velocity, d_acceleration, dt, n);
    }
    CUDA_SAFE(cudaGetLastError());
    CUDA_SAFE(cudaEventRecord(end));
    CUDA_SAFE(cudaEventSynchronize(end));
    float ms;
    CUDA_SAFE(cudaEventElapsedTime(&ms, begin, end));

    // Forces at the final positions, to compare some of them with a serial sum.
    body_force<<<blocks, BLOCK>>>(d_body, d_acceleration, n);
    CUDA_SAFE(cudaMemcpy(body, d_body, n * sizeof(float4), cudaMemcpyDeviceToHost));
    CUDA_SAFE(cudaMemcpy(velocity, d_velocity, n * sizeof(float3), cudaMemcpyDeviceToHost));
    CUDA_SAFE(cudaMemcpy(acceleration, d_acceleration, n * sizeof(float3),
                         cudaMemcpyDeviceToHost));

    double worst = 0.0;
    for (int i = 0; i < n; i += n / 100 + 1) {
        double ax = 0.0, ay = 0.0, az = 0.0;
        for (int j = 0; j < n; j++) {
            double rx = (double)body[j].x - body[i].x;
            double ry = (double)body[j].y - body[i].y;
            double rz = (double)body[j].z - body[i].z;
            double d2 = rx * rx + ry * ry + rz * rz + SOFTENING;
            double pull = body[j].w / (d2 * sqrt(d2));
            ax += rx * pull;
            ay += ry * pull;
            az += rz * pull;
        }
        double error = fabs(ax - acceleration[i].x) + fabs(ay - acceleration[i].y) +
                       fabs(az - acceleration[i].z);
        worst = fmax(worst, error / (1.0 + fabs(ax) + fabs(ay) + fabs(az)));
    }

    // Nothing acts from outside, so the momentum stays zero.
    double energy = 0.0, px = 0.0, py = 0.0, pz = 0.0;
    for (int i = 0; i < n; i++) {
        double vx = velocity[i].x, vy = velocity[i].y, vz = velocity[i].z;
        energy += 0.5 * body[i].w * (vx * vx + vy * vy + vz * vz);
        px += body[i].w * vx;
        py += body[i].w * vy;
        pz += body[i].w * vz;
    }

    const int pass = worst < 1e-4 && fabs(px) + fabs(py) + fabs(pz) < 1e-5;
    printf("bodies %d\n", n);
    printf("kinetic_energy %.4e\n", energy);
    printf("%s\n", pass ? "PASS" : "FAIL");
    printf("time_ms %.3f\n", ms);

    CUDA_SAFE(cudaEventDestroy(begin));
    CUDA_SAFE(cudaEventDestroy(end));
    CUDA_SAFE(cudaFree(d_body));
    CUDA_SAFE(cudaFree(d_velocity));
    CUDA_SAFE(cudaFree(d_acceleration));
    free(body);
    free(velocity);
    free(acceleration);
    return pass ? 0 : 1;
}
