// g2o_cupy.hpp: what CuPy's headers have for kernels, the complex numbers of Thrust.
#ifndef G2O_CUPY_HPP
#define G2O_CUPY_HPP

#include "g2o_thrust.hpp"

using thrust::complex;
using thrust::polar;
template <typename T> constexpr T real(const complex<T> &z) { return z.real(); }
template <typename T> constexpr T imag(const complex<T> &z) { return z.imag(); }

#endif // G2O_CUPY_HPP
