// Costly calls that a thread makes twice with the same values: made once, else left alone.
#include "g2o_runtime.hpp"
#include <cstdio>

float total(const float *x, int n)
{
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i];
    return sum;
}

float square(float x)
{
    return x * x;
}

// The second call stands under a condition of its own.
void force(dim3 grid, dim3 block, float *__restrict__ out, const float *__restrict__ x,
           float radius, int n)
{
    const int count = std::min(n, int(grid.x * block.x));
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
        float d2 = square(x[i]) + square(x[i + 1]);
        const float sqrt_d2 = sqrtf(d2);

        // close pairs only
        if (sqrt_d2 < radius)
            out[i] = x[i] / sqrt_d2;
        else
            out[i] = sqrt_d2;
    }
}

// A variable has the value already, until it changes.
void held(dim3 grid, dim3 block, float *__restrict__ out, const float *__restrict__ x, int n)
{
    const int count = std::min(n, int(grid.x * block.x));
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
        float a = x[i];
        const float exp_value = expf(-a);
        float e = exp_value;
        out[i] = exp_value + 1;
        if (a > 1)
            out[i] += exp_value * logf(a + 3);
        e += 1;
        out[i] *= exp_value + e;
    }
}

// One statement, and what it stores is the argument.
void in_place(dim3 grid, dim3 block, float *x, int n)
{
#pragma omp parallel for
    for (int i = 0; i < std::min(int(grid.x * block.x), n); ++i) {
        for (int k = 0; k < 3; ++k) {
            const float sin_value = sinf(x[i]);
            x[i] = sin_value * sin_value + 0.5f;
        }
    }
}

// The argument changes in between; the value is another type's; a branch may not be taken.
void different(dim3 grid, dim3 block, float *__restrict__ out, const float *__restrict__ x, int n)
{
    const int count = std::min(n, int(grid.x * block.x));
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
        float a = x[i];
        out[i] = cosf(a);
        a += 1;
        out[i] += cosf(a);
        out[i] += a > 2 ? tanf(a) : 0;
        if (a > 3)
            out[i] += tanf(a);
        double wide = logf(a);
        out[i] += wide - logf(a);
        float *p = &a;
        out[i] += coshf(a);
        *p += 1;
        out[i] += coshf(a);
        out[i] += sinhf(*p);
        a = 0.5f;
        out[i] += sinhf(*p);
        int k = 0;
        if (sinf(x[k]) < 2 && k++ < i)
            out[i] += sinf(x[k]);
    }
}

// Functions that read memory: as long as nothing writes it.
void sums(dim3 /*grid*/, [[maybe_unused]] dim3 block, float *__restrict__ out,
          const float *__restrict__ x, float *__restrict__ y, int n)
{
    assert(block.x == 100);
    for (int i = 0; i < 100; ++i) {
        int m = i % 5;
        const float x_total = total(x, m);
        out[i] = x_total / 2;
        out[i + n] = x_total + 1;
        y[i] = total(y + n, m);
        y[i] += total(y + n, m);
        const float total_value = total(y + n, m);
        y[i] += total_value * total_value;
    }
}

void arms(dim3 grid, dim3 block, float *__restrict__ out, const float *__restrict__ x, int kind,
          int n)
{
    const int count = std::min(n, int(grid.x * block.x));
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
        float a = x[i];
        switch (kind) {
        case 0:
            out[i] = powf(a, 3.5f) - a / powf(a, 3.5f);
            break;
        case 1: {
            float b = a * a;
            const float pow_value = powf(b, 1.5f);
            out[i] = pow_value;
            out[i + n] = pow_value / 2;
            break;
        }
        default:
            out[i] = 0;
        }
    }
}

int main()
{
    const int n = 100;
    float *x, *out, *y;
    g2o::malloc_managed(&x, 2 * n * sizeof(float));
    g2o::malloc_managed(&y, 2 * n * sizeof(float));
    g2o::malloc_managed(&out, 2 * n * sizeof(float));
    for (int i = 0; i < 2 * n; ++i) {
        x[i] = 0.125f * (i % 37) + 0.1f;
        y[i] = 0.0625f * (i % 29);
    }
    double sum = 0;
    for (int round = 0; round < 7; ++round) {
        for (int i = 0; i < 2 * n; ++i)
            out[i] = 0;
        if (round == 0)
            force(4, 32, out, x, 1.5f, n);
        else if (round == 1)
            held(4, 32, out, x, n);
        else if (round == 2)
            in_place(4, 32, x, n);
        else if (round == 3)
            different(4, 32, out, x, n);
        else if (round == 4)
            sums(1, 100, out, x, y, n);
        else
            arms(4, 32, out, x, round - 5, n);
        g2o::device_synchronize();
        for (int i = 0; i < 2 * n; ++i)
            sum += out[i] + x[i] + y[i];
        printf("%d %.6f\n", round, sum);
    }
    return 0;
}
