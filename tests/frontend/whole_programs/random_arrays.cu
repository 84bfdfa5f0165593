// out: 1 1 1 1 1 1 1
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <curand.h>
#include <vector>

#define CURAND_CALL(x)                                                                             \
    do {                                                                                           \
        if ((x) != CURAND_STATUS_SUCCESS) {                                                        \
            std::printf("error at %s:%d\n", __FILE__, __LINE__);                                   \
            return EXIT_FAILURE;                                                                   \
        }                                                                                          \
    } while (0)

template <class T> double mean(const T *device, std::size_t n)
{
    std::vector<T> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (T one : host)
        sum += double(one);
    return sum / double(n);
}

__global__ void square(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= x[i];
}

int main()
{
    const std::size_t n = 100000;
    float *x;
    double *y;
    unsigned *z;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(double));
    cudaMalloc(&z, n * sizeof(unsigned));
    curandGenerator_t generator;
    CURAND_CALL(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    CURAND_CALL(curandSetPseudoRandomGeneratorSeed(generator, 1234ULL));
    CURAND_CALL(curandGenerateUniform(generator, x, n));
    std::printf("%d\n", std::fabs(mean(x, n) - 0.5) < 0.01);
    square<<<(n + 255) / 256, 256>>>(x, n);
    std::printf("%d\n", std::fabs(mean(x, n) - 1.0 / 3) < 0.01);
    CURAND_CALL(curandGenerateNormalDouble(generator, y, n, 2.0, 0.5));
    std::printf("%d\n", std::fabs(mean(y, n) - 2.0) < 0.02);
    CURAND_CALL(curandGeneratePoisson(generator, z, n, 3.0));
    std::printf("%d\n", std::fabs(mean(z, n) - 3.0) < 0.05);
    CURAND_CALL(curandGenerate(generator, z, n));
    std::printf("%d\n", std::fabs(mean(z, n) / 4294967296.0 - 0.5) < 0.01);

    // The same seed gives the same numbers, and the sequence goes on.
    float a[4], b[4];
    curandGenerator_t host;
    CURAND_CALL(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_MT19937));
    for (float *one : {a, b}) {
        CURAND_CALL(curandSetPseudoRandomGeneratorSeed(host, 7));
        CURAND_CALL(curandGenerateNormal(host, one, 2, 0.0f, 1.0f));
        CURAND_CALL(curandGenerateNormal(host, one + 2, 2, 0.0f, 1.0f));
    }
    std::printf("%d %d\n", a[0] == b[0] && a[3] == b[3], a[0] != a[2]);
    CURAND_CALL(curandDestroyGenerator(host));
    CURAND_CALL(curandDestroyGenerator(generator));
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
}
