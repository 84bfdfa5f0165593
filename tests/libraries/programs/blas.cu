// cuBLAS: the levels, pointer modes, batches, small numbers, factorisations and errors.
#include <cublas_v2.h>
#include <cuComplex.h>
#include <cuda_fp16.h>

#include <cmath>
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
#define CHECK(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)
#define OF_TYPE(letter, name) cublas##letter##name

__global__ void fill(float *a, int n, int modulus)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = i % modulus - 3;
}

__global__ void halves(__half *a, const float *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = __float2half(from[i]);
}

// Element (i, j) of op(A) B, by columns.
static float product(const std::vector<float> &a, const std::vector<float> &b, int n, int i, int j,
                     bool transposed)
{
    float sum = 0;
    for (int l = 0; l < n; ++l)
        sum += (transposed ? a[l + i * n] : a[i + l * n]) * b[l + j * n];
    return sum;
}

static void vectors(cublasHandle_t handle)
{
    const float x[] = {1, -7, 3, 4};
    float y[] = {2, 0, 1, 5}, *device, scalar = 2, result = 0;
    cudaMalloc(&device, sizeof(x));
    CHECK(cublasSetVector(4, sizeof(float), x, 1, device, 1));
    int largest, least;
    CHECK(cublasIsamax(handle, 4, device, 1, &largest));
    CHECK(cublasIsamin(handle, 4, device, 1, &least));
    EXPECT(largest == 2 && least == 1);
    CHECK(cublasSaxpy(handle, 2, &scalar, device, 2, y, 3));
    EXPECT(y[0] == 4 && y[3] == 11);
    CHECK(cublasSdot_v2(handle, 4, device, 1, device, 1, &result));
    EXPECT(result == 75);
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    float *factor;
    cudaMalloc(&factor, sizeof(float));
    cudaMemcpy(factor, &scalar, sizeof(float), cudaMemcpyHostToDevice);
    CHECK(cublasSscal(handle, 4, factor, device, 1));
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    float scaled[4];
    CHECK(cublasGetVector(4, sizeof(float), device, 1, scaled, 1));
    EXPECT(scaled[1] == -14);

    cuDoubleComplex z[] = {make_cuDoubleComplex(1, 2), make_cuDoubleComplex(0, -1)}, inner;
    CHECK(cublasZdotc(handle, 2, z, 1, z, 1, &inner));
    EXPECT(cuCreal(inner) == 6 && cuCimag(inner) == 0);
    cuComplex c[] = {make_cuComplex(3, -4), make_cuComplex(0, 1)};
    CHECK(cublasScasum(handle, 2, c, 1, &result));
    EXPECT(result == 8);
    double d[] = {3, 4}, length;
    CHECK(OF_TYPE(D, nrm2)(handle, 2, d, 1, &length));
    EXPECT(length == 5);
    cudaFree(device);
    cudaFree(factor);
}

static void products(cublasHandle_t handle)
{
    const int n = 8, size = n * n, batch = 3;
    const size_t bytes = batch * size * sizeof(float);
    float *a, *b, *c;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    fill<<<batch, size>>>(a, batch * size, 7);
    fill<<<batch, size>>>(b, batch * size, 5);
    std::vector<float> ha(size), hb(size), hc(batch * size);
    CHECK(cublasGetMatrix(n, n, sizeof(float), a, n, ha.data(), n));
    CHECK(cublasGetMatrix(n, n, sizeof(float), b, n, hb.data(), n));
    const float one = 1, none = 0, minus = -1;
    CHECK(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &none, c, n));
    cudaMemcpy(hc.data(), c, size * sizeof(float), cudaMemcpyDeviceToHost);
    EXPECT(hc[1 + 2 * n] == product(ha, hb, n, 1, 2, true));
    CHECK(cublasSgemv(handle, CUBLAS_OP_N, n, n, &minus, a, n, b, 1, &one, c, 1));
    const float before = hc[5];
    cudaMemcpy(hc.data(), c, size * sizeof(float), cudaMemcpyDeviceToHost);
    EXPECT(hc[5] == before - product(ha, hb, n, 5, 0, false));

    CHECK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, 0, b, n,
                                    size, &none, c, n, size, batch));
    cudaMemcpy(hc.data(), c, bytes, cudaMemcpyDeviceToHost);
    EXPECT(hc[3 + 4 * n] == product(ha, hb, n, 3, 4, false));
    float *pointers[] = {a, a, a, b, b + size, b, c, c + size, c + 2 * size}, **on_device;
    cudaMalloc(&on_device, sizeof(pointers));
    cudaMemcpy(on_device, pointers, sizeof(pointers), cudaMemcpyHostToDevice);
    const float second = hc[size + 9];
    CHECK(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, on_device, n,
                             on_device + 3, n, &none, on_device + 6, n, batch));
    cudaMemcpy(hc.data(), c, bytes, cudaMemcpyDeviceToHost);
    EXPECT(hc[size + 9] == second && hc[2 * size + 9] == hc[9]);

    __half *halves_of;
    cudaMalloc(&halves_of, 2 * size * sizeof(__half));
    halves<<<1, size>>>(halves_of, a, size);
    halves<<<1, size>>>(halves_of + size, b, size);
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, halves_of, CUDA_R_16F, n,
                       halves_of + size, CUDA_R_16F, n, &none, c, CUDA_R_32F, n,
                       CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    cudaMemcpy(hc.data(), c, size * sizeof(float), cudaMemcpyDeviceToHost);
    EXPECT(hc[3 + 4 * n] == product(ha, hb, n, 3, 4, false));
    const signed char bytes_of[] = {1, 2, 3, 4};
    int sums[4];
    const int whole = 1, nothing = 0;
    CHECK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &whole, bytes_of, CUDA_R_8I, 2,
                       bytes_of, CUDA_R_8I, 2, &nothing, sums, CUDA_R_32I, 2, CUBLAS_COMPUTE_32I,
                       CUBLAS_GEMM_DEFAULT));
    EXPECT(sums[0] == 5 && sums[1] == 11 && sums[3] == 25);

    CHECK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one, a, n, &minus, b, n, c, n));
    cudaMemcpy(hc.data(), c, size * sizeof(float), cudaMemcpyDeviceToHost);
    EXPECT(hc[1 + 2 * n] == ha[2 + n] - hb[1 + 2 * n]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(on_device);
    cudaFree(halves_of);
}

static void systems(cublasHandle_t handle)
{
    const double a[] = {0, 2, 1, 4, 5, 6, 7, 8, 1}, b[] = {1, 0, 3};
    for (int trans = 0; trans < 2; ++trans) {
        double factors[9], x[3], inverse[9];
        std::copy(a, a + 9, factors);
        std::copy(b, b + 3, x);
        double *fs[] = {factors}, *xs[] = {x}, *is[] = {inverse};
        int pivots[3], info[1];
        CHECK(cublasDgetrfBatched(handle, 3, fs, 3, pivots, info, 1));
        EXPECT(info[0] == 0);
        CHECK(cublasDgetrsBatched(handle, cublasOperation_t(trans), 3, 1, fs, 3, pivots, xs, 3,
                                  info, 1));
        CHECK(cublasDgetriBatched(handle, 3, fs, 3, pivots, is, 3, info, 1));
        for (int i = 0; i < 3; ++i) {
            double back = 0, own = 0;
            for (int l = 0; l < 3; ++l) {
                back += (trans ? a[l + i * 3] : a[i + l * 3]) * x[l];
                own += a[i + l * 3] * inverse[l + i * 3];
            }
            EXPECT(std::fabs(back - b[i]) < 1e-12 && std::fabs(own - 1) < 1e-12);
        }
    }
    float q[] = {1, 1, 1, 1, 0, 1, 2, 3}, right[] = {1, 3, 5, 8}, *qs[] = {q}, *rs[] = {right};
    int info;
    CHECK(cublasSgelsBatched(handle, CUBLAS_OP_N, 4, 2, 1, qs, 4, rs, 4, &info, NULL, 1));
    EXPECT(std::fabs(right[0] - 0.8f) < 1e-5f && std::fabs(right[1] - 2.3f) < 1e-5f);
}

static void captured(cublasHandle_t handle)
{
    float x[] = {1, 2}, factor = 3;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamCreate(&stream);
    CHECK(cublasSetStream(handle, stream));
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    CHECK(cublasSscal(handle, 2, &factor, x, 1));
    cudaStreamEndCapture(stream, &graph);
    EXPECT(x[1] == 2);
    factor = 100; // was read when the call was made
    cudaGraphInstantiate(&executable, graph, NULL, NULL, 0);
    cudaGraphLaunch(executable, stream);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    EXPECT(x[1] == 18);
    CHECK(cublasSetStream(handle, 0));
}

int main()
{
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));
    vectors(handle);
    products(handle);
    systems(handle);
    captured(handle);
    const float one = 1;
    float a[4] = {};
    EXPECT(cublasSscal(NULL, 1, &one, a, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 1, a, 2, &one, a, 2) ==
           CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasDestroy(handle));
    std::printf(failures ? "FAIL\n" : "PASS\n");
    return failures != 0;
}
