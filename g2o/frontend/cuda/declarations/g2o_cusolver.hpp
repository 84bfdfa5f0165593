// cuSOLVER for dense matrices: its types, and its functions.
#pragma once
#include "g2o_cublas.hpp"

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


typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef int cusolver_int_t;

#define G2O_CUSOLVER(name)                                                                         \
    template <typename... Arguments> cusolverStatus_t cusolverDn##name(Arguments...);
#define G2O_REAL(name) G2O_CUSOLVER(S##name) G2O_CUSOLVER(D##name)
#define G2O_COMPLEX(name) G2O_CUSOLVER(C##name) G2O_CUSOLVER(Z##name)
#define G2O_ALL(name) G2O_REAL(name) G2O_COMPLEX(name)
// clang-format off
G2O_CUSOLVER(Create) G2O_CUSOLVER(Destroy) G2O_CUSOLVER(SetStream) G2O_CUSOLVER(GetStream)
G2O_CUSOLVER(CreateSyevjInfo) G2O_CUSOLVER(DestroySyevjInfo) G2O_CUSOLVER(XsyevjSetTolerance)
G2O_CUSOLVER(XsyevjSetMaxSweeps) G2O_CUSOLVER(XsyevjSetSortEig) G2O_CUSOLVER(CreateGesvdjInfo)
G2O_CUSOLVER(DestroyGesvdjInfo) G2O_CUSOLVER(XgesvdjSetTolerance)
G2O_CUSOLVER(XgesvdjSetMaxSweeps) G2O_ALL(potrf) G2O_ALL(potrf_bufferSize) G2O_ALL(potrs)
G2O_ALL(potri) G2O_ALL(potri_bufferSize) G2O_ALL(potrfBatched) G2O_ALL(potrsBatched)
G2O_ALL(getrf) G2O_ALL(getrf_bufferSize) G2O_ALL(getrs) G2O_ALL(geqrf) G2O_ALL(geqrf_bufferSize)
G2O_REAL(ormqr) G2O_COMPLEX(unmqr) G2O_REAL(ormqr_bufferSize) G2O_COMPLEX(unmqr_bufferSize)
G2O_REAL(orgqr) G2O_COMPLEX(ungqr) G2O_REAL(orgqr_bufferSize) G2O_COMPLEX(ungqr_bufferSize)
G2O_REAL(syevd) G2O_COMPLEX(heevd) G2O_REAL(syevd_bufferSize) G2O_COMPLEX(heevd_bufferSize)
G2O_REAL(syevj) G2O_COMPLEX(heevj) G2O_REAL(syevj_bufferSize) G2O_COMPLEX(heevj_bufferSize)
G2O_REAL(syevjBatched) G2O_COMPLEX(heevjBatched) G2O_REAL(syevjBatched_bufferSize)
G2O_COMPLEX(heevjBatched_bufferSize) G2O_REAL(sygvd) G2O_COMPLEX(hegvd)
G2O_REAL(sygvd_bufferSize) G2O_COMPLEX(hegvd_bufferSize) G2O_ALL(gesvd) G2O_ALL(gesvd_bufferSize)
G2O_ALL(gesvdj) G2O_ALL(gesvdj_bufferSize)
// clang-format on
#undef G2O_CUSOLVER
#undef G2O_REAL
#undef G2O_COMPLEX
#undef G2O_ALL
