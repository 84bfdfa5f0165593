#pragma once

#include <cuda_runtime.h>

// Componentwise arithmetic on float4, as GLSL has it.

__host__ __device__ inline float4 operator+(const float4 &a, const float4 &b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__host__ __device__ inline float4 operator*(float s, const float4 &v)
{
    return make_float4(s * v.x, s * v.y, s * v.z, s * v.w);
}

__host__ __device__ inline float4 &operator+=(float4 &a, const float4 &b)
{
    a = a + b;
    return a;
}

__host__ __device__ inline float dot(const float4 &a, const float4 &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
