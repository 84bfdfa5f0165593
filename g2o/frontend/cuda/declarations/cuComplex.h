// Complex numbers: float2 and double2 under other names, and their arithmetic.
#pragma once
#include "g2o_cuda.h"

#pragma clang force_cuda_host_device begin

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define G2O_COMPLEX(Complex, Real, f)                                                              \
    Real cuCreal##f(Complex a);                                                                    \
    Real cuCimag##f(Complex a);                                                                    \
    Complex make_##Complex(Real x, Real y);                                                        \
    Complex cuConj##f(Complex a);                                                                  \
    Complex cuCadd##f(Complex a, Complex b);                                                       \
    Complex cuCsub##f(Complex a, Complex b);                                                       \
    Complex cuCmul##f(Complex a, Complex b);                                                       \
    Complex cuCdiv##f(Complex a, Complex b);                                                       \
    Real cuCabs##f(Complex a);                                                                     \
    Complex cuCfma##f(Complex a, Complex b, Complex c);
G2O_COMPLEX(cuFloatComplex, float, f)
G2O_COMPLEX(cuDoubleComplex, double, )
#undef G2O_COMPLEX
cuComplex make_cuComplex(float x, float y);
cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a);
cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a);

#pragma clang force_cuda_host_device end
