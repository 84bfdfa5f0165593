// Headers of loops whose parts build on each other; several values in one declaration in front of a
// loop.
#include <cstdio>

template <class T> static T *filled(int n, int factor = 7, int modulus = 13, int offset = -3) {
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; ++i)
        p[i] = static_cast<T>(i * factor % modulus + offset);
    return p;
}

template <class T> static void show(const char *what, const T *p, int n) {
    cudaDeviceSynchronize();
    printf("%s:", what);
    for (int i = 0; i < n; ++i)
        printf(" %g", static_cast<double>(p[i]));
    printf("\n");
}

__global__ void head_order(int *out, const int *in, int n) {
    __shared__ int s[32];
    int t = threadIdx.x, acc = 0;
    for (int i = 0, j = t; i < n; ++i, j += i) {
        s[t] = in[j % 64] + j;
        __syncthreads();
        acc = acc * 3 + s[31 - t];
        __syncthreads();
    }
    for (int i = 1, j = t + i; i < n; i *= 2, j += i * 3) {
        s[t] = in[j % 64] + j;
        __syncthreads();
        acc = acc * 3 + s[31 - t];
        if (i == 2) {
            __syncthreads();
            continue;
        }
        __syncthreads();
        acc++;
    }
    int a, b;
    for (a = 2, b = a + t; a < n; b += a, ++a, b -= 1) {
        s[t] = b;
        __syncthreads();
        acc += s[31 - t];
        __syncthreads();
    }
    out[blockIdx.x * 32 + t] = acc + a + b;
}

__global__ void head_order_warp(int *out, const int *in, int n) {
    int t = threadIdx.x, acc = 0;
    for (int i = 0, j = t; i < n; ++i, j += i) {
        acc = acc * 3 + __shfl_xor_sync(~0u, j, 1);
    }
    for (int j = t, i = 0; i < n; j += i, ++i, j *= 2) {
        if (i & 1)
            continue;
        acc = acc * 3 + __shfl_down_sync(~0u, j, 1) % 100;
    }
    out[blockIdx.x * 32 + t] = acc;
}

__global__ void while_moved(float *out, const float *in, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int from = 2;
    int c = from;
    from += 3;
    float best = from;
    while (c < m) {
        best = fminf(best, in[c * n + i]);
        c += 2;
    }
    out[i] = best + from;
}

__global__ void while_step(float *out, const float *in, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int c = 0;
    float best = 1000;
    while (c < m) {
        int step = c < 4 ? 1 : 3;
        best = fminf(best, in[c * n + i]);
        c += step;
    }
    out[i] = best;
}

__global__ void chunk_carried(float *out, const float *in, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = 1000, second = 2000;
    int arg = -1;
    unsigned char q = 250;
    bool seen = false;
    for (int c = 0; c < m; ++c) {
        float v = in[c * n + i];
        second = v < best ? best : fminf(second, v);
        arg = v < best ? c : arg;
        best = fminf(best, v);
        q += 3;
        seen = seen || v > 90;
    }
    for (int c = m - 1; c >= 0; --c) {
        best += in[c * n + i] * 0.5f;
    }
    for (int c = 0; c < m; c += 2) {
        for (int k = 0; k < 3; ++k)
            best += in[(c + k % 2) * n + i] * k;
    }
    out[i] = best + second * 2 + arg * 1000 + q + seen;
}

// A variable of the head that each thread moves on in a loop of its own.
__global__ void fetched_ahead(float *y, const float *x, int n) {
    __shared__ float tiles[2][64];
    for (int done = 0, fetch = 0; done < n; ++done) {
        for (; fetch < n && fetch < done + 2; ++fetch)
            tiles[fetch % 2][threadIdx.x] = x[fetch * 64 + threadIdx.x];
        __syncthreads();
        y[done * 64 + threadIdx.x] = tiles[done % 2][threadIdx.x * 7 % 64];
        __syncthreads();
    }
}

__global__ void skipping(float *y, const float *x, int n) {
    __shared__ float s[64];
    for (int i = 0; i < n; ++i) {
        if (x[i] > 2)
            ++i, y[n * 64 + threadIdx.x] = i;
        s[threadIdx.x] = x[i * 64 + threadIdx.x];
        __syncthreads();
        y[i * 64 + threadIdx.x] = s[threadIdx.x * 7 % 64];
        __syncthreads();
    }
}

int main() {
    {
        int *a = filled<int>(64), *b = filled<int>(64);
        head_order<<<2, 32>>>(a, b, 5);
        show("head_order", a, 64);
    }
    {
        int *a = filled<int>(64), *b = filled<int>(64);
        head_order_warp<<<2, 32>>>(a, b, 5);
        show("head_order_warp", a, 64);
    }
    {
        float *a = filled<float>(64), *b = filled<float>(640, 37, 101, 5);
        while_moved<<<2, 32>>>(a, b, 60, 10);
        show("while_moved", a, 64);
    }
    {
        float *a = filled<float>(64), *b = filled<float>(640, 37, 101, 5);
        while_step<<<2, 32>>>(a, b, 60, 10);
        show("while_step", a, 64);
    }
    {
        float *a = filled<float>(200), *b = filled<float>(2000, 37, 101, 5);
        chunk_carried<<<4, 48>>>(a, b, 190, 10);
        show("chunk_carried", a, 200);
        chunk_carried<<<4, 48>>>(a, b, 190, 0);
        show("chunk_carried", a, 200);
    }
    {
        float *a = filled<float>(640), *b = filled<float>(640, 37, 101, 5);
        fetched_ahead<<<1, 64>>>(a, b, 9);
        show("fetched_ahead", a, 640);
        skipping<<<1, 64>>>(a, b, 8);
        show("skipping", a, 640);
    }
    return 0;
}
