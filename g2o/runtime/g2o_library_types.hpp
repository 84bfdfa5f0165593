// g2o_library_types.hpp: the types of numbers that CUDA's libraries are told of.
#ifndef G2O_LIBRARY_TYPES_HPP
#define G2O_LIBRARY_TYPES_HPP

extern "C++" { // also where a program includes this inside of extern "C"

// A program's macro of this name is not meant for what follows.
#pragma push_macro("real")
#undef real

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "g2o_complex.hpp"
#include "g2o_half.hpp"
#include "g2o_runtime.hpp"

namespace g2o {
inline namespace libraries {

enum DataType {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
    CUDA_R_8U = 8,
    CUDA_R_32I = 10,
    CUDA_R_16BF = 14,
    CUDA_R_8F_E4M3 = 28,
    CUDA_R_8F_E5M2 = 29
};

} // namespace libraries

namespace detail {

// What arithmetic on a number is done with: complex numbers have operators there.
template <class Number> struct ArithmeticOf {
    using Type = Number;
    using Real = Number;
};
template <> struct ArithmeticOf<FloatComplex> {
    using Type = std::complex<float>;
    using Real = float;
};
template <> struct ArithmeticOf<DoubleComplex> {
    using Type = std::complex<double>;
    using Real = double;
};
template <class Number> using Arithmetic = typename ArithmeticOf<Number>::Type;
template <class Number> using RealOf = typename ArithmeticOf<Number>::Real;

// The same numbers in the same memory.
template <class Number> Arithmetic<Number> *numbers(Number *array)
{
    return reinterpret_cast<Arithmetic<Number> *>(array);
}
template <class Number> const Arithmetic<Number> *numbers(const Number *array)
{
    return reinterpret_cast<const Arithmetic<Number> *>(array);
}

template <class Number> Number conjugate(Number a)
{
    if constexpr (std::is_arithmetic_v<Number>)
        return a;
    else
        return std::conj(a);
}

inline std::size_t size_of(DataType type)
{
    switch (type) {
    case CUDA_R_8I:
    case CUDA_R_8U:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2: return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_64F:
    case CUDA_C_32F: return 8;
    case CUDA_C_64F: return 16;
    default: return 4;
    }
}

template <class Number>
constexpr bool IsComplex =
    std::is_same_v<Number, std::complex<float>> || std::is_same_v<Number, std::complex<double>>;

inline bool is_complex(DataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

// Calls `use` with a pointer to the numbers that lie at `array`.
template <class Use> void with_type(DataType type, void *array, Use use)
{
    switch (type) {
    case CUDA_R_32F: return use(static_cast<float *>(array));
    case CUDA_R_64F: return use(static_cast<double *>(array));
    case CUDA_R_16F: return use(static_cast<half *>(array));
    case CUDA_R_16BF: return use(static_cast<nv_bfloat16 *>(array));
    case CUDA_R_8I: return use(static_cast<std::int8_t *>(array));
    case CUDA_R_8U: return use(static_cast<std::uint8_t *>(array));
    case CUDA_R_32I: return use(static_cast<std::int32_t *>(array));
    case CUDA_R_8F_E4M3: return use(static_cast<fp8_e4m3 *>(array));
    case CUDA_R_8F_E5M2: return use(static_cast<fp8_e5m2 *>(array));
    case CUDA_C_32F: return use(static_cast<std::complex<float> *>(array));
    case CUDA_C_64F: return use(static_cast<std::complex<double> *>(array));
    }
}

// A number as another type. Real and complex ones are not converted into each other.
template <class To, class From> To converted(From a)
{
    if constexpr (std::is_same_v<To, From>)
        return a;
    else if constexpr (std::is_arithmetic_v<From> && !IsComplex<To>)
        return To(a);
    else if constexpr (!IsComplex<From> && !IsComplex<To>)
        return To(float(a));
    else if constexpr (IsComplex<From> && IsComplex<To>)
        return To(a);
    else
        return To();
}

// A matrix by columns, without gaps between them.
template <class Number>
std::vector<Number> matrix_as(DataType type, const void *array, std::ptrdiff_t rows,
                              std::ptrdiff_t columns, std::ptrdiff_t leading)
{
    std::vector<Number> matrix(std::size_t(rows * columns));
    with_type(type, const_cast<void *>(array), [&](const auto *from) {
        for (std::ptrdiff_t j = 0; j < columns; ++j)
            for (std::ptrdiff_t i = 0; i < rows; ++i)
                matrix[std::size_t(j * rows + i)] = converted<Number>(from[j * leading + i]);
    });
    return matrix;
}

template <class Number>
void store_matrix(const std::vector<Number> &matrix, DataType type, void *array,
                  std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t leading)
{
    with_type(type, array, [&](auto *to) {
        for (std::ptrdiff_t j = 0; j < columns; ++j)
            for (std::ptrdiff_t i = 0; i < rows; ++i)
                to[j * leading + i] = converted<std::remove_pointer_t<decltype(to)>>(
                    matrix[std::size_t(j * rows + i)]);
    });
}

} // namespace detail
} // namespace g2o

#pragma pop_macro("real")

} // extern "C++"

#endif // G2O_LIBRARY_TYPES_HPP
