// out: 3
// Headers of libraries of which nothing is used.
#include <cublasXt.h>
#include <cudnn.h>
#include <cudnn_ops.h>
#include <cufftXt.h>
#include <curand_kernel.h>
#include <curand_discrete.h>
#include <curand_discrete2.h>
#include <curand_globals.h>
#include <curand_mtgp32_host.h>
#include <curand_philox4x32_x.h>
#include <curand_poisson.h>
#include <curand_precalc.h>
#include <curand_uniform.h>
#include <cusolverMg.h>
#include <cusolverRf.h>
#include <cusparseLt.h>
#include <nppi.h>

#include <cstdio>

__global__ void add(int *p)
{
    atomicAdd(p, 1);
}

int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof(int));
    *p = 0;
    add<<<1, 3>>>(p);
    cudaDeviceSynchronize();
    std::printf("%d\n", *p);
}
