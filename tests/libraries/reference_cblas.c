/* A CBLAS of loops, for matrices by columns: what the programs beside it call. */
#include <assert.h>
#include <cblas.h>
#include <complex.h>
#include <math.h>

#define AT(matrix, trans, i, j, ld)                                                                \
    ((trans) == CblasNoTrans ? matrix[(i) + (long)(j) * (ld)]                                      \
     : (trans) == CblasTrans ? matrix[(j) + (long)(i) * (ld)]                                      \
                             : CONJ(matrix[(j) + (long)(i) * (ld)]))

/* T: the numbers; P: a parameter with an array of them; V: one with a scalar, and ONE its value. */
#define FUNCTIONS(s, T, P, V, ONE)                                                                 \
    void cblas_##s##axpy(int n, V alpha, P px, int incx, O(T) py, int incy)                        \
    {                                                                                              \
        const T *x = px;                                                                           \
        T *y = py;                                                                                 \
        for (int i = 0; i < n; ++i)                                                                \
            y[i * incy] += ONE(T, alpha) * x[i * incx];                                            \
    }                                                                                              \
    void cblas_##s##copy(int n, P px, int incx, O(T) py, int incy)                                 \
    {                                                                                              \
        const T *x = px;                                                                           \
        T *y = py;                                                                                 \
        for (int i = 0; i < n; ++i)                                                                \
            y[i * incy] = x[i * incx];                                                             \
    }                                                                                              \
    void cblas_##s##scal(int n, V alpha, O(T) px, int incx)                                        \
    {                                                                                              \
        T *x = px;                                                                                 \
        for (int i = 0; i < n; ++i)                                                                \
            x[i * incx] *= ONE(T, alpha);                                                          \
    }                                                                                              \
    void cblas_##s##gemm(CBLAS_ORDER order, CBLAS_TRANSPOSE transa, CBLAS_TRANSPOSE transb, int m, \
                         int n, int k, V alpha, P pa, int lda, P pb, int ldb, V beta, O(T) pc,     \
                         int ldc)                                                                  \
    {                                                                                              \
        const T *a = pa, *b = pb;                                                                  \
        T *c = pc;                                                                                 \
        assert(order == CblasColMajor);                                                            \
        for (int j = 0; j < n; ++j)                                                                \
            for (int i = 0; i < m; ++i) {                                                          \
                T sum = 0;                                                                         \
                for (int l = 0; l < k; ++l)                                                        \
                    sum += AT(a, transa, i, l, lda) * AT(b, transb, l, j, ldb);                    \
                T *to = &c[i + (long)j * ldc];                                                     \
                *to = ONE(T, alpha) * sum + (ONE(T, beta) == 0 ? 0 : ONE(T, beta) * *to);          \
            }                                                                                      \
    }                                                                                              \
    void cblas_##s##gemv(CBLAS_ORDER order, CBLAS_TRANSPOSE trans, int m, int n, V alpha, P pa,    \
                         int lda, P px, int incx, V beta, O(T) py, int incy)                       \
    {                                                                                              \
        const T *a = pa, *x = px;                                                                  \
        T *y = py;                                                                                 \
        assert(order == CblasColMajor);                                                            \
        const int rows = trans == CblasNoTrans ? m : n, columns = m + n - rows;                    \
        for (int i = 0; i < rows; ++i) {                                                           \
            T sum = 0;                                                                             \
            for (int l = 0; l < columns; ++l)                                                      \
                sum += AT(a, trans, i, l, lda) * x[l * incx];                                      \
            y[i * incy] =                                                                          \
                ONE(T, alpha) * sum + (ONE(T, beta) == 0 ? 0 : ONE(T, beta) * y[i * incy]);        \
        }                                                                                          \
    }                                                                                              \
    void cblas_##s##trsm(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO fill,                      \
                         CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int m, int n, V alpha, P pa,      \
                         int lda, O(T) pb, int ldb)                                                \
    {                                                                                              \
        const T *a = pa;                                                                           \
        T *b = pb;                                                                                 \
        assert(order == CblasColMajor && side == CblasLeft);                                       \
        const int downwards = (fill == CblasLower) == (trans == CblasNoTrans);                     \
        for (int j = 0; j < n; ++j)                                                                \
            for (int step = 0; step < m; ++step) {                                                 \
                const int i = downwards ? step : m - 1 - step;                                     \
                T *x = &b[i + (long)j * ldb];                                                      \
                *x *= ONE(T, alpha);                                                               \
                for (int l = downwards ? 0 : i + 1; l < (downwards ? i : m); ++l)                  \
                    *x -= AT(a, trans, i, l, lda) * b[l + (long)j * ldb];                          \
                if (diag == CblasNonUnit)                                                          \
                    *x /= AT(a, trans, i, i, lda);                                                 \
            }                                                                                      \
    }

#define BY_VALUE(T, a) (a)
#define BY_ADDRESS(T, a) (*(const T *)(a))
#define O(T) T *
#define CONJ(a) (a)
FUNCTIONS(s, float, const float *, float, BY_VALUE)
FUNCTIONS(d, double, const double *, double, BY_VALUE)
#undef O
#undef CONJ
#define O(T) void *
#define CONJ(a) conj(a)
FUNCTIONS(c, float complex, const void *, const void *, BY_ADDRESS)
FUNCTIONS(z, double complex, const void *, const void *, BY_ADDRESS)

float cblas_sdot(int n, const float *x, int incx, const float *y, int incy)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += (double)x[i * incx] * y[i * incy];
    return (float)sum;
}

double cblas_dnrm2(int n, const double *x, int incx)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i * incx] * x[i * incx];
    return sqrt(sum);
}

float cblas_scasum(int n, const void *px, int incx)
{
    const float complex *x = px;
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += fabsf(crealf(x[i * incx])) + fabsf(cimagf(x[i * incx]));
    return sum;
}

void cblas_zdotc_sub(int n, const void *px, int incx, const void *py, int incy, void *result)
{
    const double complex *x = px, *y = py;
    double complex sum = 0;
    for (int i = 0; i < n; ++i)
        sum += conj(x[i * incx]) * y[i * incy];
    *(double complex *)result = sum;
}
