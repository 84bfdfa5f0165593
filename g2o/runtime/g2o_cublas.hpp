// g2o_cublas.hpp: cuBLAS, on a CBLAS.
//
// To be linked with one: `pkg-config --cflags --libs openblas` (or blas, cblas,
// mkl-static-lp64-iomp). Names, parameters and the order of matrices (by columns) are those of
// cuBLAS. Scalars are read where they are, in the memory that host and device share; what a stream
// captures becomes a node of its graph. A table at the end says which names there are.
#ifndef G2O_CUBLAS_HPP
#define G2O_CUBLAS_HPP

extern "C++" { // also where a program includes this inside of extern "C"

// A program's macros of these names are not meant for the library's header.
#pragma push_macro("A")
#pragma push_macro("B")
#pragma push_macro("C")
#pragma push_macro("K")
#pragma push_macro("M")
#pragma push_macro("N")
#pragma push_macro("P")
#pragma push_macro("X")
#pragma push_macro("Y")
#undef A
#undef B
#undef C
#undef K
#undef M
#undef N
#undef P
#undef X
#undef Y
// A program's macro of this name is not meant for what follows.
#pragma push_macro("real")
#undef real

#include <cblas.h>
#pragma pop_macro("A")
#pragma pop_macro("B")
#pragma pop_macro("C")
#pragma pop_macro("K")
#pragma pop_macro("M")
#pragma pop_macro("N")
#pragma pop_macro("P")
#pragma pop_macro("X")
#pragma pop_macro("Y")

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "g2o_library_types.hpp"

namespace g2o {
inline namespace libraries {

enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
};
enum cublasOperation_t {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2
};
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
// Which algorithm is taken is up to the CBLAS.
enum cublasGemmAlgo_t {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2,
    CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_ALGO4 = 4,
    CUBLAS_GEMM_ALGO5 = 5,
    CUBLAS_GEMM_ALGO6 = 6,
    CUBLAS_GEMM_ALGO7 = 7,
    CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
};

struct cublasContext {
    Stream stream;
    cublasPointerMode_t pointers;
    cublasMath_t math;
    cublasAtomicsMode_t atomics;
};
using cublasStatus = cublasStatus_t;
using cublasHandle_t = cublasContext *;
using cublasDataType_t = DataType;

} // namespace libraries

namespace detail::blas {

// A scalar parameter: one of the host is read when the call is made, as others may change it then.
template <class Number> class Scalar {
  public:
    Scalar(cublasHandle_t handle, const Number *place) : place_(place), value_()
    {
        if (place != nullptr && handle != nullptr && handle->pointers == CUBLAS_POINTER_MODE_HOST) {
            value_ = *place;
            place_ = nullptr;
        }
    }
    const Number &operator*() const { return place_ != nullptr ? *place_ : value_; }

  private:
    const Number *place_; // on the device
    Number value_;
};

// As a CBLAS takes them: complex numbers by their address.
inline float by_value(const float &a) { return a; }
inline double by_value(const double &a) { return a; }
inline const void *by_value(const FloatComplex &a) { return &a; }
inline const void *by_value(const DoubleComplex &a) { return &a; }

inline bool fits(int leading, int rows) { return leading >= std::max(1, rows); }

inline CBLAS_TRANSPOSE transposed(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N   ? CblasNoTrans
           : operation == CUBLAS_OP_T ? CblasTrans
                                      : CblasConjTrans;
}
inline CBLAS_UPLO triangle(cublasFillMode_t fill)
{
    return fill == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}
inline CBLAS_DIAG diagonal(cublasDiagType_t diagonal)
{
    return diagonal == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}
inline CBLAS_SIDE side_of(cublasSideMode_t side)
{
    return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}

// Does `operation` if the parameters are `valid`, or leaves it to the graph of the handle's stream.
template <class Operation>
cublasStatus_t run(cublasHandle_t handle, bool valid, Operation operation)
{
    if (handle == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!valid)
        return CUBLAS_STATUS_INVALID_VALUE;
    enqueue(handle->stream, [=] {
        operation();
        return Success;
    });
    return CUBLAS_STATUS_SUCCESS;
}

// What follows has a template for each list of parameters; `Function` is the CBLAS's. The table at
// the end says which functions have which.

// ---- level 1 ------------------------------------------------------------------------------------

template <class Number, auto Function>
cublasStatus_t axpy(cublasHandle_t handle, int n, const Number *alpha, const Number *x, int incx,
                    Number *y, int incy)
{
    const Scalar<Number> by(handle, alpha);
    return run(handle, alpha != nullptr, [=] { Function(n, by_value(*by), x, incx, y, incy); });
}

template <class Number, auto Function>
cublasStatus_t copy(cublasHandle_t handle, int n, const Number *x, int incx, Number *y, int incy)
{
    return run(handle, true, [=] { Function(n, x, incx, y, incy); });
}

template <class Number, auto Function>
cublasStatus_t swap(cublasHandle_t handle, int n, Number *x, int incx, Number *y, int incy)
{
    return run(handle, true, [=] { Function(n, x, incx, y, incy); });
}

template <class Number, class Factor, auto Function>
cublasStatus_t scal(cublasHandle_t handle, int n, const Factor *alpha, Number *x, int incx)
{
    const Scalar<Factor> by(handle, alpha);
    return run(handle, alpha != nullptr, [=] { Function(n, by_value(*by), x, incx); });
}

template <class Number, auto Function>
cublasStatus_t inner_product(cublasHandle_t handle, int n, const Number *x, int incx,
                             const Number *y, int incy, Number *result)
{
    return run(handle, result != nullptr, [=] {
        if constexpr (std::is_floating_point_v<Number>)
            *result = Function(n, x, incx, y, incy);
        else
            Function(n, x, incx, y, incy, result);
    });
}

template <class Number, auto Function>
cublasStatus_t norm(cublasHandle_t handle, int n, const Number *x, int incx, RealOf<Number> *result)
{
    return run(handle, result != nullptr, [=] { *result = Function(n, x, incx); });
}

// Indices count from one; it is 0 where nothing is searched.
template <class Number, bool Largest>
cublasStatus_t extreme(cublasHandle_t handle, int n, const Number *x, int incx, int *result)
{
    return run(handle, result != nullptr, [=] {
        const auto size = [=](std::ptrdiff_t i) {
            const auto a = numbers(x)[i * incx];
            return std::fabs(std::real(a)) + std::fabs(std::imag(a));
        };
        int found = 0;
        for (int i = 1; i < n; ++i)
            if (Largest ? size(i) > size(found) : size(i) < size(found))
                found = i;
        *result = n < 1 || incx < 1 ? 0 : found + 1;
    });
}

template <class Number, auto Function>
cublasStatus_t rotation(cublasHandle_t handle, int n, Number *x, int incx, Number *y, int incy,
                        const Number *c, const Number *s)
{
    const Scalar<Number> cosine(handle, c), sine(handle, s);
    return run(handle, c != nullptr && s != nullptr,
               [=] { Function(n, x, incx, y, incy, *cosine, *sine); });
}

template <class Number, auto Function>
cublasStatus_t make_rotation(cublasHandle_t handle, Number *a, Number *b, Number *c, Number *s)
{
    return run(handle, true, [=] { Function(a, b, c, s); });
}

template <class Number, auto Function>
cublasStatus_t modified_rotation(cublasHandle_t handle, int n, Number *x, int incx, Number *y,
                                 int incy, const Number *parameters)
{
    return run(handle, parameters != nullptr, [=] { Function(n, x, incx, y, incy, parameters); });
}

template <class Number, auto Function>
cublasStatus_t make_modified_rotation(cublasHandle_t handle, Number *d1, Number *d2, Number *x1,
                                      const Number *y1, Number *parameters)
{
    return run(handle, parameters != nullptr, [=] { Function(d1, d2, x1, *y1, parameters); });
}

// ---- level 2 ------------------------------------------------------------------------------------

template <class Number, auto Function>
cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                    const Number *alpha, const Number *a, int lda, const Number *x, int incx,
                    const Number *beta, Number *y, int incy)
{
    const Scalar<Number> by(handle, alpha), keep(handle, beta);
    return run(handle, m >= 0 && n >= 0 && fits(lda, m), [=] {
        Function(CblasColMajor, transposed(trans), m, n, by_value(*by), a, lda, x, incx,
                 by_value(*keep), y, incy);
    });
}

template <class Number, auto Function>
cublasStatus_t gbmv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int kl, int ku,
                    const Number *alpha, const Number *a, int lda, const Number *x, int incx,
                    const Number *beta, Number *y, int incy)
{
    const Scalar<Number> by(handle, alpha), keep(handle, beta);
    return run(handle, m >= 0 && n >= 0 && fits(lda, kl + ku + 1), [=] {
        Function(CblasColMajor, transposed(trans), m, n, kl, ku, by_value(*by), a, lda, x, incx,
                 by_value(*keep), y, incy);
    });
}

template <class Number, auto Function>
cublasStatus_t outer_product(cublasHandle_t handle, int m, int n, const Number *alpha,
                             const Number *x, int incx, const Number *y, int incy, Number *a,
                             int lda)
{
    const Scalar<Number> by(handle, alpha);
    return run(handle, m >= 0 && n >= 0 && fits(lda, m),
               [=] { Function(CblasColMajor, m, n, by_value(*by), x, incx, y, incy, a, lda); });
}

template <class Number, auto Function>
cublasStatus_t symmetric_product(cublasHandle_t handle, cublasFillMode_t fill, int n,
                                 const Number *alpha, const Number *a, int lda, const Number *x,
                                 int incx, const Number *beta, Number *y, int incy)
{
    const Scalar<Number> by(handle, alpha), keep(handle, beta);
    return run(handle, n >= 0 && fits(lda, n), [=] {
        Function(CblasColMajor, triangle(fill), n, by_value(*by), a, lda, x, incx, by_value(*keep),
                 y, incy);
    });
}

template <class Number, auto Function>
cublasStatus_t symmetric_band_product(cublasHandle_t handle, cublasFillMode_t fill, int n, int k,
                                      const Number *alpha, const Number *a, int lda,
                                      const Number *x, int incx, const Number *beta, Number *y,
                                      int incy)
{
    const Scalar<Number> by(handle, alpha), keep(handle, beta);
    return run(handle, n >= 0 && k >= 0 && fits(lda, k + 1), [=] {
        Function(CblasColMajor, triangle(fill), n, k, by_value(*by), a, lda, x, incx,
                 by_value(*keep), y, incy);
    });
}

template <class Number, auto Function>
cublasStatus_t symmetric_packed_product(cublasHandle_t handle, cublasFillMode_t fill, int n,
                                        const Number *alpha, const Number *a, const Number *x,
                                        int incx, const Number *beta, Number *y, int incy)
{
    const Scalar<Number> by(handle, alpha), keep(handle, beta);
    return run(handle, n >= 0, [=] {
        Function(CblasColMajor, triangle(fill), n, by_value(*by), a, x, incx, by_value(*keep), y,
                 incy);
    });
}

// A product with a triangular matrix, or the solution of a system with one.
template <class Number, auto Function>
cublasStatus_t triangular(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t trans,
                          cublasDiagType_t diag, int n, const Number *a, int lda, Number *x,
                          int incx)
{
    return run(handle, n >= 0 && fits(lda, n), [=] {
        Function(CblasColMajor, triangle(fill), transposed(trans), diagonal(diag), n, a, lda, x,
                 incx);
    });
}

template <class Number, auto Function>
cublasStatus_t triangular_band(cublasHandle_t handle, cublasFillMode_t fill,
                               cublasOperation_t trans, cublasDiagType_t diag, int n, int k,
                               const Number *a, int lda, Number *x, int incx)
{
    return run(handle, n >= 0 && k >= 0 && fits(lda, k + 1), [=] {
        Function(CblasColMajor, triangle(fill), transposed(trans), diagonal(diag), n, k, a, lda, x,
                 incx);
    });
}

template <class Number, auto Function>
cublasStatus_t triangular_packed(cublasHandle_t handle, cublasFillMode_t fill,
                                 cublasOperation_t trans, cublasDiagType_t diag, int n,
                                 const Number *a, Number *x, int incx)
{
    return run(handle, n >= 0, [=] {
        Function(CblasColMajor, triangle(fill), transposed(trans), diagonal(diag), n, a, x, incx);
    });
}

template <class Number, auto Function>
cublasStatus_t symmetric_update(cublasHandle_t handle, cublasFillMode_t fill, int n,
                                const RealOf<Number> *alpha, const Number *x, int incx, Number *a,
                                int lda)
{
    const Scalar<RealOf<Number>> by(handle, alpha);
    return run(handle, n >= 0 && fits(lda, n),
               [=] { Function(CblasColMajor, triangle(fill), n, *by, x, incx, a, lda); });
}

template <class Number, auto Function>
cublasStatus_t symmetric_update2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                                 const Number *alpha, const Number *x, int incx, const Number *y,
                                 int incy, Number *a, int lda)
{
    const Scalar<Number> by(handle, alpha);
    return run(handle, n >= 0 && fits(lda, n), [=] {
        Function(CblasColMajor, triangle(fill), n, by_value(*by), x, incx, y, incy, a, lda);
    });
}

template <class Number, auto Function>
cublasStatus_t packed_update(cublasHandle_t handle, cublasFillMode_t fill, int n,
                             const RealOf<Number> *alpha, const Number *x, int incx, Number *a)
{
    const Scalar<RealOf<Number>> by(handle, alpha);
    return run(handle, n >= 0,
               [=] { Function(CblasColMajor, triangle(fill), n, *by, x, incx, a); });
}

template <class Number, auto Function>
cublasStatus_t packed_update2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                              const Number *alpha, const Number *x, int incx, const Number *y,
                              int incy, Number *a)
{
    const Scalar<Number> by(handle, alpha);
    return run(handle, n >= 0, [=] {
        Function(CblasColMajor, triangle(fill), n, by_value(*by), x, incx, y, incy, a);
    });
}

// ---- level 3 ------------------------------------------------------------------------------------

inline bool is_product(cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                       int lda, int ldb, int ldc)
{
    return m >= 0 && n >= 0 && k >= 0 && fits(lda, transa == CUBLAS_OP_N ? m : k) &&
           fits(ldb, transb == CUBLAS_OP_N ? k : n) && fits(ldc, m);
}

// Does something for each matrix of a batch: small ones side by side, others with all threads in
// each.
template <class Operation> void for_each(int count, double work, Operation operation)
{
#pragma omp parallel for schedule(dynamic) if (count > 1 && work < 1e6)
    for (int i = 0; i < count; ++i)
        operation(std::ptrdiff_t(i));
}

template <class Number, auto Function>
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int m, int n, int k, const Number *alpha, const Number *a, int lda,
                    const Number *b, int ldb, const Number *beta, Number *c, int ldc)
{
    const Scalar<Number> by(handle, alpha), keep(handle, beta);
    return run(handle, is_product(transa, transb, m, n, k, lda, ldb, ldc), [=] {
        Function(CblasColMajor, transposed(transa), transposed(transb), m, n, k, by_value(*by), a,
                 lda, b, ldb, by_value(*keep), c, ldc);
    });
}

template <class Number, auto Function>
cublasStatus_t gemm_batched(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const Number *alpha,
                            const Number *const a[], int lda, const Number *const b[], int ldb,
                            const Number *beta, Number *const c[], int ldc, int count)
{
    const Scalar<Number> by(handle, alpha), keep(handle, beta);
    return run(handle, is_product(transa, transb, m, n, k, lda, ldb, ldc) && count >= 0, [=] {
        for_each(count, 1.0 * m * n * k, [&](std::ptrdiff_t i) {
            Function(CblasColMajor, transposed(transa), transposed(transb), m, n, k, by_value(*by),
                     a[i], lda, b[i], ldb, by_value(*keep), c[i], ldc);
        });
    });
}

template <class Number, auto Function>
cublasStatus_t gemm_strided(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const Number *alpha,
                            const Number *a, int lda, long long stridea, const Number *b, int ldb,
                            long long strideb, const Number *beta, Number *c, int ldc,
                            long long stridec, int count)
{
    const Scalar<Number> by(handle, alpha), keep(handle, beta);
    return run(handle, is_product(transa, transb, m, n, k, lda, ldb, ldc) && count >= 0, [=] {
        for_each(count, 1.0 * m * n * k, [&](std::ptrdiff_t i) {
            Function(CblasColMajor, transposed(transa), transposed(transb), m, n, k, by_value(*by),
                     a + i * stridea, lda, b + i * strideb, ldb, by_value(*keep), c + i * stridec,
                     ldc);
        });
    });
}

template <class Number, auto Function>
cublasStatus_t gemv_batched(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                            const Number *alpha, const Number *const a[], int lda,
                            const Number *const x[], int incx, const Number *beta,
                            Number *const y[], int incy, int count)
{
    const Scalar<Number> by(handle, alpha), keep(handle, beta);
    return run(handle, m >= 0 && n >= 0 && fits(lda, m) && count >= 0, [=] {
        for_each(count, 1.0 * m * n, [&](std::ptrdiff_t i) {
            Function(CblasColMajor, transposed(trans), m, n, by_value(*by), a[i], lda, x[i], incx,
                     by_value(*keep), y[i], incy);
        });
    });
}

template <class Number, auto Function>
cublasStatus_t gemv_strided(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                            const Number *alpha, const Number *a, int lda, long long stridea,
                            const Number *x, int incx, long long stridex, const Number *beta,
                            Number *y, int incy, long long stridey, int count)
{
    const Scalar<Number> by(handle, alpha), keep(handle, beta);
    return run(handle, m >= 0 && n >= 0 && fits(lda, m) && count >= 0, [=] {
        for_each(count, 1.0 * m * n, [&](std::ptrdiff_t i) {
            Function(CblasColMajor, transposed(trans), m, n, by_value(*by), a + i * stridea, lda,
                     x + i * stridex, incx, by_value(*keep), y + i * stridey, incy);
        });
    });
}

template <class Number, auto Function>
cublasStatus_t symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m,
                    int n, const Number *alpha, const Number *a, int lda, const Number *b, int ldb,
                    const Number *beta, Number *c, int ldc)
{
    const Scalar<Number> by(handle, alpha), keep(handle, beta);
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    return run(handle, m >= 0 && n >= 0 && fits(lda, order) && fits(ldb, m) && fits(ldc, m), [=] {
        Function(CblasColMajor, side_of(side), triangle(fill), m, n, by_value(*by), a, lda, b, ldb,
                 by_value(*keep), c, ldc);
    });
}

// `Factor` is the type of both scalars.
template <class Number, class Factor, auto Function>
cublasStatus_t rank_k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t trans, int n,
                      int k, const Factor *alpha, const Number *a, int lda, const Factor *beta,
                      Number *c, int ldc)
{
    const Scalar<Factor> by(handle, alpha), keep(handle, beta);
    const bool valid = n >= 0 && k >= 0 && fits(lda, trans == CUBLAS_OP_N ? n : k) && fits(ldc, n);
    return run(handle, valid, [=] {
        Function(CblasColMajor, triangle(fill), transposed(trans), n, k, by_value(*by), a, lda,
                 by_value(*keep), c, ldc);
    });
}

// `Factor` is the type of the second scalar.
template <class Number, class Factor, auto Function>
cublasStatus_t rank_2k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t trans, int n,
                       int k, const Number *alpha, const Number *a, int lda, const Number *b,
                       int ldb, const Factor *beta, Number *c, int ldc)
{
    const Scalar<Number> by(handle, alpha);
    const Scalar<Factor> keep(handle, beta);
    const int rows = trans == CUBLAS_OP_N ? n : k;
    return run(handle, n >= 0 && k >= 0 && fits(lda, rows) && fits(ldb, rows) && fits(ldc, n), [=] {
        Function(CblasColMajor, triangle(fill), transposed(trans), n, k, by_value(*by), a, lda, b,
                 ldb, by_value(*keep), c, ldc);
    });
}

template <class Number, auto Function>
cublasStatus_t trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                    const Number *alpha, const Number *a, int lda, Number *b, int ldb)
{
    const Scalar<Number> by(handle, alpha);
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    return run(handle, m >= 0 && n >= 0 && fits(lda, order) && fits(ldb, m), [=] {
        Function(CblasColMajor, side_of(side), triangle(fill), transposed(trans), diagonal(diag), m,
                 n, by_value(*by), a, lda, b, ldb);
    });
}

template <class Number, auto Function>
cublasStatus_t trsm_batched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                            cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                            const Number *alpha, const Number *const a[], int lda,
                            Number *const b[], int ldb, int count)
{
    const Scalar<Number> by(handle, alpha);
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    return run(handle, m >= 0 && n >= 0 && fits(lda, order) && fits(ldb, m) && count >= 0, [=] {
        for_each(count, 1.0 * m * n * order, [&](std::ptrdiff_t i) {
            Function(CblasColMajor, side_of(side), triangle(fill), transposed(trans),
                     diagonal(diag), m, n, by_value(*by), a[i], lda, b[i], ldb);
        });
    });
}

// Here the product with a triangular matrix is put into a matrix of its own, which may be B.
template <class Number, auto Function>
cublasStatus_t trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                    const Number *alpha, const Number *a, int lda, const Number *b, int ldb,
                    Number *c, int ldc)
{
    const Scalar<Number> by(handle, alpha);
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    return run(handle, m >= 0 && n >= 0 && fits(lda, order) && fits(ldb, m) && fits(ldc, m), [=] {
        for (std::ptrdiff_t j = 0; b != c && j < n; ++j)
            std::copy_n(b + j * ldb, m, c + j * ldc);
        Function(CblasColMajor, side_of(side), triangle(fill), transposed(trans), diagonal(diag), m,
                 n, by_value(*by), a, lda, c, ldc);
    });
}

// ---- what cuBLAS has beyond the BLAS ------------------------------------------------------------

// C = alpha op(A) + beta op(B); a matrix whose factor is zero is not read.
template <class Number>
cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int m, int n, const Number *alpha, const Number *a, int lda, const Number *beta,
                    const Number *b, int ldb, Number *c, int ldc)
{
    using Value = Arithmetic<Number>;
    const Scalar<Number> by_a(handle, alpha), by_b(handle, beta);
    const bool valid = m >= 0 && n >= 0 && fits(lda, transa == CUBLAS_OP_N ? m : n) &&
                       fits(ldb, transb == CUBLAS_OP_N ? m : n) && fits(ldc, m);
    return run(handle, valid, [=] {
        const Value factor_a = *numbers(&*by_a), factor_b = *numbers(&*by_b);
        const auto part = [](Value factor, cublasOperation_t trans, const Number *matrix,
                             std::ptrdiff_t leading, std::ptrdiff_t i, std::ptrdiff_t j) {
            if (factor == Value(0))
                return Value(0);
            if (trans != CUBLAS_OP_N)
                std::swap(i, j);
            const Value value = numbers(matrix)[j * leading + i];
            return factor * (trans == CUBLAS_OP_C ? conjugate(value) : value);
        };
#pragma omp parallel for
        for (std::ptrdiff_t j = 0; j < n; ++j)
            for (std::ptrdiff_t i = 0; i < m; ++i)
                numbers(c)[j * ldc + i] =
                    part(factor_a, transa, a, lda, i, j) + part(factor_b, transb, b, ldb, i, j);
    });
}

// C = diag(x) A or A diag(x).
template <class Number>
cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const Number *a,
                    int lda, const Number *x, int incx, Number *c, int ldc)
{
    return run(handle, m >= 0 && n >= 0 && fits(lda, m) && fits(ldc, m), [=] {
        const std::ptrdiff_t length = side == CUBLAS_SIDE_LEFT ? m : n;
        const auto *const first = numbers(x) + (incx < 0 ? (1 - length) * incx : 0);
#pragma omp parallel for
        for (std::ptrdiff_t j = 0; j < n; ++j)
            for (std::ptrdiff_t i = 0; i < m; ++i)
                numbers(c)[j * ldc + i] =
                    numbers(a)[j * lda + i] * first[(side == CUBLAS_SIDE_LEFT ? i : j) * incx];
    });
}

template <class Value> auto size_for_pivots(Value a)
{
    return std::fabs(std::real(a)) + std::fabs(std::imag(a));
}

// A = P L U in place, by columns; the number of the first pivot that is zero, or 0. Without room
// for pivots no rows are exchanged.
template <class Value> int factorise(std::ptrdiff_t n, Value *a, std::ptrdiff_t lda, int *pivots)
{
    int singular = 0;
    for (std::ptrdiff_t k = 0; k < n; ++k) {
        std::ptrdiff_t pivot = k;
        for (std::ptrdiff_t i = k + 1; pivots != nullptr && i < n; ++i)
            if (size_for_pivots(a[k * lda + i]) > size_for_pivots(a[k * lda + pivot]))
                pivot = i;
        if (pivots != nullptr)
            pivots[k] = int(pivot) + 1;
        if (a[k * lda + pivot] == Value(0)) {
            singular = singular == 0 ? int(k) + 1 : singular;
            continue;
        }
        for (std::ptrdiff_t j = 0; pivot != k && j < n; ++j)
            std::swap(a[j * lda + k], a[j * lda + pivot]);
        for (std::ptrdiff_t i = k + 1; i < n; ++i)
            a[k * lda + i] /= a[k * lda + k];
        for (std::ptrdiff_t j = k + 1; j < n; ++j)
            for (std::ptrdiff_t i = k + 1; i < n; ++i)
                a[j * lda + i] -= a[k * lda + i] * a[j * lda + k];
    }
    return singular;
}

template <class Number>
cublasStatus_t getrf_batched(cublasHandle_t handle, int n, Number *const a[], int lda, int *pivots,
                             int *info, int count)
{
    return run(handle, n >= 0 && fits(lda, n) && count >= 0, [=] {
        for_each(count, 0, [&](std::ptrdiff_t i) {
            int *const own = pivots == nullptr ? nullptr : pivots + i * n;
            info[i] = factorise(n, numbers(a[i]), lda, own);
        });
    });
}

// Solves op(P L U) X = B in place.
template <class Number, auto Solve>
void solve(cublasOperation_t trans, int n, int columns, const Number *a, int lda, const int *pivots,
           Number *b, int ldb)
{
    const auto exchange = [=](std::ptrdiff_t i) {
        for (std::ptrdiff_t j = 0; pivots != nullptr && j < columns; ++j)
            std::swap(b[j * ldb + i], b[j * ldb + pivots[i] - 1]);
    };
    Number one{};
    *numbers(&one) = 1;
    const auto with = [&](CBLAS_UPLO part, CBLAS_DIAG diag) {
        Solve(CblasColMajor, CblasLeft, part, transposed(trans), diag, n, columns, by_value(one), a,
              lda, b, ldb);
    };
    if (trans == CUBLAS_OP_N) {
        for (std::ptrdiff_t i = 0; i < n; ++i)
            exchange(i);
        with(CblasLower, CblasUnit);
        with(CblasUpper, CblasNonUnit);
    } else {
        with(CblasUpper, CblasNonUnit);
        with(CblasLower, CblasUnit);
        for (std::ptrdiff_t i = n; i-- > 0;)
            exchange(i);
    }
}

template <class Number, auto Solve>
cublasStatus_t getrs_batched(cublasHandle_t handle, cublasOperation_t trans, int n, int columns,
                             const Number *const a[], int lda, const int *pivots, Number *const b[],
                             int ldb, int *info, int count)
{
    const bool valid = n >= 0 && columns >= 0 && fits(lda, n) && fits(ldb, n) && count >= 0;
    if (info != nullptr)
        *info = 0;
    return run(handle, valid, [=] {
        for_each(count, 0, [&](std::ptrdiff_t i) {
            const int *const own = pivots == nullptr ? nullptr : pivots + i * n;
            solve<Number, Solve>(trans, n, columns, a[i], lda, own, b[i], ldb);
        });
    });
}

template <class Number, auto Solve>
void invert(int n, const Number *a, int lda, const int *pivots, Number *inverse, int leading)
{
    for (std::ptrdiff_t j = 0; j < n; ++j)
        for (std::ptrdiff_t i = 0; i < n; ++i)
            numbers(inverse)[j * leading + i] = i == j ? 1 : 0;
    solve<Number, Solve>(CUBLAS_OP_N, n, n, a, lda, pivots, inverse, leading);
}

template <class Number, auto Solve>
cublasStatus_t getri_batched(cublasHandle_t handle, int n, const Number *const a[], int lda,
                             const int *pivots, Number *const c[], int ldc, int *info, int count)
{
    return run(handle, n >= 0 && fits(lda, n) && fits(ldc, n) && count >= 0, [=] {
        for_each(count, 0, [&](std::ptrdiff_t i) {
            info[i] = 0;
            for (int k = n; k-- > 0;)
                if (numbers(a[i])[std::ptrdiff_t(k) * lda + k] == Arithmetic<Number>(0))
                    info[i] = k + 1;
            const int *const own = pivots == nullptr ? nullptr : pivots + i * n;
            if (info[i] == 0)
                invert<Number, Solve>(n, a[i], lda, own, c[i], ldc);
        });
    });
}

template <class Number, auto Solve>
cublasStatus_t matinv_batched(cublasHandle_t handle, int n, const Number *const a[], int lda,
                              Number *const inverse[], int leading, int *info, int count)
{
    const bool valid = n >= 0 && n <= 32 && fits(lda, n) && fits(leading, n) && count >= 0;
    return run(handle, valid, [=] {
        for_each(count, 0, [&](std::ptrdiff_t i) {
            std::vector<Number> factors(std::size_t(n) * std::size_t(n));
            std::vector<int> pivots(std::size_t(n) + 1);
            for (std::ptrdiff_t j = 0; j < n; ++j)
                std::copy_n(a[i] + j * lda, n, factors.data() + j * n);
            info[i] = factorise(n, numbers(factors.data()), n, pivots.data());
            if (info[i] == 0)
                invert<Number, Solve>(n, factors.data(), std::max(1, n), pivots.data(), inverse[i],
                                      leading);
        });
    });
}

// The least squares of A X = B, for more rows than columns: A = Q R by reflections, which B goes
// through as well; then R X = B. Returns the number of the first zero on the diagonal of R, or 0.
template <class Number, auto Solve>
int least_squares(int m, int n, int columns, Number *a, int lda, Number *b, int ldb)
{
    using Value = Arithmetic<Number>;
    const auto reflect = [m](int k, const Value *v, Value tau, Value *x) {
        Value sum = x[k];
        for (int i = k + 1; i < m; ++i)
            sum += conjugate(v[i]) * x[i];
        sum *= tau;
        x[k] -= sum;
        for (int i = k + 1; i < m; ++i)
            x[i] -= sum * v[i];
    };
    int singular = 0;
    for (int k = 0; k < n; ++k) {
        Value *const v = numbers(a) + std::ptrdiff_t(k) * lda;
        RealOf<Number> below = 0;
        for (int i = k + 1; i < m; ++i)
            below += std::norm(v[i]);
        const Value head = v[k];
        const auto norm = std::copysign(std::sqrt(below + std::norm(head)), std::real(head));
        if (below != 0 || std::imag(head) != 0) {
            for (int i = k + 1; i < m; ++i)
                v[i] /= head + Value(norm);
            const Value tau = (head + Value(norm)) / Value(norm);
            v[k] = -norm;
            for (int j = k + 1; j < n; ++j)
                reflect(k, v, conjugate(tau), numbers(a) + std::ptrdiff_t(j) * lda);
            for (int j = 0; j < columns; ++j)
                reflect(k, v, conjugate(tau), numbers(b) + std::ptrdiff_t(j) * ldb);
        }
        if (v[k] == Value(0) && singular == 0)
            singular = k + 1;
    }
    Number one{};
    *numbers(&one) = 1;
    if (singular == 0)
        Solve(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, n, columns,
              by_value(one), a, lda, b, ldb);
    return singular;
}

template <class Number, auto Solve>
cublasStatus_t gels_batched(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                            int columns, Number *const a[], int lda, Number *const b[], int ldb,
                            int *info, int *device_info, int count)
{
    if (trans != CUBLAS_OP_N || m < n)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    *info = 0;
    return run(handle, n >= 0 && columns >= 0 && fits(lda, m) && fits(ldb, m) && count >= 0, [=] {
        for_each(count, 0, [&](std::ptrdiff_t i) {
            const int singular = least_squares<Number, Solve>(m, n, columns, a[i], lda, b[i], ldb);
            if (device_info != nullptr)
                device_info[i] = singular;
        });
    });
}

// ---- numbers of several types -------------------------------------------------------------------

// Which function of a CBLAS is for complex numbers that have operators.
inline const void *by_value(const std::complex<float> &a) { return &a; }
inline const void *by_value(const std::complex<double> &a) { return &a; }
template <class Value> constexpr auto product_of()
{
    if constexpr (std::is_same_v<Value, float>)
        return &cblas_sgemm;
    else if constexpr (std::is_same_v<Value, double>)
        return &cblas_dgemm;
    else if constexpr (std::is_same_v<Value, std::complex<float>>)
        return &cblas_cgemm;
    else
        return &cblas_zgemm;
}

template <class Value> constexpr DataType type_of()
{
    return std::is_same_v<Value, float>                 ? CUDA_R_32F
           : std::is_same_v<Value, double>              ? CUDA_R_64F
           : std::is_same_v<Value, std::complex<float>> ? CUDA_C_32F
           : std::is_same_v<Value, std::int32_t>        ? CUDA_R_32I
                                                        : CUDA_C_64F;
}

// Integers overflow as they do on a device.
inline void multiply(cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                     std::int32_t alpha, const std::int32_t *a, int lda, const std::int32_t *b,
                     int ldb, std::int32_t beta, std::int32_t *c, int ldc)
{
    const std::ptrdiff_t step_a = transa == CUBLAS_OP_N ? lda : 1, row = lda + 1 - step_a;
    const std::ptrdiff_t step_b = transb == CUBLAS_OP_N ? 1 : ldb, column = ldb + 1 - step_b;
#pragma omp parallel for
    for (std::ptrdiff_t j = 0; j < n; ++j)
        for (std::ptrdiff_t i = 0; i < m; ++i) {
            std::uint32_t sum = 0;
            for (std::ptrdiff_t l = 0; l < k; ++l)
                sum += std::uint32_t(a[i * row + l * step_a]) *
                       std::uint32_t(b[j * column + l * step_b]);
            std::uint32_t result = std::uint32_t(alpha) * sum;
            if (beta != 0)
                result += std::uint32_t(beta) * std::uint32_t(c[j * ldc + i]);
            c[j * ldc + i] = std::int32_t(result);
        }
}
template <class Value>
void multiply(cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, Value alpha,
              const Value *a, int lda, const Value *b, int ldb, Value beta, Value *c, int ldc)
{
    product_of<Value>()(CblasColMajor, transposed(transa), transposed(transb), m, n, k,
                        by_value(alpha), a, lda, b, ldb, by_value(beta), c, ldc);
}

// The matrices of a batch: where they are, the type of their numbers, and the distances of columns
// and of matrices. Instead of the first there may be an array of pointers.
struct Typed {
    const void *place;
    DataType type;
    int leading;
    long long stride = 0;
    bool has_pointers = false;

    void *at(std::ptrdiff_t i) const
    {
        if (has_pointers)
            return static_cast<void *const *>(place)[i];
        auto *const bytes = static_cast<char *>(const_cast<void *>(place));
        return bytes + i * stride * static_cast<long long>(size_of(type));
    }
};

// The i-th of `c` = alpha op(a) op(b) + beta c, done with numbers of one type.
template <class Value>
void multiply_as(cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                 Value alpha, Typed a, Typed b, Value beta, Typed c, std::ptrdiff_t i)
{
    constexpr DataType own = type_of<Value>();
    if (a.type == own && b.type == own && c.type == own) {
        multiply(transa, transb, m, n, k, alpha, static_cast<const Value *>(a.at(i)), a.leading,
                 static_cast<const Value *>(b.at(i)), b.leading, beta,
                 static_cast<Value *>(c.at(i)), c.leading);
        return;
    }
    const int rows_a = transa == CUBLAS_OP_N ? m : k, rows_b = transb == CUBLAS_OP_N ? k : n;
    const auto left = matrix_as<Value>(a.type, a.at(i), rows_a, m + k - rows_a, a.leading);
    const auto right = matrix_as<Value>(b.type, b.at(i), rows_b, n + k - rows_b, b.leading);
    auto sums = beta == Value(0) ? std::vector<Value>(std::size_t(m) * std::size_t(n))
                                 : matrix_as<Value>(c.type, c.at(i), m, n, c.leading);
    multiply(transa, transb, m, n, k, alpha, left.data(), std::max(1, rows_a), right.data(),
             std::max(1, rows_b), beta, sums.data(), std::max(1, m));
    store_matrix(sums, c.type, c.at(i), m, n, c.leading);
}

// Calls `use` with a number of the type that is computed with, for scalars of type `scale`.
template <class Use> cublasStatus_t with_arithmetic(DataType scale, Use use)
{
    switch (scale) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
    case CUDA_R_32F: return use(float());
    case CUDA_R_64F: return use(double());
    case CUDA_R_32I: return use(std::int32_t());
    case CUDA_C_32F: return use(std::complex<float>());
    case CUDA_C_64F: return use(std::complex<double>());
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}

// The type of scalars.
inline DataType scale_type(cublasComputeType_t compute, DataType result)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: return result == CUDA_R_32I ? CUDA_R_32I : CUDA_R_32F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return is_complex(result) ? CUDA_C_64F : CUDA_R_64F;
    default: return is_complex(result) ? CUDA_C_32F : CUDA_R_32F;
    }
}

template <class Value> Value scalar_as(DataType type, const void *place)
{
    return matrix_as<Value>(type, place, 1, 1, 1)[0];
}

template <class Void = void>
cublasStatus_t multiply_typed(cublasHandle_t handle, cublasOperation_t transa,
                              cublasOperation_t transb, int m, int n, int k, const void *alpha,
                              Typed a, Typed b, const void *beta, Typed c, int count,
                              DataType scale)
{
    if (is_complex(a.type) != is_complex(scale) || is_complex(b.type) != is_complex(scale) ||
        is_complex(c.type) != is_complex(scale))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const bool valid = is_product(transa, transb, m, n, k, a.leading, b.leading, c.leading);
    return with_arithmetic(scale, [&](auto zero) {
        using Value = decltype(zero);
        const bool early = handle != nullptr && handle->pointers == CUBLAS_POINTER_MODE_HOST;
        const Value by = early ? scalar_as<Value>(scale, alpha) : zero;
        const Value keep = early ? scalar_as<Value>(scale, beta) : zero;
        return run(handle, valid && count >= 0, [=] {
            const Value factor = early ? by : scalar_as<Value>(scale, alpha);
            const Value kept = early ? keep : scalar_as<Value>(scale, beta);
            for_each(count, 1.0 * m * n * k, [&](std::ptrdiff_t i) {
                multiply_as(transa, transb, m, n, k, factor, a, b, kept, c, i);
            });
        });
    });
}

// A vector of numbers of any type, at distances that may be negative.
template <class Value>
std::vector<Value> vector_as(DataType type, const void *x, int n, int increment)
{
    const std::ptrdiff_t first = increment < 0 ? std::ptrdiff_t(1 - n) * increment : 0;
    std::vector<Value> all(static_cast<std::size_t>(n));
    with_type(type, const_cast<void *>(x), [&](const auto *from) {
        for (std::ptrdiff_t i = 0; i < n; ++i)
            all[std::size_t(i)] = converted<Value>(from[first + i * increment]);
    });
    return all;
}
template <class Value>
void store_vector(const std::vector<Value> &all, DataType type, void *x, int increment)
{
    const auto n = std::ptrdiff_t(all.size());
    const std::ptrdiff_t first = increment < 0 ? (1 - n) * increment : 0;
    with_type(type, x, [&](auto *to) {
        for (std::ptrdiff_t i = 0; i < n; ++i)
            to[first + i * increment] =
                converted<std::remove_pointer_t<decltype(to)>>(all[std::size_t(i)]);
    });
}

// In double precision: one sum of millions of floats would lose digits that a GPU's many keep.
template <class Value>
Value sum_of_products(const std::vector<Value> &a, const std::vector<Value> &b)
{
    if constexpr (std::is_integral_v<Value>) {
        return std::inner_product(a.begin(), a.end(), b.begin(), Value(0));
    } else {
        using Sum = std::conditional_t<IsComplex<Value>, std::complex<double>, double>;
        Sum sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            sum += Sum(a[i]) * Sum(b[i]);
        return Value(sum);
    }
}

template <bool Conjugated>
cublasStatus_t dot_ex(cublasHandle_t handle, int n, const void *x, DataType xtype, int incx,
                      const void *y, DataType ytype, int incy, void *result, DataType rtype,
                      DataType compute)
{
    return with_arithmetic(compute, [&](auto zero) {
        using Value = decltype(zero);
        return run(handle, n >= 0 && result != nullptr, [=] {
            auto first = vector_as<Value>(xtype, x, n, incx);
            const auto second = vector_as<Value>(ytype, y, n, incy);
            for (auto &value : first)
                value = Conjugated ? conjugate(value) : value;
            store_vector(std::vector<Value>{sum_of_products(first, second)}, rtype, result, 1);
        });
    });
}

template <class Number, DataType Type>
cublasStatus_t gemm_typed(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                          int m, int n, int k, const Number *alpha, const void *a, DataType typea,
                          int lda, const void *b, DataType typeb, int ldb, const Number *beta,
                          void *c, DataType typec, int ldc)
{
    return multiply_typed(handle, transa, transb, m, n, k, alpha, {a, typea, lda}, {b, typeb, ldb},
                          beta, {c, typec, ldc}, 1, Type);
}

// cuBLAS's functions for half have the parameters of those for float.
template <class Number, DataType Type>
cublasStatus_t small_gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                          int m, int n, int k, const Number *alpha, const Number *a, int lda,
                          const Number *b, int ldb, const Number *beta, Number *c, int ldc)
{
    return multiply_typed(handle, transa, transb, m, n, k, alpha, {a, Type, lda}, {b, Type, ldb},
                          beta, {c, Type, ldc}, 1, Type);
}

template <class Number, DataType Type>
cublasStatus_t small_gemm_batched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const Number *alpha, const Number *const a[], int lda,
                                  const Number *const b[], int ldb, const Number *beta,
                                  Number *const c[], int ldc, int count)
{
    return multiply_typed(handle, transa, transb, m, n, k, alpha, {a, Type, lda, 0, true},
                          {b, Type, ldb, 0, true}, beta, {c, Type, ldc, 0, true}, count, Type);
}

template <class Number, DataType Type>
cublasStatus_t small_gemm_strided(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const Number *alpha, const Number *a, int lda, long long stridea,
                                  const Number *b, int ldb, long long strideb, const Number *beta,
                                  Number *c, int ldc, long long stridec, int count)
{
    return multiply_typed(handle, transa, transb, m, n, k, alpha, {a, Type, lda, stridea},
                          {b, Type, ldb, strideb}, beta, {c, Type, ldc, stridec}, count, Type);
}

// What is computed with, which older programs say by a type of data.
struct ComputeType {
    ComputeType(cublasComputeType_t type) : type_(type) {}
    ComputeType(DataType type)
        : type_(type == CUDA_R_16F                         ? CUBLAS_COMPUTE_16F
                : type == CUDA_R_32I                       ? CUBLAS_COMPUTE_32I
                : type == CUDA_R_64F || type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
                                                           : CUBLAS_COMPUTE_32F)
    {
    }
    operator cublasComputeType_t() const { return type_; }

  private:
    cublasComputeType_t type_;
};

template <class Void>
cublasStatus_t gemm_ex(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                       int m, int n, int k, const void *alpha, const void *a, DataType typea,
                       int lda, const void *b, DataType typeb, int ldb, const void *beta, void *c,
                       DataType typec, int ldc, ComputeType compute, cublasGemmAlgo_t /*algorithm*/)
{
    return multiply_typed(handle, transa, transb, m, n, k, alpha, {a, typea, lda}, {b, typeb, ldb},
                          beta, {c, typec, ldc}, 1, scale_type(compute, typec));
}

template <class Void>
cublasStatus_t gemm_batched_ex(cublasHandle_t handle, cublasOperation_t transa,
                               cublasOperation_t transb, int m, int n, int k, const void *alpha,
                               const void *const a[], DataType typea, int lda,
                               const void *const b[], DataType typeb, int ldb, const void *beta,
                               void *const c[], DataType typec, int ldc, int count,
                               ComputeType compute, cublasGemmAlgo_t /*algorithm*/)
{
    return multiply_typed(handle, transa, transb, m, n, k, alpha, {a, typea, lda, 0, true},
                          {b, typeb, ldb, 0, true}, beta, {c, typec, ldc, 0, true}, count,
                          scale_type(compute, typec));
}

template <class Void>
cublasStatus_t
gemm_strided_ex(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                int n, int k, const void *alpha, const void *a, DataType typea, int lda,
                long long stridea, const void *b, DataType typeb, int ldb, long long strideb,
                const void *beta, void *c, DataType typec, int ldc, long long stridec, int count,
                ComputeType compute, cublasGemmAlgo_t /*algorithm*/)
{
    return multiply_typed(handle, transa, transb, m, n, k, alpha, {a, typea, lda, stridea},
                          {b, typeb, ldb, strideb}, beta, {c, typec, ldc, stridec}, count,
                          scale_type(compute, typec));
}

template <class Void>
cublasStatus_t axpy_ex(cublasHandle_t handle, int n, const void *alpha, DataType typealpha,
                       const void *x, DataType typex, int incx, void *y, DataType typey, int incy,
                       DataType compute)
{
    return with_arithmetic(compute, [&](auto zero) {
        using Value = decltype(zero);
        return run(handle, n >= 0 && alpha != nullptr, [=] {
            const auto by = scalar_as<Value>(typealpha, alpha);
            const auto added = vector_as<Value>(typex, x, n, incx);
            auto sums = vector_as<Value>(typey, y, n, incy);
            for (std::size_t i = 0; i < sums.size(); ++i)
                sums[i] += by * added[i];
            store_vector(sums, typey, y, incy);
        });
    });
}

template <class Void>
cublasStatus_t scal_ex(cublasHandle_t handle, int n, const void *alpha, DataType typealpha, void *x,
                       DataType typex, int incx, DataType compute)
{
    return with_arithmetic(compute, [&](auto zero) {
        using Value = decltype(zero);
        return run(handle, n >= 0 && alpha != nullptr, [=] {
            const auto by = scalar_as<Value>(typealpha, alpha);
            auto scaled = vector_as<Value>(typex, x, n, incx);
            for (auto &value : scaled)
                value *= by;
            store_vector(scaled, typex, x, incx);
        });
    });
}

// The elements of vectors and matrices of any type.
inline cublasStatus_t copy_elements(int n, int size, const void *x, int incx, void *y, int incy)
{
    if (n < 0 || size <= 0 || incx <= 0 || incy <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (std::ptrdiff_t i = 0; i < n; ++i)
        std::memcpy(static_cast<char *>(y) + i * incy * size,
                    static_cast<const char *>(x) + i * incx * size, std::size_t(size));
    return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t copy_matrix(int rows, int columns, int size, const void *a, int lda, void *b,
                                  int ldb)
{
    if (rows < 0 || columns < 0 || size <= 0 || !fits(lda, rows) || !fits(ldb, rows))
        return CUBLAS_STATUS_INVALID_VALUE;
    for (std::ptrdiff_t j = 0; j < columns; ++j)
        std::memcpy(static_cast<char *>(b) + j * ldb * size,
                    static_cast<const char *>(a) + j * lda * size,
                    std::size_t(rows) * std::size_t(size));
    return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t copy_elements_async(int n, int size, const void *x, int incx, void *y,
                                          int incy, Stream stream)
{
    enqueue(stream, [=] {
        copy_elements(n, size, x, incx, y, incy);
        return Success;
    });
    return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t copy_matrix_async(int rows, int columns, int size, const void *a, int lda,
                                        void *b, int ldb, Stream stream)
{
    enqueue(stream, [=] {
        copy_matrix(rows, columns, size, a, lda, b, ldb);
        return Success;
    });
    return CUBLAS_STATUS_SUCCESS;
}

// What is set in a handle, and read from it.
template <class Value, Value cublasContext::*Member>
cublasStatus_t set(cublasHandle_t handle, Value value)
{
    if (handle == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->*Member = value;
    return CUBLAS_STATUS_SUCCESS;
}
template <class Value, Value cublasContext::*Member>
cublasStatus_t get(cublasHandle_t handle, Value *value)
{
    if (handle == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *value = handle->*Member;
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace detail::blas

inline namespace libraries {

inline cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    *handle = new cublasContext{nullptr, CUBLAS_POINTER_MODE_HOST, CUBLAS_DEFAULT_MATH,
                                CUBLAS_ATOMICS_NOT_ALLOWED};
    return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    if (handle == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t cublasGetVersion(cublasHandle_t /*handle*/, int *version)
{
    *version = 120000;
    return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void * /*workspace*/,
                                         std::size_t /*bytes*/)
{
    return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

inline const char *cublasGetStatusName(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR: return "CUBLAS_STATUS_LICENSE_ERROR";
    }
    return "unknown status";
}
inline const char *cublasGetStatusString(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "the library was not initialized";
    case CUBLAS_STATUS_INVALID_VALUE: return "an invalid value was used as an argument";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "the functionality is not supported";
    default: return cublasGetStatusName(status);
    }
}

} // namespace libraries

// ---- the table: names, and the templates of their parameters ------------------------------------

// Each name is an object that converts to a pointer to its function: only what is called is made.
// clang-format off
#define G2O_NAME(name, ...)                                                                         \
    namespace detail::blas {                                                                       \
    template <class> struct Of##name {                                                             \
        using Pointer = decltype(&__VA_ARGS__);                                                    \
        operator Pointer() const { return &__VA_ARGS__; }                                          \
    };                                                                                             \
    }                                                                                              \
    inline namespace libraries {                                                                   \
    inline constexpr detail::blas::Of##name<void> cublas##name{};                                  \
    }
#define G2O_SINGLE(form, name) G2O_NAME(S##name, form<float, cblas_s##name>)                       \
    G2O_NAME(D##name, form<double, cblas_d##name>)
#define G2O_COMPLEX(form, name) G2O_NAME(C##name, form<FloatComplex, cblas_c##name>)               \
    G2O_NAME(Z##name, form<DoubleComplex, cblas_z##name>)
#define G2O_ALL(form, name) G2O_SINGLE(form, name) G2O_COMPLEX(form, name)
#define G2O_BASED_ON(form, name, function) G2O_NAME(S##name, form<float, cblas_s##function>)       \
    G2O_NAME(D##name, form<double, cblas_d##function>)                                             \
    G2O_NAME(C##name, form<FloatComplex, cblas_c##function>)                                       \
    G2O_NAME(Z##name, form<DoubleComplex, cblas_z##function>)
#define G2O_OWN(form, name) G2O_NAME(S##name, form<float>) G2O_NAME(D##name, form<double>)         \
    G2O_NAME(C##name, form<FloatComplex>) G2O_NAME(Z##name, form<DoubleComplex>)

G2O_ALL(axpy, axpy) G2O_ALL(copy, copy) G2O_ALL(swap, swap)
G2O_NAME(Sscal, scal<float, float, cblas_sscal>)
G2O_NAME(Dscal, scal<double, double, cblas_dscal>)
G2O_NAME(Cscal, scal<FloatComplex, FloatComplex, cblas_cscal>)
G2O_NAME(Zscal, scal<DoubleComplex, DoubleComplex, cblas_zscal>)
G2O_NAME(Csscal, scal<FloatComplex, float, cblas_csscal>)
G2O_NAME(Zdscal, scal<DoubleComplex, double, cblas_zdscal>)
G2O_SINGLE(inner_product, dot)
G2O_NAME(Cdotu, inner_product<FloatComplex, cblas_cdotu_sub>)
G2O_NAME(Zdotu, inner_product<DoubleComplex, cblas_zdotu_sub>)
G2O_NAME(Cdotc, inner_product<FloatComplex, cblas_cdotc_sub>)
G2O_NAME(Zdotc, inner_product<DoubleComplex, cblas_zdotc_sub>)
G2O_SINGLE(norm, nrm2) G2O_SINGLE(norm, asum)
G2O_NAME(Scnrm2, norm<FloatComplex, cblas_scnrm2>)
G2O_NAME(Dznrm2, norm<DoubleComplex, cblas_dznrm2>)
G2O_NAME(Scasum, norm<FloatComplex, cblas_scasum>)
G2O_NAME(Dzasum, norm<DoubleComplex, cblas_dzasum>)
G2O_NAME(Isamax, extreme<float, true>) G2O_NAME(Idamax, extreme<double, true>)
G2O_NAME(Icamax, extreme<FloatComplex, true>) G2O_NAME(Izamax, extreme<DoubleComplex, true>)
G2O_NAME(Isamin, extreme<float, false>) G2O_NAME(Idamin, extreme<double, false>)
G2O_NAME(Icamin, extreme<FloatComplex, false>) G2O_NAME(Izamin, extreme<DoubleComplex, false>)
G2O_SINGLE(rotation, rot) G2O_SINGLE(make_rotation, rotg)
G2O_SINGLE(modified_rotation, rotm) G2O_SINGLE(make_modified_rotation, rotmg)

G2O_ALL(gemv, gemv) G2O_ALL(gbmv, gbmv) G2O_SINGLE(outer_product, ger)
G2O_COMPLEX(outer_product, geru) G2O_COMPLEX(outer_product, gerc)
G2O_SINGLE(symmetric_product, symv) G2O_COMPLEX(symmetric_product, hemv)
G2O_SINGLE(symmetric_band_product, sbmv) G2O_COMPLEX(symmetric_band_product, hbmv)
G2O_SINGLE(symmetric_packed_product, spmv) G2O_COMPLEX(symmetric_packed_product, hpmv)
G2O_ALL(triangular, trmv) G2O_ALL(triangular, trsv) G2O_ALL(triangular_band, tbmv)
G2O_ALL(triangular_band, tbsv) G2O_ALL(triangular_packed, tpmv) G2O_ALL(triangular_packed, tpsv)
G2O_SINGLE(symmetric_update, syr) G2O_COMPLEX(symmetric_update, her)
G2O_SINGLE(symmetric_update2, syr2) G2O_COMPLEX(symmetric_update2, her2)
G2O_SINGLE(packed_update, spr) G2O_COMPLEX(packed_update, hpr)
G2O_SINGLE(packed_update2, spr2) G2O_COMPLEX(packed_update2, hpr2)

G2O_ALL(gemm, gemm) G2O_ALL(symm, symm) G2O_COMPLEX(symm, hemm)
G2O_ALL(trmm, trmm) G2O_ALL(trsm, trsm)
G2O_NAME(Ssyrk, rank_k<float, float, cblas_ssyrk>)
G2O_NAME(Dsyrk, rank_k<double, double, cblas_dsyrk>)
G2O_NAME(Csyrk, rank_k<FloatComplex, FloatComplex, cblas_csyrk>)
G2O_NAME(Zsyrk, rank_k<DoubleComplex, DoubleComplex, cblas_zsyrk>)
G2O_NAME(Cherk, rank_k<FloatComplex, float, cblas_cherk>)
G2O_NAME(Zherk, rank_k<DoubleComplex, double, cblas_zherk>)
G2O_NAME(Ssyr2k, rank_2k<float, float, cblas_ssyr2k>)
G2O_NAME(Dsyr2k, rank_2k<double, double, cblas_dsyr2k>)
G2O_NAME(Csyr2k, rank_2k<FloatComplex, FloatComplex, cblas_csyr2k>)
G2O_NAME(Zsyr2k, rank_2k<DoubleComplex, DoubleComplex, cblas_zsyr2k>)
G2O_NAME(Cher2k, rank_2k<FloatComplex, float, cblas_cher2k>)
G2O_NAME(Zher2k, rank_2k<DoubleComplex, double, cblas_zher2k>)

G2O_BASED_ON(gemm_batched, gemmBatched, gemm) G2O_BASED_ON(gemm_strided, gemmStridedBatched, gemm)
G2O_BASED_ON(gemv_batched, gemvBatched, gemv) G2O_BASED_ON(gemv_strided, gemvStridedBatched, gemv)
G2O_BASED_ON(trsm_batched, trsmBatched, trsm) G2O_BASED_ON(getrs_batched, getrsBatched, trsm)
G2O_BASED_ON(getri_batched, getriBatched, trsm) G2O_BASED_ON(matinv_batched, matinvBatched, trsm)
G2O_BASED_ON(gels_batched, gelsBatched, trsm)
G2O_OWN(getrf_batched, getrfBatched) G2O_OWN(geam, geam) G2O_OWN(dgmm, dgmm)

G2O_NAME(Hgemm, small_gemm<half, CUDA_R_16F>)
G2O_NAME(HgemmBatched, small_gemm_batched<half, CUDA_R_16F>)
G2O_NAME(HgemmStridedBatched, small_gemm_strided<half, CUDA_R_16F>)
G2O_NAME(SgemmEx, gemm_typed<float, CUDA_R_32F>)
G2O_NAME(CgemmEx, gemm_typed<FloatComplex, CUDA_C_32F>)
G2O_NAME(GemmEx, gemm_ex<void>) G2O_NAME(GemmBatchedEx, gemm_batched_ex<void>)
G2O_NAME(GemmStridedBatchedEx, gemm_strided_ex<void>)
G2O_NAME(DotEx, dot_ex<false>) G2O_NAME(DotcEx, dot_ex<true>)
G2O_NAME(AxpyEx, axpy_ex<void>) G2O_NAME(ScalEx, scal_ex<void>)

G2O_NAME(SetVector, copy_elements) G2O_NAME(GetVector, copy_elements)
G2O_NAME(SetMatrix, copy_matrix) G2O_NAME(GetMatrix, copy_matrix)
G2O_NAME(SetVectorAsync, copy_elements_async) G2O_NAME(GetVectorAsync, copy_elements_async)
G2O_NAME(SetMatrixAsync, copy_matrix_async) G2O_NAME(GetMatrixAsync, copy_matrix_async)
G2O_NAME(SetStream, set<Stream, &cublasContext::stream>)
G2O_NAME(GetStream, get<Stream, &cublasContext::stream>)
G2O_NAME(SetPointerMode, set<cublasPointerMode_t, &cublasContext::pointers>)
G2O_NAME(GetPointerMode, get<cublasPointerMode_t, &cublasContext::pointers>)
G2O_NAME(SetMathMode, set<cublasMath_t, &cublasContext::math>)
G2O_NAME(GetMathMode, get<cublasMath_t, &cublasContext::math>)
G2O_NAME(SetAtomicsMode, set<cublasAtomicsMode_t, &cublasContext::atomics>)
G2O_NAME(GetAtomicsMode, get<cublasAtomicsMode_t, &cublasContext::atomics>)
#undef G2O_NAME
#undef G2O_SINGLE
#undef G2O_COMPLEX
#undef G2O_ALL
#undef G2O_BASED_ON
#undef G2O_OWN
// clang-format on

} // namespace g2o

#pragma pop_macro("real")

} // extern "C++"

#endif // G2O_CUBLAS_HPP
