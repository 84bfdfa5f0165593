// Loops with barriers that threads leave one after another: the reverse sweep has their turns, too.
// g2o-verify: a<<<2, 32>>>(x = [200], y = [200], n = 100)
__global__ void a(const float *x, float *y, int n) {
    __shared__ float s[64];
    float total = 0;
    for (int i = blockIdx.x * n + threadIdx.x; i < (int)(blockIdx.x + 1) * n; i += blockDim.x) {
        float v = x[i] * x[i];
        s[threadIdx.x] = v * 1.5f;
        __syncthreads();
        int m = min((int)blockDim.x, (int)(blockIdx.x + 1) * n - (i - (int)threadIdx.x));
        total += s[(threadIdx.x + 1) % m] * v;
        y[i] = sinf(s[m - 1 - threadIdx.x] + v) + total;
        __syncthreads();
    }
}
// g2o-verify: b<<<2, 48>>>(x = [200], y = [200], n = 100)
__global__ void b(const float *x, float *y, int n) {
    __shared__ float s[64];
    __shared__ float r[64];
    int t = threadIdx.x;
    const float *p = x + blockIdx.x * n;
    for (int i = t; i < n; i += 46) {
        const float u = p[i];
        s[t] = u * u;
        if (t == 0) r[0] = u;
        __syncthreads();
        float &own = s[t];
        float w = own;
        if (i + 1 < n && t < 47) w *= s[t + 1];
        __syncthreads();
        for (int k = 0; k < 3; ++k) {
            s[t] = w + k * u;
            __syncthreads();
            w += s[0] * u + r[0];
            __syncthreads();
        }
        if (t < 46) y[blockIdx.x * n + i] = w;
        __syncthreads();
    }
}
// g2o-verify: c<<<1, 64>>>(x = [300], y = [300], n = 288)
__global__ void c(const float *x, float *y, unsigned n) {
    __shared__ float s[64];
    int lane = threadIdx.x % 32;
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        float v = x[i], vs[2] = {v, v * 2};
        unsigned mask = __ballot_sync(0xffffffffu, v > 1);
        s[threadIdx.x] = v;
        __syncthreads();
        v += __shfl_xor_sync(0xffffffff, v, 3);
        y[i] = v * s[threadIdx.x / 2] + (mask >> lane & 1);
        __syncthreads();
        y[i] += vs[lane & 1];
    }
}
__device__ int bump(int &i) { return i += 0; }
__device__ void step(int *i) { *i += 32; }
// g2o-verify: d<<<1, 32>>>(x = [300], y = [300], n = 288)
__global__ void d(const float *x, float *y, int n) {
    __shared__ float s[64];
    for (int i = threadIdx.x; i < n; i += 32) {
        int &j = i;
        s[threadIdx.x] = x[i];
        __syncthreads();
        if (j < n) y[j] = s[threadIdx.x] * 2;
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; step(&i)) {
        s[threadIdx.x] = y[i];
        __syncthreads();
        y[i] = s[threadIdx.x ^ 1] * 2;
        __syncthreads();
    }
}
