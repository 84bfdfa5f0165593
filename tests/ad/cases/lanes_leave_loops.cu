// Loops with exchanges that lanes leave at different turns: what met in one turn meets in reverse.
// g2o-verify: c<<<1, 32>>>(x = [300], y = [300], n = 80)
__global__ void c(const float *x, float *y, unsigned n) {
    for (unsigned i = threadIdx.x; i < n; i += 32) {
        float v = x[i];
        v += sinf(x[i]) * __shfl_xor_sync(__activemask(), v, 8);
        y[i] = v * v;
    }
}
// g2o-verify: e<<<1, 32>>>(x = [300], y = [300], n = 3)
__global__ void e(const float *x, float *y, int n) {
    float v = x[threadIdx.x];
    for (int k = 0; k < (threadIdx.x * 5 + n) % 4 + 1; ++k) {
        v += sinf(v) * __shfl_xor_sync(__activemask(), v, 1);
        y[threadIdx.x + k * 32] = v * v;
    }
}
// g2o-verify: f<<<1, 64>>>(x = [300], y = [300], n = 290)
__global__ void f(const float *x, float *y, int n) {
    __shared__ float s[64];
    int i = threadIdx.x;
    while (i < n) {
        float q[2] = {x[i], 1};
        s[threadIdx.x] = q[0];
        __syncthreads();
        y[i] = s[0] * q[0];
        __syncthreads();
        y[i] += q[0] * q[1];
        i += 64;
    }
}

// g2o-verify: more_a<<<1, 32>>>(x = [300], y = [300])
__global__ void more_a(const float *x, float *y) {
    int t = threadIdx.x, k = 0;
    float v = x[t];
    do {
        v += sinf(v) * __shfl_xor_sync(__activemask(), v, 1) + __shfl_sync(__activemask(), v, t);
        y[t + k * 32] = v;
        k++;
    } while (k < t / 2 % 4);
    y[t] += v * k;
}
// g2o-verify: more_b<<<1, 32>>>(x = [300], y = [300])
__global__ void more_b(const float *x, float *y) {
    int t = threadIdx.x;
    float v = x[t];
    for (int k = 0; k < 6; ++k) {
        v *= 0.9f;
        if (k == t / 2 % 5) continue;
        if (k > 1 + t / 4 % 3) break;
        v += sinf(v) * __shfl_xor_sync(__activemask(), v, 1);
        y[t + k * 32] += v * v;
    }
    y[t] += v;
}
// g2o-verify: more_c<<<1, 64>>>(x = [300], y = [300])
__global__ void more_c(const float *x, float *y) {
    int t = threadIdx.x;
    float v = x[t];
    if (t % 32 < 16) {
        for (int k = t / 8; k < 3; ++k) {
            for (int j = 0; j < t / 4 % 3 + 1; ++j)
                v += sinf(v) * __shfl_xor_sync(__activemask(), v, 2) * x[t + j];
            y[t + k * 64] += v * v;
        }
    }
    y[t] += v;
}
__device__ float mixed(float v, int turns) {
    float sum = 0;
    while (turns-- > 0) {
        sum += __shfl_xor_sync(__activemask(), v, 1) * v;
        v = sinf(v + sum);
    }
    return sum + v;
}
// g2o-verify: more_d<<<1, 64>>>(x = [300], y = [300])
__global__ void more_d(const float *x, float *y) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = mixed(x[t], t / 2 % 5);
    __syncthreads();
    int i = t;
    float w = s[63 - t];
    __syncthreads();
    while (true) {
        if (i >= 250) return;
        s[t] = w * x[i];
        __syncthreads();
        y[i] += s[t / 3] * w;
        w = sinf(w + x[i]);
        __syncthreads();
        i += 64;
    }
}
// g2o-verify: more_e<<<2, 32>>>(x = [300], y = [300], n = 5)
__global__ void more_e(const float *x, float *y, int n) {
    __shared__ float s[32];
    int t = threadIdx.x;
    float w = x[t + 32 * blockIdx.x];
    for (int r = 0; r < 3; ++r) {
        float v[2] = {w, w * w};
        for (int k = 0; k < (t < 16 ? n : n); ++k) {
            s[t] = v[0] + v[1];
            __syncthreads();
            v[k & 1] = 0.4f * sinf(s[(t + k) % 32] + v[1]);
            __syncthreads();
        }
        w += v[0] - v[1];
    }
    y[t + 32 * blockIdx.x] = w;
}

// Warps take tiles until none is left; what lanes declare is asked for where some of them went on.
// g2o-verify: tiles_from_a_queue<<<2, 64>>>(n = 20, tiles = 4, starts = [21 : i], a = [40], y = [20],
//     next = [1 : 0])
__global__ void tiles_from_a_queue(int n, int tiles, const int *starts, const float *a, float *y,
                                   unsigned *next)
{
    const int warp = threadIdx.x >> 5;
    const int lane = threadIdx.x & 31;
    for (;;) {
        unsigned int tile = atomicAdd(next, 1u);
        if (tile >= (unsigned)tiles)
            break;
        const int begin = tile * 8;
        const int end = min(begin + 8, n);
        for (int row = warp; row < n; row += 2) {
            const int own = starts[row];
            const int low = max(own, begin);
            const int high = min(starts[row + 1], end);
            if (low >= high)
                continue;
            float sum = 0.0f;
            for (int j = low + lane; j < high; j += 32)
                sum += a[j];
            for (int offset = 16; offset > 0; offset >>= 1)
                sum += __shfl_down_sync(0xffffffffu, sum, offset);
            if (lane == 0)
                atomicAdd(&y[row], sum * sum);
        }
        __syncthreads();
    }
}
