// g2o_cublaslt.hpp: products of matrices of cuBLASLt, on a CBLAS (see g2o_cublas.hpp).
//
// Matrices are stored by columns. Attributes that change a result and are not known here are
// refused with CUBLAS_STATUS_NOT_SUPPORTED; hints for the speed are accepted.
#ifndef G2O_CUBLASLT_HPP
#define G2O_CUBLASLT_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "g2o_cublas.hpp"

namespace g2o {
inline namespace libraries {

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
    cublasComputeType_t compute;
    DataType scale, bias_type; // of the bias: that of the result, unless it is set
    cublasLtPointerMode_t pointers;
    cublasOperation_t transa, transb;
    cublasLtEpilogue_t epilogue;
    const void *bias;
    const float *scale_a, *scale_b, *scale_c, *scale_d;
    float *largest;
    bool has_bias_type;
};
struct cublasLtMatrixLayoutOpaque_t {
    DataType type;
    cublasLtOrder_t order;
    std::uint64_t rows, columns;
    std::int64_t leading, stride;
    std::int32_t count;
};
struct cublasLtMatmulPreferenceOpaque_t {};
struct cublasLtMatmulAlgo_t {};
struct cublasLtMatmulHeuristicResult_t {
    cublasLtMatmulAlgo_t algo;
    std::size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
};
struct cublasLtContext {};
using cublasLtHandle_t = cublasLtContext *;
using cublasLtMatmulDesc_t = cublasLtMatmulDescOpaque_t *;
using cublasLtMatrixLayout_t = cublasLtMatrixLayoutOpaque_t *;
using cublasLtMatmulPreference_t = cublasLtMatmulPreferenceOpaque_t *;

} // namespace libraries

namespace detail::blas {

template <class Member>
cublasStatus_t set_member(Member &member, const void *value, std::size_t bytes)
{
    if (value == nullptr || bytes != sizeof(Member))
        return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&member, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

template <class Object> cublasStatus_t destroy(Object *object)
{
    delete object;
    return CUBLAS_STATUS_SUCCESS;
}

inline float activated(cublasLtEpilogue_t epilogue, float a)
{
    if (epilogue == CUBLASLT_EPILOGUE_RELU || epilogue == CUBLASLT_EPILOGUE_RELU_BIAS)
        return std::max(a, 0.0f);
    if (epilogue == CUBLASLT_EPILOGUE_GELU || epilogue == CUBLASLT_EPILOGUE_GELU_BIAS)
        return 0.5f * a * (1 + std::tanh(0.7978845608f * (a + 0.044715f * a * a * a)));
    return a;
}

inline bool has_bias(cublasLtEpilogue_t epilogue)
{
    return (epilogue & CUBLASLT_EPILOGUE_BIAS) != 0;
}

// One product of a batch: D = scale_d f(alpha scale_a scale_b op(A) op(B) + beta scale_c C + bias).
template <class Value>
void matmul_one(const cublasLtMatmulDescOpaque_t &product, Value alpha, Typed a, Typed b,
                Value beta, Typed c, Typed d, int m, int n, int k, std::ptrdiff_t i)
{
    const auto factor = [](const float *place) { return place == nullptr ? 1.0f : *place; };
    const float to_sum = factor(product.scale_a) * factor(product.scale_b);
    auto sums = beta == Value(0) ? std::vector<Value>(std::size_t(m) * std::size_t(n))
                                 : matrix_as<Value>(c.type, c.at(i), m, n, c.leading);
    multiply_as(product.transa, product.transb, m, n, k, converted<Value>(alpha * Value(to_sum)), a,
                b, converted<Value>(beta * Value(factor(product.scale_c))),
                {sums.data(), type_of<Value>(), std::max(1, m)}, i);
    float largest = 0;
    if constexpr (std::is_floating_point_v<Value>) {
        const DataType bias_type = product.has_bias_type ? product.bias_type : d.type;
        std::vector<Value> bias(static_cast<std::size_t>(m));
        if (has_bias(product.epilogue))
            bias = matrix_as<Value>(bias_type, product.bias, m, 1, std::max(1, m));
        for (std::ptrdiff_t j = 0; j < n; ++j)
            for (std::ptrdiff_t row = 0; row < m; ++row) {
                Value &sum = sums[std::size_t(j * m + row)];
                if (product.epilogue != CUBLASLT_EPILOGUE_DEFAULT)
                    sum = Value(activated(product.epilogue, float(sum + bias[std::size_t(row)])));
                largest = std::max(largest, float(std::fabs(sum)));
                sum *= Value(factor(product.scale_d));
            }
    }
    if (product.largest != nullptr)
        *product.largest = largest;
    store_matrix(sums, d.type, d.at(i), m, n, d.leading);
}

inline Typed typed(const void *place, const cublasLtMatrixLayoutOpaque_t &layout)
{
    return {place, layout.type, int(layout.leading), layout.stride};
}

} // namespace detail::blas

inline namespace libraries {

inline cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    *handle = new cublasLtContext{};
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    return detail::blas::destroy(handle);
}

inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t product,
                                             cublasComputeType_t compute, DataType scale)
{
    *product = {};
    product->compute = compute;
    product->scale = scale;
    product->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *product,
                                               cublasComputeType_t compute, DataType scale)
{
    *product = new cublasLtMatmulDescOpaque_t;
    return cublasLtMatmulDescInit(*product, compute, scale);
}
inline cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product)
{
    return detail::blas::destroy(product);
}

inline cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t product,
                                                     cublasLtMatmulDescAttributes_t attribute,
                                                     const void *value, std::size_t bytes)
{
    const auto set = [=](auto &member) { return detail::blas::set_member(member, value, bytes); };
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return set(product->compute);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return set(product->scale);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: return set(product->pointers);
    case CUBLASLT_MATMUL_DESC_TRANSA: return set(product->transa);
    case CUBLASLT_MATMUL_DESC_TRANSB: return set(product->transb);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: return set(product->epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return set(product->bias);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER: return set(product->scale_a);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER: return set(product->scale_b);
    case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER: return set(product->scale_c);
    case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER: return set(product->scale_d);
    case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER: return set(product->largest);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM: return CUBLAS_STATUS_SUCCESS;
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
        product->has_bias_type = true;
        return set(product->bias_type);
    }
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, DataType type,
                                               std::uint64_t rows, std::uint64_t columns,
                                               std::int64_t leading)
{
    *layout = {type, CUBLASLT_ORDER_COL, rows, columns, leading, 0, 1};
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, DataType type,
                                                 std::uint64_t rows, std::uint64_t columns,
                                                 std::int64_t leading)
{
    *layout = new cublasLtMatrixLayoutOpaque_t;
    return cublasLtMatrixLayoutInit(*layout, type, rows, columns, leading);
}
inline cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    return detail::blas::destroy(layout);
}

inline cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                       cublasLtMatrixLayoutAttribute_t attribute,
                                                       const void *value, std::size_t bytes)
{
    const auto set = [=](auto &member) { return detail::blas::set_member(member, value, bytes); };
    switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: return set(layout->type);
    case CUBLASLT_MATRIX_LAYOUT_ORDER: return set(layout->order);
    case CUBLASLT_MATRIX_LAYOUT_ROWS: return set(layout->rows);
    case CUBLASLT_MATRIX_LAYOUT_COLS: return set(layout->columns);
    case CUBLASLT_MATRIX_LAYOUT_LD: return set(layout->leading);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return set(layout->count);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return set(layout->stride);
    }
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

inline cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t /*preference*/)
{
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    *preference = new cublasLtMatmulPreferenceOpaque_t{};
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    return detail::blas::destroy(preference);
}
inline cublasStatus_t
cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t /*preference*/,
                                     cublasLtMatmulPreferenceAttributes_t /*attribute*/,
                                     const void * /*value*/, std::size_t /*bytes*/)
{
    return CUBLAS_STATUS_SUCCESS;
}

// There is one way to do it.
inline cublasStatus_t
cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t /*handle*/, cublasLtMatmulDesc_t /*product*/,
                               cublasLtMatrixLayout_t /*a*/, cublasLtMatrixLayout_t /*b*/,
                               cublasLtMatrixLayout_t /*c*/, cublasLtMatrixLayout_t /*d*/,
                               cublasLtMatmulPreference_t /*preference*/, int requested,
                               cublasLtMatmulHeuristicResult_t results[], int *found)
{
    *found = std::min(requested, 1);
    if (requested > 0)
        results[0] = {{}, 0, CUBLAS_STATUS_SUCCESS, 1.0f};
    return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                     const void *alpha, const void *a, cublasLtMatrixLayout_t in_a,
                                     const void *b, cublasLtMatrixLayout_t in_b, const void *beta,
                                     const void *c, cublasLtMatrixLayout_t in_c, void *d,
                                     cublasLtMatrixLayout_t in_d,
                                     const cublasLtMatmulAlgo_t * /*algorithm*/,
                                     void * /*workspace*/, std::size_t /*bytes*/, Stream stream)
{
    if (handle == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    using namespace detail;
    using namespace detail::blas;
    const auto how = *product;
    if (in_c == nullptr)
        in_c = in_d;
    const auto layouts = {*in_a, *in_b, *in_c, *in_d};
    for (const auto &one : layouts)
        if (one.order != CUBLASLT_ORDER_COL || is_complex(one.type))
            return CUBLAS_STATUS_NOT_SUPPORTED;
    if (is_complex(how.scale) ||
        (how.epilogue != CUBLASLT_EPILOGUE_DEFAULT && how.scale != CUDA_R_32F))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const int m = int(in_d->rows), n = int(in_d->columns), count = in_d->count;
    const int k = int(how.transa == CUBLAS_OP_N ? in_a->columns : in_a->rows);
    const Typed left = typed(a, *in_a), right = typed(b, *in_b), added = typed(c, *in_c),
                result = typed(d, *in_d);
    cublasContext context{stream, cublasPointerMode_t(how.pointers), CUBLAS_DEFAULT_MATH,
                          CUBLAS_ATOMICS_NOT_ALLOWED};
    return with_arithmetic(how.scale, [&](auto zero) {
        using Value = decltype(zero);
        if constexpr (IsComplex<Value>)
            return CUBLAS_STATUS_NOT_SUPPORTED;
        else {
            const bool early = how.pointers == CUBLASLT_POINTER_MODE_HOST;
            const Value by = early ? scalar_as<Value>(how.scale, alpha) : zero;
            const Value keep = early ? scalar_as<Value>(how.scale, beta) : zero;
            const bool valid = is_product(how.transa, how.transb, m, n, k, left.leading,
                                          right.leading, result.leading) &&
                               fits(added.leading, m) && (!has_bias(how.epilogue) || how.bias);
            return run(&context, valid, [=] {
                const Value factor = early ? by : scalar_as<Value>(how.scale, alpha);
                const Value kept = early ? keep : scalar_as<Value>(how.scale, beta);
                for (std::ptrdiff_t i = 0; i < count; ++i)
                    matmul_one(how, factor, left, right, kept, added, result, m, n, k, i);
            });
        }
    });
}

} // namespace libraries
} // namespace g2o

} // extern "C++"

#endif // G2O_CUBLASLT_HPP
