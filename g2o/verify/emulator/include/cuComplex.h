#pragma once
#include "../cuda_emulator.hpp"

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define G2O_EMULATOR_COMPLEX(C, R, f, suffix, make, magnitude)                                     \
    inline C make(R x, R y) { return {x, y}; }                                                     \
    inline R cuCreal##f(C a) { return a.x; }                                                       \
    inline R cuCimag##f(C a) { return a.y; }                                                       \
    inline C cuConj##f(C a) { return {a.x, -a.y}; }                                                \
    inline C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; }                                \
    inline C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; }                                \
    inline C cuCmul##f(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }        \
    inline C cuCdiv##f(C a, C b) {                                                                 \
        R scale = 1 / (fabs##suffix(b.x) + fabs##suffix(b.y));                                     \
        a = {a.x * scale, a.y * scale};                                                            \
        b = {b.x * scale, b.y * scale};                                                            \
        R norm = 1 / (b.x * b.x + b.y * b.y);                                                      \
        return {(a.x * b.x + a.y * b.y) * norm, (a.y * b.x - a.x * b.y) * norm};                   \
    }                                                                                              \
    inline R cuCabs##f(C a) { return magnitude(a.x, a.y); }                                        \
    inline C cuCfma##f(C a, C b, C c) {                                                            \
        R real = a.x * b.x + c.x, imaginary = a.x * b.y + c.y;                                     \
        return {real - a.y * b.y, a.y * b.x + imaginary};                                          \
    }
G2O_EMULATOR_COMPLEX(cuFloatComplex, float, f, f, make_cuFloatComplex, hypotf)
G2O_EMULATOR_COMPLEX(cuDoubleComplex, double, , , make_cuDoubleComplex, hypot)
#undef G2O_EMULATOR_COMPLEX
inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y)};
}
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
