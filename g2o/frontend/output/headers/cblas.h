// The CBLAS as far as g2o_cublas.hpp calls it: what is written is read without a library.
#ifndef CBLAS_H
#define CBLAS_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_ORDER;
typedef enum CBLAS_TRANSPOSE {
    CblasNoTrans = 111,
    CblasTrans = 112,
    CblasConjTrans = 113
} CBLAS_TRANSPOSE;
typedef enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
typedef enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 } CBLAS_DIAG;
typedef enum CBLAS_SIDE { CblasLeft = 141, CblasRight = 142 } CBLAS_SIDE;

// T: what an array has; A: an array, V: a scalar, as parameters.
#define G2O_CBLAS_ALL(s, A, V, T)                                                                  \
    void cblas_##s##axpy(int, V, A, int, T *, int);                                                \
    void cblas_##s##copy(int, A, int, T *, int);                                                   \
    void cblas_##s##swap(int, T *, int, T *, int);                                                 \
    void cblas_##s##scal(int, V, T *, int);                                                        \
    void cblas_##s##gemv(CBLAS_ORDER, CBLAS_TRANSPOSE, int, int, V, A, int, A, int, V, T *, int);  \
    void cblas_##s##gbmv(CBLAS_ORDER, CBLAS_TRANSPOSE, int, int, int, int, V, A, int, A, int, V,   \
                         T *, int);                                                                \
    void cblas_##s##trmv(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, int, A, int, T *,   \
                         int);                                                                     \
    void cblas_##s##trsv(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, int, A, int, T *,   \
                         int);                                                                     \
    void cblas_##s##tbmv(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, int, int, A, int,   \
                         T *, int);                                                                \
    void cblas_##s##tbsv(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, int, int, A, int,   \
                         T *, int);                                                                \
    void cblas_##s##tpmv(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, int, A, T *, int);  \
    void cblas_##s##tpsv(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, int, A, T *, int);  \
    void cblas_##s##gemm(CBLAS_ORDER, CBLAS_TRANSPOSE, CBLAS_TRANSPOSE, int, int, int, V, A, int,  \
                         A, int, V, T *, int);                                                     \
    void cblas_##s##symm(CBLAS_ORDER, CBLAS_SIDE, CBLAS_UPLO, int, int, V, A, int, A, int, V, T *, \
                         int);                                                                     \
    void cblas_##s##syrk(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, int, int, V, A, int, V, T *,    \
                         int);                                                                     \
    void cblas_##s##syr2k(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, int, int, V, A, int, A, int,   \
                          V, T *, int);                                                            \
    void cblas_##s##trmm(CBLAS_ORDER, CBLAS_SIDE, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, int,    \
                         int, V, A, int, T *, int);                                                \
    void cblas_##s##trsm(CBLAS_ORDER, CBLAS_SIDE, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, int,    \
                         int, V, A, int, T *, int);
// The functions of real numbers, and those of complex ones with other names.
#define G2O_CBLAS_BOTH(s, h, A, V, R, T)                                                           \
    void cblas_##s##h##mv(CBLAS_ORDER, CBLAS_UPLO, int, V, A, int, A, int, V, T *, int);           \
    void cblas_##s##h##r(CBLAS_ORDER, CBLAS_UPLO, int, R, A, int, T *, int);                       \
    void cblas_##s##h##r2(CBLAS_ORDER, CBLAS_UPLO, int, V, A, int, A, int, T *, int);
#define G2O_CBLAS_STORED(s, b, p, A, V, R, T)                                                      \
    void cblas_##s##b##mv(CBLAS_ORDER, CBLAS_UPLO, int, int, V, A, int, A, int, V, T *, int);      \
    void cblas_##s##p##mv(CBLAS_ORDER, CBLAS_UPLO, int, V, A, A, int, V, T *, int);                \
    void cblas_##s##p##r(CBLAS_ORDER, CBLAS_UPLO, int, R, A, int, T *);                            \
    void cblas_##s##p##r2(CBLAS_ORDER, CBLAS_UPLO, int, V, A, int, A, int, T *);
#define G2O_CBLAS_OUTER(s, name, A, V, T)                                                          \
    void cblas_##s##name(CBLAS_ORDER, int, int, V, A, int, A, int, T *, int);
#define G2O_CBLAS_REAL(s, T)                                                                       \
    G2O_CBLAS_ALL(s, const T *, T, T)                                                              \
    G2O_CBLAS_BOTH(s, sy, const T *, T, T, T)                                                      \
    G2O_CBLAS_STORED(s, sb, sp, const T *, T, T, T)                                            \
    G2O_CBLAS_OUTER(s, ger, const T *, T, T)                                                       \
    T cblas_##s##dot(int, const T *, int, const T *, int);                                         \
    T cblas_##s##nrm2(int, const T *, int);                                                        \
    T cblas_##s##asum(int, const T *, int);                                                        \
    void cblas_##s##rot(int, T *, int, T *, int, T, T);                                            \
    void cblas_##s##rotg(T *, T *, T *, T *);                                                      \
    void cblas_##s##rotm(int, T *, int, T *, int, const T *);                                      \
    void cblas_##s##rotmg(T *, T *, T *, T, T *);
#define G2O_CBLAS_COMPLEX(s, r, R)                                                                 \
    G2O_CBLAS_ALL(s, const void *, const void *, void)                                             \
    G2O_CBLAS_BOTH(s, he, const void *, const void *, R, void)                                     \
    G2O_CBLAS_STORED(s, hb, hp, const void *, const void *, R, void)                           \
    G2O_CBLAS_OUTER(s, geru, const void *, const void *, void)                                     \
    G2O_CBLAS_OUTER(s, gerc, const void *, const void *, void)                                     \
    void cblas_##s##dotu_sub(int, const void *, int, const void *, int, void *);                   \
    void cblas_##s##dotc_sub(int, const void *, int, const void *, int, void *);                   \
    R cblas_##r##s##nrm2(int, const void *, int);                                                  \
    R cblas_##r##s##asum(int, const void *, int);                                                  \
    void cblas_##s##r##scal(int, R, void *, int);                                                  \
    void cblas_##s##hemm(CBLAS_ORDER, CBLAS_SIDE, CBLAS_UPLO, int, int, const void *,              \
                         const void *, int, const void *, int, const void *, void *, int);         \
    void cblas_##s##herk(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, int, int, R, const void *, int, \
                         R, void *, int);                                                          \
    void cblas_##s##her2k(CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, int, int, const void *,        \
                          const void *, int, const void *, int, R, void *, int);
G2O_CBLAS_REAL(s, float)
G2O_CBLAS_REAL(d, double)
G2O_CBLAS_COMPLEX(c, s, float)
G2O_CBLAS_COMPLEX(z, d, double)

#ifdef __cplusplus
}
#endif
#endif // CBLAS_H
