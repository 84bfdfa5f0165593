// cuSOLVER: factors, eigenvalues and singular values of dense matrices, by columns.
#include <cusolverDn.h>

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
#define CHECK(call) EXPECT((call) == CUSOLVER_STATUS_SUCCESS)

static bool near(double a, double b) { return std::fabs(a - b) < 1e-4 * (1 + std::fabs(b)); }

// Number (i, j) of a * b, both n x n.
template <typename T> static double product(const T *a, const T *b, int n, int i, int j)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += double(a[k * n + i]) * double(b[j * n + k]);
    return sum;
}

static void cholesky(cusolverDnHandle_t solver)
{
    const int n = 3;
    const double host[n * n] = {4, 2, 2, 2, 5, 3, 2, 3, 6}, right[n] = {8, 10, 11};
    double *a, *b, *work;
    int *info, size = 0;
    cudaMalloc(&a, sizeof(host));
    cudaMalloc(&b, sizeof(right));
    cudaMalloc(&info, sizeof(int));
    cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(b, right, sizeof(right), cudaMemcpyHostToDevice);
    CHECK(cusolverDnDpotrf_bufferSize(solver, CUBLAS_FILL_MODE_LOWER, n, a, n, &size));
    EXPECT(size > 0);
    cudaMalloc(&work, size * sizeof(double));
    CHECK(cusolverDnDpotrf(solver, CUBLAS_FILL_MODE_LOWER, n, a, n, work, size, info));
    CHECK(cusolverDnDpotrs(solver, CUBLAS_FILL_MODE_LOWER, n, 1, a, n, b, n, info));
    double x[n];
    cudaMemcpy(x, b, sizeof(x), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        EXPECT(near(host[i] * x[0] + host[n + i] * x[1] + host[2 * n + i] * x[2], right[i]));

    const double indefinite[n * n] = {1, 2, 0, 2, 1, 0, 0, 0, 1};
    int failed = 0;
    cudaMemcpy(a, indefinite, sizeof(host), cudaMemcpyHostToDevice);
    CHECK(cusolverDnDpotrf(solver, CUBLAS_FILL_MODE_LOWER, n, a, n, work, size, info));
    cudaMemcpy(&failed, info, sizeof(int), cudaMemcpyDeviceToHost);
    EXPECT(failed == 2); // the leading minor of order 2
    cudaFree(a);
    cudaFree(b);
    cudaFree(work);
    cudaFree(info);
}

static void lu(cusolverDnHandle_t solver, bool has_pivots)
{
    const int n = 3;
    const float host[n * n] = {2, 4, -2, 1, -6, 7, 1, 0, 2}, right[n] = {5, -2, 9};
    float *a, *b;
    int *pivots = nullptr, *info;
    cudaMalloc(&a, sizeof(host));
    cudaMalloc(&b, sizeof(right));
    cudaMalloc(&info, sizeof(int));
    if (has_pivots)
        cudaMalloc(&pivots, n * sizeof(int));
    cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(b, right, sizeof(right), cudaMemcpyHostToDevice);
    CHECK(cusolverDnSgetrf(solver, n, n, a, n, nullptr, pivots, info));
    CHECK(cusolverDnSgetrs(solver, CUBLAS_OP_T, n, 1, a, n, pivots, b, n, info));
    float x[n];
    cudaMemcpy(x, b, sizeof(x), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) // of the transposed matrix
        EXPECT(near(host[n * i] * x[0] + host[n * i + 1] * x[1] + host[n * i + 2] * x[2], right[i]));
    cudaFree(a);
    cudaFree(b);
    cudaFree(pivots);
    cudaFree(info);
}

static void orthogonal(cusolverDnHandle_t solver)
{
    const int m = 3, n = 2;
    const double host[m * n] = {1, 2, 2, 3, 4, 5};
    double *a, *tau, *q;
    int *info, size;
    cudaMalloc(&a, sizeof(host));
    cudaMalloc(&q, sizeof(host));
    cudaMalloc(&tau, n * sizeof(double));
    cudaMalloc(&info, sizeof(int));
    cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(q, host, sizeof(host), cudaMemcpyHostToDevice);
    CHECK(cusolverDnDgeqrf_bufferSize(solver, m, n, a, m, &size));
    CHECK(cusolverDnDgeqrf(solver, m, n, a, m, tau, nullptr, size, info));
    double r[m * n], back[m * n], gram[m * n];
    cudaMemcpy(r, a, sizeof(r), cudaMemcpyDeviceToHost);
    CHECK(cusolverDnDormqr(solver, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, n, n, a, m, tau, q, m, nullptr,
                           size, info));
    cudaMemcpy(back, q, sizeof(back), cudaMemcpyDeviceToHost);
    EXPECT(near(back[0], r[0]) && near(back[1], 0) && near(back[m], r[m]) && near(back[m + 2], 0));
    CHECK(cusolverDnDorgqr(solver, m, n, n, a, m, tau, nullptr, size, info));
    cudaMemcpy(gram, a, sizeof(gram), cudaMemcpyDeviceToHost);
    EXPECT(near(gram[0] * gram[3] + gram[1] * gram[4] + gram[2] * gram[5], 0));
    EXPECT(near(gram[0] * gram[0] + gram[1] * gram[1] + gram[2] * gram[2], 1));
    cudaFree(a);
    cudaFree(q);
    cudaFree(tau);
    cudaFree(info);
}

static void eigenvalues(cusolverDnHandle_t solver)
{
    const int n = 3, count = 2;
    const double host[n * n] = {2, 1, 0, 1, 3, 1, 0, 1, 4};
    double *a, *w;
    int *info, size;
    cudaMalloc(&a, count * sizeof(host));
    cudaMalloc(&w, count * n * sizeof(double));
    cudaMalloc(&info, count * sizeof(int));
    syevjInfo_t parameters;
    CHECK(cusolverDnCreateSyevjInfo(&parameters));
    CHECK(cusolverDnXsyevjSetTolerance(parameters, 1e-9));
    for (int batched = 0; batched < 2; ++batched) {
        for (int b = 0; b < count; ++b)
            cudaMemcpy(a + b * n * n, host, sizeof(host), cudaMemcpyHostToDevice);
        if (batched != 0)
            CHECK(cusolverDnDsyevjBatched(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER,
                                          n, a, n, w, nullptr, 0, info, parameters, count));
        else {
            CHECK(cusolverDnDsyevd_bufferSize(solver, CUSOLVER_EIG_MODE_VECTOR,
                                              CUBLAS_FILL_MODE_LOWER, n, a, n, w, &size));
            CHECK(cusolverDnDsyevd(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a,
                                   n, w, nullptr, size, info));
        }
        double vectors[count * n * n], values[count * n];
        cudaMemcpy(vectors, a, sizeof(vectors), cudaMemcpyDeviceToHost);
        cudaMemcpy(values, w, sizeof(values), cudaMemcpyDeviceToHost);
        for (int b = 0; b <= batched; ++b)
            for (int j = 0; j < n; ++j) {
                const double *v = vectors + b * n * n, value = values[b * n + j];
                EXPECT(j == 0 || values[b * n + j - 1] <= value);
                for (int i = 0; i < n; ++i)
                    EXPECT(near(product(host, v, n, i, j), value * v[j * n + i]));
            }
    }
    CHECK(cusolverDnDestroySyevjInfo(parameters));

    // i times the difference of the two directions: a Hermitian matrix with eigenvalues -1 and 1.
    const cuDoubleComplex turn[4] = {{0, 0}, {0, 1}, {0, -1}, {0, 0}};
    cuDoubleComplex *complex;
    cudaMalloc(&complex, sizeof(turn));
    cudaMemcpy(complex, turn, sizeof(turn), cudaMemcpyHostToDevice);
    CHECK(cusolverDnZheevd(solver, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_UPPER, 2, complex,
                           2, w, nullptr, 0, info));
    double values[2];
    cudaMemcpy(values, w, sizeof(values), cudaMemcpyDeviceToHost);
    EXPECT(near(values[0], -1) && near(values[1], 1));
    cudaFree(complex);
    cudaFree(a);
    cudaFree(w);
    cudaFree(info);
}

static void singular_values(cusolverDnHandle_t solver)
{
    const int m = 3, n = 2;
    const float host[m * n] = {3, 1, 0, 1, 3, 1};
    float *a, *s, *u, *v;
    int *info;
    cudaMalloc(&a, sizeof(host));
    cudaMalloc(&s, n * sizeof(float));
    cudaMalloc(&u, m * m * sizeof(float));
    cudaMalloc(&v, n * n * sizeof(float));
    cudaMalloc(&info, sizeof(int));
    gesvdjInfo_t parameters;
    CHECK(cusolverDnCreateGesvdjInfo(&parameters));
    for (int jacobi = 0; jacobi < 2; ++jacobi) {
        cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
        if (jacobi != 0)
            CHECK(cusolverDnSgesvdj(solver, CUSOLVER_EIG_MODE_VECTOR, 1, m, n, a, m, s, u, m, v, n,
                                    nullptr, 0, info, parameters));
        else
            CHECK(cusolverDnSgesvd(solver, 'S', 'S', m, n, a, m, s, u, m, v, n, nullptr, 0, nullptr,
                                   info));
        float left[m * n], right[n * n], values[n];
        cudaMemcpy(left, u, sizeof(left), cudaMemcpyDeviceToHost);
        cudaMemcpy(right, v, sizeof(right), cudaMemcpyDeviceToHost);
        cudaMemcpy(values, s, sizeof(values), cudaMemcpyDeviceToHost);
        EXPECT(values[0] >= values[1] && values[1] > 0);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                double sum = 0;
                for (int k = 0; k < n; ++k)
                    sum += left[k * m + i] * values[k] * right[jacobi ? k * n + j : j * n + k];
                EXPECT(near(sum, host[j * m + i]));
            }
    }
    CHECK(cusolverDnDestroyGesvdjInfo(parameters));
    cudaFree(a);
    cudaFree(s);
    cudaFree(u);
    cudaFree(v);
    cudaFree(info);
}

int main()
{
    cusolverDnHandle_t solver;
    CHECK(cusolverDnCreate(&solver));
    CHECK(cusolverDnSetStream(solver, 0));
    cholesky(solver);
    lu(solver, true);
    lu(solver, false);
    orthogonal(solver);
    eigenvalues(solver);
    singular_values(solver);
    CHECK(cusolverDnDestroy(solver));
    std::printf(failures == 0 ? "PASS\n" : "FAIL\n");
    return failures != 0;
}
