// dim3, the built-in vector types and their constructors.
#pragma once

#define G2O_VECTORS(base, name, align1, align2, align4)                                            \
    struct __attribute__((aligned(align1))) name##1 { base x; };                                   \
    struct __attribute__((aligned(align2))) name##2 { base x, y; };                                \
    struct __attribute__((aligned(align1))) name##3 { base x, y, z; };                             \
    struct __attribute__((aligned(align4))) name##4 { base x, y, z, w; };                          \
    constexpr name##1 make_##name##1(base x) { return {x}; }                                       \
    constexpr name##2 make_##name##2(base x, base y) { return {x, y}; }                            \
    constexpr name##3 make_##name##3(base x, base y, base z) { return {x, y, z}; }                 \
    constexpr name##4 make_##name##4(base x, base y, base z, base w) { return {x, y, z, w}; }

G2O_VECTORS(signed char, char, 1, 2, 4)
G2O_VECTORS(unsigned char, uchar, 1, 2, 4)
G2O_VECTORS(short, short, 2, 4, 8)
G2O_VECTORS(unsigned short, ushort, 2, 4, 8)
G2O_VECTORS(int, int, 4, 8, 16)
G2O_VECTORS(unsigned int, uint, 4, 8, 16)
G2O_VECTORS(long, long, 8, 16, 16)
G2O_VECTORS(unsigned long, ulong, 8, 16, 16)
G2O_VECTORS(long long, longlong, 8, 16, 16)
G2O_VECTORS(unsigned long long, ulonglong, 8, 16, 16)
G2O_VECTORS(float, float, 4, 8, 16)
G2O_VECTORS(double, double, 8, 16, 16)
#undef G2O_VECTORS

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

extern __device__ const uint3 threadIdx;
extern __device__ const uint3 blockIdx;
extern __device__ const dim3 blockDim;
extern __device__ const dim3 gridDim;
extern __device__ const int warpSize;
