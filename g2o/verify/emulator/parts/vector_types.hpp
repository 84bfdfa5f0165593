// dim3 and CUDA's vector types, with CUDA's sizes and alignments.
#pragma once

#define G2O_EMULATOR_VECTOR(T, name, align2, align4)                                               \
    struct name##1 { T x; };                                                                       \
    struct alignas(align2) name##2 { T x, y; };                                                    \
    struct name##3 { T x, y, z; };                                                                 \
    struct alignas(align4) name##4 { T x, y, z, w; };                                              \
    inline constexpr name##1 make_##name##1(T x) { return {x}; }                                   \
    inline constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                           \
    inline constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                   \
    inline constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

G2O_EMULATOR_VECTOR(signed char, char, 2, 4)
G2O_EMULATOR_VECTOR(unsigned char, uchar, 2, 4)
G2O_EMULATOR_VECTOR(short, short, 4, 8)
G2O_EMULATOR_VECTOR(unsigned short, ushort, 4, 8)
G2O_EMULATOR_VECTOR(int, int, 8, 16)
G2O_EMULATOR_VECTOR(unsigned int, uint, 8, 16)
G2O_EMULATOR_VECTOR(long, long, 16, 16)
G2O_EMULATOR_VECTOR(unsigned long, ulong, 16, 16)
G2O_EMULATOR_VECTOR(long long, longlong, 16, 16)
G2O_EMULATOR_VECTOR(unsigned long long, ulonglong, 16, 16)
G2O_EMULATOR_VECTOR(float, float, 8, 16)
G2O_EMULATOR_VECTOR(double, double, 16, 16)
#undef G2O_EMULATOR_VECTOR

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

// The built-in variables. They are written at every switch to another CUDA thread.
inline thread_local uint3 threadIdx{0, 0, 0};
inline thread_local uint3 blockIdx{0, 0, 0};
inline thread_local dim3 blockDim{1, 1, 1};
inline thread_local dim3 gridDim{1, 1, 1};
constexpr int warpSize = 32;
