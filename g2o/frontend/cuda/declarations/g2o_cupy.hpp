// Declarations of what CuPy's headers have, for reading kernels that include them.
#ifndef G2O_CUPY_HPP
#define G2O_CUPY_HPP

#include "g2o_thrust.hpp"

#pragma clang force_cuda_host_device begin
using thrust::complex;
using thrust::polar;
template <typename T> T real(const complex<T> &z);
template <typename T> T imag(const complex<T> &z);
#pragma clang force_cuda_host_device end

#endif // G2O_CUPY_HPP
