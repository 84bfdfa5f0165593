// Structures of numbers that loops add up in: neighbours go through these loops together
#include "g2o_runtime.hpp"
#include <cstdio>

float3 attracted(float4 me, float4 other, float3 sum)
{
    float3 r;
    r.x = other.x - me.x;
    r.y = other.y - me.y;
    r.z = other.z - me.z;
    const float squared = r.x * r.x + r.y * r.y + r.z * r.z + 0.25f;
    const float s = other.w / (squared * squared);
    sum.x += r.x * s;
    sum.y += r.y * s;
    sum.z += r.z * s;
    return sum;
}

void forces(dim3 grid, dim3 block, const float4 *__restrict__ x, float4 *__restrict__ y, int n)
{
    const int count = std::min(n, int(grid.x * block.x));
    constexpr int strip = 128;
    // Neighbours go through the loops together.
#pragma omp parallel for
    for (int first = 0; first < count; first += strip) {
        const int end = std::min(first + strip, count);
        float me_x[strip];
        float me_y[strip];
        float me_z[strip];
        float me_w[strip];
        float sum_x[strip];
        float sum_y[strip];
        float sum_z[strip];
#pragma omp simd
        for (int i = first; i < end; ++i) {
            me_x[i - first] = x[i].x;
            me_y[i - first] = x[i].y;
            me_z[i - first] = x[i].z;
            me_w[i - first] = x[i].w;
            sum_x[i - first] = 0.0f;
            sum_y[i - first] = 0.0f;
            sum_z[i - first] = 0.0f;
        }
        for (int j = 0; j < n; ++j) {
            float other_x = x[j].x;
            float other_y = x[j].y;
            float other_z = x[j].z;
            float other_w = x[j].w;
#pragma omp simd
            for (int i = first; i < end; ++i) {
                float r_x = other_x - me_x[i - first];
                float r_y = other_y - me_y[i - first];
                float r_z = other_z - me_z[i - first];
                const float squared = r_x * r_x + r_y * r_y + r_z * r_z + 0.25f;
                const float s = other_w / (squared * squared);
                sum_x[i - first] += r_x * s;
                sum_y[i - first] += r_y * s;
                sum_z[i - first] += r_z * s;
            }
        }
        for (int i = first; i < end; ++i)
            y[i] =
                make_float4(sum_x[i - first], sum_y[i - first], sum_z[i - first], me_w[i - first]);
    }
}

// By tiles: the sums are kept over barriers.
void forces_by_tiles(dim3 grid, [[maybe_unused]] dim3 block, const float4 *__restrict__ x,
                     float4 *__restrict__ y, int n)
{
    assert(block.x == 32);
#pragma omp parallel for
    for (int bx = 0; bx < int(grid.x); ++bx) {
        float4 tile[32];
        float sum_x[32];
        float sum_y[32];
        float sum_z[32];
#pragma omp simd
        for (int t = 0; t < 32; ++t) {
            sum_x[t] = 0.0f;
            sum_y[t] = 0.0f;
            sum_z[t] = 0.0f;
        }
        for (int first = 0; first < n; first += 32) {
            for (int t = 0; t < 32; ++t)
                tile[t] = x[first + t];
            for (int j = 0; j < 32; ++j) {
                float other_x = tile[j].x;
                float other_y = tile[j].y;
                float other_z = tile[j].z;
                float other_w = tile[j].w;
#pragma omp simd
                for (int t = 0; t < 32; ++t) {
                    const int i = bx * 32 + t;
                    const float me_x = x[i].x;
                    const float me_y = x[i].y;
                    const float me_z = x[i].z;
                    float r_x = other_x - me_x;
                    float r_y = other_y - me_y;
                    float r_z = other_z - me_z;
                    const float squared = r_x * r_x + r_y * r_y + r_z * r_z + 0.25f;
                    const float s = other_w / (squared * squared);
                    sum_x[t] += r_x * s;
                    sum_y[t] += r_y * s;
                    sum_z[t] += r_z * s;
                }
            }
        }
        for (int t = 0; t < 32; ++t) {
            const int i = bx * 32 + t;
            y[i] = make_float4(sum_x[t], sum_y[t], sum_z[t], 0.0f);
        }
    }
}

struct Complex {
    double re, im;
};

Complex times(Complex a, Complex b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

Complex plus(Complex a, Complex b)
{
    Complex c;
    c.re = a.re + b.re;
    c.im = a.im + b.im;
    return c;
}

// Both members of the old value are needed for those of the new one.
void series(dim3 grid, dim3 block, const Complex *__restrict__ z, Complex *__restrict__ y, int n,
            int terms)
{
    const int count = std::min(n, int(grid.x * block.x));
    constexpr int strip = 128;
    // Neighbours go through the loops together.
#pragma omp parallel for
    for (int first = 0; first < count; first += strip) {
        const int end = std::min(first + strip, count);
        double power_re[strip];
        double power_im[strip];
        double sum_re[strip];
        double sum_im[strip];
#pragma omp simd
        for (int i = first; i < end; ++i) {
            power_re[i - first] = 1.0;
            power_im[i - first] = 0.0;
            sum_re[i - first] = 0;
            sum_im[i - first] = 0;
        }
        for (int k = 0; k < terms; ++k) {
#pragma omp simd
            for (int i = first; i < end; ++i) {
                double c_re = sum_re[i - first] + power_re[i - first];
                double c_im = sum_im[i - first] + power_im[i - first];
                sum_re[i - first] = c_re;
                sum_im[i - first] = c_im;
                double b_re = z[i].re;
                double b_im = z[i].im;
                const double new_power_re = power_re[i - first] * b_re - power_im[i - first] * b_im;
                const double new_power_im = power_re[i - first] * b_im + power_im[i - first] * b_re;
                power_re[i - first] = new_power_re;
                power_im[i - first] = new_power_im;
                const double new_power_re2 = power_im[i - first];
                const double new_power_im2 = power_re[i - first];
                power_re[i - first] = new_power_re2;
                power_im[i - first] = new_power_im2;
            }
        }
        for (int i = first; i < end; ++i)
            y[i] = Complex{sum_re[i - first], sum_im[i - first]};
    }
}

void add_to(float2 &sum, float2 more)
{
    sum.x += more.x;
    sum.y -= more.y;
}

// What is referred to, and what is led to by an address.
void referred(dim3 grid, dim3 block, const float2 *__restrict__ x, float2 *__restrict__ y, int n)
{
    const int count = std::min(n, int(grid.x * block.x));
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
        float2 sum = make_float2(0.0f, 1.0f), other = x[i];
        float *member = &other.x;
        for (int k = 0; k < 5; ++k) {
            add_to(sum, x[(i + k) % n]);
            member[k % 2] += sum.y;
            other.y *= 0.5f;
        }
        y[i] = make_float2(sum.x + other.x, sum.y - other.y);
    }
}

int main()
{
    const int n = 96;
    float4 *x, *y;
    Complex *z, *w;
    float2 *p, *q;
    g2o::malloc_managed(&x, n * sizeof(float4));
    g2o::malloc_managed(&y, n * sizeof(float4));
    g2o::malloc_managed(&z, n * sizeof(Complex));
    g2o::malloc_managed(&w, n * sizeof(Complex));
    g2o::malloc_managed(&p, n * sizeof(float2));
    g2o::malloc_managed(&q, n * sizeof(float2));
    for (int i = 0; i < n; ++i) {
        x[i] = make_float4(i * 37 % 101 * 0.25f, i * 53 % 97 * 0.25f, i * 29 % 89 * 0.5f, 1.0f + i % 3);
        z[i] = {(i % 7) * 0.125, (i % 5) * 0.25 - 0.5};
        p[i] = make_float2(i % 11 * 0.5f, i % 13 * 0.25f);
    }
    forces(3, 40, x, y, n - 5);
    g2o::device_synchronize();
    for (int i = 0; i < n - 5; i += 9)
        printf("%g %g %g %g\n", y[i].x, y[i].y, y[i].z, y[i].w);
    forces_by_tiles(3, 32, x, y, n);
    series(3, 40, z, w, n, 9);
    referred(3, 40, p, q, n);
    g2o::device_synchronize();
    for (int i = 0; i < n; i += 9)
        printf("%g %g %g %g %g %g %g\n", y[i].x, y[i].y, y[i].z, w[i].re, w[i].im, q[i].x, q[i].y);
    g2o::free(x);
    g2o::free(y);
    g2o::free(z);
    g2o::free(w);
    g2o::free(p);
    g2o::free(q);
    return 0;
}
