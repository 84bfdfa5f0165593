// g2o_cusparse.hpp: cuSPARSE, in loops.
//
// The generic interface (vectors, CSR, CSC and COO matrices), the conversions, and the incomplete
// factorizations. Everything is computed in the type of numbers that a call names; rows are done
// side by side. A matrix that does not lie by rows as an operation needs it is sorted by them
// for the call. Buffers are not needed: what they are said to take is a formality.
#ifndef G2O_CUSPARSE_HPP
#define G2O_CUSPARSE_HPP

extern "C++" { // also where a program includes this inside of extern "C"

// A program's macro of this name is not meant for what follows.
#pragma push_macro("real")
#undef real

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "g2o_library_types.hpp"

namespace g2o {
inline namespace libraries {

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

struct cusparseContext {
    Stream stream;
    cusparsePointerMode_t pointers;
};
struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
    cusparseIndexBase_t base;
};
struct cusparseDnVecDescr {
    std::int64_t size;
    void *values;
    DataType type;
};
struct cusparseSpVecDescr {
    std::int64_t size, nonzeros;
    void *indices, *values;
    cusparseIndexType_t index_type;
    cusparseIndexBase_t base;
    DataType type;
};
struct cusparseDnMatDescr {
    std::int64_t rows, columns, leading;
    void *values;
    DataType type;
    cusparseOrder_t order;
    int batches;
    std::int64_t stride;
};
// `lines` are where the rows of CSR or the columns of CSC begin, or the rows of COO.
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    std::int64_t rows, columns, nonzeros;
    void *lines, *indices, *values;
    cusparseIndexType_t line_type, index_type;
    cusparseIndexBase_t base;
    DataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
    int batches;
    std::int64_t line_stride, stride;
};
struct cusparseSpSVDescr {};
struct cusparseSpSMDescr {};
struct cusparseSpGEMMDescr {
    std::shared_ptr<void> product;
};
struct csrilu02Info {
    int zero_pivot;
};
struct csric02Info {
    int zero_pivot;
};

using cusparseHandle_t = cusparseContext *;
using cusparseMatDescr_t = cusparseMatDescr *;
using cusparseDnVecDescr_t = cusparseDnVecDescr *;
using cusparseConstDnVecDescr_t = const cusparseDnVecDescr *;
using cusparseSpVecDescr_t = cusparseSpVecDescr *;
using cusparseConstSpVecDescr_t = const cusparseSpVecDescr *;
using cusparseDnMatDescr_t = cusparseDnMatDescr *;
using cusparseConstDnMatDescr_t = const cusparseDnMatDescr *;
using cusparseSpMatDescr_t = cusparseSpMatDescr *;
using cusparseConstSpMatDescr_t = const cusparseSpMatDescr *;
using cusparseSpSVDescr_t = cusparseSpSVDescr *;
using cusparseSpSMDescr_t = cusparseSpSMDescr *;
using cusparseSpGEMMDescr_t = cusparseSpGEMMDescr *;
using csrilu02Info_t = csrilu02Info *;
using csric02Info_t = csric02Info *;

} // namespace libraries

namespace detail::sparse {

using Size = std::int64_t;
constexpr std::size_t BUFFER = 8; // bytes, as some programs take none for an error

inline std::size_t at(Size i) { return static_cast<std::size_t>(i); }

// Does `operation` if the parameters are `valid`, or leaves it to the graph of the handle's stream.
template <class Operation>
cusparseStatus_t run(cusparseHandle_t handle, bool valid, Operation operation)
{
    if (handle == nullptr)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!valid)
        return CUSPARSE_STATUS_INVALID_VALUE;
    enqueue(handle->stream, [=] {
        operation();
        return Success;
    });
    return CUSPARSE_STATUS_SUCCESS;
}

// Calls `use` with a number of the type that is computed in.
template <class Use> cusparseStatus_t with_numbers(DataType type, Use use)
{
    switch (type) {
    case CUDA_R_32F: return use(float());
    case CUDA_R_64F: return use(double());
    case CUDA_C_32F: return use(std::complex<float>());
    case CUDA_C_64F: return use(std::complex<double>());
    case CUDA_R_32I: return use(std::int32_t());
    default: return CUSPARSE_STATUS_NOT_SUPPORTED;
    }
}

template <class Number>
constexpr DataType TypeOf = std::is_same_v<Number, float>                  ? CUDA_R_32F
                            : std::is_same_v<Number, double>               ? CUDA_R_64F
                            : std::is_same_v<Number, std::complex<float>>  ? CUDA_C_32F
                            : std::is_same_v<Number, std::complex<double>> ? CUDA_C_64F
                                                                           : CUDA_R_32I;

// A scalar parameter: one of the host is read when the call is made.
template <class Number> class Scalar {
  public:
    Scalar(cusparseHandle_t handle, const void *place)
        : place_(static_cast<const Number *>(place)), value_()
    {
        if (place != nullptr && handle != nullptr &&
            handle->pointers == CUSPARSE_POINTER_MODE_HOST) {
            value_ = *place_;
            place_ = nullptr;
        }
    }
    Number operator*() const { return place_ != nullptr ? *place_ : value_; }

  private:
    const Number *place_; // on the device
    Number value_;
};

// `count` numbers of any type as those that are computed with: where they lie, or a copy.
template <class Number> class Values {
  public:
    Values(DataType type, const void *array, Size count)
        : type_(type), array_(const_cast<void *>(array)), copy_()
    {
        if (type == TypeOf<Number>)
            return;
        copy_.resize(at(count));
        with_type(type, array_, [&](const auto *from) {
            for (Size i = 0; i < count; ++i)
                copy_[at(i)] = converted<Number>(from[i]);
        });
    }
    Number *get() { return is_copy() ? copy_.data() : static_cast<Number *>(array_); }
    void store() const
    {
        if (!is_copy())
            return;
        with_type(type_, array_, [&](auto *to) {
            for (std::size_t i = 0; i < copy_.size(); ++i)
                to[i] = converted<std::remove_pointer_t<decltype(to)>>(copy_[i]);
        });
    }

  private:
    bool is_copy() const { return type_ != TypeOf<Number>; }
    DataType type_;
    void *array_;
    std::vector<Number> copy_;
};

inline Size index_at(cusparseIndexType_t type, const void *array, Size i)
{
    switch (type) {
    case CUSPARSE_INDEX_16U: return static_cast<const std::uint16_t *>(array)[i];
    case CUSPARSE_INDEX_32I: return static_cast<const std::int32_t *>(array)[i];
    default: return static_cast<const std::int64_t *>(array)[i];
    }
}
inline void set_index(cusparseIndexType_t type, void *array, Size i, Size value)
{
    switch (type) {
    case CUSPARSE_INDEX_16U:
        static_cast<std::uint16_t *>(array)[i] = static_cast<std::uint16_t>(value);
        break;
    case CUSPARSE_INDEX_32I:
        static_cast<std::int32_t *>(array)[i] = static_cast<std::int32_t>(value);
        break;
    default: static_cast<std::int64_t *>(array)[i] = value;
    }
}

// Row i has the numbers `values[k]` in columns `indices[k] - base`, from k = offsets[i] - base on.
template <class Index, class Number> struct Rows {
    const Index *offsets, *indices;
    const Number *values;
    Size rows, columns, base;
    Size begin(Size i) const { return Size(offsets[i]) - base; }
    Size end(Size i) const { return Size(offsets[i + 1]) - base; }
    Size column(Size k) const { return Size(indices[k]) - base; }
};

template <class Number> struct OwnRows {
    Size rows, columns;
    std::vector<Size> offsets, indices;
    std::vector<Number> values;
    Rows<Size, Number> view() const
    {
        return {offsets.data(), indices.data(), values.data(), rows, columns, 0};
    }
};

// Calls `use(row, column, k)` for the number k of a matrix, as they lie.
template <class Use> void for_each_number(const cusparseSpMatDescr &matrix, Use use)
{
    const Size base = matrix.base;
    if (matrix.format == CUSPARSE_FORMAT_COO) {
        for (Size k = 0; k < matrix.nonzeros; ++k)
            use(index_at(matrix.line_type, matrix.lines, k) - base,
                index_at(matrix.index_type, matrix.indices, k) - base, k);
        return;
    }
    const bool by_rows = matrix.format == CUSPARSE_FORMAT_CSR;
    for (Size line = 0; line < (by_rows ? matrix.rows : matrix.columns); ++line) {
        const Size end = index_at(matrix.line_type, matrix.lines, line + 1) - base;
        for (Size k = index_at(matrix.line_type, matrix.lines, line) - base; k < end; ++k) {
            const Size other = index_at(matrix.index_type, matrix.indices, k) - base;
            by_rows ? use(line, other, k) : use(other, line, k);
        }
    }
}

// The rows of op(matrix), sorted: numbers of a row stay in their order.
template <class Number>
OwnRows<Number> sorted_rows(const cusparseSpMatDescr &matrix, cusparseOperation_t operation)
{
    const bool turned = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
    OwnRows<Number> all{turned ? matrix.columns : matrix.rows,
                        turned ? matrix.rows : matrix.columns,
                        {},
                        std::vector<Size>(at(matrix.nonzeros)),
                        std::vector<Number>(at(matrix.nonzeros))};
    std::vector<Size> next(at(all.rows + 1));
    for_each_number(matrix, [&](Size row, Size column, Size) {
        ++next[at((turned ? column : row) + 1)];
    });
    std::partial_sum(next.begin(), next.end(), next.begin());
    all.offsets = next;
    Values<Number> values(matrix.type, matrix.values, matrix.nonzeros);
    for_each_number(matrix, [&](Size row, Size column, Size k) {
        const auto place = at(next[at(turned ? column : row)]++);
        const Number value = values.get()[k];
        all.indices[place] = turned ? row : column;
        all.values[place] =
            operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(value) : value;
    });
    return all;
}

// Calls `use` with the rows of op(matrix), where they lie if they do.
template <class Number, class Use>
void with_rows(const cusparseSpMatDescr &matrix, cusparseOperation_t operation, Use use)
{
    const bool lies_by_rows =
        operation == CUSPARSE_OPERATION_NON_TRANSPOSE ? matrix.format == CUSPARSE_FORMAT_CSR
        : operation == CUSPARSE_OPERATION_TRANSPOSE || !IsComplex<Number>
            ? matrix.format == CUSPARSE_FORMAT_CSC
            : false;
    const bool turned = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const Size rows = turned ? matrix.columns : matrix.rows;
    const Size columns = turned ? matrix.rows : matrix.columns;
    if (lies_by_rows && matrix.type == TypeOf<Number> && matrix.line_type == matrix.index_type) {
        const auto *values = static_cast<const Number *>(matrix.values);
        const auto given = [&](auto index) {
            using Index = decltype(index);
            return Rows<Index, Number>{static_cast<const Index *>(matrix.lines),
                                       static_cast<const Index *>(matrix.indices),
                                       values,
                                       rows,
                                       columns,
                                       matrix.base};
        };
        if (matrix.index_type == CUSPARSE_INDEX_32I)
            return use(given(std::int32_t()));
        if (matrix.index_type == CUSPARSE_INDEX_64I)
            return use(given(std::int64_t()));
    }
    const auto own = sorted_rows<Number>(matrix, operation);
    use(own.view());
}

// What is added to: not read where it counts for nothing.
template <class Number> Number scaled(Number beta, const Number &value)
{
    return beta == Number(0) ? Number(0) : beta * value;
}

// The numbers of op(a dense matrix).
template <class Number> struct Dense {
    Number *values;
    Size row, column; // from one to the next
    bool conjugated;
    Number &place(Size i, Size j) const { return values[i * row + j * column]; }
    Number operator()(Size i, Size j) const
    {
        return conjugated ? conjugate(place(i, j)) : place(i, j);
    }
};

template <class Number>
Dense<Number> dense(const cusparseDnMatDescr &matrix, Number *values, int batch,
                    cusparseOperation_t operation = CUSPARSE_OPERATION_NON_TRANSPOSE)
{
    const bool by_columns = matrix.order == CUSPARSE_ORDER_COL;
    const bool turned = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
    return {values + batch * matrix.stride, by_columns != turned ? 1 : matrix.leading,
            by_columns != turned ? matrix.leading : 1,
            operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
}

inline Size extent(const cusparseDnMatDescr &matrix)
{
    const bool by_columns = matrix.order == CUSPARSE_ORDER_COL;
    return matrix.leading * (by_columns ? matrix.columns : matrix.rows) +
           (matrix.batches - 1) * matrix.stride;
}

inline cusparseSpMatDescr of_batch(cusparseSpMatDescr matrix, int batch)
{
    const auto moved = [&](void *array, std::size_t bytes, Size stride) {
        return static_cast<char *>(array) + batch * stride * static_cast<Size>(bytes);
    };
    const auto bytes = [](cusparseIndexType_t type) {
        return std::size_t(type == CUSPARSE_INDEX_16U ? 2 : type == CUSPARSE_INDEX_32I ? 4 : 8);
    };
    matrix.lines = moved(matrix.lines, bytes(matrix.line_type), matrix.line_stride);
    matrix.indices = moved(matrix.indices, bytes(matrix.index_type), matrix.stride);
    matrix.values = moved(matrix.values, size_of(matrix.type), matrix.stride);
    return matrix;
}

template <class Number>
void multiply_vector(Number alpha, const cusparseSpMatDescr &a, cusparseOperation_t operation,
                     const cusparseDnVecDescr &x, Number beta, const cusparseDnVecDescr &y)
{
    Values<Number> factors(x.type, x.values, x.size), sums(y.type, y.values, y.size);
    const Number *factor = factors.get();
    Number *to = sums.get();
    with_rows<Number>(a, operation, [&](const auto &all) {
#pragma omp parallel for schedule(guided)
        for (Size i = 0; i < all.rows; ++i) {
            Number sum = 0;
            for (Size k = all.begin(i); k < all.end(i); ++k)
                sum += all.values[k] * factor[all.column(k)];
            to[i] = alpha * sum + scaled(beta, to[i]);
        }
    });
    sums.store();
}

template <class Number>
void multiply_matrix(Number alpha, const cusparseSpMatDescr &a, cusparseOperation_t opa,
                     const cusparseDnMatDescr &b, cusparseOperation_t opb, Number beta,
                     const cusparseDnMatDescr &c)
{
    Values<Number> factors(b.type, b.values, extent(b)), sums(c.type, c.values, extent(c));
    for (int batch = 0; batch < c.batches; ++batch) {
        const auto factor = dense(b, factors.get(), b.batches > 1 ? batch : 0, opb);
        const auto to = dense(c, sums.get(), batch);
        with_rows<Number>(of_batch(a, a.batches > 1 ? batch : 0), opa, [&](const auto &all) {
#pragma omp parallel
            {
                std::vector<Number> sum(at(c.columns));
#pragma omp for schedule(guided)
                for (Size i = 0; i < all.rows; ++i) {
                    std::fill(sum.begin(), sum.end(), Number(0));
                    for (Size k = all.begin(i); k < all.end(i); ++k)
                        for (Size j = 0; j < c.columns; ++j)
                            sum[at(j)] += all.values[k] * factor(all.column(k), j);
                    for (Size j = 0; j < c.columns; ++j)
                        to.place(i, j) = alpha * sum[at(j)] + scaled(beta, to.place(i, j));
                }
            }
        });
    }
    sums.store();
}

// Solves with the triangle of `all`: number i of the right side is `right(i)`.
template <class Triangle, class Right, class Result>
void solve_triangle(const Triangle &all, bool is_lower, bool is_unit, Right right, Result result)
{
    for (Size step = 0; step < all.rows; ++step) {
        const Size i = is_lower ? step : all.rows - 1 - step;
        auto sum = right(i);
        decltype(sum) pivot(1);
        for (Size k = all.begin(i); k < all.end(i); ++k) {
            const Size j = all.column(k);
            if (j == i)
                pivot = is_unit ? pivot : all.values[k];
            else if ((j < i) == is_lower)
                sum -= all.values[k] * result(j);
        }
        result(i) = sum / pivot;
    }
}

template <class Number, class Triangle>
void solve_columns(Number alpha, const Triangle &all, bool is_lower, bool is_unit,
                   const Dense<Number> &right, const Dense<Number> &to, Size columns)
{
#pragma omp parallel for
    for (Size j = 0; j < columns; ++j)
        solve_triangle(
            all, is_lower, is_unit, [&, j](Size i) { return alpha * right(i, j); },
            [&, j](Size i) -> Number & { return to.place(i, j); });
}

inline bool is_lower(const cusparseSpMatDescr &a, cusparseOperation_t operation)
{
    return (a.fill == CUSPARSE_FILL_MODE_LOWER) == (operation == CUSPARSE_OPERATION_NON_TRANSPOSE);
}

template <class Number>
OwnRows<Number> product(Number alpha, const cusparseSpMatDescr &a, const cusparseSpMatDescr &b)
{
    const auto first = sorted_rows<Number>(a, CUSPARSE_OPERATION_NON_TRANSPOSE);
    const auto second = sorted_rows<Number>(b, CUSPARSE_OPERATION_NON_TRANSPOSE);
    const auto left = first.view(), right = second.view();
    std::vector<std::vector<std::pair<Size, Number>>> found(at(a.rows));
#pragma omp parallel
    {
        std::vector<Number> sums(at(b.columns));
        std::vector<Size> last(at(b.columns), -1), columns;
#pragma omp for schedule(guided)
        for (Size i = 0; i < a.rows; ++i) {
            columns.clear();
            for (Size k = left.begin(i); k < left.end(i); ++k)
                for (Size m = right.begin(left.column(k)); m < right.end(left.column(k)); ++m) {
                    const auto j = at(right.column(m));
                    if (std::exchange(last[j], i) != i) {
                        columns.push_back(Size(j));
                        sums[j] = Number(0);
                    }
                    sums[j] += left.values[k] * right.values[m];
                }
            std::sort(columns.begin(), columns.end());
            for (const Size j : columns)
                found[at(i)].emplace_back(j, alpha * sums[at(j)]);
        }
    }
    OwnRows<Number> all{a.rows, b.columns, {0}, {}, {}};
    for (const auto &row : found) {
        for (const auto &[column, value] : row) {
            all.indices.push_back(column);
            all.values.push_back(value);
        }
        all.offsets.push_back(Size(all.indices.size()));
    }
    return all;
}

template <class Number> bool is_zero(const Number &value)
{
    if constexpr (std::is_arithmetic_v<Number> || IsComplex<Number>)
        return value == Number(0);
    else
        return float(value) == 0;
}

// Calls `use(line, other, value)` for what is not 0 in a dense matrix, by the lines of `sparse`.
template <class Use>
void for_each_nonzero(const cusparseDnMatDescr &matrix, const cusparseSpMatDescr &sparse, Use use)
{
    with_type(matrix.type, matrix.values, [&](auto *values) {
        const auto from = dense(matrix, values, 0);
        const bool by_columns = sparse.format == CUSPARSE_FORMAT_CSC;
        for (Size line = 0; line < (by_columns ? matrix.columns : matrix.rows); ++line)
            for (Size other = 0; other < (by_columns ? matrix.rows : matrix.columns); ++other) {
                const Size i = by_columns ? other : line, j = by_columns ? line : other;
                if (!is_zero(from.place(i, j)))
                    use(line, other, from.place(i, j));
            }
    });
}

// The factors of a matrix by rows, without fill, in its place; the first row whose pivot is 0.
template <class Number>
int incomplete_lu(int rows, Number *values, const int *offsets, const int *indices, int base)
{
    int zero_pivot = -1;
    std::vector<int> place(at(rows), -1), diagonal(at(rows), -1);
    for (int i = 0; i < rows; ++i) {
        std::vector<int> before;
        for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k) {
            place[at(indices[k] - base)] = k;
            if (indices[k] - base < i)
                before.push_back(indices[k] - base);
            else if (indices[k] - base == i)
                diagonal[at(i)] = k;
        }
        std::sort(before.begin(), before.end());
        for (const int j : before) {
            if (diagonal[at(j)] < 0)
                continue;
            const auto by = values[place[at(j)]] / values[diagonal[at(j)]];
            values[place[at(j)]] = by;
            for (int k = offsets[j] - base; k < offsets[j + 1] - base; ++k)
                if (indices[k] - base > j && place[at(indices[k] - base)] >= 0)
                    values[place[at(indices[k] - base)]] -= by * values[k];
        }
        const bool is_zero = diagonal[at(i)] < 0 || values[diagonal[at(i)]] == Number(0);
        if (is_zero && zero_pivot < 0)
            zero_pivot = i + base;
        for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k)
            place[at(indices[k] - base)] = -1;
    }
    return zero_pivot;
}

// Of a Hermitian matrix: the lower triangle becomes the factor, the upper one stays as it is.
template <class Number>
int incomplete_cholesky(int rows, Number *values, const int *offsets, const int *indices, int base)
{
    int zero_pivot = -1;
    std::vector<int> diagonal(at(rows), -1);
    for (int i = 0; i < rows; ++i) {
        const int begin = offsets[i] - base, end = offsets[i + 1] - base;
        std::vector<int> lower;
        for (int k = begin; k < end; ++k)
            if (indices[k] - base <= i)
                lower.push_back(k);
        std::sort(lower.begin(), lower.end(),
                  [&](int p, int q) { return indices[p] < indices[q]; });
        for (std::size_t at_k = 0; at_k < lower.size(); ++at_k) {
            const int k = lower[at_k], j = indices[k] - base;
            auto sum = values[k];
            for (std::size_t at_m = 0; at_m < at_k; ++at_m) // both rows, up to column j
                for (int m = offsets[j] - base; m < offsets[j + 1] - base; ++m)
                    if (indices[m] == indices[lower[at_m]])
                        sum -= values[lower[at_m]] * conjugate(values[m]);
            if (j < i) {
                values[k] = diagonal[at(j)] < 0 ? sum : sum / values[diagonal[at(j)]];
                continue;
            }
            diagonal[at(i)] = k;
            values[k] = std::sqrt(sum);
        }
        const bool is_zero = diagonal[at(i)] < 0 || !(std::abs(values[diagonal[at(i)]]) > 0);
        if (is_zero && zero_pivot < 0)
            zero_pivot = i + base;
    }
    return zero_pivot;
}

template <class Info> cusparseStatus_t zero_pivot(Info *info, int *position)
{
    *position = info->zero_pivot;
    return info->zero_pivot < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

template <class Made, class... Values>
cusparseStatus_t make(Made **place, bool valid, Values... values)
{
    if (!valid)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *place = new Made{values...};
    return CUSPARSE_STATUS_SUCCESS;
}
template <class Made> cusparseStatus_t destroy(const Made *made)
{
    delete made;
    return CUSPARSE_STATUS_SUCCESS;
}
template <class Value, class Given> cusparseStatus_t put(Value *place, Given value)
{
    if (place != nullptr)
        *place = Value(value);
    return CUSPARSE_STATUS_SUCCESS;
}

// Sorts the numbers of a COO matrix by `first`, then by `second`, and `order` along with them.
inline void sort_coordinates(int count, int *first, int *second, int *order)
{
    std::vector<int> sorted(at(count));
    std::iota(sorted.begin(), sorted.end(), 0);
    std::sort(sorted.begin(), sorted.end(), [=](int p, int q) {
        return std::tuple(first[p], second[p], p) < std::tuple(first[q], second[q], q);
    });
    for (int *array : {first, second, order}) {
        if (array == nullptr)
            continue;
        const std::vector<int> old(array, array + count);
        for (std::size_t k = 0; k < old.size(); ++k)
            array[k] = old[at(sorted[k])];
    }
}

} // namespace detail::sparse

inline namespace libraries {

// ---- handles and descriptors --------------------------------------------------------------------

inline cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    return detail::sparse::make(handle, true, Stream(), CUSPARSE_POINTER_MODE_HOST);
}
inline cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    return detail::sparse::destroy(handle);
}
inline cusparseStatus_t cusparseGetVersion(cusparseHandle_t /*handle*/, int *version)
{
    return detail::sparse::put(version, 12000);
}
inline cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, Stream stream)
{
    return detail::sparse::put(&handle->stream, stream);
}
inline cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, Stream *stream)
{
    return detail::sparse::put(stream, handle->stream);
}
inline cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
{
    return detail::sparse::put(&handle->pointers, mode);
}
inline cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
{
    return detail::sparse::put(mode, handle->pointers);
}
inline const char *cusparseGetErrorName(cusparseStatus_t status)
{
    switch (status) {
    case CUSPARSE_STATUS_SUCCESS: return "CUSPARSE_STATUS_SUCCESS";
    case CUSPARSE_STATUS_NOT_INITIALIZED: return "CUSPARSE_STATUS_NOT_INITIALIZED";
    case CUSPARSE_STATUS_INVALID_VALUE: return "CUSPARSE_STATUS_INVALID_VALUE";
    case CUSPARSE_STATUS_ZERO_PIVOT: return "CUSPARSE_STATUS_ZERO_PIVOT";
    case CUSPARSE_STATUS_NOT_SUPPORTED: return "CUSPARSE_STATUS_NOT_SUPPORTED";
    default: return "CUSPARSE_STATUS_INTERNAL_ERROR";
    }
}
inline const char *cusparseGetErrorString(cusparseStatus_t status)
{
    switch (status) {
    case CUSPARSE_STATUS_SUCCESS: return "success";
    case CUSPARSE_STATUS_NOT_INITIALIZED: return "initialization error";
    case CUSPARSE_STATUS_INVALID_VALUE: return "invalid value";
    case CUSPARSE_STATUS_ZERO_PIVOT: return "zero pivot";
    case CUSPARSE_STATUS_NOT_SUPPORTED: return "operation not supported";
    default: return "internal error";
    }
}

inline cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descriptor)
{
    return detail::sparse::make(descriptor, true, CUSPARSE_MATRIX_TYPE_GENERAL,
                                CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT,
                                CUSPARSE_INDEX_BASE_ZERO);
}
inline cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor)
{
    return detail::sparse::destroy(descriptor);
}
inline cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descriptor, cusparseMatrixType_t type)
{
    return detail::sparse::put(&descriptor->type, type);
}
inline cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descriptor,
                                               cusparseFillMode_t fill)
{
    return detail::sparse::put(&descriptor->fill, fill);
}
inline cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descriptor,
                                               cusparseDiagType_t diagonal)
{
    return detail::sparse::put(&descriptor->diagonal, diagonal);
}
inline cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descriptor,
                                                cusparseIndexBase_t base)
{
    return detail::sparse::put(&descriptor->base, base);
}
inline cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t descriptor)
{
    return descriptor->type;
}
inline cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t descriptor)
{
    return descriptor->base;
}

inline cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, std::int64_t size,
                                            void *values, DataType type)
{
    return detail::sparse::make(vector, size >= 0, size, values, type);
}
inline cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector)
{
    return detail::sparse::destroy(vector);
}
inline cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values)
{
    return detail::sparse::put(&vector->values, values);
}
inline cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values)
{
    return detail::sparse::put(values, vector->values);
}
inline cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, std::int64_t *size,
                                         void **values, DataType *type)
{
    *size = vector->size;
    *values = vector->values;
    return detail::sparse::put(type, vector->type);
}

inline cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, std::int64_t size,
                                            std::int64_t nonzeros, void *indices, void *values,
                                            cusparseIndexType_t index_type,
                                            cusparseIndexBase_t base, DataType type)
{
    return detail::sparse::make(vector, size >= 0 && nonzeros >= 0 && nonzeros <= size, size,
                                nonzeros, indices, values, index_type, base, type);
}
inline cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector)
{
    return detail::sparse::destroy(vector);
}
inline cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void *values)
{
    return detail::sparse::put(&vector->values, values);
}

inline cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, std::int64_t rows,
                                            std::int64_t columns, std::int64_t leading,
                                            void *values, DataType type, cusparseOrder_t order)
{
    const bool fits = leading >= (order == CUSPARSE_ORDER_COL ? rows : columns);
    return detail::sparse::make(matrix, rows >= 0 && columns >= 0 && fits, rows, columns, leading,
                                values, type, order, 1, std::int64_t(0));
}
inline cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix)
{
    return detail::sparse::destroy(matrix);
}
inline cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values)
{
    return detail::sparse::put(&matrix->values, values);
}
inline cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void **values)
{
    return detail::sparse::put(values, matrix->values);
}
inline cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, std::int64_t *rows,
                                         std::int64_t *columns, std::int64_t *leading,
                                         void **values, DataType *type, cusparseOrder_t *order)
{
    *rows = matrix->rows;
    *columns = matrix->columns;
    *leading = matrix->leading;
    *values = matrix->values;
    *type = matrix->type;
    return detail::sparse::put(order, matrix->order);
}
inline cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int batches,
                                                     std::int64_t stride)
{
    matrix->batches = batches;
    return detail::sparse::put(&matrix->stride, stride);
}

inline cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, std::int64_t rows,
                                          std::int64_t columns, std::int64_t nonzeros,
                                          void *offsets, void *indices, void *values,
                                          cusparseIndexType_t offset_type,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          DataType type)
{
    return detail::sparse::make(matrix, rows >= 0 && columns >= 0 && nonzeros >= 0,
                                CUSPARSE_FORMAT_CSR, rows, columns, nonzeros, offsets, indices,
                                values, offset_type, index_type, base, type,
                                CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT, 1,
                                std::int64_t(0), std::int64_t(0));
}
inline cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, std::int64_t rows,
                                          std::int64_t columns, std::int64_t nonzeros,
                                          void *offsets, void *indices, void *values,
                                          cusparseIndexType_t offset_type,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          DataType type)
{
    const auto status = cusparseCreateCsr(matrix, rows, columns, nonzeros, offsets, indices, values,
                                          offset_type, index_type, base, type);
    if (status == CUSPARSE_STATUS_SUCCESS)
        (*matrix)->format = CUSPARSE_FORMAT_CSC;
    return status;
}
inline cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, std::int64_t rows,
                                          std::int64_t columns, std::int64_t nonzeros,
                                          void *row_indices, void *indices, void *values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          DataType type)
{
    const auto status = cusparseCreateCsr(matrix, rows, columns, nonzeros, row_indices, indices,
                                          values, index_type, index_type, base, type);
    if (status == CUSPARSE_STATUS_SUCCESS)
        (*matrix)->format = CUSPARSE_FORMAT_COO;
    return status;
}
inline cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix)
{
    return detail::sparse::destroy(matrix);
}
inline cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, std::int64_t *rows,
                                             std::int64_t *columns, std::int64_t *nonzeros)
{
    *rows = matrix->rows;
    *columns = matrix->columns;
    return detail::sparse::put(nonzeros, matrix->nonzeros);
}
inline cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix,
                                               cusparseFormat_t *format)
{
    return detail::sparse::put(format, matrix->format);
}
inline cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                                  cusparseIndexBase_t *base)
{
    return detail::sparse::put(base, matrix->base);
}
inline cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values)
{
    return detail::sparse::put(&matrix->values, values);
}
inline cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values)
{
    return detail::sparse::put(values, matrix->values);
}
inline cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets,
                                               void *indices, void *values)
{
    matrix->lines = offsets;
    matrix->indices = indices;
    return detail::sparse::put(&matrix->values, values);
}
inline cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets,
                                               void *indices, void *values)
{
    return cusparseCsrSetPointers(matrix, offsets, indices, values);
}
inline cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *rows,
                                               void *columns, void *values)
{
    return cusparseCsrSetPointers(matrix, rows, columns, values);
}
inline cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, std::int64_t *rows,
                                       std::int64_t *columns, std::int64_t *nonzeros,
                                       void **offsets, void **indices, void **values,
                                       cusparseIndexType_t *offset_type,
                                       cusparseIndexType_t *index_type, cusparseIndexBase_t *base,
                                       DataType *type)
{
    cusparseSpMatGetSize(matrix, rows, columns, nonzeros);
    *offsets = matrix->lines;
    *indices = matrix->indices;
    *values = matrix->values;
    *offset_type = matrix->line_type;
    *index_type = matrix->index_type;
    *base = matrix->base;
    return detail::sparse::put(type, matrix->type);
}
inline cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int batches,
                                                   std::int64_t offsets_stride, std::int64_t stride)
{
    matrix->batches = batches;
    matrix->line_stride = offsets_stride;
    return detail::sparse::put(&matrix->stride, stride);
}
inline cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int batches,
                                                   std::int64_t stride)
{
    return cusparseCsrSetStridedBatch(matrix, batches, stride, stride);
}
inline cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                                  cusparseSpMatAttribute_t attribute,
                                                  const void *value, std::size_t /*bytes*/)
{
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        matrix->fill = *static_cast<const cusparseFillMode_t *>(value);
    else
        matrix->diagonal = *static_cast<const cusparseDiagType_t *>(value);
    return CUSPARSE_STATUS_SUCCESS;
}

// ---- products -----------------------------------------------------------------------------------

inline cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation,
                                     const void *alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstDnVecDescr_t x, const void *beta,
                                     cusparseDnVecDescr_t y, DataType compute,
                                     cusparseSpMVAlg_t /*algorithm*/, void * /*buffer*/)
{
    namespace sparse = detail::sparse;
    return sparse::with_numbers(compute, [&](auto zero) {
        using Number = decltype(zero);
        const sparse::Scalar<Number> by(handle, alpha), to(handle, beta);
        const bool turned = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
        const bool fits = x->size == (turned ? a->rows : a->columns) &&
                          y->size == (turned ? a->columns : a->rows);
        return sparse::run(handle, fits, [=, a = *a, x = *x, y = *y] {
            sparse::multiply_vector<Number>(*by, a, operation, x, *to, y);
        });
    });
}
template <class... Parameters>
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, Parameters...)
{
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t
cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *,
                        cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void *,
                        cusparseDnVecDescr_t, DataType, cusparseSpMVAlg_t, std::size_t *bytes)
{
    return detail::sparse::put(bytes, detail::sparse::BUFFER);
}

inline cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opa,
                                     cusparseOperation_t opb, const void *alpha,
                                     cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                     const void *beta, cusparseDnMatDescr_t c, DataType compute,
                                     cusparseSpMMAlg_t /*algorithm*/, void * /*buffer*/)
{
    namespace sparse = detail::sparse;
    return sparse::with_numbers(compute, [&](auto zero) {
        using Number = decltype(zero);
        const sparse::Scalar<Number> by(handle, alpha), to(handle, beta);
        const bool turned = opa != CUSPARSE_OPERATION_NON_TRANSPOSE;
        const bool turned_b = opb != CUSPARSE_OPERATION_NON_TRANSPOSE;
        const bool fits = c->rows == (turned ? a->columns : a->rows) &&
                          c->columns == (turned_b ? b->rows : b->columns) &&
                          (turned ? a->rows : a->columns) == (turned_b ? b->columns : b->rows);
        return sparse::run(handle, fits, [=, a = *a, b = *b, c = *c] {
            sparse::multiply_matrix<Number>(*by, a, opa, b, opb, *to, c);
        });
    });
}
template <class... Parameters>
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t, Parameters...)
{
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t
cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                        cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void *,
                        cusparseDnMatDescr_t, DataType, cusparseSpMMAlg_t, std::size_t *bytes)
{
    return detail::sparse::put(bytes, detail::sparse::BUFFER);
}

// The numbers of op(A) * op(B) where the sparse matrix C has some.
inline cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opa,
                                      cusparseOperation_t opb, const void *alpha,
                                      cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                      const void *beta, cusparseSpMatDescr_t c, DataType compute,
                                      cusparseSDDMMAlg_t /*algorithm*/, void * /*buffer*/)
{
    namespace sparse = detail::sparse;
    return sparse::with_numbers(compute, [&](auto zero) {
        using Number = decltype(zero);
        const sparse::Scalar<Number> by(handle, alpha), to(handle, beta);
        return sparse::run(handle, true, [=, a = *a, b = *b, c = *c] {
            sparse::Values<Number> left(a.type, a.values, sparse::extent(a));
            sparse::Values<Number> right(b.type, b.values, sparse::extent(b));
            sparse::Values<Number> values(c.type, c.values, c.nonzeros);
            const auto first = sparse::dense(a, left.get(), 0, opa);
            const auto second = sparse::dense(b, right.get(), 0, opb);
            const bool turned = opa != CUSPARSE_OPERATION_NON_TRANSPOSE;
            sparse::for_each_number(c, [&](auto row, auto column, auto k) {
                Number sum = 0;
                for (std::int64_t m = 0; m < (turned ? a.rows : a.columns); ++m)
                    sum += first(row, m) * second(m, column);
                Number &value = values.get()[k];
                value = *by * sum + sparse::scaled(*to, value);
            });
            values.store();
        });
    });
}
template <class... Parameters>
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t, Parameters...)
{
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t
cusparseSDDMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                         cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t, const void *,
                         cusparseSpMatDescr_t, DataType, cusparseSDDMMAlg_t, std::size_t *bytes)
{
    return detail::sparse::put(bytes, detail::sparse::BUFFER);
}

inline cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descriptor)
{
    *descriptor = new cusparseSpGEMMDescr;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descriptor)
{
    return detail::sparse::destroy(descriptor);
}
inline cusparseStatus_t
cusparseSpGEMM_workEstimation(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                              const void *, cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                              const void *, cusparseSpMatDescr_t, DataType, cusparseSpGEMMAlg_t,
                              cusparseSpGEMMDescr_t, std::size_t *bytes, void * /*buffer*/)
{
    return detail::sparse::put(bytes, detail::sparse::BUFFER);
}
// The call with a buffer multiplies. How many numbers the product has is in C then; it has nothing
// that could be added to.
inline cusparseStatus_t
cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opa, cusparseOperation_t opb,
                       const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                       const void *beta, cusparseSpMatDescr_t c, DataType compute,
                       cusparseSpGEMMAlg_t /*algorithm*/, cusparseSpGEMMDescr_t descriptor,
                       std::size_t *bytes, void *buffer)
{
    namespace sparse = detail::sparse;
    if (buffer == nullptr)
        return sparse::put(bytes, sparse::BUFFER);
    if (opa != CUSPARSE_OPERATION_NON_TRANSPOSE || opb != CUSPARSE_OPERATION_NON_TRANSPOSE)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return sparse::with_numbers(compute, [&](auto zero) {
        using Number = decltype(zero);
        const sparse::Scalar<Number> by(handle, alpha), to(handle, beta);
        if (c->nonzeros != 0 && *to != Number(0))
            return CUSPARSE_STATUS_NOT_SUPPORTED;
        if (a->columns != b->rows || c->rows != a->rows || c->columns != b->columns)
            return CUSPARSE_STATUS_INVALID_VALUE;
        const auto product =
            std::make_shared<sparse::OwnRows<Number>>(sparse::product<Number>(*by, *a, *b));
        c->nonzeros = std::int64_t(product->values.size());
        descriptor->product = product;
        return CUSPARSE_STATUS_SUCCESS;
    });
}
inline cusparseStatus_t
cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t, const void *,
                    cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t, const void *,
                    cusparseSpMatDescr_t c, DataType compute, cusparseSpGEMMAlg_t /*algorithm*/,
                    cusparseSpGEMMDescr_t descriptor)
{
    namespace sparse = detail::sparse;
    return sparse::with_numbers(compute, [&](auto zero) {
        using Number = decltype(zero);
        const bool fits = c->format == CUSPARSE_FORMAT_CSR && descriptor->product != nullptr;
        return sparse::run(handle, fits, [c = *c, kept = descriptor->product] {
            const auto &all = *static_cast<const sparse::OwnRows<Number> *>(kept.get());
            for (std::size_t i = 0; i < all.offsets.size(); ++i)
                sparse::set_index(c.line_type, c.lines, sparse::Size(i), all.offsets[i] + c.base);
            sparse::Values<Number> values(c.type, c.values, c.nonzeros);
            for (std::size_t k = 0; k < all.values.size(); ++k) {
                sparse::set_index(c.index_type, c.indices, sparse::Size(k),
                                  all.indices[k] + c.base);
                values.get()[k] = all.values[k];
            }
            values.store();
        });
    });
}

// ---- triangular systems -------------------------------------------------------------------------

inline cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descriptor)
{
    return detail::sparse::make(descriptor, true);
}
inline cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor)
{
    return detail::sparse::destroy(descriptor);
}
inline cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *,
                                                cusparseConstSpMatDescr_t,
                                                cusparseConstDnVecDescr_t, cusparseDnVecDescr_t,
                                                DataType, cusparseSpSVAlg_t, cusparseSpSVDescr_t,
                                                std::size_t *bytes)
{
    return detail::sparse::put(bytes, detail::sparse::BUFFER);
}
template <class... Parameters>
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t, Parameters...)
{
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t operation,
                                           const void *alpha, cusparseConstSpMatDescr_t a,
                                           cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                           DataType compute, cusparseSpSVAlg_t /*algorithm*/,
                                           cusparseSpSVDescr_t /*descriptor*/)
{
    namespace sparse = detail::sparse;
    return sparse::with_numbers(compute, [&](auto zero) {
        using Number = decltype(zero);
        const sparse::Scalar<Number> by(handle, alpha);
        const bool fits = a->rows == a->columns && x->size == a->rows && y->size == a->rows;
        return sparse::run(handle, fits, [=, a = *a, x = *x, y = *y] {
            sparse::Values<Number> given(x.type, x.values, x.size);
            sparse::Values<Number> result(y.type, y.values, y.size);
            sparse::with_rows<Number>(a, operation, [&](const auto &all) {
                sparse::solve_triangle(
                    all, sparse::is_lower(a, operation), a.diagonal == CUSPARSE_DIAG_TYPE_UNIT,
                    [&](auto i) { return *by * given.get()[i]; },
                    [&](auto i) -> Number & { return result.get()[i]; });
            });
            result.store();
        });
    });
}

inline cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descriptor)
{
    return detail::sparse::make(descriptor, true);
}
inline cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descriptor)
{
    return detail::sparse::destroy(descriptor);
}
inline cusparseStatus_t
cusparseSpSM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                        cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, cusparseDnMatDescr_t,
                        DataType, cusparseSpSMAlg_t, cusparseSpSMDescr_t, std::size_t *bytes)
{
    return detail::sparse::put(bytes, detail::sparse::BUFFER);
}
template <class... Parameters>
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t, Parameters...)
{
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t
cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opa, cusparseOperation_t opb,
                   const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                   cusparseDnMatDescr_t c, DataType compute, cusparseSpSMAlg_t /*algorithm*/,
                   cusparseSpSMDescr_t /*descriptor*/)
{
    namespace sparse = detail::sparse;
    return sparse::with_numbers(compute, [&](auto zero) {
        using Number = decltype(zero);
        const sparse::Scalar<Number> by(handle, alpha);
        const bool turned = opb != CUSPARSE_OPERATION_NON_TRANSPOSE;
        const bool fits = a->rows == a->columns && c->rows == a->rows &&
                          (turned ? b->columns : b->rows) == a->rows &&
                          (turned ? b->rows : b->columns) == c->columns;
        return sparse::run(handle, fits, [=, a = *a, b = *b, c = *c] {
            sparse::Values<Number> given(b.type, b.values, sparse::extent(b));
            sparse::Values<Number> result(c.type, c.values, sparse::extent(c));
            const auto right = sparse::dense(b, given.get(), 0, opb);
            const auto to = sparse::dense(c, result.get(), 0);
            sparse::with_rows<Number>(a, opa, [&](const auto &all) {
                sparse::solve_columns(*by, all, sparse::is_lower(a, opa),
                                      a.diagonal == CUSPARSE_DIAG_TYPE_UNIT, right, to, c.columns);
            });
            result.store();
        });
    });
}

// ---- vectors ------------------------------------------------------------------------------------

inline cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                       cusparseSpVecDescr_t x)
{
    namespace sparse = detail::sparse;
    return sparse::with_numbers(x->type, [&](auto zero) {
        using Number = decltype(zero);
        return sparse::run(handle, y->type == x->type, [x = *x, y = *y] {
            for (std::int64_t k = 0; k < x.nonzeros; ++k)
                static_cast<Number *>(x.values)[k] = static_cast<const Number *>(
                    y.values)[sparse::index_at(x.index_type, x.indices, k) - x.base];
        });
    });
}
inline cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                        cusparseDnVecDescr_t y)
{
    namespace sparse = detail::sparse;
    return sparse::with_numbers(x->type, [&](auto zero) {
        using Number = decltype(zero);
        return sparse::run(handle, y->type == x->type, [x = *x, y = *y] {
            for (std::int64_t k = 0; k < x.nonzeros; ++k)
                static_cast<Number *>(
                    y.values)[sparse::index_at(x.index_type, x.indices, k) - x.base] =
                    static_cast<const Number *>(x.values)[k];
        });
    });
}
inline cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                                      cusparseConstSpVecDescr_t x, const void *beta,
                                      cusparseDnVecDescr_t y)
{
    namespace sparse = detail::sparse;
    return sparse::with_numbers(x->type, [&](auto zero) {
        using Number = decltype(zero);
        const sparse::Scalar<Number> by(handle, alpha), to(handle, beta);
        return sparse::run(handle, y->type == x->type, [=, x = *x, y = *y] {
            auto *sums = static_cast<Number *>(y.values);
            for (std::int64_t i = 0; i < y.size; ++i)
                sums[i] = sparse::scaled(*to, sums[i]);
            for (std::int64_t k = 0; k < x.nonzeros; ++k)
                sums[sparse::index_at(x.index_type, x.indices, k) - x.base] +=
                    *by * static_cast<const Number *>(x.values)[k];
        });
    });
}
inline cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t operation,
                                     cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                     void *result, DataType compute, void * /*buffer*/)
{
    namespace sparse = detail::sparse;
    return sparse::with_numbers(compute, [&](auto zero) {
        using Number = decltype(zero);
        return sparse::run(handle, result != nullptr, [=, x = *x, y = *y] {
            sparse::Values<Number> left(x.type, x.values, x.nonzeros);
            sparse::Values<Number> right(y.type, y.values, y.size);
            Number sum = 0;
            for (std::int64_t k = 0; k < x.nonzeros; ++k) {
                const Number value = left.get()[k];
                sum += (operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
                            ? detail::conjugate(value)
                            : value) *
                       right.get()[sparse::index_at(x.index_type, x.indices, k) - x.base];
            }
            *static_cast<Number *>(result) = sum;
        });
    });
}
inline cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t, cusparseOperation_t,
                                                cusparseConstSpVecDescr_t,
                                                cusparseConstDnVecDescr_t, const void * /*result*/,
                                                DataType, std::size_t *bytes)
{
    return detail::sparse::put(bytes, detail::sparse::BUFFER);
}

// ---- conversions --------------------------------------------------------------------------------

inline cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                              cusparseDnMatDescr_t b,
                                              cusparseSparseToDenseAlg_t /*algorithm*/,
                                              void * /*buffer*/)
{
    namespace sparse = detail::sparse;
    const bool fits = a->rows == b->rows && a->columns == b->columns && a->type == b->type;
    return sparse::run(handle, fits, [a = *a, b = *b] {
        detail::with_type(b.type, b.values, [&](auto *values) {
            using Number = std::decay_t<decltype(*values)>;
            const auto to = sparse::dense(b, values, 0);
            for (std::int64_t i = 0; i < b.rows; ++i)
                for (std::int64_t j = 0; j < b.columns; ++j)
                    to.place(i, j) = Number(0.f);
            sparse::for_each_number(a, [&](auto row, auto column, auto k) {
                to.place(row, column) = static_cast<const Number *>(a.values)[k];
            });
        });
    });
}
inline cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t,
                                                         cusparseConstSpMatDescr_t,
                                                         cusparseDnMatDescr_t,
                                                         cusparseSparseToDenseAlg_t,
                                                         std::size_t *bytes)
{
    return detail::sparse::put(bytes, detail::sparse::BUFFER);
}
inline cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t,
                                                         cusparseConstDnMatDescr_t,
                                                         cusparseSpMatDescr_t,
                                                         cusparseDenseToSparseAlg_t,
                                                         std::size_t *bytes)
{
    return detail::sparse::put(bytes, detail::sparse::BUFFER);
}
// Counts, so that memory can be had.
inline cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                       cusparseConstDnMatDescr_t a,
                                                       cusparseSpMatDescr_t b,
                                                       cusparseDenseToSparseAlg_t /*algorithm*/,
                                                       void * /*buffer*/)
{
    if (handle == nullptr)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    b->nonzeros = 0;
    detail::sparse::for_each_nonzero(*a, *b, [&](auto, auto, auto) { ++b->nonzeros; });
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                                      cusparseConstDnMatDescr_t a,
                                                      cusparseSpMatDescr_t b,
                                                      cusparseDenseToSparseAlg_t /*algorithm*/,
                                                      void * /*buffer*/)
{
    namespace sparse = detail::sparse;
    const bool fits = a->rows == b->rows && a->columns == b->columns && a->type == b->type;
    return sparse::run(handle, fits, [a = *a, b = *b] {
        std::int64_t k = 0, done = 0; // `done` lines have their beginnings
        const bool has_offsets = b.format != CUSPARSE_FORMAT_COO;
        sparse::for_each_nonzero(a, b, [&](auto line, auto other, auto value) {
            if (has_offsets)
                for (; done <= line; ++done)
                    sparse::set_index(b.line_type, b.lines, done, k + b.base);
            else
                sparse::set_index(b.line_type, b.lines, k, line + b.base);
            sparse::set_index(b.index_type, b.indices, k, other + b.base);
            static_cast<decltype(value) *>(b.values)[k++] = value;
        });
        const auto lines = b.format == CUSPARSE_FORMAT_CSC ? b.columns : b.rows;
        for (; has_offsets && done <= lines; ++done)
            sparse::set_index(b.line_type, b.lines, done, k + b.base);
    });
}

inline cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nonzeros,
                                         int m, int *offsets, cusparseIndexBase_t base)
{
    return detail::sparse::run(handle, nonzeros >= 0 && m >= 0, [=] {
        std::fill(offsets, offsets + m + 1, 0);
        for (int k = 0; k < nonzeros; ++k)
            ++offsets[rows[k] - base + 1];
        offsets[0] = base;
        std::partial_sum(offsets, offsets + m + 1, offsets);
    });
}
inline cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nonzeros,
                                         int m, int *rows, cusparseIndexBase_t base)
{
    return detail::sparse::run(handle, nonzeros >= 0 && m >= 0, [=] {
        for (int i = 0; i < m; ++i)
            std::fill(rows + (offsets[i] - base), rows + (offsets[i + 1] - base), i + base);
    });
}
inline cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nonzeros,
                                           const void *values, const int *offsets,
                                           const int *indices, void *csc_values, int *csc_offsets,
                                           int *csc_indices, DataType type, cusparseAction_t action,
                                           cusparseIndexBase_t base,
                                           cusparseCsr2CscAlg_t /*algorithm*/, void * /*buffer*/)
{
    namespace sparse = detail::sparse;
    return sparse::run(handle, m >= 0 && n >= 0 && nonzeros >= 0, [=] {
        std::vector<int> next(sparse::at(n + 1));
        for (int k = 0; k < nonzeros; ++k)
            ++next[sparse::at(indices[k] - base + 1)];
        std::partial_sum(next.begin(), next.end(), next.begin());
        for (int j = 0; j <= n; ++j)
            csc_offsets[j] = next[sparse::at(j)] + base;
        detail::with_type(type, csc_values, [&](auto *to) {
            for (int i = 0; i < m; ++i)
                for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k) {
                    const int place = next[sparse::at(indices[k] - base)]++;
                    csc_indices[place] = i + base;
                    if (action == CUSPARSE_ACTION_NUMERIC)
                        to[place] = static_cast<decltype(to)>(const_cast<void *>(values))[k];
                }
        });
    });
}
inline cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t, int, int, int, const void *,
                                                      const int *, const int *, void *, int *,
                                                      int *, DataType, cusparseAction_t,
                                                      cusparseIndexBase_t, cusparseCsr2CscAlg_t,
                                                      std::size_t *bytes)
{
    return detail::sparse::put(bytes, detail::sparse::BUFFER);
}
inline cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n,
                                                          int *order)
{
    return detail::sparse::run(handle, n >= 0, [=] { std::iota(order, order + n, 0); });
}
inline cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *,
                                                       const int *, std::size_t *bytes)
{
    return detail::sparse::put(bytes, detail::sparse::BUFFER);
}
inline cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int, int, int nonzeros,
                                              int *rows, int *columns, int *order, void *)
{
    return detail::sparse::run(handle, nonzeros >= 0, [=] {
        detail::sparse::sort_coordinates(nonzeros, rows, columns, order);
    });
}
inline cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int, int, int nonzeros,
                                                 int *rows, int *columns, int *order, void *)
{
    return detail::sparse::run(handle, nonzeros >= 0, [=] {
        detail::sparse::sort_coordinates(nonzeros, columns, rows, order);
    });
}

// ---- incomplete factorizations ------------------------------------------------------------------

inline cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info)
{
    return detail::sparse::make(info, true, -1);
}
inline cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info)
{
    return detail::sparse::destroy(info);
}
inline cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t, csrilu02Info_t info,
                                                    int *position)
{
    return detail::sparse::zero_pivot(info, position);
}
inline cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info)
{
    return detail::sparse::make(info, true, -1);
}
inline cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info)
{
    return detail::sparse::destroy(info);
}
inline cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t, csric02Info_t info,
                                                   int *position)
{
    return detail::sparse::zero_pivot(info, position);
}

#define G2O_FACTORIZATION(letter, Number, name, factorize)                                         \
    inline cusparseStatus_t cusparse##letter##name##_bufferSize(                                   \
        cusparseHandle_t, int, int, const cusparseMatDescr *, Number *, const int *, const int *,  \
        name##Info_t, int *bytes)                                                                  \
    {                                                                                              \
        return detail::sparse::put(bytes, detail::sparse::BUFFER);                                 \
    }                                                                                              \
    inline cusparseStatus_t cusparse##letter##name##_analysis(                                     \
        cusparseHandle_t, int, int, const cusparseMatDescr *, const Number *, const int *,         \
        const int *, name##Info_t, cusparseSolvePolicy_t, void *)                                  \
    {                                                                                              \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    inline cusparseStatus_t cusparse##letter##name(                                                \
        cusparseHandle_t handle, int m, int /*nonzeros*/, const cusparseMatDescr *descriptor,      \
        Number *values, const int *offsets, const int *indices, name##Info_t info,                 \
        cusparseSolvePolicy_t, void *)                                                             \
    {                                                                                              \
        return detail::sparse::run(handle, m >= 0, [=, base = int(descriptor->base)] {             \
            info->zero_pivot = detail::sparse::factorize(m, detail::numbers(values), offsets,      \
                                                         indices, base);                           \
        });                                                                                        \
    }
#define G2O_FACTORIZATIONS(name, factorize)                                                        \
    G2O_FACTORIZATION(S, float, name, factorize)                                                   \
    G2O_FACTORIZATION(D, double, name, factorize)                                                  \
    G2O_FACTORIZATION(C, FloatComplex, name, factorize)                                            \
    G2O_FACTORIZATION(Z, DoubleComplex, name, factorize)
G2O_FACTORIZATIONS(csrilu02, incomplete_lu)
G2O_FACTORIZATIONS(csric02, incomplete_cholesky)
#undef G2O_FACTORIZATIONS
#undef G2O_FACTORIZATION

} // namespace libraries
} // namespace g2o

#pragma pop_macro("real")

} // extern "C++"

#endif // G2O_CUSPARSE_HPP
