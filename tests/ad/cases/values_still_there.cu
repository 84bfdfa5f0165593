// Elements that nothing writes behind them, though others of their arrays are written in turns.
// g2o-verify: table<<<2, 16>>>(x = [32], y = [32], n = 5)
__global__ void table(const float *x, float *y, int n) {
    __shared__ float s[6][16];
    const int t = threadIdx.x;
    s[0][t] = x[blockIdx.x * 16 + t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        s[k + 1][t] = s[k][t] * s[k][(t + 1) % 16];
        __syncthreads();
    }
    y[blockIdx.x * 16 + t] = s[n][t] + s[2][15 - t];
}
// g2o-verify: turns<<<2, 16>>>(x = [32], y = [32], n = 5)
__global__ void turns(const float *x, float *y, int n) {
    __shared__ float s[2][16];
    const int t = threadIdx.x;
    s[0][t] = x[blockIdx.x * 16 + t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        s[(k + 1) & 1][t] = s[k & 1][t] * s[k & 1][(t + 1) % 16];
        __syncthreads();
    }
    y[blockIdx.x * 16 + t] = s[n & 1][t];
}
// g2o-verify: history<<<2, 16>>>(x = [32], u = [192], y = [32], n = 5)
__global__ void history(const float *x, float *u, float *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int m = gridDim.x * blockDim.x;
    u[i] = x[i];
    for (int k = 0; k < n; ++k)
        u[(k + 1) * m + i] = sinf(u[k * m + i]) * u[k * m + i];
    y[i] = u[n * m + i];
}
// g2o-verify: of_others<<<2, 16>>>(x = [32], u = [192], y = [32], n = 5)
__global__ void of_others(const float *x, float *u, float *y, int n) {
    const int t = threadIdx.x;
    float *own = u + blockIdx.x * 96;
    own[t] = x[blockIdx.x * 16 + t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        own[(k + 1) * 16 + t] = own[k * 16 + t] * own[k * 16 + (t + 3) % 16];
        __syncthreads();
        if (t == k)
            own[(n - k) * 16 + k] *= 1.5f;
        __syncthreads();
    }
    y[blockIdx.x * 16 + t] = own[n * 16 + t] * own[16 + t];
}
// g2o-verify: factors<<<2, 8>>>(a = [128], y = [16])
__global__ void factors(const float *a, float *y) {
    __shared__ float m[8][8];
    const int t = threadIdx.x;
    for (int i = 0; i < 8; ++i)
        m[i][t] = 0.1f * a[blockIdx.x * 64 + i * 8 + t] + (i == t ? 4.0f : 0.0f);
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        if (t > k)
            m[t][k] /= m[k][k];
        __syncthreads();
        if (t > k)
            for (int j = k + 1; j < 8; ++j)
                m[t][j] -= m[t][k] * m[k][j];
        __syncthreads();
    }
    float sum = 0.0f;
    for (int i = 0; i < 8; ++i)
        sum += m[t][i] * m[t][i];
    y[blockIdx.x * 8 + t] = sum;
}
// g2o-verify: in_front<<<2, 16>>>(x = [32], y = [32], n = 5)
__global__ void in_front(const float *x, float *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i], w = 0.5f, sum = 0.0f;
    int from = i % 7;
    for (int k = 0; k < n; ++k) {
        for (int j = 0; j < 4; ++j) {
            sum += 0.2f * v * v * w * x[(from + j) % 32];
            if (j % 2)
                for (int l = 0; l < 2; ++l)
                    sum *= 1.0f + 0.02f * v * x[from];
        }
        v = v * 0.9f + 0.1f * sum * w;
        from = (from * 3 + k) % 32;
        if (k % 2)
            w *= v;
    }
    y[i] = sum * v;
}
