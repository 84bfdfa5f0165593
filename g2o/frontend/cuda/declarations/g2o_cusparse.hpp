// cuSPARSE: its types, and its functions.
#pragma once
#include <cstdint>

#include "g2o_library_types.hpp"

enum cusparseStatus_t {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
};
enum cusparsePointerMode_t { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 };
enum cusparseAction_t { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 };
enum cusparseMatrixType_t {
    CUSPARSE_MATRIX_TYPE_GENERAL = 0,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
    CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
};
enum cusparseFillMode_t { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 };
enum cusparseDiagType_t { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 };
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 };
enum cusparseOperation_t {
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
    CUSPARSE_OPERATION_TRANSPOSE = 1,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
};
enum cusparseSolvePolicy_t {
    CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
    CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
};
enum cusparseFormat_t { CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3 };
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 };
enum cusparseIndexType_t { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 };
enum cusparseSpMatAttribute_t { CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1 };
// There is one algorithm for each operation.
enum cusparseSpMVAlg_t {
    CUSPARSE_SPMV_ALG_DEFAULT = 0,
    CUSPARSE_MV_ALG_DEFAULT = 0,
    CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_COOMV_ALG = 1,
    CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_CSRMV_ALG1 = 2,
    CUSPARSE_SPMV_CSR_ALG2 = 3,
    CUSPARSE_CSRMV_ALG2 = 3,
    CUSPARSE_SPMV_COO_ALG2 = 4
};
enum cusparseSpMMAlg_t {
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_MM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_COOMM_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_COOMM_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_COOMM_ALG3 = 3,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_CSRMM_ALG1 = 4,
    CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12
};
enum cusparseSpSVAlg_t { CUSPARSE_SPSV_ALG_DEFAULT = 0 };
enum cusparseSpSMAlg_t { CUSPARSE_SPSM_ALG_DEFAULT = 0 };
enum cusparseSpGEMMAlg_t {
    CUSPARSE_SPGEMM_DEFAULT = 0,
    CUSPARSE_SPGEMM_ALG1 = 3,
    CUSPARSE_SPGEMM_ALG2 = 4,
    CUSPARSE_SPGEMM_ALG3 = 5
};
enum cusparseSDDMMAlg_t { CUSPARSE_SDDMM_ALG_DEFAULT = 0 };
enum cusparseSparseToDenseAlg_t { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 };
enum cusparseDenseToSparseAlg_t { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 };
enum cusparseCsr2CscAlg_t {
    CUSPARSE_CSR2CSC_ALG_DEFAULT = 1,
    CUSPARSE_CSR2CSC_ALG1 = 1,
    CUSPARSE_CSR2CSC_ALG2 = 2
};


typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct csric02Info *csric02Info_t;

const char *cusparseGetErrorName(cusparseStatus_t status);
const char *cusparseGetErrorString(cusparseStatus_t status);
cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t descriptor);
cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t descriptor);

#define G2O_CUSPARSE(name)                                                                         \
    template <typename... Arguments> cusparseStatus_t cusparse##name(Arguments...);
#define G2O_FACTORIZATION(name)                                                                    \
    G2O_CUSPARSE(name) G2O_CUSPARSE(name##_bufferSize) G2O_CUSPARSE(name##_analysis)
// clang-format off
G2O_CUSPARSE(Create) G2O_CUSPARSE(Destroy) G2O_CUSPARSE(GetVersion) G2O_CUSPARSE(SetStream)
G2O_CUSPARSE(GetStream) G2O_CUSPARSE(SetPointerMode) G2O_CUSPARSE(GetPointerMode)
G2O_CUSPARSE(CreateMatDescr) G2O_CUSPARSE(DestroyMatDescr) G2O_CUSPARSE(SetMatType)
G2O_CUSPARSE(SetMatFillMode) G2O_CUSPARSE(SetMatDiagType) G2O_CUSPARSE(SetMatIndexBase)
G2O_CUSPARSE(CreateDnVec) G2O_CUSPARSE(DestroyDnVec) G2O_CUSPARSE(DnVecSetValues)
G2O_CUSPARSE(DnVecGetValues) G2O_CUSPARSE(DnVecGet) G2O_CUSPARSE(CreateSpVec)
G2O_CUSPARSE(DestroySpVec) G2O_CUSPARSE(SpVecSetValues) G2O_CUSPARSE(CreateDnMat)
G2O_CUSPARSE(DestroyDnMat) G2O_CUSPARSE(DnMatSetValues) G2O_CUSPARSE(DnMatGetValues)
G2O_CUSPARSE(DnMatGet) G2O_CUSPARSE(DnMatSetStridedBatch) G2O_CUSPARSE(CreateCsr)
G2O_CUSPARSE(CreateCsc) G2O_CUSPARSE(CreateCoo) G2O_CUSPARSE(DestroySpMat)
G2O_CUSPARSE(SpMatGetSize) G2O_CUSPARSE(SpMatGetFormat) G2O_CUSPARSE(SpMatGetIndexBase)
G2O_CUSPARSE(SpMatSetValues) G2O_CUSPARSE(SpMatGetValues) G2O_CUSPARSE(CsrSetPointers)
G2O_CUSPARSE(CscSetPointers) G2O_CUSPARSE(CooSetPointers) G2O_CUSPARSE(CsrGet)
G2O_CUSPARSE(CsrSetStridedBatch) G2O_CUSPARSE(CooSetStridedBatch) G2O_CUSPARSE(SpMatSetAttribute)
G2O_CUSPARSE(SpMV) G2O_CUSPARSE(SpMV_preprocess) G2O_CUSPARSE(SpMV_bufferSize) G2O_CUSPARSE(SpMM)
G2O_CUSPARSE(SpMM_preprocess) G2O_CUSPARSE(SpMM_bufferSize) G2O_CUSPARSE(SDDMM)
G2O_CUSPARSE(SDDMM_preprocess) G2O_CUSPARSE(SDDMM_bufferSize) G2O_CUSPARSE(SpGEMM_createDescr)
G2O_CUSPARSE(SpGEMM_destroyDescr) G2O_CUSPARSE(SpGEMM_workEstimation)
G2O_CUSPARSE(SpGEMM_compute) G2O_CUSPARSE(SpGEMM_copy) G2O_CUSPARSE(SpSV_createDescr)
G2O_CUSPARSE(SpSV_destroyDescr) G2O_CUSPARSE(SpSV_bufferSize) G2O_CUSPARSE(SpSV_analysis)
G2O_CUSPARSE(SpSV_solve) G2O_CUSPARSE(SpSM_createDescr) G2O_CUSPARSE(SpSM_destroyDescr)
G2O_CUSPARSE(SpSM_bufferSize) G2O_CUSPARSE(SpSM_analysis) G2O_CUSPARSE(SpSM_solve)
G2O_CUSPARSE(Gather) G2O_CUSPARSE(Scatter) G2O_CUSPARSE(Axpby) G2O_CUSPARSE(SpVV)
G2O_CUSPARSE(SpVV_bufferSize) G2O_CUSPARSE(SparseToDense) G2O_CUSPARSE(SparseToDense_bufferSize)
G2O_CUSPARSE(DenseToSparse_bufferSize) G2O_CUSPARSE(DenseToSparse_analysis)
G2O_CUSPARSE(DenseToSparse_convert) G2O_CUSPARSE(Xcoo2csr) G2O_CUSPARSE(Xcsr2coo)
G2O_CUSPARSE(Csr2cscEx2) G2O_CUSPARSE(Csr2cscEx2_bufferSize)
G2O_CUSPARSE(CreateIdentityPermutation) G2O_CUSPARSE(Xcoosort_bufferSizeExt)
G2O_CUSPARSE(XcoosortByRow) G2O_CUSPARSE(XcoosortByColumn) G2O_CUSPARSE(CreateCsrilu02Info)
G2O_CUSPARSE(DestroyCsrilu02Info) G2O_CUSPARSE(Xcsrilu02_zeroPivot)
G2O_CUSPARSE(CreateCsric02Info) G2O_CUSPARSE(DestroyCsric02Info) G2O_CUSPARSE(Xcsric02_zeroPivot)
G2O_FACTORIZATION(Scsrilu02) G2O_FACTORIZATION(Dcsrilu02)
G2O_FACTORIZATION(Ccsrilu02) G2O_FACTORIZATION(Zcsrilu02)
G2O_FACTORIZATION(Scsric02) G2O_FACTORIZATION(Dcsric02)
G2O_FACTORIZATION(Ccsric02) G2O_FACTORIZATION(Zcsric02)
// clang-format on
#undef G2O_CUSPARSE
#undef G2O_FACTORIZATION
