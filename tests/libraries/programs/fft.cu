// cuFFT: transforms of one to three dimensions, batches, layouts, in place, and what plans refuse.
#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

static int failures = 0;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("line %d: %s\n", __LINE__, #condition);                                    \
            ++failures;                                                                            \
        }                                                                                          \
    } while (0)
#define CHECK(call) EXPECT((call) == CUFFT_SUCCESS)

typedef std::complex<double> Number;

__global__ void scale(cufftComplex *a, int n, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i].x *= by;
        a[i].y *= by;
    }
}

// Number k of the transform of x, all dimensions but the last two of which are 1.
static Number expected(const std::vector<Number> &x, int nx, int ny, int k, int sign)
{
    Number sum = 0;
    for (int i = 0; i < nx * ny; ++i) {
        const double turns = double(i / ny) * (k / ny) / nx + double(i % ny) * (k % ny) / ny;
        sum += x[i] * std::polar(1.0, sign * 2 * 3.14159265358979323846 * turns);
    }
    return sum;
}

static bool near(Number a, Number b) { return std::abs(a - b) < 1e-3; }

static void complex_numbers()
{
    const int n = 12, batch = 3;
    std::vector<cufftComplex> host(n * batch);
    std::vector<Number> x(n * batch);
    for (int i = 0; i < n * batch; ++i) {
        host[i].x = float(i % 5 - 2);
        host[i].y = float(i % 3);
        x[i] = Number(host[i].x, host[i].y);
    }
    cufftComplex *device;
    cudaMalloc(&device, n * batch * sizeof(cufftComplex));
    cudaMemcpy(device, host.data(), n * batch * sizeof(cufftComplex), cudaMemcpyHostToDevice);
    cufftHandle plan;
    CHECK(cufftPlan1d(&plan, n, CUFFT_C2C, batch));
    CHECK(cufftExecC2C(plan, device, device, CUFFT_FORWARD));
    std::vector<cufftComplex> result(n * batch);
    cudaMemcpy(result.data(), device, n * batch * sizeof(cufftComplex), cudaMemcpyDeviceToHost);
    const std::vector<Number> last(x.begin() + 2 * n, x.end());
    for (int k = 0; k < n; ++k)
        EXPECT(near(Number(result[2 * n + k].x, result[2 * n + k].y), expected(last, 1, n, k, -1)));
    CHECK(cufftExecC2C(plan, device, device, CUFFT_INVERSE));
    scale<<<batch, n>>>(device, n * batch, 1.0f / n);
    cudaMemcpy(result.data(), device, n * batch * sizeof(cufftComplex), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n * batch; ++i)
        EXPECT(near(Number(result[i].x, result[i].y), x[i]));
    EXPECT(cufftExecR2C(plan, reinterpret_cast<cufftReal *>(device), device) == CUFFT_INVALID_TYPE);
    CHECK(cufftDestroy(plan));
    EXPECT(cufftExecC2C(plan, device, device, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);

    // Columns of a matrix of n rows: numbers at a distance.
    int sizes[] = {n}, embedded[] = {n};
    CHECK(cufftPlanMany(&plan, 1, sizes, embedded, batch, 1, embedded, 1, n, CUFFT_C2C, batch));
    cufftComplex *rows;
    cudaMalloc(&rows, n * batch * sizeof(cufftComplex));
    CHECK(cufftExecC2C(plan, device, rows, CUFFT_FORWARD));
    cudaMemcpy(result.data(), rows, n * batch * sizeof(cufftComplex), cudaMemcpyDeviceToHost);
    std::vector<Number> column(n);
    for (int i = 0; i < n; ++i)
        column[i] = x[i * batch + 1];
    for (int k = 0; k < n; ++k)
        EXPECT(near(Number(result[n + k].x, result[n + k].y), expected(column, 1, n, k, -1)));
    CHECK(cufftDestroy(plan));
    cudaFree(rows);
    cudaFree(device);
}

static void real_numbers()
{
    const int nx = 4, ny = 6, half = ny / 2 + 1;
    std::vector<double> host(nx * ny);
    std::vector<Number> x(nx * ny);
    for (int i = 0; i < nx * ny; ++i)
        x[i] = host[i] = i * i % 7;
    double *real;
    cufftDoubleComplex *spectrum;
    cudaMalloc(&real, nx * ny * sizeof(double));
    cudaMalloc(&spectrum, nx * half * sizeof(cufftDoubleComplex));
    cudaMemcpy(real, host.data(), nx * ny * sizeof(double), cudaMemcpyHostToDevice);
    cufftHandle forward, backward;
    CHECK(cufftPlan2d(&forward, nx, ny, CUFFT_D2Z));
    CHECK(cufftPlan3d(&backward, 1, nx, ny, CUFFT_Z2D));
    CHECK(cufftExecD2Z(forward, real, spectrum));
    std::vector<cufftDoubleComplex> result(nx * half);
    cudaMemcpy(result.data(), spectrum, nx * half * sizeof(cufftDoubleComplex),
               cudaMemcpyDeviceToHost);
    for (int k = 0; k < nx; ++k)
        for (int l = 0; l < half; ++l)
            EXPECT(near(Number(result[k * half + l].x, result[k * half + l].y),
                        expected(x, nx, ny, k * ny + l, -1)));
    CHECK(cufftExecZ2D(backward, spectrum, real));
    cudaMemcpy(host.data(), real, nx * ny * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < nx * ny; ++i)
        EXPECT(near(host[i] / (nx * ny), x[i]));
    CHECK(cufftDestroy(forward));
    CHECK(cufftDestroy(backward));

    // In place: rows of real numbers are padded.
    float padded[] = {1, 2, 3, 4, 5, 0, 0, 1, 0, 0, 1, 0, 0, 0};
    CHECK(cufftPlan1d(&forward, 5, CUFFT_R2C, 2));
    CHECK(cufftExecR2C(forward, padded, reinterpret_cast<cufftComplex *>(padded)));
    const std::vector<Number> first = {1, 2, 3, 4, 5}, second = {1, 0, 0, 1, 0};
    for (int k = 0; k < 3; ++k) {
        EXPECT(near(Number(padded[2 * k], padded[2 * k + 1]), expected(first, 1, 5, k, -1)));
        EXPECT(k == 0 || !near(Number(padded[6 + 2 * k], padded[7 + 2 * k]), 0));
    }
    CHECK(cufftDestroy(forward));
    EXPECT(cufftPlan1d(&forward, 0, CUFFT_R2C, 1) == CUFFT_INVALID_SIZE);
    cudaFree(real);
    cudaFree(spectrum);
}

int main()
{
    complex_numbers();
    real_numbers();
    std::printf(failures ? "FAIL\n" : "PASS\n");
    return failures != 0;
}
