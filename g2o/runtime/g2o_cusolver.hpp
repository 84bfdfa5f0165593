// g2o_cusolver.hpp: cuSOLVER for dense matrices, on LAPACK.
//
// To be linked with LAPACKE and a CBLAS: `pkg-config --cflags --libs lapacke openblas` (or MKL).
// Matrices are by columns, as LAPACK's. Work memory is not needed; methods of Jacobi are done by
// LAPACK's own, so that their tolerances do not count. A table at the end says which names there
// are.
#ifndef G2O_CUSOLVER_HPP
#define G2O_CUSOLVER_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#ifndef LAPACK_COMPLEX_CPP
#define LAPACK_COMPLEX_CPP
#endif
// A program's macro of this name is not meant for what follows.
#pragma push_macro("real")
#undef real

#include <complex>

#include "g2o_cublas.hpp"

// A program's macros of these names are not meant for the library's header.
#pragma push_macro("A")
#pragma push_macro("B")
#pragma push_macro("I")
#pragma push_macro("N")
#undef A
#undef B
#undef I
#undef N
#include <lapacke.h>
#pragma pop_macro("A")
#pragma pop_macro("B")
#pragma pop_macro("I")
#pragma pop_macro("N")

#include <algorithm>
#include <cstddef>
#include <vector>

namespace g2o {
inline namespace libraries {

enum cusolverStatus_t {
    CUSOLVER_STATUS_SUCCESS = 0,
    CUSOLVER_STATUS_NOT_INITIALIZED = 1,
    CUSOLVER_STATUS_ALLOC_FAILED = 2,
    CUSOLVER_STATUS_INVALID_VALUE = 3,
    CUSOLVER_STATUS_ARCH_MISMATCH = 4,
    CUSOLVER_STATUS_MAPPING_ERROR = 5,
    CUSOLVER_STATUS_EXECUTION_FAILED = 6,
    CUSOLVER_STATUS_INTERNAL_ERROR = 7,
    CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSOLVER_STATUS_NOT_SUPPORTED = 9,
    CUSOLVER_STATUS_ZERO_PIVOT = 10,
    CUSOLVER_STATUS_INVALID_LICENSE = 11
};
enum cusolverEigMode_t { CUSOLVER_EIG_MODE_NOVECTOR = 0, CUSOLVER_EIG_MODE_VECTOR = 1 };
enum cusolverEigType_t {
    CUSOLVER_EIG_TYPE_1 = 1,
    CUSOLVER_EIG_TYPE_2 = 2,
    CUSOLVER_EIG_TYPE_3 = 3
};

struct cusolverDnContext {
    Stream stream;
};
struct syevjInfo {};
struct gesvdjInfo {};
using cusolverDnHandle_t = cusolverDnContext *;
using syevjInfo_t = syevjInfo *;
using gesvdjInfo_t = gesvdjInfo *;
using cusolver_int_t = int;

} // namespace libraries

namespace detail::solver {

// The functions of LAPACK for a type of numbers.
template <class Number> struct Lapack;
#define G2O_LAPACK(Number, Lapacks, Reals, x, symmetric, orthogonal)                               \
    template <> struct Lapack<Number> {                                                            \
        using Real = Reals;                                                                        \
        static Lapacks *as(Number *array) { return reinterpret_cast<Lapacks *>(array); }           \
        static const Lapacks *as(const Number *array)                                              \
        {                                                                                          \
            return reinterpret_cast<const Lapacks *>(array);                                       \
        }                                                                                          \
        static constexpr auto *potrf = LAPACKE_##x##potrf;                                         \
        static constexpr auto *potrs = LAPACKE_##x##potrs;                                         \
        static constexpr auto *potri = LAPACKE_##x##potri;                                         \
        static constexpr auto *getrf = LAPACKE_##x##getrf;                                         \
        static constexpr auto *getrs = LAPACKE_##x##getrs;                                         \
        static constexpr auto *geqrf = LAPACKE_##x##geqrf;                                         \
        static constexpr auto *gesvd = LAPACKE_##x##gesvd;                                         \
        static constexpr auto *multiply = LAPACKE_##x##orthogonal##mqr;                            \
        static constexpr auto *generate = LAPACKE_##x##orthogonal##gqr;                            \
        static constexpr auto *eigen = LAPACKE_##x##symmetric##evd;                                \
        static constexpr auto *general_eigen = LAPACKE_##x##symmetric##gvd;                        \
    };
G2O_LAPACK(float, float, float, s, sy, or)
G2O_LAPACK(double, double, double, d, sy, or)
G2O_LAPACK(FloatComplex, lapack_complex_float, float, c, he, un)
G2O_LAPACK(DoubleComplex, lapack_complex_double, double, z, he, un)
#undef G2O_LAPACK

template <class Number> using Real = typename Lapack<Number>::Real;

constexpr int BY_COLUMNS = LAPACK_COL_MAJOR;
constexpr int BUFFER = 8; // numbers, as some programs take none for an error

inline char letter(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U'; }
inline char letter(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? 'L' : 'R'; }
inline char letter(cusolverEigMode_t mode) { return mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N'; }
inline char letter(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N ? 'N' : operation == CUBLAS_OP_T ? 'T' : 'C';
}

// Does `operation`, or leaves it to the graph of the handle's stream.
template <class Operation> cusolverStatus_t run(cusolverDnHandle_t handle, Operation operation)
{
    if (handle == nullptr)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    enqueue(handle->stream, [=] {
        operation();
        return Success;
    });
    return CUSOLVER_STATUS_SUCCESS;
}

inline cusolverStatus_t put(int *size)
{
    *size = BUFFER;
    return CUSOLVER_STATUS_SUCCESS;
}

template <class Number>
cusolverStatus_t potrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, Number *a, int lda,
                       Number * /*work*/, int /*size*/, int *info)
{
    using L = Lapack<Number>;
    return run(handle, [=] { *info = L::potrf(BY_COLUMNS, letter(fill), n, L::as(a), lda); });
}
template <class Number>
cusolverStatus_t potri(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, Number *a, int lda,
                       Number * /*work*/, int /*size*/, int *info)
{
    using L = Lapack<Number>;
    return run(handle, [=] { *info = L::potri(BY_COLUMNS, letter(fill), n, L::as(a), lda); });
}
template <class Number>
cusolverStatus_t potrf_size(cusolverDnHandle_t, cublasFillMode_t, int, Number *, int, int *size)
{
    return put(size);
}
template <class Number>
cusolverStatus_t potrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,
                       const Number *a, int lda, Number *b, int ldb, int *info)
{
    using L = Lapack<Number>;
    return run(handle, [=] {
        *info = L::potrs(BY_COLUMNS, letter(fill), n, columns, L::as(a), lda, L::as(b), ldb);
    });
}
template <class Number>
cusolverStatus_t potrf_batched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,
                               Number *a[], int lda, int *info, int count)
{
    using L = Lapack<Number>;
    return run(handle, [=] {
        for (int b = 0; b < count; ++b)
            info[b] = L::potrf(BY_COLUMNS, letter(fill), n, L::as(a[b]), lda);
    });
}
template <class Number>
cusolverStatus_t potrs_batched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,
                               Number *a[], int lda, Number *b[], int ldb, int *info, int count)
{
    using L = Lapack<Number>;
    return run(handle, [=] {
        for (int m = 0; m < count; ++m)
            *info = L::potrs(BY_COLUMNS, letter(fill), n, columns, L::as(a[m]), lda, L::as(b[m]),
                             ldb);
    });
}

// Without pivots where there is no place for them.
template <class Number>
cusolverStatus_t getrf(cusolverDnHandle_t handle, int m, int n, Number *a, int lda,
                       Number * /*work*/, int *pivots, int *info)
{
    using L = Lapack<Number>;
    return run(handle, [=] {
        if (pivots != nullptr) {
            *info = L::getrf(BY_COLUMNS, m, n, L::as(a), lda, pivots);
            return;
        }
        auto *all = numbers(a);
        const auto at = [=](int i, int j) -> auto & { return all[std::ptrdiff_t(j) * lda + i]; };
        *info = 0;
        for (int k = 0; k < std::min(m, n); ++k) {
            if (at(k, k) == Arithmetic<Number>(0)) {
                *info = *info == 0 ? k + 1 : *info;
                continue;
            }
            for (int i = k + 1; i < m; ++i)
                at(i, k) /= at(k, k);
            for (int j = k + 1; j < n; ++j)
                for (int i = k + 1; i < m; ++i)
                    at(i, j) -= at(i, k) * at(k, j);
        }
    });
}
template <class Number>
cusolverStatus_t getrf_size(cusolverDnHandle_t, int, int, Number *, int, int *size)
{
    return put(size);
}
template <class Number>
cusolverStatus_t getrs(cusolverDnHandle_t handle, cublasOperation_t operation, int n, int columns,
                       const Number *a, int lda, const int *pivots, Number *b, int ldb, int *info)
{
    using L = Lapack<Number>;
    return run(handle, [=] {
        std::vector<int> none(pivots == nullptr ? std::size_t(n) : 0);
        for (std::size_t i = 0; i < none.size(); ++i)
            none[i] = int(i) + 1;
        *info = L::getrs(BY_COLUMNS, letter(operation), n, columns, L::as(a), lda,
                         pivots == nullptr ? none.data() : pivots, L::as(b), ldb);
    });
}

template <class Number>
cusolverStatus_t geqrf(cusolverDnHandle_t handle, int m, int n, Number *a, int lda, Number *tau,
                       Number * /*work*/, int /*size*/, int *info)
{
    using L = Lapack<Number>;
    return run(handle, [=] { *info = L::geqrf(BY_COLUMNS, m, n, L::as(a), lda, L::as(tau)); });
}
template <class Number>
cusolverStatus_t multiply(cusolverDnHandle_t handle, cublasSideMode_t side,
                          cublasOperation_t operation, int m, int n, int k, const Number *a,
                          int lda, const Number *tau, Number *c, int ldc, Number * /*work*/,
                          int /*size*/, int *info)
{
    using L = Lapack<Number>;
    return run(handle, [=] {
        *info = L::multiply(BY_COLUMNS, letter(side), letter(operation), m, n, k, L::as(a), lda,
                            L::as(tau), L::as(c), ldc);
    });
}
template <class Number>
cusolverStatus_t multiply_size(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int,
                               int, const Number *, int, const Number *, const Number *, int,
                               int *size)
{
    return put(size);
}
template <class Number>
cusolverStatus_t generate(cusolverDnHandle_t handle, int m, int n, int k, Number *a, int lda,
                          const Number *tau, Number * /*work*/, int /*size*/, int *info)
{
    using L = Lapack<Number>;
    return run(handle,
               [=] { *info = L::generate(BY_COLUMNS, m, n, k, L::as(a), lda, L::as(tau)); });
}
template <class Number>
cusolverStatus_t generate_size(cusolverDnHandle_t, int, int, int, const Number *, int,
                               const Number *, int *size)
{
    return put(size);
}

template <class Number>
cusolverStatus_t eigen(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                       int n, Number *a, int lda, Real<Number> *w, Number * /*work*/, int /*size*/,
                       int *info)
{
    using L = Lapack<Number>;
    return run(handle, [=] {
        *info = L::eigen(BY_COLUMNS, letter(mode), letter(fill), n, L::as(a), lda, w);
    });
}
template <class Number>
cusolverStatus_t eigen_size(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
                            const Number *, int, const Real<Number> *, int *size)
{
    return put(size);
}
template <class Number>
cusolverStatus_t jacobi(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                        int n, Number *a, int lda, Real<Number> *w, Number *work, int size,
                        int *info, syevjInfo_t /*parameters*/)
{
    return eigen(handle, mode, fill, n, a, lda, w, work, size, info);
}
template <class Number>
cusolverStatus_t jacobi_size(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
                             const Number *, int, const Real<Number> *, int *size, syevjInfo_t)
{
    return put(size);
}
template <class Number>
cusolverStatus_t jacobi_batched(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                cublasFillMode_t fill, int n, Number *a, int lda, Real<Number> *w,
                                Number * /*work*/, int /*size*/, int *info,
                                syevjInfo_t /*parameters*/, int count)
{
    using L = Lapack<Number>;
    return run(handle, [=] {
#pragma omp parallel for
        for (int b = 0; b < count; ++b)
            info[b] = L::eigen(BY_COLUMNS, letter(mode), letter(fill), n,
                               L::as(a + std::ptrdiff_t(b) * lda * n), lda,
                               w + std::ptrdiff_t(b) * n);
    });
}
template <class Number>
cusolverStatus_t jacobi_batched_size(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
                                     const Number *, int, const Real<Number> *, int *size,
                                     syevjInfo_t, int)
{
    return put(size);
}
template <class Number>
cusolverStatus_t general_eigen(cusolverDnHandle_t handle, cusolverEigType_t type,
                               cusolverEigMode_t mode, cublasFillMode_t fill, int n, Number *a,
                               int lda, Number *b, int ldb, Real<Number> *w, Number * /*work*/,
                               int /*size*/, int *info)
{
    using L = Lapack<Number>;
    return run(handle, [=] {
        *info = L::general_eigen(BY_COLUMNS, int(type), letter(mode), letter(fill), n, L::as(a),
                                 lda, L::as(b), ldb, w);
    });
}
template <class Number>
cusolverStatus_t general_eigen_size(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
                                    cublasFillMode_t, int, const Number *, int, const Number *, int,
                                    const Real<Number> *, int *size)
{
    return put(size);
}

template <class Number>
cusolverStatus_t gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n,
                       Number *a, int lda, Real<Number> *s, Number *u, int ldu, Number *vt,
                       int ldvt, Number * /*work*/, int /*size*/, Real<Number> *rest, int *info)
{
    using L = Lapack<Number>;
    return run(handle, [=] {
        std::vector<Real<Number>> super(std::size_t(std::max(1, std::min(m, n))));
        *info = L::gesvd(BY_COLUMNS, char(jobu), char(jobvt), m, n, L::as(a), lda, s, L::as(u), ldu,
                         L::as(vt), ldvt, super.data());
        if (rest != nullptr)
            std::copy_n(super.begin(), std::max(0, std::min(m, n) - 1), rest);
    });
}
template <class Number>
cusolverStatus_t gesvd_size(cusolverDnHandle_t, int, int, int *size)
{
    return put(size);
}

// The right vectors are columns here, rows there.
template <class Number>
cusolverStatus_t gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economic, int m,
                        int n, Number *a, int lda, Real<Number> *s, Number *u, int ldu, Number *v,
                        int ldv, Number * /*work*/, int /*size*/, int *info,
                        gesvdjInfo_t /*parameters*/)
{
    using L = Lapack<Number>;
    return run(handle, [=] {
        const int least = std::max(1, std::min(m, n));
        const bool has_vectors = mode == CUSOLVER_EIG_MODE_VECTOR;
        const char job = !has_vectors ? 'N' : economic != 0 ? 'S' : 'A';
        const int rows = economic != 0 ? least : n;
        std::vector<Real<Number>> super(static_cast<std::size_t>(least));
        std::vector<Number> turned(has_vectors ? std::size_t(rows) * std::size_t(n) : 1);
        *info = L::gesvd(BY_COLUMNS, job, job, m, n, L::as(a), lda, s, L::as(u), ldu,
                         L::as(turned.data()), rows, super.data());
        for (int j = 0; has_vectors && j < rows; ++j)
            for (int i = 0; i < n; ++i)
                numbers(v)[std::ptrdiff_t(j) * ldv + i] =
                    conjugate(numbers(turned.data())[std::ptrdiff_t(i) * rows + j]);
    });
}
template <class Number>
cusolverStatus_t gesvdj_size(cusolverDnHandle_t, cusolverEigMode_t, int, int, int, const Number *,
                             int, const Real<Number> *, const Number *, int, const Number *, int,
                             int *size, gesvdjInfo_t)
{
    return put(size);
}

template <class Made> cusolverStatus_t make(Made **place)
{
    *place = new Made{};
    return CUSOLVER_STATUS_SUCCESS;
}
template <class Made> cusolverStatus_t destroy(Made *made)
{
    delete made;
    return CUSOLVER_STATUS_SUCCESS;
}

} // namespace detail::solver

inline namespace libraries {

inline cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
    return detail::solver::make(handle);
}
inline cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle)
{
    return detail::solver::destroy(handle);
}
inline cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, Stream stream)
{
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, Stream *stream)
{
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info)
{
    return detail::solver::make(info);
}
inline cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info)
{
    return detail::solver::destroy(info);
}
inline cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t, double)
{
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t, int)
{
    return CUSOLVER_STATUS_SUCCESS;
}
// They always come in order.
inline cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t, int)
{
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info)
{
    return detail::solver::make(info);
}
inline cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info)
{
    return detail::solver::destroy(info);
}
inline cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t, double)
{
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t, int)
{
    return CUSOLVER_STATUS_SUCCESS;
}

} // namespace libraries

// ---- the table: names, and the templates of their parameters ------------------------------------

// Each name is an object that converts to a pointer to its function: only what is called is made.
// clang-format off
#define G2O_NAME(name, ...)                                                                        \
    namespace detail::solver {                                                                     \
    template <class> struct Of##name {                                                             \
        using Pointer = decltype(&__VA_ARGS__);                                                    \
        operator Pointer() const { return &__VA_ARGS__; }                                          \
    };                                                                                             \
    }                                                                                              \
    inline namespace libraries {                                                                   \
    inline constexpr detail::solver::Of##name<void> cusolverDn##name{};                            \
    }
#define G2O_REAL(form, name) G2O_NAME(S##name, form<float>) G2O_NAME(D##name, form<double>)
#define G2O_COMPLEX(form, name)                                                                    \
    G2O_NAME(C##name, form<FloatComplex>) G2O_NAME(Z##name, form<DoubleComplex>)
#define G2O_ALL(form, name) G2O_REAL(form, name) G2O_COMPLEX(form, name)
#define G2O_EITHER(form, real, complex) G2O_REAL(form, real) G2O_COMPLEX(form, complex)

G2O_ALL(potrf, potrf) G2O_ALL(potrf_size, potrf_bufferSize) G2O_ALL(potrs, potrs)
G2O_ALL(potri, potri) G2O_ALL(potrf_size, potri_bufferSize)
G2O_ALL(potrf_batched, potrfBatched) G2O_ALL(potrs_batched, potrsBatched)
G2O_ALL(getrf, getrf) G2O_ALL(getrf_size, getrf_bufferSize) G2O_ALL(getrs, getrs)
G2O_ALL(geqrf, geqrf) G2O_ALL(getrf_size, geqrf_bufferSize)
G2O_EITHER(multiply, ormqr, unmqr) G2O_EITHER(multiply_size, ormqr_bufferSize, unmqr_bufferSize)
G2O_EITHER(generate, orgqr, ungqr) G2O_EITHER(generate_size, orgqr_bufferSize, ungqr_bufferSize)
G2O_EITHER(eigen, syevd, heevd) G2O_EITHER(eigen_size, syevd_bufferSize, heevd_bufferSize)
G2O_EITHER(jacobi, syevj, heevj) G2O_EITHER(jacobi_size, syevj_bufferSize, heevj_bufferSize)
G2O_EITHER(jacobi_batched, syevjBatched, heevjBatched)
G2O_EITHER(jacobi_batched_size, syevjBatched_bufferSize, heevjBatched_bufferSize)
G2O_EITHER(general_eigen, sygvd, hegvd)
G2O_EITHER(general_eigen_size, sygvd_bufferSize, hegvd_bufferSize)
G2O_ALL(gesvd, gesvd) G2O_ALL(gesvd_size, gesvd_bufferSize)
G2O_ALL(gesvdj, gesvdj) G2O_ALL(gesvdj_size, gesvdj_bufferSize)
#undef G2O_EITHER
#undef G2O_ALL
#undef G2O_COMPLEX
#undef G2O_REAL
#undef G2O_NAME
// clang-format on

} // namespace g2o

#pragma pop_macro("real")

} // extern "C++"

#endif // G2O_CUSOLVER_HPP
