// g2o_complex.hpp: complex numbers.
#ifndef G2O_COMPLEX_HPP
#define G2O_COMPLEX_HPP

extern "C++" { // also where a program includes this inside of extern "C"

#include <cmath>

#include "g2o_runtime.hpp"

namespace g2o {

// The real part is x, the imaginary part y.
namespace types {

using FloatComplex = float2;
using DoubleComplex = double2;

} // namespace types

// clang-format off
#define G2O_COMPLEX_FUNCTIONS(Complex, Real)                                                       \
    constexpr Real complex_real(Complex a) { return a.x; }                                         \
    constexpr Real complex_imag(Complex a) { return a.y; }                                         \
    constexpr Complex complex_conj(Complex a) { return {a.x, -a.y}; }                              \
    constexpr Complex complex_add(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; }         \
    constexpr Complex complex_sub(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; }         \
    constexpr Complex complex_mul(Complex a, Complex b)                                            \
    {                                                                                              \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                     \
    }                                                                                              \
    constexpr Complex complex_fma(Complex a, Complex b, Complex c)                                 \
    {                                                                                              \
        return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x};                         \
    }                                                                                              \
    /* Scaled, so that squares of the divisor neither overflow nor vanish. */                      \
    inline Complex complex_div(Complex a, Complex b)                                               \
    {                                                                                              \
        const Real scale = 1 / (std::fabs(b.x) + std::fabs(b.y));                                  \
        const Complex q = {b.x * scale, b.y * scale};                                              \
        const Real norm = 1 / (q.x * q.x + q.y * q.y);                                             \
        const Complex p = complex_mul({a.x * scale, a.y * scale}, complex_conj(q));                \
        return {p.x * norm, p.y * norm};                                                           \
    }                                                                                              \
    inline Real complex_abs(Complex a) { return std::hypot(a.x, a.y); }
// clang-format on

G2O_COMPLEX_FUNCTIONS(FloatComplex, float)
G2O_COMPLEX_FUNCTIONS(DoubleComplex, double)
#undef G2O_COMPLEX_FUNCTIONS

constexpr DoubleComplex complex_to_double(FloatComplex a) { return {a.x, a.y}; }
constexpr FloatComplex complex_to_float(DoubleComplex a) { return {float(a.x), float(a.y)}; }

} // namespace g2o

} // extern "C++"

#endif // G2O_COMPLEX_HPP
