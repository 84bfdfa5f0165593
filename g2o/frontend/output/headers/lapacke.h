// LAPACKE as far as g2o_cusolver.hpp calls it: what is written is read without a library.
#ifndef _LAPACKE_H_
#define _LAPACKE_H_

#ifdef __cplusplus
#include <complex>
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
extern "C" {
#else
#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex
#endif
#define lapack_int int
#define LAPACK_COL_MAJOR 102

#define G2O_LAPACKE(x, T, R, symmetric, orthogonal)                                                \
    int LAPACKE_##x##potrf(int, char, int, T *, int);                                              \
    int LAPACKE_##x##potrs(int, char, int, int, const T *, int, T *, int);                         \
    int LAPACKE_##x##potri(int, char, int, T *, int);                                              \
    int LAPACKE_##x##getrf(int, int, int, T *, int, int *);                                        \
    int LAPACKE_##x##getrs(int, char, int, int, const T *, int, const int *, T *, int);            \
    int LAPACKE_##x##geqrf(int, int, int, T *, int, T *);                                          \
    int LAPACKE_##x##orthogonal##mqr(int, char, char, int, int, int, const T *, int, const T *,    \
                                     T *, int);                                                    \
    int LAPACKE_##x##orthogonal##gqr(int, int, int, int, T *, int, const T *);                     \
    int LAPACKE_##x##symmetric##evd(int, char, char, int, T *, int, R *);                          \
    int LAPACKE_##x##symmetric##gvd(int, int, char, char, int, T *, int, T *, int, R *);           \
    int LAPACKE_##x##gesvd(int, char, char, int, int, T *, int, R *, T *, int, T *, int, R *);
G2O_LAPACKE(s, float, float, sy, or)
G2O_LAPACKE(d, double, double, sy, or)
G2O_LAPACKE(c, lapack_complex_float, float, he, un)
G2O_LAPACKE(z, lapack_complex_double, double, he, un)
#undef G2O_LAPACKE

#ifdef __cplusplus
}
#endif
#endif // _LAPACKE_H_
