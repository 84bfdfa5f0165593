// Values that change under other names between the statements that ask for them, and jumps.
// g2o-verify: by_pointers<<<2, 8>>>(n = 14, x = [n * 2 : 0.2 .. 0.6], y = [n])
// g2o-verify: by_references<<<2, 8>>>(n = 14, x = [n : 0.2 .. 0.6], y = [n])
// g2o-verify: steps_with_jumps<<<2, 8>>>(n = 14, x = [n * 8], y = [n])
// g2o-verify: tiles_and_steps<<<2, 8>>>(x = [64], y = [16])
// g2o-verify: two_names_of_a_tile<<<2, 8, 8 * 16>>>(x = [64], y = [16])
// g2o-verify: chosen_and_addressed<<<2, 8>>>(n = 14, x = [n], y = [n])
// g2o-verify: ranges_with_jumps<<<2, 8>>>(n = 14, x = [n * 4], y = [n])

struct Two {
    double a, b;
};

__global__ void by_pointers(double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *p = x + 2 * i, *q = p + 1;
    for (int k = 0; k < 3; ++k) {
        double s = p[0] * p[0] * sin(p[0]);
        *q = s * p[0];
        q[-1] = q[-1] * q[-1] * s;
        y[i] = p[0] * q[-1] * *q;
        p[0] = cos(p[0]) * y[i];
    }
}

__global__ void by_references(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Two s = {x[i], 2.0 * x[i]};
    Two t = s;
    for (int k = 0; k < 3; ++k) {
        double &r = k % 2 ? s.a : s.b;
        double u = s.a * s.a * t.b;
        r = r * u;
        t.b = s.a * s.b * s.a;
        s.b += s.a * s.a * 0.1;
    }
    y[i] = s.a * t.b + s.b;
}

__global__ void steps_with_jumps(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = 1.0;
    for (int k = i % 3, m = 0; k < 8 && m < 3; k += 2) {
        if (x[i + k] < 0.7)
            continue;
        ++m;
        v = v * x[i + k] + m;
        for (int j = 3; j > 0 && v > 1.5; --j)
            v = 0.6 * v * x[i + j];
    }
    y[i] = v;
}

__global__ void tiles_and_steps(const double *x, double *y)
{
    __shared__ double tile[16];
    int t = threadIdx.x;
    double v = 0.5;
    for (int turn = 0; turn < 4 && turn * 8 < 30; ++turn) {
        for (int j = t; j < 16; j += 8)
            tile[j] = x[turn * 12 + j] * x[j];
        __syncthreads();
        for (int k = 0; k < 8 && k <= t; ++k)
            v = v * tile[t + k] * 0.9 + tile[k];
        __syncthreads();
    }
    y[blockIdx.x * 8 + t] = v;
}

__global__ void two_names_of_a_tile(const double *x, double *y)
{
    extern __shared__ double mem[];
    int t = threadIdx.x;
    double v = 0.5;
    for (int turn = 0; turn < 3; ++turn) {
        for (int j = t; j < 16; j += 8)
            mem[j] = x[turn * 12 + j];
        __syncthreads();
        v = v * mem[t] + mem[15 - t];
        double *half = mem + 8;
        __syncthreads();
        half[t] = v;
        __syncthreads();
        v += half[7 - t] * half[t];
        __syncthreads();
    }
    y[blockIdx.x * 8 + t] = v;
}

__global__ void chosen_and_addressed(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i], b = 2.0 * x[i];
    double &w = i % 2 ? a : b;
    w = w * w;
    double *p = &a;
    *p += 1.0;
    y[i] = *p * 3.0 + b;
}

__global__ void ranges_with_jumps(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v[4] = {x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]};
    double s = 1.0;
    for (auto &a : v) {
        if (a < 0.7)
            continue;
        a = a * s;
        for (double b : v)
            s += 0.1 * a * b;
        if (s > 3.0)
            break;
    }
    y[i] = s + v[1] * v[3];
}
