// cuBLAS: its types, and the names of its functions. What these take is checked where the
// translation is read, which has their parameters.
#pragma once
#include "g2o_library_types.hpp"

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

typedef struct cublasContext *cublasHandle_t;
typedef cublasStatus_t cublasStatus;
typedef cudaDataType cublasDataType_t;

#ifndef G2O_LEGACY_CUBLAS
#define G2O_CUBLAS(name)                                                                           \
    template <typename... Arguments> cublasStatus_t cublas##name(Arguments...);                    \
    template <typename... Arguments> cublasStatus_t cublas##name##_v2(Arguments...);
#define G2O_REAL(name) G2O_CUBLAS(S##name) G2O_CUBLAS(D##name)
#define G2O_COMPLEX(name) G2O_CUBLAS(C##name) G2O_CUBLAS(Z##name)
#define G2O_ALL(name) G2O_REAL(name) G2O_COMPLEX(name)
// clang-format off
G2O_CUBLAS(Create) G2O_CUBLAS(Destroy) G2O_CUBLAS(GetVersion) G2O_CUBLAS(SetWorkspace)
G2O_CUBLAS(SetStream) G2O_CUBLAS(GetStream) G2O_CUBLAS(SetPointerMode) G2O_CUBLAS(GetPointerMode)
G2O_CUBLAS(SetMathMode) G2O_CUBLAS(GetMathMode) G2O_CUBLAS(SetAtomicsMode)
G2O_CUBLAS(GetAtomicsMode) G2O_CUBLAS(SetVector) G2O_CUBLAS(GetVector) G2O_CUBLAS(SetMatrix)
G2O_CUBLAS(GetMatrix) G2O_CUBLAS(SetVectorAsync) G2O_CUBLAS(GetVectorAsync)
G2O_CUBLAS(SetMatrixAsync) G2O_CUBLAS(GetMatrixAsync)

G2O_ALL(axpy) G2O_ALL(copy) G2O_ALL(swap) G2O_ALL(scal) G2O_CUBLAS(Csscal) G2O_CUBLAS(Zdscal)
G2O_REAL(dot) G2O_COMPLEX(dotu) G2O_COMPLEX(dotc) G2O_REAL(nrm2) G2O_CUBLAS(Scnrm2)
G2O_CUBLAS(Dznrm2) G2O_REAL(asum) G2O_CUBLAS(Scasum) G2O_CUBLAS(Dzasum) G2O_CUBLAS(Isamax)
G2O_CUBLAS(Idamax) G2O_CUBLAS(Icamax) G2O_CUBLAS(Izamax) G2O_CUBLAS(Isamin) G2O_CUBLAS(Idamin)
G2O_CUBLAS(Icamin) G2O_CUBLAS(Izamin) G2O_REAL(rot) G2O_REAL(rotg) G2O_REAL(rotm) G2O_REAL(rotmg)

G2O_ALL(gemv) G2O_ALL(gbmv) G2O_REAL(ger) G2O_COMPLEX(geru) G2O_COMPLEX(gerc) G2O_REAL(symv)
G2O_COMPLEX(hemv) G2O_REAL(sbmv) G2O_COMPLEX(hbmv) G2O_REAL(spmv) G2O_COMPLEX(hpmv) G2O_ALL(trmv)
G2O_ALL(trsv) G2O_ALL(tbmv) G2O_ALL(tbsv) G2O_ALL(tpmv) G2O_ALL(tpsv) G2O_REAL(syr)
G2O_COMPLEX(her) G2O_REAL(syr2) G2O_COMPLEX(her2) G2O_REAL(spr) G2O_COMPLEX(hpr) G2O_REAL(spr2)
G2O_COMPLEX(hpr2)

G2O_ALL(gemm) G2O_ALL(symm) G2O_COMPLEX(hemm) G2O_ALL(trmm) G2O_ALL(trsm) G2O_ALL(syrk)
G2O_COMPLEX(herk) G2O_ALL(syr2k) G2O_COMPLEX(her2k) G2O_ALL(gemmBatched)
G2O_ALL(gemmStridedBatched) G2O_ALL(gemvBatched) G2O_ALL(gemvStridedBatched)
G2O_ALL(trsmBatched) G2O_ALL(getrsBatched) G2O_ALL(getriBatched) G2O_ALL(matinvBatched)
G2O_ALL(gelsBatched) G2O_ALL(getrfBatched) G2O_ALL(geam) G2O_ALL(dgmm)

G2O_CUBLAS(Hgemm) G2O_CUBLAS(HgemmBatched) G2O_CUBLAS(HgemmStridedBatched) G2O_CUBLAS(SgemmEx)
G2O_CUBLAS(CgemmEx) G2O_CUBLAS(GemmEx) G2O_CUBLAS(GemmBatchedEx) G2O_CUBLAS(GemmStridedBatchedEx)
G2O_CUBLAS(DotEx) G2O_CUBLAS(DotcEx) G2O_CUBLAS(AxpyEx) G2O_CUBLAS(ScalEx)
// clang-format on
#undef G2O_CUBLAS
#undef G2O_REAL
#undef G2O_COMPLEX
#undef G2O_ALL
                                                                                    const
    char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);
#endif
