// cuBLASLt: its types, and the names of its functions.
#pragma once
#include <cstddef>

#include "g2o_cublas.hpp"

enum cublasLtOrder_t { CUBLASLT_ORDER_COL = 0, CUBLASLT_ORDER_ROW = 1 };
enum cublasLtPointerMode_t {
    CUBLASLT_POINTER_MODE_HOST = CUBLAS_POINTER_MODE_HOST,
    CUBLASLT_POINTER_MODE_DEVICE = CUBLAS_POINTER_MODE_DEVICE
};
enum cublasLtEpilogue_t {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36
};
enum cublasLtMatmulDescAttributes_t {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
    CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
    CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
    CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
    CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
    CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
    CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
    CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
    CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
    CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
};
enum cublasLtMatrixLayoutAttribute_t {
    CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
    CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
    CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
    CUBLASLT_MATRIX_LAYOUT_COLS = 3,
    CUBLASLT_MATRIX_LAYOUT_LD = 4,
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
};
enum cublasLtMatmulPreferenceAttributes_t {
    CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
    CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8
};

struct cublasLtMatmulDescOpaque_t {
    unsigned long long data[32];
};
struct cublasLtMatrixLayoutOpaque_t {
    unsigned long long data[8];
};
struct cublasLtMatmulPreferenceOpaque_t {
    unsigned long long data[8];
};
struct cublasLtMatmulAlgo_t {
    unsigned long long data[8];
};
struct cublasLtMatmulHeuristicResult_t {
    cublasLtMatmulAlgo_t algo;
    std::size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
};
typedef struct cublasLtContext *cublasLtHandle_t;
typedef cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;
typedef cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;
typedef cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;

#define G2O_CUBLASLT(name) template <typename... Arguments> cublasStatus_t name(Arguments...);
G2O_CUBLASLT(cublasLtCreate)
G2O_CUBLASLT(cublasLtDestroy)
G2O_CUBLASLT(cublasLtMatmul)
G2O_CUBLASLT(cublasLtMatmulAlgoGetHeuristic)
G2O_CUBLASLT(cublasLtMatmulDescCreate)
G2O_CUBLASLT(cublasLtMatmulDescDestroy)
G2O_CUBLASLT(cublasLtMatmulDescInit)
G2O_CUBLASLT(cublasLtMatmulDescSetAttribute)
G2O_CUBLASLT(cublasLtMatmulPreferenceCreate)
G2O_CUBLASLT(cublasLtMatmulPreferenceDestroy)
G2O_CUBLASLT(cublasLtMatmulPreferenceInit)
G2O_CUBLASLT(cublasLtMatmulPreferenceSetAttribute)
G2O_CUBLASLT(cublasLtMatrixLayoutCreate)
G2O_CUBLASLT(cublasLtMatrixLayoutDestroy)
G2O_CUBLASLT(cublasLtMatrixLayoutInit)
G2O_CUBLASLT(cublasLtMatrixLayoutSetAttribute)
#undef G2O_CUBLASLT
