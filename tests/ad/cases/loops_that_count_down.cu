// Counters that fall in the condition of their loop.
// g2o-verify: down<<<2, 16>>>(x = [40], y = [40], n = 20)
__global__ void down(const float *x, float *y, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    float s = 0.1f, u = 1.0f;
    for (int i = 4; i-- > 0;) {
        s += x[t + i] * s;
        if (s > 50.0f)
            break;
    }
    for (unsigned i = n % 7; i--;) {
        if (i == 2)
            continue;
        for (size_t j = 3; 0 < j--;)
            u += 0.1f * u * x[i + j];
    }
    for (unsigned i = 3; i-- != 0;)
        u *= 1.0f + 0.1f * x[t + i];
    y[t] = s * u;
}
